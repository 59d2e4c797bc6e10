"""Canonical JSON, digests and the hash chain: the bytes that hashes are taken over.

Canonical JSON holds integers, strings, true, false, null, lists and string-keyed objects only, so that
one value has one byte form on every machine and Python version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

CanonicalValue = None | bool | int | str | list["CanonicalValue"] | dict[str, "CanonicalValue"]

CHAIN_START = "0" * 64


class CanonicalError(ValueError):
    """A value has no canonical form, or stored bytes are not what their hash says."""


def canonical_bytes(value: object) -> bytes:
    """Returns the one UTF-8 byte form of a value: sorted keys, no spaces, no floats.

    Raises:
        CanonicalError: the value holds a float, a non-string key or another type, with its path.
    """
    if not _is_canonical(value):
        _require_canonical(value, "$")
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def sha256_hex(data: bytes) -> str:
    """Returns the SHA-256 of bytes as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: object) -> str:
    """Returns the SHA-256 of a value's canonical bytes."""
    return sha256_hex(canonical_bytes(value))


_PLAIN = frozenset({type(None), bool, int, str})


def _is_canonical(value: object) -> bool:
    """Says quickly of most values that they have a canonical form; of others the slow way tells."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is dict:
        return all(
            type(key) is str and (type(item) in _PLAIN or _is_canonical(item))
            for key, item in value.items()  # type: ignore[attr-defined]
        )
    if kind is list or kind is tuple:
        return all(type(item) in _PLAIN or _is_canonical(item) for item in value)  # type: ignore[attr-defined]
    return False


def _require_canonical(value: object, path: str) -> None:
    if value is None or isinstance(value, bool | int | str):
        return
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _require_canonical(item, f"{path}[{index}]")
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise CanonicalError(f"{path} has the key {key!r}: canonical JSON has string keys only")
            _require_canonical(item, f"{path}.{key}")
        return
    raise CanonicalError(
        f"{path} is a {type(value).__name__}: canonical JSON has integers, strings, booleans, null"
    )


def chain_lines(values: Iterable[dict[str, object]], previous: str = CHAIN_START) -> Iterator[bytes]:
    """Yields stored lines (with newline), each naming in `prev` the SHA-256 of the line before it."""
    for value in values:
        line = canonical_bytes({**value, "prev": previous}) + b"\n"
        previous = sha256_hex(line)
        yield line


def verify_chain(lines: Iterable[bytes]) -> str:
    """Returns the SHA-256 of the last line of an intact chain (the chain start for no lines).

    Raises:
        CanonicalError: a line is not JSON or does not name the line before it, with its number (from 1).
    """
    previous = CHAIN_START
    for number, line in enumerate(lines, start=1):
        try:
            stored = json.loads(line)
        except ValueError as error:
            raise CanonicalError(f"line {number} is not JSON: the log was cut or edited") from error
        if not isinstance(stored, dict) or stored.get("prev") != previous:
            raise CanonicalError(f"line {number} does not continue the chain: the log was edited")
        previous = sha256_hex(line)
    return previous
