"""Buyers' machines as worlds declare them, checked: closed vocabularies, every state reachable, no gap.

A world says which transitions there are; what a trigger, a guard and an effect mean is decided here and in
`buyers`. A machine with a fault is refused before a shift starts.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from contracts.world import Machine, Transition
from runtime.errors import MachineError


class Trigger(StrEnum):
    """What a buyer reacts to."""

    MAIL = "mail"
    INVITE = "invite"
    WITHDRAWN = "withdrawn"
    """The rep cancelled the meeting."""
    DUE = "due"
    """The time to cancel has come."""


class Guard(StrEnum):
    """What must hold for a transition."""

    ALWAYS = "always"
    PITCH = "pitch"
    """Relevant and asks for a meeting."""
    RELEVANT = "relevant"
    PITCH_WITH_FACT = "pitch_with_fact"
    RELEVANT_WITH_FACT = "relevant_with_fact"
    ASKS = "asks"
    """Asks for a meeting."""
    OFF_TOPIC = "off_topic"
    LAPSED_WITH_MORE = "lapsed_with_more"
    LAPSED = "lapsed"
    AT_OFFER = "at_offer"
    """An offered instant that has not lapsed, of a right length."""
    SECOND_DECLINE = "second_decline"
    """The last decline that the machine allows."""
    OTHER_EVENT = "other_event"
    """An invite beside the meeting that stands."""


class Effect(StrEnum):
    """What a transition does beside replying."""

    NONE = ""
    OFFER = "offer"
    """Names times; such a transition holds only while there are times left."""
    ACCEPT = "accept"
    ACCEPT_FOR_NOW = "accept_for_now"
    """Accepts, and will cancel when the buyer's delay is over."""
    DECLINE = "decline"
    CANCEL = "cancel"
    """Declines the meeting that stands and asks for the replacement."""
    FREE = "free"
    """The meeting is gone; the offered times stand."""


_TRIGGERS = frozenset(map(str, Trigger))
_GUARDS = {
    Trigger.MAIL: {
        Guard.ALWAYS, Guard.PITCH, Guard.RELEVANT, Guard.PITCH_WITH_FACT, Guard.RELEVANT_WITH_FACT,
        Guard.ASKS, Guard.OFF_TOPIC, Guard.LAPSED_WITH_MORE, Guard.LAPSED,
    },
    Trigger.INVITE: {Guard.ALWAYS, Guard.AT_OFFER, Guard.SECOND_DECLINE, Guard.OTHER_EVENT},
    Trigger.WITHDRAWN: {Guard.ALWAYS},
    Trigger.DUE: {Guard.ALWAYS},
}  # fmt: skip
_EFFECTS = {
    Trigger.MAIL: {Effect.NONE, Effect.OFFER},
    Trigger.INVITE: {Effect.NONE, Effect.ACCEPT, Effect.ACCEPT_FOR_NOW, Effect.DECLINE},
    Trigger.WITHDRAWN: {Effect.FREE},
    Trigger.DUE: {Effect.CANCEL},
}
_ACCEPTS = frozenset({Effect.ACCEPT, Effect.ACCEPT_FOR_NOW})
_SPOKEN = frozenset({Effect.OFFER, *_ACCEPTS, Effect.DECLINE, Effect.CANCEL})
"""Effects that the rep learns of by a reply only."""


class Row(NamedTuple):
    """One transition in the runtime's vocabulary."""

    state: str
    guard: Guard
    next: str
    reply: str
    effect: Effect


class BuyerMachine(NamedTuple):
    """A checked machine."""

    start: str
    most_offers: int
    most_declines: int
    rows: dict[tuple[str, Trigger], tuple[Row, ...]]

    def row(self, state: str, trigger: Trigger, held: frozenset[Guard], *, more_times: bool) -> Row | None:
        """Returns the transition taken; None where the state takes no notice of the trigger."""
        rows = self.rows.get((state, trigger), ())
        return next(
            (row for row in rows if row.guard in held and (more_times or row.effect is not Effect.OFFER)),
            None,
        )

    def has(self, effect: Effect) -> bool:
        """Says whether any transition has an effect."""
        return any(row.effect is effect for rows in self.rows.values() for row in rows)

    @property
    def replies(self) -> frozenset[str]:
        """Kinds of reply that the machine gives."""
        return frozenset(row.reply for rows in self.rows.values() for row in rows if row.reply)


def checked_machine(name: str, declared: Machine) -> BuyerMachine:
    """Returns a declared machine in the runtime's vocabulary.

    Raises:
        MachineError: it has faults, all of which are named.
    """
    return _checked(name, declared.model_dump_json())


@lru_cache(maxsize=64)
def _checked(name: str, stored: str) -> BuyerMachine:
    # All worlds of a template have the same machines.
    declared = Machine.model_validate_json(stored)
    faults = faults_of(declared)
    if faults:
        raise MachineError(f"the buyer machine {name!r} cannot run: {'; '.join(faults)}")
    rows = {
        (state, Trigger(trigger)): tuple(_row(state, one) for one in transitions)
        for state, triggers in declared.states.items()
        for trigger, transitions in triggers.items()
    }
    return BuyerMachine(declared.start, declared.most_offers, declared.most_declines, rows)


def _row(state: str, declared: Transition) -> Row:
    return Row(state, Guard(declared.when), declared.to or state, declared.reply, Effect(declared.effect))


def faults_of(machine: Machine) -> list[str]:
    """Returns what is wrong with a declared machine; an empty list where it is a model of a conversation.

    Right is a machine whose words are known, whose states are all reachable and all lead to an end, and whose
    guards are total: whatever happens in whatever state, exactly one transition is taken.
    """
    faults = [
        f"{state}.{trigger}: {fault}"
        for state, triggers in machine.states.items()
        for trigger, transitions in triggers.items()
        for fault in _list_faults(trigger, transitions, machine)
    ]
    faults += [
        f"{state} is declared nowhere"
        for state in dict.fromkeys([machine.start, *machine.ends])
        if state not in machine.states
    ]
    return faults or [*_gaps(machine), *_lost_states(machine)]


def _list_faults(trigger: str, transitions: list[Transition], machine: Machine) -> list[str]:
    """Returns the faults of the transitions of one state and trigger."""
    if trigger not in _TRIGGERS:
        return [f"no trigger of that name (have: {', '.join(Trigger)})"]
    known = Trigger(trigger)
    faults = []
    for one in transitions:
        if one.when not in _GUARDS[known]:
            faults.append(f"no guard {one.when!r} here (have: {', '.join(sorted(_GUARDS[known]))})")
        if one.effect not in _EFFECTS[known]:
            faults.append(f"no effect {one.effect!r} here")
        if one.effect in _SPOKEN and not one.reply:
            faults.append(f"the effect {one.effect!r} needs a reply")
        if one.to and one.to not in machine.states:
            faults.append(f"{one.to} is declared nowhere")
        if one.effect == Effect.OFFER and (one.when == Guard.ALWAYS or not machine.most_offers):
            faults.append("times run out: an offer can neither be the last way nor come from who offers none")
    guards = [one.when for one in transitions]
    if not guards or guards[-1] != Guard.ALWAYS:
        faults.append("the last guard must be always")
    if len(set(guards)) < len(guards) or Guard.ALWAYS in guards[:-1]:
        faults.append("a transition can never be taken: its guard stands twice, or behind always")
    return faults


def _gaps(machine: Machine) -> list[str]:
    """Returns the triggers that a state may meet and has no answer to."""
    meets = {state: {Trigger.MAIL, Trigger.INVITE} for state in machine.states}
    for state in _standing(machine, _ACCEPTS):
        meets[state].add(Trigger.WITHDRAWN)
    for state in _standing(machine, frozenset({Effect.ACCEPT_FOR_NOW})):
        meets[state].add(Trigger.DUE)
    return [
        f"{state} has no answer to {trigger}"
        for state, triggers in meets.items()
        for trigger in sorted(triggers)
        if trigger not in machine.states[state]
    ]


def _standing(machine: Machine, accepts: frozenset[Effect]) -> set[str]:
    """Returns the states in which a meeting may stand that was accepted by one of these effects."""
    accepted = {one.to or state for state, _, one in _transitions(machine) if one.effect in accepts}
    keeps = {
        (state, one.to or state)
        for state, _, one in _transitions(machine)
        if not one.effect or one.when == Guard.OTHER_EVENT
    }
    return _closure(accepted, keeps)


def _lost_states(machine: Machine) -> list[str]:
    steps = {(state, one.to or state) for state, _, one in _transitions(machine)}
    reached = _closure({machine.start}, steps)
    ending = _closure(set(machine.ends), {(after, before) for before, after in steps})
    return [
        *(f"{state} is never reached" for state in machine.states if state not in reached),
        *(
            f"{state} is a dead end: no end is reached from it"
            for state in machine.states
            if state not in ending
        ),
    ]


def _transitions(machine: Machine) -> list[tuple[str, str, Transition]]:
    return [
        (state, trigger, one)
        for state, triggers in machine.states.items()
        for trigger, transitions in triggers.items()
        for one in transitions
    ]


def _closure(states: set[str], steps: set[tuple[str, str]]) -> set[str]:
    reached = set(states)
    while True:
        more = {after for before, after in steps if before in reached} - reached
        if not more:
            return reached
        reached |= more
