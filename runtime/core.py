"""The shift: a pure event core. Actions and time go in, a numbered log comes out.

Belongs here: time, order, the log, the end. What actions do stands in `mailing`, `meetings` and `records`;
how buyers answer in `buyers`. There is no clock in here: drivers say what time it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from contracts.instants import Instant
from contracts.recording import Recording, Stop, TakenAction, plain_data
from contracts.shift_events import VIEWS, Action, EndReason, ShiftEvent, WorldEvent
from contracts.world import Delivery, Mail, Server, Visible
from runtime import mailing, meetings, records
from runtime.buyers import Answer, Buyers, Turn
from runtime.errors import RuntimeShiftError
from runtime.fields import Refused, checked
from runtime.state import Office

AGENT = "agent"
WORLD = "world"


@dataclass(frozen=True)
class ActionResult:
    """What became of an action: its line in the log, or why it was refused."""

    event: ShiftEvent | None
    """None only where the shift is over."""
    refused: str = ""

    @property
    def done(self) -> bool:
        """Whether the action was carried out."""
        return not self.refused


class Journal(Protocol):
    """Hears what happens in a shift at once; nothing flows back."""

    def event(self, event: ShiftEvent) -> None:
        """Hears a new line of the log."""

    def action(self, taken: TakenAction) -> None:
        """Hears an action before it is carried out."""


@dataclass(frozen=True)
class _Due:
    """Something that will happen: a delivery, or a buyer's turn."""

    delivery: Delivery | None = None
    turn: Turn | None = None


class Shift:
    """One shift from its start to its lock.

    The same actions at the same times give the same log. `events` is the whole log; `office` is what the
    apps show. Everything else of a shift is out of an agent's sight.
    """

    def __init__(
        self,
        visible: Visible,
        server: Server,
        *,
        world_hash: str,
        environment: str = "gtm-outbound",
        level: str = "standard",
        journal: Journal | None = None,
    ) -> None:
        self.visible = visible
        self.server = server
        self.world_hash = world_hash
        self.office = Office.of(visible)
        self.now_ms = 0
        self.end_reason: EndReason | None = None
        self._events: list[ShiftEvent] = []
        self._taken: list[TakenAction] = []
        self._journal = journal
        self._due: list[tuple[int, int, _Due]] = []
        self._dues = 0
        self._made = 0
        self._buyers = Buyers(visible, server)
        start = {"world_hash": world_hash, "environment": environment, "level": level}
        self.record(WORLD, WorldEvent.START, {**start, "length_ms": visible.length_ms})
        for delivery in server.schedule:
            self._push(delivery.at_ms, _Due(delivery=delivery))
        self.tick_to(0)

    @property
    def events(self) -> list[ShiftEvent]:
        """The log so far."""
        return list(self._events)

    @property
    def recording(self) -> Recording:
        """The actions so far as they were asked for, and where the shift stands: what a replay needs."""
        return Recording(tuple(self._taken), Stop(at_ms=self.now_ms, end_reason=self.end_reason or ""))

    @property
    def now(self) -> Instant:
        """The instant that the apps' clocks show."""
        return self.visible.starts_at + self.now_ms // 1000

    @property
    def locked(self) -> bool:
        """Whether the shift is over."""
        return self.end_reason is not None

    @property
    def next_event_ms(self) -> int | None:
        """When the world acts next by itself: a delivery, a buyer's turn or the end; None when over."""
        if self.locked:
            return None
        return min(self._due[0][0], self.visible.length_ms) if self._due else self.visible.length_ms

    @property
    def replies_outstanding(self) -> bool:
        """Whether a buyer still has a turn coming."""
        return any(due.turn is not None for _, _, due in self._due)

    def tick_to(self, at_ms: int) -> None:
        """Lets everything happen that is due by a time; at the shift's length the shift locks.

        Raises:
            RuntimeShiftError: the time lies before the shift's present.
        """
        if self.locked:
            return
        if at_ms < self.now_ms:
            raise RuntimeShiftError(f"time {at_ms} ms lies before the shift's present, {self.now_ms} ms")
        end = self.visible.length_ms
        while self._due and self._due[0][0] <= min(at_ms, end):
            at, _, due = heapq.heappop(self._due)
            self.now_ms = max(self.now_ms, at)
            if due.delivery is not None:
                self._deliver(due.delivery)
            if due.turn is not None:
                self._answer(due.turn)
        self.now_ms = min(at_ms, end)
        if at_ms >= end:
            self.lock(EndReason.TIME_LIMIT)

    def apply(self, action: Action, data: Mapping[str, Any] | None, at_ms: int) -> ActionResult:
        """Carries out an action at a time; wrong use is logged, changes nothing and says why.

        Data that a recording cannot hold (`contracts.recording.plain_data`) counts as None and is refused.
        """
        self.tick_to(at_ms)
        if self.locked:
            return ActionResult(None, "the shift is over")
        given = None if data is None else plain_data(data)
        taken = TakenAction(at_ms=self.now_ms, action=action, data=given)
        self._taken.append(taken)
        if self._journal is not None:
            self._journal.action(taken)
        try:
            if given is None:
                raise Refused(f"{action} takes no data that is too long or that JSON cannot hold")
            made = self._carry_out(action, checked(action, given))
        except Refused as refusal:
            reason = str(refusal)
            event = self.record(AGENT, WorldEvent.REFUSED, {"action": str(action), "reason": reason})
            return ActionResult(event, reason)
        event = self.record(AGENT, action, made)
        for turn in self._buyers.turns_after(event):
            self._push(turn.at_ms, _Due(turn=turn))
        if action is Action.SHIFT_END:
            self.lock(EndReason.END_SHIFT)
        return ActionResult(event)

    def lock(self, end_reason: EndReason) -> None:
        """Ends the shift once and for all; a second call changes nothing."""
        if not self.locked:
            self.end_reason = end_reason
            self.record(WORLD, WorldEvent.LOCK, {"end_reason": str(end_reason)})

    def record(self, actor: str, kind: Action | WorldEvent, data: Mapping[str, Any]) -> ShiftEvent:
        """Appends a line to the log and returns it."""
        number = len(self._events) + 1
        event = ShiftEvent(seq=number, at_ms=self.now_ms, actor=actor, type=str(kind), data=dict(data))
        self._events.append(event)
        if self._journal is not None:
            self._journal.event(event)
        return event

    def new_id(self, kind: str) -> str:
        """Returns an id that nothing in this shift has yet."""
        self._made += 1
        return f"{kind}-new-{self._made}"

    def _carry_out(self, action: Action, data: dict[str, Any]) -> dict[str, Any]:
        if action in VIEWS or action is Action.SHIFT_END:
            return self._view(action, data)
        area = str(action).split(".", maxsplit=1)[0]
        carry_out = {
            "mail": mailing.carry_out,
            "invite": meetings.carry_out,
            "calendar": meetings.carry_out,
            "crm": records.carry_out,
        }[area]
        return carry_out(self, action, data)

    def _view(self, action: Action, data: dict[str, Any]) -> dict[str, Any]:
        if action is Action.MAIL_OPEN:
            self.office.opened.add(mailing.mail_of(self, data["mail_id"]).id)
        if action is Action.FILE_OPEN:
            return {**data, "name": mailing.file_of(self, data["file_id"]).name}
        return data

    def _push(self, at_ms: int, due: _Due) -> None:
        self._dues += 1
        heapq.heappush(self._due, (at_ms, self._dues, due))

    def _deliver(self, delivery: Delivery) -> None:
        sent_at = self.now
        mail = delivery.mail.model_copy(update={"sent_at": sent_at, "folder": "inbox"})
        self._receive(WORLD, mail, {})
        if delivery.notice:
            self.record(WORLD, WorldEvent.NOTICE, {"what": delivery.notice, "mail_id": mail.id})

    def _receive(self, actor: str, mail: Mail, more: Mapping[str, Any]) -> None:
        self.office.mails[mail.id] = mail
        self.record(actor, WorldEvent.DELIVER, {"mail": mail.model_dump(mode="json"), **more})

    def _answer(self, turn: Turn) -> None:
        answer = self._buyers.answer(turn, self.office, self.now_ms)
        if answer is None:
            return
        self._settle(answer)
        if answer.body:
            buyer = answer.buyer.party
            mail = Mail(
                id=self.new_id("mail"),
                thread_id=answer.thread_id or self.new_id("thread"),
                folder="inbox",
                sender=buyer,
                to=[self.visible.rep],
                subject=answer.subject,
                body=answer.body,
                sent_at=self.now,
                invite_id=answer.event_id,
            )
            more: dict[str, Any] = {"buyer": answer.buyer.contact_id, "reply": answer.reply}
            if answer.offers:
                more["offers"] = list(answer.offers)
            if answer.asks is not None:
                more["asks"] = answer.asks
            self._receive(answer.buyer.contact_id, mail, {**more, "because": answer.because})
        if answer.next_turn is not None:
            self._push(answer.next_turn.at_ms, _Due(turn=answer.next_turn))

    def _settle(self, answer: Answer) -> None:
        """Writes a buyer's answer to an invite into the calendar and the log."""
        if answer.accepts is None:
            return
        event = self.office.calendar[answer.event_id]
        status = "accepted" if answer.accepts else "declined"
        self.office.calendar[event.id] = event.model_copy(update={"status": status})
        data: dict[str, Any] = {
            "event_id": event.id,
            "by": answer.buyer.party.address.lower(),
            "starts_at": event.starts_at,
            "because": answer.because,
        }
        if answer.cancels:
            data["cancels"] = True
        kind = WorldEvent.ACCEPTED if answer.accepts else WorldEvent.DECLINED
        self.record(answer.buyer.contact_id, kind, data)
