"""Links between systems: identifiers, amounts and participants that match records.

Three kinds. `identifier`: text or a cell names a record (methods id, context, cell, reference).
`amount`: text states the amount of a record that it, its thread or its ticket names, or of a record that
refers to such a one or is referred to by it (exact, rounded; less certain the longer the way).
`participant`: an address or login belongs to a record (email, login, domain).

Everything is joined in columns, a stretch of rows at a time; only texts that hold a known identifier, and
amounts beside one, are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from archive.link_amounts import amount_links
from archive.link_index import LinkIndex
from archive.link_rows import FOUND, Stretch, found_rows, shared
from archive.participants import address_links, login_links
from archive.records import RecordTable
from archive.store import TableStore
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind

TEXT_COLUMNS: dict[str, tuple[str, ...]] = {
    "messages": ("subject", "body_own", "body_quoted"),
    "attachments": ("filename", "text"),
    "calendar_items": ("summary", "description", "location"),
    "tickets": ("summary", "description"),
    "ticket_events": ("new_value",),
    "comments": ("body",),
    "documents": ("title",),
    "revisions": ("title", "text"),
    "revision_events": ("new_value",),
}
"""Columns in which identifiers and amounts are looked for, besides the text columns of record tables."""
_GROUPS = {"messages": "thread_id", "attachments": "message_id", "calendar_items": "message_id"}
_GROUPS |= dict.fromkeys(("tickets", "ticket_events", "comments"), "ticket_id")
_GROUPS |= dict.fromkeys(("documents", "revisions", "revision_events"), "document_id")
_LOGINS = {
    "tickets": ("reporter", "assignee", "creator"),
    "ticket_events": ("author",),
    "comments": ("author",),
}
_ADDRESSES = {
    "messages": ("from_address", "to", "cc", "bcc", "reply_to"),
    "calendar_items": ("organizer", "attendees"),
}
_MENTIONS = pl.Schema(
    {
        "row": pl.UInt32(),
        "from_column": pl.String(),
        "start": pl.Int64(),
        "end": pl.Int64(),
        "target": pl.UInt32(),
        "column": pl.UInt16(),
        "method": pl.String(),
    }
)
_NAMED = pl.Schema({"row": pl.UInt32(), "number": pl.UInt32()})
_MEANT = pl.Schema({"group": pl.String(), "number": pl.UInt32()})


def find_links(store: TableStore, records: Sequence[RecordTable]) -> Iterator[pl.DataFrame]:
    """Yields the table of links of an archive, a stretch of rows at a time, in a fixed order.

    Args:
        store: holds messages, attachments, calendar items, tickets and all other fixed tables.
        records: the company's own tables.
    """
    tickets = store.read("tickets", ["ticket_id", "ticket_key"])
    finder = _Finder(store, LinkIndex(records, tickets))
    for table in sorted(records, key=lambda table: table.name):
        yield from finder.of_records(table)
    for name in TEXT_COLUMNS:
        yield from finder.of_fixed(name)


class _Finder:
    """Finds the links of rows; knows which records each conversation names."""

    def __init__(self, store: TableStore, index: LinkIndex) -> None:
        self.store = store
        self.index = index
        self.threads = store.read("messages", ["message_id", "thread_id"])
        self.mentions: dict[str, list[pl.DataFrame]] = {name: [] for name in TEXT_COLUMNS}
        meant = [pl.DataFrame(schema=_MEANT)]
        for name, columns in TEXT_COLUMNS.items():
            wanted = list(dict.fromkeys((FIXED_TABLES[name].key, _GROUPS[name], *columns)))
            for frame in store.frames(name, wanted):
                found = self._mentioned(frame, columns)
                self.mentions[name].append(found)
                own = self._own(found, frame[FIXED_TABLES[name].key])
                groups = self._groups(name, frame).join(own, on="row")
                meant.append(groups.select("group", "number").unique())
        self.meant = pl.concat(meant).unique()
        """(group, number): records that a conversation names."""

    def of_records(self, table: RecordTable) -> Iterator[pl.DataFrame]:
        """The links of a record table, a row group at a time."""
        specs, index = table.specs, self.index
        logins = index.logins_of(table)
        emails = [name for name, spec in specs.items() if spec.kind is ColumnKind.EMAIL]
        texts = [name for name, spec in specs.items() if spec.kind is ColumnKind.TEXT]
        used = list(dict.fromkeys((RECORD_ID.name, *logins, *emails, *texts)))
        first = index.first[table.name]
        for frame in self.store.frames(table.name, used):
            ids = frame[RECORD_ID.name]
            stretch = Stretch(table.name, ids, index)
            for column in index.references_of(table):
                stretch.add(self._cells(table.name, column, first, len(ids)))
            for column in logins:
                stretch.add(login_links(frame[column], column, index))
            for column in emails:
                stretch.add(address_links(frame[column], column, index, ids))
            mentions = self._mentioned(frame, texts)
            stretch.add(_identifiers(mentions, index))
            own = self._own(mentions, ids)
            for column in texts:
                stretch.add(amount_links(frame[column], column, own, own.clear(), index))
            first += frame.height
            yield stretch.links()

    def of_fixed(self, name: str) -> Iterator[pl.DataFrame]:
        """The links of a fixed table, a row group at a time."""
        key, texts = FIXED_TABLES[name].key, TEXT_COLUMNS[name]
        addresses, logins = _ADDRESSES.get(name, ()), _LOGINS.get(name, ())
        used = list(dict.fromkeys((key, _GROUPS[name], *addresses, *logins, *texts)))
        for number, frame in enumerate(self.store.frames(name, used)):
            ids = frame[key]
            stretch = Stretch(name, ids, self.index)
            for column in addresses:
                stretch.add(address_links(frame[column], column, self.index, ids))
            for column in logins:
                stretch.add(login_links(frame[column], column, self.index))
            mentions = self.mentions[name][number]
            stretch.add(_identifiers(mentions, self.index))
            own = self._own(mentions, ids)
            groups = self._groups(name, frame).join(self.meant, on="group")
            group = groups.select("row", "number").join(own, on=["row", "number"], how="anti")
            for column in texts:
                stretch.add(amount_links(frame[column], column, own, group, self.index))
            yield stretch.links()

    def _mentioned(self, frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
        """Where the texts of rows name records."""
        found: list[tuple[object, ...]] = []
        for column in columns:
            texts = frame[column]
            rows, identifiers = self.index.identifiers_in(texts)
            for row, text in zip(rows, texts.gather(rows), strict=True):
                for mention in identifiers.mentions(text):
                    place = (row, column, mention.start, mention.end)
                    found.extend((*place, *target, mention.method) for target in mention.targets)
        return pl.DataFrame(found, schema=_MENTIONS, orient="row")

    def _own(self, mentions: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
        """(row, number): the records that rows name, themselves left out."""
        named = mentions.select("row", pl.col("target").alias("number")).unique()
        others = self.index.ids.gather(named["number"]) != ids.gather(named["row"])
        return named.filter(others).cast(_NAMED)

    def _groups(self, name: str, frame: pl.DataFrame) -> pl.DataFrame:
        """(row, group): the conversation whose other texts may name the record that an amount belongs to."""
        groups = frame.select(pl.col(_GROUPS[name]).alias("group")).with_row_index("row")
        if _GROUPS[name] != "message_id":
            return groups.drop_nulls()
        joined = groups.join(self.threads, left_on="group", right_on="message_id", how="left")
        return joined.select("row", pl.coalesce("thread_id", "group").alias("group"))

    def _cells(self, table: str, column: str, first: int, height: int) -> pl.DataFrame:
        """The links of a column's whole cells in consecutive rows."""
        cells = self.index.cells[table, column]
        edges = pl.Series([first, first + height], dtype=pl.UInt32)
        begin, end = cells["number"].search_sorted(edges, side="left").to_list()
        found = cells.slice(begin, end - begin).with_columns(
            (pl.col("number") - first).alias("row"), pl.lit(1.0).alias("certainty")
        )
        return found_rows("identifier", column, shared(found, ["row"], self.index))


def _identifiers(mentions: pl.DataFrame, index: LinkIndex) -> pl.DataFrame:
    certainty = pl.when(pl.col("method") == "context").then(0.95).otherwise(1.0).alias("certainty")
    found = shared(mentions.with_columns(certainty), ["row", "from_column", "start"], index)
    return found.select(pl.lit("identifier").alias("kind"), pl.col(FOUND[1:]))
