"""Retention: first days from the manifest and a stated day, rows by their own dates, counts that add up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from anonymize.retention import cutoffs, expired
from anonymize.withdrawal import withdraw
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.manifest import Source, SourceKind

TODAY = date(2025, 3, 1)
GERMAN = {"kind": "date", "date_format": "%d.%m.%Y"}
TABLES = {
    "visits": {"id": "id", "planned": GERMAN, "done": GERMAN},
    "notes": {"id": "id", "visit": {"kind": "id", "references": "crm.visits.id"}, "noted": "date"},
}


def source(**bounds: object) -> Source:
    return Source.model_validate(
        {"name": "crm", "kind": SourceKind.CRM, "format": "csv", "path": "crm", **bounds}
    )


@pytest.mark.parametrize(
    ("bounds", "first_day"),
    [
        ({}, None),
        ({"retention_days": 1}, "2025-02-28"),
        ({"retention_days": 365}, "2024-03-01"),
        ({"keep_until": "2025-03-01"}, None),
        ({"keep_until": "2025-02-28"}, "2025-03-02"),
        ({"keep_until": "2026-01-01", "retention_days": 31}, "2025-01-29"),
        ({"keep_until": "2025-01-01", "retention_days": 31}, "2025-03-02"),
    ],
)
def test_first_days_follow_from_the_manifest_and_the_stated_day(
    bounds: dict[str, object], first_day: str | None
) -> None:
    assert cutoffs([source(**bounds)], TODAY).get("crm") == first_day


@pytest.mark.parametrize("bounds", [{"retention_days": 0}, {"keep_until": "soon"}])
def test_bounds_that_say_nothing_are_refused(bounds: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        source(**bounds)


@pytest.fixture
def raw(tmp_path: Path, small_manifest: Callable[..., Path]) -> TableStore:
    base = tmp_path / "archive"
    (base / "crm").mkdir(parents=True)
    small_manifest(base, TABLES, name="kept", company="Hollowbrook")
    (base / "crm" / "visits.csv").write_text(
        "id,planned,done\nV-300411,01.02.2024,\nV-300412,01.02.2024,28.02.2024\nV-300413,,\n"
        "V-300414,29.02.2024,01.03.2024\n"
    )
    (base / "crm" / "notes.csv").write_text(
        "id,visit,noted\nN-1,V-300412,2024-03-05\nN-2,V-300414,2024-03-05\n"
    )
    (base / "mail.mbox").write_text(
        "".join(
            f"From x Thu Jan  4 10:00:00 2024\nMessage-ID: <{day}@hollowbrook.com>\n"
            f"From: ann@hollowbrook.com\nTo: bo@hollowbrook.com\nSubject: V-300412\n"
            f"Date: {day} Feb 2024 10:00:00 +0000\n\nsee V-30041{day % 10}\n\n"
            for day in (1, 14)
        )
    )
    loaded = load_manifest(base)
    ingest_dataset(loaded.manifest, loaded.base, tmp_path / "raw", lambda *_: None)
    return TableStore(tmp_path / "raw", private=True)


def test_rows_are_as_old_as_their_latest_date(raw: TableStore) -> None:
    found, undated = expired(raw, raw.column_specs(), {"crm": "2024-02-20", "mail": "2024-02-10"})
    visits = raw.read("records-crm-visits")
    gone = visits.filter(visits["record_id"].is_in(sorted(found["records-crm-visits"])))
    assert gone["id"].to_list() == ["V-300411"] and undated == 1
    assert len(found["messages"]) == 1


def test_withdrawn_rows_are_counted_and_leave_no_links(raw: TableStore) -> None:
    """I1."""
    specs = raw.column_specs()
    found, _ = expired(raw, specs, {"crm": "2024-02-29", "mail": "2024-02-10"})
    before = raw.read("links").height
    assert withdraw(raw, found, "retention_ended") == {"messages": 1, "records-crm-visits": 2}
    for count in raw.read("source_counts").iter_rows(named=True):
        assert count["read"] == count["kept"] + count["duplicates"] + count["quarantined"]
        assert count["quarantined"] == {"mail": 1, "crm": 2}[count["source"]]
    assert raw.read("quarantine")["reason"].to_list() == ["retention_ended"] * 3
    links = raw.read("links")
    gone = set().union(*found.values())
    assert 0 < links.height < before and not gone & {*links["from_id"], *links["to_id"]}
    assert withdraw(raw, expired(raw, specs, {"crm": "2024-02-29", "mail": "2024-02-10"})[0], "x") == {}


def test_sources_without_a_bound_keep_everything(raw: TableStore) -> None:
    assert expired(raw, raw.column_specs(), {"mail": "2000-01-01"}) == ({}, 0)
