"""UTC offsets: one that few write with tells where they sit and gives way; the instant stays what it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.keys import DatasetKey
from anonymize.row_places import OrderedTables
from anonymize.zone_offsets import FEWEST_SENDERS, common_offsets, settled, written
from archive.store import TableStore, empty_frame
from contracts.tables import FIXED_TABLES

BERLIN = ["Europe/Berlin"]
HOURS = st.integers(-14 * 4, 14 * 4).map(lambda quarters: 15 * quarters)


def mails(*sent: tuple[str | None, str]) -> pl.DataFrame:
    return pl.DataFrame(list(sent), schema={"sent_at": pl.String, "from_address": pl.String}, orient="row")


def many(offset: str, senders: int = FEWEST_SENDERS) -> list[tuple[str | None, str]]:
    return [(f"2024-03-04T10:00:00{offset}", f"s{n}@a.com") for n in range(senders)]


@pytest.mark.parametrize(
    ("sent", "zones", "common"),
    [
        ([], BERLIN, {0, 60, 120}),
        ([], ["America/New_York", "Asia/Kolkata"], {0, -240, -300, 330}),
        (many("+05:30"), BERLIN, {0, 60, 120, 330}),
        (many("+05:30", FEWEST_SENDERS - 1), BERLIN, {0, 60, 120}),
        (many("+05:30", 1) * 50, BERLIN, {0, 60, 120}),
        ([(None, "a@a.com"), ("soon", "b@a.com"), ("2024-03-04T10:00:00", "c@a.com")], BERLIN, {0, 60, 120}),
        ([("2024-03-04T10:00:00-08:00", None)] * 9, BERLIN, {0, 60, 120}),
    ],
)
def test_common_are_the_companys_own_and_those_of_many_senders(
    sent: list[tuple[str | None, str]], zones: list[str], common: set[int]
) -> None:
    assert common_offsets(mails(*sent), zones) == common


@pytest.mark.parametrize(
    ("sent", "settled_at"),
    [
        ("2024-03-04T10:00:00+01:00", "2024-03-04T10:00:00+01:00"),
        ("2024-03-04T10:00:00+05:30", "2024-03-04T06:30:00+02:00"),
        ("2024-03-04T01:00:00+05:30", "2024-03-03T21:30:00+02:00"),
        ("2024-03-04T10:00:00-08:00", "2024-03-04T18:00:00+00:00"),
        ("2024-03-04T10:00:00.250000-08:00", "2024-03-04T18:00:00.250000+00:00"),
        ("2024-03-04T10:00:00", "2024-03-04T10:00:00"),
        ("2024-03-04 10:00:00-0800", "2024-03-04 18:00:00+00:00"),
        ("no date at 10:00-08:00", "no date at 10:00-08:00"),
        (None, None),
    ],
)
def test_a_rare_offset_gives_way_to_the_nearest_common_one(sent: str | None, settled_at: str | None) -> None:
    frame = mails((sent, "a@a.com"))
    assert settled("messages", frame, common_offsets(frame, BERLIN))["sent_at"].to_list() == [settled_at]


@given(st.integers(0, 50 * 365 * 86_400), HOURS, HOURS)
def test_the_instant_never_changes(second: int, offset: int, other: int) -> None:
    moment = datetime.fromtimestamp(second, timezone(timedelta(minutes=offset)))
    new = datetime.fromisoformat(written(moment.isoformat(), other))
    assert new == moment and new.utcoffset() == timedelta(minutes=other)


@given(st.lists(st.tuples(HOURS, st.integers(0, 5)), max_size=30))
def test_no_offset_that_is_left_tells_of_fewer_senders_than_the_threshold(
    found: list[tuple[int, int]],
) -> None:
    """Of the whole kind: whoever writes with whatever offset, and order by time stays."""
    start = datetime(2024, 3, 4, 12, tzinfo=UTC)
    sent = [
        (start.replace(tzinfo=timezone(timedelta(minutes=offset))).isoformat(), f"s{sender}@a.com")
        for offset, sender in found
    ]
    frame = mails(*sent)
    common = common_offsets(frame, BERLIN)
    after = settled("messages", frame, common)["sent_at"].to_list()
    offsets = {datetime.fromisoformat(text).utcoffset() for text in after}
    assert {int(one.total_seconds()) // 60 for one in offsets if one is not None} <= common
    for old, new in zip(sent, after, strict=True):
        assert datetime.fromisoformat(old[0]) == datetime.fromisoformat(new)
    for minutes in common - {0, 60, 120}:
        assert len({sender for offset, sender in found if offset == minutes}) >= FEWEST_SENDERS


def test_a_calendar_item_of_a_rare_offset_is_written_in_utc() -> None:
    frame = pl.DataFrame(
        {
            "starts_at": ["2024-03-04T10:00:00+05:30", "2024-03-04T10:00:00+01:00"],
            "ends_at": ["2024-03-04T11:00:00+05:30", "2024-03-04T11:00:00+01:00"],
            "zone": ["Asia/Kolkata", "Europe/Berlin"],
        }
    )
    new = settled("calendar_items", frame, frozenset({0, 60, 120}))
    assert new["starts_at"].to_list() == ["2024-03-04T04:30:00+00:00", "2024-03-04T10:00:00+01:00"]
    assert new["ends_at"].to_list() == ["2024-03-04T05:30:00+00:00", "2024-03-04T11:00:00+01:00"]
    assert new["zone"].to_list() == ["UTC", "Europe/Berlin"]


def test_both_sides_read_the_same_moments(tmp_path: Path) -> None:
    """Audits compare raw with clean: what they read as raw has common offsets already."""
    store = TableStore(tmp_path)
    table = FIXED_TABLES["messages"]
    row = {column.name: None for column in table.columns}
    rows = [
        row
        | {"message_id": f"m-{n}", "sent_at": f"2024-03-04T10:0{n}:00{offset}", "from_address": f"{n}@a.com"}
        for n, offset in enumerate(("+01:00", "-08:00", "+05:30"))
    ]
    store.write("messages", pl.DataFrame(rows, schema=empty_frame(table).schema))
    read = OrderedTables(store, DatasetKey(b"k" * 32, "a"), BERLIN)
    moments = {"2024-03-04T10:00:00+01:00", "2024-03-04T18:01:00+00:00", "2024-03-04T06:32:00+02:00"}
    assert set(read.read("messages")["sent_at"]) == moments
    assert set(read.read("messages", ["sent_at"])["sent_at"]) == moments
