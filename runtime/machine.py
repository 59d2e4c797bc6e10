"""The buyers' machine as a table: state, what happened, guard, next state, reply.

Rows are tried in order; the first whose machine, state, trigger and guard fit is taken. Every state
answers every trigger, so that no mail is ever lost in a gap.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """Where a conversation with a buyer stands."""

    COLD = "cold"
    ASKED = "asked"
    REFUSED = "refused"
    OFFERED = "offered"
    BOOKED = "booked"
    CLOSED = "closed"


class Trigger(StrEnum):
    """What a buyer reacts to."""

    MAIL = "mail"
    INVITE = "invite"
    WITHDRAWN = "withdrawn"
    """The rep cancelled the meeting."""
    DUE = "due"
    """The time to cancel has come."""


class Guard(StrEnum):
    """What must hold for a row."""

    ALWAYS = "always"
    PITCH = "pitch"
    """Relevant and asks for a meeting."""
    RELEVANT = "relevant"
    PITCH_WITH_FACT = "pitch_with_fact"
    RELEVANT_WITH_FACT = "relevant_with_fact"
    ASKS = "asks"
    """Asks for a meeting and speaks of no other problem."""
    OFF_TOPIC = "off_topic"
    LAPSED_WITH_MORE = "lapsed_with_more"
    LAPSED = "lapsed"
    AT_OFFER = "at_offer"
    """An offered instant that has not lapsed, of a right length."""
    SECOND_DECLINE = "second_decline"
    OTHER_EVENT = "other_event"
    """An invite beside the meeting that stands."""


class Effect(StrEnum):
    """What a row does beside replying."""

    NONE = ""
    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    FREE = "free"
    """The meeting is gone; the offered times stand."""


class Row(NamedTuple):
    """One transition."""

    machines: frozenset[str]
    state: State
    trigger: Trigger
    guard: Guard
    next: State
    reply: str = ""
    effect: Effect = Effect.NONE


MEETS = frozenset({"bookable", "cancels", "delegate"})
AWAY = frozenset({"out_of_office"})
WRONG = frozenset({"wrong_person"})
UNFIT = frozenset({"unfit"})
MACHINES = MEETS | AWAY | WRONG | UNFIT
_NEVER_MEETS = MACHINES - MEETS
_S, _T, _G, _E = State, Trigger, Guard, Effect


def _declines(machines: frozenset[str], state: State) -> list[Row]:
    return [
        Row(machines, state, _T.INVITE, _G.SECOND_DECLINE, _S.CLOSED, "declined", _E.DECLINE),
        Row(machines, state, _T.INVITE, _G.ALWAYS, state, "declined", _E.DECLINE),
    ]


TABLE: tuple[Row, ...] = (
    Row(MEETS, _S.COLD, _T.MAIL, _G.PITCH, _S.OFFERED, "offer", _E.OFFER),
    Row(MEETS, _S.COLD, _T.MAIL, _G.RELEVANT, _S.ASKED, "ask_back"),
    Row(MEETS, _S.COLD, _T.MAIL, _G.ALWAYS, _S.REFUSED, "not_a_priority"),
    Row(MEETS, _S.ASKED, _T.MAIL, _G.OFF_TOPIC, _S.REFUSED, "not_a_priority"),
    Row(MEETS, _S.ASKED, _T.MAIL, _G.ASKS, _S.OFFERED, "offer", _E.OFFER),
    Row(MEETS, _S.ASKED, _T.MAIL, _G.ALWAYS, _S.ASKED, "ask_back"),
    Row(MEETS, _S.REFUSED, _T.MAIL, _G.PITCH_WITH_FACT, _S.OFFERED, "offer", _E.OFFER),
    Row(MEETS, _S.REFUSED, _T.MAIL, _G.RELEVANT_WITH_FACT, _S.ASKED, "ask_back"),
    Row(MEETS, _S.REFUSED, _T.MAIL, _G.ALWAYS, _S.CLOSED, "second_refusal"),
    Row(MEETS, _S.OFFERED, _T.MAIL, _G.LAPSED_WITH_MORE, _S.OFFERED, "lapsed", _E.OFFER),
    Row(MEETS, _S.OFFERED, _T.MAIL, _G.LAPSED, _S.CLOSED, "second_refusal"),
    Row(MEETS, _S.OFFERED, _T.MAIL, _G.ALWAYS, _S.OFFERED),
    Row(MEETS, _S.OFFERED, _T.INVITE, _G.AT_OFFER, _S.BOOKED, "accepted", _E.ACCEPT),
    Row(MEETS, _S.BOOKED, _T.MAIL, _G.ALWAYS, _S.BOOKED),
    Row(MEETS, _S.BOOKED, _T.INVITE, _G.OTHER_EVENT, _S.BOOKED, "declined", _E.DECLINE),
    Row(MEETS, _S.BOOKED, _T.INVITE, _G.AT_OFFER, _S.BOOKED, "accepted", _E.ACCEPT),
    Row(MEETS, _S.BOOKED, _T.INVITE, _G.SECOND_DECLINE, _S.CLOSED, "declined", _E.DECLINE),
    Row(MEETS, _S.BOOKED, _T.INVITE, _G.ALWAYS, _S.OFFERED, "declined", _E.DECLINE),
    Row(MEETS, _S.BOOKED, _T.WITHDRAWN, _G.ALWAYS, _S.OFFERED, "", _E.FREE),
    Row(MEETS, _S.BOOKED, _T.DUE, _G.ALWAYS, _S.OFFERED, "cancels", _E.CANCEL),
    Row(AWAY, _S.COLD, _T.MAIL, _G.ALWAYS, _S.COLD, "out_of_office"),
    Row(WRONG, _S.COLD, _T.MAIL, _G.ALWAYS, _S.REFUSED, "wrong_person"),
    Row(WRONG, _S.REFUSED, _T.MAIL, _G.ALWAYS, _S.CLOSED, "second_refusal"),
    Row(UNFIT, _S.COLD, _T.MAIL, _G.ALWAYS, _S.CLOSED, "unfit"),
    *_declines(MACHINES, _S.COLD),
    *_declines(MEETS | WRONG, _S.REFUSED),
    *_declines(MEETS, _S.ASKED),
    *_declines(MEETS, _S.OFFERED),
    *(Row(MACHINES, _S.CLOSED, trigger, _G.ALWAYS, _S.CLOSED) for trigger in (_T.MAIL, _T.INVITE)),
)


def rows_for(machine: str, state: State, trigger: Trigger) -> list[Row]:
    """Returns the rows that may apply, in order; none where the machine takes no notice."""
    return [row for row in TABLE if machine in row.machines and row.state is state and row.trigger is trigger]
