"""Users, organizations and comments of a ticket export are drafted with its tickets, and that is told."""

from __future__ import annotations

import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from archive.drafting import draft_folder
from archive.rejects import Reject
from archive.tickets import read_tickets

TICKET = {
    "id": 7,
    "subject": "Printer",
    "description": "It is out of ink.",
    "requester_id": 1,
    "submitter_id": 1,
    "organization_id": 5,
    "created_at": "2024-05-01T09:00:00Z",
    "status": "open",
}
USER = {"id": 1, "name": "Ann Oak", "email": "ann@oak.example", "role": "end-user", "organization_id": 5}
FIRM = {"id": 5, "name": "Oak", "domain_names": [], "external_id": None}
BRAND = {"id": 3, "name": "Main", "active": True, "subdomain": "oak"}
METRIC = {"ticket_id": 7, "replies": 2, "created_at": "2024-05-01T09:00:00Z"}
PEOPLE_CSV = "id,name,email,role,organization_id\n1,Ann Oak,ann@oak.example,end-user,5\n"
PARTS = {
    "tickets.json": {"tickets": [TICKET]},
    "users.json": {"users": [USER]},
    "organizations.json": {"organizations": [FIRM]},
}
FRESHDESK = {
    "tickets.json": [
        {"id": 1, "subject": "x", "requester_id": 1, "responder_id": 2, "status": 2, "company_id": 5}
    ],
    "contacts.json": [{"id": 1, "name": "Ann Oak", "email": "ann@oak.example", "company_id": 5}],
    "agents.json": [{"id": 2, "contact": {"name": "Bea Elm", "email": "bea@elm.example"}}],
    "companies.json": [{"id": 5, "name": "Oak", "domains": []}],
}
TICKETS_CSV = (
    "id,subject,description,requester_id,submitter_id,status,created_at,updated_at,via_channel\n"
    "7,Printer,No,1,1,open,2024-05-01T09:00:00Z,2024-05-01T09:00:00Z,web\n"
)


def written(folder: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def in_folders(extra: dict[str, object]) -> dict[str, object]:
    names = {"tickets.json": "desk/tickets/1.json", "users.json": "desk/users/1.json"}
    return {names.get(name, f"desk/organizations/{name}"): held for name, held in PARTS.items()} | extra


@pytest.mark.parametrize(
    ("files", "sources"),
    [
        (PARTS, [("zendesk", ".", 3)]),
        (PARTS | {"brands.json": [BRAND]}, [("zendesk", "[otu]*.json", 3), ("jsonl", "brands.json", 1)]),
        (PARTS | {"user_fields.json": [BRAND]}, [("zendesk", ".", 3)]),
        (
            {
                "zendesk_tickets.json": [TICKET],
                "zendesk_users.json": [USER],
                "zendesk_ticket_metrics.json": [METRIC],
                "zendesk_brands.json": [BRAND],
            },
            [("zendesk", "zendesk_[tu]*.json", 3), ("jsonl", "zendesk_brands.json", 1)],
        ),
        (in_folders({}), [("zendesk", "desk", 3)]),
        (
            in_folders({"desk/brands/1.json": [BRAND]}),
            [("zendesk", "desk/[otu]*/*", 3), ("jsonl", "desk/brands/1.json", 1)],
        ),
        (
            {"tickets.json": [TICKET], "users.csv": PEOPLE_CSV, "orders.csv": "id,total\n1,2\n2,3\n"},
            [("zendesk", "[tu]*", 2), ("csv", "orders.csv", 1)],
        ),
        (
            {"tickets/tickets.csv": TICKETS_CSV, "users/users.csv": PEOPLE_CSV},
            [("csv", ".", 2)],
        ),
        (FRESHDESK, [("freshdesk", ".", 4)]),
        (
            {"desk/tickets.json": [TICKET], "crm/users.csv": PEOPLE_CSV},
            [("csv", "crm/users.csv", 1), ("zendesk", "desk/tickets.json", 1)],
        ),
        ({"people/users.json": [{"id": 1, "name": "Ann"}]}, [("jsonl", "people/users.json", 1)]),
        (
            {"tickets.json": [TICKET], "users.csv": "id,name,team\n1,Ann,Hull\n"},
            [("zendesk", "tickets.json", 1), ("csv", "users.csv", 1)],
        ),
    ],
)
def test_companions_are_drafted_with_their_tickets(
    files: dict[str, object], sources: list[tuple[str, str, int]], tmp_path: Path
) -> None:
    draft = draft_folder(written(tmp_path, files), "x")
    assert [(found.format, found.path, found.files) for found in draft.sources] == sources


def test_the_draft_tells_what_stands_beside_the_tickets_and_what_cannot_be_kept_apart(tmp_path: Path) -> None:
    files: dict[str, object] = {**PARTS, "user_fields.json": [BRAND]}
    draft = draft_folder(written(tmp_path, files), "x")
    (source,) = draft.sources
    assert "with organizations.json, users.json beside the tickets" in source.why
    (told,) = [check for check in draft.checks if check.where.endswith(".path")]
    assert "user_fields.json" in told.why


@pytest.mark.parametrize(("files", "key"), [(PARTS, "7"), (in_folders({}), "7"), (FRESHDESK, "1")])
def test_tickets_name_their_people_by_the_files_beside_them(
    files: dict[str, object], key: str, tmp_path: Path
) -> None:
    draft = draft_folder(written(tmp_path, files), "x")
    (ticket,) = read_tickets(draft.manifest.sources[0], tmp_path, ZoneInfo("UTC"))
    assert not isinstance(ticket, Reject)
    assert (ticket.row["ticket_key"], ticket.row["reporter"]) == (key, "ann@oak.example")
    assert "Oak" in [event["new_value"] for event in ticket.events]
