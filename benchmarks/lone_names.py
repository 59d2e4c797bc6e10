"""How many people known by one name only are replaced, and how much that names nobody stays.

`python -m benchmarks.lone_names [--seed N] [--show]`

Every text stands in a mail of its own, under names that stand nowhere else: first names of the pools, and
coined words that no list has. Senders are role mailboxes, so that nobody is around. `--show` prints what went
wrong; all names are invented. The texts were looked at while rules were written: they say what is covered,
not what share of all ways of writing.
"""

from __future__ import annotations

import argparse
import mailbox
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import polars as pl

from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset
from anonymize.words import pool
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from benchmarks.measuring import table

MANIFEST = """name: lone
company: {names: [Brightwater], domains: [brightwater.com], zones: [UTC], currency: USD, locale: de_DE}
sources:
- {name: mail, kind: mail, format: mbox, path: mail.mbox}
"""
TEXTS = {
    "closing": (
        "Viele Gruesse\n{F}",
        "Viele Grüße\n{F}",
        "Thanks,\n{F}",
        "Best, {F}",
        "LG, {F}",
        "LG {F}",
        "Mit freundlichen Grüßen\n\n{F}",
        "Danke und Gruß\n{F}",
        "Beste Grüße aus Köln\n{F}",
        "Gruß {F}",
        "Cheers\n{F}",
        "Thx, {F}",
        "Many thanks\n\n{F}",
        "Best regards,\n  {F}",
        "Danke, {F}",
        "Thank you!\n{F}",
        "Thanks {F}!",
        "Danke {F}!",
        "Liebe Grüße, deine {F}",
        "Ciao\n{F}",
        "Bis morgen\n{F}",
        "See you tomorrow,\n{F}",
        "Regards\n{F} {L}",
        "VG\n{F}",
        "MfG\n{L}",
        "Mit freundlichem Gruß\n{L}",
        "Schöne Grüße\n{F} und {G}",
        "-- \n{F}",
        "Best\n{F}\nSales",
        "Kind regards\n{F} (Einkauf)",
        "- {F}",
        "Sincerely,\n{F}",
        "Hochachtungsvoll\n{L}",
        "BR\n{F}",
        "Take care,\n{F}",
        "Viele Grüße {F}",
        "Viele Grüße, {F}",
        "Kind regards, {F}",
        "Viele Grüße\ni. A. {L}",
        "Viele Grüße\n\n{F}, Einkauf",
    ),
    "greeting": (
        "Hallo {F},",
        "Hi {F} -",
        "Liebe Frau {L},",
        "Hi {F}",
        "Hey {F}!",
        "Lieber {F},",
        "Guten Morgen {F},",
        "Moin {F},",
        "Dear {F},",
        "Hello {F} and {G},",
        "Hallo {F}, hallo {G},",
        "Good morning {F}",
        "Hi {F}, {G},",
        "{F},",
        "Hallo liebe {F},",
        "Servus {F}!",
        "Grüezi Herr {L}",
        "Dear Ms {L}",
        "Sehr geehrte Frau {L},",
        "Hallo Herr {L},",
        "hi {F},",
        "hallo {F},",
        "Liebe {F}, lieber {G},",
        "Hi {F}; quick one",
        "Morning {F},",
    ),
    "words for people": (
        "bitte an {F} weiterleiten",
        "cc: {F}",
        "Ansprechpartner: {L}",
        "signed: J. {L}",
        "gez. {L}",
        "gez. J. {L}",
        "Bitte an {F} weitergeben.",
        "CC: {F}, {G}",
        "Contact: {F}",
        "Kontakt: {F} {L}",
        "Ansprechpartnerin: Frau {L}",
        "Bearbeiter: {L}",
        "Sachbearbeiterin: {L}",
        "attn: {L}",
        "z. Hd. {L}",
        "z.Hd. Herrn {L}",
        "c/o {L}",
        "i.A. {L}",
        "i. V. {L}",
        "Signed by {F}",
        "approved by {F}",
        "Prepared by: {F} {L}",
        "Account manager: {F}",
        "Verantwortlich: {F}",
        "Owner: {F}",
        "please forward to {F}",
        "please loop in {F}",
        "ask {F} about it",
        "@{F} kannst du das machen?",
        "@{F}: please check",
        "fyi {F}",
        "zur Info an {F}",
        "i spoke to {F} on the phone",
        "ich habe mit {F} telefoniert",
        "wie mit {F} besprochen",
        "{F} hat das bestätigt",
        "{F} said it is fine",
        "Frau {L} hat angerufen",
        "Vertretung: {F}",
        "Assigned to: {F}",
        "bitte {F} fragen",
        "/s/ J. {L}",
        "Unterschrift: {L}",
        "Fahrer: {L}",
        "received by {F}",
        "Empfänger: {L}",
        "Reported by: {F}",
        "FAO {L}",
        "my colleague {F} will call",
        "meine Kollegin {F} ruft an",
        "unser Fahrer {L} kommt",
        "loop {F} in",
        "{F}'s desk is empty",
        "Gruß an {F}",
        "please say hello to {F}",
    ),
    "work, birth, sources": (
        "Der Monteur {L} war gestern da.",
        "Betriebsrat: {L}",
        "lt. {L} passt das so",
        "laut {L} erst morgen",
        "Frau {M}, geb. {L}, zieht um.",
        "Anna {M} (née {L}) left us.",
        "Anna {M} (formerly {L}) left us.",
        "Anna {M}, vormals {L}.",
        "A. {L} kommt um drei.",
        "J. R. {L} agreed.",
        "Termin mit K.{L} am Montag",
        "the driver {L} called",
        "Unser Servicetechniker {L} kommt.",
        "unsere Rechtsanwältin {L} prüft das",
        "Kollege {L} ist krank.",
        "der Notar {L} hat beurkundet",
        "according to {L} it is done",
        "Der Polier {F} {L} ist da.",
        "our electrician {L} found it",
        "Vorarbeiterin: {L}",
        "Fr. Mag. {L} kommt",
        "Herrn {L}s Rechner streikt",
        "Geschäftsführer: {F} {L}",
        "nurse {L} has it",
        "Familie {L} zieht ein",
        "Der Neue heißt {L}.",
        "Rücksprache m. {L} gehalten",
        "Hallo {F}, {G} kommt morgen.",
    ),
    "table": (
        "Material;Menge;Ansprechpartner\n4711;3;{L}\n4712;4;{M}\n",
        "Name,Phone,Qty\n{F} {L},1,2\n{G} {M},3,4\n",
        "Part\tContact\tQty\nBolt\t{F} {L}\t3\nNut\t{M}, {G}\t4\n",
        "Vorname;Nachname;Menge\n{F};{L};1\n{G};{M};2\n",
        '"Item","Contact person"\n"Bolt","{F} {L}"\n"Nut","{M}, {G}"\n',
        "| Task | Owner |\n|---|---|\n| Paint | {F} |\n| Move | {G} |\n",
        "Site|Responsible\nHall|{L}\nYard|{M}\n",
        "Ansprechpartner\t{L}\nMenge\t3\n",
        "Name;Abteilung\n{L}, {F};Einkauf\n{M}, {G};Lager\n",
    ),
}
"""Place -> texts; F, G: first names, L, M: family names. Those with tabs or semicolons are attached."""
STAY = (
    "Viele Grüße\nDas Support-Team", "Best,\nYour IT team", "Hallo zusammen,", "Hi all,", "Dear customer,",
    "Liebe Kunden,", "Best regards\nSales Manager", "Mit freundlichen Grüßen\nEinkauf",
    "Thanks,\nCustomer Service", "Viele Grüße\nKöln", "Hi there,", "Hello everyone,", "Hallo Team,",
    "Dear colleagues,", "Liebe Kolleginnen und Kollegen,", "Viele Grüße aus Hamburg",
    "Cheers\nSent from my iPhone", "Thanks\nPlease see below", "Danke\nAnbei die Rechnung",
    "Danke, Angebot folgt", "Thanks, Monday works", "bitte an Buchhaltung weiterleiten",
    "bitte an Zentrallager weiterleiten", "Contact: Support", "Kontakt: Hotline",
    "Ansprechpartner: Werkstatt", "cc: Purchasing", "Best\nQuality Department",
    "Mit freundlichen Grüßen\nAbteilung Versand", "Thanks,\nLogistics", "Viele Grüße\nIhr Vertriebsteam",
    "Verantwortlich: Produktion", "Owner: Engineering", "Assigned to: Backlog", "Empfänger: Lager Nord",
    "Material;Menge;Lieferant\nSchraube;3;Eisenwerk\n", "Name,Qty\nHex Bolt,2\nWasher,4\n",
    "Name;Wert\nGewicht;3\nFarbe;4\n", "Part\tOwner\nBolt\tEngineering\nNut\tPurchasing\n",
    "Hallo Herr Direktor,", "Dear Hiring Manager,", "Dear Sir,", "Hallo miteinander,", "Moin Moin,",
    "Guten Tag,", "Status,", "Thanks for the quick reply", "Thanks, Great work", "Best\nAnlage: Rechnung",
    "Danke!\nTermin passt.", "Viele Grüße\n\nAnhang: Zeichnung", "ask Procurement about it",
    "please forward to Accounting", "Dear Santa,", "To whom it may concern,", "gez. Geschäftsleitung",
    "signed: Management Board", "approved by Finance", "received by Warehouse", "Hi Support,",
    "Hello World,", "Kind regards\nHead of Logistics", "Viele Grüße\nGeschäftsführer",
    "Der Monteur war da.", "Techniker Krankenkasse zahlt", "laut Rechnung fehlt etwas",
    "lt. Vertrag bis Juni",
    "Anlage B. Danach folgt C.", "Driver Update", "Engineer Manual", "Leiter Einkauf fehlt",
    "Fahrer fehlt heute", "according to Plan", "laut Lieferschein und Auftrag",
    "Der Meister Prüfung bestanden",
    "Monteur Handbuch", "the engineer Monday morning", "Variante A. Lieferzeit offen",
    "Danke\nBestellung folgt", "Mit freundlichen Grüßen\nWerksleitung", "Best regards,\nPlant Manager",
)  # fmt: skip
BEFORE, BEHIND = "please find it below, wir melden uns.\n\n", "\n\nwe have news for you and send the order."
_CONSONANTS, _VOWELS, _ENDS = "bdfgklmnprstvz", "aeiou", ("", "x", "rn", "lt", "sk")


class Case(NamedTuple):
    """One text with its names in place."""

    place: str
    text: str
    names: tuple[str, ...]


def cases(seed: int) -> list[Case]:
    """Returns every text under known and under coined first names, and those that name nobody."""
    stream = random.Random(seed)
    coined = iter(sorted(_coined(stream, 1_500), key=lambda _: stream.random()))
    known = iter(stream.sample([*pool("first_female_de"), *pool("first_male_en")], 400))
    found = []
    for place, texts in TEXTS.items():
        for text in texts:
            for listed in (True, False):
                names = {part: next(known if listed and part in "FG" else coined) for part in "FGLM"}
                used = tuple(name for part, name in names.items() if f"{{{part}}}" in text)
                kind = f"{place}, {'listed' if listed else 'coined'} first names"
                found.append(Case(kind, text.format(**names), used))
    return found + [Case("nobody", text, ()) for text in STAY]


def _coined(stream: random.Random, count: int) -> set[str]:
    found: set[str] = set()
    while len(found) < count:
        pairs = (stream.choice(_CONSONANTS) + stream.choice(_VOWELS) for _ in range(stream.choice((2, 3))))
        found.add(("".join(pairs) + stream.choice(_ENDS)).title())
    return found


def replaced(chosen: list[Case]) -> Iterator[str]:
    """Yields what the texts become on the whole road from a mailbox to clean tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        box = mailbox.mbox(folder / "mail.mbox")
        for number, case in enumerate(chosen):
            box.add(_mail(number, case))
        box.flush()
        (folder / "dataset.yaml").write_text(MANIFEST, encoding="utf-8")
        loaded = load_manifest(folder / "dataset.yaml")
        home = DatasetHome(folder / "home", "lone")
        ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
        pseudonymize_dataset(home, loaded, DatasetKey(b"l" * 32, "lone"), lambda *_: None)
        mails = pl.read_parquet(home.clean_pending / "messages.parquet")
        files = pl.read_parquet(home.clean_pending / "attachments.parquet")
        attached = dict(files.select("message_id", "text").iter_rows())
        texts: dict[str, str] = {}
        parts = ("body_own", "body_quoted", "body_signature")
        for row in mails.iter_rows(named=True):
            written = [*(row[part] or "" for part in parts), attached.get(row["message_id"]) or ""]
            texts[row["subject"]] = "\n".join(written)
        yield from (texts[f"s{number}"] for number in range(len(chosen)))


def _mail(number: int, case: Case) -> EmailMessage:
    mail = EmailMessage()
    mail["Message-ID"] = f"<m{number}@brightwater.com>"
    mail["From"], mail["To"] = "desk@brightwater.com", "info@oakbourne.com"
    mail["Subject"], mail["Date"] = f"s{number}", "Thu, 4 Jan 2024 10:00:00 +0000"
    if "\n" in case.text and any(sign in case.text for sign in "\t;|"):
        mail.set_content("see file")
        mail.add_attachment(case.text.encode(), maintype="text", subtype="csv", filename=f"list{number}.csv")
    else:
        greeted = case.place.startswith("greeting")
        mail.set_content(("" if greeted else BEFORE) + case.text + (BEHIND if greeted else ""))
    return mail


def main() -> None:
    """Prints a row per place."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    chosen = cases(arguments.seed)
    total, wrong = Counter[str](), Counter[str]()
    for case, clean in zip(chosen, replaced(chosen), strict=True):
        stays = case.text.replace("\n", "") in clean.replace("\n", "")
        failed = any(name in clean for name in case.names) if case.names else not stays
        total[case.place] += 1
        wrong[case.place] += failed
        if failed and arguments.show:
            print(f"{case.place}: {case.text!r} -> {clean[-80:]!r}")
    rows: list[tuple[str, ...]] = [
        (place, str(count), str(wrong[place]), f"{1 - wrong[place] / count:.3f}")
        for place, count in total.items()
    ]
    table(
        f"python -m benchmarks.lone_names --seed {arguments.seed}", ("place", "texts", "wrong", "right"), rows
    )


if __name__ == "__main__":
    main()
