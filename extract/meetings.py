"""Meetings and absences: invitations taken back and moved, times in other zones, absences with a delegate."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from contracts.company_model import Meetings
from contracts.names import addresses_in, is_in_domain, split_address
from extract import phrases
from extract.dataset import Dataset, text_of, texts
from extract.figures import quantiles, share
from extract.mails import Mail, MailKind
from extract.moments import Moment, read_moment, zone_offset
from extract.objects import ObjectGraph
from extract.outreach import Exchange, offering_mails

_MAX_MINUTES = 24 * 60


@dataclass(frozen=True)
class Invitation:
    """One item of a calendar mail."""

    item_id: str
    uid: str
    method: str
    sequence: int
    starts: Moment
    minutes: int
    guest: str
    """First outside address among its people, empty for inside meetings."""
    owner: str
    mail: Mail


@dataclass(frozen=True)
class Appointment:
    """Everything that was sent about meeting one guest, moved or not."""

    guest: str
    invitations: tuple[Invitation, ...]

    @property
    def is_rescheduled(self) -> bool:
        """Says whether one was taken back (or changed) and another time was sent."""
        asked = {(one.uid, one.starts.second) for one in self.invitations if one.method == "REQUEST"}
        moved = len({second for _, second in asked}) > 1
        return moved and (len(asked) > len({uid for uid, _ in asked}) or self.is_cancelled)

    @property
    def is_cancelled(self) -> bool:
        """Says whether an invitation was taken back."""
        return any(one.method == "CANCEL" for one in self.invitations)


def read_invitations(data: Dataset, mails: list[Mail]) -> list[Invitation]:
    """Returns the items of all calendar mails by the time of the mail."""
    by_id = {mail.message_id: mail for mail in mails}
    found = []
    for item in data.rows("calendar_items"):
        mail = by_id.get(text_of(item["message_id"]))
        starts = read_moment(text_of(item["starts_at"]) or None, data.zone)
        ends = read_moment(text_of(item["ends_at"]) or None, data.zone)
        if mail is None or starts is None:
            continue
        people = [
            address
            for box in [text_of(item["organizer"]), *texts(item["attendees"])]
            for address in addresses_in(box)
        ]
        outside = [one for one in people if not any(is_in_domain(one, domain) for domain in data.domains)]
        minutes = (ends.second - starts.second) // 60 if ends else 0
        found.append(
            Invitation(
                text_of(item["item_id"]),
                text_of(item["uid"]),
                text_of(item["method"]).upper() or "REQUEST",
                int(str(item["sequence"] or 0)),
                starts,
                minutes,
                outside[0] if outside else "",
                next((one for one in people if one not in outside), ""),
                mail,
            )
        )
    return sorted(found, key=lambda one: (one.mail.second, one.item_id))


def appointments(invitations: list[Invitation], exchanges: list[Exchange]) -> list[Appointment]:
    """Returns the meetings that outreach led to, of people who write it: one appointment per guest."""
    approached = {one.person for one in exchanges}
    sellers = {one.mail.sender for one in exchanges}
    by_guest: dict[str, list[Invitation]] = defaultdict(list)
    for one in invitations:
        if one.guest in approached and one.owner in sellers:
            by_guest[one.guest].append(one)
    return [Appointment(guest, tuple(by_guest[guest])) for guest in sorted(by_guest)]


def offers_with_zone(mails: list[Mail], exchanges: list[Exchange], zone: ZoneInfo) -> list[tuple[Mail, bool]]:
    """Returns the mails that offered times, each with whether its writer's clock is not the company's.

    The company's clock is that of its main zone, and of its own mail nearest in time: moved dates may fall on
    the other side of a change to summer time, with the offset as it was written.
    """
    own = [(mail.second, mail.at.offset_minutes) for mail in mails if mail.inside and mail.at is not None]
    found = []
    for mail in offering_mails(mails, exchanges):
        if mail.at is not None:
            place = bisect_left(own, (mail.second,))
            near = min(
                own[max(0, place - 1) : place + 1], key=lambda one: abs(one[0] - mail.second), default=None
            )
            clocks = {zone_offset(mail.second, zone), near[1] if near else None}
            found.append((mail, mail.at.offset_minutes not in clocks))
    return found


def meeting_figures(
    data: Dataset,
    graph: ObjectGraph,
    mails: list[Mail],
    exchanges: list[Exchange],
    invitations: list[Invitation],
) -> Meetings:
    """Returns how meetings and absences went."""
    booked = appointments(invitations, exchanges)
    moved = [one.invitations[0].item_id for one in booked if one.is_rescheduled]
    absences = [mail for mail in mails if mail.kind is MailKind.AUTO_REPLY and phrases.is_absence(mail.own)]
    delegated = [mail.message_id for mail in absences if names_delegate(mail)]
    reached = {one.person for one in exchanges}
    away = sorted({mail.sender for mail in absences} & reached)
    first_absence = {mail.sender: mail.message_id for mail in reversed(absences)}
    offers = offers_with_zone(mails, exchanges, data.zone)
    minutes = [
        sent.minutes
        for one in booked
        for sent in one.invitations
        if sent.method == "REQUEST" and 0 < sent.minutes <= _MAX_MINUTES
    ]
    return Meetings(
        rescheduled=share(moved, len(booked)),
        out_of_office=share([first_absence[person] for person in away], len(reached)),
        delegate_named=share(delegated, len(absences)),
        other_zone=share([mail.message_id for mail, other in offers if other], len(offers)),
        duration_minutes=quantiles(minutes, "minutes"),
        busy_per_day=quantiles(_busy(data, graph, invitations), "items"),
    )


def names_delegate(mail: Mail) -> bool:
    """Says whether a text gives another address of the sender's own domain."""
    parts = split_address(mail.sender)
    named = addresses_in(mail.own)
    return parts is not None and any(
        address != mail.sender and is_in_domain(address, parts.domain) for address in named
    )


def _busy(data: Dataset, graph: ObjectGraph, invitations: list[Invitation]) -> list[int]:
    """Returns calendar items per person and working day, idle days between first and last included.

    Holidays are told by the facts that were carried with the dates: the moved dates fall on none.
    """
    taken: Counter[tuple[str, int]] = Counter()
    for meeting in graph.of_type("meeting"):
        owners = graph.targets(meeting.object_id, "user")
        starts = read_moment(meeting.attributes.get("starts_at"), data.zone)
        if owners and starts is not None and "cancel" not in meeting.attributes.get("status", "").casefold():
            taken[owners[0].object_id, starts.day] += 1
    if not taken:
        taken.update(
            (one.owner, one.starts.day) for one in invitations if one.method == "REQUEST" and one.owner
        )
    days: dict[str, list[int]] = defaultdict(list)
    for owner, day in taken:
        days[owner].append(day)
    return [
        taken[owner, day]
        for owner in sorted(days)
        for day in range(min(days[owner]), max(days[owner]) + 1)
        if date.fromordinal(day).weekday() < 5 and day not in data.holidays
    ]
