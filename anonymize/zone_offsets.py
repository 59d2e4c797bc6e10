"""UTC offsets that tell where somebody sits: those that few write with give way to a near one that many use.

Belongs here: which offsets are common, and moments written with one of them. The instant never changes; the
local time does by the difference of the two. Offsets of the company's own zones are told by its manifest and
stay, so that its people's local times do. Does not belong here: the offset in days (`dates`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import polars as pl

FEWEST_SENDERS = 3
"""Senders that an offset needs to tell of nobody: the threshold of official statistics."""
_OFFSET = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$"
MOMENTS = {"messages": ("sent_at",), "calendar_items": ("starts_at", "ends_at")}
"""Columns whose offset is that of whoever wrote; those of systems tell where a server stands."""


def common_offsets(messages: pl.DataFrame, zones: Iterable[str]) -> frozenset[int]:
    """Returns the offsets, in minutes, that tell of nobody: the company's own, UTC and those of many senders.

    Args:
        messages: with `sent_at` and `from_address`.
        zones: of the company, by their names in the tz database.
    """
    months = [datetime(2024, month, 15, 12, tzinfo=UTC) for month in range(1, 13)]
    own = {
        int(offset.total_seconds()) // 60
        for zone in zones
        for month in months
        if (offset := month.astimezone(ZoneInfo(zone)).utcoffset()) is not None
    }
    counts = (
        messages.select(pl.col("sent_at").str.extract(_OFFSET).alias("offset"), "from_address")
        .drop_nulls()
        .group_by("offset")
        .agg(pl.col("from_address").n_unique())
    )
    many: dict[int, int] = {}
    for offset, senders in counts.iter_rows():
        many[_minutes(offset)] = max(senders, many.get(_minutes(offset), 0))
    return frozenset({0, *own, *(offset for offset, senders in many.items() if senders >= FEWEST_SENDERS)})


def settled(name: str, frame: pl.DataFrame, common: frozenset[int]) -> pl.DataFrame:
    """Returns a table whose moments have common offsets only; each stays the instant that it was.

    A calendar item of a rare offset is written in UTC and loses the name of its zone.
    """
    for column in MOMENTS.get(name, ()):
        if column not in frame.columns:
            continue
        offsets = frame[column].str.extract(_OFFSET)
        rare = {text: _minutes(text) for text in offsets.drop_nulls().unique().sort().to_list()}
        targets = {text: _near(minutes, common) for text, minutes in rare.items() if minutes not in common}
        if not targets:
            continue
        touched = offsets.is_in(list(targets)).fill_null(value=False)
        if "zone" in frame.columns:
            targets = dict.fromkeys(targets, 0)
            zone = pl.when(touched).then(pl.lit("UTC")).otherwise(pl.col("zone"))
            frame = frame.with_columns(zone.alias("zone"))
        pairs = zip(frame[column].to_list(), offsets.to_list(), strict=True)
        new = [value if text not in targets else written(value, targets[text]) for value, text in pairs]
        frame = frame.with_columns(pl.Series(column, new, dtype=pl.String))
    return frame


def written(moment: str, minutes: int) -> str:
    """Returns a moment with another offset, the same instant; what is no moment stays."""
    try:
        at = datetime.fromisoformat(moment)
        new = at.astimezone(timezone(timedelta(minutes=minutes)))
    except (ValueError, OverflowError):
        return moment
    return new.isoformat(sep=moment[10])


def _minutes(offset: str) -> int:
    if offset == "Z":
        return 0
    return (60 * int(offset[1:3]) + int(offset[-2:])) * (-1 if offset[0] == "-" else 1)


def _near(minutes: int, common: frozenset[int]) -> int:
    return min(common, key=lambda other: (abs(other - minutes), other))
