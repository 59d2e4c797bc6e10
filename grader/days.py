"""Whether a note names a day or a time: weekdays, dates and clock times as people write them."""

from __future__ import annotations

import re
from datetime import datetime

from contracts.instants import MONTHS, WEEKDAYS, Instant, Zone
from contracts.names import fold

MOST_WEEKDAYS = 2
"""A note with more weekdays than this names no agreed day but lists days."""
_WEEKDAY = re.compile(r"\b(?:" + "|".join(f"{day.lower()}|{day[:3].lower()}" for day in WEEKDAYS) + r")\b")
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\b|p\.?m\b)?\.?")


def names_instant(text: str, instant: Instant, zones: list[Zone]) -> bool:
    """Says whether a text names the day or the time of an instant by the clock of one of the zones."""
    folded = fold(text)
    if len({found[:3] for found in _WEEKDAY.findall(folded)}) > MOST_WEEKDAYS:
        return False
    return any(_names(folded, zone.local(instant)) for zone in zones)


def _names(text: str, moment: datetime) -> bool:
    return _names_day(text, moment) or _names_clock(text, moment)


def _names_day(text: str, moment: datetime) -> bool:
    weekday, month = WEEKDAYS[moment.weekday()].lower(), MONTHS[moment.month - 1].lower()
    months = f"(?:{month}|{month[:3]}\\.?|{month[:4]}\\.?)"
    day = rf"0?{moment.day}"
    forms = (
        rf"\b(?:{weekday}|{weekday[:3]}|{weekday[:4]})\b",
        rf"\b{months}\s*{day}(?:st|nd|rd|th)?\b",
        rf"\b{day}(?:st|nd|rd|th)?\.?\s*(?:of\s+)?{months}(?!\w)",
        rf"\b{moment.year}-{moment.month:02d}-{moment.day:02d}\b",
        rf"\b0?{moment.month}/{day}\b",
        rf"\b{day}\.\s?0?{moment.month}\.",
        rf"\bthe {day}(?:st|nd|rd|th)\b",
    )
    return any(re.search(form, text) for form in forms)


def _names_clock(text: str, moment: datetime) -> bool:
    for hour_text, minute_text, half in _CLOCK.findall(text):
        if not minute_text and not half:
            continue
        hour, minute = int(hour_text), int(minute_text or 0)
        hours = {hour}
        if half:
            hours = {hour % 12 + (12 if half.startswith("p") else 0)}
        elif hour < 12:
            hours.add(hour + 12)
        if minute == moment.minute and moment.hour in hours:
            return True
    return False
