"""One portion of a source as a part on disk: what a process does alone, without knowing of the others.

Belongs here: calling the reader of the format, rows of canonical tables, texts in one spelling. Does not
belong here: what needs the whole archive, as duplicates, threads and links (`archive.assembly`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from archive.batches import TableBatch, unique_names
from archive.database import open_database
from archive.errors import ArchiveError
from archive.formats import DATABASES, MAIL, TABLES, TICKETS
from archive.identifiers import content_digest, row_digest
from archive.jira import Ticket, read_tickets
from archive.mail_rows import mail_frames
from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail
from archive.parts import PartSummary, PartTable, PartWriter
from archive.portions import Portion, is_readable_file
from archive.rejects import Reject
from archive.store import RECORD_HEAD, polars_schema
from archive.tables_csv import read_csv
from archive.textforms import composed
from contracts.manifest import Source
from contracts.tables import FIXED_TABLES

_MAILS_AT_ONCE = 4_000


class Errand(NamedTuple):
    """All that a process needs to read one portion; it travels between processes."""

    source: Source
    portion: Portion
    base: Path
    zone: ZoneInfo
    root: Path
    """Folder of parts."""
    key: str


@dataclass
class _Tally:
    """Counts of a part while it is written."""

    read: int = 0
    kept: int = 0
    fixed: dict[str, int] = field(default_factory=dict)
    tables: dict[tuple[str, ...], PartTable] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)

    def reject(self, reject: Reject) -> None:
        self.read += 1
        self.rejects.append(reject)

    def summary(self) -> PartSummary:
        return PartSummary(
            self.read, self.kept, dict(self.fixed), tuple(self.tables.values()), tuple(self.rejects)
        )


def read_portion(errand: Errand) -> str:
    """Reads a portion and lands its part; returns the part's key.

    A reader that breaks on a file costs that file, not the run: it goes to quarantine as "reader_failed".

    Raises:
        ArchiveError: the manifest asks for what the source cannot give, as a database that is not there.
    """
    try:
        writer, tally = PartWriter(errand.root, errand.key), _Tally()
        _read(errand, writer, tally)
    except ArchiveError:
        writer.drop()
        raise
    except Exception:  # libraries raise anything on hostile bytes
        writer.drop()
        writer, tally = PartWriter(errand.root, errand.key), _Tally()
        for name in errand.portion.files:
            tally.reject(_whole_file(errand.base / name, name, "reader_failed"))
    writer.land(tally.summary())
    return errand.key


def _read(errand: Errand, writer: PartWriter, tally: _Tally) -> None:
    source, portion, base = errand.source, errand.portion, errand.base
    files = []
    for name in portion.files:
        if is_readable_file(base / name, base):
            files.append(base / name)
        else:
            tally.reject(Reject(name, "file", content_digest(b""), "not_a_plain_file", 0))
    if source.format in MAIL:
        _read_mail(errand, files, writer, tally)
    elif source.format in TICKETS:
        _read_tickets(errand, writer, tally)
    elif source.format in DATABASES:
        _read_tables(_database_batches(source, base), "", writer, tally)
    elif source.format == "csv":
        for name, file in zip(portion.files, files, strict=True):
            _read_tables(_csv_batches(file, name), name, writer, tally)
    else:
        read = TABLES[source.format].batches
        assert read is not None
        for name, file in zip(portion.files, files, strict=True):
            _read_tables(read(file, base), name, writer, tally)


def _csv_batches(file: Path, name: str) -> Iterator[TableBatch]:
    content = read_csv(file)
    names = unique_names(content.header)
    good = [row for row in content.rows if not row.fault]
    cells = [[cell if cell.strip() else None for cell in row.cells] for row in good]
    rejects = tuple(
        Reject(
            name,
            f"row {row.number}",
            row_digest([list(row.cells)]),
            row.fault,
            sum(len(c.encode()) for c in row.cells),
        )
        for row in content.rows
        if row.fault
    )
    frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String()), orient="row")
    numbers = pl.Series([row.number for row in good], dtype=pl.Int64)
    yield TableBatch(file.stem, frame, numbers, "row {}", rejects)


def _database_batches(source: Source, base: Path) -> Iterator[TableBatch]:
    path = base / source.path if source.path else None
    with open_database(source.name, path=path, url=source.url) as database:
        for table in database.tables():
            rows = list(database.rows(table))
            cells = [[c if c is None or c.strip() else None for c in row.cells] for row in rows]
            names = unique_names(table.columns)
            frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String()), orient="row")
            numbers = pl.Series([int(row.locator.split()[-1]) for row in rows], dtype=pl.Int64)
            unit = rows[0].locator.split()[0] if rows else "row"
            yield TableBatch(table.name, frame, numbers, f"{table.name} {unit} {{}}", (), table.key)


def _read_mail(errand: Errand, files: Sequence[Path], writer: PartWriter, tally: _Tally) -> None:
    mails: list[ParsedMail] = []
    for raw in _messages(errand, files):
        parsed = raw if isinstance(raw, Reject) else _parsed(raw)
        if isinstance(parsed, Reject):
            tally.reject(parsed)
        elif isinstance(parsed, str):
            assert isinstance(raw, RawMessage)
            tally.reject(Reject(raw.path, raw.locator, content_digest(raw.data), parsed, raw.size))
        else:
            tally.read += 1
            tally.kept += 1
            mails.append(parsed)
        if len(mails) >= _MAILS_AT_ONCE:
            _add_mails(errand, mails, writer, tally)
            mails = []
    _add_mails(errand, mails, writer, tally)


def _parsed(raw: RawMessage) -> ParsedMail | str:
    try:
        return parse_mail(raw)
    except Exception:  # one hostile message must not cost its neighbours
        return "reader_failed"


def _messages(errand: Errand, files: Sequence[Path]) -> Iterator[RawMessage | Reject]:
    form = MAIL[errand.source.format]
    assert form.messages is not None
    for file in files:
        yield from form.messages(file, errand.base)


def _add_mails(errand: Errand, mails: list[ParsedMail], writer: PartWriter, tally: _Tally) -> None:
    if not mails:
        return
    for name, frame in mail_frames(mails, errand.source.name).items():
        _add_fixed(name, composed_frame(frame), writer, tally)


def _read_tickets(errand: Errand, writer: PartWriter, tally: _Tally) -> None:
    rows: dict[str, list[dict[str, object]]] = {"tickets": [], "comments": [], "ticket_events": []}
    for ticket in read_tickets(errand.source, errand.base, errand.zone):
        if isinstance(ticket, Reject):
            tally.reject(ticket)
            continue
        assert isinstance(ticket, Ticket)
        tally.read += 1
        tally.kept += 1
        rows["tickets"].append(ticket.row)
        rows["comments"].extend(ticket.comments)
        rows["ticket_events"].extend(ticket.events)
    for name, found in rows.items():
        frame = pl.DataFrame(found, schema=polars_schema(FIXED_TABLES[name]), orient="row")
        _add_fixed(name, composed_frame(frame), writer, tally)


def _add_fixed(name: str, frame: pl.DataFrame, writer: PartWriter, tally: _Tally) -> None:
    writer.add(name, frame)
    tally.fixed[name] = tally.fixed.get(name, 0) + frame.height


def _read_tables(batches: Iterator[TableBatch], path: str, writer: PartWriter, tally: _Tally) -> None:
    for batch in batches:
        tally.read += batch.read
        tally.kept += batch.frame.height
        tally.rejects.extend(batch.rejects)
        place = path or batch.table
        shape = (batch.table, place, *batch.frame.columns)
        known = tally.tables.get(shape)
        file = known.file if known else f"rows-{len(tally.tables)}"
        rows = batch.frame.height + (known.rows if known else 0)
        tally.tables[shape] = PartTable(batch.table, file, rows, batch.key, place)
        writer.add(file, _placed(composed_frame(batch.frame), batch))


def _placed(frame: pl.DataFrame, batch: TableBatch) -> pl.DataFrame:
    """A batch with the place of each row and one content hash for all of them."""
    before, _, after = batch.place.partition("{}")
    locator = (pl.lit(before) + pl.col("locator").cast(pl.String) + pl.lit(after)).alias("locator")
    placed = pl.DataFrame({"locator": batch.numbers}).with_columns(
        locator, pl.lit(_batch_digest(batch)).alias("content_hash")
    )
    return placed.hstack(frame)


def _batch_digest(batch: TableBatch) -> str:
    """SHA-256 over the cells of a batch, column by column; null differs from empty."""
    total = hashlib.sha256()
    for column in batch.frame.iter_columns():
        total.update(column.name.encode() + b"\x1d")
        joined = column.fill_null("\x00").str.join("\x1e")
        total.update((joined.item() if len(column) else "").encode() + b"\x1d")
    return total.hexdigest()


def _whole_file(path: Path, name: str, reason: str) -> Reject:
    total = hashlib.sha256()
    size = 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                total.update(block)
                size += len(block)
    except OSError:
        reason = "unreadable_file"
    return Reject(name, "file", total.hexdigest(), reason, size)


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
    values = [composed(value) if value else value for value in series.to_list()]
    return pl.Series(series.name, values, dtype=pl.String)
