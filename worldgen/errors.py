"""The one exception base of this package."""

from __future__ import annotations


class WorldError(Exception):
    """A template, level or stored world cannot be used; the text says what, where and what to do."""
