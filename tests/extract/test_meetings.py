"""Meetings that outreach led to, and whose clock an offer of times is told by."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from extract.mails import Mail, read_mails
from extract.meetings import appointments, offers_with_zone, read_invitations
from extract.objects import build_objects
from extract.outreach import Exchange, find_exchanges
from extract.people import Outsiders, Staff
from tests.extract.small_datasets import small_dataset, source

SELLER, ENGINEER = "ann@own.example", "bob@own.example"
NEAR, FAR = "eve@near.example", "kim@far.example"
CRM = source(
    "crm",
    "crm",
    accounts={"objects": [{"type": "account", "id_column": "id", "attributes": {"website": "site"}}]},
)
ACCOUNTS = {"accounts": [{"id": "a1", "site": "near.example"}, {"id": "a2", "site": "far.example"}]}


def mail(number: int, sender: str, reader: str, sent_at: str, body: str) -> dict[str, Any]:
    head = {"message_id": f"m{number}", "header_id": f"h{number}", "source": "mail", "kind": "mail"}
    return {**head, "from_address": sender, "to": [reader], "sent_at": sent_at, "body_own": body}


def item(number: int, message: str, organizer: str, guest: str, ends: str) -> dict[str, Any]:
    names = {"item_id": f"i{number}", "uid": f"u{number}", "message_id": message, "method": "REQUEST"}
    times = {
        "starts_at": "2021-03-16T10:00:00-04:00",
        "ends_at": f"2021-03-16T{ends}:00-04:00",
        "sequence": 0,
    }
    return {**names, **times, "organizer": organizer, "attendees": [guest]}


ASK = "Would you have time for a call next week?"
OFFER = "I could do Tuesday 16 March at 10:00."
# Summer time begins on 14 March: these offsets were written before the dates were moved.
MESSAGES = [
    mail(1, SELLER, NEAR, "2021-03-11T10:00:00-04:00", ASK),
    mail(2, SELLER, FAR, "2021-03-11T10:01:00-04:00", ASK),
    mail(3, NEAR, SELLER, "2021-03-12T13:00:00-04:00", OFFER),
    mail(4, FAR, SELLER, "2021-03-12T13:00:00-07:00", OFFER),
    mail(5, SELLER, NEAR, "2021-03-12T14:00:00-04:00", "Tuesday it is."),
    mail(6, ENGINEER, NEAR, "2021-03-13T14:00:00-04:00", "We come to measure."),
]
ITEMS = [item(1, "m5", SELLER, NEAR, "10:30"), item(2, "m6", ENGINEER, NEAR, "12:00")]
DATA = small_dataset([CRM], ACCOUNTS, messages=MESSAGES, calendar_items=ITEMS)


def read() -> tuple[list[Mail], list[Exchange]]:
    graph = build_objects(DATA)
    mails = read_mails(DATA, graph, Staff(DATA, graph), Outsiders(graph))
    return mails, find_exchanges(mails)


def test_an_offset_that_the_company_writes_too_is_no_other_clock() -> None:
    mails, exchanges = read()
    offers = offers_with_zone(mails, exchanges, ZoneInfo("America/New_York"))
    assert [(one.sender, other) for one, other in offers] == [(NEAR, False), (FAR, True)]


def test_a_visit_of_somebody_who_sells_nothing_is_no_sales_meeting() -> None:
    mails, exchanges = read()
    (booked,) = appointments(read_invitations(DATA, mails), exchanges)
    assert [(one.owner, one.minutes) for one in booked.invitations] == [(SELLER, 30)]
    assert not booked.is_rescheduled
