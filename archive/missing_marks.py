"""Written values that stand for no value: what systems put where a cell should be empty.

Belongs here: the marks. Does not belong here: which column has which (`archive.columns`).
"""

from __future__ import annotations

from collections.abc import Sequence

_ALWAYS = frozenset(
    ("?", "null", "(null)", "<null>", "\\n", "#n/a", "#null!", "#ref!", "#value!", "#div/0!", "nan")
)
_BESIDE_VALUES = frozenset(
    ("n/a", "na", "none", "nil", "-", "--", "---", "\u2013", "\u2014", ".", "n.a.", "k.a.", "nat")
)
_ZERO_DATES = frozenset(
    (
        "0",
        "00000000",
        "00/00/0000",
        "00.00.0000",
        "00-00-0000",
        "0000-00-00",
        "0000/00/00",
        "00/00/00",
        "00000000000000",
        "0000-00-00 00:00:00",
        "0001-01-01",
        "0001-01-01 00:00:00",
        "0001-01-01t00:00:00",
    )
)


ALL_MARKS = _ALWAYS | _BESIDE_VALUES | _ZERO_DATES
"""Every mark, in lower case."""


def text_marks(values: Sequence[str]) -> tuple[str, ...]:
    """Returns the values that stand for no value in any column, sorted: "?", "NULL", "#N/A"."""
    return _found(values, _ALWAYS)


def typed_marks(values: Sequence[str]) -> tuple[str, ...]:
    """Returns the values that stand for no value where numbers or flags are expected: "-", "N/A", "None"."""
    return _found(values, _ALWAYS | _BESIDE_VALUES)


def date_marks(values: Sequence[str]) -> tuple[str, ...]:
    """Returns the values that stand for no value where dates are expected: "00/00/0000", "00000000"."""
    return _found(values, _ALWAYS | _BESIDE_VALUES | _ZERO_DATES)


def _found(values: Sequence[str], marks: frozenset[str]) -> tuple[str, ...]:
    stripped = (value.strip() for value in values)
    return tuple(sorted({value for value in stripped if value.lower() in marks}))
