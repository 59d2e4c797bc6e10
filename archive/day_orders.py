"""Whether a column of dates in numbers has the day or the month first, decided from all of its cells.

Belongs here: the evidence and its order of strength. A number above 12 proves an order. Where none stands,
months that all begin on their first day, dates that ascend down the rows, and weekends without a single date
speak for one order; then what other columns of the table have; then habit, which is told as unsure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from archive.date_forms import full_year

ORDERS = ("ymd", "dmy", "mdy", "ydm")
_AMERICAN = ("en_us", "es_us", "en_ph")
_LEAST_ASCENDING = 8
_LEAST_PERFECT = 20
_LEAST_WEEKDAYS = 15
_TOLERATED = 100
"""Of so many cells one may be no date in the order that all others have."""


class Decided(NamedTuple):
    """An order of year, month and day with what speaks for it."""

    order: str
    confident: bool
    reason: str
    others: tuple[str, ...] = ()
    """Other orders in which every cell is a date."""


def order_of(
    parts: Sequence[tuple[int, int, int]], base: tuple[str, ...], prefer: str, locale: str
) -> Decided:
    """Returns the order in which numbers of dates are written.

    Args:
        parts: the three numbers of each cell in the order of the rows.
        base: family, separator and place of the year.
        prefer: order of other columns of the table, "" where unknown.
        locale: the company's.
    """
    if base[0] != "numeric":
        return Decided("dmy", True, "months are written as names")
    candidates = {"first": ("ymd", "ydm"), "last": ("dmy", "mdy"), "short": ("dmy", "mdy", "ymd")}[base[2]]
    days = {order: [_day(cell, order) for cell in parts] for order in candidates}
    valid = {order: sum(day is not None for day in found) for order, found in days.items()}
    best = max(valid.values())
    full = [order for order in candidates if valid[order] == best]
    if base[2] == "short":
        full = _without_year_first(full, parts)
    near = [
        order
        for order in candidates
        if valid[order] < best and valid[order] * _TOLERATED >= best * (_TOLERATED - 1)
    ]
    if len(full) == 1:
        told = (
            "the year stands first"
            if full[0] == "ymd" and base[2] == "first"
            else "numbers above 12 show the day"
        )
        return Decided(full[0], not near or len(parts) > _TOLERATED, told)
    if "ymd" in full:
        return Decided(
            "ymd", True, "the year stands first, as in ISO 8601", tuple(o for o in full if o != "ymd")
        )
    evidence = _firsts(parts) or _ascending(days) or _weekdays(days)
    if evidence is not None:
        order, reason = evidence
        return Decided(order, True, reason, tuple(other for other in full if other != order))
    if prefer in full:
        return Decided(
            prefer, True, "as in the other date columns of the table", tuple(o for o in full if o != prefer)
        )
    order = _habit(base[1], locale)
    reason = "no number above 12 and no order of rows decides: " + (
        f"as usual in {locale}" if locale and base[1] == "/" else f'as usual with "{base[1]}"'
    )
    return Decided(order, False, reason, tuple(other for other in full if other != order))


def _day(cell: tuple[int, int, int], order: str) -> date | None:
    parts = dict(zip(order, cell, strict=True))
    year = parts["y"] if parts["y"] > 99 else full_year(parts["y"])
    try:
        return date(year, parts["m"], parts["d"])
    except ValueError:
        return None


def _without_year_first(full: list[str], parts: Sequence[tuple[int, int, int]]) -> list[str]:
    """Two digits of a year stand first only where they hardly change and the last number runs like days."""
    if "ymd" not in full or len(full) == 1:
        return full
    first, last = {cell[0] for cell in parts}, {cell[2] for cell in parts}
    if len(last) > 12 and len(first) * 3 <= len(last):
        return ["ymd"]
    return [order for order in full if order != "ymd"]


def _firsts(parts: Sequence[tuple[int, int, int]]) -> tuple[str, str] | None:
    first, second = {cell[0] for cell in parts}, {cell[1] for cell in parts}
    for order, days, months in (("dmy", first, second), ("mdy", second, first)):
        if days == {1} and len(months) >= 6:
            return order, "every date is the first of a month"
    return None


def _ascending(days: dict[str, list[date | None]]) -> tuple[str, str] | None:
    shares = {}
    for order in ("dmy", "mdy"):
        found = [day for day in days[order] if day is not None]
        pairs = [(one, other) for one, other in pairwise(found) if one != other]
        if len(pairs) < _LEAST_ASCENDING:
            return None
        up = sum(one < other for one, other in pairs) / len(pairs)
        shares[order] = max(up, 1 - up)
    order = max(shares, key=lambda name: shares[name])
    other = "mdy" if order == "dmy" else "dmy"
    perfect = shares[order] == 1 > shares[other] and len(found) >= _LEAST_PERFECT
    if perfect or (shares[order] >= 0.95 and shares[other] <= 0.85):
        return order, "so read, the dates run in order down the rows"
    return None


def _weekdays(days: dict[str, list[date | None]]) -> tuple[str, str] | None:
    weekends = {}
    for order in ("dmy", "mdy"):
        found = {day for day in days[order] if day is not None}
        if len(found) < _LEAST_WEEKDAYS:
            return None
        weekends[order] = sum(day.weekday() >= 5 for day in found) / len(found)
    order = min(weekends, key=lambda name: weekends[name])
    other = "mdy" if order == "dmy" else "dmy"
    if weekends[order] == 0 and weekends[other] >= 0.15:
        return order, "so read, no date falls on a weekend"
    return None


def _habit(mark: str, locale: str) -> str:
    if mark != "/":
        return "dmy"
    return "mdy" if not locale or locale.lower() in _AMERICAN else "dmy"
