"""Offers of times, invitations and their answers in iCalendar form. Who meets whom is decided in selling."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

from data_samples.clock import Zone, instant_at, local, next_workday, zone_word
from data_samples.history import Activity, Case, History, Mail
from data_samples.market import Person

_HOURS = {
    Zone.EASTERN: (9, 16),
    Zone.CENTRAL: (9, 15),
    Zone.PACIFIC: (8, 13),
    Zone.LONDON: (14, 17),
    Zone.BERLIN: (15, 17),
}
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
                day = datetime(2024, 9, 2, tzinfo=UTC).date() + timedelta(days=7 * week + weekday)
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
        if not h.busy(case.rep, at) and all(abs(at - other) >= timedelta(minutes=60) for other in times):
            times.append(at)
    times.sort()
    if after is None and rng.random() < (0.15 if person.zone is Zone.EASTERN else 0.4):
        for entry in h.events:
            ours = entry.owner is case.rep and entry.subject in _STANDING
            hour = local(entry.at, person.zone).hour
            if ours and times[0] < entry.at < times[0] + timedelta(days=8) and low - 1 <= hour <= high:
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


def _icalendar(
    rep: Person, person: Person, subject: str, start: datetime, method: str, case: Case, now: datetime
) -> str:
    status = {"REQUEST": "NEEDS-ACTION", "CANCEL": "NEEDS-ACTION", "REPLY": "ACCEPTED"}[method]
    lines = [
        "BEGIN:VCALENDAR",
        "PRODID:-//Tarnwick//Mail 4//EN",
        "VERSION:2.0",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
        f"UID:{case.id.lower()}-{start:%Y%m%dT%H%M}@tarnwick.com",
        f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}",
        f"DTSTART:{start.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"DTEND:{(start + timedelta(minutes=30)).astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"SUMMARY:{subject}",
        f"ORGANIZER;CN={rep.name}:mailto:{rep.email}",
        f"ATTENDEE;CN={person.name};PARTSTAT={status};RSVP=TRUE:mailto:{person.email}",
        f"SEQUENCE:{1 if method == 'CANCEL' else 0}",
        f"STATUS:{'CANCELLED' if method == 'CANCEL' else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "\r\n".join(lines) + "\r\n"
