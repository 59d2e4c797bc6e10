"""Erasing a person from raw tables: their mails leave, their cells are emptied, mentions in text blotted out.

Belongs here: which rows and cells are theirs. Does not belong here: recognising a form (`tombstones`), counts
and quarantine (`withdrawal`), the vault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product

import polars as pl

from anonymize.content_hashes import ForgottenContents
from anonymize.evidence import record_key
from anonymize.table_shapes import TableShape, points_to_people, shape_of, table_shape, table_specs
from anonymize.tombstones import BLOT, Tombstones
from anonymize.written_days import day_of
from archive.resolved import stored_manifest
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table, record_table_name

_K = ColumnKind
_TYPED = (_K.PERSON, _K.EMAIL, _K.LOGIN, _K.MAILBOX, _K.PHONE)
_OWN = (*_TYPED, _K.STREET, _K.CITY, _K.POSTCODE, _K.URL, _K.TEXT, _K.FILENAME)
"""Kinds of columns that are emptied in a row that is about the person."""
_VALUES = (_K.ID, _K.MONEY, _K.DATE, _K.DATETIME)
"""Kinds that are emptied where the row is a record of the person, unless rows join by the column."""
_UNTOUCHED = (_K.MONEY, _K.QUANTITY, _K.RATE, _K.CODE, _K.MEASURE, _K.DATE, _K.DATETIME, _K.FLAG)
_PRIVATE = re.compile(
    r"birth|geburt|(?:^|_)dob(?:$|_)|salary|wage|bonus|gehalt|lohn|prämie|iban|kontonr|konto_?nummer|bank"
    r"|steuer_?(?:id|nr)|tax_?(?:id|no)|ssn|social|sozialvers|passport|ausweis|gender|geschlecht|religion|konfession",
    re.IGNORECASE,
)
"""Columns of dates, money and numbers that are emptied there as well, by their headings."""
_BIRTH = re.compile(r"birth|geburt|(?:^|_)dob(?:$|_)", re.IGNORECASE)
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
    keys = _keys(raw)
    joined = _joined_by(specs)
    near = _conversations(raw, specs, tombstones)
    sent = _sent(raw, tombstones)
    changed: dict[str, int] = {}
    contents = ForgottenContents(tombstones)
    for name in raw.names():
        if name in ("links", "source_counts"):
            continue
        frame = raw.read(name)
        key, prefix = keys.get(name, ([], name))
        table = _Table(name, frame, table_specs(name, specs), tombstones)
        if is_record_table(name):
            table.empty_own_rows([column for column in key if column in frame.columns], prefix, joined)
        elif name in _SCOPE:
            table.scope(near[_SCOPE[name]])
        if name == "messages":
            gone = frame.filter(pl.col("message_id").is_in(sorted(sent)))
            table.forget_quotes(set(gone["header_id"]))
            contents.held(name, gone)
        new = table.cleared()
        count = sum(int((new[column].ne_missing(frame[column])).sum()) for column in frame.columns)
        if count:
            raw.write(name, new)
            changed[name] = count
            contents.changed(name, frame, new)
    contents.forget(raw)
    return {"messages": sent}, changed


def _keys(raw: TableStore) -> dict[str, tuple[list[str], str]]:
    """Returns, per record table, its key and the prefix of its columns in references."""
    return {
        record_table_name(source.name, table.name): (table.key, f"{source.name}.{table.name}")
        for source in stored_manifest(raw).sources
        for table in source.tables
    }


def _joined_by(specs: dict[str, dict[str, ColumnSpec]]) -> frozenset[str]:
    """Returns the columns ("source.table.column") that others point to."""
    return frozenset(
        spec.references for columns in specs.values() for spec in columns.values() if spec.references
    )


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
        self._ids = FIXED_TABLES[name].key if name in FIXED_TABLES else RECORD_ID.name

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

    def empty_own_rows(self, key: Sequence[str], prefix: str, joined: frozenset[str]) -> None:
        """Empties every personal cell of rows that are about an erased person; what joins rows stays."""
        shape = shape_of(self.frame, self.specs, list(key))
        self._near = self.named()
        if points_to_people(self.frame, shape):
            return
        recorded = own = self._recorded(shape, prefix)
        if len(shape.own_people) == 1:
            own = own | self.named(shape.pointers)
        self._near = self._near | own
        if own.any():
            personal = [
                column
                for column, spec in self.specs.items()
                if spec.kind in _OWN or (_PRIVATE.search(column) and column not in key)
            ]
            self._empty(personal, own)
            self._empty(self._value_columns(key, prefix, joined), recorded)

    def _value_columns(self, key: Sequence[str], prefix: str, joined: frozenset[str]) -> list[str]:
        """Columns of numbers and days by which no rows join; ids that several rows share are a group's."""
        return [
            column
            for column, spec in self.specs.items()
            if spec.kind in _VALUES
            and column not in key
            and not spec.references
            and f"{prefix}.{column}" not in joined
            and not (spec.kind is _K.ID and _is_shared(self.frame[column]))
        ]

    def values_of_own_rows(self, key: Sequence[str], prefix: str, joined: frozenset[str]) -> set[str]:
        """Returns the numbers and days that stand in the records of an erased person."""
        shape = shape_of(self.frame, self.specs, list(key))
        if points_to_people(self.frame, shape):
            return set()
        theirs = self._recorded(shape, prefix)
        mine, others = self.frame.filter(theirs), self.frame.filter(~theirs)
        found: set[str] = set()
        for column in self._value_columns(key, prefix, joined):
            values = set(mine[column].drop_nulls())
            if self.specs[column].kind in (_K.ID, _K.DATETIME):  # long: they count wherever they stand
                values -= set(others[column])
            found.update(map(str, values))
            found |= self._days(column, mine)
        return found

    def _days(self, column: str, rows: pl.DataFrame) -> set[str]:
        """Returns the days of a column, each as ISO 8601 has it; a birthday counts without its year too."""
        spec = self.specs[column]
        if spec.kind not in (_K.DATE, _K.DATETIME):
            return set()
        values = map(str, rows[column].drop_nulls())
        days = [day for value in values if (day := day_of(value, spec.date_format)) is not None]
        return {form for day in days for form in day[: 2 if _BIRTH.search(column) else 1]}

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
            spec = self.specs.get(column, ColumnSpec(kind=_K.TEXT))
            dtype = self.frame.schema[column]
            if spec.kind in _UNTOUCHED or column in _HEADER_IDS:
                continue
            if spec.kind is _K.PROVENANCE and column not in _PLACES:
                continue
            if isinstance(dtype, pl.List):
                self._lists(column, typed=spec.kind in (*_TYPED, _K.FILENAME))
            elif dtype == pl.String:
                self._strings(column, typed=spec.kind in _TYPED)
        return self.frame

    def _marked(self, column: str, *, typed: bool) -> None:
        """Clears the cells that are marked as such, and of texts that mean others too the marked rows."""
        series, place = self.frame[column], f"{self.name}|{column}"
        apart = [
            text for text in series.drop_nulls().unique().to_list() if self.tombstones.told_apart(place, text)
        ]
        new = _mapped(series, lambda text: self.tombstones.cleared(place, text, typed=typed))
        if apart and self._ids in self.frame.columns:
            ids, cells = self.frame[self._ids].to_list(), new.to_list()
            for row in series.is_in(apart).fill_null(value=False).arg_true().to_list():
                cells[row] = self.tombstones.cleared(place, series[row], ids[row], typed=typed)
            new = pl.Series(column, cells, dtype=pl.String)
        self.frame = self.frame.with_columns(new.alias(column))

    def _strings(self, column: str, *, typed: bool) -> None:
        """Clears a column until nothing changes: a cell of one who was erased later bears earlier blots."""
        while True:
            before = self.frame[column]
            self._marked(column, typed=typed)
            self._searched(column, typed=typed)
            if not self.frame[column].ne_missing(before).any():
                return

    def _searched(self, column: str, *, typed: bool) -> None:
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
        search = self.tombstones.typed if typed else self.tombstones.blotted
        place = f"{self.name}|{column}"

        def clear(item: str) -> str | None:
            marked = self.tombstones.cleared(place, item, typed=True)
            return None if marked is None else search(marked)

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


def _is_shared(series: pl.Series) -> bool:
    values = series.drop_nulls()
    return 2 * values.n_unique() <= len(values)


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


def raw_values(raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], tombstones: Tombstones) -> set[str]:
    """Returns the numbers and days of all rows that are records of erased persons."""
    keys, joined, found = _keys(raw), _joined_by(specs), set[str]()
    for name in raw.record_tables():
        frame, (key, prefix) = raw.read(name), keys.get(name, ([], name))
        table = _Table(name, frame, table_specs(name, specs), tombstones)
        found |= table.values_of_own_rows([one for one in key if one in frame.columns], prefix, joined)
    return found


def _values(frame: pl.DataFrame, columns: Sequence[str]) -> set[str]:
    return {value for column in columns for value in frame[column].drop_nulls() if column in frame.columns}
