"""Mail addresses spelt out against harvesters: "ann dot lee at acme dot com", "ann.lee (at) acme.com".

Belongs here: finding them, and writing another address in the same way. Does not belong here: whose address
it is (`surrogates`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_OPEN, _CLOSE = r"\s*[\[({<]\s*", r"\s*[\])}>]\s*"
_AT = rf"(?:\s+at\s+|{_OPEN}(?:at|@){_CLOSE})"
_DOT = rf"(?:\s+dot\s+|{_OPEN}(?:dot|\.){_CLOSE}|\.)"
_LABEL = r"[^\W_](?:[\w+-]{0,40}[^\W_])?"
_ADDRESS = re.compile(
    rf"(?<![\w@.-]){_LABEL}(?:{_DOT}{_LABEL}){{0,5}}{_AT}{_LABEL}(?:{_DOT}{_LABEL}){{1,4}}(?![\w@-])",
    re.IGNORECASE,
)
_JOINTS = re.compile(f"({_AT})|({_DOT})", re.IGNORECASE)
SPELT = re.compile(r"\bdot\b|[\[({<]\s*(?:at|@|dot|\.)\s*[\])}>]", re.IGNORECASE)


class SpeltAddress(NamedTuple):
    """An address that a text spells out."""

    start: int
    end: int
    address: str


def spelt_addresses(text: str) -> Iterator[SpeltAddress]:
    """Yields the addresses that a text spells out; "look at acme.com" is none."""
    if not SPELT.search(text):
        return
    for match in _ADDRESS.finditer(text):
        if SPELT.search(match.group()):
            yield SpeltAddress(match.start(), match.end(), _closed(match.group()))


def _closed(written: str) -> str:
    return _JOINTS.sub(lambda joint: "@" if joint[1] else ".", written).lower()


def spelt_like(written: str, address: str) -> str:
    """Returns another address spelt out as a written one is."""
    joints = [(joint.group(), bool(joint[1])) for joint in _JOINTS.finditer(written)]
    at = next((text for text, is_at in joints if is_at), "@")
    dot = next((text for text, is_at in joints if not is_at and text != "."), ".")
    local, _, domain = address.partition("@")
    own = "." if "." in written.lower().partition(at.lower())[0] and dot != "." else dot
    return local.replace(".", own) + at + domain.replace(".", dot)
