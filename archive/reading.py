"""One portion of a source as a part on disk: what a process does alone, without knowing of the others.

Belongs here: calling the reader of the format, rows of canonical tables, texts in one spelling. Does not
belong here: what needs the whole archive, as duplicates, threads and links (`archive.assembly`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from archive.batches import MAX_COLUMNS, TableBatch
from archive.database_source import database_batches
from archive.errors import ArchiveError
from archive.formats import DATABASES, MAIL, TABLES, TICKETS
from archive.identifiers import content_digest
from archive.mail_rows import mail_frames
from archive.mailbox import RawMessage, read_mbox_range, relative_path
from archive.message import ParsedMail, parse_mail
from archive.parts import PartSummary, PartTable, PartWriter
from archive.portions import Portion, is_readable_file
from archive.rejects import Reject
from archive.sealing import Sealing
from archive.store import RECORD_HEAD, polars_schema
from archive.textforms import composed
from archive.tickets import read_tickets
from contracts.manifest import Source
from contracts.tables import FIXED_TABLES

FAULTS = (Exception, pl.exceptions.PanicException)
"""Libraries raise anything on hostile bytes; a panic of polars is no `Exception`."""
_JOINED_AT_ONCE = 100
"""Columns hashed at one time."""
_MAILS_AT_ONCE = 4_000
_TICKETS_AT_ONCE = 4_000


class Errand(NamedTuple):
    """All that a process needs to read one portion; it travels between processes."""

    source: Source
    portion: Portion
    base: Path
    zone: ZoneInfo
    root: Path
    """Folder of parts."""
    key: str
    sealing: Sealing | None = None
    """The key under which the part is written."""


def read_portion(errand: Errand) -> str:
    """Reads a portion and lands its part; returns the part's key.

    A reader that breaks on a file costs that file, not the run: it goes to quarantine as "reader_failed".

    Raises:
        ArchiveError: the manifest asks for what the source cannot give, as a database that is not there.
    """
    maker = _PartMaker(errand, errand.key)
    try:
        maker.read(errand.portion.files)
    except ArchiveError:
        maker.drop()
        raise
    except FAULTS:
        maker.drop()
        maker = _PartMaker(errand, errand.key)
        try:
            maker.read_one_by_one()
        except BaseException:
            maker.drop()
            raise
    maker.land()
    return errand.key


class _PartMaker:
    """Makes one part: rows are written as they come, counts are kept."""

    def __init__(self, errand: Errand, key: str) -> None:
        self.errand = errand
        self.source = errand.source
        self.writer = PartWriter(errand.root, key, errand.sealing)
        self.units = 0
        self.kept = 0
        self.fixed: dict[str, int] = {}
        self.tables: dict[tuple[str, ...], PartTable] = {}
        self.full: list[PartTable] = []
        self.rejects: list[Reject] = []

    def land(self) -> None:
        tables = (*self.full, *self.tables.values())
        summary = PartSummary(self.units, self.kept, self.fixed, tables, tuple(self.rejects))
        self.writer.land(summary)

    def drop(self) -> None:
        self.writer.drop()

    def reject(self, reject: Reject) -> None:
        self.units += 1
        self.rejects.append(reject)

    def read(self, files: Sequence[Path]) -> None:
        base = self.errand.base
        plain = [file for file in files if is_readable_file(file, base)]
        for file in files:
            if file not in plain:
                reject = Reject(relative_path(file, base), "file", content_digest(b""), "not_a_plain_file", 0)
                self.reject(reject)
        if self.source.format in MAIL:
            self._read_mail(plain)
        elif self.source.format in TICKETS:
            left_out = frozenset(self.errand.portion.files) - frozenset(files)
            self._read_tickets(left_out)
        elif self.source.format in DATABASES:
            if plain or not files:
                self._read_tables(database_batches(self.source, base), "")
        else:
            read = TABLES[self.source.format].batches
            assert read is not None
            for file in plain:
                self._read_tables(read(file, base), relative_path(file, base))

    def read_one_by_one(self) -> None:
        """Reads each file once to see whether it can be read at all, and again where it can."""
        files = self.errand.portion.files
        good = [file for file in files if len(files) > 1 and self._is_readable([file])]
        together = self.source.format in TICKETS
        if together and len(good) > 1 and not self._is_readable(good):
            good = []
        for file in files:
            if file not in good:
                self.reject(_whole_file(file, relative_path(file, self.errand.base)))
            elif not together:
                self.read([file])
        if together and good:
            self.read(good)

    def _is_readable(self, files: Sequence[Path]) -> bool:
        probe = _PartMaker(self.errand, f"{self.errand.key}-probe")
        try:
            probe.read(files)
        except ArchiveError:
            raise
        except FAULTS:
            return False
        finally:
            probe.drop()
        return True

    def _read_mail(self, files: Sequence[Path]) -> None:
        mails: list[ParsedMail] = []
        for raw in self._messages(files):
            parsed = raw if isinstance(raw, Reject) else _parsed(raw)
            if isinstance(parsed, Reject):
                self.reject(parsed)
            else:
                self.units += 1
                self.kept += 1
                mails.append(parsed)
            if len(mails) >= _MAILS_AT_ONCE:
                self._add_mails(mails)
                mails = []
        self._add_mails(mails)

    def _messages(self, files: Sequence[Path]) -> Iterator[RawMessage | Reject]:
        read = MAIL[self.source.format].messages
        portion, base = self.errand.portion, self.errand.base
        assert read is not None
        for file in files:
            if self.source.format == "mbox":
                yield from read_mbox_range(file, base, portion.start, portion.end)
            else:
                yield from read(file, base)

    def _add_mails(self, mails: list[ParsedMail]) -> None:
        if mails:
            for name, frame in mail_frames(mails, self.source.name).items():
                self._add_fixed(name, frame)

    def _read_tickets(self, left_out: frozenset[Path]) -> None:
        rows: dict[str, list[dict[str, object]]] = {"tickets": [], "comments": [], "ticket_events": []}
        for ticket in read_tickets(self.source, self.errand.base, self.errand.zone, left_out):
            if isinstance(ticket, Reject):
                self.reject(ticket)
                continue
            self.units += 1
            self.kept += 1
            rows["tickets"].append(ticket.row)
            rows["comments"].extend(ticket.comments)
            rows["ticket_events"].extend(ticket.events)
            if len(rows["tickets"]) >= _TICKETS_AT_ONCE:
                self._add_tickets(rows)
                rows = {name: [] for name in rows}
        self._add_tickets(rows)

    def _add_tickets(self, rows: dict[str, list[dict[str, object]]]) -> None:
        for name, found in rows.items():
            self._add_fixed(name, pl.DataFrame(found, schema=polars_schema(FIXED_TABLES[name]), orient="row"))

    def _add_fixed(self, name: str, frame: pl.DataFrame) -> None:
        self.writer.add(name, composed_frame(frame))
        self.fixed[name] = self.fixed.get(name, 0) + frame.height

    def _read_tables(self, batches: Iterator[TableBatch], path: str) -> None:
        for read in batches:
            # A table may be called like its file, whose name may be no text.
            batch = read._replace(table=read.table.encode("utf-8", "backslashreplace").decode())
            if batch.frame.width > MAX_COLUMNS:
                name = f"{path} {batch.table}".strip()
                locator = "file" if path else batch.table
                told = content_digest("\n".join(batch.frame.columns).encode())
                self.reject(Reject(path or name, locator, told, "too_many_columns", 0))
                return
            self.units += batch.read
            self.kept += batch.frame.height
            self.rejects.extend(batch.rejects)
            if not batch.frame.width:
                continue
            shape = (batch.table, *batch.frame.columns)
            known = self.tables.get(shape)
            if known is not None and not self.writer.takes(known.file):
                self.full.append(self.tables.pop(shape))
                known = None
            file = known.file if known else f"rows-{len(self.tables) + len(self.full)}"
            rows = batch.frame.height + (known.rows if known else 0)
            place = path or batch.table
            first = known.path if known else place
            self.tables[shape] = PartTable(batch.table, file, rows, batch.key, first)
            self.writer.add(file, _placed(composed_frame(batch.frame), batch, place))


def _parsed(raw: RawMessage) -> ParsedMail | Reject:
    try:
        parsed = parse_mail(raw)
    except FAULTS:  # one hostile message must not cost its neighbours
        parsed = "reader_failed"
    if isinstance(parsed, ParsedMail):
        return parsed
    return Reject(raw.path, raw.locator, content_digest(raw.data), parsed, raw.size)


def _placed(frame: pl.DataFrame, batch: TableBatch, path: str) -> pl.DataFrame:
    """A batch with the place of each row and one content hash for all of them."""
    before, _, after = batch.place.partition("{}")
    locator = (pl.lit(before) + pl.col("locator").cast(pl.String) + pl.lit(after)).alias("locator")
    placed = pl.DataFrame({"locator": batch.numbers}).select(
        pl.lit(path).alias("path"), locator, pl.lit(_batch_digest(batch)).alias("content_hash")
    )
    return placed.hstack(frame)


def _batch_digest(batch: TableBatch) -> str:
    """SHA-256 over the cells of a batch, column by column; null differs from empty."""
    total = hashlib.sha256()
    names = batch.frame.columns
    for at in range(0, len(names), _JOINED_AT_ONCE):
        part = batch.frame.select(names[at : at + _JOINED_AT_ONCE])
        cells = part.select(pl.all().fill_null("\x00").str.join("\x1e")).row(0) if part.height else ()
        for name, joined in zip(part.columns, cells or [""] * part.width, strict=True):
            total.update(name.encode() + b"\x1d" + joined.encode() + b"\x1d")
    return total.hexdigest()


def _whole_file(path: Path, name: str) -> Reject:
    total = hashlib.sha256()
    size = 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                total.update(block)
                size += len(block)
    except OSError:
        return Reject(name, "file", total.hexdigest(), "unreadable_file", size)
    return Reject(name, "file", total.hexdigest(), "reader_failed", size)


_AS_WRITTEN = (*RECORD_HEAD[1:], "duplicate_key")
"""Where a row came from, by which its source is read again."""


def composed_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns a table with every text in one spelling, so that what looks alike is alike."""
    changed = []
    for series in frame.iter_columns():
        if series.name in _AS_WRITTEN or not len(series):
            continue
        if series.dtype == pl.String:
            if series.str.len_bytes().sum() != series.str.len_chars().sum():
                changed.append(_mapped(series))
        elif series.dtype == pl.List(pl.String):
            inner = series.explode()
            if inner.str.len_bytes().sum() != inner.str.len_chars().sum():
                lists = [
                    None if value is None else [composed(item) if item else item for item in value]
                    for value in series.to_list()
                ]
                changed.append(pl.Series(series.name, lists, dtype=series.dtype))
    return frame.with_columns(changed)


def _mapped(series: pl.Series) -> pl.Series:
    """A column with each text of other letters than ASCII composed, once where it is repeated."""
    rows = (series.str.len_bytes() != series.str.len_chars()).arg_true()
    values = series.gather(rows)
    distinct = values.unique()
    spelt = pl.Series([composed(value) for value in distinct.to_list()], dtype=pl.String)
    return series.scatter(rows, values.replace_strict(distinct, spelt, return_dtype=pl.String))
