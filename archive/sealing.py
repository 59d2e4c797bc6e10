"""Encryption at rest: the data key of a store, and what it makes unreadable.

Belongs here: Parquet modular encryption and sealed bytes under one data key. Does not belong here: where that
key comes from and who may have it; this package never sees a key file.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as encryption
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from archive.errors import StoreError

MAGIC = b"RLDS1\n"
"""First bytes of a sealed file that is no table."""
PARQUET_MAGIC = b"PARE"
"""First bytes of a sealed table, as the format's standard has them."""
KEY_BYTES = 32
_NONCE_BYTES = 12
_FOOTER = "raw"
_DAMAGED = (InvalidUnwrap, OSError, ValueError, KeyError, pa.ArrowException)
"""What the library raises for a file that was cut, edited or sealed under another key."""


@dataclass(frozen=True)
class Sealing:
    """The data key under which a store's files lie; it travels to workers, never to disk."""

    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuses keys of another length."""
        if len(self.key) != KEY_BYTES:
            raise StoreError(f"a data key has {KEY_BYTES} bytes, not {len(self.key)}")

    def seal(self, data: bytes, name: str) -> bytes:
        """Returns bytes that only this key opens, and only under the same file name."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return MAGIC + nonce + AESGCM(self._purpose(b"files")).encrypt(nonce, data, name.encode())

    def open(self, sealed: bytes, name: str) -> bytes:
        """Returns the bytes that were sealed under this file name.

        Raises:
            StoreError: they were sealed with another key or for another file, were edited, or never sealed.
        """
        if not sealed.startswith(MAGIC):
            raise StoreError(f"{name} is not encrypted, as it should be: onboard the dataset again")
        nonce, body = sealed[len(MAGIC) :][:_NONCE_BYTES], sealed[len(MAGIC) + _NONCE_BYTES :]
        try:
            return AESGCM(self._purpose(b"files")).decrypt(nonce, body, name.encode())
        except (InvalidTag, ValueError) as error:
            raise StoreError(f"{name} cannot be opened: another key, or the file was edited") from error

    def writing(self, name: str) -> encryption.FileEncryptionProperties:
        """Returns what makes one Parquet file unreadable: a data key of its own, wrapped under its name."""
        form = encryption.EncryptionConfiguration(
            _FOOTER,
            uniform_encryption=True,
            data_key_length_bits=8 * KEY_BYTES,
            double_wrapping=False,
            encryption_algorithm="AES_GCM_V1",
        )
        return _factory(self._table(name)).file_encryption_properties(_NO_SERVER, form)

    def reading(self, name: str) -> encryption.FileDecryptionProperties:
        """Returns what makes such a file readable, under the name it was written for and no other."""
        return _factory(self._table(name)).file_decryption_properties(_NO_SERVER)

    def _table(self, name: str) -> bytes:
        return self._purpose(b"tables/" + name.encode())

    def _purpose(self, purpose: bytes) -> bytes:
        return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=b"rl-dojo/raw/" + purpose).derive(
            self.key
        )


@contextmanager
def opened(path: Path, sealing: Sealing | None, name: str | None = None) -> Iterator[pq.ParquetFile]:
    """Gives a Parquet file, sealed or plain, as the store has them.

    Args:
        path: the file.
        sealing: the key under which it was written; None for a plain file.
        name: what it was sealed as; None where its file name says that.

    Raises:
        StoreError: the file is sealed and the key is missing or another one, it was edited, was sealed as
            another one, or is plain where it should be sealed.
    """
    sealed = is_sealed(path)
    if sealed and sealing is None:
        raise StoreError(f"table {path.stem!r} is encrypted: its dataset's key is needed")
    if sealing is None:
        with pq.ParquetFile(path) as file:
            yield file
        return
    if not sealed:  # the library would read a plain file that somebody put in place of a sealed one
        raise StoreError(f"table {path.stem!r} is not encrypted, as it should be: onboard the dataset again")
    try:
        with pq.ParquetFile(path, decryption_properties=sealing.reading(name or path.stem)) as file:
            yield file
    except _DAMAGED as error:
        raise StoreError(
            f"table {path.stem!r} cannot be opened: another key, or the file was edited"
        ) from error


def is_sealed(path: Path) -> bool:
    """Says whether a Parquet file is encrypted."""
    with path.open("rb") as stream:
        return stream.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC


class _Wrapping(encryption.KmsClient):  # type: ignore[misc]
    """Wraps the data keys of files by RFC 3394; there is no server, the key is here."""

    def __init__(self, key: bytes) -> None:
        encryption.KmsClient.__init__(self)
        self._key = key

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:
        return base64.b64encode(aes_key_wrap(self._key, key_bytes))

    def unwrap_key(self, wrapped_key: bytes, master_key_identifier: str) -> bytes:
        return aes_key_unwrap(self._key, base64.b64decode(wrapped_key))


_NO_SERVER = encryption.KmsConnectionConfig()


@lru_cache(maxsize=64)
def _factory(key: bytes) -> encryption.CryptoFactory:
    return encryption.CryptoFactory(lambda _: _Wrapping(key))
