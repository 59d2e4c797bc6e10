"""Tables: one canonical table after the other, raw in, clean out, with the ledger of what was written.

Typed columns go through the registry value by value; text goes through detection with the context of its
row. The ledger holds offsets in clean cells only, never a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from anonymize.cells import Cells
from anonymize.contexts import LARGEST_SCOPE, Participants, RecordScope, day_of, rows_of
from anonymize.detection import CleanText
from anonymize.event_cells import VALUES, event_value, events_in
from anonymize.findings import Context, LinkedSpan
from anonymize.forms import words_of
from anonymize.kit import Kit
from anonymize.ledger import LedgerRow
from anonymize.table_shapes import table_shape, without_missing
from anonymize.words import ordinary_words
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table

UNTOUCHED = (ColumnKind.QUANTITY, ColumnKind.RATE, ColumnKind.MEASURE, ColumnKind.CODE, ColumnKind.FLAG)
HEADER_IDS = frozenset({"header_id", "in_reply_to", "references", "uid"})
NAMELESS = frozenset(
    {"source", "kind", "from_table", "from_column", "to_table", "to_column", "method", "reason"}
)
"""Columns of fixed tables whose values are words of our own."""
_DATES = (ColumnKind.DATE, ColumnKind.DATETIME)


LinkKey = tuple[str, str, str]
"""Table, raw row id, column."""


@dataclass
class CleanedTable:
    """A table after replacement."""

    frame: pl.DataFrame
    ledger: list[LedgerRow] = field(default_factory=list)
    linked: dict[LinkKey, CleanText] = field(default_factory=dict)
    """The cells that links point into."""


class TableCleaner:
    """Replaces everything real in one canonical table after the other."""

    def __init__(self, kit: Kit, participants: Participants, links: dict[LinkKey, list[LinkedSpan]]) -> None:
        """`links` are the spans of text that the archive's links match, by cell."""
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
            table_shape(columns, [key for key in keys if key in frame.columns]),
            prefix,
            {
                column: columns[column].date_format
                for column in frame.columns
                if column in columns and columns[column].kind in _DATES
            },
        )
        contexts = self._contexts(work, scope)
        result = CleanedTable(frame)
        series = []
        for column in frame.columns:
            spec = columns.get(column, ColumnSpec(kind=ColumnKind.TEXT))
            series.append(self._column(work, result, column, spec, contexts, scope))
        result.frame = pl.DataFrame(series)
        return result

    def _contexts(self, work: _Work, scope: RecordScope) -> list[Context]:
        if is_record_table(work.name):
            return [scope.context(row) for row in rows_of(work.known, scope.columns)]
        if "message_id" in work.frame.columns:
            return [self._participants.message(value or "") for value in work.frame["message_id"].to_list()]
        if "ticket_id" in work.frame.columns:
            tickets = [self._participants.ticket(value or "") for value in work.frame["ticket_id"].to_list()]
            if "at" not in work.frame.columns:
                return tickets
            days = [day_of(value) for value in work.frame["at"].to_list()]
            return [
                Context(context.persons, context.companies, day or context.reference)
                for context, day in zip(tickets, days, strict=True)
            ]
        return [Context()] * work.frame.height

    def _column(
        self,
        work: _Work,
        result: CleanedTable,
        column: str,
        spec: ColumnSpec,
        contexts: list[Context],
        scope: RecordScope,
    ) -> pl.Series:
        series = work.frame[column]
        if spec.kind in UNTOUCHED and series.dtype != pl.String:
            return series
        if spec.kind is ColumnKind.MONEY and series.dtype.is_numeric():
            scaled = series * self._kit.scale.factor
            for row, value in enumerate(scaled.cast(pl.String).to_list()):
                if value is not None:
                    result.ledger.append(LedgerRow(work.name, row, column, 0, 0, len(value), spec.kind.value))
            return scaled
        if not isinstance(series.dtype, pl.String | pl.List):
            return series
        if column in NAMELESS and not is_record_table(work.name):
            return series
        if spec.kind in UNTOUCHED and spec.kind is not ColumnKind.CODE:
            return series
        replace = _unmarked(self._replacer(work, column, spec, contexts, scope), spec)
        values = series.to_list()
        clean: list[Any] = []
        for row, value in enumerate(values):
            items = value if isinstance(value, list) else [value]
            new = [
                self._item(work, result, column, spec, row, place, item, replace)
                for place, item in enumerate(items)
            ]
            clean.append(new if isinstance(value, list) else new[0])
        return pl.Series(column, clean, dtype=series.dtype)

    def _item(
        self,
        work: _Work,
        result: CleanedTable,
        column: str,
        spec: ColumnSpec,
        row: int,
        place: int,
        item: str | None,
        replace: Replace,
    ) -> str | None:
        if item is None or item == "":
            return item
        new = replace(item, row)
        if isinstance(new, str):
            result.ledger.append(LedgerRow(work.name, row, column, place, 0, len(new), spec.kind.value))
            return new
        spans = new.spans or ()
        for span in spans:
            result.ledger.append(LedgerRow(work.name, row, column, place, span.start, span.end, span.kind))
        if not spans:
            result.ledger.append(LedgerRow(work.name, row, column, place, -1, -1, ""))
        key = (work.name, work.ids[row], column)
        if key in self._links:
            result.linked[key] = new
        return new.text

    def _replacer(
        self, work: _Work, column: str, spec: ColumnSpec, contexts: list[Context], scope: RecordScope
    ) -> Replace:
        cells, kind = self._cells, spec.kind
        text = self._text_replacer(work, column, kind, contexts)
        if work.name == "ticket_events" and column in VALUES:
            return self._event_replacer(work, text)
        if kind is ColumnKind.PROVENANCE and column != "path":
            return _cached(lambda value: cells.provenance(value, column))
        if kind is ColumnKind.CODE:
            return _cached(cells.code)
        if column in HEADER_IDS and not is_record_table(work.name):
            return _cached(cells.header_id)
        if kind is ColumnKind.MAILBOX:
            return lambda value, row: cells.mailbox(value) or text(value, row)
        if kind is ColumnKind.PERSON:
            return self._person_replacer(work, column, spec, scope, text)
        if kind in (
            ColumnKind.TEXT,
            ColumnKind.FILENAME,
            ColumnKind.PROVENANCE,
            ColumnKind.CATEGORY,
            ColumnKind.URL,
        ):
            return text
        whole: dict[str, str | None] = {}

        def typed(value: str, row: int) -> str | CleanText:
            if value not in whole:
                whole[value] = cells.whole(value, spec)
            new = whole[value]
            return text(value, row) if new is None else new

        return typed

    def _event_replacer(self, work: _Work, text: Replace) -> Replace:
        events = events_in(work.frame)

        def value(cell: str, row: int) -> str | CleanText:
            new = event_value(self._cells, self._kit.registry, events[row], cell)
            return text(cell, row) if new is None else new

        return value

    def _text_replacer(self, work: _Work, column: str, kind: ColumnKind, contexts: list[Context]) -> Replace:
        cells = self._cells
        if kind is ColumnKind.CATEGORY:
            return self._category_replacer(work.frame[column], contexts)
        cache: dict[tuple[str, Context], CleanText] = {}
        filename = kind in (ColumnKind.FILENAME, ColumnKind.PROVENANCE)

        def text(value: str, row: int) -> CleanText:
            links = tuple(self._links.get((work.name, work.ids[row], column), ()))
            around = contexts[row]
            context = Context(
                around.persons,
                around.companies,
                around.reference,
                links,
                filename,
                column == "body_signature",
            )
            key = (value, context)
            if key not in cache:
                cache[key] = cells.text(value, context)
            return cache[key]

        return text

    def _category_replacer(self, series: pl.Series, contexts: list[Context]) -> Replace:
        """Replaces each distinct value of a closed list alike in all rows, as a file name among their people.

        A value of ordinary words names nobody: a company called "Energy" is no reason to change a trade.
        """
        around: dict[str, tuple[dict[int, None], dict[int, None]]] = {}
        for row, value in enumerate(series.to_list()):
            for item in value if isinstance(value, list) else [value]:
                persons, companies = around.setdefault(item or "", ({}, {}))
                if len(persons) < LARGEST_SCOPE and len(companies) < LARGEST_SCOPE:
                    persons.update(dict.fromkeys(contexts[row].persons))
                    companies.update(dict.fromkeys(contexts[row].companies))
        cache: dict[str, CleanText] = {}

        def category(value: str, row: int) -> CleanText:
            if value not in cache:
                words = words_of(value)
                persons, companies = around[value]
                context = Context(tuple(persons), tuple(companies), filename=True)
                names_nobody = all(word in ordinary_words() for word in words)
                cache[value] = CleanText(value, ()) if names_nobody else self._cells.text(value, context)
            return cache[value]

        return category

    def _person_replacer(
        self, work: _Work, column: str, spec: ColumnSpec, scope: RecordScope, text: Replace
    ) -> Replace:
        cells = self._cells
        if not is_record_table(work.name):
            if "from_address" not in work.frame.columns:
                return lambda value, row: cells.person(value, None, spec.part) or text(value, row)
            addresses = work.frame["from_address"].to_list()
            return lambda value, row: cells.display_name(value, addresses[row] or "")
        group = spec.person or ("" if spec.part in ("first", "last") else column)
        rows = rows_of(work.known, scope.columns)

        def person(value: str, row: int) -> str | CleanText:
            return cells.person(value, scope.person(rows[row], group), spec.part) or text(value, row)

        return person


Replace = Callable[[str, int], "str | CleanText"]
"""Replaces a value in a row: a string where the whole cell was written, else the text with its spans."""


class _Work:
    def __init__(self, name: str, frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> None:
        self.name, self.frame, self.columns = name, frame, columns
        self.known = without_missing(frame, columns)
        key = FIXED_TABLES[name].key if name in FIXED_TABLES else RECORD_ID.name
        self.ids = frame[key].to_list() if key in frame.columns else [""] * frame.height


def _unmarked(replace: Replace, spec: ColumnSpec) -> Replace:
    """Leaves the values of a column alone that its spec declares to stand for no value."""
    if not spec.missing:
        return replace
    marks = frozenset(spec.missing)
    return lambda value, row: CleanText(value, ()) if value.strip() in marks else replace(value, row)


def _cached(function: Callable[[str], str | CleanText]) -> Replace:
    known: dict[str, str | CleanText] = {}

    def replace(value: str, row: int) -> str | CleanText:
        if value not in known:
            known[value] = function(value)
        return known[value]

    return replace
