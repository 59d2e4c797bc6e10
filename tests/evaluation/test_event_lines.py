"""Lines of a shift log as people read them: what went with a mail is named."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.shift_events import ShiftEvent
from evaluation.event_lines import event_line

FILES = [{"id": "f-1", "name": "Plan.pdf"}, {"id": "f-2", "name": "List.csv"}]
SENT = {"to": ["a@b.example"], "subject": "Hi"}
ARRIVED = {"sender": {"address": "c@d.example"}, "subject": "Ho"}


@pytest.mark.parametrize(
    ("kind", "data", "lane", "text"),
    [
        ("mail.send", SENT, "mail", "Mail to a@b.example: Hi"),
        (
            "mail.send",
            SENT | {"attachments": FILES},
            "mail",
            "Mail to a@b.example: Hi · with Plan.pdf, List.csv",
        ),
        (
            "mail.forward",
            {"to": ["a@b.example"], "attachments": FILES[:1]},
            "mail",
            "Forward to a@b.example · with Plan.pdf",
        ),
        ("mail.deliver", {"mail": ARRIVED | {"attachments": []}}, "mail", "Arrives from c@d.example: Ho"),
        (
            "mail.deliver",
            {"mail": ARRIVED | {"attachments": FILES[1:]}},
            "mail",
            "Arrives from c@d.example: Ho · with List.csv",
        ),
        ("file.open", {"file_id": "f-1", "name": "Plan.pdf"}, "view", "opens Plan.pdf"),
        ("file.open", {"file_id": "f-1"}, "view", "opens f-1"),
    ],
)
def test_a_line_names_what_is_attached(kind: str, data: dict[str, Any], lane: str, text: str) -> None:
    line = event_line(ShiftEvent(seq=1, at_ms=0, actor="agent", type=kind, data=data))
    assert (line.lane, line.text) == (lane, text)
