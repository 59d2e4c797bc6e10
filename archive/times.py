"""Dates and times as exports write them, read without the machine's locale.

Belongs here: the written forms and the decision which form a whole column has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_JIRA = re.compile(
    r"(\d{1,2})[/\- ]([A-Za-z]{3})[a-z]*[/\- ](\d{2}|\d{4})"
    r"(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([AaPp])\.?[Mm]\.?)?)?$"
)
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?P<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?)?$")
_FORMS = (
    ("%Y%m%d", re.compile(r"(?:19|20)\d\d[01]\d[0-3]\d$")),
    ("%m/%d/%Y", re.compile(r"\d{1,2}/\d{1,2}/\d{4}$")),
    ("%d/%m/%Y", re.compile(r"\d{1,2}/\d{1,2}/\d{4}$")),
    ("%d.%m.%Y", re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}$")),
    ("%d-%m-%Y", re.compile(r"\d{1,2}-\d{1,2}-\d{4}$")),
    ("%m-%d-%Y", re.compile(r"\d{1,2}-\d{1,2}-\d{4}$")),
    ("%m/%d/%y", re.compile(r"\d{1,2}/\d{1,2}/\d{2}$")),
    ("%d.%m.%y", re.compile(r"\d{1,2}\.\d{1,2}\.\d{2}$")),
    ("%m/%d/%Y %H:%M", re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d\d$")),
    ("%d/%m/%Y %H:%M", re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d\d$")),
    ("%d.%m.%Y %H:%M", re.compile(r"\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d\d$")),
)


def ticket_time(text: str, zone: ZoneInfo) -> str | None:
    """Returns a ticket system's time ("03/Sep/24 9:15 AM" or ISO) as ISO 8601, or None where it is no time.

    Times without offset are wall-clock times of the given zone.
    """
    text = text.strip()
    match = _JIRA.match(text)
    if match is None:
        if not _ISO.match(text):
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).isoformat(timespec="seconds")
    day, month, year, hour, minute, second, half = match.groups()
    if month.lower() not in _MONTHS:
        return None
    clock = int(hour or 0)
    if half:
        clock = clock % 12 + (12 if half.lower() == "p" else 0)
    full_year = int(year) + (2000 if len(year) == 2 else 0)
    try:
        moment = datetime(
            full_year,
            _MONTHS.index(month.lower()) + 1,
            int(day),
            clock,
            int(minute or 0),
            int(second or 0),
            tzinfo=zone,
        )
    except ValueError:
        return None
    return moment.isoformat(timespec="seconds")


def iso_form(values: Iterable[str]) -> str | None:
    """Returns "date" or "datetime" where every value is ISO 8601, else None."""
    matches = [_ISO.match(value) for value in values]
    if not matches or not all(matches):
        return None
    return "datetime" if any(match is not None and match["time"] for match in matches) else "date"


def date_form(values: Iterable[str]) -> str | None:
    """Returns the strptime form in which every value of a column is a real date, or None.

    Where day and month could stand either way in all values, the month comes first.
    """
    distinct = sorted(set(values))
    if not distinct:
        return None
    for form, pattern in _FORMS:
        if all(pattern.match(value) and _is_date(value, form) for value in distinct):
            return form
    return None


def _is_date(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)  # noqa: DTZ007 - only the form is asked
    except ValueError:
        return False
    return True
