"""Tables: one canonical table after the other, raw in, clean out, with the ledger of what was written.

Typed columns go through the registry value by value; text goes through detection with the context of its
row. The ledger holds offsets in clean cells only, never a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from anonymize.cells import Cells
from anonymize.column_values import ByRow, ByValue, ColumnValues, Outcome, Place
from anonymize.contexts import LARGEST_SCOPE, Participants, RecordScope, day_of, rows_of
from anonymize.detection import CleanText
from anonymize.event_cells import VALUES, EventKind, event_value, events_in
from anonymize.findings import Context, LinkedSpan
from anonymize.forms import words_of
from anonymize.headings import headings
from anonymize.kit import Kit
from anonymize.ledger import LEDGER_SCHEMA
from anonymize.policy import BoundPolicy
from anonymize.row_places import coarse_sizes, untold_place, whole_places
from anonymize.table_shapes import shape_of, without_missing
from anonymize.words import ordinary_words
from contracts.manifest import ColumnSpec
from contracts.policy import Policy
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table

UNTOUCHED = (ColumnKind.QUANTITY, ColumnKind.RATE, ColumnKind.MEASURE, ColumnKind.CODE, ColumnKind.FLAG)
HEADER_IDS = frozenset({"header_id", "in_reply_to", "references", "uid"})
NAMELESS = frozenset(
    {"source", "kind", "from_table", "from_column", "to_table", "to_column", "method", "reason", "fault"}
)
"""Columns of fixed tables whose values are words of our own."""
_DATES = (ColumnKind.DATE, ColumnKind.DATETIME)
_FORESEEN = (ColumnKind.TEXT, ColumnKind.URL, ColumnKind.FILENAME)
"""Kinds of columns whose values are all read as texts."""


LinkKey = tuple[str, str, str]
"""Table, raw row id, column."""


@dataclass
class CleanedTable:
    """A table after replacement."""

    frame: pl.DataFrame
    ledger: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=LEDGER_SCHEMA))
    linked: dict[LinkKey, CleanText] = field(default_factory=dict)
    """The cells that links point into."""


class TableCleaner:
    """Replaces everything real in one canonical table after the other."""

    def __init__(
        self,
        kit: Kit,
        participants: Participants,
        links: dict[LinkKey, list[LinkedSpan]],
        policy: BoundPolicy | None = None,
    ) -> None:
        """`links` are the spans of text that the archive's links match, by cell."""
        self._policy = policy or BoundPolicy(Policy(), {}, {})
        self._kit = kit
        self._cells = Cells(kit)
        self._participants = participants
        self._links = links

    def clean(
        self, name: str, frame: pl.DataFrame, columns: dict[str, ColumnSpec], keys: list[str], prefix: str
    ) -> CleanedTable:
        """Returns the clean table; columns without a spec are treated as text."""
        work = _Work(name, frame, columns)
        scope = RecordScope(
            self._kit.registry,
            shape_of(work.known, columns, [key for key in keys if key in frame.columns]),
            prefix,
            {
                column: columns[column].date_format
                for column in frame.columns
                if column in columns and columns[column].kind in _DATES
            },
        )
        around = _Around(work, scope, self._participants)
        linked: dict[LinkKey, CleanText] = {}
        series, ledger = [], []
        for column in frame.columns:
            spec = columns.get(column, ColumnSpec(kind=ColumnKind.TEXT))
            new, written = self._column(work, linked, column, spec, around)
            series.append(new)
            ledger.append(written)
        nothing = pl.DataFrame(schema=LEDGER_SCHEMA)
        return CleanedTable(pl.DataFrame(series), pl.concat([nothing, *ledger]), linked)

    def _column(
        self,
        work: _Work,
        linked: dict[LinkKey, CleanText],
        column: str,
        spec: ColumnSpec,
        around: _Around,
    ) -> tuple[pl.Series, pl.DataFrame]:
        is_place = column == "locator" and spec.kind is ColumnKind.PROVENANCE
        series = whole_places(work.frame) if is_place else work.frame[column]
        untouched = series, pl.DataFrame(schema=LEDGER_SCHEMA)
        ruled = self._policy.column(work.name, series, spec, self._kit.shift, self._kit.scale.factor)
        if ruled is not None:
            return ruled.series, ruled.ledger
        if spec.kind is ColumnKind.MONEY and series.dtype.is_numeric():
            scaled = series * self._kit.scale.factor
            return scaled, _number_ledger(work.name, scaled, spec.kind.value)
        if column == "size_bytes" and not is_record_table(work.name):
            return coarse_sizes(series), untouched[1]
        if not isinstance(series.dtype, pl.String | pl.List):
            return untouched
        if column in NAMELESS and not is_record_table(work.name):
            return untouched
        if spec.kind in UNTOUCHED and spec.kind is not ColumnKind.CODE:
            return untouched
        replace = _unmarked(self._replacer(work, column, spec, around), spec)
        replace = _unheaded(replace, work.headings, self._cells)
        replace = self._policy.guarded(work.name, column, spec.kind, replace)
        values = ColumnValues(series)
        if spec.kind in _FORESEEN:
            self._kit.detector.foresee(values.distinct())
        done = values.replaced(Place(work.name, column, spec.kind.value), replace)
        for row, text in done.seen:
            key = (work.name, work.ids[row], column)
            if key in self._links:
                linked[key] = text
        return done.series, done.ledger

    def _replacer(self, work: _Work, column: str, spec: ColumnSpec, around: _Around) -> ByRow | ByValue:
        cells, kind = self._cells, spec.kind
        text = self._text_replacer(work, column, kind, around)
        if work.name == "ticket_events" and column in VALUES:
            files = self._text_replacer(work, column, ColumnKind.FILENAME, around)
            return self._event_replacer(work, text, files)
        if kind is ColumnKind.PROVENANCE and column != "path":
            return ByValue(lambda value: cells.provenance(value, column), text)
        if kind is ColumnKind.CODE:
            return ByValue(cells.code, text)
        if column in HEADER_IDS and not is_record_table(work.name):
            return ByValue(cells.header_id, text)
        if kind is ColumnKind.MAILBOX:
            return ByValue(cells.mailbox, text)
        if kind is ColumnKind.PERSON:
            return self._person_replacer(work, column, spec, around, text)
        if kind is ColumnKind.CATEGORY:
            category = self._category_replacer(work.frame[column], around)
            if work.name == "tickets" and column == "project":
                return ByValue(lambda value: cells.project(value) or category.value(value), category.row)
            return category
        if kind in (ColumnKind.TEXT, ColumnKind.FILENAME, ColumnKind.PROVENANCE, ColumnKind.URL):
            return text
        return ByValue(cells.wholly(spec), text)

    def _event_replacer(self, work: _Work, text: ByRow, files: ByRow) -> ByRow:
        events = events_in(work.frame)

        def value(cell: str, row: int) -> Outcome:
            new = event_value(self._cells, self._kit.registry, events[row], cell)
            if new is not None:
                return new
            return files(cell, row) if events[row].kind is EventKind.FILE else text(cell, row)

        return value

    def _text_replacer(self, work: _Work, column: str, kind: ColumnKind, around: _Around) -> ByRow:
        cells = self._cells
        cache: dict[tuple[str, Context], CleanText] = {}
        filename = kind in (ColumnKind.FILENAME, ColumnKind.PROVENANCE, ColumnKind.URL)
        placing = column == "path" and kind is ColumnKind.PROVENANCE
        ids, years = self._kit.identifiers, self._kit.shift.years

        def text(value: str, row: int) -> CleanText:
            links = tuple(self._links.get((work.name, work.ids[row], column), ())) if self._links else ()
            here = around.contexts[row]
            context = here._replace(links=links, filename=filename) if links or filename else here
            key = (value, context)
            if key not in cache:
                new = cells.text(value, context)
                cache[key] = untold_place(new, ids.shaped, ids.counted, years) if placing else new
            return cache[key]

        return text

    def _category_replacer(self, series: pl.Series, around: _Around) -> ByValue:
        """Replaces each distinct value of a closed list alike in all rows, as a file name among their people.

        A value of ordinary words names nobody: a company called "Energy" is no reason to change a trade.
        """
        scopes: dict[str, tuple[dict[int, None], dict[int, None]]] = {}
        for row, value in enumerate(series.to_list()):
            for item in value if isinstance(value, list) else [value]:
                if not item:
                    continue
                persons, companies = scopes.setdefault(item, ({}, {}))
                if len(persons) < LARGEST_SCOPE and len(companies) < LARGEST_SCOPE:
                    persons.update(dict.fromkeys(around.contexts[row].persons))
                    companies.update(dict.fromkeys(around.contexts[row].companies))

        def category(value: str) -> CleanText:
            if all(word in ordinary_words() for word in words_of(value)):
                return CleanText(value, ())
            persons, companies = scopes[value]
            return self._cells.text(value, Context(tuple(persons), tuple(companies), filename=True))

        return ByValue(category, lambda value, row: category(value))

    def _person_replacer(
        self, work: _Work, column: str, spec: ColumnSpec, around: _Around, text: ByRow
    ) -> ByRow | ByValue:
        cells = self._cells
        if not is_record_table(work.name):
            if "from_address" not in work.frame.columns:
                return ByValue(lambda value: cells.person(value, None, spec.part), text)
            addresses = work.frame["from_address"].to_list()
            return lambda value, row: cells.display_name(value, addresses[row] or "")
        group = spec.person or ("" if spec.part in ("first", "last") else column)
        known: dict[tuple[str, int | None], str | None] = {}

        def person(value: str, row: int) -> Outcome:
            key = (value, around.person(row, group))
            if key not in known:
                known[key] = cells.person(value, key[1], spec.part)
            return known[key] or text(value, row)

        return person


def _number_ledger(table: str, series: pl.Series, kind: str) -> pl.DataFrame:
    """Returns the ledger of a column of numbers that was written whole."""
    frame = pl.DataFrame({"value": series.cast(pl.String)}).with_row_index("row").drop_nulls("value")
    return frame.select(
        pl.lit(table).alias("table"),
        pl.col("row").cast(pl.Int64),
        pl.lit(series.name).alias("column"),
        pl.lit(0, pl.Int64).alias("item"),
        pl.lit(0, pl.Int64).alias("start"),
        pl.col("value").str.len_chars().cast(pl.Int64).alias("end"),
        pl.lit(kind).alias("kind"),
    )


class _Around:
    """Who the rows of a table speak of, found out when first asked for."""

    def __init__(self, work: _Work, scope: RecordScope, participants: Participants) -> None:
        self._work, self._scope, self._participants = work, scope, participants

    @cached_property
    def contexts(self) -> list[Context]:
        """Of every row."""
        work, participants = self._work, self._participants
        if is_record_table(work.name):
            return [self._scope.context(row) for row in self._rows]
        if "message_id" in work.frame.columns:
            return [participants.message(value or "") for value in work.frame["message_id"].to_list()]
        if "ticket_id" in work.frame.columns:
            tickets = [participants.ticket(value or "") for value in work.frame["ticket_id"].to_list()]
            if "at" not in work.frame.columns:
                return tickets
            days = [day_of(value) for value in work.frame["at"].to_list()]
            return [
                Context(context.persons, context.companies, day or context.reference)
                for context, day in zip(tickets, days, strict=True)
            ]
        return [Context()] * work.frame.height

    def person(self, row: int, group: str) -> int | None:
        """Of one set of columns in a row."""
        return self._scope.person(self._rows[row], group)

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return rows_of(self._work.known, self._scope.columns)


class _Work:
    def __init__(self, name: str, frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> None:
        self.name, self.frame, self.columns = name, frame, columns
        self.known = without_missing(frame, columns)
        self.headings = headings(frame, columns)
        key = FIXED_TABLES[name].key if name in FIXED_TABLES else RECORD_ID.name
        self.ids = frame[key].to_list() if key in frame.columns else [""] * frame.height


def _unheaded(replace: ByRow | ByValue, texts: frozenset[str], cells: Cells) -> ByRow | ByValue:
    """Replaces headings as texts, whatever their columns hold."""
    if not texts:
        return replace

    def heading(value: str) -> CleanText | None:
        return cells.text(value, Context()) if value in texts else None

    if isinstance(replace, ByValue):
        return ByValue(lambda value: heading(value) or replace.value(value), replace.row)
    return lambda value, row: heading(value) or replace(value, row)


def _unmarked(replace: ByRow | ByValue, spec: ColumnSpec) -> ByRow | ByValue:
    """Leaves the values of a column alone that its spec declares to stand for no value."""
    if not spec.missing:
        return replace
    marks = frozenset(spec.missing)

    def stays(value: str) -> CleanText | None:
        return CleanText(value, ()) if value.strip() in marks else None

    if isinstance(replace, ByValue):
        return ByValue(lambda value: stays(value) or replace.value(value), replace.row)
    return lambda value, row: stays(value) or replace(value, row)
