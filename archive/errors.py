"""The exceptions of this package. None of them ever quotes content of the archive: names and places only."""

from __future__ import annotations


class ArchiveError(Exception):
    """Something about an archive, its manifest or its stored tables keeps the work from going on."""


class ManifestError(ArchiveError):
    """The manifest is missing, malformed or speaks of things that are not there."""


class SourceError(ArchiveError):
    """A source cannot be opened at all; single bad messages and rows go to quarantine instead."""


class StoreError(ArchiveError):
    """A table is not in the store, or does not have the columns its name promises."""
