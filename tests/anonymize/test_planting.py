"""Identity in one replacement at a time: each planted fault must block publication, and only faults may."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from anonymize.amounts import MoneyScale
from anonymize.audit import AuditReport, audit_dataset, publish
from anonymize.cells import Cells
from anonymize.dates import DateShift
from anonymize.detection import CleanText, Detector
from anonymize.errors import AuditFailed
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.labelled_forms import ShortForms
from anonymize.privacy_report import scan_reports, write_privacy_report
from anonymize.pseudonymize import pseudonymize_dataset, registry_of
from anonymize.recognizers.known import KnownEntityRecognizer
from anonymize.surrogates import Surrogates
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest

KEY = DatasetKey(b"p" * 32, "small")
TABLES = {
    "contacts": {
        "id": "id",
        "first": {"kind": "person", "person": "contact", "part": "first"},
        "last": {"kind": "person", "person": "contact", "part": "last"},
        "company": "company",
        "site": "domain",
        "mail": "email",
        "phone": "phone",
        "street": "street",
        "city": "city",
        "zip": "postcode",
        "login": "login",
        "trade": "category",
        "since": "date",
        "year": {"kind": "date", "date_format": "%Y"},
        "worth": "money",
    }
}
MORE = [{"name": "tickets", "kind": "tickets", "format": "jira-csv", "path": "tickets.csv"}]
CONTACTS = [
    "C-200013|Mirela|Zandvoort|Vessbury Valves GmbH|vessbury.com|mirela.zandvoort@vessbury.com|508-555-0147|"
    "12 Mill Lane|Brackendale|01420|mzandvoort|Customer|2024-03-04|2024|1200.50",
    "C-200014|Tomasz|Okonrade|Quillhaven AG|quillhaven.com|tomasz.okonrade@quillhaven.com|508-555-0199|"
    "9 Harbor Road|Wexcombe|01421|tokonrade|Energy|2024-05-06|2024|77.25",
    "C-200015|Ingrid|Pellworth|Energy Inc|energyworks.com|ingrid.pellworth@energyworks.com|617-555-0123|"
    "4 Oak Street|Marlstone|01422|ipellworth|Energy|2023-11-12|2023|910.00",
]
ROWS = "".join(row.replace("|", ",") + "\n" for row in ["|".join(TABLES["contacts"]), *CONTACTS])
MAIL = """From x Thu Jan  4 10:00:00 2024
Message-ID: <m100200@vessbury.com>
From: Mirela Zandvoort <mirela.zandvoort@vessbury.com>
To: Tomasz Okonrade <tomasz.okonrade@quillhaven.com>, desk@brightwater.com
Subject: order C-200014
Date: Thu, 4 Jan 2024 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

Hi Tomasz,
Zandvoort here, we and Tomasz at Quillhaven spoke of $1,200.50 for 12 Mill Lane.
Call 508-555-0147. Mirela Zandvoort

--b
Content-Type: text/plain; name="Offer_Okonrade.txt"
Content-Disposition: attachment; filename="Offer_Okonrade.txt"

as discussed
--b--

"""
TICKETS = """Issue key,Summary,Status,Reporter,Labels,Created
BW-17,printer,Open,mzandvoort,zandvoort-escalation,2024-03-05 10:00
BW-18,screen,Open,tokonrade,hardware,2024-03-06 10:00
"""
Dataset = tuple[DatasetHome, LoadedManifest]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory, small_manifest: Callable[..., Path]) -> Dataset:
    folder = tmp_path_factory.mktemp("small")
    (folder / "crm").mkdir()
    small_manifest(folder, TABLES, more=MORE)
    (folder / "crm" / "contacts.csv").write_text(ROWS)
    (folder / "mail.mbox").write_text(MAIL)
    (folder / "tickets.csv").write_text(TICKETS)
    loaded = load_manifest(folder / "dataset.yaml")
    home = DatasetHome(folder / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    return home, loaded


@pytest.fixture
def dataset(ingested: Dataset, tmp_path: Path) -> Dataset:
    home = DatasetHome(tmp_path, "small")
    shutil.copytree(ingested[0].raw, home.raw)
    return home, ingested[1]


def audited(dataset: Dataset) -> AuditReport:
    pseudonymize_dataset(*dataset, KEY, lambda *_: None)
    return audit_dataset(*dataset, KEY)


def test_without_a_fault_the_tables_are_published(dataset: Dataset) -> None:
    report = audited(dataset)
    assert report.passed, report
    assert dataset[0].clean_pending.stat().st_mode & 0o777 == 0o700
    publish(dataset[0])
    assert report.columns["person"]["cells"] > 6 and report.columns["money"]["unmoved"] == 0
    kinds = {
        "company",
        "email",
        "phone",
        "street",
        "city",
        "postcode",
        "id",
        "domain",
        "login",
        "date",
        "mailbox",
    }
    assert kinds <= report.columns.keys()


def same(function: Callable[..., Any], wanted: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
    """Returns the function with identity where `wanted` says so."""

    def replaced(self: Any, value: str, *more: Any, **options: Any) -> Any:
        return value if wanted(value, *more) else function(self, value, *more, **options)

    return replaced


def whole(kind: str) -> Callable[..., Any]:
    """Returns `Cells.wholly` with identity for one kind of column."""
    original = Cells.wholly
    return lambda self, spec: (lambda value: value) if spec.kind.value == kind else original(self, spec)


def unfound(*texts: str) -> Callable[..., Any]:
    """Returns the search for known entities without its findings of some texts."""
    original = KnownEntityRecognizer.find

    def find(self: Any, text: str, context: Any) -> Any:
        return [f for f in original(self, text, context) if text[f.start : f.end] not in texts]

    return find


FAULTS = [
    ("last name columns", Cells, "person", same(Cells.person, lambda value, person, part: part == "last")),
    ("first name columns", Cells, "person", same(Cells.person, lambda value, person, part: part == "first")),
    ("display names", Cells, "display_name", same(Cells.display_name)),
    (
        "one address",
        Surrogates,
        "address",
        same(Surrogates.address, lambda value: value.startswith("tomasz")),
    ),
    ("addresses", Surrogates, "address", same(Surrogates.address)),
    ("one login", Surrogates, "login", same(Surrogates.login, lambda value: value == "tokonrade")),
    ("one company", Cells, "company", same(Cells.company, lambda value: value.startswith("Quillhaven"))),
    ("message ids", Cells, "header_id", same(Cells.header_id)),
    ("singles in text", KnownEntityRecognizer, "find", unfound("Zandvoort")),
    ("companies in text", KnownEntityRecognizer, "find", unfound("Quillhaven")),
    ("first names in text", KnownEntityRecognizer, "find", unfound("Tomasz")),
    ("names of attachments", KnownEntityRecognizer, "find", unfound("Okonrade")),
    ("all text", Detector, "replace", lambda self, text, context: CleanText(text, ())),
    ("date cells", DateShift, "cell", same(DateShift.cell)),
    ("one date cell", DateShift, "cell", same(DateShift.cell, lambda value, *_: value == "2024-05-06")),
    ("years", DateShift, "cell", same(DateShift.cell, lambda value, *_: len(value) == 4)),
    ("money cells", MoneyScale, "cell", same(MoneyScale.cell)),
    ("one money cell", MoneyScale, "cell", same(MoneyScale.cell, lambda value, *_: value == "77.25")),
    ("numbers", IdentifierMap, "number", same(IdentifierMap.number)),
    ("hashes", IdentifierMap, "provenance", same(IdentifierMap.provenance)),
    *(
        (kind, Cells, "wholly", whole(kind))
        for kind in ("phone", "street", "city", "postcode", "id", "domain", "login")
    ),
    *((f"{kind} cells", Cells, "wholly", whole(kind)) for kind in ("email", "company")),
]


@pytest.mark.parametrize(
    ("owner", "function", "fault"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_identity_in_one_replacement_blocks(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch, owner: type, function: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(owner, function, fault)
    report = audited(dataset)
    assert not report.passed
    with pytest.raises(AuditFailed):
        publish(dataset[0])
    assert not dataset[0].clean.exists()


PERSON: Any = Cells.person
ADDRESS: Any = Surrogates.address
LOGIN: Any = Surrogates.login
NUMBER: Any = IdentifierMap.number
COLLAPSES: list[tuple[str, type, str, Any]] = [
    ("person", Cells, "person", lambda self, value, person, part: PERSON(self, value, 0, part)),
    ("company", Cells, "company", lambda self, value: self._kit.surrogates.cores[0]),
    ("email", Surrogates, "address", lambda self, address: ADDRESS(self, "ingrid.pellworth@energyworks.com")),
    ("login", Surrogates, "login", lambda self, login: LOGIN(self, "ipellworth")),
    ("id", IdentifierMap, "number", lambda self, number: NUMBER(self, "1" * len(number))),
]


@pytest.mark.parametrize(("kind", "owner", "function", "fault"), COLLAPSES, ids=[one[0] for one in COLLAPSES])
def test_two_that_become_one_block_publication(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch, kind: str, owner: Any, function: str, fault: Any
) -> None:
    """What stands there is a surrogate of somebody's, so that only their number tells."""
    monkeypatch.setattr(owner, function, fault)
    report = audited(dataset)
    assert report.columns[kind]["merged"] > 0 and not report.passed


def test_labels_are_cleaned_in_small_letters_too(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    home, loaded = dataset
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    labels = pl.read_parquet(home.clean_pending / "tickets.parquet")["labels"].explode().sort().to_list()
    (named,) = [label for label in labels if label.endswith("-escalation")]
    assert "zandvoort" not in named and "hardware" in labels
    monkeypatch.setattr(KnownEntityRecognizer, "find", unfound("zandvoort"))
    assert audited(dataset).leak_places == {"tickets.labels": 1}


def test_categories_of_ordinary_words_stay(dataset: Dataset) -> None:
    assert audited(dataset).passed
    trades = pl.read_parquet(dataset[0].clean_pending / "records-crm-contacts.parquet")["trade"]
    assert sorted(trades.to_list()) == ["Customer", "Energy", "Energy"]


def _in_metadata(folder: Path) -> None:
    frame = pl.read_parquet(folder / "tickets.parquet")
    frame.write_parquet(folder / "tickets.parquet", metadata={"seen by": "Zandvoort, Mirela"})


def _in_schema(folder: Path) -> None:
    (folder / "schema.json").write_text(json.dumps({"a": {"mirela%2Ezandvoort%40vessbury.com": 1}}))


def _in_a_file_name(folder: Path) -> None:
    (folder / "MirelaZandvoort.txt").write_text("x")


@pytest.mark.parametrize("plant", [_in_metadata, _in_schema, _in_a_file_name])
def test_a_real_form_outside_of_cells_blocks(dataset: Dataset, plant: Callable[[Path], None]) -> None:
    pseudonymize_dataset(*dataset, KEY, lambda *_: None)
    plant(dataset[0].clean_pending)
    report = audit_dataset(*dataset, KEY)
    assert report.outputs["leaks"] and not report.passed
    with pytest.raises(AuditFailed):
        publish(dataset[0])


def test_short_ids_behind_their_labels_block(dataset: Dataset) -> None:
    """What stands in another row than where it was replaced, and is too short to tell without a label."""
    pseudonymize_dataset(*dataset, KEY, lambda *_: None)
    short = ShortForms(registry_of(Vault(dataset[0].vault, KEY)))
    told = [f"id: {value}" for value in sorted(short.ids)] + [f"user: {one}" for one in sorted(short.logins)]
    path = dataset[0].clean_pending / "tickets.parquet"
    frame = pl.read_parquet(path)
    assert told and frame.height
    frame.with_columns(summary=pl.lit("; ".join(told * 3))).write_parquet(path)
    report = audit_dataset(*dataset, KEY)
    assert report.labelled.get("tickets.summary") and report.leak_places.get("tickets.summary")


def test_model_reports_and_shown_texts_are_searched(dataset: Dataset) -> None:
    home = dataset[0]
    assert audited(dataset).passed
    publish(home)
    assert scan_reports(home, KEY, ["nothing to see"]).passed
    content = write_privacy_report(home, KEY)
    assert content["summary"]["relations_lost"] == content["summary"]["relations_new"] == 0
    assert content["summary"]["columns_off"] == 0 and content["summary"]["columns_compared"]
    assert scan_reports(home, KEY).passed
    home.model.mkdir(exist_ok=True)
    (home.model / "company_model.json").write_text('{"case": "order C-200014"}')
    (home.reports / "page.html").write_text("<b>Tom</b>asz&nbsp;Okonrade")
    scan = scan_reports(home, KEY, ["partition quillhaven.com"])
    assert not scan.passed
    assert {(hit.file, hit.kind) for hit in scan.hits} == {
        ("model/company_model.json", "identifier"),
        ("reports/page.html", "person"),
        ("shown text 0", "domain"),
        ("shown text 0", "company"),
    }


POLICY = "kinds: {city: keep}\ncolumns: {crm.contacts.company: keep, crm.contacts.login: keep}\n"
KEPT = {"records-crm-contacts.city": 3, "records-crm-contacts.company": 3, "records-crm-contacts.login": 3}


@pytest.fixture
def keeping(dataset: Dataset, tmp_path: Path, small_manifest: Callable[..., Path]) -> Dataset:
    """The data set with a policy that keeps some columns as they are."""
    (tmp_path / "policy.yaml").write_text(POLICY)
    return dataset[0], load_manifest(small_manifest(tmp_path, TABLES, more=MORE))


def test_what_the_policy_keeps_is_published_and_told(keeping: Dataset) -> None:
    report = audited(keeping)
    assert report.passed, report
    contacts = pl.read_parquet(keeping[0].clean_pending / "records-crm-contacts.parquet")
    assert "Brackendale" in contacts["city"] and "Mirela" not in contacts["first"]
    assert set(report.outputs["kept"]) == set(KEPT)
    publish(keeping[0])
    content = write_privacy_report(keeping[0], KEY)
    assert set(content["kept"]["columns"]) == set(KEPT)
    assert scan_reports(keeping[0], KEY).passed


@pytest.mark.parametrize(
    ("owner", "function", "fault"),
    [
        (KnownEntityRecognizer, "find", unfound("Quillhaven")),
        (Cells, "display_name", same(Cells.display_name)),
        (Surrogates, "address", same(Surrogates.address, lambda value: value.startswith("tomasz"))),
    ],
    ids=["a kept company in text", "names that no rule keeps", "an address that no rule keeps"],
)
def test_what_the_policy_keeps_in_some_columns_leaks_in_others(
    keeping: Dataset, monkeypatch: pytest.MonkeyPatch, owner: type, function: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(owner, function, fault)
    assert not audited(keeping).passed
