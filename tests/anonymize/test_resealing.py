"""New data keys for a whole dataset: the former key with every former copy opens nothing that is there."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from anonymize.access_log import HEAD, LOG_FILE, read_access_log, record_access
from anonymize.assignments import Assignments
from anonymize.envelope import KEYS_FILE, make_keys, open_keys
from anonymize.errors import VaultError
from anonymize.keys import DatasetKey
from anonymize.resealing import READY, finish_resealing, reseal_dataset
from anonymize.vault import Vault, raw_tables, vault_tables
from archive.errors import StoreError
from archive.home import DatasetHome
from archive.parts import FOLDER, PartSummary, PartWriter, landed
from archive.sealing import Sealing
from archive.store import TableStore, empty_frame
from contracts.tables import FIXED_TABLES

FILE, NEW = DatasetKey(b"f" * 32, "acme"), DatasetKey(b"n" * 32, "acme")
KEPT = Assignments(cities={"Macon": "Lake"})
PEOPLE = "records-crm-people"
FRAME = pl.DataFrame(
    {
        name: [f"{name}-{row}" for row in range(9)]
        for name in ("record_id", "source", "path", "locator", "content_hash", "name")
    }
)


class Owned(NamedTuple):
    home: DatasetHome
    key: DatasetKey
    copy: Path
    """A copy of the whole dataset as it was."""


@pytest.fixture
def owned(tmp_path: Path) -> Owned:
    home = DatasetHome(tmp_path / "home", "acme")
    key = make_keys(home.vault, FILE)
    raw = raw_tables(home, key)
    raw.write(PEOPLE, FRAME)
    raw.write("comments", empty_frame(FIXED_TABLES["comments"]))
    raw.write_json("schema.json", {PEOPLE: {}})
    writer = PartWriter(home.raw / FOLDER, "0011", key.raw_sealing)
    writer.add("people", FRAME)
    writer.add("nobody", FRAME.clear())
    writer.land(PartSummary(9, 9, {"messages": 0}))
    vault = Vault(home.vault, key)
    vault.save(KEPT)
    vault.save_part("registry", {"persons": ["Zebulon Quatermass"]})
    vault_tables(home, key).write("ledger", FRAME)
    vault_tables(home, key).write_json("review.json", [1, 2])
    (home.vault / "access-1.closed.jsonl").write_text("{}\n")
    record_access(home, key, "reveal", "about Zebulon Quatermass", {"person": 3})
    record_access(home, key, "reveal", "again", {"person": 3})
    shutil.copytree(home.folder, tmp_path / "copy")
    return Owned(home, key, tmp_path / "copy")


def opened_under(home: DatasetHome, key: DatasetKey) -> dict[str, object]:
    """Every file of a dataset that a key opens, by name, with what is in it."""
    found: dict[str, object] = {}
    vault = Vault(home.vault, key)
    for path in sorted(home.vault.glob("*.bin")):
        if path.name != KEYS_FILE:
            with contextlib.suppress(VaultError):
                found[f"vault/{path.name}"] = vault.load_part(path.stem)
    for folder, store in (("raw", raw_tables(home, key)), ("vault", vault_tables(home, key))):
        for name in store.names():
            with contextlib.suppress(StoreError):
                found[f"{folder}/{name}"] = store.read(name).rows()
        for path in sorted(store.folder.glob("*.json")):
            with contextlib.suppress(StoreError):
                found[f"{folder}/{path.name}"] = store.read_json(path.name)
    part = landed(home.raw / FOLDER, "0011", key.raw_sealing)
    if part is not None:
        found["raw/part"] = part.summary
        for name in ("people", "nobody"):
            found[f"raw/part/{name}"] = [frame.rows() for frame in part.frames(name)]
    with contextlib.suppress(VaultError):
        found["log"] = read_access_log(home, key)
    return found


ALL = {
    "vault/assignments.bin", "vault/registry.bin", f"vault/{HEAD}.bin", "vault/ledger", "vault/review.json",
    f"raw/{PEOPLE}", "raw/comments", "raw/schema.json", "raw/part", "raw/part/people",
    "raw/part/nobody", "log",
}  # fmt: skip


def content(home: DatasetHome, key: DatasetKey) -> dict[str, object]:
    found = opened_under(home, key)
    found.pop(f"vault/{HEAD}.bin")
    return found


def test_everything_is_there_as_before_under_new_keys_only(owned: Owned) -> None:
    before = content(owned.home, owned.key)
    assert set(before) == ALL - {f"vault/{HEAD}.bin"}
    counts = reseal_dataset(owned.home, owned.key, NEW)
    new = open_keys(owned.home.vault, NEW)
    assert new is not None and new.secret == owned.key.secret
    assert len({new.vault_key, new.raw_key, owned.key.vault_key, owned.key.raw_key}) == 4
    assert content(owned.home, new) == before
    assert counts == {"vault": 6, "raw": 3, "parts": 1}
    assert not list(owned.home.folder.glob("*resealed*"))
    for name in ("raw", "vault"):
        folder = owned.home.folder / name
        assert folder.stat().st_mode & 0o777 == 0o700
        assert {
            path.stat().st_mode & 0o077 for path in folder.iterdir() if path.name in (KEYS_FILE, LOG_FILE)
        } <= {0}


def test_the_former_pair_opens_nothing_of_the_present_store(owned: Owned) -> None:
    """The former key file with a former copy of the envelope, put in its place or beside it."""
    reseal_dataset(owned.home, owned.key, NEW)
    with pytest.raises(VaultError, match="another key"):
        open_keys(owned.home.vault, FILE)
    former = open_keys(owned.copy / "vault", FILE)
    assert former == owned.key
    assert opened_under(owned.home, former) == {}


def test_without_resealing_the_former_pair_opens_all(owned: Owned) -> None:
    """What the option is for."""
    assert set(opened_under(owned.home, owned.key)) == ALL


def test_the_log_goes_on_and_is_verified(owned: Owned) -> None:
    reseal_dataset(owned.home, owned.key, NEW)
    new = open_keys(owned.home.vault, NEW)
    assert new is not None
    record_access(owned.home, new, "reveal", "third", {})
    log = read_access_log(owned.home, new)
    assert [access.reason for access in log] == ["about Zebulon Quatermass", "again", "third"]
    assert b"Zebulon" not in (owned.home.vault / LOG_FILE).read_bytes()
    assert (owned.home.vault / "access-1.closed.jsonl").read_text() == "{}\n"


def test_an_edited_log_is_not_signed_anew(owned: Owned) -> None:
    path = owned.home.vault / LOG_FILE
    path.write_bytes(path.read_bytes().replace(b"reveal", b"reveil", 1))
    with pytest.raises(VaultError, match="broken at line 1"):
        reseal_dataset(owned.home, owned.key, NEW)
    assert open_keys(owned.home.vault, FILE) == owned.key


def test_a_table_that_does_not_open_stops_it_and_nothing_changed(owned: Owned) -> None:
    path = owned.home.raw / f"{PEOPLE}.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(StoreError):
        reseal_dataset(owned.home, owned.key, NEW)
    assert open_keys(owned.home.vault, FILE) == owned.key and not (owned.home.folder / READY).exists()


@pytest.mark.parametrize("step", range(12))
def test_killed_at_any_rename_the_dataset_opens_under_one_key(
    owned: Owned, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """I14: before the new folder is whole the former key opens all, from then on the new one does."""
    before = content(owned.home, owned.key)
    calls = {"left": step}
    replace, remove = os.replace, shutil.rmtree

    def stop() -> None:
        calls["left"] -= 1
        if calls["left"] < 0:
            raise KeyboardInterrupt

    def replaced(source: Path, target: Path) -> None:
        if Path(source).parent.parent.name == "datasets" or Path(source).parent.name == READY:
            stop()
        replace(source, target)

    def removed(path: Path, ignore_errors: bool = False) -> None:
        stop()
        remove(path, ignore_errors)

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", replaced)
        broken.setattr(shutil, "rmtree", removed)
        with contextlib.suppress(KeyboardInterrupt):
            reseal_dataset(owned.home, owned.key, NEW)
    was_ready = (owned.home.folder / READY).exists()
    finish_resealing(owned.home)
    try:
        key = open_keys(owned.home.vault, FILE)
    except VaultError:
        key = open_keys(owned.home.vault, NEW)
        assert key is not None and key.raw_key != owned.key.raw_key
    else:
        assert not was_ready and key == owned.key
    assert key is not None and content(owned.home, key) == before


def test_raw_tables_that_are_gone_are_no_reason_to_stop(owned: Owned) -> None:
    shutil.rmtree(owned.home.raw)
    assert reseal_dataset(owned.home, owned.key, NEW)["raw"] == 0
    assert not owned.home.raw.exists() and open_keys(owned.home.vault, NEW) is not None


def test_two_parts_of_a_vault_cannot_be_swapped(owned: Owned) -> None:
    vault = Vault(owned.home.vault, owned.key)
    one, other = (owned.home.vault / f"{name}.bin" for name in ("assignments", "registry"))
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)
    for name in ("assignments", "registry"):
        with pytest.raises(VaultError, match="another key, or the file was edited"):
            vault.load_part(name)


def test_two_sealed_tables_cannot_be_swapped(owned: Owned) -> None:
    store = raw_tables(owned.home, owned.key)
    store.write("records-crm-other", FRAME.with_columns(name=pl.lit("other")))
    paths = [store.path(PEOPLE), store.path("records-crm-other")]
    first, second = (path.read_bytes() for path in paths)
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)
    for name in (PEOPLE, "records-crm-other"):
        for ask in (store.read, store.columns, lambda table: list(store.frames(table))):
            with pytest.raises(StoreError, match="another key, or the file was edited"):
                ask(name)


def test_nor_can_the_files_of_two_parts_or_a_part_and_a_table(tmp_path: Path) -> None:
    sealing = Sealing(b"k" * 32)
    for key in ("0011", "0022"):
        writer = PartWriter(tmp_path / FOLDER, key, sealing)
        writer.add("people", FRAME)
        writer.land(PartSummary(9, 9))
    one, other = (landed(tmp_path / FOLDER, key, sealing) for key in ("0011", "0022"))
    assert one is not None and other is not None
    shutil.copy(one.folder / "people.parquet", other.folder / "people.parquet")
    with pytest.raises(StoreError):
        list(other.frames("people"))
    assert len(list(one.frames("people"))) == 1
    store = TableStore(tmp_path, private=True, sealing=sealing)
    shutil.copy(one.folder / "people.parquet", store.path(PEOPLE))
    with pytest.raises(StoreError):
        store.read(PEOPLE)


def test_a_vault_of_before_is_read_and_then_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as former:
        former.setattr("anonymize.vault.MAGIC", b"RLDV1\n")
        former.setattr(
            "anonymize.vault._place", lambda part, number, count: f"rl-dojo vault {number}/{count}".encode()
        )
        Vault(tmp_path, FILE).save(KEPT)
    assert Vault(tmp_path, FILE).load() == KEPT
    Vault(tmp_path, FILE).save(KEPT)
    assert (tmp_path / "assignments.bin").read_bytes().startswith(b"RLDV2\n")
    assert Vault(tmp_path, FILE).load() == KEPT
