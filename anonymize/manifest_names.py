"""Names of the manifest that tell somebody: dataset, sources, tables, files and columns against the registry.

Such names become folders, files, partition keys and column heads that everybody sees, and no replacement
reaches them. Belongs here: finding them and saying by position which to change, never what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from anonymize.constants import NAME_PARTS, bare, runs, words
from anonymize.registry import Registry, domain_stem
from anonymize.words import called_names, ordinary_words, word_set
from archive.errors import ManifestError
from archive.presets import load_preset
from archive.store import RECORD_HEAD, TableStore
from contracts.manifest import Manifest, Source
from contracts.tables import record_table_name

TELLING_DATASET = "the name of the dataset tells a person or company of the archive"
SHORTEST_WORD = 4
SHORTEST_INSIDE = 6
"""Shorter words occur inside others by chance."""


_OWN_COLUMNS = {
    "sap": re.compile(r"^[YZyz/]|[^A-Za-z0-9_]|[a-z][A-Z]|[A-Z][a-z]"),
    "salesforce": re.compile(r"__c$|[^A-Za-z0-9_]"),
}
"""Preset -> how to tell columns that a company added: by the product's mark, or a spelling it never has."""
_SHORTEST_ALONE = {"sap": SHORTEST_INSIDE}
"""Preset -> letters of a word beside others in its product's own columns, where they are cut: "PAYS_TRAN"."""


class Telling(NamedTuple):
    """The registered words that a name must not hold."""

    alone: frozenset[str]
    inside: tuple[str, ...]
    """Squeezed forms that are searched inside a name as well."""

    @classmethod
    def of(cls, registry: Registry) -> Telling:
        """Returns the family names, full names, companies and domains of a registry."""
        free = {
            bare(word) for word in ordinary_words() | word_set("zone_cities") | word_set("roles")
        } | NAME_PARTS
        firsts = {bare(name) for name in called_names()}
        alone: set[str] = set()
        inside: set[str] = set()
        for person in registry.persons:
            for name in person.names:
                families = [word for word in words(name.last) if name.first and word not in firsts]
                alone.update(families)
                inside.update(families)
                if name.first and name.last:
                    inside.update(("".join(words(name.full)), "".join(words(f"{name.last} {name.first}"))))
        for company in registry.companies:
            stems = [word for name in company.names for word in words(name.core)[:1]]
            stems += [bare(domain_stem(domain)) for domain in company.domains]
            alone.update(stems)
            inside.update(stems)
            inside.update("".join(words(name.core)) for name in company.names)
        return cls(
            frozenset(word for word in alone - free if len(word) >= SHORTEST_WORD),
            tuple(sorted(word for word in inside - free if len(word) >= SHORTEST_INSIDE)),
        )

    def tells(self, name: str) -> bool:
        """Says whether a name holds a registered word, alone or inside what its ordinary words leave."""
        pieces = _words(name)
        if any(piece in self.alone for piece in pieces):
            return True
        if all(piece in _bare_ordinary() for piece in pieces):
            return False
        squeezed = "".join(pieces)
        return any(word in squeezed for word in self.inside)

    def tells_among_cut(self, name: str, shortest: int) -> bool:
        """Says whether a product's own column holds a registered word; cut words side by side do by chance.

        A word beside others must have so many letters; nothing but registered words tells at any length.
        """
        pieces = _words(name)
        held = [piece for piece in pieces if piece in self.alone]
        return bool(held) and (len(held) == len(pieces) or any(len(piece) >= shortest for piece in held))


@cache
def _bare_ordinary() -> frozenset[str]:
    return frozenset(bare(word) for word in ordinary_words())


def _words(name: str) -> list[str]:
    return [word for start, end in runs(name) for word in _pieces(name[start:end])]


def _pieces(run: str) -> Iterator[str]:
    begin = 0
    for place in range(1, len(run)):
        if run[place].isupper() and run[place - 1].islower():
            yield bare(run[begin:place])
            begin = place
    yield bare(run[begin:])


def found_tables(raw: TableStore) -> dict[str, list[str]]:
    """Returns the own columns of every record table, in the order of the export."""
    return {name: raw.columns(name)[len(RECORD_HEAD) :] for name in raw.record_tables()}


def refuse_telling_names(
    dataset: str, stated: Manifest, found: dict[str, list[str]], registry: Registry
) -> None:
    """Checks every name that will be seen.

    Args:
        dataset: the name of the dataset.
        stated: the manifest as the person wrote it, presets applied.
        found: record table -> own columns, as stored.
        registry: whom the archive speaks of.

    Raises:
        ManifestError: a name tells somebody; the message says which by position, not what it is.
    """
    telling = Telling.of(registry)
    if telling.tells(dataset):
        raise ManifestError(f"{TELLING_DATASET}: choose another (--name)")
    for number, source in enumerate(stated.sources, start=1):
        if telling.tells(source.name):
            raise ManifestError(
                f"manifest, source {number}: its name tells a person or company of the archive: rename it"
            )
        head = record_table_name(source.name, "")
        for table, columns in found.items():
            if table.startswith(head):
                _check_table(telling, number, source, table.removeprefix(head), columns)


def _check_table(telling: Telling, number: int, source: Source, table: str, columns: list[str]) -> None:
    public = _public_names(source)
    own = [stated.name for stated in source.tables if stated.name.lower() not in public]
    stored = [record_table_name("", name).removeprefix(record_table_name("", "")) for name in own]
    place = stored.index(table) + 1 if table in stored else 0
    if table not in public and telling.tells(own[place - 1] if place else table):
        if place:
            raise ManifestError(
                f"manifest, source {number}, table {place} of its own: its name tells a person or company "
                "of the archive: give it another name, and its file as `path`"
            )
        raise ManifestError(
            f"manifest, source {number}: a table that is named after its file tells a person or company "
            "of the archive: list it under `tables` with another name, and its file as `path`"
        )
    known = public.get(table, frozenset())
    where = f"table {place} of its own" if place else "a table of its files"
    for position, column in enumerate(columns, start=1):
        if column not in known and _is_telling(telling, source.preset or "", table in public, column):
            raise ManifestError(
                f"manifest, source {number}, {where}, column {position}: its name tells a person or company "
                "of the archive: rename it in the export"
            )


def _is_telling(telling: Telling, preset: str, public: bool, column: str) -> bool:
    added = _OWN_COLUMNS.get(preset)
    if not public or added is None or added.search(column):
        return telling.tells(column)
    return telling.tells_among_cut(column, _SHORTEST_ALONE.get(preset, SHORTEST_WORD))


def _public_names(source: Source) -> dict[str, frozenset[str]]:
    """Returns the tables and columns of a source's preset: names of a product, which tell nobody."""
    if source.preset is None:
        return {}
    return {table.name.lower(): frozenset(table.columns) for table in load_preset(source.preset).tables}
