"""Every reason for quarantine is one of a closed list that says what it means."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from archive.reasons import ATTACHMENT_FAULTS, REASONS

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
    for reason, text in [*REASONS.items(), *ATTACHMENT_FAULTS.items()]:
        assert 10 < len(text) < 100, reason
        assert not text.endswith("."), reason


def test_every_fault_of_an_attachment_is_explained_and_explained_ones_exist() -> None:
    """Faults are bare words in a few modules: each explained one is given there, and no other."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted(ARCHIVE.glob("*.py"))}
    readers = "".join(
        sources[name]
        for name in (
            "attachment_text.py",
            "attachment_office.py",
            "attachment_pdf.py",
            "packed.py",
            "mail_msg.py",
        )
    )
    assert [fault for fault in ATTACHMENT_FAULTS if f'"{fault}"' not in readers] == []
    given = set(re.findall(r'(?:AttachmentText|OfficeText|PackedMember)\([^)\n]*, "(\w+)"\)', readers))
    assert len(given) > 5
    assert given <= ATTACHMENT_FAULTS.keys()
