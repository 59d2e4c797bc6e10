"""The shift log as typed lines: what was sent, received, agreed and written down.

Belongs here: reading lines and finding what is broken in a log. What lines are worth stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from contracts.instants import Instant
from contracts.shift_events import VIEWS, Action, LoggedEvent, ShiftEvent, WorldEvent
from grader.line_data import (
    ActivityAdded,
    Answered,
    Anything,
    ContactAdded,
    Data,
    Delivered,
    Ended,
    EventRef,
    FieldSet,
    MailRef,
    Merged,
    MovedEvent,
    NoteAdded,
    Notice,
    SentInvite,
    SentMail,
    Started,
)

AGENT = "agent"

_DATA: dict[str, type[Data]] = {
    Action.MAIL_SEND: SentMail,
    Action.MAIL_REPLY: SentMail,
    Action.MAIL_FORWARD: SentMail,
    Action.MAIL_ARCHIVE: MailRef,
    Action.MAIL_DELETE: MailRef,
    Action.MAIL_REPORT: MailRef,
    Action.INVITE_SEND: SentInvite,
    Action.INVITE_UPDATE: MovedEvent,
    Action.INVITE_CANCEL: EventRef,
    Action.INVITE_RESPOND: EventRef,
    Action.CALENDAR_CREATE: MovedEvent,
    Action.CALENDAR_UPDATE: MovedEvent,
    Action.CALENDAR_DELETE: EventRef,
    Action.CRM_SET_FIELD: FieldSet,
    Action.CRM_ADD_NOTE: NoteAdded,
    Action.CRM_ADD_CONTACT: ContactAdded,
    Action.CRM_ADD_ACTIVITY: ActivityAdded,
    Action.CRM_MERGE: Merged,
    Action.SHIFT_END: Anything,
    WorldEvent.START: Started,
    WorldEvent.DELIVER: Delivered,
    WorldEvent.ACCEPTED: Answered,
    WorldEvent.DECLINED: Answered,
    WorldEvent.NOTICE: Notice,
    WorldEvent.LOCK: Ended,
}
_IGNORED = frozenset({*VIEWS, WorldEvent.REFUSED})
_VIEWS = frozenset(map(str, VIEWS))
_ACTIONS = frozenset(Action)
SENDS = (Action.MAIL_SEND, Action.MAIL_REPLY, Action.MAIL_FORWARD)

Kind = TypeVar("Kind", bound=Data)


class Line(NamedTuple, Generic[Kind]):
    """A line of the log with its data read."""

    seq: int
    at_ms: int
    type: str
    data: Kind


class Defect(NamedTuple):
    """A line that cannot be what a shift wrote."""

    seq: int
    what: str


class Outgoing(NamedTuple):
    """A mail or new invite that left the mailbox."""

    seq: int
    at_ms: int
    type: str
    recipients: tuple[str, ...]
    shown: tuple[str, ...]
    """Addresses that every recipient sees."""
    subject: str
    body: str
    """All that was sent."""
    written: str
    """What the rep wrote."""
    thread_id: str
    answers: str = ""
    """Id of the mail that it answers or forwards."""
    event_id: str = ""
    starts_at: Instant = 0
    attached: tuple[str, ...] = ()
    """The files that went with it, each with its text and name."""


@dataclass(frozen=True)
class LogView:
    """A log's lines in order; `defects` says what is broken, and then nothing in it earns credit."""

    lines: tuple[Line[Data], ...]
    defects: tuple[Defect, ...]
    _found: dict[tuple[type[Data], tuple[str, ...]], list[Line[Data]]] = field(
        default_factory=dict, compare=False
    )

    def of(self, model: type[Kind], *types: str) -> list[Line[Kind]]:
        """Returns the lines of some types in order; the list is shared."""
        if (model, types) not in self._found:
            found = self._by_type.get(types[0], []) if len(types) == 1 else self.lines
            self._found[model, types] = [
                line for line in found if line.type in types and isinstance(line.data, model)
            ]
        return cast("list[Line[Kind]]", self._found[model, types])

    @cached_property
    def _by_type(self) -> dict[str, list[Line[Data]]]:
        found: dict[str, list[Line[Data]]] = {}
        for line in self.lines:
            found.setdefault(line.type, []).append(line)
        return found

    @property
    def world_hash(self) -> str:
        """The hash of the world that the shift ran in, empty where the log does not say."""
        started = self.of(Started, WorldEvent.START)
        return started[0].data.world_hash if started else ""

    @property
    def end_reason(self) -> str:
        """How the shift ended, "unfinished" where the log stops before."""
        ended = self.of(Ended, WorldEvent.LOCK)
        return ended[-1].data.end_reason if ended else "unfinished"

    def outgoing(self) -> list[Outgoing]:
        """Returns all mails and new invites in order; moves and cancellations are none."""
        return self._outgoing

    @cached_property
    def _outgoing(self) -> list[Outgoing]:
        found = [_mail(line) for line in self.of(SentMail, *SENDS)]
        found += [_invite(line) for line in self.of(SentInvite, Action.INVITE_SEND)]
        return sorted(found)

    def received(self) -> list[Line[Delivered]]:
        """Returns all arrivals in order."""
        return self.of(Delivered, WorldEvent.DELIVER)

    def started_at(self) -> Instant | None:
        """Returns when the shift began, as the first dated mail of it tells; None without one."""
        return self._started_at

    @cached_property
    def _started_at(self) -> Instant | None:
        dated = [line for line in self.received() if line.data.mail.sent_at > 0]
        return dated[0].data.mail.sent_at - dated[0].at_ms // 1000 if dated else None


def view_log(events: Iterable[ShiftEvent | LoggedEvent]) -> LogView:
    """Returns the typed view of a log; whatever is wrong with it becomes a defect."""
    lines: list[Line[Data]] = []
    defects: list[Defect] = []
    before, locked = 0, False
    for number, event in enumerate(events, start=1):
        if (
            event.type in _VIEWS
            and event.seq == number
            and event.at_ms >= before
            and event.actor == AGENT
            and not locked
        ):
            # Most lines are views in their place, of which nothing else is asked.
            before = event.at_ms
            continue
        kind = str(event.type)
        wrong = _wrong_place(event, kind, number, before, locked)
        if wrong:
            defects.append(Defect(event.seq, wrong))
        before, locked = event.at_ms, locked or kind == WorldEvent.LOCK
        model = _DATA.get(kind)
        if model is None:
            if kind not in _IGNORED:
                defects.append(Defect(event.seq, f"no shift writes lines of the type {kind[:40]!r}"))
            continue
        try:
            lines.append(Line(event.seq, event.at_ms, kind, model.model_validate(event.data)))
        except ValidationError as error:
            places = {".".join(map(str, found["loc"])) for found in error.errors()}
            defects.append(Defect(event.seq, f"{kind} lacks or garbles {', '.join(sorted(places))}"))
    if not lines or lines[0].type != WorldEvent.START:
        defects.append(Defect(0, "the log does not begin with the start of a shift"))
    return LogView(tuple(lines), tuple(defects))


def _wrong_place(event: ShiftEvent | LoggedEvent, kind: str, number: int, before: int, locked: bool) -> str:
    if event.seq != number:
        return f"line {number} carries the number {event.seq}"
    if event.at_ms < before:
        return "time runs backwards"
    if locked:
        return "the shift was locked before this line"
    if kind == WorldEvent.START and number > 1:
        return "a shift starts once"
    if kind != WorldEvent.REFUSED and (event.actor == AGENT) != (kind in _ACTIONS):
        return f"{kind} cannot come from {event.actor[:40]!r}"
    return ""


def _mail(line: Line[SentMail]) -> Outgoing:
    data = line.data
    shown = tuple(dict.fromkeys(address.lower() for address in [*data.to, *data.cc]))
    hidden = tuple(address.lower() for address in data.bcc)
    return Outgoing(
        seq=line.seq,
        at_ms=line.at_ms,
        type=line.type,
        recipients=tuple(dict.fromkeys(shown + hidden)),
        shown=shown,
        subject=data.subject,
        body=data.body,
        written=data.written,
        thread_id=data.thread_id,
        answers=data.answers,
        attached=tuple(f"{file.text}\n{file.name}" for file in data.attachments),
    )


def _invite(line: Line[SentInvite]) -> Outgoing:
    data = line.data
    guests = tuple(dict.fromkeys(address.lower() for address in data.attendees))
    return Outgoing(
        seq=line.seq,
        at_ms=line.at_ms,
        type=line.type,
        recipients=guests,
        shown=guests,
        subject=data.title,
        body=data.text,
        written=data.text,
        thread_id="",
        event_id=data.event_id,
        starts_at=data.starts_at,
    )
