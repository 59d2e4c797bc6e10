"""Known identifiers and amounts in text: where a text names a record of another system.

A number of six digits or more, or a code with letters and digits, is taken when it is a known id; a shorter
number only after a word such as "invoice", because years, counts and house numbers look the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

import polars as pl

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
_CHUNK = r"@?[\w\p{N}\-/.]*\d[\w\p{N}\-/.]*"
"""Holds every run with a digit, in the vectorised expressions' notion of letters and in Python's."""
_PLAIN_CHUNK = r"^[\-/.]*[A-Za-z0-9][\w\-/.]*$"
_SPACE = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What `str.strip` takes off."""

Named = TypeVar("Named")
"""How a caller tells records."""


class Mention(NamedTuple, Generic[Named]):
    """A place in a text that names records."""

    start: int
    end: int
    targets: tuple[Named, ...]
    method: str
    """"id", or "context" for short numbers after a context word."""


def normal_identifier(value: str) -> str:
    """Returns an identifier of a cell as it is compared: numbers without zeros in front or ".0" behind.

    Other text stands as it is. Spreadsheets turn columns of whole numbers with gaps into decimal ones.
    """
    value = value.strip()
    return _normal_word(value[:-2] if value.endswith(".0") and value[:-2].isdecimal() else value)


def _normal_word(word: str) -> str:
    """A word of a text as it is compared; "117.0" in a text is a version or a measure, no number of a row."""
    return word.lstrip("0") or "0" if word.isdecimal() else word


def normal(cell: pl.Expr) -> pl.Expr:
    """Returns `normal_identifier` of every cell of a column."""
    return _normal_words(cell.str.strip_chars(_SPACE).str.replace(r"^(\d+)\.0$", "${1}"))


def _normal_words(bare: pl.Expr) -> pl.Expr:
    number = bare.str.strip_chars_start("0")
    short = pl.when(number == "").then(pl.lit("0")).otherwise(number)
    return pl.when(~bare.str.contains(r"^\d+$")).then(bare).otherwise(short)


def is_identifier(cell: pl.Expr) -> pl.Expr:
    """Says of every normal identifier whether it can name a record in a text: no words, no short numbers."""
    return (cell.str.len_chars() >= _SHORTEST) & cell.str.contains(r"\d")


def candidates(texts: pl.Series) -> pl.DataFrame:
    """Returns what in texts might be identifiers: (row, chunk), each chunk a run of letters and digits."""
    frame = pl.DataFrame({"row": pl.int_range(len(texts), dtype=pl.UInt32, eager=True), "text": texts})
    return (
        frame.select("row", pl.col("text").str.extract_all(_CHUNK).alias("chunk"))
        .explode("chunk")
        .drop_nulls()
        .unique()
    )


def chunk_keys(chunks: pl.Series) -> pl.DataFrame:
    """Returns the normal identifiers that chunks of text might hold: (chunk, key)."""
    plain = pl.col("chunk").str.contains(_PLAIN_CHUNK) & (
        pl.col("chunk").str.len_bytes() == pl.col("chunk").str.len_chars()
    )
    frame = pl.DataFrame({"chunk": chunks.unique()})
    tokens = [
        pl.concat_list(pl.col("chunk").str.strip_chars("_-/.")),
        pl.col("chunk").str.extract_all(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"),
        pl.col("chunk").str.extract_all(r"[A-Za-z0-9]+"),
    ]
    clear = frame.filter(plain)
    split = clear.select("chunk", pl.concat_list(tokens).alias("key")).explode("key")
    odd = [(chunk, key) for chunk in frame.filter(~plain)["chunk"] for key in _tokens(chunk)]
    found = pl.concat([split, pl.DataFrame(odd, schema=split.schema, orient="row")])
    found = found.filter(pl.col("key").str.contains(r"\d"))
    upper = found.with_columns(pl.col("key").str.to_uppercase())
    return pl.concat([found.with_columns(_normal_words(pl.col("key"))), upper]).unique()


def _tokens(chunk: str) -> Iterator[str]:
    for run in _RUN.finditer(chunk):
        for start, end in _pieces(run):
            yield run.string[start:end]


class IdentifierIndex(Generic[Named]):
    """The identifiers that texts can name records by."""

    def __init__(self) -> None:
        """Starts empty."""
        self._targets: dict[str, list[Named]] = {}

    def add(self, value: str, target: Named) -> None:
        """Registers a record under an identifier; values without a digit or too short name nothing."""
        key = normal_identifier(value)
        if len(key) >= _SHORTEST and any(char.isdigit() for char in key):
            self._targets.setdefault(key, []).append(target)

    def mentions(self, text: str) -> list[Mention[Named]]:
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
        found: list[Mention[Named]] = []
        for start, end, targets in candidates:
            mention = _mention(text, start, end, targets)
            if mention is not None and not any(start < last and first < end for first, last in taken):
                found.append(mention)
                taken.append((start, end))
        return sorted(found, key=lambda mention: mention.start)

    def _named(self, token: str) -> list[Named] | None:
        return self._targets.get(_normal_word(token)) or self._targets.get(token.upper())


def signed_amounts(text: str) -> list[WrittenAmount]:
    """Returns the amounts of a text that carry a currency sign or code; plain "12k" is left out."""
    return [amount for amount in amounts_in(text) if not re.fullmatch(r"[\d.,]+\s?[kKmM]", amount.text)]


def equals_written(amount: WrittenAmount, minor: int) -> str | None:
    """Returns "exact" or "rounded" where a written amount states a record's amount, else None."""
    if amount.minor == minor:
        return "exact"
    if amount.rounding > 1 and abs(amount.minor - minor) * 2 <= amount.rounding:
        return "rounded"
    return None


def _mention(text: str, start: int, end: int, targets: list[Named]) -> Mention[Named] | None:
    token = text[start:end]
    if token.isdecimal() and len(_normal_word(token)) < _LONG:
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
