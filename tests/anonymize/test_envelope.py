"""The envelope of a dataset's keys: made once, opened by one key file, moved to another at one rename."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anonymize.assignments import Assignments
from anonymize.envelope import KEYS_FILE, make_keys, open_keys, renew_raw_key, rewrap_keys
from anonymize.errors import VaultError
from anonymize.keys import DatasetKey
from anonymize.vault import Vault

FILE, NEW = DatasetKey(b"f" * 32, "acme"), DatasetKey(b"n" * 32, "acme")
KEPT = Assignments(cities={"Macon": "Lake"})


def test_a_new_envelope_keeps_the_secret_and_draws_data_keys(tmp_path: Path) -> None:
    one, two = make_keys(tmp_path / "one", FILE), make_keys(tmp_path / "two", FILE)
    assert one.secret == two.secret == FILE.secret
    assert one.derive("surrogates") == FILE.derive("surrogates")
    assert len({one.vault_key, two.vault_key, one.raw_key, two.raw_key, FILE.derive("vault")}) == 5
    assert make_keys(tmp_path / "one", FILE) == open_keys(tmp_path / "one", FILE) == one
    assert open_keys(tmp_path / "none", FILE) is None


def test_it_is_its_owners_alone_and_shows_no_key(tmp_path: Path) -> None:
    made = make_keys(tmp_path / "vault", FILE)
    stored = (tmp_path / "vault" / KEYS_FILE).read_bytes()
    for key in (made.secret, made.vault_key, made.raw_key):
        assert key is not None and key not in stored and key.hex().encode() not in stored
        assert key.hex() not in repr(made)
    assert (tmp_path / "vault" / KEYS_FILE).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "vault").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in (tmp_path / "vault").iterdir()] == [KEYS_FILE]


@pytest.mark.parametrize("key", [NEW, DatasetKey(FILE.secret, "other")])
def test_another_key_or_dataset_does_not_open_it(tmp_path: Path, key: DatasetKey) -> None:
    make_keys(tmp_path, FILE)
    for ask in (open_keys, make_keys, renew_raw_key):
        with pytest.raises(VaultError, match="another key"):
            ask(tmp_path, key)


@pytest.mark.parametrize("stored", [b"", b"plain", b"RLDK1\n", b"RLDK1\n" + b"x" * 11])
def test_a_cut_or_foreign_file_is_refused(tmp_path: Path, stored: bytes) -> None:
    make_keys(tmp_path, FILE)
    (tmp_path / KEYS_FILE).write_bytes(stored)
    with pytest.raises(VaultError, match="edited"):
        open_keys(tmp_path, FILE)


def test_every_edited_byte_is_noticed(tmp_path: Path) -> None:
    make_keys(tmp_path, FILE)
    whole = (tmp_path / KEYS_FILE).read_bytes()
    for place in range(len(whole)):
        (tmp_path / KEYS_FILE).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(VaultError):
            open_keys(tmp_path, FILE)


def test_a_vault_from_before_is_taken_over_by_its_own_key_only(tmp_path: Path) -> None:
    Vault(tmp_path, FILE).save(KEPT)
    with pytest.raises(VaultError, match="another key"):
        make_keys(tmp_path, NEW)
    assert not (tmp_path / KEYS_FILE).exists()
    assert Vault(tmp_path, make_keys(tmp_path, FILE)).load() == KEPT


def test_after_rotation_only_the_new_file_opens_and_nothing_else_changed(tmp_path: Path) -> None:
    held = make_keys(tmp_path, FILE)
    Vault(tmp_path, held).save(KEPT)
    rewrap_keys(tmp_path, FILE, NEW)
    assert open_keys(tmp_path, NEW) == held
    assert Vault(tmp_path, held).load() == KEPT
    with pytest.raises(VaultError, match="another key"):
        open_keys(tmp_path, FILE)


STEPS = ("open", "fsync", "replace")


@pytest.mark.parametrize("step", STEPS)
def test_rotation_that_is_interrupted_leaves_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """I14."""
    held = make_keys(tmp_path, FILE)

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, step, stopped)
        with pytest.raises(KeyboardInterrupt):
            rewrap_keys(tmp_path, FILE, NEW)
    assert open_keys(tmp_path, FILE) == held
    rewrap_keys(tmp_path, FILE, NEW)
    assert open_keys(tmp_path, NEW) == held


def test_rotation_that_is_interrupted_after_its_rename_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = make_keys(tmp_path, FILE)
    replace = os.replace

    def renamed_and_stopped(source: Path, target: Path) -> None:
        replace(source, target)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", renamed_and_stopped)
        with pytest.raises(KeyboardInterrupt):
            rewrap_keys(tmp_path, FILE, NEW)
    assert open_keys(tmp_path, NEW) == held


def test_a_renewed_raw_key_leaves_all_else(tmp_path: Path) -> None:
    held = make_keys(tmp_path, FILE)
    renewed = renew_raw_key(tmp_path, FILE)
    assert renewed.raw_key != held.raw_key
    assert (renewed.secret, renewed.vault_key) == (held.secret, held.vault_key)
    assert open_keys(tmp_path, FILE) == renewed


@pytest.mark.parametrize(
    "ask", [lambda folder: rewrap_keys(folder, FILE, NEW), lambda f: renew_raw_key(f, FILE)]
)
def test_without_an_envelope_there_is_nothing_to_change(tmp_path: Path, ask: object) -> None:
    assert callable(ask)
    with pytest.raises(VaultError, match="onboard it first"):
        ask(tmp_path)
