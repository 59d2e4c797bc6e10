"""The audit of typed columns: every raw cell beside its clean one, whole columns at a time.

Belongs here: pairing, bounds, and what only whole columns show: one offset of dates, one factor of money,
numbers that stayed. Does not belong here: verdicts on single cells (`typed_cells`), text (`leaks`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import NamedTuple

import polars as pl

from anonymize.constants import digits, is_mark, is_public_host
from anonymize.headings import headings
from anonymize.injectivity import identity, whole_names
from anonymize.ledger import Ledger
from anonymize.policy_audit import ruled_columns, unruled_cells
from anonymize.registry import Registry
from anonymize.table_shapes import table_specs
from anonymize.typed_cells import Assigned, CellAudit, Verdict, number_core
from archive.column_numbers import parse_number
from archive.date_forms import parse_written
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table

NUMBERED = (ColumnKind.ID, ColumnKind.PHONE, ColumnKind.POSTCODE)
DATED = (ColumnKind.DATE, ColumnKind.DATETIME)
CHANCE_BELOW = 0.001
"""Where fewer numbers are expected to stay by chance, none may."""
FEW = 3
"""So many numbers more than three times the expected ones may stay or meet by chance."""
NAMES_BY_CHANCE = 200
"""One in so many names is expected to get its own first name: three times as many may, and one besides."""
_DAYS_A_YEAR = 365.2425
_DAYS_A_CENTURY = 36_525
OPEN_END = 9999
"""Year that says "for ever"."""


class Pair(NamedTuple):
    """One distinct pair of a raw and a clean value."""

    raw: str
    clean: str


@dataclass
class KindFigures:
    """What was found in all columns of one kind, in counts."""

    columns: int = 0
    cells: int = 0
    distinct: int = 0
    several: int = 0
    """Distinct raw values that became several clean ones: namesakes, or one entity taken for several."""
    constants: int = 0
    coincidences: int = 0
    """Distinct values that stand for themselves or for others by chance."""
    bound: int = 0
    """So many coincidences are let pass."""
    identities: int = 0
    """Distinct raw values, persons or companies that have a surrogate of their own."""
    merged: int = 0
    """Distinct raw values, persons or companies too many for the surrogates that stand for them."""
    split: int = 0
    """Distinct raw values for which several surrogates stand."""
    unmoved: int = 0
    """Distinct values that are real, foreign, unwritten or out of the one offset or factor."""

    @property
    def wrong(self) -> int:
        """Values that block publication."""
        return self.unmoved + max(0, self.coincidences - self.bound)


@dataclass
class ColumnAudit:
    """All figures, and the places where something is wrong."""

    kinds: dict[str, KindFigures] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)
    """"table.column" -> distinct values; "identity of kind" -> values that became one, or several."""

    @property
    def wrong(self) -> int:
        """Values that block publication."""
        return sum(figures.wrong for figures in self.kinds.values())


@dataclass(frozen=True)
class TypedColumn:
    """One column before and after."""

    place: str
    spec: ColumnSpec
    pairs: list[Pair]
    cells: int
    unwritten: int
    """Cells with a value for which the ledger has no entry."""


def audit_columns(
    raw: TableStore,
    pending: TableStore,
    specs: dict[str, dict[str, ColumnSpec]],
    assigned: Assigned,
    ledger: Ledger,
    registry: Registry | None = None,
) -> ColumnAudit:
    """Returns what became of every cell of every column that has a kind of its own."""
    result = ColumnAudit()
    ruled = ruled_columns(ledger.frame)
    columns = [
        column
        for column in _typed_columns(raw, pending, specs, ledger)
        if tuple(column.place.split(".", 1)) not in ruled
    ]
    for place, (kind, wrong) in unruled_cells(raw, pending, ruled).items():
        result.kinds.setdefault(kind, KindFigures()).unmoved += wrong
        result.places[place] += wrong
    cells = CellAudit(assigned)
    values: dict[ColumnKind, dict[str, set[str]]] = {}
    for column in columns:
        figures = result.kinds.setdefault(column.spec.kind.value, KindFigures())
        figures.columns += 1
        figures.cells += column.cells
        figures.distinct += len(column.pairs)
        _note(result, column, figures, column.unwritten)
        verdicts = Counter(
            verdict for pair in column.pairs if (verdict := cells.judge(column.spec.kind, *pair)) is not None
        )
        figures.constants += verdicts[Verdict.CONSTANT]
        for raw_value, clean_value in column.pairs:
            values.setdefault(column.spec.kind, {}).setdefault(raw_value, set()).add(clean_value)
        _note(result, column, figures, verdicts[Verdict.KEPT] + verdicts[Verdict.FOREIGN])
    _judge_numbers(result, [column for column in columns if column.spec.kind in NUMBERED], assigned)
    _judge_dates(result, [column for column in columns if column.spec.kind in DATED])
    _judge_money(result, [column for column in columns if column.spec.kind is ColumnKind.MONEY])
    _judge_marks(result, [column for column in columns if column.spec.kind is ColumnKind.PROVENANCE])
    for kind, found in values.items():
        result.kinds[kind.value].several = sum(len(clean) > 1 for clean in found.values())
        if registry is not None:
            more = whole_names(raw, pending, specs, ruled) if kind is ColumnKind.PERSON else {}
            one = identity(kind, {**more, **found}, registry)
            figures = result.kinds[kind.value]
            figures.identities, figures.merged, figures.split = one
            if one.merged or one.split:
                result.places[f"identity of {kind.value}"] += one.merged + one.split
    for kind, words in cells.met.items():
        figures = result.kinds[kind.value]
        figures.coincidences += len(words)
        figures.bound += 1 + 3 * len(values[kind]) // NAMES_BY_CHANCE
    return result


def _note(result: ColumnAudit, column: TypedColumn, figures: KindFigures, wrong: int) -> None:
    if wrong:
        figures.unmoved += wrong
        result.places[column.place] += wrong


def _typed_columns(
    raw: TableStore, pending: TableStore, specs: dict[str, dict[str, ColumnSpec]], ledger: Ledger
) -> Iterator[TypedColumn]:
    for name in raw.names():
        if not pending.has(name):
            continue
        before, after = raw.read(name), pending.read(name)
        if before.height != after.height:
            continue  # told apart as a table with another number of rows
        titles = sorted(headings(before, table_specs(name, specs)))
        for column, spec in specs_of(name, specs).items():
            if column not in before.columns or column not in after.columns or not is_typed(spec.kind):
                continue
            cells = cell_pairs(before[column], after[column], spec).filter(~pl.col("raw").is_in(titles))
            pairs = cells.lazy().select("raw", "clean").unique().sort("raw", "clean").collect()
            unseen = cells.join(ledger.cells(name, column), on=["row", "item"], how="anti").height
            distinct = [Pair(*pair) for pair in pairs.iter_rows()]
            yield TypedColumn(
                f"{name}.{column}", spec, distinct, cells.height, 0 if name == "links" else unseen
            )


def is_typed(kind: ColumnKind) -> bool:
    """Says whether the cells of a kind are judged, beyond the real forms in them."""
    return kind not in (
        ColumnKind.TEXT,
        ColumnKind.FILENAME,
        ColumnKind.CATEGORY,
        ColumnKind.FLAG,
        ColumnKind.CODE,
        ColumnKind.QUANTITY,
        ColumnKind.RATE,
        ColumnKind.MEASURE,
    )


def specs_of(name: str, specs: dict[str, dict[str, ColumnSpec]]) -> dict[str, ColumnSpec]:
    """Returns what each column of a table was declared to hold."""
    if name in FIXED_TABLES:
        return {column.name: ColumnSpec(kind=column.kind) for column in FIXED_TABLES[name].columns}
    head = ("content_hash", RECORD_ID.name) if is_record_table(name) else ()
    return {**dict.fromkeys(head, ColumnSpec(kind=ColumnKind.PROVENANCE)), **specs.get(name, {})}


def cell_pairs(before: pl.Series, after: pl.Series, spec: ColumnSpec) -> pl.DataFrame:
    """Returns row, item, raw and clean value of every cell that holds one, marks for no value left out.

    Lists of two lengths are one pair of a value and nothing.
    """
    frame = pl.LazyFrame({"raw": before, "clean": after}).with_row_index("row")
    if isinstance(before.dtype, pl.List):
        sizes = pl.col("raw").list.len().fill_null(0) == pl.col("clean").list.len().fill_null(0)
        odd = frame.filter(~sizes).select("row", pl.col("raw").list.join(" "), clean=pl.lit(""))
        even = frame.filter(sizes & (pl.col("raw").list.len() > 0)).explode("raw", "clean")
        frame = pl.concat([even, odd])
    item = pl.int_range(pl.len()).over("row") if isinstance(before.dtype, pl.List) else pl.lit(0)
    cells = frame.select(
        pl.col("row").cast(pl.Int64),
        item.cast(pl.Int64).alias("item"),
        pl.col("raw").cast(pl.String),
        pl.col("clean").cast(pl.String).fill_null(""),
    ).filter(pl.col("raw").str.strip_chars() != "")
    marks = [mark for mark in spec.missing if is_mark(mark)]
    kept = pl.col("raw").str.strip_chars().is_in(marks) & (pl.col("raw") == pl.col("clean"))
    return (cells.filter(~kept) if marks else cells).collect()


def _judge_numbers(result: ColumnAudit, columns: list[TypedColumn], assigned: Assigned) -> None:
    """Demands another number in every cell: by digits, or by letters and digits where there are few digits.

    Of the numbers of one shape some stay, and some become each other's, by chance: expected are n/S and
    n*N/S, where n is how many there are here, N in all columns of the kind, S how many there can be.
    """
    for kind in NUMBERED:
        of_kind = [column for column in columns if column.spec.kind is kind]
        real = Counter(
            shape
            for value in {p.raw for c in of_kind for p in c.pairs}
            for shape in [_shape(number_core(value))]
        )
        values = {number_core(pair.raw) for column in of_kind for pair in column.pairs}
        figures = result.kinds.get(kind.value, KindFigures())
        for column in of_kind:
            shapes: Counter[str] = Counter()
            stayed = met = wrong = 0
            for raw, clean in column.pairs:
                before, after = number_core(raw), number_core(clean)
                if not any(char.isalnum() for char in before) or not before.strip("0"):
                    figures.constants += 1
                    continue
                shapes[_shape(before)] += 1
                if "@" in raw:
                    wrong += _host_stays(raw, clean)
                if before == after:
                    stayed += 1
                elif not after:
                    wrong += 1
                elif after in values:
                    met += kind is not ColumnKind.PHONE or after not in assigned.phones
            expected = sum(n / _room(shape) for shape, n in shapes.items())
            meeting = sum(min(n, n * real[shape] / _room(shape)) for shape, n in shapes.items())
            bound = _bound(expected) + _bound(meeting)
            figures.coincidences += min(stayed + met, bound)
            figures.bound += bound
            _note(result, column, figures, wrong + max(0, stayed - _bound(expected)))
            _note(result, column, figures, max(0, met - _bound(meeting)))


def _shape(core: str) -> str:
    return "".join("9" if char.isdigit() else "a" if char.isalpha() else char for char in core)


def _room(shape: str) -> float:
    """Returns how many numbers there can be of one shape; letters in front of digits are kept."""
    count = shape.count("9")
    inner = shape.lstrip("a") if count else ""
    return max(1.0, 0.9 * 10.0**count * 26.0 ** inner.count("a"))


def _bound(expected: float) -> int:
    return 0 if expected < CHANCE_BELOW else FEW + math.ceil(3 * expected)


def _host_stays(raw: str, clean: str) -> bool:
    before, after = (text.rpartition("@")[2].strip(" >").lower() for text in (raw, clean))
    return before == after and "." in before and not is_public_host(before)


def _judge_dates(result: ColumnAudit, columns: list[TypedColumn]) -> None:
    """Demands one offset of days in all dates of the dataset, and one of years in all bare years."""
    offsets: dict[str, Counter[int]] = {}
    years: Counter[int] = Counter()
    for column in columns:
        figures = result.kinds[column.spec.kind.value]
        form = column.spec.date_format
        unread = 0
        for raw, clean in column.pairs:
            before, after = _day(raw, form), _day(clean, form)
            if raw == clean and (is_mark(raw) or (before is not None and before.year == OPEN_END)):
                figures.constants += 1
            elif before is None:
                if not digits(raw).strip("0"):
                    figures.constants += 1
                elif digits(raw) == digits(clean):
                    unread += 1
            elif after is None:
                unread += 1
            elif form is not None and not any(part in form for part in ("d", "j", "e", "c", "x", "D")):
                years[after.year - before.year] += 1
            else:
                offsets.setdefault(column.place, Counter())[(after - before).days] += 1
        _note(result, column, figures, unread)
    total = sum(offsets.values(), Counter())
    common = total.most_common(1)[0][0] if total else 0
    for column in columns:
        if "%y" in (column.spec.date_format or "") and column.place in offsets:
            offsets[column.place] = _without_century(offsets[column.place], common)
    moved = round(common / _DAYS_A_YEAR) if total else (years.most_common(1)[0][0] if years else 0)
    for column in columns:
        own = offsets.get(column.place, Counter())
        _note(
            result, column, result.kinds[column.spec.kind.value], own.total() - (own[common] if common else 0)
        )
    odd = years.total() - (years[moved] if moved else 0)
    if odd:
        result.kinds[ColumnKind.DATE.value].unmoved += odd
        result.places["years"] += odd


def _day(text: str, form: str | None) -> date | None:
    """Returns the date that a cell states in the form of its column, or at its beginning in ISO 8601."""
    moment = parse_written(text, form)
    if moment is None:
        try:
            return date.fromisoformat(text.strip()[:10])
        except ValueError:
            return None
    return moment.date() if isinstance(moment, datetime) else moment


def _without_century(offsets: Counter[int], common: int) -> Counter[int]:
    """Returns the offsets of dates that do not tell their century: a whole one off is none."""
    found: Counter[int] = Counter()
    for offset, count in offsets.items():
        near = abs(abs(offset - common) - _DAYS_A_CENTURY) <= 1
        found[common if near else offset] += count
    return found


def _judge_money(result: ColumnAudit, columns: list[TypedColumn]) -> None:
    """Demands one whole factor above one between all amounts of the dataset."""
    ratios: dict[str, Counter[Fraction]] = {}
    for column in columns:
        for raw, clean in column.pairs:
            if digits(raw).strip("0"):
                ratios.setdefault(column.place, Counter())[_ratio(raw, clean, column.spec.decimal_mark)] += 1
            else:
                result.kinds[ColumnKind.MONEY.value].constants += 1
    total = sum(ratios.values(), Counter())
    common = total.most_common(1)[0][0] if total else Fraction(0)
    factor = common if common > 1 and common.denominator == 1 else None
    for column in columns:
        own = ratios.get(column.place, Counter())
        kept = own[factor] if factor is not None else 0
        _note(result, column, result.kinds[ColumnKind.MONEY.value], own.total() - kept)


def _ratio(raw: str, clean: str, decimal_mark: str) -> Fraction:
    """Returns the ratio of two amounts: of numbers exactly, of any other writing by digits alone."""
    before, after = parse_number(raw, decimal_mark), parse_number(clean, decimal_mark)
    if before is None or after is None or not before:
        return Fraction(int(digits(clean) or 0), int(digits(raw)))
    exact = Fraction(after) / Fraction(before)
    near = round(exact)  # binary fractions are off in the last place
    return Fraction(near) if abs(exact - near) < Fraction(1, 10**9) else exact


def _judge_marks(result: ColumnAudit, columns: list[TypedColumn]) -> None:
    """Demands that hashes, ids and places of our own rows are other ones; a path may name nobody."""
    for column in columns:
        name = column.place.rpartition(".")[2]
        if name == "path":
            continue
        figures = result.kinds[ColumnKind.PROVENANCE.value]
        _note(result, column, figures, sum(raw == clean for raw, clean in column.pairs))
