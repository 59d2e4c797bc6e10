"""Offers of times, invitations and their answers in iCalendar form. Who meets whom is decided in selling."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import NamedTuple

from data_samples.clock import Zone, instant_at, local, next_workday, zone_word
from data_samples.history import Activity, Case, History, Mail
from data_samples.market import Person
from data_samples.styles import style_of

_HOURS = {
    Zone.EASTERN: (9, 16),
    Zone.CENTRAL: (9, 15),
    Zone.PACIFIC: (8, 13),
    Zone.LONDON: (14, 17),
    Zone.BERLIN: (15, 17),
}
WINDOWS_ZONES = {Zone.EASTERN: "Eastern Standard Time", Zone.BERLIN: "W. Europe Standard Time"}
"""Names under which Outlook writes the zones of the vendor's own people."""
_RULES = {
    Zone.EASTERN: ("-0400", "-0500", "BYDAY=2SU;BYMONTH=3", "BYDAY=1SU;BYMONTH=11"),
    Zone.BERLIN: ("+0200", "+0100", "BYDAY=-1SU;BYMONTH=3", "BYDAY=-1SU;BYMONTH=10"),
}
_PATIENCE = 400
_STANDING = {"Pipeline review": (0, 10), "Forecast call": (3, 14)}


def spoken(at: datetime, zone: Zone, short: bool) -> str:
    """The time as somebody in that zone writes it."""
    wall = local(at, zone)
    day = f"{wall:%a} {wall:%b} {wall.day}" if short else f"{wall:%A}, {wall:%B} {wall.day}"
    if zone in (Zone.LONDON, Zone.BERLIN):
        day = f"{wall:%A} {wall.day} {wall:%B}"
        return f"{day} at {wall:%H:%M} {zone_word(zone, zone is Zone.LONDON and short)}"
    hour = f"{(wall.hour - 1) % 12 + 1}:{wall.minute:02d} {'am' if wall.hour < 12 else 'pm'}"
    return f"{day} at {hour} {zone_word(zone, short)}"


def standing_meetings(h: History, weeks: int) -> None:
    """The weekly meetings that fill each rep's calendar, and the busy slots that others run into."""
    for rep in h.staff.reps:
        for week in range(weeks):
            for subject, (weekday, hour) in _STANDING.items():
                day = datetime(2024, 3, 4, tzinfo=UTC).date() + timedelta(days=7 * week + weekday)
                h.event(subject, rep, None, None, instant_at(day, hour, 0, Zone.EASTERN), 60)


def offer_times(
    h: History, case: Case, person: Person, after: datetime | None = None
) -> tuple[datetime, datetime, str]:
    """Two times in the buyer's zone, the first free for the rep; the busy entry that the second hits."""
    rng = case.rng
    low, high = _HOURS[person.zone]
    base = local(after or h.now, person.zone).date()
    times: list[datetime] = []
    for attempt in count():
        if len(times) == 2:
            break
        day = next_workday(base, rng.randrange(1, 7) + attempt // 20)
        at = instant_at(day, rng.randrange(low, high + 1), rng.choice((0, 0, 30)), person.zone)
        if (attempt > _PATIENCE or not h.busy(case.rep, at)) and all(
            abs(at - other) >= timedelta(minutes=60) for other in times
        ):
            times.append(at)
    times.sort()
    if after is None and rng.random() < (0.15 if person.zone is Zone.EASTERN else 0.4):
        for days in range(9):
            for entry in h.entries(case.rep, times[0].date() + timedelta(days=days)):
                hour = local(entry.at, person.zone).hour
                near = times[0] < entry.at < times[0] + timedelta(days=8)
                if entry.subject in _STANDING and near and low - 1 <= hour <= high:
                    return times[0], entry.at, entry.sf_id
    return times[0], times[1], ""


def schedule_mail(
    h: History, case: Case, person: Person, parent: Mail, start: datetime, wording: str, method: str
) -> tuple[Mail, Activity | None]:
    """An invitation (REQUEST), its withdrawal (CANCEL) or the acceptance (REPLY), with the rep's entry."""
    rep, event = case.rep, None
    when = spoken(start, person.zone, False)
    subject = f"{case.company.short} / Tarnwick intro call"
    if method == "REPLY":
        mail = h.mail(
            "invite_accepted",
            person,
            [rep],
            f"Accepted: {subject}",
            ["See you then."],
            case=case,
            parent=None,
            bare=True,
        )
    else:
        name = "invite" if method == "REQUEST" else "invite_cancelled"
        title = subject if method == "REQUEST" else f"Canceled: {subject}"
        mail = h.mail(
            name, rep, [person], title, [wording.format(when=when, new=when)], case=case, parent=parent
        )
        if method == "REQUEST":
            event = h.event(f"Intro call {case.company.short}", rep, person, case.company, start)
            case.add("events", event.sf_id)
    mail.calendar, mail.method = _icalendar(rep, person, subject, start, method, case, h.now), method
    return mail, event


def visit_invite(
    h: History,
    case: Case,
    host: Person,
    start: datetime,
    order: str,
    sequence: int,
    first: Mail | None = None,
) -> Mail:
    """The host's invitation to a site visit; a higher sequence corrects the place of an earlier one."""
    place = f"{case.company.street}, {case.company.place.city}"
    door = "" if sequence == 0 else ", please use the side entrance"
    subject = f"Site visit {case.company.short}, order {order}"
    text = "Here is the invitation for the visit." if sequence == 0 else "Another door, same time."
    mail = h.mail(
        "invite" if sequence == 0 else "invite_updated",
        host,
        [case.contact],
        subject if first is None else "",
        [text],
        case=case,
        cc=[h.staff.engineering],
        parent=first,
    )
    event = Event(subject, start, 120, host, (case.contact, h.staff.engineering), f"{place}{door}")
    mail.calendar = event.text("REQUEST", f"{case.id.lower()}-visit-{order}", sequence, h.now, windows=True)
    mail.method = "REQUEST"
    return mail


def _icalendar(
    rep: Person, person: Person, subject: str, start: datetime, method: str, case: Case, now: datetime
) -> str:
    event = Event(subject, start, 30, rep, (person,))
    windows = style_of(rep).quote == "outlook" and start.day % 2 == 0
    uid = f"{case.id.lower()}-{start:%Y%m%dT%H%M}"
    return event.text(method, uid, 1 if method == "CANCEL" else 0, now, windows=windows)


def staff_invite(
    h: History, event: Event, uid: str, sequence: int, method: str, parent: Mail | None = None
) -> Mail:
    """An invitation among colleagues, its correction, withdrawal or (from the first guest) its answer."""
    guests, rng = list(event.guests), Random(f"{h.seed}:{uid}:{sequence}:{method}")
    title = {"CANCEL": "Canceled: ", "REPLY": "Declined: " if sequence % 2 else "Accepted: "}.get(method, "")
    answer = method == "REPLY"
    mail = h.mail(
        "staff_invite",
        guests[0] if answer else event.host,
        [event.host] if answer else guests,
        f"{title}{event.subject}",
        [{"REQUEST": "Please join.", "CANCEL": "Not needed any more.", "REPLY": "Noted."}[method]],
        rng=rng,
        parent=None if answer else parent,
        bare=True,
    )
    status = "DECLINED" if sequence % 2 else "ACCEPTED"
    mail.calendar = event.text(method, uid, sequence, h.now, windows=True, status=status if answer else "")
    mail.method = method
    return mail


class Event(NamedTuple):
    """What an invitation says, whatever its form."""

    subject: str
    start: datetime
    minutes: int
    host: Person
    guests: tuple[Person, ...]
    place: str = ""

    def text(
        self, method: str, uid: str, sequence: int, now: datetime, windows: bool = False, status: str = ""
    ) -> str:
        """The event in iCalendar form, in UTC or on the wall clock of a zone under its Windows name."""
        status = status or ("ACCEPTED" if method == "REPLY" else "NEEDS-ACTION")
        end = self.start + timedelta(minutes=self.minutes)
        if windows:
            zone, walls = (
                WINDOWS_ZONES[self.host.zone],
                [local(at, self.host.zone) for at in (self.start, end)],
            )
            times = [
                f"{name};TZID={zone}:{wall:%Y%m%dT%H%M%S}"
                for name, wall in zip(("DTSTART", "DTEND"), walls, strict=True)
            ]
        else:
            times = [
                f"DTSTART:{self.start.astimezone(UTC):%Y%m%dT%H%M%SZ}",
                f"DTEND:{end.astimezone(UTC):%Y%m%dT%H%M%SZ}",
            ]
        lines = [
            "BEGIN:VCALENDAR",
            "PRODID:-//Tarnwick//Mail 4//EN",
            "VERSION:2.0",
            f"METHOD:{method}",
            *(_zone_block(self.host.zone) if windows else []),
            "BEGIN:VEVENT",
            f"UID:{uid}@tarnwick.com",
            f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}",
            *times,
            f"SUMMARY:{self.subject}",
            *([f"LOCATION:{_escape(self.place)}"] if self.place else []),
            f"ORGANIZER;CN={self.host.name}:mailto:{self.host.email}",
            *(
                f"ATTENDEE;CN={guest.name};PARTSTAT={status};RSVP=TRUE:mailto:{guest.email}"
                for guest in (self.guests[:1] if method == "REPLY" else self.guests)
            ),
            f"SEQUENCE:{sequence}",
            f"STATUS:{'CANCELLED' if method == 'CANCEL' else 'CONFIRMED'}",
            "END:VEVENT",
            "END:VCALENDAR",
        ]
        return "\r\n".join(part for line in lines for part in _folded(line)) + "\r\n"


def _zone_block(zone: Zone) -> list[str]:
    summer, winter, begins, ends = _RULES[zone]
    return [
        "BEGIN:VTIMEZONE",
        f"TZID:{WINDOWS_ZONES[zone]}",
        "BEGIN:STANDARD",
        f"DTSTART:16010101T0{'3' if zone is Zone.BERLIN else '2'}0000",
        f"TZOFFSETFROM:{summer}",
        f"TZOFFSETTO:{winter}",
        f"RRULE:FREQ=YEARLY;{ends}",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:16010101T020000",
        f"TZOFFSETFROM:{winter}",
        f"TZOFFSETTO:{summer}",
        f"RRULE:FREQ=YEARLY;{begins}",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
    ]


def _escape(text: str) -> str:
    return text.replace(",", "\\,").replace(";", "\\;")


def _folded(line: str) -> list[str]:
    """The line in parts of at most 75 bytes, the later ones begun with a blank."""
    parts, rest = [], line
    while len(rest.encode()) > 75:
        cut = 74
        while len(rest[:cut].encode()) > 74:
            cut -= 1
        parts.append(rest[:cut])
        rest = f" {rest[cut:]}"
    return [*parts, rest]
