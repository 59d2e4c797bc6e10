"""Initials by which a text speaks of somebody, or by which somebody signs: nobody's real ones stay."""

from __future__ import annotations

import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.prefilter import Prefilter
from anonymize.recognizers.spoken_initials import SpokenInitialsRecognizer
from anonymize.resolution import build_registry
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
PEOPLE = {
    "kaspar": PersonName("Kaspar", "", "Tolver"),
    "jolanda": PersonName("Jolanda", "", "Sprenger"),
    "jonas": PersonName("Jonas", "", "Sprock"),
    "mara": PersonName("Mara", "Ute", "Vogt"),
}


def make_kit() -> Kit:
    evidence = Evidence()
    for local, name in PEOPLE.items():
        evidence.persons[PersonMention((name,), (f"{local}@brightwater.com",))] += 1
    registry = build_registry(evidence, OWN)
    manifest = Manifest(name="initials", company=OWN, sources=[])
    return Kit(Plan(DatasetKey(b"s" * 32, "spoken"), manifest, registry, Assignments()))


KIT = make_kit()


def index(local: str) -> int:
    return KIT.registry.by_address[f"{local}@brightwater.com"]


def letters(local: str, size: int = 2) -> str:
    first, middle, last = KIT.surrogates.persons[index(local)].name
    return {1: first[0], 2: first[0] + last[0], 3: first[0] + middle[0] + last[0]}[size]


def clean(text: str, *scope: str) -> str:
    return KIT.detector.replace(text, Context(tuple(map(index, scope)))).text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("wie mit K.T. besprochen", "K.T."),
        ("Wie mit KT abgestimmt, kommt es später.", "KT"),
        ("das ist laut K. T. so", "K. T."),
        ("I spoke to K.T. about it", "K.T."),
        ("as agreed with KT", "KT"),
        ("please ask KT", "KT"),
        ("freigegeben von KT", "KT"),
        ("approved by KT", "KT"),
        ("K.T. said it is fine", "K.T."),
        ("the order is done, per KT.", "KT"),
        ("Rücksprache mit MUV", "MUV"),
    ],
)
def test_initials_of_one_person_of_the_archive_become_the_surrogates(text: str, written: str) -> None:
    bare = written.replace(".", "").replace(" ", "")
    new = letters("kaspar" if bare == "KT" else "mara", len(bare))
    rest = iter(new)
    assert clean(text) == text.replace(written, "".join(next(rest) if c.isalpha() else c for c in written))


def test_of_several_those_in_scope_are_meant() -> None:
    assert clean("per JS", "jonas") == f"per {letters('jonas')}"
    assert clean("per JS", "jolanda") == f"per {letters('jolanda')}"


@pytest.mark.parametrize("text", ["per {}.", "wie mit {} besprochen", "lt. {}"])
@pytest.mark.parametrize("initials", ["JS", "J.S.", "Q.X."])
def test_undecided_ones_become_other_letters_and_the_same_ones_everywhere(text: str, initials: str) -> None:
    new = clean(text.format(initials))
    changed = KIT.identifiers.prefix(initials.replace(".", ""))
    assert changed in new.replace(".", "") and initials not in new


@pytest.mark.parametrize(
    "closing", ["LG, {}", "Thanks,\n{}", "Viele Grüße\n{}", "Bis morgen!\n\n{}", "Best, {}"]
)
@pytest.mark.parametrize("initials", ["M.", "MV", "M. V."])
def test_who_signs_with_initials_is_the_one_in_scope(closing: str, initials: str) -> None:
    new = iter(letters("mara", sum(char.isalpha() for char in initials)))
    expected = "".join(next(new) if char.isalpha() else char for char in initials)
    assert clean("It is done.\n\n" + closing.format(initials), "kaspar", "mara").endswith(expected)


@pytest.mark.parametrize("closing", ["LG, M.", "Thanks,\nM", "Viele Grüße\nK.T."])
def test_who_signs_and_is_not_in_scope_leaves_no_letter(closing: str) -> None:
    assert clean(closing)[-2:] != closing[-2:]


@pytest.mark.parametrize(
    "text",
    [
        "The JS and the KT are here.",
        "bitte per PDF.",
        "with IT besprochen",
        "it comes from the U.S. and by DHL",
        "Thanks,\nIT",
        "KW 14 is fine",
        "wie im EU-Recht",
        "via UPS, by AB",
        "in kW gemessen",
        "by P.S. it is",
    ],
)
def test_other_capitals_stay(text: str) -> None:
    assert clean(text) == text


def test_its_signs_stand_wherever_it_finds_anything() -> None:
    recognizer = next(one for one in KIT.recognizers if isinstance(one, SpokenInitialsRecognizer))
    labels = ["Kürzel", "Kzl.", "Initialen:", "KST:", "Vertretung:", "freigegeben:", "geprüft", "erledigt",
              "released by", "signed", "gez.", "i.V.", "Sachbearbeiter:"]  # fmt: skip
    texts = [*(f"{label} KT" for label in labels), "KT ok", "KT einverstanden", "KT prüft", "KT approved"]
    texts += ["wie mit K.T. besprochen", "LG, M.", "Thanks,\nM", "K.T.", "KT", "approved by KT", "per JS"]
    scope = Context(tuple(range(len(KIT.registry.persons))))
    assert all(recognizer.find(text, scope) for text in texts)
    assert all(Prefilter([recognizer.signs()]).masks(texts))
