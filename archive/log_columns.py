"""Columns of things with numbers, of roles and of activities, which a name alone does not tell.

Belongs here: what a draft reads from values where the name of a column left it text. Does not belong here:
single cells and names (`archive.columns`), people (`archive.people_columns`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from archive.column_words import KEYS, column_words
from archive.columns import ColumnReading
from archive.table_samples import TableSample
from contracts.tables import ColumnKind

_K = ColumnKind
_NUMBERED = re.compile(r"([^\W\d][\w .:-]{0,38}?[ _:-])?\d{1,12}(?:[_-]\d{1,6})?")
_LEAST_NUMBERED = 5
_MOST_STEMS = 4
_STRAYS = 50
"""One value, and one in so many more, may be no numbered thing ("UNKNOWN", "missing")."""
_MOST_ROLES = 40
_MOST_ACTIVITIES = 300
_REPEATED = 5
_ACTIVITY = frozenset("activity concept task step action".split())
_ROLES = frozenset(
    "staff member members system employee employees supervisor director administration administrator admin "
    "budget owner manager agent user role unknown missing undefined clerk team lead department head approver "
    "pre reviewer auditor finance secretary officer assistant analyst specialist customer supplier service "
    "desk automatic robot bot batch external internal".split()
)


def with_logs(sample: TableSample, readings: Mapping[str, ColumnReading]) -> dict[str, ColumnReading]:
    """Returns the readings of a table, columns left as text read by their values where those are plain."""
    return {name: _judged(name, reading, sample) for name, reading in readings.items()}


def _judged(name: str, reading: ColumnReading, sample: TableSample) -> ColumnReading:
    if reading.spec.kind is not _K.TEXT or reading.reason == "stated" or name not in sample.frame.columns:
        return reading
    cells = sample.frame[name].drop_nulls()
    values = cells.unique(maintain_order=True)
    words = column_words(name)
    named = bool(words) and words[-1] in KEYS
    stems = _stems(values.to_list()) if named or len(values) >= _LEAST_NUMBERED else None
    if stems is not None:
        return _as(reading, _K.ID, f"things with numbers ({', '.join(stems)})")
    if len(values) * _REPEATED > len(cells):
        return reading
    if len(values) <= _MOST_ROLES and all(_is_role(value) for value in values.to_list()):
        return _as(reading, _K.CATEGORY, "every value is a role that names nobody")
    if len(values) <= _MOST_ACTIVITIES and _ACTIVITY & set(words) and _has_times(sample):
        return _as(reading, _K.CATEGORY, f"{len(values)} activities of {len(cells)} events")
    return reading


def _stems(values: list[str]) -> list[str] | None:
    """The words before the numbers where all values are such things and the words are few; else None."""
    counted: Counter[str] = Counter()
    strays = 0
    for value in values:
        match = _NUMBERED.fullmatch(value.strip())
        if match is None or not match[1]:
            strays += 1
        else:
            counted[match[1].strip(" _:-")] += 1
    if not counted or len(counted) > _MOST_STEMS or strays > 1 + len(values) // _STRAYS:
        return None
    return sorted(counted)


def _is_role(value: str) -> bool:
    words = re.split(r"[^a-z]+", value.lower())
    return not any(map(str.isdigit, value)) and any(words) and all(word in _ROLES for word in words if word)


def _has_times(sample: TableSample) -> bool:
    return any({"time", "timestamp", "date", "at"} & set(column_words(name)) for name in sample.frame.columns)


def _as(reading: ColumnReading, kind: ColumnKind, why: str) -> ColumnReading:
    return reading._replace(spec=reading.spec.model_copy(update={"kind": kind}), confident=True, reason=why)
