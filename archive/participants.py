"""Links from people's addresses and logins to the records that they belong to.

Belongs here: every distinct text is taken apart once. Does not belong here: which columns hold addresses
(`archive.links`).
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from archive.addresses import parse_mailboxes
from archive.link_index import LinkIndex
from archive.link_rows import found_rows, shared
from contracts.names import split_address

_DOMAIN_CERTAINTY = 0.7


def login_links(cells: pl.Series, column: str, index: LinkIndex) -> pl.DataFrame:
    """Returns the links of a column of logins."""
    folded = ((cell, cell.strip().casefold()) for cell in _distinct(cells))
    found = _rows(cells, folded).join(index.logins, on="key")
    method, confidence = pl.lit("login").alias("method"), pl.lit(1.0).alias("confidence")
    return found_rows("participant", column, found.with_columns(method, confidence))


def address_links(cells: pl.Series, column: str, index: LinkIndex, ids: pl.Series) -> pl.DataFrame:
    """Returns the links of a column of addresses or lists of them, by address and by domain.

    Args:
        cells: texts, or lists of texts.
        column: their name.
        index: what addresses lead to.
        ids: of the rows, none of which is linked to itself by its address.
    """
    pairs = [(cell, box.address) for cell in _distinct(cells) for box in parse_mailboxes(cell)]
    named = _rows(cells, pairs)
    by_email = named.join(index.emails, on="key").unique()
    own = index.ids.gather(by_email["target"]) == ids.gather(by_email["row"])
    certain = by_email.filter(~own).with_columns(pl.lit(1.0).alias("certainty"))
    emails = shared(certain, ["row", "key"], index).with_columns(pl.lit("email").alias("method"))
    hosts = {address: parts.domain for _, address in pairs if (parts := split_address(address))}
    table = pl.DataFrame(list(hosts.items()), schema={"key": pl.String, "host": pl.String}, orient="row")
    domains = named.join(table, on="key").join(index.domains, left_on="host", right_on="key")
    method, confidence = pl.lit("domain").alias("method"), pl.lit(_DOMAIN_CERTAINTY).alias("confidence")
    return pl.concat(
        [
            found_rows("participant", column, emails),
            found_rows("participant", column, domains.with_columns(method, confidence)),
        ]
    )


def _distinct(cells: pl.Series) -> list[str]:
    flat = cells.explode() if cells.dtype == pl.List(pl.String) else cells
    texts: list[str] = flat.drop_nulls().unique().sort().to_list()
    return texts


def _rows(cells: pl.Series, pairs: Iterable[tuple[str, str]]) -> pl.DataFrame:
    """(row, key) of a column, given the keys of its distinct texts."""
    keys = pl.DataFrame(list(pairs), schema={"cell": pl.String, "key": pl.String}, orient="row")
    frame = pl.DataFrame({"cell": cells}).with_row_index("row")
    if cells.dtype == pl.List(pl.String):
        frame = frame.explode("cell")
    return frame.join(keys.unique(), on="cell").select("row", "key").unique()
