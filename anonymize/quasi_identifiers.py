"""How far columns that name nobody single out rows all the same: k-anonymity and uniqueness, in counts.

Belongs here: choosing quasi-identifiers by kind and name, sizes of classes, which columns single out most.
Values never leave; names of columns do. Does not belong here: direct identifiers, which are surrogates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from anonymize.table_shapes import table_specs
from archive.date_forms import parse_written
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

FEWEST_ROWS = 10
MOST_COLUMNS = 8
"""Quasi-identifiers of one table, the likeliest first: nobody knows more of somebody."""
MOST_PAIRS = 3
SIZES = ((1, "1"), (2, "2"), (4, "3-4"), (9, "5-9"), (49, "10-49"))
_LARGE = "50 and more"
_PLACES = (ColumnKind.CITY, ColumnKind.POSTCODE)
_DAYS = (ColumnKind.DATE, ColumnKind.DATETIME)
_PEOPLE = (
    ColumnKind.PERSON, ColumnKind.COMPANY, ColumnKind.EMAIL, ColumnKind.LOGIN, ColumnKind.PHONE,
    ColumnKind.MAILBOX,
)  # fmt: skip
_TOLD = re.compile(
    r"title|position|role|function|funktion|department|abteilung|industry|branche|employees|mitarbeiter"
    r"|headcount|country|land|state|region|gender|birth|segment|language|sprache|rating|zone",
    re.IGNORECASE,
)
"""Names of columns that people know of each other, whatever their kind."""
_NOBODY = frozenset({"links", "quarantine", "source_counts", "calendar_facts"})
"""Tables whose rows are nobody's."""
_NEVER = (ColumnKind.PROVENANCE, ColumnKind.ID, ColumnKind.MONEY, *_PEOPLE)


@dataclass(frozen=True)
class SinglingColumn:
    """What one column adds."""

    column: str
    distinct: int
    unique_alone: int
    """Rows that this column alone singles out."""
    unique_by_it: int
    """Rows that are unique with it and not without it."""


@dataclass(frozen=True)
class TableRisk:
    """How far the quasi-identifiers of one table single out its rows."""

    table: str
    about_people: bool
    rows: int
    columns: list[str]
    k: int
    """Rows of the smallest class."""
    unique: int
    """Rows alone in their class."""
    k_without_days: int
    unique_without_days: int
    """The same where nobody knows a date."""
    sizes: dict[str, int]
    """Size of class -> rows in such classes."""
    singling: list[SinglingColumn]
    """Those that single out most first."""
    pairs: list[tuple[str, str, int]]
    """Two columns and the rows that they single out."""

    @property
    def unique_share(self) -> float:
        """Rows alone in their class, of all rows."""
        return self.unique / self.rows


def quasi_identifier_risk(clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> list[TableRisk]:
    """Returns the risk of every table with two quasi-identifiers; tables about people first, worst first."""
    found = [
        risk for name in clean.names() if (risk := _table_risk(name, clean.read(name), specs)) is not None
    ]
    return sorted(found, key=lambda risk: (not risk.about_people, -risk.unique_share, risk.table))


def _table_risk(name: str, frame: pl.DataFrame, specs: dict[str, dict[str, ColumnSpec]]) -> TableRisk | None:
    kinds = {column: spec for column, spec in table_specs(name, specs).items() if column in frame.columns}
    quasi = dict(_quasi(frame, kinds)) if frame.height >= FEWEST_ROWS and name not in _NOBODY else {}
    if len(quasi) < 2:
        return None
    table = pl.DataFrame(quasi)
    columns = table.columns
    whole = _sizes(table, columns)
    unique = _alone(whole)
    timeless = _sizes(table, [column for column in columns if kinds[column].kind not in _DAYS])
    singling = [
        SinglingColumn(
            column,
            table[column].n_unique(),
            _alone(_sizes(table, [column])),
            unique - (_alone(_sizes(table, [other for other in columns if other != column]))),
        )
        for column in columns
    ]
    pairs = sorted(
        ((one, other, _alone(_sizes(table, [one, other]))) for one, other in combinations(columns, 2)),
        key=lambda pair: (-pair[2], pair[:2]),
    )
    return TableRisk(
        name,
        any(spec.kind in _PEOPLE for spec in kinds.values()),
        table.height,
        columns,
        int(whole.min() or 0),  # type: ignore[arg-type]
        unique,
        int(timeless.min() or 0),  # type: ignore[arg-type]
        _alone(timeless),
        _distribution(whole),
        sorted(singling, key=lambda one: (-one.unique_alone, -one.unique_by_it, one.column)),
        pairs[:MOST_PAIRS],
    )


def _quasi(frame: pl.DataFrame, specs: dict[str, ColumnSpec]) -> Iterator[tuple[str, pl.Series]]:
    ranked = sorted(
        (_rank(column, spec), number, column) for number, (column, spec) in enumerate(specs.items())
    )
    chosen = 0
    for rank, _, column in ranked:
        if rank is _OUT or chosen == MOST_COLUMNS or isinstance(frame[column].dtype, pl.List):
            continue
        series = frame[column].cast(pl.String)
        if specs[column].kind in _DAYS:
            series = _days(series, specs[column].date_format)
        filled = series.drop_nulls()
        told_apart = specs[column].kind is ColumnKind.TEXT and 2 * filled.n_unique() > len(filled)
        if filled.n_unique() > 1 and len(filled) * 10 >= frame.height and not told_apart:
            chosen += 1
            yield column, series


_OUT = 9


def _rank(column: str, spec: ColumnSpec) -> int:
    if column == "source" or spec.kind in _NEVER:
        return _OUT
    if spec.kind in _PLACES:
        return 0
    if _TOLD.search(column) and column not in ("title",):
        return 1
    if spec.kind is ColumnKind.CATEGORY:
        return 3
    return 2 if spec.kind in _DAYS else _OUT


def _days(series: pl.Series, form: str | None) -> pl.Series:
    """Returns dates and times as days: nobody knows the minute."""
    if form is None:
        return series.str.slice(0, 10)
    days = {
        text: str(parsed)[:10] if (parsed := parse_written(text, form)) is not None else text
        for text in series.drop_nulls().unique().to_list()
    }
    return series.replace(days) if days else series


def _sizes(table: pl.DataFrame, columns: list[str]) -> pl.Series:
    return table.group_by(columns).len()["len"] if columns else pl.Series([table.height])


def _alone(sizes: pl.Series) -> int:
    return int((sizes == 1).sum())


def _distribution(sizes: pl.Series) -> dict[str, int]:
    found = dict.fromkeys([*(name for _, name in SIZES), _LARGE], 0)
    for size in sizes.to_list():
        found[next((name for most, name in SIZES if size <= most), _LARGE)] += size
    return found
