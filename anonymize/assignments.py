"""Assignments: which surrogate stands for which real form, as the vault keeps it.

Belongs here: the plain data. Does not belong here: how it is drawn (`surrogates`, `places`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Assignments:
    """What was assigned, by anchor or real value; the vault keeps it, so that old surrogates stay."""

    persons: dict[str, list[str]] = field(default_factory=dict)
    """Anchor -> first, middle, family, second family."""
    companies: dict[str, str] = field(default_factory=dict)
    """Anchor -> core."""
    handles: dict[str, str] = field(default_factory=dict)
    """"anchor|real handle" -> surrogate handle."""
    domains: dict[str, str] = field(default_factory=dict)
    streets: dict[str, str] = field(default_factory=dict)
    cities: dict[str, str] = field(default_factory=dict)
    phones: dict[str, str] = field(default_factory=dict)
    cursors: dict[str, int] = field(default_factory=dict)
    """Pool -> next index."""
