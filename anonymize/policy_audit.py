"""The audit of columns that a policy treats: each cell must be what its rule promises.

Belongs here: which columns a rule wrote, by the ledger, and the demand on them. Does not belong here: rules
(`policy`), columns that are pseudonymised (`column_audit`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl

from anonymize.ledger import LEDGER_PREFIX
from archive.store import TableStore
from contracts.policy import Action

_RANGE = re.compile(r"(?:-?\d+(?:\.\d+)?)?\.\.(?:-?\d+(?:\.\d+)?)?")

Ruled = dict[tuple[str, str], Action]


def ruled_columns(ledger: pl.DataFrame) -> Ruled:
    """Returns the columns that a rule of the policy wrote whole."""
    withheld = LEDGER_PREFIX + Action.QUARANTINE.value
    written = ledger.filter(pl.col("kind").str.starts_with(LEDGER_PREFIX) & (pl.col("kind") != withheld))
    rows = written.select("table", "column", "kind").unique().sort("table", "column").iter_rows()
    return {(table, column): Action(kind.removeprefix(LEDGER_PREFIX)) for table, column, kind in rows}


def unruled_cells(raw: TableStore, pending: TableStore, ruled: Ruled) -> dict[str, tuple[str, int]]:
    """Returns "table.column" -> the rule's name in the ledger and how many distinct cells break it."""
    found: dict[str, tuple[str, int]] = {}
    for (table, column), action in ruled.items():
        after = pending.read(table)[column]
        if action is Action.BIN and after.dtype.is_numeric():
            continue  # lower bounds, which a raw number may equal
        pairs = _pairs(raw.read(table)[column], after)
        wrong = sum(not _FITS[action](before, after) for before, after in pairs)
        if wrong:
            found[f"{table}.{column}"] = (LEDGER_PREFIX + action.value, wrong)
    return found


def _pairs(before: pl.Series, after: pl.Series) -> list[tuple[str, str]]:
    frame = pl.DataFrame({"raw": before, "clean": after})
    if isinstance(before.dtype, pl.List):
        frame = frame.filter(pl.col("raw").list.len() > 0).explode("raw", "clean")
    texts = frame.select(pl.col("raw", "clean").cast(pl.String).fill_null("")).unique()
    return list(texts.filter(pl.col("raw").str.strip_chars() != "").iter_rows())


def _is_range(before: str, after: str) -> bool:
    """Says whether a range stands where a number was; marks for no value stay."""
    return not after or _RANGE.fullmatch(after) is not None or (before == after and not _tells(before))


def _is_coarse(before: str, after: str) -> bool:
    """Says whether a date or postcode is another one or has its end covered; marks for no value stay."""
    return before != after or not _tells(before)


def _tells(text: str) -> bool:
    return any(char in "12345678" for char in text)


_FITS: dict[Action, Callable[[str, str], bool]] = {
    Action.KEEP: lambda before, after: before == after,
    Action.DROP: lambda before, after: not after,
    Action.BIN: _is_range,
    Action.GENERALISE: _is_coarse,
}
