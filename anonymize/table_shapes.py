"""What the columns of a table tell of persons and companies, read from specs and rows.

Belongs here: which columns spell one person, which name a company, and which only point to people. Does not
belong here: gathering what they say (`evidence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from anonymize.display_names import Named, read_name
from anonymize.forms import PersonName, parse_person
from anonymize.headings import without_headings
from anonymize.people_cells import handle_in, is_link, is_nobody, mentions_in
from archive.column_words import column_words
from contracts.manifest import ColumnSpec
from contracts.tables import CALENDAR_FACTS, FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table


def table_specs(name: str, specs: dict[str, dict[str, ColumnSpec]]) -> dict[str, ColumnSpec]:
    """Returns what each column of a table holds, fixed tables and the head of record tables included."""
    fixed = CALENDAR_FACTS if name == CALENDAR_FACTS.name else FIXED_TABLES.get(name)
    if fixed is not None:
        return {column.name: ColumnSpec(kind=column.kind) for column in fixed.columns}
    head = ("path", "locator", "content_hash", RECORD_ID.name)
    own = dict.fromkeys(head, ColumnSpec(kind=ColumnKind.PROVENANCE)) if is_record_table(name) else {}
    return {**own, "source": ColumnSpec(kind=ColumnKind.CATEGORY), **specs.get(name, {})}


def strings(series: pl.Series) -> list[str]:
    """Returns the distinct non-empty strings of a string, list or number column, sorted."""
    if isinstance(series.dtype, pl.List):
        series = series.explode()
    values = series.drop_nulls().unique().cast(pl.String).to_list()
    return sorted(value for value in values if value and value.strip())


FEWEST_SHARED = 2
"""So many more people than logins: one person may have changed name or address."""
_OWNERS = frozenset(("owner", "assignee", "betreuer", "kundenbetreuer", "salesperson", "verkaeufer"))
_OWNER_ENDS = (["account", "manager"], ["sales", "rep"], ["assigned", "to"])


class TableShape(NamedTuple):
    """Which columns of a table tell of persons and companies."""

    people: dict[str, dict[str, list[str]]]
    """Person set -> part -> columns."""
    emails: list[str]
    logins: list[str]
    companies: list[str]
    sites: list[str]
    """Columns with a web address or domain."""
    keys: list[str]
    """The column that alone tells which record a row is; none where several do together."""
    references: dict[str, str]
    """Column -> "source.table.column" that it points to."""
    phones: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    """Login columns that name people of other records: who owns a contact is not the contact."""
    pointing: frozenset[str] = frozenset()
    """Person sets that name such people."""

    @property
    def own_people(self) -> dict[str, dict[str, list[str]]]:
        """Returns the person sets of whom rows may be records."""
        return {group: parts for group, parts in self.people.items() if group not in self.pointing}

    @property
    def pointers(self) -> tuple[str, ...]:
        """Returns all columns that name people of other records."""
        return (
            *self.owners,
            *(one for group in sorted(self.pointing) for one in _columns(self.people[group])),
        )


def shape_of(frame: pl.DataFrame, columns: dict[str, ColumnSpec], keys: list[str]) -> TableShape:
    """Returns the shape of a table by its columns and rows."""
    shape = table_shape(columns, keys)
    shape = shape._replace(
        pointing=frozenset(group for group in shape.people if _is_owner(frame, shape, group))
    )
    owners = tuple(column for column in shape.logins if _is_of_others(frame, shape, column))
    return shape._replace(logins=[one for one in shape.logins if one not in owners], owners=owners)


def _is_of_others(frame: pl.DataFrame, shape: TableShape, column: str) -> bool:
    """Says whether a login column points elsewhere, or one login of it stands beside several people."""
    people = [one for parts in shape.own_people.values() for one in _columns(parts)]
    if len(shape.own_people) != 1 or column not in frame.columns:
        return False
    return column in shape.references or _stands_beside_several(frame, shape, column, people)


def _stands_beside_several(frame: pl.DataFrame, shape: TableShape, column: str, people: list[str]) -> bool:
    """Says whether one value of a column stands beside several people or their addresses."""
    told = [one for one in (column, *people, *shape.emails) if one in frame.columns]
    beside = frame.select(told).filter(pl.col(column).is_not_null()).unique()
    logins = beside[column].n_unique()
    return beside.height >= logins + FEWEST_SHARED and 2 * beside.height >= 3 * logins


def _columns(parts: dict[str, list[str]]) -> list[str]:
    return [column for group in parts.values() for column in group]


def _is_owner(frame: pl.DataFrame, shape: TableShape, group: str) -> bool:
    """Says whether a person set is one column of full names of those who look after companies or contacts.

    Its heading says so, or each of its names stands beside several people of another set, who do not repeat.
    """
    (column, *further), others = _columns(shape.people[group]), {**shape.people}
    del others[group]
    if further or set(shape.people[group]) != {"full"} or column not in frame.columns:
        return False
    words = column_words(column)
    named = bool(_OWNERS & set(words)) or words[-2:] in _OWNER_ENDS
    if named and (others or shape.companies):
        return True
    people = [one for parts in others.values() for one in _columns(parts) if one in frame.columns]
    if len(others) != 1 or not people or not _repeats(frame[column]):
        return False
    beside = frame.select(people).filter(pl.any_horizontal(pl.col(people).is_not_null()))
    alone = 10 * beside.unique().height >= 9 * beside.height
    return alone and _stands_beside_several(frame, shape, column, people)


def table_shape(columns: dict[str, ColumnSpec], keys: list[str]) -> TableShape:
    """Returns the person sets, addresses, companies and references of a table's columns."""
    people: dict[str, dict[str, list[str]]] = {}
    for column, spec in columns.items():
        if spec.kind is ColumnKind.PERSON:
            group = spec.person or ("" if spec.part in ("first", "last") else column)
            people.setdefault(group, {}).setdefault(spec.part, []).append(column)
    return TableShape(
        people,
        [column for column, spec in columns.items() if spec.kind is ColumnKind.EMAIL],
        [column for column, spec in columns.items() if spec.kind is ColumnKind.LOGIN],
        [column for column, spec in columns.items() if spec.kind is ColumnKind.COMPANY],
        [column for column, spec in columns.items() if spec.kind in (ColumnKind.URL, ColumnKind.DOMAIN)],
        keys if len(keys) == 1 else [],
        {column: spec.references for column, spec in columns.items() if spec.references},
        tuple(column for column, spec in columns.items() if spec.kind is ColumnKind.PHONE),
    )


def person_parts(
    row: dict[str, Any], parts: dict[str, list[str]], address: str = ""
) -> tuple[PersonName, ...]:
    """Returns the names that a person set's columns spell in one row, beside an address or none."""
    names: list[PersonName] = []
    for text in _single(row, parts):
        typed = read_name(text, address)
        if typed.name is not None:
            names.append(typed.name)
    firsts = [str(row.get(column) or "").strip() for column in parts.get("first", [])]
    last = " ".join(str(row.get(column) or "") for column in parts.get("last", [])).strip()
    for first in filter(None, firsts):
        given = parse_person(f"{last}, {first}") if last else None
        names.append(given or PersonName(first, "", last))
    if last and not any(firsts):
        names.append(PersonName("", "", last))
    return tuple(dict.fromkeys(names))


def named_companies(row: dict[str, Any], parts: dict[str, list[str]], address: str) -> Iterator[str]:
    """Yields the companies that stand where a person set's columns should name a person."""
    for text in _single(row, parts):
        typed = read_name(text, address)
        if typed.named is Named.COMPANY:
            yield typed.core


def listed_people(row: dict[str, Any], parts: dict[str, list[str]]) -> Iterator[str]:
    """Yields every mention of the cells of a person set that hold a list, a handle or an address."""
    for mentions in _mentions(row, parts):
        if not _is_single(mentions):
            yield from (text for text in mentions if not is_nobody(text) and not is_link(text))


def _single(row: dict[str, Any], parts: dict[str, list[str]]) -> Iterator[str]:
    """Yields the cells of a person set that are one name each."""
    for mentions in _mentions(row, parts):
        if _is_single(mentions) and not is_nobody(mentions[0]):
            yield mentions[0]


def _mentions(row: dict[str, Any], parts: dict[str, list[str]]) -> Iterator[list[str]]:
    for column in [*parts.get("full", []), *parts.get("last_first", [])]:
        value = row.get(column)
        texts = value if isinstance(value, list) else [value]
        found = [mention.text for text in texts if text for mention in mentions_in(str(text))]
        if found:
            yield found


def _is_single(mentions: list[str]) -> bool:
    one = mentions[0]
    return len(mentions) == 1 and "@" not in one and handle_in(one) is None and not is_link(one)


def without_missing(frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> pl.DataFrame:
    """Returns a table without headings and the values that its columns declare to stand for no value."""
    frame = without_headings(frame, columns)
    marked = [name for name, spec in columns.items() if spec.missing and frame.schema.get(name) == pl.String]
    return frame.with_columns(
        pl.when(~pl.col(name).is_in(columns[name].missing)).then(pl.col(name)) for name in marked
    )


def points_to_people(frame: pl.DataFrame, shape: TableShape) -> bool:
    """Says whether a table's one person or login column names people of other records: an agent, an owner.

    Its values repeat: a row is then no record of the person, and its company and key are not theirs.
    """
    if shape.pointing and not shape.own_people:
        return True
    if shape.emails:
        return False
    if not shape.people:
        return len(shape.logins) == 1 and _repeats(frame[shape.logins[0]])
    if len(shape.own_people) != 1 or shape.logins:
        return False
    parts = next(iter(shape.own_people.values()))
    columns = _columns(parts)
    return set(parts) == {"full"} and len(columns) == 1 and _repeats(frame[columns[0]])


def _repeats(series: pl.Series) -> bool:
    names = series.drop_nulls()
    return 2 * names.n_unique() <= len(names)
