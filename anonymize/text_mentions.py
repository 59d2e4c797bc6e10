"""Text mentions: what a passage of text says about persons, addresses, streets, numbers and plain words.

Belongs here: reading one passage, whatever text it stands in. Does not belong here: typed cells, and what
many texts say together (`evidence`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from anonymize.forms import PersonName, parse_couple, parse_person, words_of
from anonymize.obfuscated import SPELT, spelt_addresses
from anonymize.phones import ANNOUNCED, CANDIDATE, e164, number_key
from anonymize.prefilter import Prefilter
from anonymize.recognizers.postal import GERMAN_STREET
from anonymize.words import first_names, word_set
from contracts.names import addresses_in, fold

LOTUS = re.compile(
    r"(?<![\w/])([A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3})/(?:(?:[A-Za-z&_]+/)+[A-Za-z_]+@[A-Za-z]|"
    r"[A-Z][A-Z_]*@[A-Z][A-Z_]*(?![\w-]*\.?\w))"
)
"""Notes names: "Jane M Doe/HOU/ECT@ECT", "Jane M Doe/NA_EAST@NA_EAST"; "Call Desk/HELP@ACME.COM" is none."""
_NAMED_ADDRESS = re.compile(
    r"(?<![\w@/.])\"?([^\W\d_][^\"<>@\n\r:;\[\]()]{2,50}?)\"?\s*[<\[](?:mailto:)?([\w.%+'-]+@[\w.-]+\w)[>\]]"
)
EMAIL = re.compile(r"(?<![\w/.%+-])[\w%+][\w.%+'!#$&*^~{}|-]*@[^\W_](?:[\w-]*[^\W_])?(?:\.[\w-]*[^\W_])*")
_NAME_TAIL = re.compile(r"\d+|\b(?:AM|PM|am|pm|Uhr|wrote|schrieb|From|To|Cc|um)\b")
"""What stands before a name on the same line: the time of a quoted mail's date."""
STREET_IN_TEXT = re.compile(
    r"(?<![\w.])\d{1,5}[a-z]? (?:[A-Z][\w.'-]+ ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Boulevard|Blvd|Way|Place|"
    r"Square|Terrace|Parkway|Quay)\b"
    r"(?:, (?P<city>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)?)(?=[,\n]|$))?",
)
_LOWER_WORD = re.compile(r"(?<![\w@./-])[a-zà-ÿ]{2,}(?![\w@/]|\.\w)")
_ARTICLES = frozenset({"the", "of", "and", "for", "your", "our"})
_SPELT, _STREET, _GERMAN_STREET, _NUMBER, _ANNOUNCED = (1 << place for place in range(5))
_PREFILTER = Prefilter([(SPELT,), (STREET_IN_TEXT,), (GERMAN_STREET,), (CANDIDATE,), (ANNOUNCED,)])
EVERY = _SPELT | _STREET | _GERMAN_STREET | _NUMBER | _ANNOUNCED
"""All searches of a passage, as bits."""
MOST_READ = 131_072
"""Passages that are remembered: mails quote each other, and end alike."""


class AddressMention(NamedTuple):
    """A mail address in text, with the name that stood before it."""

    address: str
    name: PersonName | None = None


class TextMentions(NamedTuple):
    """What a passage says, each mention as often as it stands there."""

    addresses: tuple[AddressMention, ...] = ()
    persons: tuple[PersonName, ...] = ()
    """Named in an address of a couple or of Notes."""
    streets: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    numbers: tuple[tuple[str, str | None], ...] = ()
    """Phone numbers as written, and their keys."""
    words: tuple[str, ...] = ()
    """Words in small letters, each once."""


def searches_of(passages: Sequence[str]) -> list[int]:
    """Returns for every passage which searches could find anything in it."""
    return _PREFILTER.masks(passages)


@lru_cache(maxsize=MOST_READ)
def mentions_of(passage: str, *, prose: bool, searches: int = EVERY) -> TextMentions:
    """Returns what a passage of prose says, or one of headers and file names, which have addresses only.

    Searches that could find nothing in it may be left out.
    """
    addresses: list[AddressMention] = []
    persons: list[PersonName] = []
    if "@" in passage:
        for address, name in _addresses(passage, prose=prose):
            persons += parse_couple(name)
            parsed = parse_person(name)
            usable = parsed is not None and bool(parsed.last) and looks_personal(parsed)
            addresses.append(AddressMention(address, parsed if usable else None))
        lotus = (parse_person(name) for name in LOTUS.findall(passage))
        persons += [name for name in lotus if name is not None and name.last]
    if searches & _SPELT:
        addresses += [AddressMention(spelt.address) for spelt in spelt_addresses(passage)]
    if not prose:
        return TextMentions(tuple(addresses), tuple(persons))
    streets, cities = [], []
    for match in STREET_IN_TEXT.finditer(passage) if searches & _STREET else ():
        city = match["city"]
        streets.append(match.group().split(",")[0] if city else match.group())
        if city and fold(city) not in word_set("common_words"):
            cities.append(city)
    if searches & _GERMAN_STREET:
        streets += [match.group() for match in GERMAN_STREET.finditer(passage)]
    candidates = CANDIDATE.findall(passage) if searches & _NUMBER else ()
    numbers = [(written, e164(written)) for written in candidates]
    announced = (match["number"] for match in (ANNOUNCED.finditer(passage) if searches & _ANNOUNCED else ()))
    numbers += [(written, number_key(written)) for written in announced]
    words = tuple(map(sys.intern, dict.fromkeys(_LOWER_WORD.findall(passage))))
    return TextMentions(
        tuple(addresses), tuple(persons), tuple(streets), tuple(cities), tuple(numbers), words
    )


def _addresses(passage: str, *, prose: bool) -> Iterator[tuple[str, str]]:
    """Yields the addresses of a passage with what is written before each as its name."""
    named = {address.lower(): _NAME_TAIL.split(name)[-1] for name, address in _NAMED_ADDRESS.findall(passage)}
    for address in EMAIL.findall(passage) if prose else addresses_in(passage):
        small = address.lower()
        if not prose or "." in small.partition("@")[2]:  # "x@ECT" is none in prose; headers have inner ones
            yield small, named.get(small, "")


def looks_personal(name: PersonName) -> bool:
    """Says whether a display name names a person rather than a team or a newsletter."""
    words = words_of(f"{name.first} {name.middle} {name.last}")
    if not name.last or any(word in word_set("roles") or word in _ARTICLES for word in words):
        return False
    common = word_set("common_words")
    return (words_of(name.first)[:1] and words_of(name.first)[0] in first_names()) or not any(
        w in common for w in words
    )
