"""Links from amounts in texts to records that have them, where the text or its conversation names these.

Belongs here: how far an amount may be from the record that it is of. Does not belong here: reading amounts
(`contracts.money`), which records are named (`archive.links`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import polars as pl

from archive.link_index import LinkIndex
from archive.link_rows import FOUND
from archive.mentions import equals_written
from contracts.money import amounts_in
from contracts.money_marks import MAY_HOLD_MONEY

_CERTAINTIES = (1.0, 0.9, 0.8)
"""Of an amount of a record named in the same text, in its conversation, or joined to one of these."""
_LINKS = pl.Schema(
    {
        "kind": pl.String(),
        "row": pl.UInt32(),
        "from_column": pl.String(),
        "start": pl.Int64(),
        "end": pl.Int64(),
        "target": pl.UInt32(),
        "column": pl.UInt16(),
        "method": pl.String(),
        "confidence": pl.Float64(),
    }
)
assert list(_LINKS) == FOUND


def amount_links(
    texts: pl.Series, column: str, own: pl.DataFrame, group: pl.DataFrame, index: LinkIndex
) -> pl.DataFrame:
    """Returns the links of the amounts in a column of texts.

    Args:
        texts: the column.
        column: its name.
        own: (row, number) of records that the rows name themselves.
        group: (row, number) of others that their conversations name.
        index: the records' amounts and neighbours.
    """
    named = pl.concat([own, group])
    rows = named.select("row").unique().sort("row")["row"]
    able = rows.filter(texts.gather(rows).str.contains(MAY_HOLD_MONEY).fill_null(False))
    if not len(able) or not index.amounts.height:
        return pl.DataFrame(schema=_LINKS)
    wanted = pl.DataFrame({"row": able})
    own, group, named = (frame.join(wanted, on="row", how="semi") for frame in (own, group, named))
    near = named.join(index.neighbours, on="number").select("row", pl.col("near").alias("number"))
    near = near.unique().join(named, on=["row", "number"], how="anti")
    rich = pl.concat([named, near]).select("number").unique()
    amounts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, *entry in index.amounts.join(rich, on="number", how="semi").iter_rows():
        amounts[number].append((entry[0], entry[1]))
    circles = [_by_row(frame, amounts) for frame in (own, group, near)]
    found = []
    for row, text in zip(able, texts.gather(able), strict=True):
        for amount in amounts_in(text):
            place = ("amount", row, column, amount.start, amount.end)
            for circle, certainty in zip(circles, _CERTAINTIES, strict=True):
                matches = [
                    (number, code, method)
                    for number in circle.get(row, ())
                    for code, minor in amounts[number]
                    if (method := equals_written(amount, minor)) is not None
                ]
                for *target, method in matches:
                    sure = certainty if method == "exact" else round(certainty * 0.9, 4)
                    found.append((*place, *target, method, sure))
                if matches:
                    break
    return pl.DataFrame(found, schema=_LINKS, orient="row")


def _by_row(named: pl.DataFrame, amounts: Mapping[int, object]) -> dict[int, list[int]]:
    """The records that have an amount, by the rows that name them."""
    found: dict[int, list[int]] = defaultdict(list)
    for row, number in named.select("row", "number").iter_rows():
        if number in amounts:
            found[row].append(number)
    return found
