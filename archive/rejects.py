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
    """A key of `archive.reasons.REASONS`."""
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
