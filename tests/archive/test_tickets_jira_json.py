"""Jira's REST form: changelog, document bodies, links, people under their keys, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from archive.rejects import Reject
from archive.tickets import Ticket, read_tickets
from archive.tickets_jira_json import body_text
from contracts.manifest import Source, SourceKind

ANN = {"name": "alee", "displayName": "Ann Lee", "emailAddress": "ann@x.example", "self": "https://x"}
BOB = {"accountId": "5f:1", "displayName": "Bob Ray"}
ISSUE: dict[str, Any] = {
    "id": "10001",
    "key": "DD-7",
    "fields": {
        "summary": "Approve",
        "description": "See [~bray] and\r\nDD-3",
        "issuetype": {"self": "https://x", "name": "Task"},
        "status": {"name": "Done"},
        "project": {"key": "DD", "name": "Deal Desk"},
        "reporter": ANN,
        "assignee": BOB,
        "created": "2024-09-06T17:05:00.123+0000",
        "resolutiondate": None,
        "labels": ["a", "b"],
        "fixVersions": [{"name": "1.0"}, {"name": "1.1"}],
        "customfield_1": {"self": "https://x", "value": "East"},
        "customfield_2": None,
        "issuelinks": [
            {
                "id": "1",
                "type": {"outward": "blocks", "inward": "is blocked by"},
                "outwardIssue": {"key": "DD-9"},
            },
            {
                "id": "2",
                "type": {"outward": "blocks", "inward": "is blocked by"},
                "inwardIssue": {"key": "DD-1"},
            },
        ],
        "subtasks": [{"key": "DD-8"}],
        "parent": {"key": "DD-2"},
        "attachment": [
            {"id": "5", "filename": "quote.pdf", "author": ANN, "created": "2024-09-06T17:06:00.000+0000"}
        ],
        "comment": {
            "total": 3,
            "comments": [
                {"id": "1", "author": ANN, "created": "2024-09-09T09:33:00.000+0200", "body": "Yes."},
                {
                    "id": "2",
                    "author": BOB,
                    "created": "2024-09-09T10:00:00.000+0000",
                    "body": {
                        "type": "doc",
                        "content": [
                            {
                                "type": "paragraph",
                                "content": [
                                    {"type": "mention", "attrs": {"id": "5f:9", "text": "@Cy"}},
                                    {"type": "text", "text": " see "},
                                    {
                                        "type": "text",
                                        "text": "this",
                                        "marks": [{"type": "link", "attrs": {"href": "https://y"}}],
                                    },
                                ],
                            }
                        ],
                    },
                },
            ],
        },
    },
    "changelog": {
        "histories": [
            {
                "id": "77",
                "author": ANN,
                "created": "2024-09-07T08:00:00.000+0000",
                "items": [
                    {"field": "status", "from": "1", "fromString": "Open", "to": "2", "toString": "Done"},
                    {
                        "field": "assignee",
                        "from": None,
                        "fromString": None,
                        "to": "5f:1",
                        "toString": "Bob Ray",
                    },
                ],
            }
        ]
    },
}


def read(folder: Path, content: object, name: str = "export.json") -> list[Ticket | Reject]:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")
    source = Source(name="tickets", kind=SourceKind.TICKETS, format="jira-json", path=name)
    return list(read_tickets(source, folder, ZoneInfo("UTC")))


@pytest.fixture
def ticket(tmp_path: Path) -> Ticket:
    found = read(tmp_path, {"names": {"customfield_1": "Region"}, "issues": [ISSUE]})[0]
    assert isinstance(found, Ticket)
    return found


def test_the_canonical_columns_hold_keys_and_times(ticket: Ticket) -> None:
    expected = {
        "ticket_key": "DD-7",
        "project": "DD",
        "type": "Task",
        "status": "Done",
        "reporter": "alee",
        "assignee": "5f:1",
        "creator": None,
        "labels": ["a", "b"],
        "created_at": "2024-09-06T17:05:00+00:00",
        "resolved_at": None,
        "description": "See [~bray] and\nDD-3",
    }
    assert {name: ticket.row[name] for name in expected} == expected


def test_changes_links_names_and_unknown_fields_are_events(ticket: Ticket) -> None:
    events = {(e["at"], e["author"], e["field"], e["old_value"], e["new_value"]) for e in ticket.events}
    at = "2024-09-07T08:00:00+00:00"
    assert events >= {
        (at, "alee", "status", "Open", "Done"),
        (at, "alee", "assignee", None, "Bob Ray"),
        (None, None, "link", None, "blocks DD-9"),
        (None, None, "link", None, "is blocked by DD-1"),
        (None, None, "subtask", None, "DD-8"),
        (None, None, "parent", None, "DD-2"),
        (None, None, "Region", None, "East"),
        (None, None, "fixVersions", None, "1.0"),
        (None, None, "fixVersions", None, "1.1"),
        (None, None, "Project name", None, "Deal Desk"),
        (None, None, "id", None, "10001"),
        (None, None, "comments not in the export", None, "1"),
        (None, None, "mention", None, "bray"),
        ("2024-09-09T10:00:00+00:00", "5f:1", "mention", None, "5f:9"),
        ("2024-09-06T17:06:00+00:00", "alee", "Attachment", None, "quote.pdf"),
        (None, "alee", "Reporter name", None, "Ann Lee"),
        (None, "alee", "Reporter e-mail", None, "ann@x.example"),
        (None, "5f:1", "Assignee name", None, "Bob Ray"),
    }
    assert "customfield_2" not in {field for _, _, field, _, _ in events}


def test_comments_are_in_order_and_bodies_are_plain_text(ticket: Ticket) -> None:
    assert [(c["at"], c["author"], c["body"]) for c in ticket.comments] == [
        ("2024-09-09T09:33:00+02:00", "alee", "Yes."),
        ("2024-09-09T10:00:00+00:00", "5f:1", "@Cy see this (https://y)"),
    ]


def test_ids_do_not_depend_on_the_container(tmp_path: Path, ticket: Ticket) -> None:
    line = read(tmp_path, json.dumps(ISSUE | {"names": {}}) + "\n" + json.dumps(ISSUE), "lines.jsonl")[1]
    assert isinstance(line, Ticket)
    assert line.row["ticket_id"] == ticket.row["ticket_id"]
    assert [c["comment_id"] for c in line.comments] == [c["comment_id"] for c in ticket.comments]


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        (
            {"issues": [{"key": None, "fields": {}}, {"fields": {}}, {"key": "A-1"}]},
            ["no_key", "no_key", "no_fields"],
        ),
        ({"issues": [{"key": "A-1", "fields": []}, "x"]}, ["no_fields", "no_object"]),
        ('{"issues": [{"key": "A-1", "fi', ["broken_json"]),
    ],
)
def test_what_is_no_issue_is_a_reject(content: object, reasons: list[str], tmp_path: Path) -> None:
    assert [item.reason for item in read(tmp_path, content) if isinstance(item, Reject)] == reasons


@pytest.mark.parametrize("wrong", [None, 3, "x", [], {}, [None, 3], {"a": [1]}, True])
def test_fields_of_wrong_types_never_raise(wrong: object, tmp_path: Path) -> None:
    fields = dict.fromkeys(ISSUE["fields"], wrong)
    issue = {"key": "A-1", "fields": fields, "changelog": wrong, "names": wrong}
    assert isinstance(read(tmp_path, issue)[0], Ticket)


def test_document_bodies_keep_lists_quotes_and_tables() -> None:
    def text(value: str) -> dict[str, object]:
        return {"type": "paragraph", "content": [{"type": "text", "text": value}]}

    body = {
        "type": "doc",
        "content": [
            {"type": "orderedList", "content": [{"type": "listItem", "content": [text("one")]}]},
            {"type": "bulletList", "content": [{"type": "listItem", "content": [text("two")]}]},
            {"type": "blockquote", "content": [text("said")]},
            {
                "type": "tableRow",
                "content": [{"type": "tableCell", "content": [text(cell)]} for cell in "ab"],
            },
            {"type": "date", "attrs": {"timestamp": "1725580800000"}},
        ],
    }
    assert body_text(body)[0] == "1. one\n- two\n> said\na | b\n2024-09-06"
