"""Zendesk exports: tickets in API JSON, incremental exports line by line, and a connector's tables.

Users, organizations, groups, comments, audits and field histories may stand inside the tickets, beside them
in one document, in files of their own or in CSV tables (ticket.csv, ticket_comment.csv, user.csv, with or
without "_data"). Ids become addresses or names where the export tells them. Times without offset are UTC.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.json_files import JsonObject, JsonUnit
from archive.rejects import Reject
from archive.tickets_companions import People, source_units, unit_reject
from archive.tickets_rows import Place, Ticket, TicketDraft, object_of, objects_of, plain, text_of

_LISTS = ("tickets", "users", "organizations", "groups", "comments", "audits", "ticket_fields")
_TABLES = {
    "ticket": "tickets",
    "user": "users",
    "organization": "organizations",
    "group": "groups",
    "ticket_comment": "comments",
    "ticket_audit": "audits",
    "ticket_field": "ticket_fields",
    "ticket_field_history": "changes",
    "ticket_tag": "tags",
}
_PEOPLE = {"requester_id": "Reporter", "assignee_id": "Assignee", "submitter_id": "Creator"}
_OTHERS = {"collaborator_ids": "Collaborator", "follower_ids": "Follower", "email_cc_ids": "Copied"}
_SINGLE = {"subject": "summary", "description": "description", "status": "status", "priority": "priority"}
_TIMES = {
    "created_at": "created_at",
    "updated_at": "updated_at",
    "due_at": "due_at",
    "solved_at": "resolved_at",
}
_LINKS = {
    "problem_id": "is incident of",
    "followup_ids": "is followed up by",
    "via_followup_source_id": "follows up",
    "merged_ticket_ids": "merges",
}
_SILENT = frozenset(("id", "comments", "audits", "fields", "_fivetran_synced", "_company_synced"))


@dataclass
class _Export:
    """What stands beside the tickets."""

    people: People = field(default_factory=People)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """(list, id) -> name of an organization, group or field."""
    beside: dict[str, list[tuple[str, JsonUnit]]] = field(default_factory=dict)
    """Ticket id -> (list, unit) in order."""

    def name(self, kind: str, key: object) -> str | None:
        own = text_of(key)
        return self.names.get((kind, own), own) if own else None


def read_zendesk(source: str, files: Sequence[Path], base: Path, zone: ZoneInfo) -> Iterator[Ticket | Reject]:
    """Yields the tickets of an export in order; entries beside them that name no ticket of it as rejects."""
    export = _Export()
    organizations: list[tuple[object, object, object, str | None]] = []
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, JsonUnit):
            _take(export, organizations, unit)
    for key, name, mail, organization in organizations:
        export.people.add(key, name, mail, export.name("organizations", organization))
    used: set[str] = set()
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, Reject):
            yield unit
        elif _kind(unit) == "tickets":
            ticket = _ticket(source, unit, zone, export)
            if isinstance(ticket, Ticket):
                used.add(str(ticket.row["ticket_key"]))
            yield ticket
    for key, entries in export.beside.items():
        if key not in used:
            yield from (unit_reject(unit, "no_ticket") for _, unit in entries)


def _kind(unit: JsonUnit) -> str:
    """Returns the list that a unit belongs to: by its name, else by its fields."""
    stem = unit.name.removeprefix("zendesk_").removesuffix("_data")
    if stem in _LISTS or stem in _TABLES:
        return _TABLES.get(stem, stem)
    value = unit.value
    if "ticket" in value or "requester_id" in value or ("subject" in value and "ticket_id" not in value):
        return "tickets"
    if "ticket_id" in value:
        audit = "events" in value
        return "audits" if audit else "comments" if "body" in value and "author_id" in value else stem
    if "email" in value and ("role" in value or "name" in value):
        return "users"
    return (
        "organizations"
        if "shared_tickets" in value or "domain_names" in value
        else "groups"
        if stem.startswith("group")
        else "other"
    )


def _take(export: _Export, users: list[tuple[object, object, object, str | None]], unit: JsonUnit) -> None:
    kind, value = _kind(unit), unit.value
    if kind == "users":
        users.append(
            (value.get("id"), value.get("name"), value.get("email"), text_of(value.get("organization_id")))
        )
    elif kind in ("organizations", "groups", "ticket_fields"):
        key, name = text_of(value.get("id")), text_of(value.get("name") or value.get("title"))
        if key and name:
            export.names[(kind, key)] = name
    elif kind != "tickets":
        key = text_of(value.get("ticket_id"))
        export.beside.setdefault(key or "", []).append((kind, unit))
    elif kind == "tickets":
        for name in ("requester", "assignee", "submitter"):
            person = object_of(value.get(name))
            users.append((person.get("id"), person.get("name"), person.get("email"), None))


def _ticket(source: str, unit: JsonUnit, zone: ZoneInfo, export: _Export) -> Ticket | Reject:
    value = object_of(unit.value.get("ticket")) or unit.value
    key = text_of(value.get("id"))
    if not key or not key.strip():
        return unit_reject(unit, "no_key")
    draft = TicketDraft(Place(source, unit.path, unit.locator, unit.digest), zone, key)
    for name, item in sorted(value.items()):
        if item not in (None, "", [], {}) and name.lower() not in _SILENT:
            _field(draft, name, item, export)
    if value.get("fields") and value.get("fields") != value.get("custom_fields"):
        _custom(draft, value["fields"], export)
    entries = export.beside.get(key, [])
    own = [("comments", item) for item in objects_of(value.get("comments"))]
    own += [("audits", item) for item in objects_of(value.get("audits"))]
    own += [(kind, beside.value) for kind, beside in entries]
    _beside(draft, own, export)
    return draft.ticket()


def _field(draft: TicketDraft, name: str, value: object, export: _Export) -> None:
    if name in _PEOPLE:
        export.people.place(draft, _PEOPLE[name], value)
    elif name in _OTHERS:
        for person in value if isinstance(value, list) else [value]:
            export.people.place(draft, _OTHERS[name], person)
    elif name in _SINGLE:
        draft.put(_SINGLE[name], plain(value), name)
    elif name in _TIMES:
        draft.time(_TIMES[name], text_of(value), name)
    elif name == "type":
        draft.put("type", plain(value))
    elif name in ("organization_id", "group_id"):
        kind = "organizations" if name.startswith("org") else "groups"
        draft.state(name.removesuffix("_id"), export.name(kind, value))
    elif name == "tags":
        for tag in value if isinstance(value, list) else plain(value).split(","):
            draft.label(plain(tag))
    elif name in _LINKS:
        for other in _ids(value):
            draft.event(None, None, "link", None, f"{_LINKS[name]} {other}")
    elif name == "custom_fields":
        _custom(draft, value, export)
    elif name in ("requester", "assignee", "submitter"):
        for word in ("phone", "locale"):
            draft.state(f"{name} {word}", text_of(object_of(value).get(word)))
    elif name in ("metric_set", "dates"):
        solved = object_of(value).get("solved_at")
        draft.time("resolved_at", text_of(solved), "solved_at")
        draft.state(name, plain(value))
    else:
        draft.state(name, plain(value))


def _ids(value: object) -> list[str]:
    items = value if isinstance(value, list) else plain(value).strip("[]").split(",")
    return [text for item in items if (text := plain(item).strip().strip('"'))]


def _custom(draft: TicketDraft, value: object, export: _Export) -> None:
    for item in objects_of(value):
        name = export.name("ticket_fields", item.get("id")) or "custom field"
        draft.state(name if not name.isdigit() else f"custom field {name}", plain(item.get("value")))


def _beside(draft: TicketDraft, entries: list[tuple[str, JsonObject]], export: _Export) -> None:
    comments: set[str] = set()
    changes: list[JsonObject] = []
    for kind, value in entries:
        if kind == "comments":
            _comment(draft, value, export, comments)
        elif kind == "changes":
            changes.append(value)
        elif kind == "tags":
            draft.label(plain(value.get("tag")))
        elif kind != "audits":
            at = next((value[name] for name in ("created_at", "updated_at") if name in value), None)
            rest = {name: item for name, item in value.items() if name.lower() not in _SILENT - {"id"}}
            author = export.people.place(draft, "Author", value.get("user_id"))
            draft.event(
                draft.moment(text_of(at)),
                author,
                kind,
                None,
                json.dumps(rest, sort_keys=True, ensure_ascii=False),
            )
    for kind, value in entries:
        if kind == "audits":
            _audit(draft, value, export, comments)
    held: dict[str, str] = {}
    for value in sorted(changes, key=lambda change: plain(change.get("updated"))):
        author = export.people.place(draft, "Author", value.get("user_id"))
        name = plain(value.get("field_name")) or "field"
        new = _shown(name, value.get("value"), export)
        draft.event(draft.moment(text_of(value.get("updated"))), author, name, held.get(name), new)
        held[name] = new or ""


def _comment(draft: TicketDraft, value: JsonObject, export: _Export, seen: set[str]) -> None:
    own = text_of(value.get("id")) or ""
    if own and own in seen:
        return
    seen.add(own)
    author = export.people.place(draft, "Author", value.get("author_id") or value.get("user_id"))
    at = draft.moment(text_of(value.get("created_at") or value.get("created")))
    body = plain(value.get("plain_body") or value.get("body") or value.get("html_body"))
    draft.comment(at, author, body, f"c{own}" if own else None)
    if value.get("public") is False or plain(value.get("public")).lower() == "false":
        draft.event(at, author, "comment visibility", None, "internal")
    for file in objects_of(value.get("attachments")):
        draft.event(at, author, "Attachment", None, plain(file.get("file_name") or file.get("filename")))


def _audit(draft: TicketDraft, value: JsonObject, export: _Export, seen: set[str]) -> None:
    author = export.people.place(draft, "Author", value.get("author_id"))
    at = draft.moment(text_of(value.get("created_at")))
    for event in objects_of(value.get("events")):
        kind, own = plain(event.get("type")), text_of(event.get("id"))
        if kind in ("Comment", "VoiceComment"):
            _comment(
                draft,
                {"author_id": value.get("author_id"), "created_at": value.get("created_at"), **event},
                export,
                seen,
            )
        elif event.get("field_name"):
            name = plain(event["field_name"])
            old, new = (_shown(name, event.get(side), export) for side in ("previous_value", "value"))
            draft.event(at, author, name, old, new, f"e{own}" if own else None)
        else:
            rest = {name: item for name, item in event.items() if name not in ("id", "type")}
            draft.event(at, author, kind or "event", None, plain(rest), f"e{own}" if own else None)


def _shown(name: str, value: object, export: _Export) -> str | None:
    if value in (None, "", [], {}):
        return None
    if name in _PEOPLE:
        return export.people.login(value)
    if name in ("organization_id", "group_id"):
        return export.name("organizations" if name.startswith("org") else "groups", value)
    return plain(value)
