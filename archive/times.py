"""Dates and times as exports write them: which form a whole column has, and how sure that is.

Belongs here: the decision over a column, and ticket times. Does not belong here: reading one cell of a known
form (`archive.date_forms`, whose `parse_written` and `parse_clock` are told here as well).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from archive.date_forms import (
    EPOCH,
    EPOCH_MS,
    EXCEL,
    form_pattern,
    full_year,
    month_number,
    parse_clock,
    parse_written,
)
from archive.day_orders import ORDERS, order_of
from archive.missing_marks import date_marks
from contracts.tables import ColumnKind

__all__ = [
    "DateReading",
    "date_form",
    "form_pattern",
    "iso_form",
    "parse_clock",
    "parse_written",
    "read_dates",
    "ticket_time",
]

FEW = 20
"""Fewer cells than this, and fewer than one in a hundred, may stand outside the form of their column."""
_PEEK = 60
_LOOKED_AT = 5_000
"""First values among which those are that decide whether a column can hold dates."""
_LONGEST = 64
"""Characters of a written date."""
_CLOCK = (
    r"(?:(?P<join>T|,?[ \u00a0\u202f]+)(?P<H>\d{1,2}):(?P<M>\d\d)"
    r"(?::(?P<S>\d\d)(?:(?P<fm>[.,])(?P<f>\d{1,9}))?)?"
    r"(?:(?P<pm>\s?)(?P<p>[AaPp]\.?\s?[Mm]\.?))?(?:(?P<zm>\s?)(?P<z>Z|UTC|GMT|[+-]\d\d:?\d\d))?)?"
)
_NUMERIC = re.compile(r"(?P<a>\d{1,4})(?P<mark>[/.\-])(?P<b>\d{1,2})(?P=mark)(?P<c>\d{1,4})" + _CLOCK)
_DAY_NAME = re.compile(
    r"(?:(?P<w>[^\W\d_]{2,10}\.?)(?P<wm>,? ))?(?P<a>\d{1,2})(?P<m1>\.? |[-/.])(?P<b>[^\W\d_]{3,12}\.?)"
    r"(?P<m2>,? |[-/.])(?P<c>\d{4}|\d{2})" + _CLOCK
)
_NAME_DAY = re.compile(r"(?P<b>[^\W\d_]{3,12}\.?)(?P<m1> )(?P<a>\d{1,2})(?P<m2>,? )(?P<c>\d{4})" + _CLOCK)
_COMPACT = re.compile(
    r"(?P<Y>(?:19|20)\d\d)[01]\d[0-3]\d(?P<join>[T ]?)(?P<clock>[0-2]\d[0-5]\d(?P<S>[0-5]\d)?)?"
)
_ISO_PATTERN = (
    r"\d{4}-\d\d-\d\d(?:[T ](?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_ISO = re.compile(f"(?:{_ISO_PATTERN})$")
_DATE_LENGTH = len("2024-01-31")
_JIRA = re.compile(
    r"(\d{1,2})[/\- ]([A-Za-z]{3})[a-z]*[/\- ](\d{2}|\d{4})"
    r"(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([AaPp])\.?[Mm]\.?)?)?$"
)
_SERIAL = re.compile(r"[2-6]\d{4}(?:[.,]\d+)?")
_SECONDS = re.compile(r"1\d{9}(?:\.\d+)?")
_MILLIS = re.compile(r"1\d{12}")


class DateReading(NamedTuple):
    """How the dates of a column are written."""

    form: str | None
    """strptime form, None for ISO 8601, or a form of counted days or seconds (`archive.date_forms`)."""
    kind: ColumnKind
    """DATE, or DATETIME where cells have a time."""
    confident: bool
    """False where day and month could be exchanged and only habit decides."""
    reason: str
    missing: tuple[str, ...] = ()
    """Marks found that stand for no value."""
    alternatives: tuple[str, ...] = ()
    """Other forms in which every cell would be a date."""
    outliers: tuple[str, ...] = ()
    """Cells of no form, few enough to leave the column its kind."""


def read_dates(
    values: Sequence[str],
    *,
    telling: bool = False,
    counts: Mapping[str, int] | None = None,
    prefer: str = "",
    locale: str = "",
) -> DateReading | None:
    """Returns how the dates of a column are written, decided from all of its cells; None where it has none.

    Args:
        values: the cells that are not empty, or the distinct ones, in the order of the rows.
        telling: whether the column's name speaks of dates; numbers that count days or seconds need it.
        counts: how often each value stands in the column; once each when None.
        prefer: order of day and month ("dmy", "mdy") of other columns of the table, where known.
        locale: the company's, which decides last.
    """
    if not look_like_dates(values, telling=telling):
        return None
    distinct = list(dict.fromkeys(stripped for value in values if (stripped := value.strip())))
    missing = date_marks(distinct)
    cells = [value for value in distinct if value not in missing] if missing else distinct
    if (iso := iso_form(cells)) is not None:
        return DateReading(None, ColumnKind(iso), True, "every cell is ISO 8601", missing)
    reading = _counted(cells, telling) or _compact(cells, telling)
    if reading is not None:
        return reading._replace(missing=missing)
    if all(value.isdigit() for value in cells[:_PEEK]):
        return None
    weights = {cell: 1 if counts is None else counts.get(cell, 1) for cell in cells}
    return _written(list(weights), weights, missing, prefer, locale)


def look_like_dates(values: Sequence[str], *, telling: bool = False) -> bool:
    """Says whether the first cells look like dates: at least four of five."""
    first = values[:_LOOKED_AT]
    marks = date_marks(first)
    peek = list(dict.fromkeys(cell for value in first if (cell := value.strip()) and cell not in marks))[
        :_PEEK
    ]
    if not peek:
        return False
    hits = sum(_layout(cell) is not None or bool(_COMPACT.fullmatch(cell)) for cell in peek)
    counted = any(pattern.fullmatch(peek[0]) for pattern in (_SERIAL, _SECONDS, _MILLIS))
    return hits * 5 >= len(peek) * 4 or (telling and counted)


def _counted(cells: Sequence[str], telling: bool) -> DateReading | None:
    if not telling:
        return None
    for form, pattern, told in (
        (EXCEL, _SERIAL, "day numbers of a spreadsheet under a name of dates"),
        (EPOCH, _SECONDS, "seconds since 1970 under a name of dates"),
        (EPOCH_MS, _MILLIS, "milliseconds since 1970 under a name of dates"),
    ):
        if all(pattern.fullmatch(cell) for cell in cells):
            whole = form == EXCEL and all(cell.isdigit() for cell in cells)
            return DateReading(form, ColumnKind.DATE if whole else ColumnKind.DATETIME, True, told)
    return None


def _compact(cells: Sequence[str], telling: bool) -> DateReading | None:
    matches = [_COMPACT.fullmatch(cell) for cell in cells]
    if not all(matches):
        return None
    first = matches[0]
    if first is None:
        return None
    shape = (bool(first["clock"]), bool(first["S"]), first["join"])
    form = "%Y%m%d"
    if shape[0]:
        form += first["join"] + ("%H%M%S" if shape[1] else "%H%M")
    if any(parse_written(cell, form) is None for cell in cells) or (
        shape == (True, False, "") and not telling
    ):
        return None
    kind = ColumnKind.DATETIME if shape[0] else ColumnKind.DATE
    return DateReading(form, kind, True, "every cell is year, month and day in digits")


class _Cell(NamedTuple):
    base: tuple[str, ...]
    """Family, separators, place and length of the year."""
    clock: tuple[str, ...]
    """How time, half of the day and zone are attached; empty where there is none."""
    depth: int
    """0 no time, 1 minutes, 2 seconds, 3 fractions."""
    parts: tuple[int, int, int]


def _layout(cell: str) -> _Cell | None:
    if len(cell) > _LONGEST:
        return None
    if (match := _NUMERIC.fullmatch(cell)) is not None:
        lengths = len(match["a"]), len(match["c"])
        if 3 in lengths or lengths == (4, 4):
            return None
        place = "first" if lengths[0] == 4 else "last" if lengths[1] == 4 else "short"
        base: tuple[str, ...] = ("numeric", match["mark"], place)
        parts = int(match["a"]), int(match["b"]), int(match["c"])
    elif (match := _DAY_NAME.fullmatch(cell) or _NAME_DAY.fullmatch(cell)) is not None:
        month = month_number(match["b"])
        if month is None:
            return None
        groups = match.groupdict()
        family = "named" if match.start("a") < match.start("b") else "american"
        word = "%b" if len(match["b"].rstrip(".")) <= 4 else "%B"
        week = "" if not groups.get("w") else "%a" if len(groups["w"].rstrip(".")) <= 3 else "%A"
        year = "%Y" if len(match["c"]) == 4 else "%y"
        base = (family, match["m1"], match["m2"], year, word, week, groups.get("wm") or "")
        parts = int(match["a"]), month, int(match["c"])
    else:
        return None
    if match["H"] is None:
        return _Cell(base, (), 0, parts)
    if int(match["H"]) > 23:
        return None
    zone = match["z"]
    told = "" if not zone else "%Z" if zone in ("UTC", "GMT") else "%z"
    join = "T" if match["join"] == "T" else re.sub(r"\s+", " ", match["join"])
    clock = (join, match["pm"] or "" if match["p"] else "24", (match["zm"] or "") + told)
    return _Cell(base, clock, 3 if match["f"] else 2 if match["S"] else 1, parts)


def _written(
    cells: Sequence[str], weights: Mapping[str, int], missing: tuple[str, ...], prefer: str, locale: str
) -> DateReading | None:
    layouts = {cell: _layout(cell) for cell in cells}
    bases: Counter[tuple[str, ...]] = Counter()
    clocks: Counter[tuple[str, ...]] = Counter()
    for cell, layout in layouts.items():
        if layout is not None:
            bases[_family(layout.base)] += weights[cell]
            if layout.clock:
                clocks[layout.clock] += weights[cell]
    if not bases:
        return None
    base = bases.most_common(1)[0][0]
    clock = clocks.most_common(1)[0][0] if clocks else ()
    kept = {
        cell: layout
        for cell, layout in layouts.items()
        if layout is not None and _family(layout.base) == base and layout.clock in ((), clock)
    }
    depth = max(layout.depth for layout in kept.values())
    decided = order_of([layout.parts for layout in kept.values()], base, prefer, locale)
    form = _form(next(iter(kept.values())).base, decided.order, clock, depth, kept.values())
    outliers = tuple(cell for cell in cells if cell not in kept or parse_written(cell, form) is None)
    strayed, total = sum(weights[cell] for cell in outliers), sum(weights.values())
    if strayed and (strayed >= FEW or strayed * 100 >= total):
        return None
    others = tuple(_form(base, order, clock, depth, kept.values()) for order in decided.others)
    kind = ColumnKind.DATETIME if depth else ColumnKind.DATE
    return DateReading(form, kind, decided.confident, decided.reason, missing, others, outliers)


def _family(base: tuple[str, ...]) -> tuple[str, ...]:
    """What cells of one column must share: names of months may be long or short (May)."""
    return base if base[0] == "numeric" else (*base[:4], "", *base[5:])


def _form(
    base: tuple[str, ...], order: str, clock: tuple[str, ...], depth: int, cells: Iterable[_Cell]
) -> str:
    if base[0] == "numeric":
        year = "%y" if base[2] == "short" else "%Y"
        form = base[1].join({"y": year, "m": "%m", "d": "%d"}[part] for part in order)
    else:
        word = "%B" if any(cell.base[4] == "%B" for cell in cells) else "%b"
        week = base[5] + base[6] if base[5] else ""
        day = f"%d{base[1]}{word}" if base[0] == "named" else f"{word}{base[1]}%d"
        form = f"{week}{day}{base[2]}{base[3]}"
    if not depth:
        return form
    join, half, zone = clock
    form += join + ("%H:%M" if half == "24" else "%I:%M") + (":%S" if depth > 1 else "")
    form += ".%f" if depth > 2 else ""
    return form + ("" if half == "24" else f"{half}%p") + zone


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
    day, name, year, hour, minute, second, half = match.groups()
    month = month_number(name)
    clock = int(hour or 0)
    if half:
        clock = clock % 12 + (12 if half.lower() == "p" else 0)
    whole_year = int(year) if len(year) == 4 else full_year(int(year))
    try:
        parts = (whole_year, month or 0, int(day), clock, int(minute or 0), int(second or 0))
        moment = datetime(*parts, tzinfo=zone)
    except ValueError:
        return None
    return moment.isoformat(timespec="seconds")


def iso_form(values: Iterable[str]) -> str | None:
    """Returns "date" or "datetime" where every value is ISO 8601 and a real date, else None."""
    cells = list(values)
    if not cells or not all(map(_ISO.match, cells)):
        return None
    if not all(map(_is_day, {cell[:10] for cell in cells})):
        return None
    return "datetime" if any(len(cell) > _DATE_LENGTH for cell in cells) else "date"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def date_form(values: Iterable[str]) -> str | None:
    """Returns the form in which every value of a column is a date, or None for ISO and for no dates."""
    reading = read_dates(list(values))
    return None if reading is None else reading.form


def day_order(form: str | None) -> str:
    """Returns the order in which a form of numbers has year, month and day ("dmy"), "" where it has names."""
    places = {part: (form or "").find(f"%{part}") for part in "Yymd"}
    places["y"] = max(places.pop("Y"), places["y"])
    order = "".join(sorted(places, key=lambda part: places[part]))
    return order if min(places.values()) >= 0 and order in ORDERS else ""
