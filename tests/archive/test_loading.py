"""Manifests and presets: what is filled in, what is refused and how clearly."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from archive.errors import ManifestError
from archive.loading import load_manifest, load_topics, save_manifest
from archive.presets import apply_preset, load_preset, preset_names
from contracts.manifest import ColumnSpec, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind

HEAD = """
name: demo
company: {names: [Demo], domains: [demo.example], zones: [Europe/Berlin], currency: EUR}
"""
MAIL = "sources: [{name: mail, kind: mail, format: mbox, path: mail.mbox}]"


def write(folder: Path, text: str) -> Path:
    path = folder / "dataset.yaml"
    path.write_text(text)
    return path


def test_a_manifest_is_found_by_file_or_folder_and_its_base_is_its_own_folder(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + MAIL)
    assert load_manifest(path).base == load_manifest(tmp_path).base == tmp_path.resolve()


def test_a_variable_in_the_base_is_filled_in_or_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, HEAD + "base: $RL_DOJO_REAL_DATA/inner\n" + MAIL)
    monkeypatch.delenv("RL_DOJO_REAL_DATA", raising=False)
    with pytest.raises(ManifestError, match=r"\$RL_DOJO_REAL_DATA, which is not set"):
        load_manifest(tmp_path)
    monkeypatch.setenv("RL_DOJO_REAL_DATA", str(tmp_path))
    with pytest.raises(ManifestError, match="no folder"):
        load_manifest(tmp_path)
    (tmp_path / "inner").mkdir()
    assert load_manifest(tmp_path).base == (tmp_path / "inner").resolve()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name: [", "not YAML"),
        ("name: demo", "company"),
        (HEAD + "sources: []\nextra: 1", "extra"),
        (HEAD.replace("name: demo", "name: De Mo") + MAIL, "dataset name"),
        (HEAD + MAIL.replace("mbox,", "dbase,"), "no reader for format 'dbase'"),
        (HEAD + MAIL.replace(", path: mail.mbox", ""), "needs `path`"),
        (HEAD + "sources: [{name: erp, kind: erp, format: database}]", "needs `url`"),
        (HEAD + MAIL.replace("path:", "preset: nothing, path:"), "no preset 'nothing'.*salesforce"),
        (
            HEAD + MAIL[:-1] + ", {name: mail, kind: mail, format: eml, path: x}]",
            "2 sources are called 'mail'",
        ),
    ],
)
def test_a_wrong_manifest_says_what_is_wrong(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=fault):
        load_manifest(write(tmp_path, text))


def test_a_missing_manifest_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="rl-dojo inspect FOLDER"):
        load_manifest(tmp_path)


def test_a_saved_manifest_works_from_another_folder(tmp_path: Path) -> None:
    (tmp_path / "topics.yaml").write_text("topics: {late: {concept: late_fees, wordings: [late fee]}}")
    path = write(tmp_path, HEAD + "topics: topics.yaml\n" + MAIL)
    kept = tmp_path / "elsewhere" / "dataset.yaml"
    save_manifest(kept, load_manifest(path), path, "other")
    moved = load_manifest(kept)
    assert (moved.manifest.name, moved.base) == ("other", tmp_path.resolve())
    assert kept.stat().st_mode & 0o077 == 0
    topics = load_topics(moved)
    assert topics is not None
    assert topics.topics["late"].concept == "late_fees"


@pytest.mark.parametrize("name", preset_names())
def test_presets_speak_only_of_columns_and_tables_that_they_describe(name: str) -> None:
    tables = {table.name: table for table in load_preset(name).tables}
    for table in tables.values():
        assert set(table.key) <= set(table.columns)
        for spec in table.columns.values():
            if spec.references is not None:
                _, target, column = spec.references.split(".")
                assert column in tables[target].columns
        for obj in table.objects:
            used = [obj.id_column, *obj.where, *obj.parents.values(), *obj.attributes.values()]
            used += [*obj.outcome_columns.values(), *filter(None, (obj.amount_column, obj.number_column))]
            for event in obj.events:
                used += [event.at, *event.where, *filter(None, (event.actor, event.at_time))]
            assert set(used) <= set(table.columns), f"{table.name}.{obj.type}"


def test_the_manifest_wins_over_its_preset_column_by_column() -> None:
    own = TableSpec(name="Account", columns={"Name": ColumnSpec(kind=ColumnKind.PERSON)})
    other = TableSpec(name="Own__c")
    source = Source(
        name="crm", kind=SourceKind.CRM, format="csv", path=".", preset="salesforce", tables=[own, other]
    )
    tables = {table.name: table for table in apply_preset(source).tables}
    assert tables["Account"].columns["Name"].kind is ColumnKind.PERSON
    assert tables["Account"].columns["OwnerId"].references == "crm.User.Id"
    assert tables["Account"].objects[0].type == "account"
    assert list(tables)[-1] == "Own__c"


def test_every_preset_file_is_plain_yaml() -> None:
    assert {"salesforce", "sap"} <= set(preset_names())
    for name in preset_names():
        path = Path(__file__).parents[2] / "archive" / "presets" / f"{name}.yaml"
        assert set(yaml.safe_load(path.read_text(encoding="utf-8"))) == {"tables"}
