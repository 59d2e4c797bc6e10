"""Sample archives in which nobody has a name that the project knows: other pools, and people only in text.

Belongs here: the pools, drawn from Faker's locales and from syllables, the sentences that name people whom no
table lists, and the archive written with both. Does not belong here: what is measured on it (`detection`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from faker import Faker

from benchmarks.measuring import PROJECT
from data_samples import names
from data_samples.history import History
from data_samples.make import SYSTEMS, produce, write

LOCALES = {
    "first_us": "nl_NL", "family_us": "nl_NL", "first_uk": "en_IE", "family_uk": "en_IE",
    "first_de": "de_CH", "family_de": "de_AT",
}  # fmt: skip
STRANGERS = (
    ("it_IT", "it_IT"),
    ("es_ES", "es_ES"),
    ("cs_CZ", "cs_CZ"),
    ("sv_SE", "sv_SE"),
    ("da_DK", "sv_SE"),
)
"""Locales of first and family names of people who stand in text only."""
MANY = 120
POOL = 90
FIRST_HELD_OUT = 200
EACH = 2
"""Mails in which each of them is named."""
KINDS = ("reply", "pitch", "internal", "chatter", "question", "answer", "quote", "forward", "followup")
ENGLISH = (
    "You can also reach {f} {l}, my colleague, while I am away.",
    "Please loop in Mr. {l} on this.",
    "I spoke with {f} {l} about it yesterday.",
    "Our lawyer {f} {l} wants to see the draft first.",
    "{l}, {f} signed the last version.",
    "Ms {l} from purchasing has asked twice.",
    "The visitor was {f} {l}; {f} will call back.",
    "-----Original Message-----\nFrom: {l}, {f}\nSent: Monday\nSubject: please read\n\nDear Mr. {l},"
    " thank you.",
    "On Monday {f} {l} wrote:\n> I agree.",
    "Forwarded for {f} {l}.\n\nBest regards,\n{f} {l}\nLegal Counsel",
    "Could you ask {f} {l}'s team?",
    "cc {f} {l}",
)
GERMAN = (
    "Bitte wenden Sie sich in meiner Abwesenheit an Frau {l}.",
    "Herr {l} hat die Freigabe erteilt.",
    "Ich habe mit {f} {l} gesprochen.",
    "Von: {l}, {f}\nGesendet: Montag\nBetreff: Bitte lesen\n\nSehr geehrter Herr {l}, danke.",
    "Mit freundlichen Grüßen\n{f} {l}\nRechtsabteilung",
)


HELD_OUT_ENGLISH = (
    "{f} {l} from our legal department will send comments.",
    "Yesterday's guest, {f} {l}, left early.",
    "Please ask {f} {l} for the key.",
    "As Dr. {l} said, it can wait.",
    "From: {f} {l}\nTo: undisclosed\n\nHello, see below.",
    "I will be out; Mrs. {l} covers for me.",
    "On Fri, 3 May, {f} {l} wrote:\n> fine with me",
    "Kind regards,\n\n{f} {l}\nHead of Audit",
    "We hired {f} {l} as a consultant.",
    "The contract was prepared by {f} {l}.",
    "{f} {l} told me that the date may move.",
    "Do you know {f} {l}?",
)
HELD_OUT_GERMAN = (
    "Unsere Anwältin {f} {l} prüft das noch.",
    "Am Montag schrieb {f} {l}:\n> einverstanden",
    "Sehr geehrte Frau {l},\n\nanbei das Gewünschte.",
    "Viele Grüße\n{f} {l}",
    "Der Entwurf kommt von {f} {l}.",
)
"""Sentences on which no rule was tuned; the others were looked at."""


class Stranger(NamedTuple):
    """Somebody whom no table, header or address names."""

    first: str
    last: str


def pools(seed: int) -> dict[str, tuple[str, ...]]:
    """Returns pools of names for one seed that share no word with the sample's own."""
    rng = Random(f"{seed}:pools")
    found = {}
    for key, locale in LOCALES.items():
        part = "first_names" if key.startswith("first") else "last_names"
        found[key] = _drawn(rng, locale, part, POOL, set(getattr(names, key.upper())))
    found["roots"] = _syllables(rng, 45)
    found["roots_de"] = _syllables(rng, 20)
    return found


def _drawn(rng: Random, locale: str, part: str, many: int, barred: set[str]) -> tuple[str, ...]:
    provider = next(one for one in Faker(locale).get_providers() if "person" in type(one).__module__)
    listed = sorted({name for name in getattr(provider, part) if name.isalpha() and len(name) > 2} - barred)
    return tuple(rng.sample(listed, min(many, len(listed))))


def _syllables(rng: Random, many: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    while len(found) < many:
        root = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(2))
        found.setdefault(root.title() + rng.choice("lnrsx"))
    return tuple(found)


def strangers(seed: int) -> list[Stranger]:
    """Returns the people of one seed who stand in text only."""
    rng = Random(f"{seed}:strangers")
    found = []
    for first, last in STRANGERS:
        firsts = _drawn(rng, first, "first_names", MANY // len(STRANGERS), set())
        lasts = _drawn(rng, last, "last_names", MANY // len(STRANGERS), set())
        found += [Stranger(*pair) for pair in zip(firsts, lasts, strict=False)]
    return found


def name_strangers(history: History, people: list[Stranger], seed: int) -> None:
    """Lets mails name them, each in a few sentences, in the language of the mail.

    Seeds below 200 have the sentences that were looked at while rules were written, others the rest.
    """
    seen = seed < FIRST_HELD_OUT
    rng = Random(f"{seed}:sentences")
    mails = [mail for mail in history.mails if mail.sender is not None and not mail.calendar]
    for person in people:
        for mail in rng.sample(mails, EACH):
            sentences = (HELD_OUT_GERMAN, GERMAN) if mail.german else (HELD_OUT_ENGLISH, ENGLISH)
            sentence = rng.choice(sentences[seen]).format(f=person.first, l=person.last)
            body, signed, end = mail.text.partition("\n\n--")
            lines = body.split("\n\n")
            lines.insert(min(1, len(lines)), sentence)
            mail.text = "\n\n".join(lines) + signed + end


def made(folder: Path, seed: int) -> Path:
    """Returns the folder of the archive of a seed, made in a process of its own: pools stay as here."""
    target = folder / f"strange-{seed}"
    if not (target / "truth" / "strangers.json").is_file():
        command = [sys.executable, "-m", "benchmarks.strange_names", str(seed), str(target)]
        subprocess.run(command, check=True, cwd=PROJECT, stdout=subprocess.DEVNULL)
    return target


def main() -> None:
    """Writes the archive of a seed into a folder: `python -m benchmarks.strange_names SEED FOLDER`."""
    seed, target = int(sys.argv[1]), Path(sys.argv[2])
    names.draw_from(pools(seed))
    people = strangers(seed)
    write(produce(seed, 1, SYSTEMS, lambda history: name_strangers(history, people, seed)), target)
    (target / "truth" / "strangers.json").write_text(json.dumps(people, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
