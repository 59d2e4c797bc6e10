"""Which messages belong to one conversation: headers first, then quoted words, then subject and people.

Belongs here: the evidence and its order. Subjects are read in `archive.subjects`; ids come from
`archive.message`. Nothing grows faster than the number of messages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from archive.subjects import base_subject, has_reply_prefix, is_generic

__all__ = ["Threaded", "assign_threads", "base_subject", "has_reply_prefix", "sentence_marks"]

_MAX_GAP_DAYS = 45
"""A reply without references joins a thread of its subject that was alive within so many days."""
_COMMON_GAP_DAYS = 30
_GENERIC_GAP_DAYS = 14
_RESENT_GAP_DAYS = 2
_COMMON_STARTS = 4
"""A subject that more messages than this begin anew says little."""
_TELLING = 10
"""Characters; a longer subject joins mails that share only a third party, as a list."""
_CANDIDATES = 40
"""Earlier messages of one subject that a reply is compared with."""
_BOILERPLATE = 4
"""A sentence that more messages than this have as their own words is no evidence of quoting."""
_SKEW = 86_400
"""Seconds that clocks may differ: so much later may a message be than one that quotes it."""
_MARK_BYTES = 8
_READ = 16_000
"""Characters of a text whose sentences are marked."""
_LEADING = re.compile(r"^[ \t>|*]+", re.MULTILINE)
_HEADERLIKE = re.compile(r"^(?:[\w-]{2,14}[ \t]?:.*|.*:[ \t]*)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?。！？]+(?:\s+|$)|\n\s*\n")
_WORDS = re.compile(r"\w+")


class Threaded(NamedTuple):
    """What threading needs to know of a message."""

    message_id: str
    header_id: str
    references: tuple[str, ...]
    """References and In-Reply-To."""
    calendar_ids: tuple[str, ...]
    """What else names its conversation: UIDs of calendar items, conversation ids of mail programs."""
    subject: str
    day: int
    """Days since some fixed date; 0 where the message has none."""
    second: int
    participants: frozenset[str]
    """Sender and recipients, and those of the messages that it quotes with their headers."""
    sender: str = ""
    own: bytes = b""
    """`sentence_marks` of its own words."""
    quoted: bytes = b""
    """`sentence_marks` of what it quotes."""


def sentence_marks(text: str, limit: int) -> bytes:
    """Returns the hashes of a text's first sentences, eight bytes each; equal however lines are wrapped.

    Quote marks do not count, nor short sentences and header lines.
    """
    if not text:
        return b""
    cleaned = _HEADERLIKE.sub("\n", _LEADING.sub("", text[:_READ]))
    marks: dict[bytes, None] = {}
    for sentence in _SENTENCE_END.split(cleaned):
        words = _WORDS.findall(sentence.lower())
        if len(words) >= 5 or sum(map(len, words)) >= 24:
            marks[blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=_MARK_BYTES).digest()] = (
                None
            )
            if len(marks) == limit:
                break
    return b"".join(marks)


def assign_threads(messages: Sequence[Threaded]) -> dict[str, str]:
    """Returns message id -> thread id; the thread is called after its earliest message.

    Referenced messages that are not in the archive still join those that name them. The order in which
    messages are given does not matter.
    """
    ordered = sorted(messages, key=lambda message: (message.day, message.second, message.message_id))
    groups = _Groups(len(ordered))
    bases = [base_subject(message.subject) for message in ordered]
    answered = _join_by_ids(groups, ordered)
    answered |= _join_by_quotes(groups, ordered, bases)
    _join_by_subject(groups, ordered, bases, answered)
    names: dict[int, str] = {}
    threads = {}
    for number, message in enumerate(ordered):
        root = groups.root(number)
        names.setdefault(root, "th-" + message.message_id.removeprefix("m-"))
        threads[message.message_id] = names[root]
    return threads


class _Groups:
    """Disjoint sets of messages by number; the lowest number is a set's root."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def root(self, node: int) -> int:
        parents = self._parents
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    def join(self, one: int, other: int) -> None:
        first, second = self.root(one), self.root(other)
        if first != second:
            self._parents[max(first, second)] = min(first, second)


def _join_by_ids(groups: _Groups, ordered: Sequence[Threaded]) -> set[int]:
    """Joins what headers join; returns the messages whose parent is here."""
    named: dict[str, int] = {}
    kept = {message.header_id for message in ordered if message.header_id}
    answered = set()
    for number, message in enumerate(ordered):
        for name in (message.header_id, *message.references, *message.calendar_ids):
            if name:
                groups.join(number, named.setdefault(name, number))
        if any(name in kept and name != message.header_id for name in message.references):
            answered.add(number)
    return answered


def _marks(packed: bytes) -> Iterable[bytes]:
    return (packed[at : at + _MARK_BYTES] for at in range(0, len(packed), _MARK_BYTES))


def _join_by_quotes(groups: _Groups, ordered: Sequence[Threaded], bases: Sequence[str]) -> set[int]:
    """Joins messages to those whose own words they quote; returns the joined ones."""
    sources: dict[bytes, list[int]] = {}
    for number, message in enumerate(ordered):
        for mark in _marks(message.own):
            held = sources.setdefault(mark, [])
            if len(held) <= _BOILERPLATE:
                held.append(number)
    joined = set()
    for number, message in enumerate(ordered):
        hits: Counter[int] = Counter()
        for mark in _marks(message.quoted):
            held = sources.get(mark, [])
            if len(held) <= _BOILERPLATE:
                hits.update(held)
        found = [
            (bases[source] == bases[number], count, source)
            for source, count in hits.items()
            if source != number
            and _quotes(message, ordered[source], count, same_subject=bases[source] == bases[number])
        ]
        # Of texts that recur in several conversations, the one of this subject is quoted, else the latest.
        found = _nearest_twins(message, found, ordered)
        best = max(found, default=None)
        for same, _, source in found:
            if best is not None and (same or source == best[2]):
                groups.join(number, source)
                joined.add(number)
    return joined


def _nearest_twins(
    message: Threaded, found: Sequence[tuple[bool, int, int]], ordered: Sequence[Threaded]
) -> list[tuple[bool, int, int]]:
    """Of earlier messages with the same words, the one that most people of this message had; the latest."""
    nearest: dict[bytes, tuple[int, int, tuple[bool, int, int]]] = {}
    for entry in found:
        source = ordered[entry[2]]
        shared = len(message.participants & source.participants)
        nearest[source.own] = max(nearest.get(source.own, (0, -1, entry)), (shared, entry[2], entry))
    return [entry for _, _, entry in nearest.values()]


def _quotes(message: Threaded, source: Threaded, hits: int, same_subject: bool) -> bool:
    """Says whether shared sentences prove that a message quotes an earlier one, and no twin of it.

    A text that one person sends to many is quoted in the answer of each: only who had it can quote it.
    """
    later = (source.day - message.day) * 86_400 + source.second - message.second
    if later > _SKEW and source.day and message.day:
        return False
    total = len(source.own) // _MARK_BYTES
    if hits < min(2, total) or 3 * hits < total:
        return False
    if _had(message, source):
        return True
    return hits >= (2 if same_subject else 4) and bool(_third_parties(message, source))


def _had(message: Threaded, source: Threaded) -> bool:
    """Says whether the author of a message sent or got an earlier one, and had company in both."""
    if not message.sender:
        return len(message.participants & source.participants) >= min(2, len(message.participants))
    if message.sender not in source.participants:
        return False
    return message.sender != source.sender or len(message.participants & source.participants) >= 2


def _third_parties(message: Threaded, source: Threaded) -> frozenset[str]:
    """Addresses of both messages that wrote neither, as a mailing list's."""
    return message.participants & source.participants - {message.sender, source.sender}


def _join_by_subject(
    groups: _Groups, ordered: Sequence[Threaded], bases: Sequence[str], answered: set[int]
) -> None:
    replies = [has_reply_prefix(message.subject) for message in ordered]
    starts = Counter(base for base, reply in zip(bases, replies, strict=True) if not reply)
    latest: dict[str, list[int]] = {}
    for number, message in enumerate(ordered):
        base = bases[number]
        if not base:
            continue
        earlier = latest.setdefault(base, [])
        if earlier and _is_sent_again(message, ordered[earlier[-1]]):
            groups.join(number, earlier[-1])
        elif replies[number] and number not in answered:
            days = _GENERIC_GAP_DAYS if is_generic(base) else _MAX_GAP_DAYS
            days = min(days, _COMMON_GAP_DAYS) if starts[base] > _COMMON_STARTS else days
            for candidate in reversed(earlier[-_CANDIDATES:]):
                if _follows(message, ordered[candidate], days, telling=len(base) >= _TELLING):
                    groups.join(number, candidate)
                    break
        earlier.append(number)


def _follows(message: Threaded, earlier: Threaded, days: int, telling: bool) -> bool:
    """Says whether people and time make a reply one to an earlier message of its subject."""
    dated = bool(message.day and earlier.day)
    if dated and message.day - earlier.day > days:
        return False
    shared = len(message.participants & earlier.participants)
    if not dated or days < _MAX_GAP_DAYS:
        return shared >= 2 and _had(message, earlier)
    if shared >= min(2, len(message.participants)) and _had(message, earlier):
        return True
    if not (message.sender and earlier.sender):
        return False
    if message.sender != earlier.sender and message.sender in earlier.participants:
        # Who got the earlier message passes it on to others.
        return message.day - earlier.day <= _GENERIC_GAP_DAYS
    return telling and bool(_third_parties(message, earlier))


def _is_sent_again(message: Threaded, earlier: Threaded) -> bool:
    """Says whether one sends the same words under the same subject again to the same people."""
    return (
        (message.own, message.quoted) == (earlier.own, earlier.quoted) != (b"", b"")
        and message.sender == earlier.sender != ""
        and len(message.participants & earlier.participants) >= 2
        and message.day - earlier.day <= _RESENT_GAP_DAYS
    )
