"""Times that a mail names, as instants of its writer's clock.

Belongs here: days with a month and the time of day behind them. Does not belong here: whether a mail offers
those times or takes one back (`extract.phrases`).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from contracts.instants import MONTHS, Instant, Zone

_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS)
_NAMED = re.compile(
    rf"\b(?:(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})|(?P<day2>\d{{1,2}})\.? (?P<month2>{_MONTH}))\b"
    r"|(?<![\d:])(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?: ?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_MOST_DAYS_BACK = 31
"""A day without its year lies in the year in which it is nearest ahead of the mail, or just behind it."""


def times_named(text: str, written_at: Instant, offset_minutes: int) -> tuple[Instant, ...]:
    """Returns the instants that a mail names by day and time of day, each once, in the order of the text.

    Args:
        text: the writer's own words.
        written_at: when the mail was sent.
        offset_minutes: of the writer's clock, minutes east of UTC.
    """
    zone = Zone(name="", abbreviation="", offset_minutes=offset_minutes)
    today = zone.local(written_at)
    found: list[Instant] = []
    day: tuple[int, int] | None = None
    for named in _NAMED.finditer(text):
        if named["hour"] is None:
            month = (named["month"] or named["month2"])[:3].capitalize()
            day = [one[:3] for one in MONTHS].index(month) + 1, int(named["day"] or named["day2"])
        elif day is not None:
            at = _instant(today, day, named, zone)
            if at is not None:
                found.append(at)
    return tuple(dict.fromkeys(found))


def _instant(today: datetime, day: tuple[int, int], clock: re.Match[str], zone: Zone) -> Instant | None:
    hour, minute = int(clock["hour"]), int(clock["minute"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].lower() == "p" else 0)
    for year in (today.year, today.year + 1):
        try:
            moment = datetime(year, *day, hour, minute, tzinfo=UTC)
        except ValueError:
            return None
        if (moment.date() - today.date()).days >= -_MOST_DAYS_BACK:
            return int(moment.timestamp()) - 60 * zone.offset_minutes
    return None
