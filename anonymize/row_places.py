"""Where rows stood in raw files, made untelling: the order of clean tables and their locators.

Belongs here: the keyed order of rows, raw tables read in that order, places as tokens. Does not belong here:
what stands in the rows (`tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import polars as pl

from anonymize.detection import CleanText, WrittenSpan
from anonymize.findings import FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.vault import raw_tables
from anonymize.zone_offsets import MOMENTS, common_offsets, settled
from archive.home import DatasetHome
from archive.resolved import stored_manifest
from archive.store import TableStore, empty_frame
from contracts.tables import CALENDAR_FACTS, FIXED_TABLES, RECORD_ID, is_record_table

Digest = Callable[[str], str]
"""The clean form of one of our own row ids."""

PLACE = ("source", "path", "locator")
"""What together says where a row stood."""
_PARENTS = {
    "attachments": "message_id",
    "calendar_items": "message_id",
    "ticket_events": "ticket_id",
    "comments": "ticket_id",
    "revisions": "document_id",
    "revision_events": "document_id",
}
"""Tables whose rows have an order within one mail, ticket or document: that one stays."""
_RUN = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
_NUMBERED = re.compile(r"\d+(?:\.\D*)?")
_TIMED = re.compile(r"\d{9,}\.[^,:;!]+")
"""The unique part of the name of a maildir's file."""
_COUNT = 8
_TELLING = 5
"""Digits of a name from which they count or time a file."""
_PLAIN = frozenset({"source_counts", CALENDAR_FACTS.name})
"""Tables in an order of their own, which tells of no raw row."""


class RowOrder:
    """The order of clean tables: by clean ids, so that it tells what the ids tell, which is nothing.

    What belongs to one mail, ticket or document stays in its order behind the clean id of that.
    """

    def __init__(self, key: DatasetKey) -> None:
        """Derives what orders the rows of one dataset."""
        self._digest: Digest = IdentifierMap(key.derive("identifiers"), 0).provenance

    def columns(self, name: str) -> tuple[str, ...]:
        """Returns the columns of a table by which its rows are ordered; none where their order stays."""
        if name in _PLAIN:
            return ()
        if name in _PARENTS:
            return (_PARENTS[name],)
        if is_record_table(name):
            return (RECORD_ID.name,)
        return PLACE if name == "quarantine" else (FIXED_TABLES[name].key,)

    def ordered(self, name: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Returns the raw rows of a table in the order that its clean rows have."""
        rows = self.rows(name, frame)
        return frame if rows is None else frame[rows]

    def rows(self, name: str, frame: pl.DataFrame) -> pl.Series | None:
        """Returns which raw row each clean row is, or None where the order stays."""
        columns = [column for column in self.columns(name) if column in frame.columns]
        if not columns:
            return None
        whole = pl.concat_str([pl.col(column).fill_null("") for column in columns], separator="\x00")
        ids = frame.select(whole.alias("id"))["id"]
        known = {value: self._digest(value) for value in ids.unique(maintain_order=True).to_list()}
        marks = pl.DataFrame({"mark": [known[value] for value in ids.to_list()]}).with_row_index("row")
        return marks.sort("mark", maintain_order=True)["row"]


class OrderedTables(TableStore):
    """Raw tables as replacement takes them, so that both sides agree row by row: in clean order, and moments
    with offsets that tell of nobody.
    """

    def __init__(self, raw: TableStore, key: DatasetKey, zones: Sequence[str] = ("UTC",)) -> None:
        """Opens the folder of a store again; `zones` are the company's own."""
        super().__init__(raw.folder, private=raw.private, sealing=raw.sealing)
        self._order, self._zones = RowOrder(key), tuple(zones)
        self._rows: dict[str, pl.Series | None] = {}

    def read(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Returns a stored table in clean order, with some columns or all.

        Raises:
            StoreError: there is no such table, with the names that exist; or it is sealed under another key.
        """
        if name in MOMENTS and columns is not None:
            return self.read(name).select(columns)
        frame = super().read(name, columns)
        if name in MOMENTS:
            frame = settled(name, frame, self._common)
        if name not in self._rows:
            needed = [column for column in self._order.columns(name) if column in self.columns(name)]
            self._rows[name] = self._order.rows(name, super().read(name, needed))
        rows = self._rows[name]
        return frame if rows is None else frame[rows]

    @cached_property
    def _common(self) -> frozenset[int]:
        if not self.has("messages"):
            return common_offsets(empty_frame(FIXED_TABLES["messages"]), self._zones)
        return common_offsets(super().read("messages", ["sent_at", "from_address"]), self._zones)

    def frames(self, name: str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yields a stored table in clean order as one frame: no part of the file is a part of that order."""
        yield self.read(name, columns)

    def scan(self, name: str) -> pl.LazyFrame:
        """Returns a stored table in clean order as a lazy query."""
        return self.read(name).lazy()


def raw_in_clean_order(home: DatasetHome, key: DatasetKey) -> OrderedTables:
    """Returns the raw tables of a dataset, opened with its key, their rows in the order of the clean ones."""
    raw = raw_tables(home, key)
    return OrderedTables(raw, key, stored_manifest(raw).company.zones)


def whole_places(frame: pl.DataFrame) -> pl.Series:
    """Returns the locators of a table with source and file, which are what makes a place one of its own.

    A token of "row 2" alone would be the commonest one, and tell itself.
    """
    parts = [pl.col(column).fill_null("") for column in PLACE if column in frame.columns]
    whole = pl.concat_str(parts, separator="\x00")
    place = pl.when(pl.col("locator").fill_null("") == "").then(pl.col("locator")).otherwise(whole)
    return frame.select(place.alias("locator"))["locator"]


def coarse_sizes(series: pl.Series) -> pl.Series:
    """Returns sizes in bytes rounded up to powers of two: the exact one tells a file among all others."""
    sizes = [None if size is None else coarse(size) for size in series.to_list()]
    return pl.Series(series.name, sizes, dtype=series.dtype)


def untold_place(
    clean: CleanText, shaped: Callable[[str], str], counted: Callable[[str, str], str], years: int
) -> CleanText:
    """Returns a path without the numbers by which files were counted, timed, measured or called after a year.

    A year moves with all dates. A name that is a number becomes one of eight digits, whatever its size. A run
    of five digits or more in a name becomes another one; so does every number in the name of a maildir's
    file, which is made of a time, a process and a count. A size in such a name becomes a power of two.

    Args:
        clean: the path after replacement.
        shaped: replaces digits by as many others.
        counted: does so for a file's number in a folder; what it gives in two folders tells nothing.
        years: by which a year moves.
    """
    text, name = clean.text, clean.text.rfind("/") + 1
    timed = _TIMED.match(text, name)
    numbered = _NUMBERED.fullmatch(text, name)
    found: list[tuple[int, int, str]] = []
    for run in _RUN.finditer(text):
        start, end = run.span()
        written = run.group()
        if any(span.start < end and start < span.end for span in clean.spans):
            continue
        if start >= name and text[start - 2 : start] in ("S=", "W="):
            found.append((start, end, str(coarse(int(written)))))
        elif _YEAR.fullmatch(written):
            found.append((start, end, str(int(written) + years)))
        elif start >= name and numbered:
            found.append((start, end, counted(written.zfill(_COUNT), text[:name])))
        elif start >= name and (end - start >= _TELLING or (timed and end <= timed.end())):
            found.append((start, end, shaped(written)))
    return _with(clean, found)


def _with(clean: CleanText, found: list[tuple[int, int, str]]) -> CleanText:
    """Returns a clean text with further replacements at places that no span covers, all in order."""
    pieces, spans = [], []
    done = size = 0
    for start, end, kind, new in sorted(
        [(start, end, FindingKind.IDENTIFIER.value, new) for start, end, new in found]
        + [(span.start, span.end, span.kind, clean.text[span.start : span.end]) for span in clean.spans]
    ):
        pieces += [clean.text[done:start], new]
        at = size + start - done
        size, done = at + len(new), end
        raw = [span for span in clean.spans if span.end <= start]
        shift = raw[-1].raw_end - raw[-1].end if raw else 0
        own = next((span for span in clean.spans if span.start == start and span.end == end), None)
        places = (own.raw_start, own.raw_end) if own is not None else (start + shift, end + shift)
        spans.append(WrittenSpan(*places, at, size, kind))
    return CleanText("".join(pieces) + clean.text[done:], tuple(spans))


def coarse(size: int) -> int:
    """Returns the power of two that holds a size."""
    return 1 << max(0, size - 1).bit_length()
