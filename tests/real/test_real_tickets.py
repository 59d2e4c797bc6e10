"""Public ticket exports read whole: the published figures are met, nothing is lost on the way."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from archive.rejects import Reject
from archive.tickets import Ticket, read_tickets
from contracts.manifest import Source, SourceKind

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)


def read(form: str, path: str) -> tuple[list[Ticket], list[Reject]]:
    source = Source(name="real", kind=SourceKind.TICKETS, format=form, path=path)
    found = list(read_tickets(source, Path(REAL), ZoneInfo("UTC")))
    return [t for t in found if isinstance(t, Ticket)], [r for r in found if isinstance(r, Reject)]


def events(tickets: list[Ticket]) -> Counter[str]:
    return Counter(str(event["field"]) for ticket in tickets for event in ticket.events)


@pytest.fixture(scope="module")
def jira() -> list[Ticket]:
    tickets, rejects = read("jira-json", "jira_apache/issues.jsonl.gz")
    assert rejects == []
    return tickets


def test_all_issues_comments_changes_and_links_are_there(jira: list[Ticket]) -> None:
    assert (len(jira), sum(len(ticket.comments) for ticket in jira)) == (501, 2_075)
    counted = events(jira)
    assert (counted["link"], counted["subtask"], counted["parent"]) == (219, 88, 84)
    own = ("mention", "worklog", "comment edited", "comment visibility")
    timed = [e for ticket in jira for e in ticket.events if e["at"] and e["field"] not in own]
    assert len(timed) == 3_433
    assert Counter(ticket.row["resolution"] for ticket in jira).most_common(3) == [
        ("Fixed", 395),
        ("Duplicate", 27),
        ("Invalid", 21),
    ]


def test_every_changed_value_of_the_source_is_in_an_event(jira: list[Ticket]) -> None:
    held = {str(ticket.row["ticket_key"]): ticket for ticket in jira}
    with gzip.open(Path(REAL) / "jira_apache" / "issues.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            issue = json.loads(line)
            changes = Counter(
                (item["field"], (item["toString"] or item["to"] or "").replace("\r\n", "\n"))
                for history in issue["changelog"]["histories"]
                for item in history["items"]
            )
            ticket = held[issue["key"]]
            told = Counter((e["field"], e["new_value"] or "") for e in ticket.events if e["at"])
            assert changes <= told, issue["key"]
            reporter = issue["fields"]["reporter"]
            people = {reporter["displayName"].strip(), reporter["name"]}
            assert people <= {ticket.row["reporter"], *(e["new_value"] for e in ticket.events)}


def test_a_log_of_incidents_is_one_ticket_each_with_all_of_its_rows() -> None:
    tickets, rejects = read("servicenow", "servicenow_incident_log/*.csv")
    assert (len(tickets), rejects) == (2_000, [])
    assert events(tickets)["sys_mod_count"] == 14_041
    assert all(str(ticket.row["created_at"]).startswith("2016-") for ticket in tickets)
    assert sum(ticket.row["status"] == "Closed" for ticket in tickets) == 2_000


def test_a_connectors_tables_are_read_and_rows_without_ticket_told() -> None:
    tickets, rejects = read("zendesk", "connector_seeds/zendesk/*.csv")
    assert len(tickets) == 10
    assert {reject.reason for reject in rejects} == {"no_ticket"}
