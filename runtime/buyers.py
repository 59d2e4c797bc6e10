"""Buyers: who takes which turn when, and what they answer.

A turn is scheduled when a mail or an invite reaches a buyer and decided when its delay is over. The same
mail in the same state gets the same answer; each decision carries its evidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from contracts.instants import Instant, slot_text
from contracts.shift_events import Action, ShiftEvent
from contracts.world import Buyer, Party, Server, Visible
from runtime.errors import MachineError
from runtime.machine import BuyerMachine, Effect, Guard, Row, Trigger, checked_machine
from runtime.matcher import Judgement, Matcher
from runtime.state import Office

_ANSWERS = {Effect.ACCEPT: True, Effect.ACCEPT_FOR_NOW: True, Effect.DECLINE: False, Effect.CANCEL: False}
_MAILS = frozenset({Action.MAIL_SEND, Action.MAIL_REPLY, Action.MAIL_FORWARD})


@dataclass(frozen=True)
class Turn:
    """A buyer's turn: what they will react to, and when."""

    at_ms: int
    buyer: int
    """Place in the world's list of buyers."""
    trigger: Trigger
    thread_id: str = ""
    subject: str = ""
    written: str = ""
    event_id: str = ""
    starts_at: Instant = 0
    ends_at: Instant = 0
    because_of: int = 0
    """Number of the event that caused it."""


@dataclass(frozen=True)
class Answer:
    """What a buyer does: a mail, an answer to an invite, both, or the next turn."""

    buyer: Buyer
    reply: str
    body: str
    subject: str
    thread_id: str
    because: dict[str, Any]
    event_id: str = ""
    accepts: bool | None = None
    cancels: bool = False
    offers: tuple[Instant, ...] = ()
    asks: Instant | None = None
    next_turn: Turn | None = None


@dataclass
class _Memory:
    """What a buyer remembers."""

    state: str
    replies: int = 0
    last_turn_ms: int = 0
    offers_made: int = 0
    offers: tuple[Instant, ...] = ()
    """Times that an invite may have."""
    offered_at_ms: int | None = None
    """None where what stands does not lapse."""
    declines: int = 0
    event_id: str = ""
    """The meeting that stands."""
    thread: tuple[str, str] = field(default=("", ""))


class Buyers:
    """All buyers of one shift with what they remember."""

    def __init__(self, visible: Visible, server: Server) -> None:
        self._visible = visible
        self._server = server
        self._wordings = {reply.kind: reply.variants for reply in server.replies}
        machines = {name: checked_machine(name, held) for name, held in sorted(server.machines.items())}
        for buyer in server.buyers:
            self._check(buyer, machines.get(buyer.machine))
        self._machines = [machines[buyer.machine] for buyer in server.buyers]
        self._memories = [_Memory(machine.start) for machine in self._machines]
        self._places = {buyer.party.address.lower(): i for i, buyer in enumerate(server.buyers)}
        self._parties = {buyer.contact_id: buyer.party for buyer in server.buyers}

    @cached_property
    def _matcher(self) -> Matcher:
        # Made for the first mail: most of a shift's beginning would be this.
        return Matcher(self._server)

    def turns_after(self, event: ShiftEvent) -> list[Turn]:
        """Returns the turns that an action gives to buyers."""
        data, kind = event.data, event.type
        if kind in _MAILS:
            places = self._reached([*data["to"], *data["bcc"]])
            given = {name: data[name] for name in ("thread_id", "subject", "written")}
            return [self._turn(event, place, Trigger.MAIL, given) for place in places]
        if kind in {Action.INVITE_SEND, Action.INVITE_UPDATE}:
            given = {name: data[name] for name in ("event_id", "starts_at", "ends_at")}
            return [self._turn(event, p, Trigger.INVITE, given) for p in self._reached(data["attendees"])]
        if kind == Action.INVITE_CANCEL:
            for place in self._reached(data["attendees"]):
                self._withdraw(place, data["event_id"])
        return []

    def answer(self, turn: Turn, office: Office, now_ms: int) -> Answer | None:
        """Returns what a buyer does at a turn; None where it takes no notice."""
        buyer, memory = self._server.buyers[turn.buyer], self._memories[turn.buyer]
        if turn.event_id:
            event = office.calendar.get(turn.event_id)
            stands = event is not None and (event.starts_at, event.ends_at) == (turn.starts_at, turn.ends_at)
            if not stands or event is None or event.status == "cancelled":
                return None
        if turn.trigger is Trigger.DUE and memory.event_id != turn.event_id:
            return None
        judgement = None
        if turn.trigger is Trigger.MAIL:
            judgement = self._matcher.judge(turn.written, turn.buyer)
            memory.thread = (turn.thread_id, turn.subject)
        machine = self._machines[turn.buyer]
        more = memory.offers_made < min(machine.most_offers, len(buyer.offers))
        held = self._guards(turn, machine, memory, judgement, now_ms, more=more)
        row = machine.row(memory.state, turn.trigger, held, more_times=more)
        if row is None:
            return None
        because: dict[str, Any] = {
            "state": row.state,
            "guard": str(row.guard),
            "event": turn.because_of,
        }
        if judgement is not None:
            because |= judgement.evidence()
        memory.state = row.next
        return self._act(row, turn, now_ms, because) if row.reply else None

    def _check(self, buyer: Buyer, machine: BuyerMachine | None) -> None:
        """Raises MachineError where a buyer lacks what its machine needs."""
        if machine is None:
            known = ", ".join(sorted(self._server.machines)) or "none"
            raise MachineError(f"the world declares no buyer machine {buyer.machine!r} (have: {known})")
        silent = sorted(kind for kind in machine.replies if not self._wordings.get(kind))
        if silent:
            raise MachineError(
                f"the world has no wording for {', '.join(silent)}, which {buyer.machine} says"
            )
        if machine.has(Effect.CANCEL) and buyer.replacement is None:
            raise MachineError(f"{buyer.contact_id} is to cancel and has no other time to ask for")

    def _reached(self, addresses: Iterable[str]) -> list[int]:
        found = (self._places.get(address.lower()) for address in addresses)
        return list(dict.fromkeys(place for place in found if place is not None))

    def _turn(self, event: ShiftEvent, place: int, trigger: Trigger, given: dict[str, Any]) -> Turn:
        memory, delays = self._memories[place], self._server.buyers[place].reply_delays_ms
        delay = delays[min(memory.replies, len(delays) - 1)] if delays else 0
        memory.replies += 1
        memory.last_turn_ms = max(event.at_ms + delay, memory.last_turn_ms + 1)
        return Turn(memory.last_turn_ms, place, trigger, because_of=event.seq, **given)

    def _withdraw(self, place: int, event_id: str) -> None:
        memory = self._memories[place]
        if memory.event_id == event_id:
            always = frozenset({Guard.ALWAYS})
            row = self._machines[place].row(memory.state, Trigger.WITHDRAWN, always, more_times=False)
            memory.state = row.next if row is not None else memory.state
            memory.event_id = ""

    def _guards(
        self,
        turn: Turn,
        machine: BuyerMachine,
        memory: _Memory,
        judgement: Judgement | None,
        now_ms: int,
        *,
        more: bool,
    ) -> frozenset[Guard]:
        """Returns the guards that hold in a situation."""
        lapsed = (
            memory.offered_at_ms is not None and now_ms - memory.offered_at_ms > self._server.offer_lapse_ms
        )
        shortest, longest = min(self._server.meeting_minutes), max(self._server.meeting_minutes)
        minutes_fit = 60 * shortest <= turn.ends_at - turn.starts_at <= 60 * longest
        on_topic = judgement is not None and judgement.relevant
        asks = judgement is not None and judgement.asks
        fact = judgement is not None and bool(judgement.facts)
        holds = {
            Guard.ALWAYS: True,
            Guard.PITCH: on_topic and asks,
            Guard.RELEVANT: on_topic,
            Guard.PITCH_WITH_FACT: on_topic and asks and fact,
            Guard.RELEVANT_WITH_FACT: on_topic and fact,
            Guard.ASKS: asks,
            Guard.OFF_TOPIC: judgement is not None and judgement.off_topic,
            Guard.LAPSED_WITH_MORE: lapsed and more,
            Guard.LAPSED: lapsed,
            Guard.AT_OFFER: turn.starts_at in memory.offers and minutes_fit and not lapsed,
            Guard.SECOND_DECLINE: memory.declines + 1 >= machine.most_declines,
            Guard.OTHER_EVENT: turn.event_id != memory.event_id,
        }
        return frozenset(guard for guard, held in holds.items() if held)

    def _act(self, row: Row, turn: Turn, now_ms: int, because: dict[str, Any]) -> Answer:
        buyer, memory = self._server.buyers[turn.buyer], self._memories[turn.buyer]
        thread_id, subject = memory.thread
        time: Instant | None = turn.starts_at or None
        offers: tuple[Instant, ...] = ()
        asks = None
        accepts = _ANSWERS.get(row.effect)
        next_turn = None
        if row.effect is Effect.OFFER:
            offers = memory.offers = tuple(buyer.offers[memory.offers_made])
            memory.offered_at_ms = now_ms
            memory.offers_made += 1
        elif row.effect is Effect.DECLINE:
            memory.declines += 1
            if turn.event_id == memory.event_id:
                memory.event_id = ""
        elif accepts:
            memory.event_id = turn.event_id
            if row.effect is Effect.ACCEPT_FOR_NOW:
                next_turn = Turn(
                    now_ms + buyer.cancel_delay_ms,
                    turn.buyer,
                    Trigger.DUE,
                    event_id=turn.event_id,
                    starts_at=turn.starts_at,
                    ends_at=turn.ends_at,
                    because_of=turn.because_of,
                )
        elif row.effect is Effect.CANCEL and buyer.replacement is not None:
            asks = time = buyer.replacement
            memory.event_id, memory.offered_at_ms = "", None
            memory.offers = (buyer.replacement,)
        return Answer(
            buyer=buyer,
            reply=row.reply,
            body=self._text(row.reply, turn.buyer, offers, time),
            subject=("Re: " + subject if subject and not subject.lower().startswith("re:") else subject)
            or f"{row.reply.capitalize()}: {buyer.party.name}",
            thread_id=thread_id,
            because=because,
            event_id=turn.event_id,
            accepts=accepts,
            cancels=row.effect is Effect.CANCEL,
            offers=offers,
            asks=asks,
            next_turn=next_turn,
        )

    def _text(self, kind: str, place: int, offers: tuple[Instant, ...], time: Instant | None) -> str:
        buyer = self._server.buyers[place]
        variants = self._wordings[kind]
        delegate = self._parties.get(buyer.delegate_contact_id, Party(name="", address=""))
        slots = " or ".join(slot_text(buyer.zone.local(offer), buyer.zone) for offer in offers)
        values = {
            "{first_name}": buyer.first_name,
            "{rep}": self._visible.rep.name.split(" ", maxsplit=1)[0],
            "{slots}": slots,
            "{time}": slot_text(buyer.zone.local(time), buyer.zone) if time is not None else "",
            "{delegate}": delegate.name,
            "{delegate_address}": delegate.address,
            "{company}": buyer.company_words[0] if buyer.company_words else "",
        }
        text = variants[place % len(variants)]
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        return text
