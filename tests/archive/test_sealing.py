"""Sealed stores: what the key opens, what nothing else does, and that sealing changes no row."""

from __future__ import annotations

import csv
import pickle
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from archive.errors import StoreError
from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from archive.parts import FOLDER
from archive.sealing import Sealing
from archive.store import TableStore

KEY, OTHER = Sealing(b"k" * 32), Sealing(b"o" * 32)
SECRET = "Zebulon Quatermass"
FRAME = pl.DataFrame(
    {
        "record_id": ["r-1", "r-2"],
        "source": ["crm", "crm"],
        "path": ["a.csv", "a.csv"],
        "locator": ["1", "2"],
        "content_hash": ["", ""],
        "name": [SECRET, None],
    }
)
TABLE = "records-crm-people"
TABLES = {"people": {"id": "id", "name": "person"}}


def sealed(folder: Path, sealing: Sealing | None = KEY) -> TableStore:
    return TableStore(folder, private=True, sealing=sealing)


def written(folder: Path) -> TableStore:
    store = sealed(folder)
    store.write(TABLE, FRAME)
    store.write_json("notes.json", [SECRET])
    return store


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_sealed_store_reads_as_a_plain_one_and_shows_nothing(tmp_path: Path) -> None:
    store = written(tmp_path)
    assert store.read(TABLE).equals(FRAME) and store.read(TABLE).schema == FRAME.schema
    assert store.read(TABLE, ["name"]).columns == ["name"]
    assert pl.concat(store.frames(TABLE, ["name"])).equals(FRAME.select("name"))
    assert store.columns(TABLE) == FRAME.columns
    assert store.scan(TABLE).select(pl.len()).collect().item() == 2
    assert store.read_json("notes.json") == [SECRET]
    content = everything(tmp_path)
    assert all(word not in content for word in (b"Zebulon", b"record_id", b"a.csv", KEY.key))
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_every_file_has_a_key_of_its_own(tmp_path: Path) -> None:
    one, two = written(tmp_path / "one"), written(tmp_path / "two")
    assert one.path(TABLE).read_bytes() != two.path(TABLE).read_bytes()
    assert one.read(TABLE).equals(two.read(TABLE))


def _cut(data: bytes) -> bytes:
    return data[:-9]


def _flipped(data: bytes) -> bytes:
    place = len(data) // 5
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("edit", [_cut, _flipped])
@pytest.mark.parametrize("name", [f"{TABLE}.parquet", "notes.json"])
def test_an_edited_file_is_refused(tmp_path: Path, edit: Callable[[bytes], bytes], name: str) -> None:
    store = written(tmp_path)
    path = tmp_path / name
    path.write_bytes(edit(path.read_bytes()))
    with pytest.raises(StoreError, match="edited") as refusal:
        store.read(TABLE) if name.endswith("parquet") else store.read_json(name)
    assert "Zebulon" not in str(refusal.value)


@pytest.mark.parametrize(
    ("write", "read", "said"),
    [
        (KEY, OTHER, "another key"),
        (KEY, None, "dataset's key is needed"),
        (None, KEY, "not encrypted, as it should be"),
    ],
)
def test_another_key_or_none_opens_nothing(
    tmp_path: Path, write: Sealing | None, read: Sealing | None, said: str
) -> None:
    store = sealed(tmp_path, write)
    store.write(TABLE, FRAME)
    store.write_json("notes.json", [SECRET])
    reader = sealed(tmp_path, read)
    asked: list[Callable[[], object]] = [
        lambda: reader.read(TABLE),
        lambda: reader.columns(TABLE),
        lambda: list(reader.frames(TABLE)),
        lambda: reader.read_json("notes.json"),
    ]
    for ask in asked:
        with pytest.raises(StoreError, match=said):
            ask()


def test_no_edited_byte_of_a_table_changes_what_is_read(tmp_path: Path) -> None:
    store = written(tmp_path)
    path = store.path(TABLE)
    whole = path.read_bytes()
    for place in range(0, len(whole), 41):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert store.read(TABLE).equals(FRAME), place  # a byte between the pages that nothing reads
        except StoreError as error:
            assert "edited" in str(error) or "not encrypted" in str(error)


def test_a_sealed_file_opens_under_its_own_name_only(tmp_path: Path) -> None:
    store = written(tmp_path)
    (tmp_path / "notes.json").rename(tmp_path / "schema.json")
    with pytest.raises(StoreError, match="another key, or the file was edited"):
        store.read_json("schema.json")


def test_the_key_travels_but_is_not_shown() -> None:
    assert pickle.loads(pickle.dumps(KEY)) == KEY
    assert "kkkk" not in repr(KEY) and "6b6b" not in repr(KEY)
    with pytest.raises(StoreError, match="32 bytes"):
        Sealing(b"short")


@pytest.fixture
def archive(tmp_path: Path, small_manifest: Callable[..., Path]) -> Path:
    base = tmp_path / "archive"
    (base / "crm").mkdir(parents=True)
    small_manifest(base, TABLES, name="sealed", company="Hollowbrook")
    with (base / "crm" / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "name"), ("P-1001", SECRET), ("P-1002", "Ottoline Vane")])
    (base / "mail.mbox").write_text(
        "From x Thu Jan  4 10:00:00 2024\nMessage-ID: <1@hollowbrook.com>\n"
        f"From: {SECRET} <zq@hollowbrook.com>\nTo: ov@hollowbrook.com\n"
        "Date: Thu, 4 Jan 2024 10:00:00 +0000\nSubject: desk\n\nP-1001 is mine.\n\n"
    )
    return base


def ingest(archive: Path, raw: Path, sealing: Sealing | None) -> IngestReport:
    loaded = load_manifest(archive)
    return ingest_dataset(loaded.manifest, loaded.base, raw, lambda *_: None, sealing=sealing)


def test_a_sealed_ingestion_has_the_rows_of_a_plain_one(archive: Path, tmp_path: Path) -> None:
    """I7: raw tables compare after decryption."""
    ingest(archive, tmp_path / "plain", None)
    ingest(archive, tmp_path / "sealed", KEY)
    plain, store = TableStore(tmp_path / "plain"), sealed(tmp_path / "sealed")
    assert store.names() == plain.names()
    for name in plain.names():
        assert store.read(name).equals(plain.read(name)), name
    for name in ("schema.json", "manifest.json", "provenance.json", "notes.json"):
        assert store.read_json(name) == plain.read_json(name), name
    content = everything(tmp_path / "sealed")
    for word in (b"Zebulon", b"zq@", b"hollowbrook", b"Hollowbrook", b"P-1001", b"people.csv", b"mail.mbox"):
        assert word in everything(tmp_path / "plain") and word not in content, word


def test_a_second_run_reads_only_what_is_new(archive: Path, tmp_path: Path) -> None:
    assert ingest(archive, tmp_path / "raw", KEY).portions_read == 2
    assert ingest(archive, tmp_path / "raw", KEY).portions_read == 0
    with (archive / "crm" / "people.csv").open("a", newline="") as file:
        csv.writer(file).writerow(("P-1003", "Anselm Ludd"))
    assert ingest(archive, tmp_path / "raw", KEY).portions_read == 1
    assert sealed(tmp_path / "raw").read("records-crm-people").height == 3


@pytest.mark.parametrize("former", [None, OTHER])
def test_parts_that_do_not_open_are_read_again(archive: Path, tmp_path: Path, former: Sealing | None) -> None:
    """After an upgrade, and after the data key was dropped."""
    ingest(archive, tmp_path / "raw", former)
    assert ingest(archive, tmp_path / "raw", KEY).portions_read == 2
    assert b"Zebulon" not in everything(tmp_path / "raw")


def test_a_part_of_which_the_summary_was_edited_is_read_again(archive: Path, tmp_path: Path) -> None:
    ingest(archive, tmp_path / "raw", KEY)
    summary = sorted((tmp_path / "raw" / FOLDER).glob("*/part.json"))[0]
    summary.write_bytes(_flipped(summary.read_bytes()))
    assert ingest(archive, tmp_path / "raw", KEY).portions_read == 1
