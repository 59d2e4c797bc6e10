"""The shift log: the closed vocabulary of actions and world events, and the data each one carries.

One line of `events.jsonl` is one `ShiftEvent` with the hash of the line before it. The log alone, with
the truth, is enough to grade. Views are logged and never scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import from_json

from contracts.canonical import CHAIN_START, CanonicalError, chain_lines, verify_chain
from contracts.world import ShiftMs


class Action(StrEnum):
    """What an agent can do; every app action maps to one of these."""

    MAIL_OPEN = "mail.open"
    """mail_id"""
    MAIL_SEARCH = "mail.search"
    """query"""
    MAIL_SEND = "mail.send"
    """to, cc, bcc (addresses), subject, body, files? (ids of what is attached)"""
    MAIL_REPLY = "mail.reply"
    """mail_id, body, to?, cc? (default: the sender), files?; quote: true appends the mail below the text"""
    MAIL_FORWARD = "mail.forward"
    """mail_id, to, cc, body, files? (default: what came with the mail)"""
    MAIL_ARCHIVE = "mail.archive"
    MAIL_DELETE = "mail.delete"
    MAIL_REPORT = "mail.report"
    """mail_id"""
    FILE_OPEN = "file.open"
    """file_id: a document, or what came with a mail; the line adds its name"""
    INVITE_SEND = "invite.send"
    """title, starts_at, ends_at (instants), attendees (addresses), text?"""
    INVITE_UPDATE = "invite.update"
    """event_id, starts_at, ends_at"""
    INVITE_CANCEL = "invite.cancel"
    """event_id"""
    INVITE_RESPOND = "invite.respond"
    """event_id, answer: accept | decline"""
    CALENDAR_CREATE = "calendar.create"
    """title, starts_at, ends_at: an entry without attendees"""
    CALENDAR_UPDATE = "calendar.update"
    CALENDAR_DELETE = "calendar.delete"
    """event_id"""
    CRM_OPEN = "crm.open"
    """record_id"""
    CRM_SEARCH = "crm.search"
    CRM_SET_FIELD = "crm.set_field"
    """record_id, field, value (status takes reason too: field "status", value, reason)"""
    CRM_ADD_NOTE = "crm.add_note"
    """account_id, text"""
    CRM_ADD_CONTACT = "crm.add_contact"
    """account_id, name, role, address"""
    CRM_ADD_ACTIVITY = "crm.add_activity"
    """account_id, kind, text"""
    CRM_MERGE = "crm.merge"
    SITE_OPEN = "site.open"
    """domain, path"""
    PLAYBOOK_OPEN = "playbook.open"
    """path"""
    WAIT = "wait"
    """ms"""
    SHIFT_END = "shift.end"


class WorldEvent(StrEnum):
    """What the world does."""

    START = "shift.start"
    """world_hash, environment, level, length_ms"""
    DELIVER = "mail.deliver"
    """mail (as contracts.world.Mail), buyer? (contact_id), reply? (kind), offers? (instants),
    asks? (instant), because? (the decision with its evidence)"""
    ACCEPTED = "invite.accepted"
    DECLINED = "invite.declined"
    """event_id, by (address), starts_at; because"""
    NOTICE = "notice"
    """what (as contracts.world.Delivery.notice), mail_id"""
    REFUSED = "action.refused"
    """action, reason: wrong use of an app; changes nothing"""
    LOCK = "lock"
    """end_reason: end_shift | time_limit | agent_stopped"""


VIEWS = frozenset(
    {
        Action.MAIL_OPEN,
        Action.MAIL_SEARCH,
        Action.FILE_OPEN,
        Action.CRM_OPEN,
        Action.CRM_SEARCH,
        Action.SITE_OPEN,
        Action.PLAYBOOK_OPEN,
        Action.WAIT,
    }
)
"""Actions that change no graded state."""


class EndReason(StrEnum):
    """How a graded shift ended."""

    END_SHIFT = "end_shift"
    TIME_LIMIT = "time_limit"
    AGENT_STOPPED = "agent_stopped"


class ShiftEvent(BaseModel):
    """One line of the shift log."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    """From 1, without gaps."""
    at_ms: ShiftMs
    actor: str
    """agent, world, or the contact id of a buyer."""
    type: str
    """An `Action` or a `WorldEvent`."""
    data: dict[str, Any] = Field(default_factory=dict)
    """What the action was given and what it made: ids of new mails, events, notes; `old` values; for
    outgoing mails `mail_id`, `thread_id`, `to`, `cc`, `bcc`, `subject`, `body` (all that was sent),
    `written` (what the rep wrote: all that is not byte-identical to a mail received in the thread), and
    `attachments` (as contracts.world.File) where there are any."""


class LoggedEvent(NamedTuple):
    """The same as it is read fastest: of a log in which nothing is wrong."""

    seq: int
    at_ms: int
    actor: str
    type: str
    data: dict[str, Any]


_EVENTS = TypeAdapter(list[ShiftEvent])
_fields_of = itemgetter(*LoggedEvent._fields)
_STORED = len(LoggedEvent._fields) + 1
"""Fields of a stored line: those of its event, and the hash of the line before."""


def log_lines(events: Iterable[ShiftEvent]) -> Iterator[bytes]:
    """Yields the stored, hash-chained lines of a log."""
    return chain_lines(event.model_dump(mode="json") for event in events)


def read_log(lines: Iterable[bytes]) -> list[ShiftEvent]:
    """Returns the events of a stored log after checking its chain and numbering.

    Raises:
        CanonicalError: the chain is broken, or a line is no event, or numbers are missing.
    """
    stored = list(lines)
    whole = _read_whole(stored)
    return whole if whole is not None else _read_one_by_one(stored)


def _read_whole(stored: list[bytes]) -> list[ShiftEvent] | None:
    """Returns the events of a log in which nothing is wrong, read fast; None for any other."""
    previous, found = CHAIN_START, []
    try:
        for line in stored:
            value = from_json(line)
            if type(value) is not dict or value.pop("prev", None) != previous:
                return None
            previous = sha256(line).hexdigest()
            found.append(value)
        events = _EVENTS.validate_python(found)
    except ValueError:
        return None
    return events if all(event.seq == number for number, event in enumerate(events, start=1)) else None


def read_logged(lines: Iterable[bytes]) -> list[LoggedEvent]:
    """Returns what `read_log` does, in a form that is made in half the time.

    Raises:
        CanonicalError: as `read_log`.
    """
    stored = list(lines)
    whole = _read_plain(stored)
    # Whatever is odd about another, the slow way tells.
    return whole or [LoggedEvent._make(_fields_of(vars(event))) for event in read_log(stored)]


def _read_plain(stored: list[bytes]) -> list[LoggedEvent] | None:
    """Returns the events of a log of which every line is as `log_lines` writes it; None for any other."""
    previous, found, made = CHAIN_START, list[LoggedEvent](), tuple.__new__
    try:
        for number, line in enumerate(stored, start=1):
            value = from_json(line)
            seq, at_ms, actor, kind, data = fields = _fields_of(value)
            if (
                len(value) != _STORED
                or value["prev"] != previous
                or type(seq) is not int
                or seq != number
                or type(at_ms) is not int
                or at_ms < 0
                or type(actor) is not str
                or type(kind) is not str
                or type(data) is not dict
            ):
                return None
            previous = sha256(line).hexdigest()
            found.append(made(LoggedEvent, fields))
    except (ValueError, KeyError, TypeError):
        return None
    return found


def _read_one_by_one(stored: list[bytes]) -> list[ShiftEvent]:
    verify_chain(stored)
    events = []
    for number, line in enumerate(stored, start=1):
        try:
            event = StoredEvent.model_validate_json(line)
        except ValueError as error:
            raise CanonicalError(f"line {number} is no shift event") from error
        if event.seq != number:
            raise CanonicalError(f"line {number} carries the number {event.seq}: lines are missing")
        events.append(ShiftEvent(**event.model_dump(exclude={"prev"})))
    return events


class StoredEvent(ShiftEvent):
    """A shift event as its line holds it, with the hash of the line before."""

    prev: str
