"""Every reason for quarantine is one of a closed list that says what it means."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from archive.reasons import REASONS

ARCHIVE = Path(__file__).parents[2] / "archive"
_PLACES = {"Reject": 3, "file_reject": 2}
"""Constructors of rejects and where they take the reason."""


def given() -> Iterator[tuple[str, str]]:
    for path in sorted(ARCHIVE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PLACES:
                place = _PLACES[node.func.id]
                keyword = next((word.value for word in node.keywords if word.arg == "reason"), None)
                reason = keyword or (node.args[place] if len(node.args) > place else None)
                if isinstance(reason, ast.Constant) and isinstance(reason.value, str):
                    yield path.name, reason.value


def test_every_reason_given_is_explained() -> None:
    found = list(given())
    assert len(found) > 10
    assert [(name, reason) for name, reason in found if reason not in REASONS] == []


def test_explanations_are_short_and_start_small() -> None:
    for reason, text in REASONS.items():
        assert 10 < len(text) < 100, reason
        assert not text.endswith("."), reason
