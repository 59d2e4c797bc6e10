"""Full names that no column knows: replaced whole and alike, and ordinary words beside a name left alone."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.recognizers.full_names import NameWords, new_full_names, unknown_full_names
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest
from contracts.names import fold

KEY = DatasetKey(b"k" * 32, "test")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = Manifest(name="test", company=OWN, sources=[])
ORDINARY = "will you may i send the order best price attached please houston baker"


def evidence(*names: PersonName) -> Evidence:
    found = Evidence()
    people = [PersonName("John", "", "Kowalska"), PersonName("Oluwaseun", "", "Adeyemi"), *names]
    for name in people:
        found.persons[PersonMention((name,), (f"{name.first}.{name.last}@brightwater.com".lower(),))] += 1
    for _ in range(2):
        found.words.update(ORDINARY.split())
    return found


def kit(registry: Registry, key: DatasetKey = KEY) -> Kit:
    return Kit(Plan(key, MANIFEST, registry, Assignments()))


REGISTRY = build_registry(evidence(), OWN)
WORDS = NameWords.of(REGISTRY)


def names(line: str) -> list[str]:
    return [f"{line[start:end]}" for start, end, _ in unknown_full_names(line, WORDS)]


@pytest.mark.parametrize(
    ("line", "mention"),
    [
        ("ask John Lavoratti about it", "John Lavoratti"),
        ("JOHN LAVORATTI WROTE", "JOHN LAVORATTI"),
        ("Hi John Lavoratti, thanks", "John Lavoratti"),
        ("John Q. Lavoratti's desk", "John Q. Lavoratti"),
        ("cc John van Lavoratti", "John van Lavoratti"),
        ("Mary John Lavoratti", "Mary John Lavoratti"),
        ("Bob O'Hallorun called", "Bob O'Hallorun"),
        ("the draft of Jim McNulteny.", "Jim McNulteny"),
        ("John Garcia Lopez joins", "John Garcia Lopez"),
        ("Resume_John_Lavoratti_v2", "John_Lavoratti"),
        ("John.Lavoratti and others", "John.Lavoratti"),
        ("Oluwaseun Lavoratti, a first name from the registry", "Oluwaseun Lavoratti"),
        ("-John Lavoratti", "John Lavoratti"),
        ("From: Lavoratti, John", "Lavoratti, John"),
        ("Lavoratti, John Q.; Brennick, Mary", "Lavoratti, John Q."),
        ("by Thompson, John on Monday", "Thompson, John"),
        ("please ask John Baker.", "John Baker"),
    ],
)
def test_a_known_first_name_and_an_unexplained_word_are_one_name(line: str, mention: str) -> None:
    assert names(line)[0] == mention


@pytest.mark.parametrize(
    "line",
    [
        "Thanks John. Best",
        "Thanks John Best regards",
        "John Will you send it?",
        "Hi John Baker it well",
        "Thanks John Price.",
        "Monday John",
        "John Monday works",
        "John Jan 3 is fine",
        "John Manager of the desk",
        "Director John",
        "John FYI see below",
        "John PowerPoint attached",
        "Thanks, John",
        "Everyone, please ask Mary, John and Tom",
        "In Houston, John said so",
        "John, Mary and Tom",
        "John Mary",
        "john lavoratti",
        "Lavoratti spoke",
        "St. John's",
        "John's Lavoratti",
    ],
)
def test_sentence_starts_and_ordinary_words_are_not_eaten(line: str) -> None:
    assert names(line) == []


def discovered(*texts: str) -> Kit:
    found = new_full_names(texts, kit(REGISTRY).recognizers, REGISTRY)
    return kit(build_registry(evidence(), OWN, sorted(found)))


def clean(parts: Kit, text: str) -> str:
    context = Context(tuple(range(len(parts.registry.persons))), (), date(2024, 9, 3))
    return parts.detector.replace(text, context).text


def test_one_unknown_person_has_one_surrogate_in_every_form() -> None:
    parts = discovered("met John Lavoratti there", "and From: Lavoratti, John")
    names_of = [
        person for person in parts.registry.persons if any(n.last == "Lavoratti" for n in person.names)
    ]
    assert len(names_of) == 1
    name = parts.surrogates.persons[parts.registry.persons.index(names_of[0])].name
    known = parts.surrogates.persons[parts.registry.by_address["john.kowalska@brightwater.com"]].name
    assert clean(parts, "met John Lavoratti there") == f"met {name.first} {name.last} there"
    assert clean(parts, "Lavoratti, John") == f"{name.last}, {name.first}"
    assert clean(parts, "John_Lavoratti.pdf") == f"{name.first}_{name.last}.pdf"
    assert clean(parts, "John Kowalska") == f"{known.first} {known.last}"
    assert known != name


FAMILY = st.from_regex(
    r"[BDFGKLMNPRSTVZ][aeiou][bdgklmnprstvz]{1,2}[aeiou][bdgklnrstvz][ou]v", fullmatch=True
)


@settings(max_examples=25, deadline=None)
@given(
    FAMILY, st.sampled_from(["John", "Mary", "Oluwaseun", "JOHN"]), st.sampled_from(["{f} {l}", "{l}, {f}"])
)
def test_no_family_name_stays_beside_a_replaced_first_name(family: str, first: str, form: str) -> None:
    family = family.upper() if first.isupper() else family
    mention = form.format(f=first, l=family)
    new = clean(discovered(f"From: {mention}"), f"From: {mention}")
    assert fold(family) not in fold(new) and first not in new.split()
    assert re.fullmatch(r"From: [^\W\d_]+(?:-[^\W\d_]+)?,? [^\W\d_]+(?:-[^\W\d_]+)?", new)


@pytest.mark.parametrize("number", range(12))
def test_a_first_name_never_spells_a_registered_name_with_its_neighbour(number: int) -> None:
    """ "John" beside the word "May" becomes no registered "Eve May", whatever the key."""
    key = DatasetKey(bytes([number]) * 32, "test")
    plain = kit(REGISTRY, key)
    first = plain.surrogates.persons[plain.registry.by_address["john.kowalska@brightwater.com"]].name.first
    trap = PersonName(first, "", "May")
    parts = kit(build_registry(evidence(trap), OWN), key)
    person = parts.registry.by_address["john.kowalska@brightwater.com"]
    text = parts.detector.replace("Hi John May I ask?", Context((person,))).text
    real = {name.key for person in parts.registry.persons for name in person.names}
    assert " ".join(fold(text).split()[1:3]) not in real and "John" not in text
