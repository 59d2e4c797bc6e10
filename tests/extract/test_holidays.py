"""Holidays of the real calendar, carried beside the moved dates, are no working days."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from archive.store import TableStore, polars_schema
from contracts.tables import CALENDAR_FACTS
from extract.model import extract_dataset


def test_a_holiday_is_no_working_day_of_the_calendar(sample: Any, tmp_path: Path) -> None:
    home = type(sample.home)(tmp_path, "sample")
    shutil.copytree(sample.home.clean, home.clean)
    before = sample.model.meetings.busy_per_day
    first = date(2024, 1, 1)
    days = [first + timedelta(days=number) for number in range(900)]
    wednesdays = [day for day in days if day.isoweekday() == 3]
    rows = [(day.isoformat(), 3, False, True, False, f"P{day.month:02d}") for day in wednesdays]
    facts = pl.DataFrame(rows, schema=polars_schema(CALENDAR_FACTS), orient="row")
    TableStore(home.clean).write(CALENDAR_FACTS.name, facts)
    after = extract_dataset(home, sample.topics, lambda *_: None).meetings.busy_per_day
    assert 0.75 < after.n / before.n < 0.85
