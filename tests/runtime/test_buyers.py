"""Buyers answer by the table: offers, refusals, second chances, lapses, cancelling, absence."""

import pytest

from contracts.shift_events import Action
from runtime.core import Shift
from runtime.errors import MachineError

PITCH = "You paid suppliers twice. Could we meet?"
FACT = "In Leeds you paid suppliers twice. Could we meet?"
EMPTY = "Our software is great. Could we meet?"
HALF = 1_800


class Talk:
    """A shift seen as a conversation with one buyer."""

    def __init__(self, visible, server, machine="bookable"):
        self.shift = Shift(visible, server, world_hash="0" * 64)
        self.buyer = next(b for b in server.buyers if b.machine == machine)

    def says(self, body, wait=60_000):
        """The replies that a mail gets within a minute."""
        seen = len(self.shift.events)
        data = {"to": [self.buyer.party.address], "subject": "Hello", "body": body}
        self.shift.apply(Action.MAIL_SEND, data, self.shift.now_ms)
        return self.after(wait, seen)

    def invites(self, start, minutes=30, wait=60_000):
        seen = len(self.shift.events)
        data = {"starts_at": start, "ends_at": start + 60 * minutes, "attendees": [self.buyer.party.address]}
        self.event = self.shift.apply(Action.INVITE_SEND, data, self.shift.now_ms).event.data["event_id"]
        return self.after(wait, seen)

    def after(self, wait, seen):
        self.shift.tick_to(self.shift.now_ms + wait)
        events = self.shift.events[seen:]
        return [e.data.get("reply") for e in events if e.type == "mail.deliver" and "reply" in e.data]


@pytest.fixture
def talk(small_visible, small_server):
    return lambda machine="bookable": Talk(small_visible, small_server, machine)


@pytest.mark.parametrize(
    ("mails", "replies"),
    [
        ([PITCH], ["offer"]),
        (["You paid suppliers twice."], ["ask_back"]),
        (["You paid suppliers twice.", "Could we meet?"], ["ask_back", "offer"]),
        (["You paid suppliers twice.", "Thanks."], ["ask_back", "ask_back"]),
        (
            ["You paid suppliers twice.", "You also pay late fees. Could we meet?"],
            ["ask_back", "not_a_priority"],
        ),
        ([EMPTY], ["not_a_priority"]),
        ([EMPTY, PITCH], ["not_a_priority", "second_refusal"]),
        ([EMPTY, FACT], ["not_a_priority", "offer"]),
        ([EMPTY, EMPTY, FACT], ["not_a_priority", "second_refusal"]),
        ([PITCH, "Thank you, an invite follows."], ["offer"]),
        (["You pay late fees. Could we meet?"], ["not_a_priority"]),
        (["You paid suppliers twice and you pay late fees. Could we meet?"], ["not_a_priority"]),
        (["You never paid suppliers twice. Could we meet?"], ["not_a_priority"]),
        (["Did you pay suppliers twice?"], ["not_a_priority"]),
        (["Company1 paid suppliers twice. Could we meet?"], ["not_a_priority"]),
        (["Hi Robert,\nyou paid suppliers twice. Could we meet?"], ["not_a_priority"]),
        (["Hi Pat0,\nyou paid suppliers twice. Could we meet?"], ["offer"]),
    ],
)
def test_a_conversation_goes_by_the_table(talk, mails, replies):
    conversation = talk()
    assert [reply for body in mails for reply in conversation.says(body)] == replies


def test_an_invite_at_an_offered_time_of_right_length_is_accepted(talk):
    conversation = talk()
    conversation.says(PITCH)
    assert conversation.invites(conversation.buyer.offers[0][1]) == ["accepted"]
    assert conversation.shift.office.calendar[conversation.event].status == "accepted"


@pytest.mark.parametrize("minutes", [14, 61])
def test_meetings_of_another_length_are_declined(talk, minutes):
    conversation = talk()
    conversation.says(PITCH)
    assert conversation.invites(conversation.buyer.offers[0][0], minutes) == ["declined"]


def test_after_two_declined_invites_the_buyer_stops_answering(talk):
    conversation = talk()
    offer = conversation.buyer.offers[0][0]
    assert conversation.invites(offer) == ["declined"], "no offer was made yet"
    conversation.says(PITCH)
    assert conversation.invites(offer + 60) == ["declined"]
    assert conversation.invites(offer) == []
    assert conversation.says(FACT) == []


def test_lapsed_offers_are_renewed_twice_and_an_old_time_is_declined(talk):
    conversation = talk()
    old = conversation.buyer.offers[0][0]
    conversation.says(PITCH)
    conversation.shift.tick_to(conversation.shift.now_ms + 900_001)
    assert conversation.invites(old) == ["declined"]
    assert conversation.says("Still there?") == ["lapsed"]
    assert conversation.invites(conversation.buyer.offers[1][0]) == ["accepted"]


def test_a_meeting_that_the_rep_cancels_can_be_booked_again(talk):
    conversation = talk()
    conversation.says(PITCH)
    first, second = conversation.buyer.offers[0]
    conversation.invites(first)
    conversation.shift.apply(
        Action.INVITE_CANCEL, {"event_id": conversation.event}, conversation.shift.now_ms
    )
    assert conversation.invites(second) == ["accepted"]


def test_a_second_invite_beside_a_standing_meeting_is_declined_and_the_first_stands(talk):
    conversation = talk()
    conversation.says(PITCH)
    conversation.invites(conversation.buyer.offers[0][0])
    first = conversation.event
    assert conversation.invites(conversation.buyer.offers[0][1]) == ["declined"]
    assert conversation.shift.office.calendar[first].status == "accepted"


@pytest.mark.parametrize("by_update", [True, False])
def test_who_cancels_after_accepting_asks_for_one_time_and_takes_it(talk, by_update):
    conversation = talk("cancels")
    conversation.says(PITCH)
    assert conversation.invites(conversation.buyer.offers[0][0], wait=120_000) == ["accepted", "cancels"]
    declined = [e for e in conversation.shift.events if e.type == "invite.declined"]
    assert [event.data["cancels"] for event in declined] == [True]
    asked = conversation.buyer.replacement
    if by_update:
        data = {"event_id": conversation.event, "starts_at": asked, "ends_at": asked + HALF}
        conversation.shift.apply(Action.INVITE_UPDATE, data, conversation.shift.now_ms)
        replies = conversation.after(200_000, len(conversation.shift.events))
    else:
        replies = conversation.invites(asked, wait=200_000)
    assert replies == ["accepted"], "and it does not cancel twice"


def test_who_is_away_names_a_delegate_to_every_mail_and_the_delegate_needs_an_own_pitch(talk):
    conversation = talk("out_of_office")
    assert conversation.says(EMPTY) + conversation.says(PITCH) == ["out_of_office"] * 2
    mail = [e for e in conversation.shift.events if e.type == "mail.deliver"][-1].data["mail"]
    assert "delegate@acme.example" in mail["body"]
    assert talk("delegate").says(PITCH) == ["offer"]


def test_wrong_people_and_unfit_companies_never_offer_times(talk):
    assert talk("wrong_person").says(PITCH) == ["wrong_person"]
    assert talk("unfit").says(PITCH) == ["unfit"]


def test_replies_come_in_order_with_their_evidence(talk):
    conversation = talk()
    conversation.says(PITCH)
    event = next(e for e in conversation.shift.events if e.data.get("reply") == "offer")
    assert event.at_ms == 20_000
    assert event.actor == conversation.buyer.contact_id
    assert event.data["offers"] == conversation.buyer.offers[0]
    assert event.data["because"]["problems"] == ["duplicate_payments"]


def test_one_mail_to_two_buyers_reaches_both_and_copies_reach_nobody(small_visible, small_server):
    shift = Shift(small_visible, small_server, world_hash="0" * 64)
    to, cc = [b.party.address for b in small_server.buyers[:2]], [small_server.buyers[4].party.address]
    shift.apply(Action.MAIL_SEND, {"to": to, "cc": cc, "subject": "s", "body": PITCH}, 0)
    shift.tick_to(100_000)
    assert {e.actor for e in shift.events if "reply" in e.data} == {
        b.contact_id for b in small_server.buyers[:2]
    }


def test_a_world_may_declare_its_buyers_otherwise(small_visible, small_server):
    first = small_server.machines["bookable"]
    cold = {**first.states["cold"], "mail": [{"when": "always", "to": "closed", "reply": "not_a_priority"}]}
    closed = {"cold": cold, "closed": first.states["closed"]}
    curt = type(first).model_validate({**first.model_dump(), "states": closed, "ends": ["closed"]})
    server = small_server.model_copy(update={"machines": {**small_server.machines, "bookable": curt}})
    assert Talk(small_visible, server).says(PITCH) == ["not_a_priority"]


def _without(buyer_of, machine, **change):
    return [b.model_copy(update=change) if b.machine == machine else b for b in buyer_of]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda server: {"machines": {}}, "no buyer machine 'bookable'"),
        (lambda server: {"replies": server.replies[1:]}, "no wording for offer"),
        (lambda server: {"buyers": _without(server.buyers, "cancels", replacement=None)}, "no other time"),
    ],
)
def test_a_world_whose_buyers_cannot_act_is_refused_before_the_shift(
    small_visible, small_server, change, says
):
    with pytest.raises(MachineError, match=says):
        Shift(small_visible, small_server.model_copy(update=change(small_server)), world_hash="0" * 64)
