"""Proposals which columns of unknown tables point to rows of others, from the values they have in common.

A column refers to another where its values are among the other's, which are all different (an inclusion).
Names say whether that is meant: values alone count only where chance cannot explain them, so small whole
numbers, codes, dates and amounts need a name that speaks of the other table. Samples find the pairs, all
values decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from archive.column_words import KEYS, NAME, column_words, is_unnamed
from archive.keys import guessed_specs, name_of_table, propose_keys, singular
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

SAMPLE = 1_000
"""Distinct values of a column that are looked for in all possible targets first."""
_LEAST_SAMPLED = 0.3
_LEAST_NAMED = 0.6
"""Share of distinct values that must be found where names agree; the rest dangle, as in partial exports."""
_LEAST_ALONE = 0.98
_LEAST_KEY = 0.45
_LEAST_ALIKE = 4
_FEW = 5
_RICH = 10
_LEAST_TARGET = 3
"""Fewer different values tell nothing of a column, unless it is named as the id of its table."""
_K = ColumnKind
_FIT = (
    _K.ID,
    _K.CODE,
    _K.LOGIN,
    _K.EMAIL,
    _K.COMPANY,
    _K.PERSON,
    _K.CATEGORY,
    _K.MEASURE,
    _K.TEXT,
    _K.DOMAIN,
)
_NAMING = (_K.ID, _K.LOGIN, _K.EMAIL, _K.COMPANY)
"""Kinds whose values say enough to speak without a name."""
_GENERIC = frozenset(
    (*KEYS, *NAME, "type", "value", "index", "position", "line", "status", "source", "year", "month")
)
_PEOPLE = frozenset(
    "user users owner owners employee employees person people member agent login staff salesrep".split()
)
_ROLES = frozenset(
    "owner creator created modified updated assignee requester submitter author reporter manager rep agent"
    " approver closed opened assigned user employee salesperson signed supervisor actor by".split()
)
_ABOVE = frozenset("parent parents manager supervisor reports master predecessor superior original".split())


class ReferenceProposal(NamedTuple):
    """A column that could point to the rows of a table."""

    from_table: str
    from_column: str
    to_table: str
    to_column: str
    confidence: float
    coverage: float
    """Share of the column's distinct values that the other table has."""
    why: str


class _Column(NamedTuple):
    number: int
    table: str
    name: str
    kind: ColumnKind
    distinct: int
    unique: bool
    """No value stands twice; nearly so for columns that another column of the same name may point to."""
    key: bool
    main: bool
    """The surest key of its table."""
    home: bool
    """Named as the id of its own table."""
    dense: bool
    """Small or running whole numbers, which any counter has."""
    long: bool
    """Six characters or more in every value."""


def propose_references(
    tables: Mapping[str, pl.DataFrame], specs: Mapping[str, Mapping[str, ColumnSpec]] | None = None
) -> list[ReferenceProposal]:
    """Returns the references that tables could have to each other and to themselves, surest first.

    Values are compared trimmed; whole numbers without zeros in front and without ".0" behind.

    Args:
        tables: name -> its own columns as strings, without provenance; empty cells null.
        specs: what the columns hold; guessed where None.
    """
    columns: list[_Column] = []
    values: dict[int, pl.Series] = {}
    for name, table in tables.items():
        known = guessed_specs(table) if specs is None or name not in specs else specs[name]
        _add_columns(columns, values, name, table, known)
    named = {name: name_of_table(name) for name in tables}
    best: dict[int, list[ReferenceProposal]] = {}
    for source, target in _shared_values(columns, values):
        if _belongs_elsewhere(columns[source], columns[target], named):
            continue
        proposal = _proposal(columns[source], columns[target], values, tables)
        if proposal is not None:
            best.setdefault(source, []).append(proposal)
    ranked = [proposal for number in sorted(best) for proposal in _ranked(best[number])]
    found = _first_columns(_to_the_source(ranked), tables)
    return sorted(found, key=lambda one: (-one.confidence, one.from_table, one.from_column, one.to_table))


def _to_the_source(proposals: Sequence[ReferenceProposal]) -> list[ReferenceProposal]:
    """Points past columns that point on themselves: an order number in a delivery leads to the order.

    Only where the other column's values are all there, so that nothing that was found is lost.
    """
    sure = {
        (one.from_table, one.from_column): (one.to_table, one.to_column)
        for one in proposals
        if one.coverage == 1.0
    }
    led = []
    for proposal in proposals:
        own = (proposal.from_table, proposal.from_column)
        place, seen = (proposal.to_table, proposal.to_column), {own}
        while place in sure and place not in seen:
            seen.add(place)
            place = sure[place]
        if place not in seen:
            proposal = proposal._replace(to_table=place[0], to_column=place[1])
        led.append(proposal)
    return list(dict.fromkeys(led))


def _first_columns(
    proposals: Sequence[ReferenceProposal], tables: Mapping[str, pl.DataFrame]
) -> list[ReferenceProposal]:
    """Of columns of one table that say the same (a number and its copy), the leftmost one, as sure as any."""
    chosen: dict[tuple[str, str, str], ReferenceProposal] = {}
    for proposal in proposals:
        place = (proposal.from_table, proposal.from_column, proposal.to_table)
        other = chosen.setdefault(place, proposal)
        if other.coverage != proposal.coverage:
            chosen[place] = max(other, proposal, key=lambda one: one.confidence)
            continue
        order = tables[proposal.to_table].columns
        left = min(other, proposal, key=lambda one: order.index(one.to_column))
        surest = max(other, proposal, key=lambda one: one.confidence)
        chosen[place] = surest._replace(to_column=left.to_column)
    return list(chosen.values())


def _is_id(column: _Column) -> bool:
    return column.home or column.name.lower() in ("id", "guid", "uuid")


def _belongs_elsewhere(source: _Column, target: _Column, named: Mapping[str, list[str]]) -> bool:
    """Says whether a column is called after a table, and the other table is not that one."""
    own = column_words(source.name)
    stem = [singular(word) for word in own[:-1]] if own[-1] in KEYS else []
    homes = [words for words in named.values() if words and stem[-len(words) :] == words]
    return bool(homes) and named[target.table] not in homes and source.table != target.table


def _add_columns(
    columns: list[_Column],
    values: dict[int, pl.Series],
    name: str,
    table: pl.DataFrame,
    known: Mapping[str, ColumnSpec],
) -> None:
    keys = [
        proposal.columns[0]
        for proposal in propose_keys(table, name, known)
        if len(proposal.columns) == 1 and proposal.confidence >= _LEAST_KEY
    ]
    for column in table.columns:
        kind = known[column].kind if column in known else _K.TEXT
        if kind not in _FIT or (words := column_words(column)) == [] or is_unnamed(column):
            continue
        if kind is _K.TEXT and words[-1] in ("description", "comment", "notes", "note", "body", "memo"):
            continue
        cells = _plain(table[column].drop_nulls())
        missing = known[column].missing if column in known else []
        cells = cells.filter(~cells.is_in(["", "0", *missing]))
        distinct = cells.unique(maintain_order=True)
        if len(distinct) == 0 or (len(distinct) < 2 and kind not in (_K.ID, _K.LOGIN)):
            continue
        filled = len(cells) * 10 >= table.height * 8
        unique = filled and len(distinct) * 100 >= len(cells) * 99
        numbers = distinct.cast(pl.Int64, strict=False)
        dense = False
        if numbers.null_count() == 0:
            low, high = int(numbers.min() or 0), int(numbers.max() or 0)  # type: ignore[arg-type]
            dense = high < 1_000 or (high - low < 3 * len(distinct) and low < 10 * len(distinct))
        number = len(columns)
        home = [singular(word) for word in words[:-1]] == name_of_table(name) and words[-1] in KEYS
        long = int(distinct.str.len_chars().min() or 0) >= 6  # type: ignore[arg-type]
        key, main = column in keys, column in keys[:1]
        columns.append(
            _Column(number, name, column, kind, len(distinct), unique, key, main, home, dense, long)
        )
        values[number] = distinct


def _plain(cells: pl.Series) -> pl.Series:
    stripped = cells.cast(pl.String).str.strip_chars()
    return stripped.str.replace(r"^0*(\d+)(?:\.0+)?$", "$1")


def _shared_values(columns: list[_Column], values: dict[int, pl.Series]) -> list[tuple[int, int]]:
    """Pairs of columns, the second with unique values, that share enough of a sample of the first's."""
    targets = [
        column for column in columns if column.unique and (column.distinct >= _LEAST_TARGET or _is_id(column))
    ]
    if not targets:
        return []
    there = pl.concat(
        [
            pl.DataFrame({"value": values[c.number]}).with_columns(target=pl.lit(c.number, pl.Int32))
            for c in targets
        ]
    )
    samples = pl.concat(
        [
            pl.DataFrame({"value": _sample(values[c.number])}).with_columns(source=pl.lit(c.number, pl.Int32))
            for c in columns
        ]
    )
    hits = samples.join(there, on="value").filter(pl.col("source") != pl.col("target"))
    counted = hits.group_by("source", "target").len().sort("source", "target")
    return [
        (source, target)
        for source, target, count in counted.iter_rows()
        if count >= _LEAST_SAMPLED * min(SAMPLE, columns[source].distinct)
    ]


def _sample(distinct: pl.Series) -> pl.Series:
    """Values from all over a column, the same ones in every run."""
    step = max(1, len(distinct) // SAMPLE)
    return distinct.gather_every(step).head(SAMPLE)


def _proposal(
    source: _Column, target: _Column, values: dict[int, pl.Series], tables: Mapping[str, pl.DataFrame]
) -> ReferenceProposal | None:
    same_table = source.table == target.table
    if source.home or (source.key and (not target.key or source.distinct > target.distinct)):
        return None
    if (source.main and not target.main) or (source.kind is _K.TEXT and not target.key):
        return None
    names, told = _names_agree(source, target)
    if same_table and (not target.key or source.key or names == 0):
        return None
    if names == 0 and (source.dense or source.kind not in _NAMING or not target.key):
        return None
    if names == 0 and source.distinct < 5 and not (source.kind is target.kind is _K.LOGIN):
        return None
    if source.key and target.key and (_is_copy(tables, source, target) or _are_few(source, target)):
        return None
    coverage = float(values[source.number].is_in(values[target.number].implode()).mean() or 0.0)  # type: ignore[arg-type]
    confidence = _confidence(source, target, names, coverage)
    if confidence is None:
        return None
    reasons = [told] if told else ["values too telling for chance"]
    reasons.append(f"{coverage:.0%} of {source.distinct} values are there")
    if not target.key:
        reasons.append("though no key there")
    return ReferenceProposal(
        source.table,
        source.name,
        target.table,
        target.name,
        confidence,
        round(coverage, 4),
        ", ".join(reasons),
    )


def _confidence(source: _Column, target: _Column, names: int, coverage: float) -> float | None:
    if names == 0:
        if coverage < _LEAST_ALONE:
            return None if coverage < 0.4 or source.distinct < _RICH or source.kind is not _K.ID else 0.5
        telling = source.distinct >= _RICH or source.long or source.kind in (_K.COMPANY, _K.LOGIN, _K.EMAIL)
        return round((0.82 if telling else 0.7) - (0.0 if target.key else 0.1), 2)
    if coverage < _LEAST_NAMED:
        return 0.55 if names >= 3 and coverage >= 0.2 else None
    confidence = {1: 0.72, 2: 0.84, 3: 0.93}[names]
    confidence += 0.05 if coverage == 1 and source.distinct >= 3 else 0.0
    confidence -= 0.08 if coverage < 0.8 else 0.0
    confidence -= 0.05 if not target.main else 0.0
    if source.kind in (_K.TEXT, _K.MEASURE) and names < 3:
        confidence -= 0.04
    return round(min(0.98, confidence), 2)


def _names_agree(source: _Column, target: _Column) -> tuple[int, str]:
    """How far names speak for a reference, 0 to 3, and why."""
    own, other = column_words(source.name), column_words(target.name)
    table = name_of_table(target.table)
    stem = [singular(word) for word in (own[:-1] if own[-1] in _GENERIC and len(own) > 1 else own)]
    ends = own[-1] in KEYS or source.kind in (_K.COMPANY, _K.PERSON, _K.LOGIN, _K.CATEGORY)
    if source.table == target.table:
        if _ABOVE & set(own) or "of" in own:
            return 2, "name of what stands above"
        return 0, ""
    if own == other and not set(own) <= _GENERIC:
        return (3 if target.key or own[-1] in KEYS or source.name.isupper() else 2), "same name"
    if own == other and source.key:
        return (2 if _begins(name_of_table(source.table), table) else 0), "table named as a part of the other"
    is_id = other[-1] in KEYS and (len(other) == 1 or [singular(w) for w in other[:-1]][-1:] == table[-1:])
    foreign = other[-1] in KEYS and len(other) > 1 and not is_id
    if stem and table and ends and (is_id or (target.key and not foreign)):
        if stem == table or stem[-len(table) :] == table:
            return 3, "named after the table"
        if stem[-1:] == table[-1:] and not set(stem) <= _GENERIC:
            return 2, "named after the table"
    tail = (
        [singular(word) for word in other[:-1]] if other[-1] in KEYS else [singular(word) for word in other]
    )
    if tail and stem[-len(tail) :] == tail and ends and target.key and not set(tail) <= _GENERIC:
        return 2, "ends as the other's name"
    if set(table[-1:]) & _PEOPLE and _ROLES & set(own) and target.key and ends:
        return 2, "a role of people"
    if target.key and table and _prefix(stem, table) and source.kind in (_K.ID, _K.CODE, _K.MEASURE):
        return 2, "begins as the table's name"
    if own[-1] == other[-1] and not {own[-1]} <= _GENERIC and target.key:
        return 1, "last word of the name"
    return 0, ""


def _begins(part: list[str], whole: list[str]) -> bool:
    return len(part) > len(whole) > 0 and part[: len(whole)] == whole


def _prefix(stem: list[str], table: list[str]) -> bool:
    first = stem[0] if stem else ""
    return len(first) >= 4 and len(table) == 1 and table[0].startswith(first) and table[0] != first


def _is_copy(tables: Mapping[str, pl.DataFrame], source: _Column, target: _Column) -> bool:
    """Says whether two tables are deliveries of one: most columns are named alike."""
    one, other = ({name for name in tables[end.table].columns if name[0] != "_"} for end in (source, target))
    return len(one & other) >= _LEAST_ALIKE and len(one & other) * 10 >= 6 * min(len(one), len(other))


def _are_few(source: _Column, target: _Column) -> bool:
    """Says whether two keys are too short to tell which of them is the other's."""
    return target.distinct < _FEW and not _is_id(target) and source.name == target.name


def _ranked(proposals: list[ReferenceProposal]) -> list[ReferenceProposal]:
    """The best target of a column first; others of it become doubtful, as a column mostly has one."""
    ordered = sorted(proposals, key=lambda one: (-one.confidence, -one.coverage, one.to_table, one.to_column))
    return [ordered[0], *(one._replace(confidence=round(min(0.6, one.confidence), 2)) for one in ordered[1:])]
