"""Short ids and logins in text: too short to tell anything alone, they tell behind a label.

Belongs here: labels, the search behind them outside the spans of the ledger, how many are let pass by chance.
Typed columns hold short ids and logins as well: those cells are compared one by one (`column_audit`). Does
not belong here: forms that tell wherever they stand (`output_forms`), outputs other than clean texts, where
no ledger says whose surrogate a short id is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from anonymize.coincidences import chance_bound
from anonymize.column_audit import specs_of
from anonymize.constants import bare, is_role_local
from anonymize.handles import is_initials
from anonymize.id_labels import ANNOUNCED, BARE
from anonymize.initials import initials_in
from anonymize.leaks import cells_of, texts_of
from anonymize.ledger import Ledger
from anonymize.output_forms import SHORTEST, pressed
from anonymize.registry import Registry
from anonymize.words import known_names, ordinary_words
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

SHORTEST_LOGIN = 4
"""Letters and digits; shorter logins are met by chance behind any label."""
BY_CHANCE = 0.001
"""How unlikely more coincidences of one shape must be than are let pass."""
_SIGNS = r"""(?:[ \t]?[.:#=][ \t]?|[ \t]?["'(\[]|[ \t])+"""
_LOGINS = r"log-?in|user(?:[ _-]?(?:name|id))?|uid|benutzer(?:name)?|kennung|anmeldename"
_IDS = rf"{ANNOUNCED}|{BARE}"
_LABELLED = re.compile(
    rf"(?<![^\W_])(?:(?P<login>{_LOGINS})|(?:{_IDS})(?:{_SIGNS}(?:{_IDS})(?![^\W_]))*)"
    rf"{_SIGNS}(?P<token>[^\W_][\w-]{{0,11}})(?![\w@-])",
    re.IGNORECASE,
)
"""A label, or several such as "order no.", and what stands behind."""


class _Labelled(NamedTuple):
    start: int
    end: int
    shape: str
    is_real: bool


@dataclass
class LabelledCount:
    """What stands behind labels in clean texts, in counts."""

    labelled: int = 0
    """Short tokens behind a label that replacement did not write."""
    real: int = 0
    """Of them: equal to a real id or login."""
    bound: int = 0
    """So many may equal one by chance."""
    places: Counter[str] = field(default_factory=Counter)
    """"table.column" -> real ones, where there are more than chance allows."""


class ShortForms:
    """The short ids and logins of a registry."""

    def __init__(self, registry: Registry) -> None:
        """Takes what no search for telling forms looks for."""
        ordinary = {bare(word) for word in ordinary_words()} | {bare(name) for name in known_names()}
        logins = {pressed(login) for person in registry.persons for login in person.logins}
        self.logins = frozenset(
            login
            for login in logins - ordinary
            if SHORTEST_LOGIN <= len(login) < SHORTEST and not is_role_local(login) and not login.isdigit()
        )
        self.initials = frozenset(
            login for person in registry.persons for login in person.logins if is_initials(login)
        )
        """As written; the words before or behind them are their label."""
        ids = {pressed(value).lstrip("0") for value in registry.identifiers}
        self.ids = frozenset(
            value for value in ids if 1 < len(value) < SHORTEST and any(char.isdigit() for char in value)
        )
        self.shares: Mapping[str, float] = {
            shape: min(1.0, count / _room(shape))
            for shape, count in Counter(
                _shape(form) for form in (*self.ids, *self.logins, *self.initials)
            ).items()
        }
        """Shape -> which part of all tokens of that shape is real."""

    def labelled(self, text: str) -> Iterator[_Labelled]:
        """Yields every short token behind a label, and capitals beside one of initials."""
        for one in initials_in(text) if self.initials else ():
            if one.labelled and _shape(one.letters) in self.shares:
                yield _Labelled(one.start, one.end, _shape(one.letters), one.letters in self.initials)
        for match in _LABELLED.finditer(text):
            form = pressed(match["token"]).lstrip("0")
            real = self.logins if match["login"] else self.ids
            if 1 < len(form) < SHORTEST and _shape(form) in self.shares:
                yield _Labelled(*match.span("token"), _shape(form), form in real)


def labelled_leaks(
    pending: TableStore, specs: dict[str, dict[str, ColumnSpec]], forms: ShortForms, ledger: Ledger
) -> LabelledCount:
    """Returns what stands behind labels in clean texts and was not written by replacement.

    Where n such tokens have a shape of which a part p is real, n * p are expected by chance; they leak where
    there are more than chance brings once in a thousand times.
    """
    count = LabelledCount()
    seen: Counter[str] = Counter()
    hits: dict[str, Counter[str]] = {}
    for table in pending.names():
        frame = pending.read(table)
        for column, spec in specs_of(table, specs).items():
            if spec.kind is ColumnKind.TEXT and column in frame.columns:
                for one in _unwritten(frame[column], forms, ledger, (table, column)):
                    seen[one.shape] += 1
                    if one.is_real:
                        hits.setdefault(one.shape, Counter())[f"{table}.{column}"] += 1
    count.labelled = seen.total()
    for shape, places in hits.items():
        bound = chance_bound(seen[shape] * forms.shares[shape], BY_CHANCE)
        count.real += places.total()
        count.bound += bound
        if places.total() > bound:
            count.places.update(places)
    return count


def _unwritten(
    series: pl.Series, forms: ShortForms, ledger: Ledger, place: tuple[str, str]
) -> Iterator[_Labelled]:
    known = {text: found for text in texts_of(series) if (found := tuple(forms.labelled(text)))}
    if not known:
        return
    spans, kept = ledger.spans(*place), ledger.kept(*place)
    for row, item, text in cells_of(series):
        if text in known and (row, item) not in kept:
            written = spans.get((row, item), [])
            for one in known[text]:
                if not any(start < one.end and one.start < end for start, end in written):
                    yield one


def _shape(form: str) -> str:
    return "".join("9" if char.isdigit() else "A" if char.isupper() else "a" for char in form)


def _room(shape: str) -> float:
    """Returns how many tokens there can be of one shape."""
    return 0.9 * 10.0 ** shape.count("9") * 26.0 ** (shape.count("a") + shape.count("A"))
