"""Zendesk, ServiceNow and Freshdesk exports: ids resolved, histories kept, orphans told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archive.rejects import Reject
from archive.tickets import TICKET_READERS, Ticket
from tests.archive.ticket_exports import bodies, columns, events, one, read

ZENDESK = {
    "id": 35,
    "subject": "Printer",
    "description": "It smokes",
    "status": "solved",
    "type": "problem",
    "requester_id": 7,
    "assignee_id": 8,
    "submitter_id": 9,
    "organization_id": 4,
    "tags": ["hw", "fire"],
    "created_at": "2024-05-01T10:00:00Z",
    "updated_at": "2024-05-02 10:00:00",
    "problem_id": 34,
    "custom_fields": [{"id": 11, "value": "red"}, {"id": 12, "value": None}],
    "satisfaction_rating": {"score": "good"},
}
USERS = [
    {"id": 7, "email": "ann@x.example", "name": "Ann Lee", "organization_id": 4},
    {"id": 8, "name": "Bob Ray"},
]
COMMENT = {"id": 1, "ticket_id": 35, "author_id": 8, "body": "On it", "created_at": "2024-05-01T11:00:00Z"}
AUDIT = {
    "id": 5,
    "ticket_id": 35,
    "author_id": 8,
    "created_at": "2024-05-02T09:00:00Z",
    "events": [
        {"id": 51, "type": "Change", "field_name": "status", "previous_value": "open", "value": "solved"},
        {"id": 52, "type": "Change", "field_name": "assignee_id", "previous_value": None, "value": "8"},
        {"id": 1, "type": "Comment", "body": "On it"},
        {
            "id": 2,
            "type": "Comment",
            "body": "Done",
            "public": False,
            "attachments": [{"file_name": "p.jpg"}],
        },
    ],
}
BESIDE = {
    "users.json": {"users": USERS, "organizations": [{"id": 4, "name": "Acme"}]},
    "ticket_fields.json": {"ticket_fields": [{"id": 11, "title": "Color"}]},
    "comments.json": {"comments": [COMMENT]},
    "ticket_audits.ndjson": json.dumps(AUDIT),
}


@pytest.mark.parametrize(
    "tickets",
    [
        {"tickets.ndjson": json.dumps(ZENDESK)},
        {"zendesk_tickets.ndjson": json.dumps({**ZENDESK, "comments": [COMMENT], "audits": [AUDIT]})},
        {"page.json": {"tickets": [ZENDESK], "next_page": None}},
        {"one.json": {"ticket": ZENDESK}},
    ],
)
def test_zendesk_tickets_are_joined_with_what_stands_beside(
    tickets: dict[str, object], tmp_path: Path
) -> None:
    ticket = one(read(tmp_path, "zendesk", {**tickets, **BESIDE}))
    assert columns(ticket, "ticket_key", "summary", "reporter", "assignee", "creator") == [
        "35",
        "Printer",
        "ann@x.example",
        "Bob Ray",
        "9",
    ]
    assert columns(ticket, "labels", "updated_at") == [["hw", "fire"], "2024-05-02T10:00:00+00:00"]
    assert bodies(ticket) == [
        ("2024-05-01T11:00:00+00:00", "Bob Ray", "On it"),
        ("2024-05-02T09:00:00+00:00", "Bob Ray", "Done"),
    ]
    at = "2024-05-02T09:00:00+00:00"
    assert events(ticket) >= {
        (at, "Bob Ray", "status", "open", "solved"),
        (at, "Bob Ray", "assignee_id", None, "Bob Ray"),
        (at, "Bob Ray", "comment visibility", None, "internal"),
        (at, "Bob Ray", "Attachment", None, "p.jpg"),
        (None, None, "link", None, "is incident of 34"),
        (None, None, "Color", None, "red"),
        (None, None, "organization", None, "Acme"),
        (None, "ann@x.example", "Reporter name", None, "Ann Lee"),
        (None, "ann@x.example", "Reporter id", None, "7"),
        (None, "ann@x.example", "Reporter organization", None, "Acme"),
    }


def test_zendesk_tables_of_a_connector_are_one_export_and_orphans_are_told(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "zendesk",
        {
            "ticket_data.csv": "id,subject,status,requester_id,created_at\n35,A,open,7,2024-05-01 10:00:00\n",
            "user_data.csv": "id,email,name\n7,ann@x.example,Ann Lee\n",
            "ticket_comment_data.csv": "id,body,created,public,ticket_id,user_id\n"
            "1,Hi,2024-05-01 11:00:00,TRUE,35,7\n2,Lost,2024-05-01 11:00:00,TRUE,99,7\n",
            "ticket_tag_data.csv": "tag,ticket_id\nvip,35\n",
            "ticket_field_history_data.csv": "field_name,ticket_id,updated,user_id,value\n"
            "status,35,2024-05-02 10:00:00,7,open\nstatus,35,2024-05-01 10:00:00,7,new\n",
        },
    )
    ticket = one([item for item in found if isinstance(item, Ticket)])
    assert columns(ticket, "reporter", "labels") == ["ann@x.example", ["vip"]]
    assert bodies(ticket) == [("2024-05-01T11:00:00+00:00", "ann@x.example", "Hi")]
    assert events(ticket) >= {
        ("2024-05-01T10:00:00+00:00", "ann@x.example", "status", None, "new"),
        ("2024-05-02T10:00:00+00:00", "ann@x.example", "status", "new", "open"),
    }
    assert [(r.path, r.locator, r.reason) for r in found if isinstance(r, Reject)] == [
        ("ticket_comment_data.csv", "row 3", "no_ticket")
    ]


LOG = (
    "number,incident_state,sys_mod_count,caller_id,opened_at,sys_updated_by,sys_updated_at,assigned_to,"
    "priority,closed_code,resolved_at,problem_id\n"
    "INC1,New,0,Caller 1,1/2/2016 01:16,Up 1,1/2/2016 01:23,?,3 - Moderate,?,?,?\n"
    "INC2,-100,0,Caller 2,29/2/2016 01:16,Up 1,29/2/2016 01:23,?,3 - Moderate,?,?,?\n"
    "INC1,Closed,2,Caller 1,1/2/2016 01:16,Up 2,2/2/2016 08:00,Res 5,3 - Moderate,code 6,2/2/2016 07:00,P 9\n"
)


def test_rows_of_an_incident_log_are_one_ticket_with_its_history(tmp_path: Path) -> None:
    first, second = read(tmp_path, "servicenow", {"log.csv": LOG})
    assert isinstance(first, Ticket) and isinstance(second, Ticket)
    assert columns(first, "ticket_key", "status", "resolution", "reporter", "assignee") == [
        "INC1",
        "Closed",
        "code 6",
        "Caller 1",
        "Res 5",
    ]
    assert columns(first, "created_at", "resolved_at") == [
        "2016-02-01T01:16:00-05:00",
        "2016-02-02T07:00:00-05:00",
    ]
    assert columns(second, "status", "assignee", "resolved_at") == ["-100", None, None]
    at = "2016-02-02T08:00:00-05:00"
    assert {event for event in events(first) if event[0]} == {
        ("2016-02-01T01:23:00-05:00", "Up 1", "sys_mod_count", None, "0"),
        (at, "Up 2", "sys_mod_count", "0", "2"),
        (at, "Up 2", "incident_state", "New", "Closed"),
        (at, "Up 2", "assigned_to", None, "Res 5"),
        (at, "Up 2", "closed_code", None, "code 6"),
        (at, "Up 2", "resolved_at", None, "2016-02-02T07:00:00-05:00"),
        (at, "Up 2", "problem_id", None, "P 9"),
    }
    assert (None, None, "link", None, "has problem P 9") in events(first)
    assert first.row["locator"] == "row 2 to row 4"


def test_servicenow_tables_have_audits_and_journals(tmp_path: Path) -> None:
    incident = {
        "sys_id": "abc",
        "number": {"display_value": "INC7", "value": "INC7"},
        "state": {"display_value": "Resolved", "value": "6"},
        "caller_id": {"display_value": "Ann Lee", "value": "def", "link": "https://x"},
        "sys_created_on": "2024-05-01 10:00:00",
        "comments_and_work_notes": "2024-05-01 11:00:00 - Bob Ray (Work notes)\nLooked.\n\n"
        "2024-05-01 10:30:00 - Ann Lee (Additional comments)\nHelp\n",
    }
    audit = {
        "documentkey": "abc",
        "fieldname": "state",
        "oldvalue": "1",
        "newvalue": "6",
        "user": "bray",
        "sys_created_on": "2024-05-01 12:00:00",
    }
    lost = {**audit, "documentkey": "zzz"}
    found = read(
        tmp_path, "servicenow", {"a.json": {"result": [incident]}, "b.json": {"result": [audit, lost]}}
    )
    ticket, reject = found
    assert isinstance(ticket, Ticket) and isinstance(reject, Reject)
    assert columns(ticket, "ticket_key", "status", "reporter") == ["INC7", "Resolved", "Ann Lee"]
    assert bodies(ticket) == [
        ("2024-05-01T11:00:00-04:00", "Bob Ray", "Looked."),
        ("2024-05-01T10:30:00-04:00", "Ann Lee", "Help"),
    ]
    assert ("2024-05-01T12:00:00-04:00", "bray", "state", "1", "6") in events(ticket)
    assert reject.reason == "no_ticket"


def test_freshdesk_codes_are_words_and_conversations_are_comments(tmp_path: Path) -> None:
    ticket = one(
        read(
            tmp_path,
            "freshdesk",
            {
                "tickets.json": [
                    {
                        "id": 3,
                        "subject": "Bill",
                        "description": "<p>Too high</p>",
                        "description_text": "Too high",
                        "status": 4,
                        "priority": 2,
                        "source": 1,
                        "requester_id": 7,
                        "responder_id": 8,
                        "created_at": "2024-05-01T10:00:00Z",
                        "stats": {"resolved_at": "2024-05-03T10:00:00Z"},
                        "custom_fields": {"cf_region": "East"},
                        "conversations": [
                            {
                                "id": 1,
                                "user_id": 8,
                                "body_text": "Sorry",
                                "private": True,
                                "created_at": "2024-05-01T12:00:00Z",
                                "attachments": [{"name": "bill.pdf"}],
                            }
                        ],
                    }
                ],
                "contacts.json": {"contacts": [{"id": 7, "name": "Ann Lee", "email": "ann@x.example"}]},
                "agents.json": {"agents": [{"id": 8, "contact": {"name": "Bob", "email": "bob@x.example"}}]},
            },
        )
    )
    assert columns(ticket, "status", "priority", "reporter", "assignee", "description", "resolved_at") == [
        "Resolved",
        "Medium",
        "ann@x.example",
        "bob@x.example",
        "Too high",
        "2024-05-03T10:00:00+00:00",
    ]
    assert bodies(ticket) == [("2024-05-01T12:00:00+00:00", "bob@x.example", "Sorry")]
    assert {(field, new) for _, _, field, _, new in events(ticket)} >= {
        ("source", "Email"),
        ("cf_region", "East"),
        ("Attachment", "bill.pdf"),
        ("comment visibility", "internal"),
        ("description", "<p>Too high</p>"),
    }


def test_freshdesk_csv_columns_have_their_meaning(tmp_path: Path) -> None:
    text = (
        "Ticket ID,Subject,Status,Priority,Agent,Created time,Tags,Full name,Email\n"
        '3,Bill,Open,Low,Bob,2024-05-01 10:00,"a,b",Ann Lee,ann@x.example\n'
    )
    ticket = one(read(tmp_path, "freshdesk", {"tickets.csv": text}))
    assert columns(ticket, "ticket_key", "status", "reporter", "assignee", "labels", "created_at") == [
        "3",
        "Open",
        "ann@x.example",
        "Bob",
        ["a", "b"],
        "2024-05-01T10:00:00-04:00",
    ]
    assert (None, "ann@x.example", "Reporter name", None, "Ann Lee") in events(ticket)


@pytest.mark.parametrize("form", sorted(set(TICKET_READERS) - {"jira-csv"}))
@pytest.mark.parametrize(
    "content",
    [
        '{"tickets": [{"id": 1, "subj',
        '[1, null, "x", [], {}]',
        '{"id": {"a": 1}, "number": [], "key": 3, "title": null, "fields": 4}',
        '{"id": 5, "number": 5, "key": "A-1", "title": 1, "fields": {}, "comments": {"a": [1]},'
        ' "custom_fields": 7,'
        ' "audits": [{"events": 3}], "conversations": 1, "labels": {"a": 1}, "tags": {"b": 2},'
        ' "subject": [1],'
        ' "requester_id": {"x": 1}, "created_at": 17, "user": "ann", "assignees": [1], "stats": [2],'
        ' "via": {}}',
        "",
        "\x00\x01\x02",
    ],
)
def test_wrong_content_of_any_kind_is_a_ticket_or_a_reject(form: str, content: str, tmp_path: Path) -> None:
    assert read(tmp_path, form, {"x.json": content})


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.json").write_text(json.dumps({"number": 12, "title": "Crash"}), encoding="utf-8")
    (tmp_path / "in" / "link.json").symlink_to(tmp_path / "secret.json")
    assert read(tmp_path / "in", "github", {}) == []
