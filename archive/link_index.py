"""What texts and cells can name: identifiers, amounts, addresses and logins of all records.

Belongs here: which column is the home of which identifiers, all of it in columns, records told by numbers.
Does not belong here: where they are named (`archive.links`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import polars as pl

from archive.mentions import IdentifierIndex, candidates, chunk_keys, is_identifier, normal
from archive.records import RecordTable
from contracts.tables import RECORD_ID, ColumnKind, record_table_name

_MIN_CELL = 5
"""Shorter cells name a record only where the manifest says what they reference."""
_PLAIN_AMOUNT = r"^-?[0-9]{1,15}(\.[0-9]{1,2}0*)?$"
_NAMING = pl.Schema({"key": pl.String(), "target": pl.UInt32(), "column": pl.UInt16()})
_NAMED = pl.Schema(
    {"number": pl.UInt32(), "target": pl.UInt32(), "column": pl.UInt16(), "method": pl.String()}
)
_AMOUNTS = pl.Schema({"number": pl.UInt32(), "column": pl.UInt16(), "minor": pl.Int64()})


class Target(NamedTuple):
    """A record's cell: the record's number, and that of table and column."""

    record: int
    column: int


class LinkIndex:
    """The identifiers, amounts, addresses and logins by which records are named.

    Every record has a number: rows are counted through all tables in order, tickets last. So has every
    column that names records.
    """

    def __init__(self, records: Sequence[RecordTable], tickets: pl.DataFrame) -> None:
        """Registers all records.

        Args:
            records: the company's own tables.
            tickets: ticket_id and ticket_key.
        """
        self.records = records
        self.first: dict[str, int] = {}
        """Record table -> number of its first row."""
        self._columns: dict[tuple[str, str], int] = {}
        self._homes: set[tuple[str, str]] = set()
        self._references: dict[str, pl.DataFrame] = {}
        ids = []
        number = 0
        for table in records:
            self.first[table.name] = number
            ids.append(table.columns([RECORD_ID.name])[RECORD_ID.name])
            number += len(ids[-1])
        self.ids = pl.concat([*ids, tickets["ticket_id"].alias(RECORD_ID.name)])
        """Record ids by number."""
        self._found: dict[str, list[pl.DataFrame]] = {
            name: [] for name in ("identifiers", "emails", "logins", "domains")
        }
        amounts = [pl.DataFrame(schema=_AMOUNTS)]
        for table in records:
            amounts.extend(self._register(table))
        keys = tickets.select(normal(pl.col("ticket_key")).alias("key")).with_row_index("target", number)
        self._add("identifiers", "tickets", "ticket_key", keys.filter(is_identifier(pl.col("key"))))
        self.amounts = pl.concat(amounts)
        """(number, column, minor): amounts of records in hundredths."""
        self.identifiers, self.emails, self.logins, self.domains = (
            pl.concat([pl.DataFrame(schema=_NAMING), *found]) for found in self._found.values()
        )
        """(key, target, column) each."""
        self._found.clear()
        self.cells = {
            (table.name, column): self._named(table, column)
            for table in records
            for column in self.references_of(table)
        }
        """(table, column) -> (number, target, column, method): whole cells that name records, by row."""
        self.neighbours = self._neighbours()
        """(number, near): records with an amount that another refers to or that refer to it."""

    @property
    def columns(self) -> pl.DataFrame:
        """(to_table, to_column) by number of the column."""
        return pl.DataFrame(
            list(self._columns), schema={"to_table": pl.String, "to_column": pl.String}, orient="row"
        )

    def references_of(self, table: RecordTable) -> list[str]:
        """Returns the columns of a table whose cells may name other records."""
        return [
            column
            for column, spec in table.specs.items()
            if (table.name, column) not in self._homes
            and spec.kind is not ColumnKind.LOGIN
            and (spec.kind is ColumnKind.ID or spec.references is not None)
        ]

    def logins_of(self, table: RecordTable) -> list[str]:
        """Returns the columns of a table whose cells name users by login."""
        return [
            column
            for column, spec in table.specs.items()
            if spec.kind is ColumnKind.LOGIN and (table.name, column) not in self._homes
        ]

    def identifiers_in(self, texts: pl.Series) -> tuple[list[int], IdentifierIndex[Target]]:
        """Returns the rows of texts that may name records, and the identifiers that they may name."""
        found = candidates(texts)
        index: IdentifierIndex[Target] = IdentifierIndex()
        if not found.height or not self.identifiers.height:
            return [], index
        keys = chunk_keys(found["chunk"])
        known = self.identifiers.join(keys.select("key").unique(), on="key", how="semi")
        for key, *target in known.iter_rows():
            index.add(key, Target(*target))
        hits = keys.join(known, on="key", how="semi").select("chunk").unique()
        rows = found.join(hits, on="chunk", how="semi")["row"].unique().sort()
        return rows.to_list(), index

    def _register(self, table: RecordTable) -> list[pl.DataFrame]:
        """Registers what names the rows of a table; returns their amounts."""
        objects = [] if table.stated is None else table.stated.objects
        amounts = []
        for spec in objects:
            for column in (spec.id_column, spec.number_column):
                if column is not None and self._is_home(table, column):
                    self._homes.add((table.name, column))
                    named = self._cells(table, column).select("target", normal(pl.col("cell")).alias("key"))
                    self._add("identifiers", table.name, column, named.filter(is_identifier(pl.col("key"))))
            if spec.amount_column in table.specs:
                amounts.append(self._amounts(table, spec.amount_column))
        types = {spec.type for spec in objects}
        for column, column_spec in table.specs.items():
            if column_spec.kind is ColumnKind.EMAIL:
                self._add_folded("emails", table, column, str.lower)
            elif column_spec.kind is ColumnKind.LOGIN and "user" in types and column_spec.references is None:
                self._homes.add((table.name, column))
                self._add_folded("logins", table, column, str.casefold)
            elif column_spec.kind in (ColumnKind.URL, ColumnKind.DOMAIN) and "account" in types:
                self._add_folded("domains", table, column, _web_domain)
        return amounts

    def _add_folded(self, what: str, table: RecordTable, column: str, fold: Callable[[str], str]) -> None:
        cells = self._cells(table, column)
        known = {cell: fold(cell.strip()) for cell in cells["cell"].unique().to_list()}
        keys = pl.DataFrame(list(known.items()), schema={"cell": pl.String, "key": pl.String}, orient="row")
        self._add(what, table.name, column, cells.join(keys, on="cell", maintain_order="left"))

    def _add(self, what: str, table: str, column: str, found: pl.DataFrame) -> None:
        """Registers (key, target) under a column."""
        code = pl.lit(self._code(table, column), dtype=pl.UInt16).alias("column")
        self._found[what].append(found.select("key", pl.col("target").cast(pl.UInt32), code))

    def _code(self, table: str, column: str) -> int:
        return self._columns.setdefault((table, column), len(self._columns))

    def _cells(self, table: RecordTable, column: str) -> pl.DataFrame:
        """(target, cell) of every cell of a column that is not empty."""
        cells = table.columns([column]).select(pl.col(column).alias("cell"))
        return cells.with_row_index("target", self.first[table.name]).drop_nulls()

    def _is_home(self, table: RecordTable, column: str) -> bool:
        """Says whether a column holds identifiers of this table's own objects, not of others."""
        spec = table.specs.get(column)
        if spec is None or spec.references is not None or (table.name, column) in self._homes:
            return False
        if spec.kind not in (ColumnKind.ID, ColumnKind.CODE):
            return False
        values = table.columns([column])[column].drop_nulls()
        return values.n_unique() == len(values)

    def _amounts(self, table: RecordTable, column: str) -> pl.DataFrame:
        cells = self._cells(table, column)
        plain = pl.col("cell").str.contains(_PLAIN_AMOUNT)
        whole = pl.col("cell").str.extract(r"^-?(\d+)").cast(pl.Int64) * 100
        cents = pl.col("cell").str.extract(r"\.(\d{1,2})").fill_null("").str.pad_end(2, "0").cast(pl.Int64)
        sign = pl.when(pl.col("cell").str.starts_with("-")).then(-1).otherwise(1)
        minors = cells.filter(plain).select(pl.col("target").alias("number"), minor=(whole + cents) * sign)
        odd = [
            (number, minor)
            for number, cell in cells.filter(~plain).iter_rows()
            if (minor := _hundredths(cell)) is not None
        ]
        found = pl.concat([minors, pl.DataFrame(odd, schema=minors.schema, orient="row")])
        code = pl.lit(self._code(table.name, column), dtype=pl.UInt16).alias("column")
        return found.select("number", code, "minor").cast(_AMOUNTS)

    def _named(self, table: RecordTable, column: str) -> pl.DataFrame:
        """The other records that each cell of a column names, by reference or else as an identifier."""
        spec = table.specs[column]
        cells = self._cells(table, column).select(
            pl.col("target").alias("number"),
            normal(pl.col("cell")).alias("key"),
            (pl.col("cell").str.strip_chars().str.len_chars() >= _MIN_CELL).alias("long"),
        )
        found = [pl.DataFrame(schema=_NAMED)]
        if spec.references is not None:
            home = self._referenced(spec.references)
            found.append(_joined(cells, home, "reference"))
            cells = cells.join(home, on="key", how="anti")
        if spec.kind is ColumnKind.ID and cells.height:
            able = cells if spec.references is not None else cells.filter("long")
            found.append(_joined(able, self.identifiers, "cell"))
        named = pl.concat(found).filter(pl.col("number") != pl.col("target"))
        return named.sort("number").with_columns(pl.col("method").cast(pl.Categorical))

    def _neighbours(self) -> pl.DataFrame:
        schema = {"number": pl.UInt32, "near": pl.UInt32}
        edges = [pl.DataFrame(schema=schema)]
        rich = self.amounts.select("number").unique()
        for named in self.cells.values():
            pairs = named.select("number", pl.col("target").alias("near"))
            for found in (pairs, pairs.select(number="near", near="number")):
                edges.append(found.join(rich, left_on="near", right_on="number", how="semi"))
        return pl.concat(edges).unique()

    def _referenced(self, reference: str) -> pl.DataFrame:
        """The records by the values of a referenced column ("source.table.column")."""
        if reference not in self._references:
            source, _, rest = reference.partition(".")
            name, _, column = rest.rpartition(".")
            found = [pl.DataFrame(schema=_NAMING)]
            for table in self.records:
                if table.name == record_table_name(source, name) and column in table.specs:
                    code = pl.lit(self._code(table.name, column), dtype=pl.UInt16).alias("column")
                    key = normal(pl.col("cell")).alias("key")
                    found.append(self._cells(table, column).select(key, "target", code))
            self._references[reference] = pl.concat(found)
        return self._references[reference]


def _joined(cells: pl.DataFrame, home: pl.DataFrame, method: str) -> pl.DataFrame:
    found = cells.join(home, on="key")
    return found.select("number", "target", "column", pl.lit(method).alias("method"))


def _hundredths(cell: str) -> int | None:
    try:
        hundredths = Decimal(cell) * 100
    except InvalidOperation:
        return None
    if hundredths.is_finite() and hundredths == hundredths.to_integral_value() and hundredths < 10**18:
        return int(hundredths)
    return None


def _web_domain(value: str) -> str:
    host = value.lower().partition("://")[2] or value.lower()
    return host.split("/")[0].split(":")[0].removeprefix("www.")
