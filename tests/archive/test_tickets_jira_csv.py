"""Ticket exports: repeated columns, stamped comments, nothing of a row lost."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from archive.rejects import Reject
from archive.tickets import Ticket, read_tickets
from archive.times import ticket_time
from contracts.manifest import Source, SourceKind

ZONE = ZoneInfo("America/New_York")
SOURCE = Source(name="tickets", kind=SourceKind.TICKETS, format="jira-csv", path="*.csv")
EXPORT = (
    "Summary,Issue key,Status,Reporter,Created,Due Date,Description,Labels,Labels,"
    "Attachment,Comment,Comment,Team\n"
    'Approve,DD-1,Done,rquist,06/Sep/24 5:05 PM,,"Line one\r\nline two",a,b,'
    '06/Sep/24 5:06 PM;rquist;quote.pdf;https://x,"09/Sep/24 9:33 AM;gh;Approved; go, ahead.",no stamp,East\n'
    "No key,,Open,x,06/Sep/24 5:05 PM,,,,,,,,\n"
    "Short,DD-2,Open\n"
)


def read(folder: Path, text: str = EXPORT) -> list[Ticket | Reject]:
    (folder / "export.csv").write_text(text, encoding="utf-8", newline="")
    return list(read_tickets(SOURCE, folder, ZONE))


def test_a_ticket_keeps_labels_comments_attachments_and_unknown_columns(tmp_path: Path) -> None:
    ticket = read(tmp_path)[0]
    assert isinstance(ticket, Ticket)
    assert ticket.row["labels"] == ["a", "b"]
    assert (ticket.row["project"], ticket.row["created_at"]) == ("DD", "2024-09-06T17:05:00-04:00")
    assert ticket.row["description"] == "Line one\nline two"
    assert [(c["at"], c["author"], c["body"]) for c in ticket.comments] == [
        ("2024-09-09T09:33:00-04:00", "gh", "Approved; go, ahead."),
        (None, None, "no stamp"),
    ]
    assert [(e["field"], e["new_value"], e["at"]) for e in ticket.events] == [
        ("Attachment", "quote.pdf", "2024-09-06T17:06:00-04:00"),
        ("Team", "East", None),
    ]


def test_rows_that_are_no_tickets_have_a_reason_and_a_place(tmp_path: Path) -> None:
    rejects = [item for item in read(tmp_path) if isinstance(item, Reject)]
    assert [(reject.reason, reject.locator) for reject in rejects] == [
        ("no_key", "row 3"),
        ("wrong_width", "row 4"),
    ]


def test_another_csv_is_refused_by_its_header(tmp_path: Path) -> None:
    (reject,) = read(tmp_path, "a,b\n1,2\n")
    assert isinstance(reject, Reject)
    assert (reject.locator, reject.reason) == ("file", "no_issue_key")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("06/Sep/24 5:05 PM", "2024-09-06T17:05:00-04:00"),
        ("06/Jan/25 12:05 AM", "2025-01-06T00:05:00-05:00"),
        ("6/Sep/2024", "2024-09-06T00:00:00-04:00"),
        ("2024-09-06 17:05", "2024-09-06T17:05:00-04:00"),
        ("2024-09-06T17:05:00Z", "2024-09-06T17:05:00+00:00"),
        ("31/Feb/24 5:05 PM", None),
        ("06/Foo/24 5:05 PM", None),
        ("soon", None),
    ],
)
def test_times_are_read_without_the_machines_locale(text: str, moment: str | None) -> None:
    assert ticket_time(text, ZONE) == moment
