"""Erasing a person from raw tables: their mails leave, their cells are emptied, mentions in text blotted out.

Belongs here: which rows and cells are theirs. Does not belong here: recognising a form (`tombstones`), counts
and quarantine (`withdrawal`), the vault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product

import polars as pl

from anonymize.evidence import record_key
from anonymize.table_shapes import TableShape, points_to_people, shape_of, table_shape, table_specs
from anonymize.tombstones import BLOT, Tombstones
from archive.resolved import stored_manifest
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind, is_record_table, record_table_name

_K = ColumnKind
_TYPED = (_K.PERSON, _K.EMAIL, _K.LOGIN, _K.MAILBOX, _K.PHONE)
_OWN = (*_TYPED, _K.STREET, _K.CITY, _K.POSTCODE, _K.URL, _K.TEXT, _K.FILENAME)
"""Kinds of columns that are emptied in a row that is about the person."""
_UNTOUCHED = (_K.MONEY, _K.QUANTITY, _K.RATE, _K.CODE, _K.MEASURE, _K.DATE, _K.DATETIME, _K.FLAG)
_PRIVATE = re.compile(
    r"birth|geburt|(?:^|_)dob(?:$|_)|salary|wage|bonus|gehalt|lohn|prämie|iban|kontonr|konto_?nummer|bank"
    r"|steuer_?(?:id|nr)|tax_?(?:id|no)|ssn|social|sozialvers|passport|ausweis|gender|geschlecht|religion|konfession",
    re.IGNORECASE,
)
"""Columns of dates, money and numbers that are emptied there as well, by their headings."""
_WRITTEN = {"comments": ("author", ("body",)), "tickets": ("reporter", ("description",))}
"""Table -> who wrote its texts, and the texts."""
_SCOPE = {
    "messages": "thread_id",
    "attachments": "message_id",
    "calendar_items": "message_id",
    "tickets": "ticket_id",
    "ticket_events": "ticket_id",
    "comments": "ticket_id",
}
"""What rows share when they belong to one conversation."""
_PLACES = ("path", "locator")
_HEADER_IDS = ("header_id", "in_reply_to", "references")


def erase_from(
    raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], tombstones: Tombstones
) -> tuple[dict[str, set[str]], dict[str, int]]:
    """Empties and blots out what is erased persons' in all raw tables.

    Returns:
        Table -> keys of rows to be withdrawn whole (mails that they sent); table -> cells that changed.
    """
    keys = {
        record_table_name(source.name, table.name): (table.key, f"{source.name}.{table.name}")
        for source in stored_manifest(raw).sources
        for table in source.tables
    }
    near = _conversations(raw, specs, tombstones)
    sent = _sent(raw, tombstones)
    changed: dict[str, int] = {}
    for name in raw.names():
        if name in ("links", "source_counts"):
            continue
        frame = raw.read(name)
        key, prefix = keys.get(name, ([], name))
        table = _Table(name, frame, table_specs(name, specs), tombstones)
        if is_record_table(name):
            table.empty_own_rows([column for column in key if column in frame.columns], prefix)
        elif name in _SCOPE:
            table.scope(near[_SCOPE[name]])
        if name == "messages":
            table.forget_quotes(set(frame.filter(pl.col("message_id").is_in(sorted(sent)))["header_id"]))
        new = table.cleared()
        count = sum(int((new[column].ne_missing(frame[column])).sum()) for column in frame.columns)
        if count:
            raw.write(name, new)
            changed[name] = count
    return {"messages": sent}, changed


def _sent(raw: TableStore, tombstones: Tombstones) -> set[str]:
    """Keys of mails whose sender is erased, by address or by name."""
    frame = raw.read("messages", ["message_id", "from_name", "from_address"])
    theirs = _hits(frame["from_address"], tombstones.names) | _hits(frame["from_name"], tombstones.names)
    return set(frame.filter(theirs)["message_id"])


def _conversations(
    raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], tombstones: Tombstones
) -> dict[str, set[str]]:
    """Ids of threads, mails and tickets in whose typed cells an erased person stands."""
    found: dict[str, set[str]] = {column: set() for column in _SCOPE.values()}
    for name, column in _SCOPE.items():
        frame = raw.read(name)
        table = _Table(name, frame, table_specs(name, specs), tombstones)
        found[column] |= set(frame.filter(table.named())[column].drop_nulls())
    messages = raw.read("messages", ["message_id", "thread_id"])
    inside = pl.col("thread_id").is_in(sorted(found["thread_id"])) | pl.col("message_id").is_in(
        sorted(found["message_id"])
    )
    found["message_id"] |= set(messages.filter(inside)["message_id"])
    found["thread_id"] |= set(messages.filter(inside)["thread_id"].drop_nulls())
    return found


class _Table:
    """One table on its way; rows and their order stay."""

    def __init__(
        self, name: str, frame: pl.DataFrame, specs: dict[str, ColumnSpec], tombstones: Tombstones
    ) -> None:
        self.name = name
        self.frame = frame
        self.specs = {column: specs[column] for column in frame.columns if column in specs}
        self.tombstones = tombstones
        self._near = pl.Series([False] * frame.height, dtype=pl.Boolean)

    def named(self, apart: Sequence[str] = ()) -> pl.Series:
        """Rows in which a typed cell, of other columns than these, names an erased person."""
        rows = pl.Series([False] * self.frame.height, dtype=pl.Boolean)
        for column, spec in self.specs.items():
            if spec.kind in _TYPED and column not in apart:
                test = self.tombstones.is_phone if spec.kind is _K.PHONE else self.tombstones.names
                rows = rows | _hits(self.frame[column], test)
        return rows | self._named_in_parts()

    def scope(self, ids: set[str]) -> None:
        """Marks the rows of conversations in which an erased person took part."""
        self._near = self.frame[_SCOPE[self.name]].is_in(sorted(ids)).fill_null(value=False)

    def empty_own_rows(self, key: Sequence[str], prefix: str) -> None:
        """Empties every personal cell of rows that are about an erased person; the key stays, and joins."""
        shape = shape_of(self.frame, self.specs, list(key))
        self._near = self.named()
        if points_to_people(self.frame, shape):
            return
        own = self._recorded(shape, prefix)
        if len(shape.people) == 1:
            own = own | self.named(shape.owners)
        self._near = self._near | own
        if own.any():
            personal = [
                column
                for column, spec in self.specs.items()
                if spec.kind in _OWN or (_PRIVATE.search(column) and column not in shape.keys)
            ]
            self._empty(personal, own)

    def forget_quotes(self, answered: set[str | None]) -> None:
        """Blots out what answers quote of an erased person's mails."""
        ids = sorted(ident for ident in answered if ident)
        among = pl.col("references").list.eval(pl.element().is_in(ids)).list.any()
        answer = pl.col("in_reply_to").is_in(ids) | among.fill_null(value=False)
        answers = self.frame.select(answer.fill_null(value=False)).to_series()
        self._blot_whole("body_quoted", answers)

    def cleared(self) -> pl.DataFrame:
        """The table without erased persons."""
        if self.name in _WRITTEN:
            author, texts = _WRITTEN[self.name]
            theirs = _hits(self.frame[author], self.tombstones.names)
            for text in texts:
                self._blot_whole(text, theirs)
        self._empty_parts()
        for column in self.frame.columns:
            spec = self.specs.get(column)
            dtype = self.frame.schema[column]
            if spec is None or spec.kind in _UNTOUCHED or column in _HEADER_IDS:
                continue
            if spec.kind is _K.PROVENANCE and column not in _PLACES:
                continue
            if isinstance(dtype, pl.List):
                self._lists(column, typed=spec.kind in (*_TYPED, _K.FILENAME))
            elif dtype == pl.String:
                self._strings(column, typed=spec.kind in _TYPED)
        return self.frame

    def _strings(self, column: str, *, typed: bool) -> None:
        series = self.frame[column]
        if typed:
            self.frame = self.frame.with_columns(_mapped(series, self.tombstones.typed))
            return
        far = _mapped(series, self.tombstones.blotted)
        if self._near.any():
            beside = _mapped(series.filter(self._near), lambda text: self.tombstones.blotted(text, near=True))
            places = self._near.arg_true()
            far = far.scatter(places, beside) if len(places) else far
        self.frame = self.frame.with_columns(far.alias(column))

    def _lists(self, column: str, *, typed: bool) -> None:
        items = self.frame[column].explode().drop_nulls().unique(maintain_order=True).to_list()
        clear = self.tombstones.typed if typed else self.tombstones.blotted
        new = {item: cleared for item in items if (cleared := clear(item)) != item}
        if new:
            lists = [
                None if cell is None else [kept for item in cell if (kept := new.get(item, item)) is not None]
                for cell in self.frame[column].to_list()
            ]
            self.frame = self.frame.with_columns(pl.Series(column, lists, dtype=pl.List(pl.String())))

    def _recorded(self, shape: TableShape, prefix: str) -> pl.Series:
        """Rows whose key is a record of an erased person."""
        rows = pl.Series([False] * self.frame.height, dtype=pl.Boolean)
        for column in shape.keys:
            if column not in shape.references:
                place = f"{prefix}.{column}"
                rows = rows | _hits(
                    self.frame[column],
                    lambda value, place=place: self.tombstones.has("record", record_key(place, value)),  # type: ignore[misc]
                )
        return rows

    def _parts(self) -> list[tuple[str, str]]:
        """First and family name columns that spell one person."""
        people = table_shape(self.specs, []).people.values()
        return [pair for parts in people for pair in product(parts.get("first", []), parts.get("last", []))]

    def _joined(self, first: str, last: str) -> pl.Series:
        pair = pl.concat_str([pl.col(last), pl.col(first)], separator=", ")
        return _hits(self.frame.select(pair).to_series(), self.tombstones.names)

    def _named_in_parts(self) -> pl.Series:
        rows = pl.Series([False] * self.frame.height, dtype=pl.Boolean)
        for first, last in self._parts():
            rows = rows | self._joined(first, last)
        return rows

    def _empty_parts(self) -> None:
        for first, last in self._parts():
            self._empty([first, last], self._joined(first, last))

    def _empty(self, columns: Sequence[str], rows: pl.Series) -> None:
        self.frame = self.frame.with_columns(
            pl.when(~rows).then(pl.col(column)).alias(column) for column in columns
        )

    def _blot_whole(self, column: str, rows: pl.Series) -> None:
        """Puts a blot in place of whole texts, as long as they were: offsets into them stay inside."""
        blots = pl.col(column).str.replace_all(r"[^\s]", BLOT)
        self.frame = self.frame.with_columns(
            pl.when(rows).then(blots).otherwise(pl.col(column)).alias(column)
        )


def _hits(series: pl.Series, test: Callable[[str], bool]) -> pl.Series:
    """Rows whose text passes a test, or, of a list, one of whose items does; each text is tested once."""
    nested = isinstance(series.dtype, pl.List)
    flat = series.explode() if nested else series
    values = flat.drop_nulls().unique().cast(pl.String).to_list()
    found = sorted(value for value in values if value.strip() and test(value))
    if not found:
        return pl.Series([False] * len(series), dtype=pl.Boolean)
    if nested:
        return series.list.eval(pl.element().is_in(found)).list.any().fill_null(value=False)
    return series.cast(pl.String).is_in(found).fill_null(value=False)


def _mapped(series: pl.Series, clear: Callable[[str], str | None]) -> pl.Series:
    """Texts after clearing; each distinct one is looked at once."""
    values = series.drop_nulls().unique().to_list()
    new = {value: cleared for value in values if (cleared := clear(value)) != value}
    if not new:
        return series
    return series.replace_strict(
        list(new), pl.Series(list(new.values()), dtype=pl.String), default=series, return_dtype=pl.String
    )


def raw_phones(
    raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], tombstones: Tombstones
) -> dict[str, tuple[set[str], set[str]]]:
    """Returns, per table, the phone cells of rows about erased persons and those of all other rows."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for name in raw.record_tables():
        own = table_specs(name, specs)
        columns = [column for column, spec in own.items() if spec.kind is _K.PHONE]
        if not columns:
            continue
        frame = raw.read(name)
        theirs = _Table(name, frame, own, tombstones).named()
        mine, others = frame.filter(theirs), frame.filter(~theirs)
        found[name] = (_values(mine, columns), _values(others, columns))
    return found


def _values(frame: pl.DataFrame, columns: Sequence[str]) -> set[str]:
    return {value for column in columns for value in frame[column].drop_nulls() if column in frame.columns}
