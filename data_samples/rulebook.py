"""The unwritten rules as they are kept: every decision under a rule, and when one deviates from it."""

from __future__ import annotations

from typing import Any

EVERY = 34
FIRST = 11


class RuleBook:
    """Decisions by rule in the order in which they were taken; about three in a hundred deviate."""

    def __init__(self) -> None:
        """No decision yet."""
        self.decisions: dict[str, list[dict[str, Any]]] = {}
        self._asked: dict[str, int] = {}
        self._granted: dict[str, int] = {}

    def deviates(self, rule: str, first: int = FIRST, fit: bool = True) -> bool:
        """True when this decision goes against the rule: the first so many, then every so many.

        A decision that does not fit (too near a limit, say) leaves the deviation to the next one.
        """
        asked = self._asked[rule] = self._asked.get(rule, 0) + 1
        due = 0 if asked < first else 1 + (asked - first) // EVERY
        if not fit or self._granted.get(rule, 0) >= due:
            return False
        self._granted[rule] = self._granted.get(rule, 0) + 1
        return True

    def note(self, rule: str, **entry: Any) -> dict[str, Any]:
        """Keep a decision; the entry may be completed later."""
        self.decisions.setdefault(rule, []).append(entry)
        return entry

    def of(self, rule: str) -> list[dict[str, Any]]:
        """The decisions under the rule."""
        return self.decisions.get(rule, [])
