"""Onboarding a small archive in process: figures, refusals, and what a failed check stops."""

from __future__ import annotations

import gzip
import json
import mailbox
import sqlite3
from email.message import EmailMessage
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
import yaml
from dagster._core.storage.noop_compute_log_manager import NoOpComputeLogManager

from anonymize.errors import PolicyRefused
from anonymize.keys import DatasetKey
from anonymize.vault import raw_tables
from archive.home import DatasetHome
from archive.loading import load_manifest
from archive.store import TableStore
from pipeline.errors import OnboardFailed, OnboardRefused, PipelineError, WrongInput, without_raw_values
from pipeline.expectations import validate_table
from pipeline.onboarding import OnboardResult, onboard
from pipeline.onboarding import _instance as instance_of
from pipeline.reconciliation import reconcile
from pipeline.resources import DEMO_KEY, SAMPLE_ARCHIVE, LakeResource, dataset_key

SECRET = "Zebulon Quatermass"
ADDRESS = "zebulon.quatermass@hollowbrook.com"
MANIFEST = """
name: tiny
company: {names: [Hollowbrook], domains: [hollowbrook.com], zones: [America/New_York], currency: USD}
sources:
  - {name: mail, kind: mail, format: mbox, path: mail.mbox}
"""


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a manifest, three mails (one a duplicate), a key and a Dagster home."""
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "dataset.yaml").write_text(MANIFEST)
    box = mailbox.mbox(archive / "mail.mbox")
    for number in (1, 2, 2):
        message = EmailMessage()
        message["From"] = f"{SECRET} <{ADDRESS}>"
        message["To"] = "Ottoline Vane <ottoline.vane@marrowgate.com>"
        message["Date"] = f"Mon, {number + 2:02} Mar 2025 10:00:00 -0500"
        message["Message-ID"] = f"<{number}@hollowbrook.com>"
        message["Subject"] = f"Delivery {number}"
        message.set_content(f"Hello Ottoline,\n\nthe goods of delivery {number} left today.\n\n{SECRET}\n")
        box.add(message)
    box.flush()
    key = tmp_path / "key"
    key.write_text("5a" * 32)
    key.chmod(0o600)
    monkeypatch.setenv("RL_DOJO_KEY_FILE", str(key))
    dagster = tmp_path / "dagster"
    dagster.mkdir()
    (dagster / "dagster.yaml").write_text(
        (Path(__file__).parents[2] / "dagster_home" / "dagster.yaml").read_text()
    )
    monkeypatch.setenv("DAGSTER_HOME", str(dagster))
    return tmp_path


def run(private: Path, name: str | None = None) -> OnboardResult:
    return onboard(private / "home", private / "archive", name, lambda *_: None, lambda _: None)


def stored_events(private: Path) -> bytes:
    """Everything that Dagster wrote to its databases."""
    content = b""
    for path in sorted((private / "dagster").rglob("*.db")):
        with sqlite3.connect(path) as connection:
            content += "\n".join(connection.iterdump()).encode()
    return content


def test_counts_reconcile_and_nothing_real_is_published_or_stored(private: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    result = onboard(
        private / "home",
        private / "archive",
        None,
        lambda stage, step, done, total: heard.append((stage, done, total)),
        lambda _: None,
    )
    counts = {"read": 3, "kept": 2, "duplicates": 1, "quarantined": 0}
    assert result.sources == [{"name": "mail", **counts, "reasons": {}, "faults": {}}]
    assert (result.leaks, result.entities["person"]) == (0, 2)
    assert list(dict.fromkeys(stage for stage, _, _ in heard)) == [
        "read",
        "pseudonymise",
        "audit",
        "extract",
        "report",
    ]
    home = DatasetHome(private / "home", "tiny")
    report = json.loads((home.reports / "onboard.json").read_bytes())
    assert report == {key: value for key, value in result.to_json().items() if key != "seconds"}
    events = stored_events(private)
    assert b"canonical_tables" in events
    published = b"".join(path.read_bytes() for path in home.clean.iterdir() if path.suffix == ".json")
    published += TableStore(home.clean).read("messages").write_ndjson().encode()
    for real in ("quatermass", "ottoline", "marrowgate", "hollowbrook"):
        assert real.encode() not in events.lower()
        assert real.encode() not in published.lower()


def test_faults_of_attachments_are_counted_and_go_through_pseudonymisation(private: Path) -> None:
    faults = ("bomb", "unreadable", "unsupported", "unsupported")
    files = (
        ("a.gz", gzip.compress(bytes(9_000_000))),
        ("b.pdf", b"no pdf"),
        ("c.rar", b"Rar!\x1a\x07" + bytes(90)),
        ("d.7z", b"7z\xbc\xaf\x27\x1c" + bytes(90)),
        ("e.txt", b"plain"),
    )
    message = EmailMessage()
    message["From"], message["Subject"] = f"{SECRET} <{ADDRESS}>", "Five files"
    message["To"], message["Cc"] = (
        "Una Brandreth <una.brandreth@marrowgate.com>",
        "Lee Hask <lh@marrowgate.com>",
    )
    message["Date"] = "Mon, 10 Mar 2025 10:00:00 -0500"
    message.set_content("Hello Una, here they are.")
    for name, data in files:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    box = mailbox.mbox(private / "archive" / "mail.mbox")
    box.add(message)
    box.flush()
    (source,) = run(private).sources
    assert source["faults"] == {"bomb": 1, "unreadable": 1, "unsupported": 2}
    clean = TableStore(DatasetHome(private / "home", "tiny").clean).read("attachments")
    assert sorted(clean["fault"]) == sorted([*faults, ""])


def test_another_name_becomes_partition_folder_and_model_name(private: Path) -> None:
    assert run(private, "spring").dataset == "spring"
    model = json.loads((private / "home/datasets/spring/model/company_model.json").read_bytes())
    assert model["dataset"] == "spring"
    assert dg.DagsterInstance.get().get_dynamic_partitions("datasets") == ["spring"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hollowbrook-2025", "company's own name"),
        ("hollow_brook", "company's own name"),
        ("../x", "lower-case"),
    ],
)
def test_names_that_tell_or_escape_are_refused(private: Path, name: str, reason: str) -> None:
    with pytest.raises(OnboardRefused, match=reason):
        run(private, name)
    assert not (private / "home").exists()


def test_a_failed_audit_stops_the_road_before_anything_is_published(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = TableStore.write

    def leaky(self: TableStore, name: str, frame: pl.DataFrame) -> None:
        if name == "messages" and self.folder.name == "clean.pending":
            frame = frame.with_columns(pl.lit(ADDRESS).alias("subject"))
        write(self, name, frame)

    monkeypatch.setattr(TableStore, "write", leaky)
    with pytest.raises(OnboardFailed, match="no_residual_identifiers failed: leaks is") as failure:
        run(private)
    home = DatasetHome(private / "home", "tiny")
    assert home.clean_pending.is_dir() and not home.clean.exists() and not home.model.exists()
    assert "quatermass" not in str(failure.value).lower()
    assert b"quatermass" not in stored_events(private).lower()


def test_a_typed_cell_that_stays_blocks_and_its_figures_are_shown(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonymize.cells.Cells.display_name", lambda self, name, address: name)
    with pytest.raises(OnboardFailed, match="no_residual_identifiers failed: leaks is"):
        run(private)
    assert not DatasetHome(private / "home", "tiny").clean.exists()
    assert b'"columns"' in stored_events(private) and b"quatermass" not in stored_events(private).lower()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("dataset", "pseudonymising: the name of the dataset tells"),
        ("source", "manifest, source 2: its name tells"),
        ("file", "manifest, source 2: a table that is named after its file tells"),
        ("column", "manifest, source 2, a table of its files, column 2: its name tells"),
    ],
)
def test_names_that_tell_a_person_of_the_archive_are_refused_by_place(
    private: Path, fault: str, said: str
) -> None:
    own = private / "archive" / "own"
    own.mkdir()
    file, head = ("Quatermass_Deals" if fault == "file" else "deals"), "OK_Quatermass__c"
    (own / f"{file}.csv").write_text(f"id,{head if fault == 'column' else 'note'}\n1,desk\n")
    manifest = private / "archive" / "dataset.yaml"
    content = yaml.safe_load(manifest.read_text())
    name = "quatermass-erp" if fault == "source" else "own"
    content["sources"].append({"name": name, "kind": "erp", "format": "csv", "path": "own"})
    manifest.write_text(yaml.safe_dump(content))
    with pytest.raises(OnboardRefused, match=said) as refusal:
        run(private, "quatermass-2025" if fault == "dataset" else None)
    assert "quatermass" not in str(refusal.value).lower()
    assert not list((private / "home" / "datasets").glob("*/clean*"))
    if fault != "dataset":
        assert b"quatermass" not in stored_events(private).lower()
    else:
        assert dg.DagsterInstance.get().get_dynamic_partitions("datasets") == []


def test_rows_that_vanish_do_not_reconcile(private: Path) -> None:
    run(private)
    home = DatasetHome(private / "home", "tiny")
    key = dataset_key(home, load_manifest(home.manifest_path), lambda _: None)
    raw = raw_tables(home, key)
    raw.write("messages", raw.read("messages").head(1))
    wrong = {what: pair for what, pair in reconcile(home, key).items() if pair[0] != pair[1]}
    assert wrong == {"source 1 kept": (2, 1)}


@pytest.mark.parametrize(
    ("column", "value", "expectation"),
    [
        ("kind", "telegram", "expect_column_values_to_be_in_set(kind)"),
        ("sent_at", "yesterday", "expect_column_values_to_match_regex(sent_at)"),
        ("message_id", "same", "expect_column_values_to_be_unique(message_id)"),
        ("thread_id", None, "expect_column_values_to_not_be_null(thread_id)"),
    ],
)
def test_messages_off_their_contract_are_named_by_expectation(
    private: Path, column: str, value: str | None, expectation: str
) -> None:
    home = DatasetHome(private / "home", "tiny")
    if not home.clean.exists():
        run(private)
    assert validate_table(home, "messages").failed == ()
    store = TableStore(home.clean)
    store.write("messages", store.read("messages").with_columns(pl.lit(value, dtype=pl.String).alias(column)))
    assert validate_table(home, "messages").failed == (expectation,)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("no mail", "no files at"),
        ("no key column", "has no key column"),
        ("misspelt column", "has no column"),
        ("misspelt policy", r"policy, columns.messages.subjct: no such column \(did you mean"),
        ("another key", "the vault cannot be opened"),
    ],
)
def test_wrong_input_is_refused_also_where_a_step_finds_it(
    private: Path, monkeypatch: pytest.MonkeyPatch, fault: str, said: str
) -> None:
    archive = private / "archive"
    manifest = archive / "dataset.yaml"
    content = yaml.safe_load(manifest.read_text())
    match fault:
        case "no mail":
            content["sources"][0]["path"] = "nowhere.mbox"
        case "no key column" | "misspelt column":
            (archive / "own").mkdir()
            (archive / "own" / "things.csv").write_text("id,what\n1,desk\n")
            table = {"name": "things", "path": "things.csv"}
            wrong = {"key": ["nr"]} if fault == "no key column" else {"columns": {"whta": {"kind": "text"}}}
            own = {"name": "own", "kind": "erp", "format": "csv", "path": "own", "tables": [table | wrong]}
            content["sources"].append(own)
        case "misspelt policy":
            (archive / "policy.yaml").write_text("columns: {messages.subjct: drop}\n")
        case "another key":
            run(private)
            other = private / "other.key"
            other.write_text("6b" * 32)
            other.chmod(0o600)
            monkeypatch.setenv("RL_DOJO_KEY_FILE", str(other))
    manifest.write_text(yaml.safe_dump(content))
    with pytest.raises(OnboardRefused, match=said):
        run(private)


@pytest.mark.parametrize("value", ["relative/folder", "/nowhere/at/all"])
def test_a_dagster_home_that_is_no_folder_is_refused(
    private: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", value)
    with pytest.raises(OnboardRefused, match="DAGSTER_HOME must be"):
        run(private)


OWN_SETTINGS = "telemetry: {enabled: true}\nnux: {enabled: false}\n"


@pytest.mark.parametrize("own", [None, OWN_SETTINGS], ids=["no settings", "telemetry on"])
def test_a_dagster_home_of_ones_own_sends_nothing_and_stores_no_output(
    private: Path, own: str | None
) -> None:
    settings = private / "dagster" / "dagster.yaml"
    settings.unlink()
    if own is not None:
        settings.write_text(own)
    with instance_of(private / "home") as instance:
        assert not instance.telemetry_enabled
        assert isinstance(instance.compute_log_manager, NoOpComputeLogManager)
        assert instance.root_directory == str(private / "dagster")
    assert settings.is_file() == (own is not None)


def test_without_any_dagster_home_the_state_folder_has_one_with_settings(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAGSTER_HOME")
    monkeypatch.setattr("pipeline.onboarding.PROJECT", private / "nowhere")
    with instance_of(private / "home"):
        pass
    monkeypatch.setenv("DAGSTER_HOME", str(private / "home" / "dagster"))
    with dg.DagsterInstance.get() as plain:  # as `dagster dev` opens it
        assert not plain.telemetry_enabled
        assert isinstance(plain.compute_log_manager, NoOpComputeLogManager)


def test_the_published_key_protects_no_other_archive_of_that_name(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RL_DOJO_KEY_FILE", str(DEMO_KEY))
    with pytest.raises(OnboardRefused, match="published demo key"):
        onboard(private / "home", private / "archive", "sample", lambda *_: None, lambda _: None)


def test_a_policy_that_a_step_refuses_is_wrong_input() -> None:
    with pytest.raises(WrongInput, match="no such column"), without_raw_values("pseudonymising"):
        raise PolicyRefused("policy, columns.crm.x: no such column")


def test_an_unforeseen_exception_leaves_as_type_and_place_only() -> None:
    with pytest.raises(PipelineError) as failure, without_raw_values("reading"):
        raise ValueError(f"cannot parse {SECRET}")
    assert str(failure.value).startswith("reading: ValueError at tests/pipeline/test_onboarding.py:")
    assert failure.value.__suppress_context__ and failure.value.__cause__ is None


def test_an_unforeseen_exception_in_a_step_is_not_stored(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError(f"cannot parse {SECRET}")

    monkeypatch.setattr("archive.ingest.find_links", broken)
    with pytest.raises(
        OnboardFailed, match=r"reading the archive: ValueError at tests/pipeline/test_onboarding\.py:\d+"
    ) as failure:
        run(private)
    assert SECRET not in str(failure.value)
    events = stored_events(private)
    assert b"test_onboarding.py" in events and b"quatermass" not in events.lower()


def test_only_the_projects_own_sample_gets_the_published_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RL_DOJO_KEY_FILE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    lake = LakeResource(home=str(tmp_path / "home"))
    loaded = load_manifest(SAMPLE_ARCHIVE)
    demo = dataset_key(lake.dataset("sample"), loaded, lambda _: None)
    assert isinstance(demo, DatasetKey) and not (tmp_path / "config").exists()
    own = dataset_key(lake.dataset("other"), loaded, lambda _: None)
    assert own.secret != demo.secret and (tmp_path / "config" / "rl-dojo" / "key").is_file()
