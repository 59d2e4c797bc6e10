"""What could not be read: a place and a reason for each, never the content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from archive.store import polars_schema
from contracts.tables import QUARANTINE


class Reject(NamedTuple):
    """A message, ticket or row that was read and cannot be used."""

    path: str
    locator: str
    content_hash: str
    reason: str
    """"too_large", "too_nested", "too_many_parts", "headers_too_long", "empty", "no_headers",
    "no_content", "wrong_width", "unreadable_record", "no_key", "reader_failed"; of JSON "broken_json", "no_object", "too_deep"; of tickets "no_fields",
    "no_ticket" (what stands beside tickets and names none of them), "no_issue_key" (a file without that column);
    of tables "repeated_header", "unclosed_quote", "line_too_long", "too_many_cells", "too_many_columns";
    of files "unsupported_format", "unreadable_file", "not_a_plain_file", "no_mail_columns"; in packed files
    "bomb", "encrypted", "unreadable", "unsafe_path", "unsupported", "too_many_members", "too_deep",
    "not_mail"; in ledgers and event logs "bad_date", "date_outside_period", "control_total_mismatch",
    "malformed_xml", "malformed_json",
    "entity_declared", "no_single_document", and where a file is not what the manifest says "no_datev_header",
    "no_header", "no_audit_file", "no_statement", "not_an_invoice", "no_embedded_invoice", "no_event_log"."""
    size: int


class SourceCount(NamedTuple):
    """How many messages, tickets or rows of a source were read, and what became of them."""

    source: str
    read: int
    kept: int
    duplicates: int
    quarantined: int

    @property
    def reconciles(self) -> bool:
        """Says whether everything read is accounted for."""
        return self.read == self.kept + self.duplicates + self.quarantined


def quarantine_frame(rejects: Iterable[tuple[str, Reject]]) -> pl.DataFrame:
    """Returns the quarantine table for (source, reject) pairs."""
    rows = [
        (source, reject.path, reject.locator, reject.content_hash, reject.reason, reject.size)
        for source, reject in rejects
    ]
    return pl.DataFrame(rows, schema=polars_schema(QUARANTINE), orient="row")
