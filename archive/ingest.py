"""A company's archive as canonical tables: every source read, every unit accounted for (invariant I1).

Belongs here: the order of the work and the files that leave it. Portions are read by `archive.reading`, in
as many processes as the caller has; what they became is put together here, in an order that depends on the
archive alone. A rerun, and a second delivery, read only the portions that are new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

from archive.document_rows import DocumentInput
from archive.documents import stated_documents
from archive.errors import ManifestError
from archive.formats import MAIL, TICKETS
from archive.links import find_links
from archive.mail_assembly import Mails
from archive.parts import FOLDER, Part, landed, sweep_parts
from archive.portions import Portion, plan_portions
from archive.reading import Errand, read_portion
from archive.records import RecordTable, write_record_tables
from archive.rejects import Reject, SourceCount, quarantine_frame
from archive.resolved import MANIFEST_FILE, resolve_manifest
from archive.revisions import DocumentNote, DocumentTables, document_tables
from archive.sealing import Sealing
from archive.store import TableStore, empty_frame, polars_schema
from archive.ticket_assembly import Tickets
from contracts.manifest import Manifest, Source
from contracts.tables import FIXED_TABLES, SOURCE_COUNTS

VERSION = 3
"""Version of the canonical tables; raised when the same archive would give other tables."""
PROVENANCE_FILE = "provenance.json"
NOTES_FILE = "notes.json"

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much of it is done, and of how much."""
MapFiles = Callable[[Callable[[Errand], str], Sequence[Errand], int], Iterable[str]]
"""Calls a function on every errand and yields the results in order, in this process or in others; the last
argument is how many bytes all errands read together."""


def read_inline(function: Callable[[Errand], str], errands: Sequence[Errand], size: int) -> Iterator[str]:
    """Yields the results one by one, made in this process."""
    return map(function, errands)


@dataclass(frozen=True)
class IngestReport:
    """What was read: counts per source and rows per table, no content."""

    sources: tuple[SourceCount, ...]
    tables: dict[str, int]
    reasons: dict[str, int]
    """Quarantine reason -> how often."""
    notes: dict[str, int] = field(default_factory=dict)
    """What a person should look at among rows that were kept -> how often; places in `notes.json`."""
    portions: int = 0
    portions_read: int = 0
    """Portions that were read now; the others had landed in an earlier run."""

    @property
    def reconciles(self) -> bool:
        """Says whether read = kept + duplicates + quarantined holds for every source."""
        return all(count.reconciles for count in self.sources)


def ingest_dataset(
    manifest: Manifest,
    base: Path,
    raw: Path,
    progress: Progress,
    map_files: MapFiles = read_inline,
    sealing: Sealing | None = None,
) -> IngestReport:
    """Writes all canonical tables of a dataset into the raw folder and returns the counts.

    Beside the tables it leaves `schema.json` (what every own column holds), `manifest.json` (the manifest
    with resolved tables, no paths of this machine), `provenance.json` (version and counts) and `parts/`
    (what each portion became, for the next run).

    Args:
        manifest: with presets applied (`archive.loading.load_manifest`).
        base: folder that source paths are relative to.
        raw: folder of the raw tables, created private.
        progress: called after every portion and at the end of every table.
        map_files: how portions are read; the same bytes under each.
        sealing: the key under which everything is written; None for plain files.

    Raises:
        ArchiveError: a source is not there at all, or the manifest speaks of tables that do not exist.
    """
    store = TableStore(raw, private=True, sealing=sealing)
    later = len(FIXED_TABLES) + len(manifest.sources)
    parts, read_now = _read(
        manifest,
        base,
        raw / FOLDER,
        lambda step, done, total: progress(step, done, total + later),
        map_files,
        sealing,
    )
    gathered = _Gathered(manifest, parts)
    report = gathered.write(
        store, lambda step, done, total: progress(step, read_now + done, read_now + total)
    )
    return replace(report, portions=len(parts), portions_read=read_now)


def _read(
    manifest: Manifest,
    base: Path,
    root: Path,
    progress: Progress,
    map_files: MapFiles,
    sealing: Sealing | None,
) -> tuple[list[tuple[int, Part]], int]:
    """Returns (source number, part) for every portion in order, and how many were read now."""
    errands: list[tuple[Portion, Errand]] = []
    for portion in plan_portions(manifest, base):
        source = manifest.sources[portion.number]
        zone = _zone(manifest, source)
        key = portion.key(source, f"{VERSION} {source.name} {zone.key} {portion.number}")
        errands.append((portion, Errand(source, portion, base, zone, root, key, sealing)))
    sweep_parts(root, {errand.key for _, errand in errands})
    new = [
        errand
        for portion, errand in errands
        if not portion.digest or landed(root, errand.key, sealing) is None
    ]
    size = sum(errand.portion.size for errand in new)
    for done, _ in enumerate(map_files(read_portion, new, size), start=1):
        progress(f"read {new[done - 1].source.name}", done, len(new))
    parts = []
    for portion, errand in errands:
        part = landed(root, errand.key, sealing)
        assert part is not None
        parts.append((portion.number, part))
    return parts, len(new)


class _Gathered:
    """The parts of all sources on their way to the tables."""

    def __init__(self, manifest: Manifest, parts: Sequence[tuple[int, Part]]) -> None:
        self.manifest = manifest
        self.parts: dict[str, list[Part]] = {source.name: [] for source in manifest.sources}
        for number, part in parts:
            self.parts[manifest.sources[number].name].append(part)
        self.tables: dict[str, int] = {}
        self.records: list[RecordTable] = []
        self.duplicates: Counter[str] = Counter()
        self.notes: list[DocumentNote] = []

    def write(self, store: TableStore, progress: Progress) -> IngestReport:
        steps = len(FIXED_TABLES) + len(self.manifest.sources)
        done = 0
        for name, frames in self._fixed():
            progress("write tables", done, steps)
            self._write(store, name, frames)
            done += 1
        for source in self.manifest.sources:
            progress("write tables", done, steps)
            if source.format not in MAIL and source.format not in TICKETS:
                self._write_records(source, store)
            done += 1
        progress("link", done, steps)
        self._write_rest(store)
        progress("link", steps, steps)
        return self._finish(store)

    def _fixed(self) -> Iterator[tuple[str, Iterable[pl.DataFrame]]]:
        mails = Mails(self._parts_of(MAIL))
        yield "messages", mails.messages()
        yield "attachments", mails.belongings("attachments")
        yield "calendar_items", mails.belongings("calendar_items")
        tickets = Tickets(self._parts_of(TICKETS))
        yield "tickets", tickets.tickets()
        yield "ticket_events", tickets.belongings("ticket_events")
        yield "comments", tickets.belongings("comments")
        self.duplicates += mails.duplicates + tickets.duplicates

    def _parts_of(self, formats: Iterable[str]) -> list[tuple[str, Part]]:
        chosen = [source.name for source in self.manifest.sources if source.format in formats]
        return [(name, part) for name in chosen for part in self.parts[name]]

    def _write_records(self, source: Source, store: TableStore) -> None:
        for table in write_record_tables(
            source, self.parts[source.name], store, self.manifest.company.locale
        ):
            self.records.append(table)
            self.tables[table.name] = table.kept
            self.duplicates[source.name] += table.duplicates

    def _write_rest(self, store: TableStore) -> None:
        documents = self._documents()
        self.notes = documents.notes
        frames: dict[str, Iterable[pl.DataFrame]] = {
            **{name: [frame] for name, frame in documents.frames().items()},
            "links": find_links(store, self.records),
            "quarantine": [quarantine_frame(self._rejects())],
            "source_counts": [
                pl.DataFrame(self._counts(), schema=polars_schema(SOURCE_COUNTS), orient="row")
            ],
        }
        for name, found in frames.items():
            self._write(store, name, found)

    def _documents(self) -> DocumentTables:
        sources = {source.name: source for source in self.manifest.sources}
        inputs = []
        for table in self.records:
            spec = stated_documents(sources[table.source], table.table, table.stated)
            if spec is not None:
                zone = _zone(self.manifest, sources[table.source])
                inputs.append(DocumentInput(spec, table.frame, table.specs, zone))
        return document_tables(inputs)

    def _write(self, store: TableStore, name: str, frames: Iterable[pl.DataFrame]) -> None:
        with store.writer(name) as writer:
            writer.add(empty_frame(FIXED_TABLES[name]))
            for frame in frames:
                writer.add(frame)
        self.tables[name] = writer.height

    def _rejects(self) -> Iterator[tuple[str, Reject]]:
        for source in self.manifest.sources:
            for part in self.parts[source.name]:
                for reject in part.summary.rejects:
                    yield source.name, reject

    def _counts(self) -> list[SourceCount]:
        counts = []
        for source in self.manifest.sources:
            summaries = [part.summary for part in self.parts[source.name]]
            read = sum(summary.read for summary in summaries)
            quarantined = sum(len(summary.rejects) for summary in summaries)
            duplicates = self.duplicates[source.name]
            kept = sum(summary.kept for summary in summaries) - duplicates
            counts.append(SourceCount(source.name, read, kept, duplicates, quarantined))
        return counts

    def _finish(self, store: TableStore) -> IngestReport:
        for stale in set(store.names()) - set(self.tables):
            store.path(stale).unlink()
        store.write_column_specs({table.name: table.specs for table in self.records})
        resolved = resolve_manifest(self.manifest, self.records).model_dump(mode="json")
        store.write_json(MANIFEST_FILE, resolved)
        reasons = Counter(reject.reason for _, reject in self._rejects())
        counts = self._counts()
        provenance: dict[str, Any] = {
            "version": VERSION,
            "sources": [count._asdict() for count in counts],
            "tables": dict(sorted(self.tables.items())),
            "reasons": dict(sorted(reasons.items())),
            "notes": dict(sorted(Counter(note.reason for note in self.notes).items())),
        }
        store.write_json(PROVENANCE_FILE, provenance)
        store.write_json(NOTES_FILE, [list(note) for note in self.notes])
        return IngestReport(tuple(counts), provenance["tables"], provenance["reasons"], provenance["notes"])


def _zone(manifest: Manifest, source: Source) -> ZoneInfo:
    name = source.zone or next(iter(manifest.company.zones), "UTC")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ManifestError(f"zone {name!r} of source {source.name!r} is no IANA zone name") from error
