"""A folder nobody has described, as a drafted manifest: sources, tables, columns, company, open questions.

Belongs here: putting the proposals of the other modules together. Does not belong here: what a file is
(`archive.sniffing`), what belongs together (`archive.grouping`), what columns mean (`archive.columns`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from archive.company_facts import MAX_MAILS, Evidence, conclude
from archive.document_drafts import document_type
from archive.document_series import FORMAT
from archive.documents import documents_spec
from archive.findings import Check, Draft, SourceFinding, left_out
from archive.formats import DATABASES, MAIL, TABLES
from archive.grouping import ONE_EACH, Group, covered_files, group_files
from archive.mailbox import RawMessage
from archive.preset_matches import fit_preset, match_preset
from archive.presets import load_preset, preset_names
from archive.sniffing import Verdict, sniff_folder
from archive.source_kinds import KindGuess, source_kind
from archive.table_drafts import SourceTables, TableDraft, draft_tables
from archive.table_samples import Budget, TableSample, sample_tables
from contracts.manifest import Manifest, Source, SourceKind, TableSpec

Progress = Callable[[str, str, int, int], None]
"""Called with a stage, a step, how much of it is done, and of how much."""
_SURE = 0.9
_PRESET_SCORE = 0.5
_PRESET_TABLES = 3
_PRESET_COLUMNS = 6
"""A preset counts with half of all columns or three tables that are most of all, never with few columns."""
_MOST_MAILS_OF_A_FILE = 400
_PATHS = 20


@dataclass(frozen=True)
class _Read:
    """A group with what a bounded look at its content gave."""

    group: Group
    samples: tuple[TableSample, ...]
    preset: str | None
    mails: int

    @property
    def names(self) -> list[str]:
        """Names of its tables."""
        return [sample.name for sample in self.samples]


def draft_folder(folder: Path, name_of_set: str, progress: Progress = lambda *_: None) -> Draft:
    """Returns the draft of a folder; nothing in it is run, written or followed out of it.

    Args:
        folder: what a company handed over.
        name_of_set: of the dataset.
        progress: told about every step.
    """
    guesses = sniff_folder(folder, lambda done, total: progress("look", "files", done, max(total, 1)))
    progress("look", "files", 1, 1)
    groups, rest = group_files(guesses, folder)
    evidence, budget = Evidence(), Budget()
    read = []
    for number, group in enumerate(groups):
        progress("read", group.path, number, len(groups))
        read.append(_read(group, folder, evidence, budget))
    progress("read", "", 1, 1)
    company, checks = conclude(evidence)
    kinds = [
        source_kind(
            entry.group.format, entry.preset, {table.name: table.frame.columns for table in entry.samples}
        )
        for entry in read
    ]
    names = _names(read, kinds)
    held = {
        name: SourceTables(entry.samples, entry.preset, _may_tell_documents(entry, kind))
        for name, entry, kind in zip(names, read, kinds, strict=True)
        if entry.samples
    }
    drafts = draft_tables(held, company.locale)
    sources, findings = [], []
    notes: dict[str, str] = {}
    for name, entry, kind in zip(names, read, kinds, strict=True):
        tables = drafts.get(name, TableDraft([], [], {}))
        sources.append(
            Source(
                name=name,
                kind=kind.kind,
                format=entry.group.format,
                path=entry.group.path,
                preset=entry.preset,
                tables=_tables(entry, tables),
            )
        )
        findings.append(_finding(name, entry, kind))
        checks += [*_source_checks(name, entry, kind), *tables.checks]
        notes |= tables.notes
    return Draft(
        Manifest(name=name_of_set, company=company, sources=sources),
        tuple(findings),
        left_out(rest, Verdict.UNPLACED),
        left_out(rest, Verdict.NOT_DATA),
        tuple(checks),
        notes,
    )


def _read(group: Group, folder: Path, evidence: Evidence, budget: Budget) -> _Read:
    """Looks at a group's content within bounds and gathers what it tells of the company."""
    source = _probe(group)
    before = evidence.mails
    samples: list[TableSample] = []
    if group.format in MAIL:
        evidence.add_mails(islice(_mails(source, folder), MAX_MAILS))
    elif group.format in TABLES or group.format in DATABASES or group.format == "csv":
        samples = sample_tables(source, covered_files(source, folder), folder, budget)
        for sample in samples:
            for column in sample.frame.columns:
                evidence.add_cells(column, sample.frame[column].head(5_000).drop_nulls().to_list())
    return _Read(group, tuple(samples), _preset(group.format, samples), evidence.mails - before)


def _preset(name: str, samples: Sequence[TableSample]) -> str | None:
    """Returns the preset that knows most columns; those named after a format are for that format only."""
    if name in preset_names():
        return name
    tables = {sample.name: sample.frame.columns for sample in samples}
    for match in match_preset(tables):
        many = len(match.mapping) >= _PRESET_TABLES and len(match.mapping) * 2 > len(tables)
        if (
            match.preset not in TABLES
            and (match.score >= _PRESET_SCORE or many)
            and _fits(match.preset, tables)
        ):
            return match.preset
    return None


def _fits(preset: str, tables: dict[str, list[str]]) -> bool:
    """Says whether an export has enough of a preset's columns, and those of every key it would be held to."""
    probe = Source(name="probe", kind=SourceKind.ERP, format="csv", path=".", preset=preset)
    keys = {table.name: table.key for table in load_preset(preset).tables}
    fitted = fit_preset(probe, tables).tables
    known = sum(len(table.columns) for table in fitted)
    return known >= _PRESET_COLUMNS and all(table.key or not keys.get(table.name) for table in fitted)


def _mails(source: Source, folder: Path) -> Iterator[RawMessage]:
    """Yields mails of all files, some hundred of each and the files evenly chosen."""
    files = covered_files(source, folder)
    read = MAIL[source.format].messages
    step = max(1, len(files) // MAX_MAILS)
    for file in files[::step]:
        try:
            if read is not None and file.is_file():
                found = islice(read(file, folder), _MOST_MAILS_OF_A_FILE)
                yield from (raw for raw in found if isinstance(raw, RawMessage))
        except Exception:  # libraries raise anything on hostile bytes; onboarding tells what
            continue


def _probe(group: Group) -> Source:
    return Source(name="probe", kind=SourceKind.MAIL, format=group.format, path=group.path)


def _names(read: Sequence[_Read], kinds: Sequence[KindGuess]) -> list[str]:
    """Returns a name for each source: its folder's, else its file's or its kind's, each once."""
    names: list[str] = []
    for entry, kind in zip(read, kinds, strict=True):
        group = entry.group
        place = PurePosixPath(group.place).name
        alone = len(group.files) == 1 and place in ("", ".") and group.format not in MAIL
        if alone or group.format in ONE_EACH:
            place = PurePosixPath(group.files[0].path).name.split(".")[0]
        plain = slug(place) or kind.kind.value
        unique, number = plain, 2
        while unique in names:
            unique, number = f"{plain}-{number}", number + 1
        names.append(unique)
    return names


def slug(text: str) -> str:
    """Returns a name of lower-case letters, digits, "-" and "_" for any text; empty where none is left."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-_")[:48]


def _may_tell_documents(entry: _Read, kind: KindGuess) -> bool:
    return kind.kind is SourceKind.ENGINEERING and entry.group.format != FORMAT


def _tables(entry: _Read, drafted: TableDraft) -> list[TableSpec]:
    """The tables of a source; of a folder of documents, what its reader knows of its one table."""
    if entry.group.format != FORMAT:
        return list(drafted.tables)
    known = documents_spec(document_type(" ".join(guess.path for guess in entry.group.files[:_PATHS])))
    seen = {table.name: table.columns for table in drafted.tables}.get(known.name, {})
    columns = {name: spec for name, spec in known.columns.items() if name in seen}
    others = [table for table in drafted.tables if table.name != known.name]
    return [known.model_copy(update={"columns": columns}), *others] if known.name in entry.names else others


def _source_checks(name: str, entry: _Read, kind: KindGuess) -> list[Check]:
    group = entry.group
    checks = [] if kind.certain else [Check(f"{name}.kind", kind.kind.value, kind.why)]
    if group.confidence < _SURE:
        checks.append(Check(name, f"format {group.format}", group.why))
    if group.beside:
        shown = ", ".join(guess.path for guess in group.beside[:3])
        told = f"its path also covers {len(group.beside)} files that look like no {group.format} ({shown})"
        checks.append(Check(f"{name}.path", group.path, told))
    cut = [sample.name for sample in entry.samples if not sample.complete]
    if cut:
        told = f"only the first rows of {', '.join(cut[:3])} were looked at"
        checks.append(Check(name, f"{len(cut)} big tables", told))
    return checks


def _finding(name: str, entry: _Read, kind: KindGuess) -> SourceFinding:
    group = entry.group
    return SourceFinding(
        name=name,
        kind=kind.kind.value,
        format=group.format,
        path=group.path,
        preset=entry.preset,
        files=len(group.files),
        rows_sampled=sum(sample.frame.height for sample in entry.samples) or entry.mails,
        confidence=round(group.confidence, 2),
        why=f"{group.why}; {kind.kind.value} by {kind.why}",
    )
