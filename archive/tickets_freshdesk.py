"""Freshdesk exports: tickets with conversations in API or account-export JSON, and the CSV export.

Contacts and agents may stand beside the tickets in files of their own. Codes of status, priority and
channel are told in the words that the system shows for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.json_files import JsonObject, JsonUnit
from archive.rejects import Reject
from archive.tickets_companions import People, source_units, unit_reject
from archive.tickets_rows import Place, Ticket, TicketDraft, object_of, objects_of, plain, text_of

_LISTS = ("tickets", "contacts", "agents", "users", "companies", "conversations")
_CODES = {
    "status": {
        "2": "Open",
        "3": "Pending",
        "4": "Resolved",
        "5": "Closed",
        "6": "Waiting on Customer",
        "7": "Waiting on Third Party",
    },
    "priority": {"1": "Low", "2": "Medium", "3": "High", "4": "Urgent"},
    "source": {
        "1": "Email",
        "2": "Portal",
        "3": "Phone",
        "7": "Chat",
        "9": "Feedback Widget",
        "10": "Outbound Email",
    },
}
_SINGLE = {
    "subject": "summary",
    "description": "description",
    "ticket_type": "type",
    "type": "type",
    "status": "status",
    "priority": "priority",
    "resolution_status": "resolution",
}
_TIMES = {
    "created_at": "created_at",
    "created_time": "created_at",
    "updated_at": "updated_at",
    "last_update_time": "updated_at",
    "resolved_at": "resolved_at",
    "resolved_time": "resolved_at",
    "due_by": "due_at",
    "due_by_time": "due_at",
}
_KEYS = ("display_id", "id", "ticket_id")
_WRAPPERS = ("helpdesk_ticket", "ticket")
_NESTED = frozenset(
    "conversations notes attachments tags custom_fields custom_field stats requester responder "
    "description_html display_id ticket_id id company".split()
)
_PEOPLE = {"requester_id": "Reporter", "responder_id": "Assignee", "agent": "Assignee", "email": "Reporter"}


def read_freshdesk(
    source: str, files: Sequence[Path], base: Path, zone: ZoneInfo
) -> Iterator[Ticket | Reject]:
    """Yields the tickets of an export in order; conversations that name no ticket of it as rejects."""
    people = People()
    beside: dict[str, list[JsonUnit]] = {}
    companies = {
        text_of(unit.value.get("id")): text_of(unit.value.get("name"))
        for unit in source_units(files, base, _LISTS)
        if isinstance(unit, JsonUnit) and _kind(unit) == "company"
    }
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, JsonUnit):
            _take(people, beside, companies, unit)
    used: set[str] = set()
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, Reject):
            yield unit
        elif _kind(unit) == "ticket":
            ticket = _ticket(source, unit, zone, people, beside, companies)
            if isinstance(ticket, Ticket):
                used.add(str(ticket.row["ticket_key"]))
            yield ticket
    for key, units in beside.items():
        if key not in used:
            yield from (unit_reject(unit, "no_ticket") for unit in units)


def _fields(value: JsonObject) -> JsonObject:
    """Returns a ticket's fields by the API's names, also where the CSV export wrote them ("Ticket ID")."""
    inner = next((object_of(value[name]) for name in _WRAPPERS if isinstance(value.get(name), dict)), value)
    return {name.strip().lower().replace(" ", "_"): item for name, item in inner.items()}


def _kind(unit: JsonUnit) -> str:
    value = _fields(unit.value)
    if unit.name == "companies":
        return "company"
    if unit.name in ("contacts", "agents", "users") or any(
        isinstance(value.get(word), dict) for word in ("contact", "user")
    ):
        return "person"
    if unit.name == "conversations" or ("ticket_id" in value and "subject" not in value):
        return "conversation"
    return "person" if "email" in value and "subject" not in value and "status" not in value else "ticket"


def _take(
    people: People,
    beside: dict[str, list[JsonUnit]],
    companies: Mapping[str | None, str | None],
    unit: JsonUnit,
) -> None:
    kind, value = _kind(unit), unit.value
    if kind == "person":
        inner = object_of(value.get("contact")) or object_of(value.get("user")) or value
        people.add(
            value.get("id") or inner.get("id"),
            inner.get("name") or value.get("name"),
            inner.get("email") or value.get("email"),
            _company(inner.get("company_id") or value.get("company_id"), companies),
        )
    elif kind == "conversation":
        beside.setdefault(text_of(value.get("ticket_id")) or "", []).append(unit)
    elif kind == "ticket":
        fields = _fields(value)
        for word in ("requester", "responder"):
            person = object_of(fields.get(word))
            people.add(fields.get(f"{word}_id") or person.get("id"), person.get("name"), person.get("email"))


def _company(key: object, companies: Mapping[str | None, str | None]) -> str | None:
    """Returns the name of a company, else its id."""
    own = text_of(key)
    return companies.get(own) or own


def _ticket(
    source: str,
    unit: JsonUnit,
    zone: ZoneInfo,
    people: People,
    beside: dict[str, list[JsonUnit]],
    companies: Mapping[str | None, str | None],
) -> Ticket | Reject:
    fields = _fields(unit.value)
    key = next((text for name in _KEYS if (text := (text_of(fields.get(name)) or "").strip())), None)
    if key is None:
        return unit_reject(unit, "no_key")
    draft = TicketDraft(Place(source, unit.path, unit.locator, unit.digest), zone, key)
    if fields.get("email") and not fields.get("requester_id"):
        draft.person("Reporter", text_of(fields["email"]), {"name": text_of(fields.get("full_name"))})
    if fields.get("company_id"):
        fields["company_id"] = _company(fields["company_id"], companies)
    draft.put("description", plain(fields.pop("description_text", None)))
    for name, item in {**fields, **object_of(fields.get("stats"))}.items():
        if item not in (None, "", [], {}):
            _field(draft, name, item, people)
    for file in objects_of(fields.get("attachments")):
        draft.event(
            None, None, "Attachment", None, plain(file.get("name") or file.get("attachment_file_name"))
        )
    for name in ("custom_fields", "custom_field"):
        for word, item in sorted(object_of(fields.get(name)).items()):
            draft.state(word, plain(item))
    if fields.get("company"):
        draft.state("company", plain(fields["company"]))
    talks = [*objects_of(fields.get("conversations")), *objects_of(fields.get("notes"))]
    for talk in [*talks, *(entry.value for entry in beside.get(key, []))]:
        _talk(draft, object_of(talk.get("helpdesk_note")) or talk, people)
    return draft.ticket()


def _field(draft: TicketDraft, name: str, value: object, people: People) -> None:
    if name in _CODES:
        shown = _CODES[name].get(plain(value), plain(value))
        if name == "source":
            draft.state(name, shown)
        else:
            draft.put(_SINGLE[name], shown, name)
    elif name == "tags":
        for tag in value if isinstance(value, list) else plain(value).split(","):
            draft.label(plain(tag))
    elif name in ("requester_id", "responder_id", "agent"):
        people.place(draft, _PEOPLE[name], value)
    elif name in _TIMES:
        draft.time(_TIMES[name], text_of(value), name)
    elif name in _SINGLE:
        draft.put(_SINGLE[name], plain(value), name)
    elif name not in _NESTED:
        draft.state(name, plain(value))


def _talk(draft: TicketDraft, talk: JsonObject, people: People) -> None:
    author = people.place(draft, "Author", talk.get("user_id"))
    if author is None and talk.get("from_email"):
        author = draft.person("Author", text_of(talk["from_email"]), {})
    at = draft.moment(text_of(talk.get("created_at")))
    own = text_of(talk.get("id"))
    draft.comment(at, author, plain(talk.get("body_text") or talk.get("body")), f"c{own}" if own else None)
    if talk.get("private") is True:
        draft.event(at, author, "comment visibility", None, "internal")
    for word in ("to_emails", "cc_emails", "bcc_emails"):
        if talk.get(word):
            draft.event(at, author, word, None, plain(talk[word]))
    for file in objects_of(talk.get("attachments")):
        draft.event(
            at, author, "Attachment", None, plain(file.get("name") or file.get("attachment_file_name"))
        )
