"""GitHub issues and pull requests in REST or command line JSON, with comments and timeline events.

Comments and events may stand inside the issues or in lists of their own beside them. Keys are
"repository#12" where the repository is known, else "#12".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.json_files import JsonObject, JsonUnit
from archive.rejects import Reject
from archive.tickets_companions import source_units, unit_reject
from archive.tickets_rows import (
    Place,
    Ticket,
    TicketDraft,
    at_mentions,
    object_of,
    objects_of,
    plain,
    text_of,
)

_LISTS = ("issues", "items", "comments", "events", "timeline")
_PLACE = re.compile(r"(?:repos/|github\.com/|^)([\w.-]+/[\w.-]+)/(?:issues|pull|pulls)(?:/(\d{1,12}))?\b")
_REPOSITORY = re.compile(r"repos/([\w.-]+/[\w.-]+)$")
_TIMES = {
    "created_at": "created_at",
    "createdAt": "created_at",
    "updated_at": "updated_at",
    "updatedAt": "updated_at",
    "closed_at": "resolved_at",
    "closedAt": "resolved_at",
}
_SILENT = _TIMES.keys() | frozenset(
    "number id node_id url html_url repository_url labels_url comments_url events_url timeline_url user "
    "author assignee assignees labels comments timeline events title body state state_reason stateReason "
    "repository pull_request performed_via_github_app comments_list timeline_list".split()
)


def read_github(source: str, files: Sequence[Path], base: Path, zone: ZoneInfo) -> Iterator[Ticket | Reject]:
    """Yields the issues of an export in order; comments and events that name no issue of it as rejects."""
    beside: dict[str, list[JsonUnit]] = {}
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, JsonUnit) and not _is_issue(unit.value):
            beside.setdefault(_key(unit.value), []).append(unit)
    used: set[str] = set()
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, Reject):
            yield unit
        elif _is_issue(unit.value):
            key = _key(unit.value)
            used.add(key)
            yield _issue(source, unit, zone, key, [entry.value for entry in beside.get(key, [])])
    for key, units in beside.items():
        if key not in used:
            yield from (unit_reject(unit, "no_ticket") for unit in units)


def _is_issue(value: JsonObject) -> bool:
    return text_of(value.get("number")) is not None and "title" in value


def _key(value: JsonObject) -> str:
    """Returns the key of the issue that an object is or belongs to."""
    issue = object_of(value.get("issue")) or value
    number = text_of(issue.get("number"))
    repository = plain(object_of(issue.get("repository")).get("full_name"))
    for name in ("repository_url", "issue_url", "html_url", "url"):
        text = plain(issue.get(name))
        match = _PLACE.search(text) or _REPOSITORY.search(text)
        if match:
            repository = repository or match[1]
            number = number or (match[2] if match.re is _PLACE else None)
    return f"{repository}#{number}" if number else ""


def _issue(
    source: str, unit: JsonUnit, zone: ZoneInfo, key: str, beside: list[JsonObject]
) -> Ticket | Reject:
    value = unit.value
    repository, _, number = key.partition("#")
    short = f"{repository.rpartition('/')[2]}#{number}"
    draft = TicketDraft(Place(source, unit.path, unit.locator, unit.digest), zone, short)
    draft.put("project", repository)
    pull = "pull_request" in value or "/pull/" in plain(value.get("html_url") or value.get("url"))
    draft.put("type", "pull request" if pull else "issue")
    draft.put("status", plain(value.get("state")).lower())
    draft.put("resolution", plain(value.get("state_reason") or value.get("stateReason")).lower())
    merged = object_of(value.get("pull_request")).get("merged_at")
    draft.state("merged_at", text_of(merged))
    draft.put("summary", plain(value.get("title")))
    body = plain(value.get("body"))
    draft.put("description", body)
    reporter = _person(draft, "Reporter", value.get("user") or value.get("author"))
    for name, column in _TIMES.items():
        draft.time(column, text_of(value.get(name)), name)
    _person(draft, "Assignee", value.get("assignee"))
    for person in objects_of(value.get("assignees")):
        if _login(person) != draft.value("assignee"):
            _person(draft, "Assignee", person)
    labels = value.get("labels")
    for label in labels if isinstance(labels, list) else []:
        draft.label(plain(label))
    draft.mentions(draft.moment(text_of(value.get("created_at"))), reporter, at_mentions(body))
    for name, item in sorted(value.items()):
        if name not in _SILENT and item not in (None, "", [], {}, False):
            _state(draft, name, item)
    entries = [
        entry
        for name in ("comments", "comments_list", "events", "timeline", "timeline_list")
        for entry in objects_of(value.get(name))
    ]
    _entries(draft, [*entries, *beside], value.get("comments"))
    return draft.ticket()


def _entries(draft: TicketDraft, entries: list[JsonObject], told: object) -> None:
    seen: set[str] = set()
    comments = 0
    for entry in entries:
        own = text_of(entry.get("id")) or text_of(entry.get("node_id"))
        if own is not None and own in seen:
            continue
        seen.add(own or "")
        if "event" in entry and entry.get("event") != "commented":
            _event(draft, entry, own)
        else:
            comments += 1
            author = _person(draft, "Author", entry.get("user") or entry.get("actor") or entry.get("author"))
            at = draft.moment(text_of(entry.get("created_at") or entry.get("createdAt")))
            body = plain(entry.get("body"))
            draft.comment(at, author, body, own)
            draft.mentions(at, author, at_mentions(body))
    if isinstance(told, int) and told > comments:
        draft.state("comments not in the export", str(told - comments))


def _event(draft: TicketDraft, entry: JsonObject, own: str | None) -> None:
    author = _person(draft, "Author", entry.get("actor") or entry.get("user") or entry.get("author"))
    at = draft.moment(text_of(entry.get("created_at") or entry.get("submitted_at")))
    kind = plain(entry.get("event"))
    label, milestone = plain(entry.get("label")), plain(entry.get("milestone"))
    rename = object_of(entry.get("rename"))
    assignee = _login(object_of(entry.get("assignee")))
    field, old, new = kind, "", ""
    if label or milestone or assignee:
        field = "labels" if label else "milestone" if milestone else "assignee"
        value = label or milestone or assignee or ""
        old, new = ("", value) if kind in ("labeled", "milestoned", "assigned") else (value, "")
    elif rename:
        field, old, new = "title", plain(rename.get("from")), plain(rename.get("to"))
    elif kind in ("mentioned", "subscribed"):
        field, new = "mention" if kind == "mentioned" else kind, author or ""
    elif kind in ("closed", "reopened"):
        field, old, new = ("status", "open", "closed") if kind == "closed" else ("status", "closed", "open")
    elif kind in ("cross-referenced", "connected"):
        other = object_of(object_of(entry.get("source")).get("issue"))
        field, new = "link", f"is referenced by {_key(other) or plain(other.get('title'))}"
    else:
        told = (entry.get(name) for name in ("body", "state", "commit_id", "message"))
        new = next((text for value in told if (text := plain(value))), "")
    draft.event(at, author, field, old or None, new or None, own)


def _state(draft: TicketDraft, name: str, value: object) -> None:
    users = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    if users and all("login" in user for user in users):
        for user in users:
            _person(draft, name, user)
    else:
        draft.state(name, plain(value))


def _login(user: JsonObject) -> str | None:
    return text_of(user.get("login")) or text_of(user.get("email"))


def _person(draft: TicketDraft, role: str, value: object) -> str | None:
    user = object_of(value)
    return draft.person(
        role, _login(user), {"name": text_of(user.get("name")), "e-mail": text_of(user.get("email"))}
    )
