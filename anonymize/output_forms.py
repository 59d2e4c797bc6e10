"""What the scan of outputs looks for: every registered real form, as letters and digits only.

Belongs here: the scan's own renderings of names, numbers and ids, straight from the registry, and what proves
that an equal surrogate was assigned. Nothing here is shared with replacement: no pattern, no rule where a
word ends, no word learned from an archive. Does not belong here: searching (`output_search`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import polars as pl

from anonymize.assignments import Assignments
from anonymize.constants import bare, listed, words
from anonymize.registry import Registry
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

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
_NEVER_ORDINARY = ("person", "address", "street", "domain")
_NUMBERED = (ColumnKind.ID, ColumnKind.PHONE, ColumnKind.POSTCODE, ColumnKind.URL)


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


@dataclass(frozen=True)
class RealForms:
    """Search text -> what it is, and the search texts that replacement has assigned or written as well."""

    forms: dict[str, Form]
    assigned: frozenset[str]


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


def pressed(text: str) -> str:
    """Returns the letters and digits of a text in lower case, nothing between them."""
    return "".join(char for char in plain(text).lower() if char.isalnum())


def searched_forms(registry: Registry, assigned: Iterable[str] = ()) -> RealForms:
    """Returns all forms of a registry that are telling wherever they stand.

    Args:
        registry: the real persons, companies, places and numbers.
        assigned: surrogates, written in any way (see `assigned_forms`).
    """
    found: dict[str, Form] = {}
    for person in registry.persons:
        for name in person.names:
            _add(found, _orders(name.first, name.middle, name.last), "person")
        _add(found, person.addresses, "address")
        _add(found, person.logins, "login")
    for company in registry.companies:
        _add(found, (name.core for name in company.names), "company")
        _add(found, company.domains, "domain")
    _add(found, registry.streets, "street")
    _add(found, registry.cities, "city")
    for value in registry.identifiers:
        for text in {pressed(value), pressed(value).lstrip("0")}:
            if _is_telling_id(text):
                found.setdefault(text, Form("identifier", is_number=text.isdigit()))
    for value in registry.phones:
        _add_phone(found, value)
    return RealForms(found, frozenset(filter(None, map(pressed, assigned))))


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
                joints = _joints(written) | ((old.joints if old is not None else None) or frozenset())
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


FIXED_BY_CHANCE = 3
"""A permutation of numbers leaves so many of a column where they are; whether more stay is judged apart."""
FEWEST_MOVED = 50
"""Values of a column that move for each one that stays."""


def assigned_forms(
    kept: Assignments, raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]
) -> set[str]:
    """Returns every surrogate that may equal another real form: of the vault, and of numbered columns.

    A cell proves an assignment where its column was replaced row by row and the raw cell was another value.
    """
    texts = {
        new for held in (kept.domains, kept.streets, kept.cities, kept.phones) for old, new in held.items()
        if pressed(old) != pressed(new)
    }  # fmt: skip
    texts.update(old for old, new in kept.cities.items() if old == new and bare(old) in listed("zone_cities"))
    texts.update(kept.companies.values())
    texts.update(kept.handles.values())
    for first, middle, *families in kept.persons.values():
        for family in families:
            texts.update(_orders(first, middle, family))
    for phone in kept.phones.values():
        digits = "".join(char for char in phone if char.isdigit())
        texts.add(digits.removeprefix(_country(digits)) if phone.startswith("+") else digits.lstrip("0"))
    for name in raw.names():
        if clean.has(name):
            for column, spec in specs.get(name, {}).items():
                if spec.kind in _NUMBERED:
                    texts.update(_changed(raw.read(name), clean.read(name), column))
    return texts


def _changed(raw: pl.DataFrame, clean: pl.DataFrame, column: str) -> set[str]:
    if column not in raw.columns or column not in clean.columns or raw.height != clean.height:
        return set()
    both = pl.DataFrame({"old": raw[column], "new": clean[column]}).drop_nulls()
    if isinstance(clean[column].dtype, pl.List):
        both = (
            both.filter(pl.col("old").list.len() == pl.col("new").list.len())
            .explode("old", "new")
            .drop_nulls()
        )
    both = both.with_columns(pl.all().cast(pl.String).str.strip_chars()).filter(pl.col("old") != "")
    changed = pl.col("old") != pl.col("new")
    texts = set(both.filter(changed)["new"].unique().to_list())
    fixed = both.filter(~changed)["new"].unique().to_list()
    if len(fixed) <= FIXED_BY_CHANCE and len(texts) >= FEWEST_MOVED * len(fixed):
        texts.update(fixed)
    return texts | {text.lstrip("0") for text in texts if text.startswith("0")}
