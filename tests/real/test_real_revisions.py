"""Public plans and policies with their revisions: the published figures are met, differences agree."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
import yaml

from archive.batches import TableBatch
from archive.document_rows import DocumentInput
from archive.document_specs import guess_documents
from archive.documents import read_documents, stated_documents
from archive.revisions import DocumentTables, document_tables
from archive.store import RECORD_HEAD
from archive.tables_csv import read_csv_batches
from archive.tables_json import read_jsonl
from contracts.manifest import DocumentSpec, Source

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)
PLANS, POLICIES = Path(REAL) / "kep_revisions", Path(REAL) / "sourcegraph_policies"


def signed(name: str) -> dict[str, DocumentSpec]:
    """The specs of the manifest that a person would sign, by table."""
    text = (Path(__file__).parent / "manifests" / f"{name}.yaml").read_text(encoding="utf-8")
    specs = {}
    for source in (Source.model_validate(held) for held in yaml.safe_load(text)["sources"]):
        for table in source.tables:
            spec = stated_documents(source, table.name, table)
            assert spec is not None
            specs[table.name] = spec
    return specs


def stored(batches: Iterable[TableBatch]) -> pl.DataFrame:
    frames = []
    for batch in batches:
        assert not batch.rejects
        places = [batch.place.format(number) for number in batch.numbers]
        head = {name: places if name in ("record_id", "locator") else batch.table for name in RECORD_HEAD}
        frames.append(
            batch.frame.select(
                *(pl.lit(v).alias(n) if isinstance(v, str) else pl.Series(n, v) for n, v in head.items()),
                pl.all(),
            )
        )
    return pl.concat(frames, how="diagonal")


@pytest.fixture(scope="module")
def plans() -> DocumentTables:
    specs = signed("kep_revisions")
    frames = {
        "kep_revisions": stored(read_jsonl(PLANS / "kep_revisions.jsonl", PLANS)),
        "kep_current": stored(read_csv_batches(PLANS / "kep_current.csv", PLANS)),
        "prr_approvals": stored(read_csv_batches(PLANS / "prr_approvals.csv", PLANS)),
    }
    return document_tables([DocumentInput(specs[name], frame, {}) for name, frame in frames.items()])


def test_plans_revisions_and_approvals_are_all_there(plans: DocumentTables) -> None:
    assert (len(plans.documents), len(plans.revisions)) == (662, 2_541)
    actions = Counter(str(event["action"]) for event in plans.revision_events)
    assert (actions["issued"], actions["approved"]) == (2_541, 1_449)
    stages = Counter(event["new_value"] for event in plans.revision_events if event["action"] == "approved")
    assert stages == {"alpha": 700, "beta": 487, "stable": 262}
    for rows, key in ((plans.revisions, "revision_id"), (plans.revision_events, "revision_event_id")):
        assert len({row[key] for row in rows}) == len(rows)


def test_what_is_broken_or_misspelt_is_told_and_kept(plans: DocumentTables) -> None:
    reasons = Counter(note.reason for note in plans.notes)
    assert reasons["content_fault"] == 13
    assert reasons["unknown_document"] == 12
    assert reasons["status_misspelt"] >= 6
    written = Counter(row["status"] for row in plans.revisions)
    assert (written["implementeable"], written["imlpemented"], written["rejected"]) == (4, 2, 3)
    verdicts = {(row["status"], row["verdict"]) for row in plans.revisions}
    assert {
        ("implementeable", None),
        ("implemented (beta)", "approved"),
        ("withdrawn", "withdrawn"),
    } <= verdicts


def test_differences_are_those_that_the_publisher_found(plans: DocumentTables) -> None:
    """Theirs also tell empty lists from none and numbers from their texts, which is no change of content."""
    keys = {row["document_id"]: row["document_key"] for row in plans.documents}
    places = {row["revision_id"]: (keys[row["document_id"]], row["revision"]) for row in plans.revisions}
    mine: dict[object, set[str]] = {}
    for event in plans.revision_events:
        if event["action"] == "changed":
            mine.setdefault(places[event["revision_id"]], set()).add(str(event["field"]).split(".")[0])
    theirs: dict[object, set[str]] = {}
    for line in (PLANS / "kep_revisions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        real = {name for name, (old, new) in row["changed"].items() if _filled(old) != _filled(new)}
        if real:
            theirs[row["case"], str(row["rev"])] = real
    assert sum(map(len, theirs.values())) > 3_900
    different = [place for place in {*mine, *theirs} if mine.get(place) != theirs.get(place)]
    assert different == []


def _filled(value: object) -> object:
    """A value as text, without what is empty in it, lists within lists opened."""
    if isinstance(value, list):
        items = [_filled(item) for item in value]
        return [
            part for item in items if item for part in (item if isinstance(item, list) else [item])
        ] or None
    if isinstance(value, dict):
        return {name: filled for name, item in value.items() if (filled := _filled(item))} or None
    return str(value) if value not in (None, "") else None


def test_policies_have_their_text_and_the_logs_dates() -> None:
    specs = signed("sourcegraph_policies")
    files = sorted(path for path in (POLICIES / "revisions").rglob("*.md") if path.is_file())
    pages = stored(batch for path in files for batch in read_documents(path, POLICIES))
    log = stored(read_csv_batches(POLICIES / "policy_revision_log.csv", POLICIES))
    found = document_tables(
        [DocumentInput(specs["documents"], pages, {}), DocumentInput(specs["policy_revision_log"], log, {})]
    )
    counted = Counter(row["document_id"] for row in found.revisions)
    assert sorted(counted.values()) == [1, 1, 1, 3, 44, 46]
    assert sum(row["text"] is not None for row in found.revisions) == 90
    assert {row["type"] for row in found.documents} == {"policy"}
    first = next(row for row in found.revisions if counted[row["document_id"]] == 46)
    assert (first["seq"], str(first["at"])[10:11], len(first["authors"])) == (1, "T", 1)  # type: ignore[arg-type]
    assert sum(event["change"] == "text" for event in found.revision_events) > 80


def test_the_specs_that_a_person_would_sign_are_the_proposed_ones() -> None:
    tables = {
        "kep_revisions": next(read_jsonl(PLANS / "kep_revisions.jsonl", PLANS)).frame,
        "kep_current": next(read_csv_batches(PLANS / "kep_current.csv", PLANS)).frame,
        "prr_approvals": next(read_csv_batches(PLANS / "prr_approvals.csv", PLANS)).frame,
    }
    assert {name: guess_documents(name, frame) for name, frame in tables.items()} == signed("kep_revisions")


def test_no_other_table_is_taken_for_one_of_documents() -> None:
    taken = set()
    for path in sorted(Path(REAL).rglob("*.csv")):
        if path.stat().st_size < 3_000_000:
            for batch in read_csv_batches(path, Path(REAL)):
                if guess_documents(batch.table, batch.frame.head(200)) is not None:
                    taken.add(path.name)
                break
    assert taken == {"kep_current.csv", "prr_approvals.csv", "policy_revision_log.csv"}
