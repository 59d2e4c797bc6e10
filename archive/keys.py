"""Proposals which columns tell the rows of an unknown table apart.

Belongs here: keys of one table, from its rows. Does not belong here: references between tables
(`archive.references`). Proposals carry a confidence; a person or the manifest decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, takewhile
from typing import NamedTuple

import polars as pl

from archive.column_words import KEYS, column_words, is_unnamed
from archive.columns import guess_spec
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

PEEK_ROWS = 20_000
"""Rows from which kinds of columns are guessed where nobody says them, and pairs are first tried."""
_MOST_PARTS = 8
_FEW_ROWS = 10
_LEAST_ROWS = 5
"""With fewer rows, all values of a column differ by chance."""
_K = ColumnKind
_UNFIT = (_K.MONEY, _K.QUANTITY, _K.RATE, _K.FLAG, _K.URL, _K.STREET, _K.PHONE)
_WEIGHT = {
    _K.ID: 0.85,
    _K.LOGIN: 0.8,
    _K.CODE: 0.7,
    _K.EMAIL: 0.65,
    _K.COMPANY: 0.65,
    _K.CATEGORY: 0.6,
    _K.PERSON: 0.55,
    _K.MEASURE: 0.4,
    _K.DATE: 0.2,
    _K.DATETIME: 0.2,
}
_OTHER = 0.3


class KeyProposal(NamedTuple):
    """Columns that could be the key of a table."""

    columns: tuple[str, ...]
    confidence: float
    why: str


def propose_keys(
    table: pl.DataFrame, name: str = "", specs: Mapping[str, ColumnSpec] | None = None
) -> list[KeyProposal]:
    """Returns the keys that a table could have, surest first; none where rows repeat in everything telling.

    Args:
        table: its own columns as strings, without provenance; empty cells null.
        name: of the table, which ids are often called after.
        specs: what its columns hold; guessed where None.
    """
    if table.height == 0 or not table.columns:
        return []
    known = guessed_specs(table) if specs is None else specs
    counts = table.select(pl.all().n_unique(), pl.all().null_count().name.suffix("\x00nulls")).row(
        0, named=True
    )
    proposals = []
    leading = sum(1 for _ in takewhile(lambda column: counts[column] == 1, table.columns))
    for position, column in enumerate(table.columns, start=-leading if leading < len(table.columns) else 0):
        kind = known[column].kind if column in known else _K.TEXT
        nulls = counts[f"{column}\x00nulls"]
        distinct = counts[column] - (1 if nulls else 0)
        if distinct == table.height - nulls > 0 and nulls * 10 <= table.height and kind not in _UNFIT:
            proposals.append(_single(column, position, kind, name, table.height, nulls))
    proposals.sort(key=lambda proposal: -proposal.confidence)
    if not proposals or proposals[0].confidence < 0.7:
        parts = _parts(table, known, {column: counts[column] for column in table.columns}, counts)
        proposals = sorted([*proposals, *_joined(table, parts)], key=lambda proposal: -proposal.confidence)
    return proposals


def guessed_specs(table: pl.DataFrame) -> dict[str, ColumnSpec]:
    """Returns what the columns of a table seem to hold, from the values of its first rows."""
    head = table.head(PEEK_ROWS)
    return {
        column: guess_spec(column, head[column].drop_nulls().unique(maintain_order=True).to_list())
        for column in table.columns
    }


def name_of_table(name: str) -> list[str]:
    """Returns the words of a table's name, the last one in singular, without words of exports ("_data")."""
    words = [word for word in column_words(name) if word not in ("data", "export", "csv", "table")]
    return [*words[:-1], singular(words[-1])] if words else []


def singular(word: str) -> str:
    """Returns the singular of an English noun, near enough to compare names."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return (
        word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
    )


def _single(column: str, position: int, kind: ColumnKind, table: str, rows: int, nulls: int) -> KeyProposal:
    words = column_words(column)
    confidence = _WEIGHT.get(kind, _OTHER) - (0.1 if nulls else 0)
    reasons = ["every row has another value" if not nulls else f"no value twice, {nulls} rows without one"]
    if words and (words[-1] in KEYS or words[-1].endswith("id")):
        own = [singular(word) for word in words[:-1]]
        if not own or own == name_of_table(table):
            confidence += 0.1
            reasons.append("named as the id of its table")
        elif kind is _K.MEASURE:
            confidence += 0.2
    if position == 0:
        confidence += 0.1
        reasons.append("first column")
    elif not words or words[-1] not in KEYS:
        confidence -= 0.1
    if rows < _FEW_ROWS:
        confidence -= 0.1 if rows >= _LEAST_ROWS or "named as the id of its table" in reasons else 0.3
        reasons.append("few rows")
    if not words or is_unnamed(column):
        confidence = min(confidence, 0.3)
        reasons.append("a running number without a name")
    return KeyProposal((column,), round(max(0.05, min(0.97, confidence)), 2), ", ".join(reasons))


def _parts(
    table: pl.DataFrame,
    known: Mapping[str, ColumnSpec],
    distinct: Mapping[str, int],
    counts: Mapping[str, int],
) -> list[str]:
    """Columns that a joint key could consist of: identifying, filled, neither constant nor unique."""
    fit = []
    for position, column in enumerate(table.columns):
        kind = known[column].kind if column in known else _K.TEXT
        filled = counts[f"{column}\x00nulls"] == 0
        whole = kind in (_K.ID, _K.CODE, _K.LOGIN, _K.EMAIL, _K.DATE, _K.DATETIME) or (
            kind in (_K.MEASURE, _K.CATEGORY, _K.PERSON, _K.COMPANY) and position < 6
        )
        if filled and whole and 1 < distinct[column] < table.height:
            dated = kind in (_K.DATE, _K.DATETIME, _K.MEASURE)
            fit.append((dated, -(kind is _K.ID), position, column))
    return [column for *_, column in sorted(fit)[:_MOST_PARTS]]


def _joined(table: pl.DataFrame, parts: list[str]) -> list[KeyProposal]:
    """The shortest joint keys; a part of it is tried on the first rows before all of them."""
    order = {column: position for position, column in enumerate(table.columns)}
    head = table.head(PEEK_ROWS)
    for size in (2, 3, 4):
        found = []
        for chosen in combinations(sorted(parts, key=lambda column: order[column]), size):
            if head.select(pl.struct(chosen).n_unique()).item() < head.height:
                continue
            if (
                table.height > head.height
                and table.select(pl.struct(chosen).n_unique()).item() < table.height
            ):
                continue
            ids = sum(
                column_words(column)[-1:] != [] and column_words(column)[-1] in KEYS for column in chosen
            )
            rank = sum(parts.index(column) for column in chosen)
            confidence = 0.6 + 0.08 * ids - 0.03 * rank - (0.15 if table.height < _FEW_ROWS else 0)
            told = f"no two rows agree in all {size}"
            found.append(KeyProposal(chosen, round(max(0.1, min(0.85, confidence)), 2), told))
        if found:
            return sorted(found, key=lambda proposal: -proposal.confidence)[:5]
    return []
