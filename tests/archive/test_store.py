"""Tables on disk: schemas, whole writes, equal bytes, clear errors; the folders of a dataset."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from archive.errors import ManifestError, StoreError
from archive.home import DatasetHome
from archive.store import TableStore, column_kinds, empty_frame, keep_private, polars_schema
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, SOURCE_COUNTS, ColumnKind

COUNTS = pl.DataFrame([("mail", 3, 2, 1, 0)], schema=polars_schema(SOURCE_COUNTS), orient="row")


@pytest.mark.parametrize("name", sorted(FIXED_TABLES))
def test_every_fixed_table_is_stored_and_read_back_with_its_columns(name: str, tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.write(name, empty_frame(FIXED_TABLES[name]))
    assert store.read(name).columns == [column.name for column in FIXED_TABLES[name].columns]
    assert dict(store.scan(name).collect_schema()) == dict(polars_schema(FIXED_TABLES[name]))


def test_equal_frames_give_equal_bytes(tmp_path: Path) -> None:
    TableStore(tmp_path / "a").write("source_counts", COUNTS)
    TableStore(tmp_path / "b").write("source_counts", COUNTS.clone())
    assert (tmp_path / "a/source_counts.parquet").read_bytes() == (
        tmp_path / "b/source_counts.parquet"
    ).read_bytes()


def test_a_private_folder_is_closed_to_others_and_holds_no_half_file(tmp_path: Path) -> None:
    store = TableStore(tmp_path / "raw", private=True)
    store.write("source_counts", COUNTS)
    assert (tmp_path / "raw").stat().st_mode & 0o777 == 0o700
    store.write_json("counts.json", [])
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "raw").iterdir()}
    assert modes == {"counts.json": 0o600, "source_counts.parquet": 0o600}


def test_an_open_folder_becomes_its_owners_alone(tmp_path: Path) -> None:
    inner = tmp_path / "clean" / "inner"
    inner.mkdir(parents=True, mode=0o755)
    (inner / "page.html").touch(0o644)
    keep_private(tmp_path / "clean")
    keep_private(tmp_path / "new")
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes == {"clean": 0o700, "inner": 0o700, "page.html": 0o600, "new": 0o700}


@pytest.mark.parametrize(
    ("name", "frame", "fault"),
    [
        ("source_counts", COUNTS.drop("kept"), "kept"),
        ("source_counts", COUNTS.with_columns(pl.col("read").cast(pl.String)), "read"),
        ("source_counts", COUNTS.with_columns(extra=pl.lit(1)), "extra"),
        ("source_counts", COUNTS.select(COUNTS.columns[::-1]), "order"),
        ("records-crm-lead", pl.DataFrame({"Id": ["1"]}), "record_id"),
    ],
)
def test_a_frame_of_another_shape_is_refused(
    name: str, frame: pl.DataFrame, fault: str, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match=fault):
        TableStore(tmp_path).write(name, frame)
    assert TableStore(tmp_path).names() == []


def test_a_missing_table_names_those_that_exist(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.write("source_counts", COUNTS)
    with pytest.raises(StoreError, match=r"'messages'.*have: source_counts"):
        store.read("messages")


def test_column_specs_come_back_as_they_were_written(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    specs = {
        "records-crm-lead": {"Id": ColumnSpec(kind=ColumnKind.ID), "Pain": ColumnSpec(kind=ColumnKind.TEXT)}
    }
    store.write_column_specs(specs)
    assert store.column_specs() == specs
    kinds = column_kinds("records-crm-lead", specs)
    assert kinds["Id"] is ColumnKind.ID
    assert kinds["content_hash"] is ColumnKind.PROVENANCE
    assert column_kinds("messages", specs)["subject"] is ColumnKind.TEXT


def test_dataset_folders_lie_below_the_datasets_folder(tmp_path: Path) -> None:
    home = DatasetHome(tmp_path, "sample")
    folders = [
        home.raw,
        home.vault,
        home.clean,
        home.clean_pending,
        home.model,
        home.reports,
        home.manifest_path,
    ]
    assert {folder.parent for folder in folders} == {tmp_path / "datasets" / "sample"}
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("name", ["../escape", "", "Sample", "a/b"])
def test_a_name_that_could_leave_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ManifestError):
        DatasetHome(tmp_path, name)
