"""Tombstones: an erased person is recognised in every form, nobody else is, and marks tell nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.evidence import Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.persons import own_numbers
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.tombstones import BLOT, Mention, Tombstones, value_key
from anonymize.written_days import day_of
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
KEY = b"k" * 32
ADA, ADA_MAIL, ADA_LOGIN = (
    PersonName("Ada", "", "Vandermeer"),
    "ada.vandermeer@brightwater.com",
    "avandermeer",
)
TWIN_MAIL = "mark.lee@brightwater.com"


def registry() -> Registry:
    evidence = Evidence()
    mentions = [
        PersonMention((ADA,), (ADA_MAIL,), (ADA_LOGIN,), keys=("crm.contacts.id|C-20001",)),
        PersonMention((PersonName("Mark", "", "Lee"),), (TWIN_MAIL,)),
        PersonMention((PersonName("Mark", "", "Lee"),), ("mark.lee@vertexvalves.com",)),
        PersonMention((PersonName("Olga", "", "Vandermeerson"),), ("olga@brightwater.com",)),
    ]
    for mention in mentions:
        evidence.persons[mention] += 1
        for address in mention.addresses:
            evidence.add_address(address)
    return build_registry(evidence, OWN)


REGISTRY = registry()


def stones(address: str, *phones: str) -> Tombstones:
    person = REGISTRY.persons[REGISTRY.by_address[address]]
    return Tombstones(KEY, Tombstones(KEY).of_person(person, REGISTRY, phones))


ERASED = stones(ADA_MAIL, "+15085550147")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ask Ada Vandermeer now", "ask # now"),
        ("ask ADA VANDERMEER now", "ask # now"),
        ("ask Ada M. Vandermeer now", "ask # now"),
        ("Vandermeer, Ada: yes", "#: yes"),
        ("Mrs. Vandermeer called", "Mrs. # called"),
        ("Vandermeer's order", "#'s order"),
        ("Vandermeers Auftrag", "# Auftrag"),
        ("Ada Vandermeers Auftrag", "# Auftrag"),
        (f"to <{ADA_MAIL}>, please", "to <#>, please"),
        (f"to {ADA_MAIL.upper()}.", "to #."),
        (f"login {ADA_LOGIN}, reset", "login #, reset"),
        (f"mail/{ADA_LOGIN}.mbox", "mail/#.mbox"),
        (f"mail/{ADA_LOGIN}_2024-05.mbox.gz", "mail/#_2024-05.mbox.gz"),
        (f"old-{ADA_LOGIN}-sent.mbox", "old-#-sent.mbox"),
        (f"home/{ADA_LOGIN}/inbox", "home/#/inbox"),
        ("see AdaVandermeer.pdf", "see #.pdf"),
        ("vandermeerada2024.docx", "#2024.docx"),
        ("mail/ada.vandermeer.mbox", "mail/#.mbox"),
        ("mail/ada-vandermeer.old.mbox", "mail/#.old.mbox"),
        ("call 508-555-0147 or (508) 555-0147", "call # or #"),
        ("Ada\nVandermeer", "#"),
    ],
)
def test_every_form_is_blotted_out_at_its_length(text: str, left: str) -> None:
    cleared = ERASED.blotted(text)
    assert len(cleared) == len(text)
    shown = cleared
    while BLOT * 2 in shown:
        shown = shown.replace(BLOT * 2, BLOT)
    assert shown == left.replace("#", BLOT)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Philippa earns 45340", "# earns 45340"),
        ("PHILIPPA earns 45340", "# earns 45340"),
        ("philippa earns 45340", "philippa earns 45340"),
        ("Robert earns 45340", "Robert earns 45340"),
    ],
)
def test_a_first_name_of_nobody_else_is_blotted_wherever_it_stands(text: str, left: str) -> None:
    evidence = Evidence()
    for name in (("Philippa", "Umunna"), ("Robert", "Strang"), ("Robert", "Marklund")):
        evidence.persons[
            PersonMention((PersonName(name[0], "", name[1]),), (f"{name[1]}@x.com".lower(),))
        ] += 1
    registry = build_registry(evidence, OWN)
    theirs = ("umunna@x.com", "strang@x.com")
    erased = [registry.persons[registry.by_address[address]] for address in theirs]
    stones = Tombstones(KEY)
    marks = {mark for person in erased for mark in stones.of_person(person, registry, ())}
    cleared = Tombstones(KEY, marks).blotted(text)
    assert cleared == left.replace("#", BLOT * len("Philippa"))


@pytest.mark.parametrize(
    "text", ["ask Jörg Überweg", "ask Joerg Ueberweg", "UEBERWEG, JOERG", "JoergUeberweg.pdf"]
)
def test_umlauts_that_are_written_out_are_the_same_name(text: str) -> None:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Jörg", "", "Überweg"),), ("ju@brightwater.com",))] += 1
    registry = build_registry(evidence, OWN)
    erased = Tombstones(KEY, Tombstones(KEY).of_person(registry.persons[0], registry, ()))
    left = erased.blotted(text)
    assert len(left) == len(text) and "weg" not in left.lower() and "rg" not in left.lower()


@pytest.mark.parametrize(
    "text",
    [
        "Ada is a language",
        "Olga Vandermeerson wrote",
        "olga@brightwater.com",
        "call 508-555-0148",
        "vandermeerschaum",
        "avandermeer2",
        "old.avandermeer@vertexvalves.com",
        "mark the lee side",
    ],
)
def test_nothing_else_is_touched(text: str) -> None:
    assert ERASED.blotted(text) == text


def test_beside_cells_of_theirs_the_first_name_counts_alone() -> None:
    assert ERASED.blotted("Hi Ada,\nada is fine", near=True) == f"Hi {BLOT * 3},\nada is fine"


def test_a_genitive_is_blotted_unless_it_is_the_name_of_another() -> None:
    assert ERASED.blotted("Adas Notebook, adas", near=True) == f"{BLOT * 4} Notebook, adas"
    evidence = Evidence()
    for first, last in (("Udo", "Petter"), ("Ada", "Petters"), ("Jan", "Karstov"), ("Jans", "Mollwitz")):
        evidence.persons[PersonMention((PersonName(first, "", last),), (f"{last}@x.com".lower(),))] += 1
    registry = build_registry(evidence, OWN)
    for address, text in (("petter@x.com", "Petters Auftrag"), ("karstov@x.com", "Jans Auftrag")):
        person = registry.persons[registry.by_address[address]]
        erased = Tombstones(KEY, Tombstones(KEY).of_person(person, registry, ()))
        assert erased.blotted(text, near=True) == text


def test_a_name_that_others_bear_is_theirs_only_near_them() -> None:
    erased = stones(TWIN_MAIL)
    assert not erased.names("Mark Lee") and not erased.names("mark.lee@vertexvalves.com")
    assert erased.names(f"Mark Lee <{TWIN_MAIL}>")
    assert erased.blotted("ask Mark Lee") == "ask Mark Lee"
    assert "Lee" not in erased.blotted("ask Mark Lee", near=True)


@pytest.mark.parametrize(
    ("cell", "named"),
    [
        ("Ada Vandermeer", True),
        ("Vandermeer, Ada", True),
        (f"Ada <{ADA_MAIL}>", True),
        (ADA_MAIL.upper(), True),
        (ADA_LOGIN, True),
        ("Ada", False),
        ("Olga Vandermeerson", False),
        ("", False),
    ],
)
def test_typed_cells_name_them(cell: str, named: bool) -> None:
    assert ERASED.names(cell) is named
    assert (ERASED.typed(cell) is None) is named


@pytest.mark.parametrize(
    ("anchor", "theirs"),
    [
        (f"mail:{ADA_MAIL}", True),
        (f"login:{ADA_LOGIN}", True),
        ("key:crm.contacts.id|C-20001", True),
        ("name:ada vandermeer", True),
        ("mail:olga@brightwater.com", False),
        ("name:ada", False),
        ("company:name:ada vandermeer", False),
    ],
)
def test_anchors_of_the_vault_are_theirs(anchor: str, theirs: bool) -> None:
    assert ERASED.anchors(anchor) is theirs


def test_marks_tell_nothing_and_other_keys_have_others() -> None:
    other = Tombstones(b"o" * 32)
    person = REGISTRY.persons[REGISTRY.by_address[ADA_MAIL]]
    assert not ERASED.marks & other.of_person(person, REGISTRY, ("+15085550147",))
    assert all(set(mark) <= set("0123456789abcdef") and len(mark) == 32 for mark in ERASED.marks)
    assert not Tombstones(b"o" * 32, ERASED.marks).names("Ada Vandermeer")


@given(st.text(max_size=80))
def test_any_text_keeps_its_length_and_without_tombstones_itself(text: str) -> None:
    assert len(ERASED.blotted(text, near=True)) == len(text)
    assert Tombstones(KEY).blotted(text, near=True) == text


def test_marked_cells_lose_their_spans_and_no_other_cell_does() -> None:
    text = "ask Pat or Pat"
    found = Mention("records-crm-staff", "remark", text, ((4, 7),))
    stones = Tombstones(KEY, Tombstones(KEY).of_mentions([found]))
    assert stones.cleared("records-crm-staff|remark", text) == f"ask {BLOT * 3} or Pat"
    assert stones.cleared("records-crm-staff|title", text) == text
    assert stones.cleared("records-crm-staff|remark", "ask Pat") == "ask Pat"
    assert all("Pat" not in mark for mark in stones.marks)


def test_a_text_that_means_others_in_other_rows_is_cleared_in_its_rows_only() -> None:
    found = Mention("records-crm-staff", "who", "Pat", ((0, 3),), "r-1")
    stones = Tombstones(KEY, Tombstones(KEY).of_mentions([found]))
    assert stones.told_apart("records-crm-staff|who", "Pat")
    assert stones.cleared("records-crm-staff|who", "Pat", typed=True) == "Pat"
    assert stones.cleared("records-crm-staff|who", "Pat", "r-1", typed=True) is None
    assert stones.cleared("records-crm-staff|who", "Pat", "r-2", typed=True) == "Pat"


@pytest.mark.parametrize(
    ("text", "near", "left"),
    [
        ("paid 45340 to all", False, "paid 45340 to all"),
        ("Mrs. Vandermeer earns 45340.", False, f"Mrs. {BLOT * 10} earns {BLOT * 5}."),
        ("earns 45340,00 now", True, f"earns {BLOT * 8} now"),
        ("to DE02120300000000202051", False, f"to {BLOT * 22}"),
        ("to DE02 1203 0000 0000 2020 51, thanks", False, f"to {BLOT * 27}, thanks"),
        ("born 1967-04-06", True, f"born {BLOT * 10}"),
        ("earns 45341", True, "earns 45341"),
    ],
)
def test_values_of_own_rows_go_beside_a_mention_and_long_ones_everywhere(
    text: str, near: bool, left: str
) -> None:
    values = Tombstones(KEY).of_values(["45340.00", "1967-04-06", "DE02120300000000202051", "7"])
    assert Tombstones(KEY, ERASED.marks | values).blotted(text, near=near) == left
    assert value_key("7") == "7" and len(values) == 3


@pytest.mark.parametrize(
    "written",
    [
        "1987-05-17",
        "1987/05/17",
        "19870517",
        "17051987",
        "17.05.1987",
        "17. 05. 1987",
        "17.5.1987",
        "17.5.87",
        "17.05.87",
        "17/05/1987",
        "5/17/1987",
        "05-17-87",
        "17. Mai 1987",
        "17 Mai 1987",
        "17. Mai '87",
        "17-May-87",
        "17th of May 1987",
        "May 17, 1987",
        "May 17th 1987",
        "17 mai 1987",
        "17.05.",
        "17. Mai",
        "May 17th",
    ],
)
def test_days_of_own_rows_go_beside_a_mention_in_every_written_form(written: str) -> None:
    days = Tombstones(KEY, ERASED.marks | Tombstones(KEY).of_values(["1987-05-17", "--05-17"]))
    assert days.blotted(f"Ada Vandermeer am {written} Feier") == f"{BLOT * 14} am {BLOT * len(written)} Feier"
    assert days.blotted(f"am {written} Feier", near=True) == f"am {BLOT * len(written)} Feier"
    assert days.blotted(f"am {written} Feier") == f"am {written} Feier"


@pytest.mark.parametrize(
    "written",
    ["18.05.1987", "17.05.2024", "17. Mai 2024", "1987", "Mai 1987", "17.05.198", "0517", "17 Stück", "17.0"],
)
def test_other_days_and_numbers_stay(written: str) -> None:
    days = Tombstones(KEY, ERASED.marks | Tombstones(KEY).of_values(["1987-05-17", "--05-17"]))
    assert days.blotted(f"am {written} Feier", near=True) == f"am {written} Feier"


@pytest.mark.parametrize(
    ("cell", "form", "day"),
    [
        ("17.05.1987", "%d.%m.%Y", ("1987-05-17", "--05-17")),
        ("5/17/87", "%m/%d/%y", ("1987-05-17", "--05-17")),
        ("1987-05-17", None, ("1987-05-17", "--05-17")),
        ("1987-05-17 00:00:00", None, ("1987-05-17", "--05-17")),
        ("1987-05-17 11:20:00", None, None),
        ("unknown", None, None),
    ],
)
def test_the_day_of_a_cell_is_read_by_the_form_of_its_column(
    cell: str, form: str | None, day: tuple[str, str] | None
) -> None:
    assert day_of(cell, form) == day


@pytest.mark.parametrize("word", ["am ", "of ", "von ", "by ", "ist "])
def test_a_short_word_in_front_is_no_part_of_a_value(word: str) -> None:
    erased = Tombstones(KEY, Tombstones(KEY).of_values(["45340.00", "UK-20777"]))
    assert erased.blotted(f"{word}45340", near=True) == word + BLOT * 5
    assert erased.blotted(f"{word}UK 20777", near=True) == word + BLOT * 8


@pytest.mark.parametrize(
    "written",
    [
        "+49 7031 558 214",
        "07031/558214",
        "07031 558214",
        "(07031) 558 214",
        "07031-55 82 14",
        "0049 7031 558214",
        "+49 (0)7031 558214",
        "7031 558214",
        "07031558214",
    ],
)
def test_a_number_goes_in_every_national_and_international_spelling(written: str) -> None:
    erased = stones(ADA_MAIL, "+497031558214")
    assert erased.is_phone(written)
    left = erased.blotted(f"Tel. {written}, bitte")
    assert not any(char.isdigit() for char in left) and left.startswith("Tel. ")
    for other in ("07031/558215", "4607031/558214", "558214", "07031/5582140"):
        assert erased.blotted(f"Tel. {other}, bitte") == f"Tel. {other}, bitte"


@pytest.mark.parametrize(
    ("mine", "others", "left"),
    [
        ("+49 7031 558 214", ["+49 7031 558 215"], {"+497031558214"}),
        ("+49 7031 558 214", ["07031/558214"], set()),
        ("+49 7031 558 214", ["0049 7031 558214"], set()),
        ("07031 / 558 214", ["+49 7031 558214"], set()),
        ("07031 / 558 214", ["07031 558215"], {"+447031558214", "7031558214"}),
        ("5582", [], {"5582"}),
        ("", ["07031 558215"], set()),
    ],
)
def test_a_number_that_others_have_in_any_spelling_is_not_theirs(
    mine: str, others: list[str], left: set[str]
) -> None:
    assert own_numbers([mine], others) == left
