"""The export formats that this package reads, by the name that a manifest gives them.

Belongs here: which function reads a format and which files of a folder are its own. Does not belong here:
reading (the modules named after the formats) and telling formats apart (`archive.sniffing`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from archive.batches import TableBatch
from archive.documents import read_documents
from archive.errors import SourceError
from archive.ledger_datev import read_datev
from archive.ledger_invoice import read_invoice
from archive.ledger_mt940 import read_mt940
from archive.ledger_saft import read_saft
from archive.log_ocel import read_ocel
from archive.log_xes import read_xes
from archive.mail_csv import read_mail_csv
from archive.mail_maildir import PATTERNS as MAILDIR
from archive.mail_maildir import read_maildir
from archive.mail_msg import read_msg
from archive.mail_pst import read_pst
from archive.mailbox import RawMessage, is_mbox, read_mbox
from archive.rejects import Reject
from archive.tables_csv import read_csv_batches
from archive.tables_json import read_jsonl
from archive.tables_parquet import read_parquet
from archive.tables_xlsx import read_xlsx
from contracts.manifest import Source

MessageReader = Callable[[Path, Path], Iterator[RawMessage | Reject]]
"""Reads the messages of one file; arguments are the file and the base folder that paths are told from."""
BatchReader = Callable[[Path, Path], Iterator[TableBatch]]
"""Reads the tables of one file; arguments as of a message reader."""


@dataclass(frozen=True)
class Format:
    """An export format: which files of a folder are its own, and who reads one of them."""

    name: str
    patterns: tuple[str, ...]
    """Patterns of files below a source folder, where the manifest names only the folder."""
    messages: MessageReader | None = None
    """For mail."""
    batches: BatchReader | None = None
    """For tables; None for databases, which are reached by URL or file through `archive.database`."""
    owns: Callable[[Path], bool] | None = None
    """Looks into a file that the patterns found below a folder: mailboxes often have no ending at all."""


MAIL: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("mbox", ("**/*",), messages=read_mbox, owns=is_mbox),
        Format("eml", ("**/*",), messages=read_msg),
        Format("maildir", MAILDIR, messages=read_maildir),
        Format("mail-csv", ("**/*.csv", "**/*.tsv", "**/*.CSV"), messages=read_mail_csv),
        Format("msg", ("**/*.msg", "**/*.MSG"), messages=read_msg),
        Format("pst", ("**/*.pst", "**/*.PST", "**/*.ost"), messages=read_pst),
    )
}
TABLES: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            "csv",
            tuple(
                f"**/*.{ending}{packed}"
                for ending in ("csv", "CSV", "tsv", "TSV", "tab")
                for packed in ("", ".gz")
            ),
            batches=read_csv_batches,
        ),
        Format("xlsx", ("**/*.xlsx", "**/*.XLSX", "**/*.xlsm", "**/*.xls", "**/*.XLS"), batches=read_xlsx),
        Format("parquet", ("**/*.parquet", "**/*.pq"), batches=read_parquet),
        Format(
            "jsonl",
            tuple(
                f"**/*.{ending}{packed}" for ending in ("jsonl", "ndjson", "json") for packed in ("", ".gz")
            ),
            batches=read_jsonl,
        ),
        Format("documents", ("**/*",), batches=read_documents),
        Format("datev", ("**/EXTF_*", "**/DTVF_*", "**/*.csv"), batches=read_datev),
        Format("saft", ("**/*.xml", "**/*.XML", "**/*.xml.gz"), batches=read_saft),
        Format(
            "mt940",
            ("**/*.sta", "**/*.STA", "**/*.mt9*", "**/*.MT9*", "**/*.94*", "**/*.swi", "**/*.txt"),
            batches=read_mt940,
        ),
        Format("einvoice", ("**/*.xml", "**/*.XML", "**/*.pdf", "**/*.PDF"), batches=read_invoice),
        Format("xes", ("**/*.xes", "**/*.xes.gz", "**/*.xes.zip"), batches=read_xes),
        Format(
            "ocel",
            ("**/*.sqlite", "**/*.json", "**/*.jsonocel", "**/*.xml", "**/*.xmlocel", "**/*.xml.gz"),
            batches=read_ocel,
        ),
    )
}
_JSON = ("**/*.json", "**/*.jsonl", "**/*.ndjson", "**/*.json.gz", "**/*.jsonl.gz", "**/*.ndjson.gz")
TICKETS: dict[str, tuple[str, ...]] = {
    "jira-csv": ("**/*.csv",),
    "jira-json": _JSON,
    "zendesk": (*_JSON, "**/*.csv"),
    "servicenow": (*_JSON, "**/*.csv"),
    "freshdesk": (*_JSON, "**/*.csv"),
    "github": _JSON,
}
"""Ticket exports and their files; `archive.tickets` reads all files of a source together."""
DATABASES: tuple[str, ...] = ("sqlite", "database")

FORMATS: tuple[str, ...] = (*MAIL, *TICKETS, *TABLES, *DATABASES)
"""Every format that a manifest may name."""


def source_files(source: Source, base: Path, patterns: Sequence[str]) -> list[Path]:
    """Returns the files of a source, sorted by path: one file, a pattern's, or a folder's by its format.

    Hidden files are none of them. What is no plain file (a pipe, a link that leads out, a link to a folder,
    which is never followed) is among them, so that it is told rather than passed over.

    Raises:
        SourceError: there is no such file, or the path leads out of the base folder.
    """
    path = source.path or ""
    place = base / path
    if not Path(os.path.normpath(place)).is_relative_to(base):
        raise SourceError(
            f"source {source.name!r}: its path leads out of the base folder: set `base` to a folder above it"
        )
    if place.is_file():
        found = {place}
    elif place.is_dir():
        found = {file for pattern in patterns for file in place.glob(pattern)}
        owns = MAIL[source.format].owns if source.format in MAIL else None
        if owns is not None:
            inside = base.resolve()
            found = {file for file in found if not _is_plain(file, inside) or owns(file)}
        found |= set(_linked_folders(place))
    else:
        found = set(base.glob(path)) if path else set()
        before, deep, _ = path.partition("**")
        if deep:
            found |= set(_linked_folders(base / before.rpartition("/")[0]))
    files = sorted(
        file for file in found if not file.name.startswith(".") and (file.is_symlink() or not file.is_dir())
    )
    if not files:
        raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
    return files


def _is_plain(file: Path, inside: Path) -> bool:
    return file.is_file() and file.resolve().is_relative_to(inside)


def _linked_folders(place: Path) -> Iterator[Path]:
    """Links to folders anywhere below a folder."""
    for folder, names, _ in os.walk(place):
        yield from (link for name in names if (link := Path(folder, name)).is_symlink())
