"""The exceptions of this package. None of them quotes content of the archive."""

from __future__ import annotations


class ExtractError(Exception):
    """The clean tables or their manifest are missing or malformed, so that nothing can be extracted."""
