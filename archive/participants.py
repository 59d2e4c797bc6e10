"""Links from people's addresses and logins to the records that they belong to.

Belongs here: every distinct text is taken apart once. Does not belong here: which columns hold addresses
(`archive.links`).
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from archive.addresses import parse_mailboxes
from archive.link_index import LinkIndex
from archive.link_rows import found_rows, shared
from contracts.names import split_address

_DOMAIN_CERTAINTY = 0.7
_PLAIN = r"^[A-Za-z0-9_.%+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$"
"""An address alone, which needs no taking apart."""


def login_links(cells: pl.Series, column: str, index: LinkIndex) -> pl.DataFrame:
    """Returns the links of a column of logins."""
    folded = [(cell, cell.strip().casefold()) for cell in _distinct(cells)]
    found = _rows(cells, _keys(folded)).join(index.logins, on="key")
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
    named = _rows(cells, _addresses(_distinct(cells)))
    by_email = named.join(index.emails, on="key").unique()
    own = index.ids.gather(by_email["target"]) == ids.gather(by_email["row"])
    certain = by_email.filter(~own).with_columns(pl.lit(1.0).alias("certainty"))
    emails = shared(certain, ["row", "key"], index).with_columns(pl.lit("email").alias("method"))
    domains = named.join(_hosts(named["key"].unique()), on="key")
    domains = domains.join(index.domains, left_on="host", right_on="key")
    method, confidence = pl.lit("domain").alias("method"), pl.lit(_DOMAIN_CERTAINTY).alias("confidence")
    return pl.concat(
        [
            found_rows("participant", column, emails),
            found_rows("participant", column, domains.with_columns(method, confidence)),
        ]
    )


def _addresses(texts: pl.Series) -> pl.DataFrame:
    """(cell, key): the addresses that texts hold, as `parse_mailboxes` finds them."""
    frame = pl.DataFrame({"cell": texts})
    plain = pl.col("cell").str.contains(_PLAIN)
    alone = frame.filter(plain).with_columns(pl.col("cell").str.to_lowercase().alias("key"))
    others = frame.filter(~plain)["cell"].to_list()
    return pl.concat(
        [alone, _keys([(cell, box.address) for cell in others for box in parse_mailboxes(cell)])]
    )


def _hosts(addresses: pl.Series) -> pl.DataFrame:
    """(key, host): the domains of addresses, as `split_address` finds them."""
    frame = pl.DataFrame({"key": addresses})
    plain = pl.col("key").str.contains(_PLAIN)
    alone = frame.filter(plain).with_columns(pl.col("key").str.extract("@(.*)$").alias("host"))
    others = frame.filter(~plain)["key"].to_list()
    split = [(address, parts.domain) for address in others if (parts := split_address(address))]
    return pl.concat([alone, pl.DataFrame(split, schema=alone.schema, orient="row")])


def _distinct(cells: pl.Series) -> pl.Series:
    flat = cells.explode() if cells.dtype == pl.List(pl.String) else cells
    return flat.drop_nulls().unique()


def _keys(pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
    return pl.DataFrame(pairs, schema={"cell": pl.String, "key": pl.String}, orient="row")


def _rows(cells: pl.Series, keys: pl.DataFrame) -> pl.DataFrame:
    """(row, key) of a column, given the keys of its distinct texts."""
    frame = pl.DataFrame({"cell": cells}).with_row_index("row")
    if cells.dtype == pl.List(pl.String):
        frame = frame.explode("cell")
    return frame.join(keys.unique(), on="cell").select("row", "key").unique()
