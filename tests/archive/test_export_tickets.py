"""Ticket exports written back: the same tickets are read again, and nothing unseen leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from archive.export_ticket_values import written_like
from tests.archive.export_trips import CLEAN, REAL, Trip
from tests.archive.test_tickets_exports import BESIDE, LOG, ZENDESK
from tests.archive.test_tickets_github import HUB
from tests.archive.test_tickets_jira_json import ISSUE

HIDDEN = "Xanthippe"
NEW = ("mention",)
"""What a rich document told beside its text, which is all that is written again."""

JIRA_CSV = (
    "Summary,Issue key,Issue id,Issue Type,Status,Project key,Reporter,Created,Updated,Due Date,Labels,"
    f"Labels,Attachment,Comment,Comment,Unused {HIDDEN}\n"
    f"Ask {REAL},DD-1,40210,Task,Done,DD,{REAL.lower()},3/Sep/24 9:05 AM,03/Sep/24 12:30 PM,,a,b,"
    f"3/Sep/24 9:06 AM;{REAL.lower()};quote.pdf;http://{HIDDEN}/1,3/Sep/24 9:15 AM;bo;Yes {REAL}.,,\n"
)
FRESH = {
    "tickets": [
        {
            "id": 5,
            "subject": f"Printer of {REAL}",
            "description_text": f"It smokes, {REAL}",
            "status": 2,
            "priority": 3,
            "requester_id": 1007,
            "created_at": "2024-05-01T10:00:00Z",
        }
    ],
    "contacts": [{"id": 1007, "name": REAL, "email": f"{REAL.lower()}@x.example", "phone": HIDDEN}],
    "conversations": [
        {"id": 9, "ticket_id": 5, "user_id": 1007, "body_text": "Hello", "created_at": "2024-05-01T11:00:00Z"}
    ],
}


def text(value: Any) -> bytes:
    """A file's content."""
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def named(value: Any) -> Any:
    """An export with somebody's real name in it."""
    return json.loads(json.dumps(value).replace("Ann Lee", REAL).replace('"ann', f'"{REAL.lower()}'))


EXPORTS: dict[str, dict[str, bytes]] = {
    "jira-csv": {"export.csv": text(JIRA_CSV)},
    "jira-json": {"page.json": text(named({"issues": [ISSUE], "total": 1}))},
    "zendesk": {
        name: text(named(value) if not isinstance(value, str) else value) for name, value in BESIDE.items()
    }
    | {"more_users.json": text({"users": [{"id": 99, "name": HIDDEN, "email": f"{HIDDEN}@x.example"}]})}
    | {"tickets.ndjson": text(json.dumps(named(ZENDESK)) + "\n")},
    "servicenow": {"log.csv": text(LOG.replace("Caller 1", REAL))},
    "freshdesk": {"export.json": text(FRESH)},
    "github": {"issues.json": text([named({**HUB, "user": {"login": "ann", HIDDEN: HIDDEN}})])},
}


@pytest.fixture(scope="module", params=EXPORTS)
def trip(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trip:
    """One system's export, written back and read again."""
    form = request.param
    files = {f"tickets/{name}": data for name, data in EXPORTS[form].items()}
    source = f"{{name: tickets, kind: tickets, format: {form}, path: tickets}}"
    return Trip(tmp_path_factory.mktemp(form), files, [source])


def test_the_same_tickets_are_read_again(trip: Trip) -> None:
    assert trip.first.sources == trip.second.sources
    clean, read = trip.same("tickets")
    assert clean.to_dicts() == read.to_dicts()


def test_the_same_comments_and_changes_are_read_again(trip: Trip) -> None:
    clean, read = trip.same("comments")
    assert clean.to_dicts() == read.to_dicts()
    sides = []
    for frame in trip.same("ticket_events"):
        rows = frame.filter(~frame["field"].is_in(NEW)).to_dicts()
        sides.append([row for row in rows if not str(row["field"]).endswith(" id")])
    assert sides[0] == sides[1]


def test_nothing_unseen_leaves(trip: Trip) -> None:
    written = trip.bytes()
    assert HIDDEN.encode() not in written and REAL.encode() not in written
    assert REAL.lower().encode() not in written and CLEAN.lower().encode() in written.lower()


@pytest.mark.parametrize(
    ("raw", "moment", "clean", "written"),
    [
        ("3/Sep/24 9:05 AM", "2024-09-03T09:05:00+02:00", "2021-08-31T09:05:00+02:00", "31/Aug/21 9:05 AM"),
        ("13/Sep/24 10:05 PM", "2024-09-13T22:05:00+02:00", "2021-09-03T22:05:00+02:00", "3/Sep/21 10:05 PM"),
        ("03/Sep/24 9:05 AM", "2024-09-03T09:05:00+02:00", "2021-09-07T09:05:00+02:00", "07/Sep/21 9:05 AM"),
        (
            "2024-05-01T10:00:00Z",
            "2024-05-01T10:00:00+00:00",
            "2021-05-05T10:00:00+00:00",
            "2021-05-05T10:00:00Z",
        ),
        (
            "2024-09-06T17:05:00.123+0000",
            "2024-09-06T17:05:00+00:00",
            "2021-09-03T17:05:00+00:00",
            "2021-09-03T17:05:00.000+0000",
        ),
        (
            "2024-05-02 10:00:00",
            "2024-05-02T10:00:00+00:00",
            "2021-05-06T10:00:00+00:00",
            "2021-05-06 10:00:00",
        ),
        ("somewhen", "2024-05-02T10:00:00+00:00", "2021-05-06T10:00:00+00:00", "2021-05-06T10:00:00+00:00"),
    ],
)
def test_times_keep_their_form(raw: str, moment: str, clean: str, written: str) -> None:
    assert written_like(raw, moment, clean) == written


def test_unread_tickets_stay_behind(tmp_path: Path) -> None:
    lines = (
        text(json.dumps({**ZENDESK, "subject": REAL})) + b"\n{broken\n" + text({"subject": HIDDEN, "id": " "})
    )
    source = "{name: tickets, kind: tickets, format: zendesk, path: tickets}"
    trip = Trip(tmp_path, {"tickets/zendesk_tickets.ndjson": lines}, [source])
    assert trip.report.sources[0].quarantined == 2
    assert len((trip.out / "tickets/zendesk_tickets.ndjson").read_text().splitlines()) == 1
    assert HIDDEN.encode() not in trip.bytes()
