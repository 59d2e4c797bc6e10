"""A company's archive as canonical tables: every source read, every unit accounted for (invariant I1).

Belongs here: the order of the work and the files that leave it. Formats are read by the modules named after
them; what is written here is read by `anonymize` and, once clean, by `extract`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

from archive.addresses import parse_mailboxes
from archive.errors import ManifestError, SourceError
from archive.identifiers import content_digest, derived_id
from archive.jira import Ticket, read_tickets
from archive.links import find_links
from archive.mailbox import RawMessage, read_mbox, read_tree
from archive.message import ParsedMail, parse_mail
from archive.records import RecordTable, read_record_tables
from archive.rejects import Reject, SourceCount, quarantine_frame
from archive.resolved import resolve_manifest
from archive.store import TableStore, empty_frame, polars_schema
from archive.textforms import composed
from archive.threads import Threaded, assign_threads
from contracts.manifest import Manifest, Source
from contracts.tables import FIXED_TABLES, SOURCE_COUNTS

VERSION = 1
"""Version of the canonical tables; raised when the same archive would give other tables."""
MANIFEST_FILE = "manifest.json"
PROVENANCE_FILE = "provenance.json"

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much of it is done, and of how much."""


@dataclass(frozen=True)
class IngestReport:
    """What was read: counts per source and rows per table, no content."""

    sources: tuple[SourceCount, ...]
    tables: dict[str, int]
    reasons: dict[str, int]
    """Quarantine reason -> how often."""

    @property
    def reconciles(self) -> bool:
        """Says whether read = kept + duplicates + quarantined holds for every source."""
        return all(count.reconciles for count in self.sources)


@dataclass
class _Gathered:
    """Rows of all sources on their way to the tables."""

    rows: dict[str, list[dict[str, object]]] = field(
        default_factory=lambda: {name: [] for name in FIXED_TABLES}
    )
    records: list[RecordTable] = field(default_factory=list)
    rejects: list[tuple[str, Reject]] = field(default_factory=list)
    counts: list[SourceCount] = field(default_factory=list)


def ingest_dataset(manifest: Manifest, base: Path, raw: Path, progress: Progress) -> IngestReport:
    """Writes all canonical tables of a dataset into the raw folder and returns the counts.

    Beside the tables it leaves `schema.json` (what every own column holds), `manifest.json` (the manifest
    with resolved tables, no paths of this machine) and `provenance.json` (version and counts).

    Args:
        manifest: with presets applied (`archive.loading.load_manifest`).
        base: folder that source paths are relative to.
        raw: folder of the raw tables, created private.
        progress: called after every source and at the end of linking and writing.

    Raises:
        ArchiveError: a source is not there at all, or the manifest speaks of tables that do not exist.
    """
    gathered = _Gathered()
    steps = len(manifest.sources) + 2
    for done, source in enumerate(manifest.sources):
        progress(f"read {source.name}", done, steps)
        _read_source(gathered, source, base, _zone(manifest, source))
    progress("link", steps - 2, steps)
    frames = _frames(gathered)
    frames["links"] = find_links(frames, gathered.records)
    frames["quarantine"] = quarantine_frame(gathered.rejects)
    frames["source_counts"] = pl.DataFrame(gathered.counts, schema=polars_schema(SOURCE_COUNTS), orient="row")
    progress("write", steps - 1, steps)
    report = _write(TableStore(raw, private=True), manifest, frames, gathered)
    progress("write", steps, steps)
    return report


def _read_source(gathered: _Gathered, source: Source, base: Path, zone: ZoneInfo) -> None:
    if source.format in ("mbox", "eml"):
        _read_mail(gathered, source, base)
    elif source.format == "jira-csv":
        _read_tickets(gathered, source, base, zone)
    else:
        tables = [
            replace(table, frame=composed_frame(table.frame)) for table in read_record_tables(source, base)
        ]
        rejects = [reject for table in tables for reject in table.rejects]
        gathered.records.extend(tables)
        gathered.rejects.extend((source.name, reject) for reject in rejects)
        gathered.counts.append(
            SourceCount(
                source.name,
                sum(table.read for table in tables),
                sum(table.frame.height for table in tables),
                sum(table.duplicates for table in tables),
                len(rejects),
            )
        )


def _raw_messages(source: Source, base: Path) -> Iterator[RawMessage]:
    path = source.path or ""
    place = base / path
    if source.format == "mbox":
        files = (
            [place]
            if place.is_file()
            else sorted(place.rglob("*.mbox") if place.is_dir() else base.glob(path))
        )
        if not files:
            raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
        for file in files:
            yield from read_mbox(file, base)
    elif place.is_dir():
        yield from read_tree(place, "**/*", base)
    else:
        if not any(base.glob(path)):
            raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
        yield from read_tree(base, path, base)


def _read_mail(gathered: _Gathered, source: Source, base: Path) -> None:
    kept: dict[str, ParsedMail] = {}
    mailboxes: dict[str, list[str]] = {}
    read = duplicates = quarantined = 0
    for raw in _raw_messages(source, base):
        read += 1
        mail = parse_mail(raw)
        if isinstance(mail, str):
            quarantined += 1
            reject = Reject(raw.path, raw.locator, content_digest(raw.data), mail, raw.size)
            gathered.rejects.append((source.name, reject))
            continue
        key = mail.duplicate_key
        if key in kept:
            duplicates += 1
        else:
            kept[key] = mail
        held = mailboxes.setdefault(key, [])
        if raw.mailbox not in held:
            held.append(raw.mailbox)
    threads = assign_threads([_threaded(mail) for mail in kept.values()])
    for key, mail in kept.items():
        gathered.rows["messages"].append(
            mail.row(sorted(mailboxes[key]), source.name, threads[mail.message_id])
        )
        gathered.rows["attachments"].extend(_attachments(mail, source.name))
        gathered.rows["calendar_items"].extend(_calendar_items(mail, source.name))
    gathered.counts.append(SourceCount(source.name, read, len(kept), duplicates, quarantined))


def _threaded(mail: ParsedMail) -> Threaded:
    moment = mail.sent_at or ""
    recipients = (
        box for header in mail.recipients.values() for text in header for box in parse_mailboxes(text)
    )
    return Threaded(
        message_id=mail.message_id,
        header_id=mail.header_id,
        references=tuple(
            dict.fromkeys((*mail.references, *([mail.in_reply_to] if mail.in_reply_to else [])))
        ),
        calendar_ids=tuple(f"calendar:{event.uid}" for event in mail.calendar if event.uid),
        subject=mail.subject,
        day=date.fromisoformat(moment[:10]).toordinal() if moment else 0,
        second=_utc_second(moment) if moment else 0,
        participants=frozenset(box.address for box in (mail.sender, *recipients) if box.address),
    )


def _utc_second(moment: str) -> int:
    hour, minute, second = (int(part) for part in moment[11:19].split(":"))
    sign = -1 if moment[19] == "-" else 1
    return hour * 3600 + minute * 60 + second - sign * (int(moment[20:22]) * 3600 + int(moment[23:25]) * 60)


def _place(mail: ParsedMail, source: str, digest: str) -> dict[str, object]:
    return {"source": source, "path": mail.raw.path, "locator": mail.raw.locator, "content_hash": digest}


def _attachments(mail: ParsedMail, source: str) -> Iterator[dict[str, object]]:
    for number, attachment in enumerate(mail.attachments, start=1):
        yield {
            "attachment_id": derived_id("a", mail.content_hash, number),
            **_place(mail, source, attachment.digest),
            "message_id": mail.message_id,
            "filename": attachment.filename,
            "content_type": attachment.content_type,
            "size_bytes": attachment.size,
            "text": attachment.text,
        }


def _calendar_items(mail: ParsedMail, source: str) -> Iterator[dict[str, object]]:
    for number, event in enumerate(mail.calendar, start=1):
        yield {
            "item_id": derived_id("i", mail.content_hash, number),
            **_place(mail, source, mail.content_hash),
            "message_id": mail.message_id,
            "uid": event.uid,
            "method": event.method,
            "sequence": event.sequence,
            "starts_at": event.starts_at,
            "ends_at": event.ends_at,
            "zone": event.zone,
            "organizer": event.organizer,
            "attendees": list(event.attendees),
            "summary": event.summary,
            "description": event.description,
            "location": event.location,
        }


def _read_tickets(gathered: _Gathered, source: Source, base: Path, zone: ZoneInfo) -> None:
    seen: set[str] = set()
    read = kept = duplicates = quarantined = 0
    for ticket in read_tickets(source, base, zone):
        read += 1
        if isinstance(ticket, Reject):
            quarantined += 1
            gathered.rejects.append((source.name, ticket))
        elif str(ticket.row["ticket_id"]) in seen:
            duplicates += 1
        else:
            kept += 1
            seen.add(str(ticket.row["ticket_id"]))
            _keep_ticket(gathered, ticket)
    gathered.counts.append(SourceCount(source.name, read, kept, duplicates, quarantined))


def _keep_ticket(gathered: _Gathered, ticket: Ticket) -> None:
    gathered.rows["tickets"].append(ticket.row)
    gathered.rows["comments"].extend(ticket.comments)
    gathered.rows["ticket_events"].extend(ticket.events)


def _frames(gathered: _Gathered) -> dict[str, pl.DataFrame]:
    frames = {}
    for name, table in FIXED_TABLES.items():
        rows = gathered.rows[name]
        frames[name] = (
            pl.DataFrame(rows, schema=polars_schema(table), orient="row") if rows else empty_frame(table)
        )
    return {name: composed_frame(frame) for name, frame in frames.items()}


_AS_WRITTEN = ("path", "locator", "content_hash")
"""Where a row came from, by which its source is read again."""


def composed_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns a table with every text in one spelling, so that what looks alike is alike."""
    changed = []
    for series in frame.iter_columns():
        if series.name in _AS_WRITTEN:
            continue
        if series.dtype == pl.String:
            changed.append(_mapped(series))
        elif series.dtype == pl.List(pl.String):
            lists = [None if v is None else [composed(i) if i else i for i in v] for v in series.to_list()]
            changed.append(pl.Series(series.name, lists, dtype=series.dtype))
    return frame.with_columns(changed)


def _mapped(series: pl.Series) -> pl.Series:
    values = [composed(value) if value else value for value in series.to_list()]
    return pl.Series(series.name, values, dtype=pl.String)


def _write(
    store: TableStore, manifest: Manifest, frames: dict[str, pl.DataFrame], gathered: _Gathered
) -> IngestReport:
    tables = {**frames, **{table.name: table.frame for table in gathered.records}}
    for stale in set(store.names()) - set(tables):
        store.path(stale).unlink()
    for name, frame in tables.items():
        store.write(name, frame)
    store.write_column_specs({table.name: table.specs for table in gathered.records})
    store.write_json(MANIFEST_FILE, resolve_manifest(manifest, gathered.records).model_dump(mode="json"))
    reasons: dict[str, int] = {}
    for _, reject in gathered.rejects:
        reasons[reject.reason] = reasons.get(reject.reason, 0) + 1
    counts = {name: frame.height for name, frame in sorted(tables.items())}
    sources = [count._asdict() for count in gathered.counts]
    store.write_json(
        PROVENANCE_FILE, {"version": VERSION, "sources": sources, "tables": counts, "reasons": reasons}
    )
    return IngestReport(tuple(gathered.counts), counts, reasons)


def _zone(manifest: Manifest, source: Source) -> ZoneInfo:
    name = source.zone or next(iter(manifest.company.zones), "UTC")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ManifestError(f"zone {name!r} of source {source.name!r} is no IANA zone name") from error
