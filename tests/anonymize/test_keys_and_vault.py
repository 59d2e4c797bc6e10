"""The key file and the encrypted vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonymize.errors import KeyRefused, VaultError
from anonymize.keys import KEY_VARIABLE, DatasetKey, load_key
from anonymize.surrogates import Assignments
from anonymize.vault import CHUNK, Vault

DEMO = Path(__file__).parents[2] / "data_samples" / "demo.key"


def test_default_key_is_made_once_private_with_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    notices: list[str] = []
    first = load_key("acme", notice=notices.append)
    path = tmp_path / "config" / "rl-dojo" / "key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_key("acme", notice=notices.append) == first
    assert len(notices) == 1 and first.secret.hex() not in notices[0]


def test_derived_keys_differ_by_purpose_and_dataset() -> None:
    one, other = DatasetKey(b"s" * 32, "one"), DatasetKey(b"s" * 32, "other")
    assert len({one.derive("money"), one.derive("dates"), other.derive("money"), other.derive("dates")}) == 4
    assert "73" * 32 not in repr(one) and "ssss" not in repr(one)


def test_demo_key_is_for_the_sample_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, str(DEMO))
    assert load_key("sample").dataset == "sample"
    with pytest.raises(KeyRefused, match="demo key"):
        load_key("acme")


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        ("xyz", 0o600, "hex"),
        ("ab" * 16, 0o600, "16 bytes"),
        ("ab" * 32, 0o644, "chmod 600"),
        (None, 0, "not exist"),
    ],
)
def test_bad_key_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, mode: int, reason: str
) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_text(content)
        path.chmod(mode)
    monkeypatch.setenv(KEY_VARIABLE, str(path))
    with pytest.raises(KeyRefused, match=reason) as caught:
        load_key("acme")
    assert content is None or content not in str(caught.value)


def test_a_key_inside_the_data_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "home" / "key"
    path.parent.mkdir()
    path.write_text("ab" * 32)
    path.chmod(0o600)
    monkeypatch.setenv(KEY_VARIABLE, str(path))
    with pytest.raises(KeyRefused, match="apart"):
        load_key("acme", home=tmp_path / "home")


def test_vault_round_trips_and_shows_nothing(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault", DatasetKey(b"s" * 32, "acme"))
    assert vault.load() is None
    kept = Assignments(persons={"mail:ann@x.com": ["Eva", "M", "Berg", "Ahl"]}, streets={"x" * CHUNK: "y"})
    vault.save(kept)
    assert vault.load() == kept
    stored = (tmp_path / "vault" / "assignments.bin").read_bytes()
    assert b"ann@x.com" not in stored and b"Berg" not in stored
    assert (tmp_path / "vault").stat().st_mode & 0o777 == 0o700


def test_another_key_or_an_edited_vault_is_refused(tmp_path: Path) -> None:
    vault = Vault(tmp_path, DatasetKey(b"s" * 32, "acme"))
    vault.save(Assignments(cities={"Macon": "Lake"}))
    with pytest.raises(VaultError, match="another key"):
        Vault(tmp_path, DatasetKey(b"t" * 32, "acme")).load()
    path = tmp_path / "assignments.bin"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(VaultError, match="edited"):
        vault.load()
    path.write_bytes(b"plain")
    with pytest.raises(VaultError, match="no vault"):
        vault.load()
