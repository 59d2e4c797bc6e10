"""The envelope of a dataset: its secret and data keys, sealed under the key file.

Belongs here: making, opening, rewrapping and dropping `vault/keys.bin`. Surrogates follow from the secret
inside, so that another key file may take over the envelope and every surrogate stays. Does not belong here:
key files (`keys`) and what the keys are used for.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import replace
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from anonymize.errors import VaultError
from anonymize.keys import KEY_BYTES, DatasetKey
from anonymize.vault import ASSIGNMENTS, Vault

KEYS_FILE = "keys.bin"
_MAGIC = b"RLDK1\n"
_NONCE_BYTES = 12
_PURPOSE = "envelope"


def open_keys(folder: Path, file_key: DatasetKey) -> DatasetKey | None:
    """Returns the key of a dataset as its envelope holds it, or None where there is no envelope yet.

    Args:
        folder: the vault's folder.
        file_key: what the key file holds.

    Raises:
        VaultError: the key file is another one, or the envelope was cut or edited.
    """
    path = folder / KEYS_FILE
    if not path.is_file():
        return None
    sealed = path.read_bytes()
    body = sealed.removeprefix(_MAGIC)
    try:
        if body is sealed or not sealed.startswith(_MAGIC):
            raise ValueError("no envelope")
        data = _cipher(file_key).decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], _place(file_key))
    except (InvalidTag, ValueError) as error:
        raise VaultError("the vault cannot be opened: another key, or keys.bin was edited") from error
    held = {name: bytes.fromhex(value) for name, value in json.loads(data).items()}
    return DatasetKey(held["secret"], file_key.dataset, held["vault"], held["raw"])


def make_keys(folder: Path, file_key: DatasetKey) -> DatasetKey:
    """Returns the key of a dataset; where there is no envelope, one is made.

    The secret of a new envelope is that of the key file: one key file gives one set of surrogates on every
    machine. The data keys are drawn at random. A vault from before there were envelopes is taken over.

    Raises:
        VaultError: the envelope or the vault was written with another key, or was edited.
    """
    known = open_keys(folder, file_key)
    if known is not None:
        return known
    vault_key = secrets.token_bytes(KEY_BYTES)
    if (folder / f"{ASSIGNMENTS}.bin").is_file():
        Vault(folder, file_key).load_part(ASSIGNMENTS)  # refuses another key before an envelope fixes it
        vault_key = file_key.vault
    made = replace(file_key, vault_key=vault_key, raw_key=secrets.token_bytes(KEY_BYTES))
    aside = _write_aside(folder, made, file_key)
    try:
        os.link(aside, folder / KEYS_FILE)  # of two runs that make one at once, the first one's counts
    except FileExistsError:
        return make_keys(folder, file_key)
    finally:
        aside.unlink()
    return made


def rewrap_keys(folder: Path, file_key: DatasetKey, new: DatasetKey) -> None:
    """Puts the envelope under another key file by one rename: before it the old file opens, then the new.

    Raises:
        VaultError: there is no envelope, or the present key file does not open it.
    """
    held = open_keys(folder, file_key)
    if held is None:
        raise VaultError("the dataset has no keys yet: onboard it first")
    put_keys(folder, held, new)


def renew_raw_key(folder: Path, file_key: DatasetKey) -> DatasetKey:
    """Returns the key with a fresh data key for raw tables: what the old one sealed, nothing opens any more.

    Raises:
        VaultError: there is no envelope, or the key file does not open it.
    """
    held = open_keys(folder, file_key)
    if held is None:
        raise VaultError("the dataset has no keys yet: onboard it first")
    renewed = replace(held, raw_key=secrets.token_bytes(KEY_BYTES))
    put_keys(folder, renewed, file_key)
    return renewed


def renewed_keys(held: DatasetKey) -> DatasetKey:
    """Returns the key with fresh data keys for vault and raw tables, which nothing is sealed under yet."""
    return replace(held, vault_key=secrets.token_bytes(KEY_BYTES), raw_key=secrets.token_bytes(KEY_BYTES))


def put_keys(folder: Path, held: DatasetKey, file_key: DatasetKey) -> None:
    """Puts an envelope with these keys into a folder, under a key file, by one rename."""
    aside = _write_aside(folder, held, file_key)
    os.replace(aside, folder / KEYS_FILE)


def _write_aside(folder: Path, held: DatasetKey, file_key: DatasetKey) -> Path:
    """Writes an envelope beside the present one, down to the disk: its bytes come before the rename."""
    assert held.vault_key is not None and held.raw_key is not None
    keys = {"secret": held.secret.hex(), "vault": held.vault_key.hex(), "raw": held.raw_key.hex()}
    nonce = secrets.token_bytes(_NONCE_BYTES)
    body = _cipher(file_key).encrypt(nonce, json.dumps(keys).encode(), _place(file_key))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    aside = folder / f".{KEYS_FILE}.{os.getpid()}.aside"
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_MAGIC + nonce + body)
        file.flush()
        os.fsync(file.fileno())
    return aside


def _cipher(file_key: DatasetKey) -> AESGCM:
    return AESGCM(file_key.derive(_PURPOSE))


def _place(file_key: DatasetKey) -> bytes:
    return f"rl-dojo keys of {file_key.dataset}".encode()
