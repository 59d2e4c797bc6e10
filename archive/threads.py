"""Which messages belong to one conversation: reference headers first, then subject and participants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_PREFIX = re.compile(
    r"^\s*(?:(?:re|fwd?|aw|wg|antw|tr|sv|accepted|declined|tentative|invitation|updated invitation|canceled"
    r"|cancelled|automatic reply|out of office)(?:\[\d+\])?\s*:\s*)+",
    re.IGNORECASE,
)
_MAX_GAP_DAYS = 45
"""A reply without references joins a thread of its subject that was alive within so many days."""


class Threaded(NamedTuple):
    """What threading needs to know of a message."""

    message_id: str
    header_id: str
    references: tuple[str, ...]
    """References and In-Reply-To."""
    calendar_ids: tuple[str, ...]
    """UIDs of its calendar items: an invite, its changes and answers are one conversation."""
    subject: str
    day: int
    """Days since some fixed date; 0 where the message has none."""
    second: int
    participants: frozenset[str]


def base_subject(subject: str) -> str:
    """Returns a subject without reply and forward prefixes, folded to compare."""
    return " ".join(_PREFIX.sub("", subject).casefold().split())


def has_reply_prefix(subject: str) -> bool:
    """Says whether a subject shows that the message answers or forwards another."""
    return _PREFIX.match(subject) is not None


def assign_threads(messages: Sequence[Threaded]) -> dict[str, str]:
    """Returns message id -> thread id; the thread is called after its earliest message.

    Referenced messages that are not in the archive still join those that name them.
    """
    parents: dict[str, str] = {}
    for message in messages:
        node = f"<{message.message_id}"
        parents.setdefault(node, node)
        for name in (message.header_id, *message.references, *message.calendar_ids):
            if name:
                _join(parents, node, name)
    ordered = sorted(messages, key=lambda message: (message.day, message.second, message.message_id))
    _join_by_subject(parents, ordered)
    names: dict[str, str] = {}
    for message in ordered:
        names.setdefault(
            _root(parents, f"<{message.message_id}"), "th-" + message.message_id.removeprefix("m-")
        )
    return {message.message_id: names[_root(parents, f"<{message.message_id}")] for message in messages}


def _join_by_subject(parents: dict[str, str], ordered: Sequence[Threaded]) -> None:
    latest: dict[str, list[Threaded]] = {}
    for message in ordered:
        subject = base_subject(message.subject)
        if subject and has_reply_prefix(message.subject) and not message.references:
            for earlier in reversed(latest.get(subject, [])):
                if message.day - earlier.day > _MAX_GAP_DAYS:
                    break
                if len(message.participants & earlier.participants) >= min(2, len(message.participants)):
                    _join(parents, f"<{message.message_id}", f"<{earlier.message_id}")
                    break
        latest.setdefault(subject, []).append(message)


def _root(parents: dict[str, str], node: str) -> str:
    parents.setdefault(node, node)
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


def _join(parents: dict[str, str], one: str, other: str) -> None:
    first, second = _root(parents, one), _root(parents, other)
    if first != second:
        parents[max(first, second)] = min(first, second)
