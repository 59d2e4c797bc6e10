"""What the scan of outputs looks for: every registered real form, as letters and digits only.

Belongs here: the scan's own renderings of names, numbers and ids, straight from the registry; cities that
name a time zone stay in clean texts and are no forms. Nothing here is shared with replacement: no pattern,
no rule where a word ends, no word learned from an archive. Does not belong here: searching (`output_search`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from anonymize.coincidences import Shape, id_shape
from anonymize.constants import bare, listed, words
from anonymize.registry import Registry, shared_names
from contracts.names import fold

SHORTEST = 7
"""Letters and digits of a form that is telling wherever it stands; shorter ones occur by chance."""
FEWEST_DIGITS = 4
"""Digits of an id: words with a number behind them are none."""
_SPELT = {
    "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE", "œ": "oe",
    "Œ": "OE",
}  # fmt: skip
_UNPARTED = re.compile(f"[{''.join(_SPELT)}]")
"""Letters that no decomposition takes apart."""
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa"})
_ONE_DIGIT_COUNTRIES = ("1", "7")
_TWO_DIGIT_COUNTRIES = frozenset(
    str(code)
    for codes in ((20, 27, 30), range(31, 35), (36, 39, 40, 41), range(43, 50), range(51, 59), range(60, 67))
    for code in codes
) | {"81", "82", "84", "86", *map(str, range(90, 96)), "98"}
_UNSPACED = ("login", "domain", "address")
"""Kinds of form that are not theirs any more with a space inside: "sig-node" is not "SIG node"."""
_NEVER_ORDINARY = ("person", "address", "street", "domain")


class Form(NamedTuple):
    """What one search text stands for."""

    kind: str
    is_number: bool
    """Digits with little between them, not letters."""
    prefixes: tuple[str, ...] = ()
    """Of a phone number: the digits that may stand before its national part."""
    joints: frozenset[int] | None = None
    """Where its words join; a space between other letters parts it. None where spaces part nothing."""
    is_ordinary: bool = False
    """Made of everyday words alone: a find says nothing by itself."""
    shape: Shape | None = None
    """Of an id: how many others there can be."""


def plain(text: str) -> str:
    """Returns text with the same letters and digits, without marks and without characters that show nothing.

    Case and everything between the words stay.
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", _UNPARTED.sub(lambda match: _SPELT[match[0]], text))
    unseen = sorted(char for char in set(parted) if not char.isascii() and _is_unseen(char))
    return re.sub(f"[{''.join(unseen)}]+", "", parted) if unseen else parted


@lru_cache(maxsize=4096)
def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me", "Cf") or char == "\u034f"


def plain_places(text: str) -> Sequence[int]:
    """Returns where in a text each character of its plain form stands, in the case that changes no size."""
    if text.isascii():
        return range(len(text))
    seen = plain(text)
    lowered = len(seen.lower()) != len(seen)
    return [at for at, char in enumerate(text) for _ in (plain(char).lower() if lowered else plain(char))]


def pressed(text: str) -> str:
    """Returns the letters and digits of a text in lower case, nothing between them."""
    return "".join(char for char in plain(text).lower() if char.isalnum())


def searched_forms(registry: Registry) -> dict[str, Form]:
    """Returns search text -> what it is for all forms of a registry that are telling wherever they stand."""
    found: dict[str, Form] = {}
    for person in registry.persons:
        for name in person.names:
            _add(found, _orders(name.first, name.middle, name.last), "person")
        _add(found, person.addresses, "address")
        _add(found, person.logins, "login")
    shared = shared_names(registry)
    for company in registry.companies:
        _add(found, (name.core for name in company.names if fold(name.core) not in shared), "company")
        _add(found, company.domains, "domain")
    _add(found, registry.streets, "street")
    _add(found, (city for city in registry.cities if bare(city) not in listed("zone_cities")), "city")
    for value in registry.identifiers:
        for text in {pressed(value), pressed(value).lstrip("0")}:
            if _is_telling_id(text):
                shape = id_shape(value)
                found.setdefault(text, Form("identifier", is_number=text.isdigit(), shape=shape))
    for value in registry.phones:
        _add_phone(found, value)
    return found


def _orders(first: str, middle: str, last: str) -> Iterator[str]:
    """Yields a name in the orders in which names are written; an initial needs the family name before it."""
    if len(pressed(first)) < 2 or len(pressed(last)) < 2:
        return
    yield f"{first} {last}"
    yield f"{last} {first}"
    if middle:
        yield f"{first} {middle} {last}"
        yield f"{last} {first} {middle}"


def _add(found: dict[str, Form], texts: Iterable[str], kind: str) -> None:
    for text in texts:
        for written in {text, text.translate(_WRITTEN_OUT)}:
            form = pressed(written)
            if len(form) >= SHORTEST:
                old = found.get(form)
                own = frozenset() if kind in _UNSPACED else _joints(written)
                joints = own | ((old.joints if old is not None else None) or frozenset())
                plainly = kind not in _NEVER_ORDINARY and set(words(written)) <= _everyday()
                ordinary = plainly and (old is None or old.is_ordinary)
                held = old.kind if old is not None else kind
                found[form] = Form(held, form.isdigit(), joints=joints, is_ordinary=ordinary)


@cache
def _everyday() -> frozenset[str]:
    """Returns the frozen words that name nobody: none was learned from an archive."""
    return listed("common_words") | listed("ordinary_words")


def _joints(written: str) -> frozenset[int]:
    found, size = set(), 0
    for char in plain(written):
        if char.isalnum():
            size += len(char.lower())
        else:
            found.add(size)
    return frozenset(found)


def _add_phone(found: dict[str, Form], value: str) -> None:
    digits = "".join(char for char in value if char.isdigit())
    country = _country(digits) if value.startswith("+") else ""
    national = digits.removeprefix(country).lstrip("0")
    if len(national) >= SHORTEST:
        before = ("", "0", country, f"{country}0", f"00{country}", f"00{country}0", f"011{country}")
        old = found.get(national)
        more = old.prefixes if old is not None and old.kind == "phone" else ()
        found[national] = Form("phone", is_number=True, prefixes=tuple(dict.fromkeys((*more, *before))))


def _country(digits: str) -> str:
    if digits[:1] in _ONE_DIGIT_COUNTRIES:
        return digits[:1]
    return digits[:2] if digits[:2] in _TWO_DIGIT_COUNTRIES else digits[:3]


def _is_telling_id(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    return len(text) >= SHORTEST and digits >= FEWEST_DIGITS and not _is_day(text)


def _is_day(text: str) -> bool:
    """Says whether eight digits read as a day of our times, which a moved date may be."""
    return (
        len(text) == 8
        and text.isdigit()
        and text[:2] in ("19", "20")
        and 1 <= int(text[4:6]) <= 12
        and 1 <= int(text[6:]) <= 31
    )
