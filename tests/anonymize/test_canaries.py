"""Canaries go the whole road and must not come out; a replacer that fails lets one through and blocks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from anonymize import canaries as module
from anonymize.audit import audit_dataset, publish
from anonymize.canaries import FOLDER, make_canaries
from anonymize.cells import Cells
from anonymize.detection import CleanText, Detector
from anonymize.errors import AuditFailed
from anonymize.event_cells import EventKind, event_of, event_value
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import CANARIES_FILE, pseudonymize_dataset
from anonymize.recognizers.numbers import KnownPhoneRecognizer
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Surrogates
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest
from archive.store import TableStore
from contracts.manifest import Company, Manifest
from contracts.tables import FIXED_TABLES

KEY = DatasetKey(b"c" * 32, "small")
TABLES = {
    "contacts": {"id": "id", "name": "person", "company": "company", "phone": "phone", "city": "city"},
}


@pytest.fixture
def dataset(tmp_path: Path, small_manifest: Callable[..., Path]) -> tuple[DatasetHome, LoadedManifest]:
    (tmp_path / "crm").mkdir()
    small_manifest(tmp_path, TABLES)
    (tmp_path / "crm" / "contacts.csv").write_text(
        "id,name,company,phone,city\nC-20001,Tom Cook,Vertex Valves GmbH,508-555-0147,Brackendale\n"
    )
    (tmp_path / "mail.mbox").write_text(
        "From x Thu Jan  4 10:00:00 2024\nMessage-ID: <m1@brightwater.com>\n"
        "From: maria.kowalska@brightwater.com\nTo: tcook@vertexvalves.com\nSubject: order\n"
        "Date: Thu, 4 Jan 2024 10:00:00 +0000\n\nHi Tom,\nthanks.\n\n"
    )
    loaded = load_manifest(tmp_path / "dataset.yaml")
    home = DatasetHome(tmp_path / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    return home, loaded


def counts(home: DatasetHome) -> dict[str, int]:
    content: dict[str, int] = json.loads((home.vault / CANARIES_FILE).read_text())
    return content


def test_no_canary_comes_out_and_none_is_counted(dataset: tuple[DatasetHome, LoadedManifest]) -> None:
    home, loaded = dataset
    report = pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    audit = audit_dataset(home, loaded, KEY)
    assert audit.passed and audit.canaries_leaked == 0 and audit.canaries > 15
    assert report.entities["person"] == 2 and report.entities["identifier"] == 1
    assert not (home.vault / FOLDER).exists()
    forms = make_canaries(KEY).forms()
    kept = "".join(path.read_text() for path in home.clean_pending.glob("*.json"))
    assert not [form for form in forms if form in kept.lower()]


def _unreplaced(self: Detector, text: str, context: Any) -> CleanText:
    return CleanText(text, ())


def _same(value: Any) -> Callable[..., Any]:
    return lambda self, *arguments, **options: value or arguments[0]


@pytest.mark.parametrize(
    ("owner", "function", "broken"),
    [
        (Detector, "replace", _unreplaced),
        (Cells, "company", _same(None)),
        (Surrogates, "address", _same(None)),
        (Surrogates, "domain", _same(None)),
        (KnownPhoneRecognizer, "find", lambda self, text, context: []),
    ],
    ids=[
        "text is not replaced",
        "companies stay",
        "addresses stay",
        "domains stay",
        "numbers in text stay",
    ],
)
def test_a_broken_replacer_lets_canaries_out_and_blocks(
    dataset: tuple[DatasetHome, LoadedManifest],
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    function: str,
    broken: Callable[..., Any],
) -> None:
    """The dataset itself is replaced by the sound code: only the canaries tell."""
    home, loaded = dataset
    sound = module.replace_canaries

    def with_broken(*arguments: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(owner, function, broken)
            return sound(*arguments)

    monkeypatch.setattr("anonymize.pseudonymize.replace_canaries", with_broken)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    assert counts(home)["leaked"] > 0
    audit = audit_dataset(home, loaded, KEY)
    assert audit.canaries_leaked > 0 and audit.leaks == 0 and not audit.passed
    with pytest.raises(AuditFailed, match="leaked canaries"):
        publish(home)


def test_tables_without_canaries_are_not_audited(dataset: tuple[DatasetHome, LoadedManifest]) -> None:
    home, loaded = dataset
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    (home.vault / CANARIES_FILE).unlink()
    with pytest.raises(AuditFailed, match="no canaries"):
        audit_dataset(home, loaded, KEY)


def test_canaries_come_from_the_key() -> None:
    assert make_canaries(KEY) == make_canaries(KEY)
    assert (
        make_canaries(KEY).forms().keys() & make_canaries(DatasetKey(b"d" * 32, "small")).forms().keys()
        == set()
    )


def event_rewriting(folder: Path) -> Rewriting:
    columns = FIXED_TABLES["ticket_events"].columns
    schema = {column.name: pl.Int64() if column.name == "seq" else pl.String() for column in columns}
    row = {name: 1 if dtype == pl.Int64() else "x" for name, dtype in schema.items()}
    raw = TableStore(folder / "raw")
    raw.write("ticket_events", pl.DataFrame([row], schema=schema))
    company = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
    return Rewriting(raw, {}, Manifest(name="small", company=company, sources=[]), KEY)


def test_events_have_a_row_for_every_kind_of_values(tmp_path: Path) -> None:
    count = module.replace_canaries(event_rewriting(tmp_path), tmp_path / "private")
    assert count.leaked == 0
    assert {f"event: {kind.value}" for kind in EventKind} - count.by_place.keys() == {"event: moment"}
    told = {event_of(field, "alee", None).kind for field in module.EVENT_FIELDS.values()}
    assert told == set(EventKind) - {EventKind.MOMENT}


@pytest.mark.parametrize("kind", [kind for kind in module.EVENT_FIELDS if kind is not EventKind.FILE])
def test_values_of_events_that_stay_let_canaries_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: EventKind
) -> None:
    def broken(cells: Any, registry: Any, event: Any, value: str) -> str | None:
        return value if event.kind is kind else event_value(cells, registry, event, value)

    monkeypatch.setattr("anonymize.tables.event_value", broken)
    assert module.replace_canaries(event_rewriting(tmp_path), tmp_path / "private").leaked > 0


def test_cells_texts_and_names_of_files_are_planted(dataset: tuple[DatasetHome, LoadedManifest]) -> None:
    home, loaded = dataset
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    places = json.loads((home.vault / CANARIES_FILE).read_text())["by_place"]
    assert {"person", "company", "phone", "city", "id", "email", "text", "mailbox"} <= places.keys()
