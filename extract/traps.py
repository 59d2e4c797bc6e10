"""Trap patterns: what in this company's mail and records would mislead somebody who does not look closely."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from contracts.company_model import TrapPattern
from extract import phrases
from extract.cases import CaseBook
from extract.dataset import Dataset
from extract.decisions import QUALIFIED, qualification_outcome
from extract.figures import share
from extract.mails import Mail, MailKind
from extract.meetings import Appointment, offers_with_zone
from extract.moments import Moment, read_moment
from extract.objects import BusinessObject, ObjectGraph
from extract.outreach import Answer, Exchange
from extract.people import Staff


@dataclass(frozen=True)
class Found:
    """Where the patterns occur; mails by case where they have one."""

    impostors: list[Mail]
    inbound: int
    stale: list[BusinessObject]
    records: int
    notices: list[Mail]
    stops: list[Mail]
    cancellations: list[Mail]
    offers: list[tuple[Mail, bool]]
    """Mails that offer times, each with whether its writer's clock is another than the company's."""


def find_patterns(
    data: Dataset,
    graph: ObjectGraph,
    staff: Staff,
    mails: list[Mail],
    exchanges: list[Exchange],
    booked: list[Appointment],
) -> Found:
    """Returns the mails and records that show trap patterns."""
    inbound = [mail for mail in mails if not mail.inside]
    records = graph.of_type("lead") or graph.of_type("account")
    return Found(
        impostors=[mail for mail in inbound if staff.by_name(mail.sender_name) is not None],
        inbound=len(inbound),
        stale=_stale(data, graph, records, inbound),
        records=len(records),
        notices=[mail for mail in mails if is_signed_notice(mail)],
        stops=[one.reply for one in exchanges if one.answer is Answer.STOP_REQUEST and one.reply],
        cancellations=_cancellations(mails, booked),
        offers=offers_with_zone(mails, exchanges, data.zone),
    )


def trap_patterns(
    found: Found, exchanges: list[Exchange], booked: list[Appointment], book: CaseBook
) -> list[TrapPattern]:
    """Returns how often each pattern occurs, with evidence."""
    people = len({one.person for one in exchanges})
    sold_to = len([case for case in book.cases if case.mails])
    figures = {
        "fake_boss": share(_ids(found.impostors), found.inbound),
        "stale_crm": share([one.record for one in found.stale], found.records),
        "time_zone": share(_ids([mail for mail, other in found.offers if other]), len(found.offers)),
        "plan_changes": share(_ids(found.notices), sold_to),
        "buyer_cancels": share(_ids(found.cancellations), len(booked)),
        "do_not_contact": share(_ids(found.stops), people),
    }
    return [TrapPattern(kind=kind, share=figure) for kind, figure in figures.items()]


def is_signed_notice(mail: Mail) -> bool:
    """Says whether an inside mail reports a signature and forbids further contact."""
    return (
        mail.inside
        and not mail.outside
        and mail.kind is MailKind.INTERNAL
        and phrases.says_signed(mail.own)
        and phrases.is_stop_request(mail.own)
    )


def _stale(
    data: Dataset, graph: ObjectGraph, records: list[BusinessObject], inbound: list[Mail]
) -> list[BusinessObject]:
    """Returns open records whose people reported a purchase after the record was last verified."""
    reports: dict[str, list[Mail]] = defaultdict(list)
    for mail in inbound:
        if mail.kind is MailKind.RECEIVED and phrases.says_acquired(mail.own):
            for account in mail.accounts:
                reports[account].append(mail)
            reports[mail.sender].append(mail)
    found = []
    for record in records:
        keys = {record.object_id, record.attributes.get("email", "").casefold()}
        keys |= {account.object_id for account in graph.targets(record.object_id, "account")}
        verified: Moment | None = read_moment(record.attributes.get("last_verified"), data.zone)
        later = [
            mail
            for key in sorted(keys)
            for mail in reports.get(key, [])
            if verified is None or mail.second > verified.second
        ]
        if later and qualification_outcome(record) in (QUALIFIED, None):
            found.append(record)
    return found


def _cancellations(mails: list[Mail], booked: list[Appointment]) -> list[Mail]:
    """Returns the guests' mails that take back a time for which they had been invited."""
    invited = {one.guest: one.invitations[0].mail.second for one in booked}
    return [
        mail
        for mail in mails
        if mail.kind is MailKind.RECEIVED
        and mail.second > invited.get(mail.sender, mail.second)
        and phrases.cancels_meeting(mail.own)
        and phrases.times_offered(mail.own)
    ]


def _ids(mails: list[Mail]) -> list[str]:
    return [mail.message_id for mail in mails]
