"""Known identifiers and amounts in text: where a text names a record of another system.

A number of six digits or more, or a code with letters and digits, is taken when it is a known id; a shorter
number only after a word such as "invoice", because years, counts and house numbers look the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from contracts.money import WrittenAmount, amounts_in

_RUN = re.compile(r"(?<![\w@])[^\W_](?:[\w\-/.]*[^\W_])?")
_PART = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_CONTEXT = re.compile(
    r"(?:\b(?:quotes?|quotations?|offers?|orders?|invoices?|inv|customers?|accounts?|tickets?|case|credit|memo|payments?"
    r"|document|doc|reference|ref|number|no|nr|po|rechnung|angebot|auftrag|kunde)\b|#)[\s.:#\-]*(?:\w{1,10}[\s.:#\-]+)?$",
    re.IGNORECASE,
)
_CONTEXT_WINDOW = 40
_LONG = 6
_SHORTEST = 3


class Target(NamedTuple):
    """A record's cell that an identifier names."""

    table: str
    column: str
    record_id: str


class Mention(NamedTuple):
    """A place in a text that names records."""

    start: int
    end: int
    targets: tuple[Target, ...]
    method: str
    """"id", or "context" for short numbers after a context word."""


def normal_identifier(value: str) -> str:
    """Returns an identifier as it is compared: numbers without leading zeros, other text as it stands."""
    value = value.strip()
    return value.lstrip("0") or "0" if value.isdecimal() else value


class IdentifierIndex:
    """The identifiers of all records, for whole cells and for text."""

    def __init__(self) -> None:
        """Starts empty."""
        self._targets: dict[str, list[Target]] = {}

    def add(self, value: str, target: Target) -> None:
        """Registers a record under an identifier; values without a digit or too short name nothing."""
        normal = normal_identifier(value)
        if len(normal) >= _SHORTEST and any(char.isdigit() for char in normal):
            self._targets.setdefault(normal, []).append(target)

    def cell(self, value: str) -> tuple[Target, ...]:
        """Returns the records that a whole cell names."""
        return tuple(self._targets.get(normal_identifier(value), ()))

    def mentions(self, text: str) -> list[Mention]:
        """Returns the places of a text that name records, in order, none overlapping another."""
        candidates = [
            (start, end, targets)
            for run in _RUN.finditer(text)
            if _DIGIT.search(run.group()) and text[run.end() : run.end() + 1] != "@"
            for start, end in _pieces(run)
            if (targets := self._named(text[start:end]))
        ]
        if not candidates:
            return []
        taken = [(amount.start, amount.end) for amount in signed_amounts(text)]
        found: list[Mention] = []
        for start, end, targets in candidates:
            mention = _mention(text, start, end, targets)
            if mention is not None and not any(start < last and first < end for first, last in taken):
                found.append(mention)
                taken.append((start, end))
        return sorted(found)

    def _named(self, token: str) -> list[Target] | None:
        return self._targets.get(normal_identifier(token)) or self._targets.get(token.upper())


def signed_amounts(text: str) -> list[WrittenAmount]:
    """Returns the amounts of a text that carry a currency sign or code; plain "12k" is left out."""
    return [amount for amount in amounts_in(text) if not re.fullmatch(r"[\d.,]+[kK]", amount.text)]


def equals_written(amount: WrittenAmount, minor: int) -> str | None:
    """Returns "exact" or "rounded" where a written amount states a record's amount, else None."""
    if amount.minor == minor:
        return "exact"
    if amount.rounding > 1 and abs(amount.minor - minor) * 2 <= amount.rounding:
        return "rounded"
    return None


def _mention(text: str, start: int, end: int, targets: list[Target]) -> Mention | None:
    token = text[start:end]
    if token.isdecimal() and len(normal_identifier(token)) < _LONG:
        if not _CONTEXT.search(text[max(0, start - _CONTEXT_WINDOW) : start]):
            return None
        return Mention(start, end, tuple(targets), "context")
    return Mention(start, end, tuple(targets), "id")


def _pieces(run: re.Match[str]) -> list[tuple[int, int]]:
    """The whole run, then its parts joined by "-", then its words: the longest known one is taken."""
    spans = [run.span()]
    for pattern in (_PART, _WORD):
        spans += [
            (run.start() + part.start(), run.start() + part.end()) for part in pattern.finditer(run.group())
        ]
    return list(dict.fromkeys(spans))
