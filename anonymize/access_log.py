"""The access log: who used the key of a dataset, when, for what and why; lines are only ever added.

Belongs here: `vault/access.jsonl` and its chain. Every line is bound to the one before by its SHA-256 and
signed under the vault's data key; the reason is encrypted, as it may name a person. Where it ends is kept in
the vault, so that lines missing at the end are noticed too. Does not belong here: what was accessed.
"""

from __future__ import annotations

import base64
import fcntl
import getpass
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from anonymize.errors import AccessRefused, VaultError
from anonymize.keys import KEY_BYTES, DatasetKey
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.store import replace_file

LOG_FILE = "access.jsonl"
CLOSED = "access-{}.closed.jsonl"
"""What a log is called once the vault is forgotten."""
HEAD = "access_head"
_START = hashlib.sha256(b"rl-dojo access log").hexdigest()
_NONCE_BYTES = 12
LONGEST_REASON = 1_000


@dataclass(frozen=True)
class Access:
    """One use of a dataset's key."""

    number: int
    time: str
    """UTC, ISO 8601."""
    user: str
    action: str
    """A word such as reveal, rotate, erase, forget, review."""
    reason: str
    counts: dict[str, int]
    """What was touched, in numbers."""


def record_access(
    home: DatasetHome, key: DatasetKey, action: str, reason: str, counts: Mapping[str, int]
) -> Access:
    """Returns the access that was added to the log of a dataset; called before what it tells of is done.

    Raises:
        AccessRefused: the reason is empty or longer than `LONGEST_REASON` characters.
        VaultError: the log was cut or edited, or was written with another key.
    """
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise AccessRefused(
            f"a reason is needed (at most {LONGEST_REASON} characters): it stands in the access log"
        )
    home.vault.mkdir(parents=True, exist_ok=True)
    home.vault.chmod(0o700)
    descriptor = os.open(home.vault / LOG_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _drop_torn_line(file.fileno(), file.read())
        known, last = _read(home, key)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        access = Access(len(known) + 1, now, _user(), action, reason, dict(counts))
        line = _line(access, last, key)
        file.seek(0, os.SEEK_END)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
        Vault(home.vault, key).save_part(HEAD, {"lines": access.number, "last": _digest(line)})
    return access


def read_access_log(home: DatasetHome, key: DatasetKey) -> list[Access]:
    """Returns all accesses in order; empty where none was recorded.

    Raises:
        VaultError: the log was cut or edited, or was written with another key.
    """
    return _read(home, key)[0]


def read_closed_log(home: DatasetHome) -> list[Access]:
    """Returns the accesses of a dataset whose vault was forgotten, in order, without reasons.

    The chain is verified; signatures cannot be, nor reasons read, as their keys are gone.

    Raises:
        VaultError: a closed log was cut within or edited.
    """
    found: list[Access] = []
    for path in sorted(home.vault.glob(CLOSED.format("*")), key=lambda path: (len(path.name), path.name)):
        last = _START
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            try:
                content = json.loads(line)
                if content["previous"] != last or content["n"] != number:
                    raise _broken(number)
                found.append(
                    Access(number, content["time"], content["user"], content["action"], "", content["counts"])
                )
            except (ValueError, KeyError, TypeError):
                raise _broken(number) from None
            last = _digest(line)
    return found


def reseal_log(home: DatasetHome, key: DatasetKey, folder: Path, new: DatasetKey) -> int:
    """Writes the log into another vault folder, signed and encrypted under other keys; returns its lines.

    Raises:
        VaultError: the log was cut or edited: it is not signed anew.
    """
    accesses, _ = _read(home, key)
    last, lines = _START, []
    for access in accesses:
        lines.append(_line(access, last, new))
        last = _digest(lines[-1])
    if lines:
        replace_file(folder / LOG_FILE, b"".join(line + b"\n" for line in lines), private=True)
        Vault(folder, new).save_part(HEAD, {"lines": len(lines), "last": last})
    return len(lines)


def _read(home: DatasetHome, key: DatasetKey) -> tuple[list[Access], str]:
    path = home.vault / LOG_FILE
    lines = path.read_bytes().splitlines() if path.is_file() else []
    accesses: list[Access] = []
    last, ends = _START, [_START]
    for number, line in enumerate(lines, start=1):
        accesses.append(_opened(line, number, last, key))
        last = _digest(line)
        ends.append(last)
    head: dict[str, Any] = Vault(home.vault, key).load_part(HEAD) or {"lines": 0, "last": _START}
    # A run that was killed between line and head leaves one signed line more than the head knows.
    if head["lines"] >= len(ends) or ends[head["lines"]] != head["last"]:
        raise _broken(head["lines"])
    return accesses, last


def _line(access: Access, last: str, key: DatasetKey) -> bytes:
    content: dict[str, Any] = {
        "n": access.number,
        "time": access.time,
        "user": access.user,
        "action": access.action,
        "counts": access.counts,
        "reason": _sealed(access.reason, last, key),
        "previous": last,
    }
    content["mac"] = _mac(content, key)
    return json.dumps(content, ensure_ascii=True, sort_keys=True).encode()


def _opened(line: bytes, number: int, last: str, key: DatasetKey) -> Access:
    try:
        content = json.loads(line)
        mac = content.pop("mac")
        signed = hmac.compare_digest(mac, _mac(content, key))
        if not signed or content["previous"] != last or content["n"] != number:
            raise _broken(number)
        sealed = base64.b64decode(content["reason"])
        reason = _cipher(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], last.encode())
    except (ValueError, KeyError, TypeError, AttributeError, InvalidTag):
        raise _broken(number) from None
    return Access(
        number, content["time"], content["user"], content["action"], reason.decode(), content["counts"]
    )


def _broken(number: int) -> VaultError:
    return VaultError(
        f"the access log is broken at line {number}: it was cut or edited, or belongs to another key; keep "
        f"{LOG_FILE} and {HEAD}.bin as evidence outside the vault folder, then a new log begins"
    )


def _drop_torn_line(descriptor: int, content: bytes) -> None:
    """Cuts what a killed run left of a line: without its end it was never finished, nor what it tells of."""
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.ftruncate(descriptor, whole)


def _sealed(reason: str, last: str, key: DatasetKey) -> str:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return base64.b64encode(nonce + _cipher(key).encrypt(nonce, reason.encode(), last.encode())).decode()


def _cipher(key: DatasetKey) -> AESGCM:
    return AESGCM(_purpose(key, b"reasons"))


def _purpose(key: DatasetKey, purpose: bytes) -> bytes:
    """Returns a key that follows from the vault's data key, so that none of before opens a resealed log."""
    info = b"rl-dojo/access-log/" + purpose
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(key.vault)


def _mac(content: Mapping[str, Any], key: DatasetKey) -> str:
    data = json.dumps(content, ensure_ascii=True, sort_keys=True).encode()
    return hmac.digest(_purpose(key, b"lines"), data, "sha256").hex()


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return f"uid {os.getuid()}"
