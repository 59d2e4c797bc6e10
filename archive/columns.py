"""What a company's own columns hold: as the manifest and preset say, else guessed from name and values.

The rule of the guess, in order: truth words -> flag; addresses, web addresses, dates and times of day by
their form; numbers by their name's last telling word, their writing (percent, currency) and length (six
digits or more: id), else measure; names of people, companies, places and phones by column name; short lists
of words under a harmless name -> category; short codes -> code; codes with digits -> id. Whatever is left is
text, because every later check reads text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from archive.big_columns import MANY, Cut, Look, cut_column
from archive.column_kinds import UNTOLD, name_part, number_kind, text_kind
from archive.column_numbers import NumberReading, look_like_numbers, read_numbers
from archive.column_words import (
    DATES,
    FIRST,
    KEYS,
    LAST,
    NAME,
    NUMBERS,
    column_words,
    is_unnamed,
    meaning_words,
)
from archive.missing_marks import ALL_MARKS, date_marks, text_marks, typed_marks
from archive.neighbours import corrected
from archive.sap_fields import SAP_FIELDS
from archive.times import DateReading, day_order, look_like_dates, parse_clock, parse_written, read_dates
from contracts.manifest import ColumnSpec, TableSpec
from contracts.tables import ColumnKind

__all__ = ["ColumnReading", "column_words", "guess_spec", "read_columns", "resolve_specs"]

_SAMPLE = 2_000
"""Distinct values looked at; all of them for dates and numbers, whose form the whole column decides."""
_FLAGS = tuple(
    frozenset(pair.split())
    for pair in (
        "true false",
        "yes no",
        "y n",
        "true false yes no y n",
        "ja nein",
        "j n",
        "wahr falsch",
        "oui non",
        "vrai faux",
        "si no",
        "sí no",
        "on off",
        "x",
        "x -",
    )
)
_TRUTH = frozenset(("is", "has", "can", "was", "allow", "flag", "ist", "hat"))
_EMAIL = re.compile(r"[^@\s<>]+@[^@\s<>]+\.[A-Za-z]{2,}")
_MAILBOX = re.compile(r"[^@<>]+<[^@\s<>]+@[^@\s<>]+\.[A-Za-z]{2,}>")
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_CURRENCIES = frozenset(("usd", "eur", "gbp", "chf", "cad", "aud", "jpy", "sek", "nok", "dkk", "pln"))
_K = ColumnKind
_NO_DATES = NUMBERS[_K.MEASURE] | {"by"}
_SAP = "field name of SAP"
_MOST_DIGITS = 40
_BOTH_WAYS = (_K.MONEY, _K.QUANTITY, _K.RATE, _K.MEASURE)
_WRITTEN = (_K.DATE, _K.DATETIME, *_BOTH_WAYS)
"""Kinds whose writing only the values tell, also where the kind is stated."""


class ColumnReading(NamedTuple):
    """What a column holds, with what a person should know before confirming it."""

    spec: ColumnSpec
    confident: bool = True
    """False where habit or a name alone decided: a person should look."""
    reason: str = ""
    alternatives: tuple[str, ...] = ()
    """Other date forms in which every cell could be read."""
    outliers: tuple[str, ...] = ()
    """Cells outside the form of their column, too few to change its kind."""


class _Hints(NamedTuple):
    """What the other columns of a table and the company tell of a column's writing."""

    order: str = ""
    mark: str = ""
    locale: str = ""


def resolve_specs(stated: TableSpec | None, columns: Mapping[str, Sequence[str]]) -> dict[str, ColumnSpec]:
    """Returns a spec for every column: the stated one (names compared without case), else the guess.

    Args:
        stated: what manifest and preset say about the table, if anything.
        columns: column name -> its values that are not empty, or the distinct ones, in order.
    """
    return {name: reading.spec for name, reading in read_columns(stated, columns).items()}


def read_columns(
    stated: TableSpec | None,
    columns: Mapping[str, Sequence[str]],
    counts: Mapping[str, Mapping[str, int]] | None = None,
    locale: str = "",
) -> dict[str, ColumnReading]:
    """Returns what every column of a table holds, how sure that is and why.

    Columns that could be written either way follow those of the same table that could not.

    Args:
        stated: what manifest and preset say about the table, if anything.
        columns: column name -> its values that are not empty, or the distinct ones, in order.
        counts: column name -> how often each value stands there; once each when None.
        locale: the company's, which decides last whether a day or a month comes first.
    """
    known = {} if stated is None else {name.lower(): spec for name, spec in stated.columns.items()}
    of = {} if counts is None else counts
    hints = _Hints(locale=locale)

    def read(name: str, hints: _Hints) -> ColumnReading:
        spec = known.get(name.lower())
        if spec is None:
            return _guessed(name, columns[name], of.get(name), hints)
        values = columns[name] if spec.kind in _WRITTEN else ()
        return _completed(spec, values, of.get(name), hints)

    readings = {name: read(name, hints) for name in columns}
    orders = [day_order(r.spec.date_format) for r in readings.values() if r.confident and r.spec.date_format]
    marks = [r.spec.decimal_mark for r in readings.values() if r.confident and "decimals" in r.reason]
    agreed = _Hints(_only(orders, ("dmy", "mdy")), _only(marks, (".", ",")), locale)
    for name, reading in readings.items():
        if not reading.confident:
            readings[name] = read(name, agreed)
    open_ = {name: reading.spec for name, reading in readings.items() if name.lower() not in known}
    for name, other in corrected(columns, open_).items():
        readings[name] = readings[name]._replace(**other._asdict())
    return readings


def _only(votes: Sequence[str], among: Sequence[str]) -> str:
    found = {vote for vote in votes if vote in among}
    return found.pop() if len(found) == 1 else ""


def guess_spec(name: str, values: Sequence[str]) -> ColumnSpec:
    """Returns the most careful reading of a column that its name and values allow."""
    return _guessed(name, values, None, _Hints()).spec


def _completed(
    spec: ColumnSpec, values: Sequence[str], counts: Mapping[str, int] | None, hints: _Hints
) -> ColumnReading:
    """A stated spec with the writing of dates and numbers that only the data tell."""
    if spec.kind in _WRITTEN:
        values, counts = _cut(values, counts)
    if spec.kind in (_K.DATE, _K.DATETIME) and not _reads(spec, values):
        dates = read_dates(values, telling=True, counts=counts, prefer=hints.order, locale=hints.locale)
        if dates is None:
            marks = spec.missing or list(date_marks(values))
            return ColumnReading(
                spec.model_copy(update={"missing": marks}), not values, "stated; no date was read"
            )
        missing = spec.missing or list(dates.missing)
        told = spec.model_copy(update={"date_format": dates.form, "missing": missing})
        return ColumnReading(
            told, dates.confident, f"stated; {dates.reason}", dates.alternatives, dates.outliers
        )
    if spec.kind in _BOTH_WAYS and "decimal_mark" not in spec.model_fields_set:
        numbers = read_numbers(values, counts, hints.mark)
        if numbers is not None:
            missing = spec.missing or list(numbers.missing)
            told = spec.model_copy(update={"decimal_mark": numbers.decimal_mark, "missing": missing})
            return ColumnReading(told, numbers.confident, f"stated; {numbers.reason}", (), numbers.outliers)
    return ColumnReading(spec, True, "stated")


def _reads(spec: ColumnSpec, values: Sequence[str]) -> bool:
    """Says whether a stated date form reads at least half of the first cells."""
    if spec.date_format is None:
        return False
    marks = {*spec.missing, *date_marks(values)}
    cells = [value for value in values[:_SAMPLE] if value.strip() not in marks]
    return 2 * sum(parse_written(value, spec.date_format) is not None for value in cells) >= len(cells)


def _cut(values: Sequence[str], counts: Mapping[str, int] | None) -> Cut:
    """The values that stand for a column; all of them where they are not very many."""
    if len(values) <= MANY:
        return Cut(values, counts)
    look = Look.TEXTS
    if look_like_numbers(values):
        look = Look.NUMBERS
    elif look_like_dates(values):
        look = Look.DATES
    return cut_column(values, counts, look, ALL_MARKS)


def _guessed(
    name: str, values: Sequence[str], counts: Mapping[str, int] | None, hints: _Hints
) -> ColumnReading:
    values, counts = _cut(values, counts)
    marks = text_marks(values)
    distinct = list(dict.fromkeys(cell for value in values if (cell := value.strip()) and cell not in marks))
    if not distinct:
        return ColumnReading(ColumnSpec(kind=_K.TEXT, missing=list(marks)), False, "no values")
    reading = _told(name, distinct, counts, hints)
    if not marks:
        return reading
    missing = sorted({*marks, *reading.spec.missing})
    return reading._replace(spec=reading.spec.model_copy(update={"missing": missing}))


def _told(name: str, distinct: list[str], counts: Mapping[str, int] | None, hints: _Hints) -> ColumnReading:
    """What a column holds by its distinct values and its name."""
    words = meaning_words(name)
    field = SAP_FIELDS.get(name.upper()) if name in (name.upper(), name.lower()) else None
    by_form = None if field not in (None, _K.DATE, _K.CODE) else _by_form(words, distinct)
    if by_form is not None:
        return by_form
    telling = field is _K.DATE or bool(DATES & set(words))
    if field in (None, _K.DATE) and not (telling and set(words) & _NO_DATES):
        dates = _as_dates(words, distinct, counts, hints, telling)
        if dates is not None:
            return dates
    numbers = read_numbers(distinct, counts, hints.mark)
    if field is not None and field is not _K.DATE and (field not in _BOTH_WAYS or numbers is not None):
        if numbers is not None:
            return _numeric(field, numbers, words, _SAP)
        return ColumnReading(ColumnSpec(kind=field), True, _SAP)
    if numbers is not None and is_unnamed(name) and numbers.whole:
        running = 0 <= numbers.low <= 1
        told = "running numbers of rows" if running else UNTOLD
        return ColumnReading(ColumnSpec(kind=_K.MEASURE, missing=list(numbers.missing)), running, told)
    if numbers is not None and numbers.digits[1] <= _MOST_DIGITS:
        kind, reason = number_kind(words, numbers)
        return _numeric(kind, numbers, words, reason)
    part = name_part(words, distinct[:_SAMPLE])
    if part is not None:
        return ColumnReading(part, True, "name of a part of a person's name")
    kind, reason = text_kind(words, distinct[:_SAMPLE], len(distinct))
    return ColumnReading(ColumnSpec(kind=kind), True, reason)


def _by_form(words: list[str], distinct: list[str]) -> ColumnReading | None:
    """Flags, addresses, ids and times of day, which their writing tells."""
    typed = typed_marks(distinct)
    cells = ([value for value in distinct if value not in typed] or distinct) if typed else distinct
    lowered = {value.lower() for value in cells[:_SAMPLE]}
    named = set(words) & (FIRST | LAST | NAME) and lowered <= {"x", "-"}
    if len(cells) <= 6 and not named and any(lowered <= pair for pair in _FLAGS):
        return ColumnReading(ColumnSpec(kind=_K.FLAG, missing=list(typed)), True, "truth words")
    if lowered <= {"0", "1"} and (set(words) & _TRUTH or (words and words[-1].endswith("ed"))):
        return ColumnReading(ColumnSpec(kind=_K.FLAG), True, "0 and 1 under a name of a truth")
    for kind, pattern, told in (
        (_K.EMAIL, _EMAIL, "mail addresses"),
        (_K.MAILBOX, _MAILBOX, "names with mail addresses"),
        (_K.URL, _URL, "web addresses"),
        (_K.ID, _UUID, "universal ids"),
    ):
        sample = cells[:_SAMPLE]
        hits = sum(pattern.fullmatch(value) is not None for value in sample)
        if hits == len(sample) or (
            kind is not _K.ID and hits * 100 >= len(sample) * 99 and len(sample) >= 100
        ):
            strays = tuple(value for value in sample if pattern.fullmatch(value) is None)
            return ColumnReading(ColumnSpec(kind=kind, missing=list(typed)), True, told, (), strays)
    if ":" in cells[0] and all(":" in value and parse_clock(value) is not None for value in cells):
        return ColumnReading(ColumnSpec(kind=_K.CODE, missing=list(typed)), True, "times of day")
    return None


def _as_dates(
    words: list[str], distinct: list[str], counts: Mapping[str, int] | None, hints: _Hints, telling: bool
) -> ColumnReading | None:
    dates: DateReading | None = read_dates(
        distinct, telling=telling, counts=counts, prefer=hints.order, locale=hints.locale
    )
    if dates is None and not telling:
        return None
    if dates is None:
        marks = date_marks(distinct)
        zeros = len(marks) == len(distinct) and any("00" in mark for mark in marks)
        if not zeros:
            return None
        return ColumnReading(ColumnSpec(kind=_K.DATE, missing=list(marks)), False, "only empty dates")
    if dates.form == "%Y%m%d" and not telling and words and words[-1] in KEYS:
        return None
    spec = ColumnSpec(kind=dates.kind, date_format=dates.form, missing=list(dates.missing))
    return ColumnReading(spec, dates.confident, dates.reason, dates.alternatives, dates.outliers)


def _numeric(kind: ColumnKind, numbers: NumberReading, words: list[str], reason: str) -> ColumnReading:
    mark: Literal[".", ","] = "," if numbers.decimal_mark == "," and kind in _BOTH_WAYS else "."
    spec = ColumnSpec(kind=kind, decimal_mark=mark, missing=list(numbers.missing))
    if kind is _K.MONEY:
        named = sorted(_CURRENCIES & set(words))
        currency = numbers.currency or (named[0].upper() if len(named) == 1 else None)
        decimals = numbers.decimals if numbers.decimals in (3, 4) else 2
        spec = spec.model_copy(update={"currency": currency, "decimals": decimals})
    told = f"{reason}; {numbers.reason}" if numbers.decimals or not numbers.confident else reason
    sure = (numbers.confident or kind not in _BOTH_WAYS) and reason != UNTOLD
    return ColumnReading(spec, sure, told, (), numbers.outliers)
