"""Jira's REST form: issues with changelog, comments, links and custom fields.

Belongs here: issues of search pages, of files of one issue and of JSON lines, with bodies in wiki text or
Atlassian's document form. Fields that the canonical table lacks are events under their display name where
the export has a `names` map, else under their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.json_files import JsonUnit, json_units
from archive.rejects import Reject
from archive.tickets_rows import Place, Ticket, TicketDraft, object_of, objects_of, plain, text_of

_NAMED = {"issuetype": "type", "status": "status", "priority": "priority", "resolution": "resolution"}
_TIMES = {
    "created": "created_at",
    "updated": "updated_at",
    "resolutiondate": "resolved_at",
    "duedate": "due_at",
}
_PEOPLE = {"reporter": "Reporter", "assignee": "Assignee", "creator": "Creator"}
_LOGIN_MENTION = re.compile(r"\[~(?:accountid:)?([^\]\s]{1,128})\]")
_BLOCKS = frozenset(
    "paragraph heading codeBlock blockquote rule mediaSingle mediaGroup panel tableRow taskItem "
    "decisionItem expand nestedExpand".split()
)


def read_jira_json(
    source: str, files: Sequence[Path], base: Path, zone: ZoneInfo
) -> Iterator[Ticket | Reject]:
    """Yields the issues of the files in order; what has no key is a reject."""
    for path in files:
        for unit in json_units(path, base, ("issues",)):
            yield unit if isinstance(unit, Reject) else _issue(source, unit, zone)


def _issue(source: str, unit: JsonUnit, zone: ZoneInfo) -> Ticket | Reject:
    issue = unit.value
    key = text_of(issue.get("key")) or ""
    if not key.strip() or not isinstance(issue.get("fields"), dict):
        reason = "no_key" if not key.strip() else "no_fields"
        return Reject(unit.path, unit.locator, unit.digest, reason, len(str(issue)))
    draft = TicketDraft(Place(source, unit.path, unit.locator, unit.digest), zone, key.strip())
    names = object_of(issue.get("names")) or object_of(unit.envelope.get("names"))
    _fields(draft, object_of(issue["fields"]), names)
    if draft.value("project") is None and "-" in key:
        draft.put("project", key.rsplit("-", 1)[0])
    _changes(draft, object_of(issue.get("changelog")))
    for name, value in sorted(issue.items()):
        if name not in ("key", "fields", "changelog", "names", "expand", "self", "schema", "renderedFields"):
            draft.state(name, plain(value))
    return draft.ticket()


def _fields(draft: TicketDraft, fields: dict[str, object], names: dict[str, object]) -> None:
    for field, value in sorted(fields.items()):
        if value in (None, "", [], {}):
            continue
        shown = text_of(names.get(field)) or field
        if field in _NAMED:
            draft.put(_NAMED[field], plain(value), shown)
        elif field in _TIMES:
            draft.time(_TIMES[field], text_of(value), shown)
        elif field in _PEOPLE:
            _person(draft, _PEOPLE[field], value)
        elif field == "project":
            project = object_of(value)
            draft.put("project", text_of(project.get("key")) or plain(value))
            draft.state("Project name", text_of(project.get("name")))
        elif field == "summary":
            draft.put("summary", plain(value))
        elif field == "description":
            body, called = body_text(value)
            draft.put("description", body)
            draft.mentions(None, None, called)
        elif field == "labels" and isinstance(value, list):
            for label in value:
                draft.label(plain(label))
        elif not _nested(draft, field, value):
            _state(draft, shown, value)


def _nested(draft: TicketDraft, field: str, value: object) -> bool:
    """Says whether a field was one of those with rows of their own, and adds them."""
    if field == "comment":
        _comments(draft, value)
    elif field == "worklog":
        for entry in objects_of(object_of(value).get("worklogs")):
            author = _person(draft, "Author", entry.get("author"))
            body, _ = body_text(entry.get("comment"))
            spent = f"{plain(entry.get('timeSpent'))} {body}".strip()
            at = draft.moment(text_of(entry.get("started")) or text_of(entry.get("created")))
            draft.event(at, author, "worklog", None, spent, _own("w", entry))
    elif field == "attachment":
        for entry in objects_of(value):
            author = _person(draft, "Author", entry.get("author"))
            at = draft.moment(text_of(entry.get("created")))
            draft.event(at, author, "Attachment", None, plain(entry.get("filename")), _own("a", entry))
    elif field == "issuelinks":
        for entry in objects_of(value):
            _link(draft, entry)
    elif field == "subtasks":
        for entry in objects_of(value):
            draft.state("subtask", text_of(entry.get("key")) or plain(entry))
    elif field == "parent":
        draft.state("parent", text_of(object_of(value).get("key")) or plain(value))
    else:
        return False
    return True


def _comments(draft: TicketDraft, value: object) -> None:
    entries = objects_of(object_of(value).get("comments") if isinstance(value, dict) else value)
    for entry in entries:
        author = _person(draft, "Author", entry.get("author"))
        at = draft.moment(text_of(entry.get("created")))
        body, called = body_text(entry.get("body"))
        draft.comment(at, author, body, _own("c", entry))
        draft.mentions(at, author, called)
        updated = draft.moment(text_of(entry.get("updated")))
        if updated is not None and updated != at:
            editor = _person(draft, "Author", entry.get("updateAuthor"))
            draft.event(updated, editor, "comment edited", None, text_of(entry.get("id")))
        if entry.get("visibility"):
            draft.event(at, author, "comment visibility", None, plain(entry["visibility"]))
    _undelivered(draft, "comments", value, len(entries))


def _undelivered(draft: TicketDraft, word: str, page: object, here: int) -> None:
    total = object_of(page).get("total")
    if isinstance(total, int) and total > here:
        draft.state(f"{word} not in the export", str(total - here))


def _changes(draft: TicketDraft, changelog: dict[str, object]) -> None:
    histories = objects_of(changelog.get("histories") or changelog.get("values"))
    for history in histories:
        author = _person(draft, "Author", history.get("author"))
        at = draft.moment(text_of(history.get("created")))
        for number, item in enumerate(objects_of(history.get("items")), start=1):
            old, new = (
                _side(item, text, code) for text, code in (("fromString", "from"), ("toString", "to"))
            )
            own = _own("h", history)
            field = plain(item.get("field")) or "field"
            draft.event(at, author, field, old, new, f"{own} {number}" if own else None)
    _undelivered(draft, "changes", changelog, len(histories))


def _side(item: dict[str, object], text: str, code: str) -> str | None:
    value = item.get(text) if item.get(text) not in (None, "") else item.get(code)
    return (plain(value).replace("\r\n", "\n") or None) if value is not None else None


def _link(draft: TicketDraft, entry: dict[str, object]) -> None:
    kind = object_of(entry.get("type"))
    side = "outward" if entry.get("outwardIssue") else "inward"
    other = text_of(object_of(entry.get(f"{side}Issue")).get("key")) or plain(entry.get(f"{side}Issue"))
    verb = text_of(kind.get(side)) or text_of(kind.get("name")) or "links to"
    draft.event(None, None, "link", None, f"{verb} {other}".strip(), _own("l", entry))


def _own(prefix: str, entry: dict[str, object]) -> str | None:
    own = text_of(entry.get("id"))
    return f"{prefix}{own}" if own else None


def _person(draft: TicketDraft, role: str, value: object) -> str | None:
    if isinstance(value, str):
        return draft.person(role, value, {})
    user = object_of(value)
    login = next((text_of(user[name]) for name in ("name", "accountId", "key") if user.get(name)), None)
    mail, shown = text_of(user.get("emailAddress")), text_of(user.get("displayName"))
    return draft.person(role, login or mail, {"name": shown, "e-mail": mail})


def _state(draft: TicketDraft, shown: str, value: object) -> None:
    users = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    if users and all("displayName" in user for user in users):
        for user in users:
            _person(draft, shown, user)
    elif isinstance(value, dict) and value.get("type") == "doc":
        draft.state(shown, body_text(value)[0])
    elif isinstance(value, list):
        for item in value:
            draft.state(shown, plain(item))
    elif isinstance(value, dict) and isinstance(value.get("self"), str):
        rest = {key: item for key, item in value.items() if key != "self"}
        draft.state(shown, plain(rest))
    else:
        draft.state(shown, plain(value))


def body_text(value: object) -> tuple[str, list[str]]:
    """Returns a body in wiki text or document form as plain text, and the logins that it calls."""
    if isinstance(value, dict):
        called: list[str] = []
        text = re.sub(r"\n{3,}", "\n\n", _node(value, called, "")).strip("\n")
        return text, called
    text = plain(value)
    return text, [match[1] for match in _LOGIN_MENTION.finditer(text)]


def _node(node: dict[str, object], called: list[str], bullet: str) -> str:
    kind = plain(node.get("type"))
    attributes = object_of(node.get("attrs"))
    if kind == "text":
        return _marked(node)
    if kind == "hardBreak":
        return "\n"
    if kind == "mention":
        called.append(text_of(attributes.get("id")) or plain(attributes.get("text")).lstrip("@"))
        return plain(attributes.get("text")) or f"@{called[-1]}"
    if kind in ("emoji", "status", "inlineCard", "blockCard", "embedCard", "media", "mediaInline", "date"):
        return _leaf(kind, attributes)
    parts = []
    for number, child in enumerate(objects_of(node.get("content")), start=1):
        mark = f"{number}. " if kind == "orderedList" else "- " if kind == "bulletList" else ""
        parts.append(_node(child, called, mark))
    if kind == "tableRow":
        return " | ".join(part.strip() for part in parts) + "\n"
    text = "".join(parts)
    if kind in ("expand", "nestedExpand") and attributes.get("title"):
        text = f"{plain(attributes['title'])}\n{text}"
    if kind == "listItem":
        return bullet + text.strip("\n").replace("\n", "\n  ") + "\n"
    if kind == "blockquote":
        return "".join(f"> {line}\n" for line in text.strip("\n").split("\n"))
    if kind == "rule":
        return "---\n"
    return text + "\n" if kind in _BLOCKS else text


def _leaf(kind: str, attributes: dict[str, object]) -> str:
    if kind == "date":
        stamp = plain(attributes.get("timestamp"))
        if not stamp.isdigit() or len(stamp) > 14:
            return stamp
        return datetime.fromtimestamp(int(stamp) / 1000, UTC).date().isoformat()
    if kind in ("media", "mediaInline"):
        return f"[{plain(attributes.get('alt')) or plain(attributes.get('id'))}]\n"
    return plain(attributes.get("text") or attributes.get("shortName") or attributes.get("url"))


def _marked(node: dict[str, object]) -> str:
    text = plain(node.get("text"))
    for mark in objects_of(node.get("marks")):
        target = plain(object_of(mark.get("attrs")).get("href"))
        if mark.get("type") == "link" and target and target != text:
            return f"{text} ({target})"
    return text
