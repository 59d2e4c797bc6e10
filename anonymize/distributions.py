"""How far the numbers and dates of clean tables are distributed as the real ones: bodies and tails.

Belongs here: Kolmogorov-Smirnov and tail distances of each column, once the one factor of money and the one
offset of dates are taken off. Neither is told. Does not belong here: verdicts on single cells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from anonymize.table_shapes import table_specs
from archive.column_numbers import parse_number
from archive.date_forms import parse_written
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind, is_record_table

TAILS = (0.001, 0.01, 0.99, 0.999)
FEWEST_VALUES = 2
_NUMBERS = (ColumnKind.MONEY, ColumnKind.QUANTITY, ColumnKind.RATE, ColumnKind.MEASURE)
_DAYS = (ColumnKind.DATE, ColumnKind.DATETIME)
_OURS = frozenset({"links", "quarantine", "source_counts", "calendar_facts"})
Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True)
class Distance:
    """How far one clean column is from its raw one."""

    column: str
    kind: str
    n: int
    ks: float
    """Largest difference of the two distribution functions."""
    tails: list[float]
    """At 0.1, 1, 99 and 99.9 %: the difference in the column's smallest units, or in days."""
    bound: float
    """What rounding may do, in the same unit."""
    within: bool


def distances(raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> list[Distance]:
    """Returns the distances of every column of numbers or dates that holds at least two values."""
    pairs = list(_columns(raw, clean, specs))
    factor = _factor(pair for spec, pair in pairs if spec[1].kind is ColumnKind.MONEY)
    offset = _offset(pair for spec, pair in pairs if spec[1].kind in _DAYS)
    found = []
    for (place, spec), (old, new) in pairs:
        if len(old) < FEWEST_VALUES and len(new) < FEWEST_VALUES:
            continue
        if spec.kind is ColumnKind.MONEY:
            new = new / factor
        elif spec.kind in _DAYS:
            new = new - offset
        unit = 10.0**-spec.decimals if spec.kind is ColumnKind.MONEY else 1.0
        found.append(_distance(place, spec.kind, _settled(old), _settled(new), unit))
    return found


def _settled(numbers: Numbers) -> Numbers:
    """Returns numbers without what binary fractions add in the last place."""
    return np.sort(np.round(numbers, 6))


def _distance(place: str, kind: ColumnKind, old: Numbers, new: Numbers, unit: float) -> Distance:
    ks = kolmogorov_smirnov(old, new)
    tails = [abs(quantile(old, at) - quantile(new, at)) / unit for at in TAILS]
    bound = 0.5 if kind is ColumnKind.MONEY else 0.0
    near = ks == 0.0 or (bound > 0 and ks <= 1 / len(old))
    within = len(old) == len(new) and max(tails) <= bound and near
    return Distance(
        place, kind.value, len(old), round(ks, 6), [round(one, 6) for one in tails], bound, within
    )


def kolmogorov_smirnov(one: Numbers, other: Numbers) -> float:
    """Returns the largest difference between the distribution functions of two sorted samples."""
    if not len(one) or not len(other):
        return 1.0 if len(one) != len(other) else 0.0
    points = np.concatenate([one, other])
    shares = [np.searchsorted(sample, points, side="right") / len(sample) for sample in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def quantile(numbers: Numbers, at: float) -> float:
    """Returns the value at a share of a sorted sample: one that was seen, never one between two."""
    return float(numbers[max(0, math.ceil(at * len(numbers)) - 1)]) if len(numbers) else math.inf


def _columns(
    raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]
) -> Iterator[tuple[tuple[str, ColumnSpec], tuple[Numbers, Numbers]]]:
    for name in raw.names():
        if name in _OURS or not clean.has(name):
            continue
        old, new = raw.read(name), clean.read(name)
        for column, spec in table_specs(name, specs).items():
            if column == "size_bytes" and not is_record_table(name):
                continue  # of files as they lay, made coarse on purpose
            if column in old.columns and spec.kind in (*_NUMBERS, *_DAYS) and _has_days(spec):
                yield (f"{name}.{column}", spec), (_numbers(old[column], spec), _numbers(new[column], spec))


def _has_days(spec: ColumnSpec) -> bool:
    form = spec.date_format
    return form is None or spec.kind in _NUMBERS or any(mark in form for mark in ("d", "j", "e", "D"))


def _numbers(series: pl.Series, spec: ColumnSpec) -> Numbers:
    if spec.kind in _NUMBERS and series.dtype.is_numeric():
        return series.drop_nulls().cast(pl.Float64).to_numpy().astype(np.float64)
    read = _day if spec.kind in _DAYS else _number
    values = series.drop_nulls().cast(pl.String)
    known = {text: read(text, spec) for text in values.unique().to_list()}
    return np.array(
        [number for text in values.to_list() if (number := known[text]) is not None], dtype=np.float64
    )


def _number(text: str, spec: ColumnSpec) -> float | None:
    number = parse_number(text, spec.decimal_mark, spec.missing)
    return None if number is None else float(number)


def _day(text: str, spec: ColumnSpec) -> float | None:
    moment = parse_written(text, spec.date_format, spec.missing)
    if moment is None:
        try:
            moment = date.fromisoformat(text.strip()[:10])
        except ValueError:
            return None
    return float(moment.toordinal())


def _factor(columns: Iterator[tuple[Numbers, Numbers]]) -> float:
    """Returns the commonest ratio of a clean amount to the raw one in its row."""
    found: Counter[int] = Counter()
    for old, new in columns:
        if len(old) == len(new):
            filled = np.abs(old) > 0
            found.update(int(ratio) for ratio in np.round(new[filled] / old[filled]))
    return float(found.most_common(1)[0][0] or 1) if found else 1.0


def _offset(columns: Iterator[tuple[Numbers, Numbers]]) -> float:
    found: Counter[int] = Counter()
    for old, new in columns:
        if len(old) == len(new):
            found.update(map(int, new - old))
    return float(found.most_common(1)[0][0]) if found else 0.0
