"""Shift events as lines that a person reads: one sentence each, the whole data behind it.

Belongs here: wording of log entries for reports. Nothing here is graded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from contracts.shift_events import VIEWS, Action, ShiftEvent, WorldEvent

_VIEWS = frozenset(str(view) for view in VIEWS)
LANES = ("world", "mail", "invite", "crm", "view")


@dataclass(frozen=True)
class EventLine:
    """One event of a shift as a report shows it."""

    seq: int
    at_ms: int
    actor: str
    type: str
    lane: str
    """world, mail, invite, crm or view: the line of the time strip it stands on."""
    text: str
    body: str
    """Text of a mail, note or invite, where the event carries one."""
    data: str
    """All data as JSON."""


def event_line(event: ShiftEvent) -> EventLine:
    """Returns the readable form of an event; unknown types and missing data are shown as they are."""
    return EventLine(
        seq=event.seq,
        at_ms=event.at_ms,
        actor=event.actor,
        type=event.type,
        lane=_lane(event),
        text=_text(event),
        body=_body(event.data),
        data=json.dumps(event.data, ensure_ascii=False, indent=1, sort_keys=True),
    )


def _lane(event: ShiftEvent) -> str:
    if event.actor != "agent":
        return "world"
    if event.type in _VIEWS:
        return "view"
    group = event.type.partition(".")[0]
    return {"mail": "mail", "invite": "invite", "calendar": "invite", "crm": "crm"}.get(group, "world")


def _body(data: Mapping[str, object]) -> str:
    mail = data.get("mail")
    if isinstance(mail, Mapping):
        return _str(mail, "body")
    return _str(data, "body") or _str(data, "text")


def _text(event: ShiftEvent) -> str:
    data = event.data
    match event.type:
        case Action.MAIL_SEND | Action.MAIL_REPLY | Action.MAIL_FORWARD:
            verb = {"mail.send": "Mail", "mail.reply": "Reply", "mail.forward": "Forward"}[event.type]
            return f"{verb} to {_people(data)}: {_str(data, 'subject')}".rstrip(": ") + _files(data)
        case WorldEvent.DELIVER:
            mail = data.get("mail")
            mail = mail if isinstance(mail, Mapping) else {}
            sender = mail.get("sender")
            address = _str(sender, "address") if isinstance(sender, Mapping) else ""
            extra = "".join(
                [
                    f" · {_str(data, 'reply').replace('_', ' ')}" if data.get("reply") else "",
                    f" · offers {_instants(data['offers'])}" if data.get("offers") else "",
                    f" · asks for {_instants([data['asks']])}" if data.get("asks") else "",
                ]
            )
            return f"Arrives from {address}: {_str(mail, 'subject')}{_files(mail)}{extra}"
        case Action.INVITE_SEND | Action.INVITE_UPDATE | Action.CALENDAR_CREATE | Action.CALENDAR_UPDATE:
            when = _instants([data.get("starts_at")])
            what = _str(data, "title") or _str(data, "event_id")
            return f"{what} at {when} {_list(data, 'attendees')}".strip()
        case WorldEvent.ACCEPTED | WorldEvent.DECLINED:
            verb = "accepts" if event.type == WorldEvent.ACCEPTED else "declines"
            return f"{_str(data, 'by')} {verb} {_instants([data.get('starts_at')])}"
        case Action.CRM_SET_FIELD:
            record = _str(data, "account_id") or _str(data, "record_id")
            reason = f" ({_str(data, 'reason')})" if data.get("reason") else ""
            return f"{record}: {_str(data, 'field')} = {_str(data, 'value')}{reason}"
        case Action.CRM_ADD_CONTACT:
            return f"{_str(data, 'account_id')}: adds {_str(data, 'name')} <{_str(data, 'address')}>"
        case Action.CRM_ADD_NOTE | Action.CRM_ADD_ACTIVITY:
            return f"{_str(data, 'account_id')}: {_str(data, 'text')}"
        case Action.FILE_OPEN:
            return f"opens {_str(data, 'name') or _str(data, 'file_id')}"
        case Action.SITE_OPEN:
            return f"{_str(data, 'domain')}{_str(data, 'path')}"
        case WorldEvent.REFUSED:
            return f"{_str(data, 'action')} refused: {_str(data, 'reason')}"
    return " ".join(f"{key} {value}" for key, value in data.items() if isinstance(value, str | int))


def _people(data: Mapping[str, object]) -> str:
    parts = [_list(data, "to")]
    parts += [f"{kind} {_list(data, kind)}" for kind in ("cc", "bcc") if data.get(kind)]
    return ", ".join(part for part in parts if part)


def _files(data: Mapping[str, object]) -> str:
    """Returns the names of what is attached, empty where nothing is."""
    held = data.get("attachments")
    names = [_str(file, "name") for file in held] if isinstance(held, list) else []
    return f" · with {', '.join(names)}" if names else ""


def _list(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return ", ".join(str(item) for item in value) if isinstance(value, list) else _str(data, key)


def _str(data: object, key: str) -> str:
    value = data.get(key) if isinstance(data, Mapping) else None
    return "" if value is None else str(value)


def _instants(values: object) -> str:
    if not isinstance(values, list):
        return str(values)
    return ", ".join(
        datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M UTC")
        if isinstance(value, int) and 0 <= value < 4_102_444_800
        else "?"
        for value in values
    )
