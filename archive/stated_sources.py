"""What a manifest and a policy say of the sources, compared with the sources before anything is read.

Belongs here: paths, tables and columns that are misspelt, told all at once with what is near. Only headers
are looked at, and what they do not tell is left to reading, which refuses it as well. Does not belong here:
what columns mean (`columns`), presets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from archive.batches import unique_names
from archive.database import open_database
from archive.errors import ArchiveError, ManifestError, SourceError
from archive.formats import DATABASES, MAIL, TABLES, TICKETS, source_files
from archive.loading import LoadedManifest
from archive.mailbox import relative_path
from archive.packed import FAULTS
from archive.records import stated_table
from contracts.manifest import Source
from contracts.policy import Policy
from contracts.tables import FIXED_TABLES, record_table_name

_HEADED = ("csv", "parquet")
"""Formats whose files tell all their columns in the beginning."""
MOST_FILES = 200
"""Files of a source whose headers are looked at; of more, tables and columns are left to reading."""
MOST_FAULTS = 5

Columns = dict[str, list[str]]
"""Table -> its columns, as far as a source tells them."""


def require_stated(loaded: LoadedManifest, policy: Policy) -> None:
    """Passes where every path, table and column that manifest and policy name is there, or is not told yet.

    Raises:
        ManifestError: something is not there; the first few such things are told, each with what is near.
    """
    faults: list[str] = []
    known: dict[str, list[str]] = {
        name: [column.name for column in table.columns] for name, table in FIXED_TABLES.items()
    }
    untold: set[str] = set()
    for source in loaded.manifest.sources:
        try:
            tables = _tables(source, loaded.base)
        except (ManifestError, SourceError) as error:
            faults.append(f"{error}{_near_path(source, loaded.base)}")
            tables = None
        if tables is None:
            untold.add(source.name)
            continue
        faults += _table_faults(source, tables)
        known |= {record_table_name(source.name, table): columns for table, columns in tables.items()}
    heads = [*FIXED_TABLES, *(source.name for source in loaded.manifest.sources)]
    faults += _policy_faults(policy, known, heads, untold)
    if faults:
        more = f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
        raise ManifestError("; ".join(faults[:MOST_FAULTS]) + more)


def _tables(source: Source, base: Path) -> Columns | None:
    """Returns the tables of a source under the names that the manifest gives them; None where not told.

    Raises:
        SourceError: its path leads nowhere.
    """
    if source.format in DATABASES:
        return _database_tables(source, base) if source.path else None
    if source.format in MAIL or source.format in TICKETS:
        own = MAIL[source.format].patterns if source.format in MAIL else TICKETS[source.format]
        source_files(source, base, own)
        return {}
    files = source_files(source, base, TABLES[source.format].patterns)
    if source.format not in _HEADED or len(files) > MOST_FILES:
        return None
    found: Columns = {}
    read = TABLES[source.format].batches
    assert read is not None
    for file in files:
        if not file.is_file() or not file.resolve().is_relative_to(base.resolve()):
            return None
        try:
            batch = next(iter(read(file, base)))
        except (*FAULTS, ArchiveError, StopIteration):
            return None
        if not batch.frame.columns:
            return None
        stated = stated_table(source, batch.table, relative_path(file, base))
        name = stated.name if stated is not None else batch.table
        found.setdefault(name, []).extend(batch.frame.columns)
    return found


def _database_tables(source: Source, base: Path) -> Columns | None:
    path = base / (source.path or "")
    if not path.is_file():
        raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
    found: Columns = {}
    try:
        with open_database(source.name, path=path) as database:
            for table in database.tables():
                stated = stated_table(source, table.name, table.name)
                found[stated.name if stated is not None else table.name] = list(unique_names(table.columns))
    except ArchiveError:  # a damaged file is quarantined as a whole
        return None
    return found


def _table_faults(source: Source, tables: Columns) -> Iterator[str]:
    if source.format in MAIL or source.format in TICKETS:
        return
    lowered = {name.lower(): columns for name, columns in tables.items()}
    for table in source.tables:
        columns = lowered.get(table.name.lower())
        if columns is None:
            yield (
                f"source {source.name!r} has no table {table.name!r} among its {len(tables)}"
                f"{_near(table.name, tables)}: compare it with the export"
            )
            continue
        here = {name.lower() for name in columns}
        absent = [name for name in table.columns if name.lower() not in here]
        for name in absent:
            yield (
                f"source {source.name!r}: table {table.name!r} has no column {name!r} among its "
                f"{len(columns)}, which the manifest states{_near(name, columns)}: compare it with the export"
            )
        for name in table.key:
            if name.lower() not in here and name not in absent:
                yield (
                    f"source {source.name!r}: table {table.name!r} has no key column {name!r} among its "
                    f"{len(columns)}{_near(name, columns)}: compare it with the export"
                )


def _policy_faults(
    policy: Policy, known: dict[str, list[str]], heads: list[str], untold: set[str]
) -> Iterator[str]:
    """Yields the places of a policy that are no column, where all columns are known that could be meant."""
    written = [
        f"{name.removeprefix('records-').replace('-', '.', 1)}.{column}"
        for name, columns in known.items()
        for column in columns
    ]
    for place in policy.columns:
        head, _, rest = place.partition(".")
        middle, _, last = rest.partition(".")
        candidates = ((record_table_name(head, middle), last), (head, rest))
        if any(column in known.get(table, ()) for table, column in candidates if column):
            continue
        if head in untold or head.startswith("records-"):
            continue
        near = _near(place, written) or (_near(head, heads) if head not in heads else "")
        yield f"policy, columns.{place}: no such column{near}"


def _near(name: str, among: Iterable[str]) -> str:
    by_lower = {other.lower(): other for other in among}
    found = get_close_matches(name.lower(), by_lower, 1)
    return f" (did you mean {by_lower[found[0]]!r}?)" if found else ""


def _near_path(source: Source, base: Path) -> str:
    """Returns what lies where a path goes wrong and is called almost so."""
    place = base
    for part in PurePosixPath(source.path or "").parts:
        if (place / part).exists():
            place = place / part
        elif place.is_dir() and not any(sign in part for sign in "*?["):
            return _near(part, (other.name for other in place.iterdir()))
        else:
            break
    return ""
