"""How the tables of a draft hang together: the key of each and what its columns point to.

Belongs here: which proposals are sure enough to be written. Does not belong here: making them
(`archive.keys`, `archive.references`) and writing them (`archive.table_drafts`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from archive.keys import propose_keys
from archive.people_columns import OBJECT_ID, OBJECT_TABLE
from archive.references import ReferenceProposal, propose_references
from archive.table_samples import TableSample
from contracts.manifest import ColumnSpec

KEY_FROM = 0.6
"""Least confidence of a key that is written into a draft."""
REFERENCE_FROM = 0.7
"""Least confidence of a reference within a source that is written into a draft."""
ACROSS_FROM = 0.8
"""Least confidence of a reference between sources."""
SURE = 0.9
"""From this confidence on a proposal needs no check; a reference to columns that are no key needs it."""
_FEW_ROWS = 10
"""With fewer rows a key is written only where it is sure, or where other tables point to it."""
_LEAST_ROWS = 5
"""Tables with fewer rows are not taken to point to each other, nor to another source."""

_BESIDE_LINKS = 1
"""Further columns that a table of links may have."""

Place = tuple[str, str]
"""Source and table."""
Specs = Mapping[Place, Mapping[str, ColumnSpec]]


class KeyGuess(NamedTuple):
    """The key of a table with what speaks for it."""

    columns: tuple[str, ...]
    confidence: float
    why: str

    @property
    def sure(self) -> bool:
        """Says whether nobody needs to check it."""
        return self.confidence >= SURE


class Pointer(NamedTuple):
    """What a column points to."""

    home: str
    """Source of the table."""
    proposal: ReferenceProposal


def table_keys(samples: Mapping[Place, TableSample], specs: Specs) -> dict[Place, KeyGuess]:
    """Returns the key of every table that has one: declared by its source, else the surest proposal."""
    found = {}
    for place, sample in samples.items():
        key = _key(sample, specs[place])
        if key is not None:
            found[place] = key
    return found


def held_keys(
    keys: Mapping[Place, KeyGuess],
    samples: Mapping[Place, TableSample],
    pointers: Mapping[Place, Mapping[str, Pointer]],
) -> dict[Place, KeyGuess]:
    """Returns the keys that more than a few rows speak for, or other tables that point to them."""
    targets = {
        (held.home, held.proposal.to_table, held.proposal.to_column)
        for columns in pointers.values()
        for held in columns.values()
    }
    found = {
        place: key
        for place, key in keys.items()
        if key.sure
        or samples[place].frame.height >= _FEW_ROWS
        or (len(key.columns) == 1 and (*place, key.columns[0]) in targets)
    }
    for place, columns in pointers.items():
        pair = _link_key(samples[place], columns)
        if pair is not None and not (place in found and found[place].confidence == 1):
            found[place] = pair
    return found


def _link_key(sample: TableSample, pointers: Mapping[str, Pointer]) -> KeyGuess | None:
    """The columns that point, for a table that links others and says hardly more: none is a key alone."""
    filled = [name for name in sample.frame.columns if sample.frame[name].null_count() < sample.frame.height]
    columns = tuple(name for name in filled if name in pointers)
    if len(columns) < 2 or len(filled) > len(columns) + _BESIDE_LINKS:
        return None
    if sample.frame.select(columns).n_unique() < sample.frame.height:
        return None
    return KeyGuess(columns, 0.8, "a table of links: what it points to, together")


def _key(sample: TableSample, known: Mapping[str, ColumnSpec]) -> KeyGuess | None:
    if sample.key:
        return KeyGuess(sample.key, 1.0, "declared by the source")
    if sample.name.startswith(OBJECT_TABLE) and OBJECT_ID in sample.frame.columns:
        return None
    for proposal in propose_keys(sample.frame, sample.name, known):
        if proposal.confidence < KEY_FROM:
            return None
        if not any(_is_technical(column) for column in proposal.columns):
            return KeyGuess(proposal.columns, proposal.confidence, proposal.why)
    return None


def _is_technical(column: str) -> bool:
    """Says whether a connector wrote a column for itself, as "_fivetran_synced"."""
    return column.startswith("_")


def table_pointers(
    samples: Mapping[Place, TableSample], specs: Specs, keys: Mapping[Place, KeyGuess]
) -> dict[Place, dict[str, Pointer]]:
    """Returns what the columns of all tables point to: in their own source, else in another one."""
    found: dict[Place, dict[str, Pointer]] = defaultdict(dict)
    for source in dict.fromkeys(place[0] for place in samples):
        tables = {place[1]: sample for place, sample in samples.items() if place[0] == source}
        proposals = propose_references(
            {name: sample.frame for name, sample in tables.items()},
            {name: specs[source, name] for name in tables},
        )
        _add_declared(source, tables, found)
        for proposal in _best(proposals, {name: keys.get((source, name)) for name in tables}):
            tiny = all(
                tables[name].frame.height < _LEAST_ROWS for name in (proposal.from_table, proposal.to_table)
            )
            least = SURE if "no key there" in proposal.why else REFERENCE_FROM
            if proposal.confidence >= least and not tiny and not _is_technical(proposal.from_column):
                found[source, proposal.from_table].setdefault(proposal.from_column, Pointer(source, proposal))
    _add_across(samples, specs, found)
    return dict(found)


def _add_declared(
    source: str, tables: Mapping[str, TableSample], found: dict[Place, dict[str, Pointer]]
) -> None:
    """Adds the references that a database itself declares, to tables that are there."""
    for name, sample in tables.items():
        for column, (table, target) in sample.pointing.items():
            if table in tables and column in sample.frame.columns and target in tables[table].frame.columns:
                proposal = ReferenceProposal(name, column, table, target, 1.0, 1.0, "declared by the source")
                found[source, name].setdefault(column, Pointer(source, proposal))


def _best(
    proposals: Sequence[ReferenceProposal], keys: Mapping[str, KeyGuess | None]
) -> Iterable[ReferenceProposal]:
    """Yields the first proposal of each column, to the key of the table where that has the same values."""
    first: dict[tuple[str, str], ReferenceProposal] = {}
    for proposal in proposals:
        first.setdefault((proposal.from_table, proposal.from_column), proposal)
    for proposal in proposals:
        place = proposal.from_table, proposal.from_column
        best, key = first[place], keys.get(proposal.to_table)
        if (
            key is not None
            and key.columns == (proposal.to_column,)
            and proposal.to_table == best.to_table
            and proposal.coverage >= best.coverage
        ):
            first[place] = proposal._replace(confidence=best.confidence)
    yield from first.values()


def _add_across(
    samples: Mapping[Place, TableSample], specs: Specs, found: dict[Place, dict[str, Pointer]]
) -> None:
    """Adds references between sources; tables that share their name with another's are left out."""
    counted = Counter(name for _, name in samples)
    home = {name: source for source, name in samples if counted[name] == 1}
    if len(set(home.values())) < 2:
        return
    frames = {name: samples[source, name].frame for name, source in home.items()}
    known = {name: specs[source, name] for name, source in home.items()}
    for proposal in propose_references(frames, known):
        here, there = home[proposal.from_table], home[proposal.to_table]
        tiny = frames[proposal.from_table].height < _LEAST_ROWS or _is_technical(proposal.from_column)
        if here != there and proposal.confidence >= ACROSS_FROM and not tiny:
            found[here, proposal.from_table].setdefault(proposal.from_column, Pointer(there, proposal))
