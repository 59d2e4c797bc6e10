"""The pseudonymisation key: where it lives, which dataset may use it, one derived key per purpose.

Belongs here: reading, making and refusing key files, and HKDF. Does not belong here: what the derived
keys are used for.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from anonymize.errors import KeyRefused
from archive.sealing import Sealing

KEY_VARIABLE = "RL_DOJO_KEY_FILE"
KEY_BYTES = 32
DEMO_DATASET = "sample"
DEMO_KEY_DIGEST = "7d69bc59762c4285892eaac89b6f01c8e27fcc44b239912a617303d3a53d09a9"
"""SHA-256 of the published demo key, which protects nothing and is for the invented sample only."""


@dataclass(frozen=True)
class DatasetKey:
    """The secret of one dataset; derived keys of two datasets or two purposes are unrelated."""

    secret: bytes = field(repr=False)
    dataset: str
    vault_key: bytes | None = field(default=None, repr=False)
    """Data key of the vault, from the envelope; None where there is no envelope."""
    raw_key: bytes | None = field(default=None, repr=False)
    """Data key of raw tables, from the envelope; None leaves them plain, as in tests of one step."""

    @property
    def is_published(self) -> bool:
        """Whether this is the demo key, which everybody has."""
        return hashlib.sha256(self.secret).hexdigest() == DEMO_KEY_DIGEST

    @property
    def vault(self) -> bytes:
        """The key under which the vault's parts lie."""
        return self.vault_key or self.derive("vault")

    @property
    def raw_sealing(self) -> Sealing | None:
        """What encrypts raw tables."""
        return None if self.raw_key is None else Sealing(self.raw_key)

    @property
    def vault_sealing(self) -> Sealing | None:
        """What encrypts the tables that lie beside the vault's parts."""
        return None if self.vault_key is None else Sealing(self.vault_key)

    def derive(self, purpose: str) -> bytes:
        """Returns the 32-byte key of one purpose."""
        info = f"rl-dojo/1/{purpose}".encode()
        return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=self.dataset.encode(), info=info).derive(
            self.secret
        )


def default_key_path() -> Path:
    """Returns the key file in the user's configuration folder."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "rl-dojo" / "key"


def load_key(
    dataset: str,
    *,
    home: Path | None = None,
    notice: Callable[[str], None] | None = None,
    make: bool = True,
) -> DatasetKey:
    """Returns the key of a dataset from `RL_DOJO_KEY_FILE` or the default file, made where absent.

    A file named by the variable must exist; only the default file is made, with mode 0600 and a notice, and
    not where `make` is False, as what there is was made with another one.

    Raises:
        KeyRefused: the file is missing, malformed, open to other users, inside the data folder, or the
            published demo key of another dataset.
    """
    named = os.environ.get(KEY_VARIABLE)
    path = Path(named).expanduser() if named else default_key_path()
    if home is not None and path.resolve().is_relative_to(home.resolve()):
        raise KeyRefused(f"the key file {path.name} lies inside the data folder: keep key and data apart")
    if not path.exists():
        if named:
            raise KeyRefused(
                f"{KEY_VARIABLE} names a file that does not exist: make one (openssl rand -hex 32 > FILE; "
                "chmod 600 FILE), or unset the variable to have one made"
            )
        if not make:
            raise KeyRefused(f"there is no key file {path.name}: name the dataset's own in {KEY_VARIABLE}")
        _make(path)
        if notice is not None:
            notice(f"made a new pseudonymisation key at {path}: back it up, it is needed to keep surrogates")
    return _checked(path, dataset)


def key_in(path: Path, dataset: str, home: Path) -> DatasetKey:
    """Returns the key of a dataset from a named file.

    Raises:
        KeyRefused: the file is missing, malformed, open to other users, inside the data folder, or the
            published demo key of another dataset.
    """
    if path.resolve().is_relative_to(home.resolve()):
        raise KeyRefused(f"the key file {path.name} lies inside the data folder: keep key and data apart")
    return _checked(path, dataset)


def _checked(path: Path, dataset: str) -> DatasetKey:
    key = DatasetKey(_read(path), dataset)
    if key.is_published:
        if dataset != DEMO_DATASET:
            raise KeyRefused(
                f"the published demo key is for the dataset {DEMO_DATASET!r} only: use a key of your own"
            )
    elif path.stat().st_mode & 0o077:
        raise KeyRefused(f"the key file {path.name} is open to other users: run chmod 600 on it")
    return key


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(KEY_BYTES) + "\n")


def _read(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except FileNotFoundError as error:
        raise KeyRefused(
            f"the key file {path.name} does not exist: make it (openssl rand -hex 32 > FILE; "
            "chmod 600 FILE), or name the right one"
        ) from error
    except OSError as error:
        told = os.strerror(error.errno).lower() if error.errno else type(error).__name__
        raise KeyRefused(
            f"the key file {path.name} cannot be read ({told}): name a file, or correct its rights"
        ) from error
    except ValueError as error:
        raise KeyRefused(
            f"the key file {path.name} is not {2 * KEY_BYTES} hex digits: name the right file"
        ) from error
    if len(secret) != KEY_BYTES:
        raise KeyRefused(f"the key file {path.name} has {len(secret)} bytes, a key has {KEY_BYTES}")
    return secret
