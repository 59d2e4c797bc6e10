"""Ids and hashes of canonical rows, derived from content, so that a second reading gives the same ones."""

from __future__ import annotations

import json
from collections.abc import Mapping

from contracts.canonical import canonical_bytes, sha256_hex

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Gives the bytes of canonical JSON for flat lists of strings and integers, without checking them."""


def content_digest(data: bytes) -> str:
    """Returns the SHA-256 of raw bytes."""
    return sha256_hex(data)


def row_digest(values: Mapping[str, str | None] | list[list[str]]) -> str:
    """Returns the SHA-256 of a row's canonical JSON."""
    return sha256_hex(canonical_bytes(dict(values) if isinstance(values, Mapping) else values))


def row_id(prefix: str, digest: str) -> str:
    """Returns the id of a row: a letter for its table and 16 hex digits."""
    return f"{prefix}-{digest[:16]}"


def derived_id(prefix: str, *parts: str | int) -> str:
    """Returns the id of a row that is named by its place or key rather than by its bytes."""
    return row_id(prefix, sha256_hex(_ENCODER.encode([prefix, *parts]).encode()))
