"""The vault: what was assigned to whom, encrypted at rest, incremental over batches.

Chunked AES-256-GCM: every chunk is bound to its part, its place and the number of chunks, so that no chunk
and no part can be dropped or swapped. Written aside, then renamed.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from anonymize.assignments import Assignments
from anonymize.errors import VaultError
from anonymize.keys import DatasetKey
from archive.home import DatasetHome
from archive.store import TableStore

MAGIC = b"RLDV2\n"
_FORMER = b"RLDV1\n"
"""Of vaults whose parts were not bound to their names: they are read, and written no more."""
CHUNK = 1 << 20
NONCE_BYTES = 12
ASSIGNMENTS = "assignments"
REGISTRY = "registry"
CODES = "codes"
"""Letters that stand for companies in ids: without them no id of theirs is mapped alike."""


def raw_tables(home: DatasetHome, key: DatasetKey) -> TableStore:
    """Returns the raw tables of a dataset, opened with its key."""
    return TableStore(home.raw, private=True, sealing=key.raw_sealing)


def vault_tables(home: DatasetHome, key: DatasetKey) -> TableStore:
    """Returns what lies beside the vault's parts: ledger, canaries' counts, places of doubtful pairs."""
    return TableStore(home.vault, private=True, sealing=key.vault_sealing)


class Vault:
    """The encrypted store of one dataset's assignments."""

    def __init__(self, folder: Path, key: DatasetKey) -> None:
        """Names the folder and the key; nothing is read or made yet."""
        self.folder = folder
        self._cipher = AESGCM(key.vault)

    def load_part(self, name: str) -> dict[str, Any] | None:
        """Returns one part of the vault as JSON, or None where it was not stored.

        Raises:
            VaultError: the key is another one, or the file was cut or edited.
        """
        path = self.folder / f"{name}.bin"
        if not path.is_file():
            return None
        content: dict[str, Any] = json.loads(self._open(path.read_bytes(), name))
        return content

    def load(self) -> Assignments | None:
        """Returns what was assigned in earlier batches, or None where there is no vault yet.

        Raises:
            VaultError: the key is another one, or the file was cut or edited.
        """
        content = self.load_part(ASSIGNMENTS)
        if content is None:
            return None
        try:
            return Assignments(**content)
        except TypeError as error:
            raise VaultError(
                "the vault was written by another version: remove it or use that version"
            ) from error

    def save(self, assignments: Assignments) -> None:
        """Stores assignments; a reader sees the old ones or the new ones, never a part."""
        self.save_part(ASSIGNMENTS, asdict(assignments))

    def save_part(self, name: str, content: dict[str, Any]) -> None:
        """Stores one part of the vault, written aside and renamed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        data = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        aside = self.folder / f".{name}.aside"
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(self._seal(data.encode(), name))
        aside.replace(self.folder / f"{name}.bin")

    def _seal(self, data: bytes, name: str) -> bytes:
        chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)] or [b""]
        sealed = [MAGIC, len(chunks).to_bytes(4, "big")]
        for number, chunk in enumerate(chunks):
            nonce = secrets.token_bytes(NONCE_BYTES)
            body = self._cipher.encrypt(nonce, chunk, _place(name, number, len(chunks)))
            sealed.append(len(body).to_bytes(4, "big") + nonce + body)
        return b"".join(sealed)

    def _open(self, sealed: bytes, name: str) -> bytes:
        if not sealed.startswith((MAGIC, _FORMER)) or len(sealed) < len(MAGIC) + 4:
            raise VaultError("the vault file is no vault: restore it from a backup or remove it")
        part = name if sealed.startswith(MAGIC) else ""
        count = int.from_bytes(sealed[len(MAGIC) : len(MAGIC) + 4], "big")
        place = len(MAGIC) + 4
        opened = []
        for number in range(count):
            size = int.from_bytes(sealed[place : place + 4], "big")
            nonce = sealed[place + 4 : place + 4 + NONCE_BYTES]
            body = sealed[place + 4 + NONCE_BYTES : place + 4 + NONCE_BYTES + size]
            place += 4 + NONCE_BYTES + size
            try:
                opened.append(self._cipher.decrypt(nonce, body, _place(part, number, count)))
            except (InvalidTag, ValueError) as error:
                raise VaultError("the vault cannot be opened: another key, or the file was edited") from error
        if place != len(sealed):
            raise VaultError("the vault file has bytes behind its end: it was edited")
        return b"".join(opened)


def _place(part: str, number: int, count: int) -> bytes:
    return f"rl-dojo vault {part}{' ' if part else ''}{number}/{count}".encode()
