"""Of one ticket delivered twice the latest state is kept, whatever zone its system wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archive.ingest import ingest_dataset
from archive.rejects import SourceCount
from archive.store import TableStore
from contracts.manifest import Company, Manifest, Source, SourceKind

COMPANY = Company(names=["X"], domains=["x.example"], zones=["UTC"], currency="EUR")


def issue(key: str, updated: str, summary: str) -> dict[str, object]:
    comment = {"id": key, "author": {"name": "ann"}, "body": f"about {summary}", "created": updated}
    fields = {"summary": summary, "updated": updated, "created": updated, "comment": {"comments": [comment]}}
    return {"id": key[2:], "key": key, "fields": fields}


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("2025-03-01T09:00:00.000+0000", "2025-03-01T09:30:00.000+0000", "later"),
        ("2025-03-01T09:00:00.000+0000", "2025-03-01T08:00:00.000-0500", "later"),
        ("2025-03-01T09:00:00.000-0500", "2025-03-01T10:00:00.000+0000", "first"),
        ("2025-03-01T09:00:00.000+0000", "2025-03-01T09:00:00.000+0000", "first"),
    ],
)
def test_the_latest_delivery_of_a_ticket_is_kept(first: str, second: str, kept: str, tmp_path: Path) -> None:
    for name, at, summary in (("a", first, "first"), ("b", second, "later")):
        page = {"issues": [issue("X-1", at, summary), issue(f"X-{ord(name)}", at, "other")]}
        (tmp_path / f"{name}.json").write_text(json.dumps(page))
    source = Source(name="jira", kind=SourceKind.TICKETS, format="jira-json", path="*.json")
    manifest = Manifest(name="x", company=COMPANY, sources=[source])
    report = ingest_dataset(manifest, tmp_path, tmp_path / ".raw", lambda *_: None)
    assert report.sources == (SourceCount("jira", 4, 3, 1, 0),)
    store = TableStore(tmp_path / ".raw")
    tickets = store.read("tickets")
    assert sorted(tickets["summary"]) == sorted([kept, "other", "other"])
    assert set(store.read("comments")["ticket_id"]) == set(tickets["ticket_id"])
    assert store.read("comments").height == 3
