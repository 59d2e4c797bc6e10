"""Times of a world: when buyers offer to meet and when the rep is busy, none of them overlapping by chance.

All times lie on an hourly grid of the working days after the shift, whose minute differs by day; so a
meeting of up to an hour at one offered time never runs into another offered time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from contracts.instants import Instant, Zone
from contracts.template import QUANTILE_POINTS, WorldTemplate
from contracts.world import CalendarEvent
from worldgen.accounts import Draft
from worldgen.errors import WorldError
from worldgen.stream import Stream

HOUR = 3600
_DAY = 24 * HOUR
_WORKDAYS = 13
_FIRST_HOUR, _LAST_HOUR = 9, 16
_LOCAL = (8, 17)
_PAIRS = 3
"""The first offer and two fresh ones."""
_PLANTED_DELAY = 90 * 60


@dataclass(frozen=True)
class Times:
    """The times of one world."""

    offers: dict[str, list[list[Instant]]]
    """Account -> pairs in the order in which they are offered."""
    replacements: dict[str, Instant]
    """Account whose buyer cancels -> time asked for instead."""
    planted: dict[str, Instant]
    """Account -> its second offer, over a busy entry."""
    busy: list[CalendarEvent]
    invited: Instant
    """Free time for which a colleague has invited the rep."""


def draw_times(template: WorldTemplate, drafts: list[Draft], starts_at: Instant, stream: Stream) -> Times:
    """Returns offers, replacements and the rep's busy entries of a world.

    Raises:
        WorldError: the working days have too few free hours.
    """
    zone = template.authored.cast.zones[template.authored.cast.zone]
    free = _grid(zone, starts_at, stream.named("grid"))
    taking = [one for one in drafts if one.archetype in ("bookable", "signed")]
    # Those with the fewest common hours choose first, so that everybody finds some.
    taking.sort(key=lambda one: ("time_zone" not in one.traps, -_zone(template, one).offset_minutes, one.id))
    offers: dict[str, list[list[Instant]]] = {}
    replacements: dict[str, Instant] = {}
    planted: dict[str, Instant] = {}
    busy: list[tuple[Instant, int]] = []
    for draft in taking:
        draws = stream.named("offers", draft.id)
        own = _zone(template, draft)
        pairs = []
        if "time_zone" in draft.traps:
            first = _planted(free, own, draws)
            planted[draft.id] = first + _PLANTED_DELAY
            busy.append((first + HOUR, HOUR))
            pairs.append([first, first + _PLANTED_DELAY])
        while len(pairs) < _PAIRS:
            pairs.append(sorted(_take(free, own, 2, draws, draft.name)))
        offers[draft.id] = pairs
        if draft.machine == "cancels":
            replacements[draft.id] = _take(free, own, 1, draws, draft.name)[0]
    busy += _density(template, free, zone, stream.named("busy"))
    taken = {start for start, _ in busy}
    invited = stream.named("invited").choice([start for start in free if start not in taken])
    busy += _before(template, zone, starts_at, stream.named("before"))
    titles = stream.named("titles")
    entries = [
        CalendarEvent(
            id=f"cal-{number:02d}",
            title=titles.choice(template.authored.office.busy_titles),
            starts_at=start,
            ends_at=start + length,
        )
        for number, (start, length) in enumerate(sorted(busy), start=1)
    ]
    return Times(offers, replacements, planted, entries, invited)


def _zone(template: WorldTemplate, draft: Draft) -> Zone:
    return template.authored.cast.zones[draft.city.zone]


def _grid(zone: Zone, starts_at: Instant, stream: Stream) -> list[Instant]:
    midnight = zone.local(starts_at).replace(hour=0, minute=0, second=0)
    hours: list[Instant] = []
    days, ahead = 0, 0
    while days < _WORKDAYS:
        ahead += 1
        day = midnight + timedelta(days=ahead)
        if day.weekday() >= 5:
            continue
        days += 1
        shift = 30 * stream.below(2)
        for hour in range(_FIRST_HOUR, _LAST_HOUR + 1):
            hours.append(int((day + timedelta(hours=hour, minutes=shift)).timestamp()))
    return hours


def _before(
    template: WorldTemplate, zone: Zone, starts_at: Instant, stream: Stream
) -> list[tuple[Instant, int]]:
    """The appointments of the two weeks up to the day of the shift, whose own hours stay free."""
    first, last = starts_at - HOUR, starts_at + 2 * HOUR
    today = zone.local(starts_at).date()
    hours = [
        hour
        for hour in _grid(zone, starts_at - 14 * _DAY, stream.named("grid"))
        if zone.local(hour).date() <= today and not first < hour < last
    ]
    return _density(template, hours, zone, stream.named("density"))


def _is_daytime(zone: Zone, start: Instant) -> bool:
    return _LOCAL[0] <= zone.local(start).hour <= _LOCAL[1]


def _take(free: list[Instant], zone: Zone, count: int, stream: Stream, who: str) -> list[Instant]:
    usable = [start for start in free if _is_daytime(zone, start)]
    if len(usable) < count:
        raise WorldError(f"no free hour is left for {who}: fewer accounts or busy entries are needed")
    taken = stream.sample(usable, count)
    for start in taken:
        free.remove(start)
    return taken


def _planted(free: list[Instant], zone: Zone, stream: Stream) -> Instant:
    starts = set(free)
    usable = [
        start
        for start in free
        if {start + HOUR, start + 2 * HOUR} <= starts
        and _is_daytime(zone, start)
        and _is_daytime(zone, start + _PLANTED_DELAY)
    ]
    if not usable:
        raise WorldError(f"no morning in {zone.name} is left for two times over a busy entry")
    first = stream.choice(usable)
    for start in (first, first + HOUR, first + 2 * HOUR):
        free.remove(start)
    return first


def _density(
    template: WorldTemplate, free: list[Instant], zone: Zone, stream: Stream
) -> list[tuple[Instant, int]]:
    """Busy entries, as many a day and as long as the company's are, in hours that nobody is offered."""
    by_day: dict[str, list[Instant]] = {}
    for start in free:
        by_day.setdefault(zone.local(start).date().isoformat(), []).append(start)
    entries = []
    for day in sorted(by_day):
        wanted = stream.quantile(template.fitted.busy_per_day.value, QUANTILE_POINTS)
        for start in stream.sample(by_day[day], min(wanted, len(by_day[day]))):
            minutes = stream.quantile(template.fitted.meeting_minutes.value, QUANTILE_POINTS)
            entries.append((start, 60 * max(15, min(60, minutes))))
    return entries
