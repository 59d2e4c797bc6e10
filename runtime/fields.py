"""What each action must be given: names, types and bounds, checked before anything changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from contracts.names import split_address
from contracts.shift_events import Action

LONGEST_TEXT = 20_000
MOST_ADDRESSES = 100
MOST_FILES = 20
_MOST_SHOWN, _LONGEST_SHOWN = 5, 40
LATEST_INSTANT = 4_102_444_800
"""The start of 2100; the apps' calendars end there."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_IN_BRACKETS = re.compile(r"<([^<>]*)>\s*$")


class Refused(Exception):
    """An action was used wrongly; it changes nothing, and the agent is told why."""


class Kinds(NamedTuple):
    """Fields by kind; the ones in `needed` must be there."""

    needed: frozenset[str]
    text: frozenset[str]
    whole: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    """Lists of ids."""


def _kinds(
    needed: str = "", text: str = "", whole: str = "", addresses: str = "", flags: str = "", ids: str = ""
) -> Kinds:
    sets = [frozenset(words.split()) for words in (needed, text, whole, addresses, flags, ids)]
    return Kinds(*sets)


_ONE_MAIL = _kinds("mail_id", "mail_id")
_ONE_EVENT = _kinds("event_id", "event_id")
_TIMES = "starts_at ends_at"
_FIELDS: dict[Action, Kinds] = {
    Action.MAIL_OPEN: _ONE_MAIL,
    Action.MAIL_SEARCH: _kinds("query", "query"),
    Action.MAIL_SEND: _kinds("to body", "subject body", addresses="to cc bcc", ids="files"),
    Action.MAIL_REPLY: _kinds(
        "mail_id body", "mail_id body subject", addresses="to cc bcc", flags="quote", ids="files"
    ),
    Action.MAIL_FORWARD: _kinds("mail_id to", "mail_id body subject", addresses="to cc bcc", ids="files"),
    Action.MAIL_ARCHIVE: _ONE_MAIL,
    Action.MAIL_DELETE: _ONE_MAIL,
    Action.MAIL_REPORT: _ONE_MAIL,
    Action.FILE_OPEN: _kinds("file_id", "file_id"),
    Action.INVITE_SEND: _kinds(f"{_TIMES} attendees", "title text", _TIMES, "attendees"),
    Action.INVITE_UPDATE: _kinds(f"event_id {_TIMES}", "event_id", _TIMES),
    Action.INVITE_CANCEL: _ONE_EVENT,
    Action.INVITE_RESPOND: _kinds("event_id answer", "event_id answer"),
    Action.CALENDAR_CREATE: _kinds(f"title {_TIMES}", "title", _TIMES),
    Action.CALENDAR_UPDATE: _kinds(f"event_id {_TIMES}", "event_id title", _TIMES),
    Action.CALENDAR_DELETE: _ONE_EVENT,
    Action.CRM_OPEN: _kinds("record_id", "record_id"),
    Action.CRM_SEARCH: _kinds("query", "query"),
    Action.CRM_SET_FIELD: _kinds("record_id field value", "record_id field value reason on"),
    Action.CRM_ADD_NOTE: _kinds("account_id text", "account_id text"),
    Action.CRM_ADD_CONTACT: _kinds("account_id name address", "account_id name role address phone"),
    Action.CRM_ADD_ACTIVITY: _kinds("account_id text", "account_id kind text"),
    Action.CRM_MERGE: _kinds("record_id into", "record_id into"),
    Action.SITE_OPEN: _kinds("domain", "domain path"),
    Action.PLAYBOOK_OPEN: _kinds("", "path"),
    Action.WAIT: _kinds("ms", whole="ms"),
    Action.SHIFT_END: _kinds(),
}


def checked(action: Action, data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an action's data in canonical form: addresses as lower-case lists, absent flags false.

    Raises:
        Refused: a field is missing, unknown, of another type, too long, or an address is none.
    """
    kinds = _FIELDS[action]
    known = kinds.text | kinds.whole | kinds.addresses | kinds.flags | kinds.ids
    unknown = sorted(_shown(name) for name in data if name not in known)
    if unknown:
        few = ", ".join(unknown[:_MOST_SHOWN])
        raise Refused(f"{action} takes no {few} (it takes: {', '.join(sorted(known)) or 'nothing'})")
    values: dict[str, Any] = {}
    for name, value in data.items():
        if value is None:
            continue
        if name in kinds.addresses:
            values[name] = _addresses(name, value)
        elif name in kinds.ids:
            values[name] = _ids(name, value)
        else:
            wanted = bool if name in kinds.flags else int if name in kinds.whole else str
            if type(value) is not wanted:
                raise Refused(f"{name} must be {wanted.__name__}, not {type(value).__name__}")
            _require_bounds(name, value)
            values[name] = value
    for name in sorted(kinds.needed):
        if values.get(name) in (None, "", []) and not (name == "value" and values.get(name) == ""):
            raise Refused(f"{name} is missing")
    if "starts_at" in kinds.needed and values["starts_at"] >= values["ends_at"]:
        raise Refused("the meeting ends before it starts")
    return values


def _shown(name: object) -> str:
    """Returns a field's name as a message can hold it, whatever was given for one."""
    if not isinstance(name, str):
        return f"field of type {type(name).__name__}"
    return name if name.isidentifier() and len(name) <= _LONGEST_SHOWN else ascii(name[:_LONGEST_SHOWN])


def _require_bounds(name: str, value: str | int) -> None:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Refused(f"{name} has {len(value)} characters: the longest text is {LONGEST_TEXT}")
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise Refused(f"{name} holds half a character")
    elif not 0 <= value <= LATEST_INSTANT:
        raise Refused(f"{name} must lie between 0 and {LATEST_INSTANT} and not be negative")


def one_address(text: str) -> str:
    """Returns a mail address in lower case, also from "Name <address>".

    Raises:
        Refused: the text holds none.
    """
    inner = _IN_BRACKETS.search(text)
    parts = split_address(inner.group(1) if inner else text)
    if parts is None:
        raise Refused(f"{text[:80]!r} is no mail address")
    return f"{parts.local}@{parts.domain}"


def iso_day(text: str) -> str:
    """Returns a date "2026-10-14".

    Raises:
        Refused: the text is none.
    """
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise Refused(f"{text[:40]!r} is no date: write YYYY-MM-DD")


def _addresses(name: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise Refused(f"{name} must be a list of mail addresses")
    if len(value) > MOST_ADDRESSES:
        raise Refused(f"{name} has {len(value)} addresses: the most is {MOST_ADDRESSES}")
    return list(dict.fromkeys(one_address(item) for item in value))


def _ids(name: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise Refused(f"{name} must be a list of ids")
    if len(value) > MOST_FILES:
        raise Refused(f"{name} has {len(value)} entries: the most is {MOST_FILES}")
    for item in value:
        _require_bounds(name, item)
    return list(dict.fromkeys(value))
