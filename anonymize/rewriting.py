"""The rewriting of one store of canonical tables: evidence, registry, replacement, in this order.

Belongs here: what a dataset and the canaries planted beside it go through alike. Does not belong here: the
vault and the files of a dataset (`pseudonymize`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import polars as pl

from anonymize.contexts import Participants
from anonymize.detection import CleanText
from anonymize.event_cells import collect_events
from anonymize.evidence import Evidence, collect_table
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.ledger import LEDGER_SCHEMA, LedgerRow
from anonymize.links import clean_links, linked_spans
from anonymize.recognizers.names import name_finder
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.table_shapes import strings, table_specs
from anonymize.tables import NAMELESS, LinkKey, TableCleaner
from archive.store import TableStore
from contracts.manifest import ColumnSpec, Manifest, TableSpec
from contracts.tables import ColumnKind, is_record_table, record_table_name

NAME_ROUNDS = 4
"""Searches for further full names; two suffice where names do not chain."""


class Rewritten(NamedTuple):
    """What replacement wrote."""

    rows: dict[str, int]
    """Table -> rows."""
    ledger: pl.DataFrame


@dataclass(frozen=True)
class Rewriting:
    """One store of raw tables with what is known of its columns."""

    raw: TableStore
    specs: dict[str, dict[str, ColumnSpec]]
    manifest: Manifest
    key: DatasetKey

    @cached_property
    def tables(self) -> dict[str, tuple[TableSpec, str]]:
        """Every table with its part of the manifest and the prefix of its record keys."""
        known = {
            record_table_name(source.name, table.name): (table, f"{source.name}.{table.name}")
            for source in self.manifest.sources
            for table in source.tables
        }
        return {name: known.get(name, (TableSpec(name=name), name)) for name in self.raw.names()}

    def evidence(self) -> Evidence:
        """Returns what typed columns and addresses say."""
        evidence = Evidence()
        for name, (spec, prefix) in self.tables.items():
            frame = self.raw.read(name)
            collect_table(evidence, name, frame, table_specs(name, self.specs), spec.key, prefix)
            if name == "ticket_events":
                collect_events(evidence, frame)
        return evidence

    def registry(self, evidence: Evidence) -> tuple[Registry, int]:
        """Returns the registry with the names that text adds, and how many lines a model read.

        A name that is new makes further ones plain ("Lee" was met in full, so "Ann Lee" is a name too): the
        search by known names is repeated until it finds no more.
        """
        texts = self._texts(ColumnKind.TEXT) | self._texts(ColumnKind.CATEGORY)
        files = self._texts(ColumnKind.FILENAME)
        company = self.manifest.company
        registry = build_registry(evidence, company)
        if not texts:
            return registry, 0
        finder = name_finder()
        everywhere = sorted(texts | files)
        found = finder.find(sorted(texts), self._explaining(registry).recognizers, registry)
        persons = set(found.persons)
        for _ in range(NAME_ROUNDS):
            registry = build_registry(evidence, company, sorted(persons), found.companies)
            further = (
                finder.full_names(everywhere, self._explaining(registry).recognizers, registry) - persons
            )
            if not further:
                return registry, found.lines
            persons |= further
        return build_registry(evidence, company, sorted(persons), found.companies), found.lines

    def _texts(self, kind: ColumnKind) -> set[str]:
        found: set[str] = set()
        for name in self.tables:
            frame = self.raw.read(name)
            for column, spec in table_specs(name, self.specs).items():
                ours = column in NAMELESS and not is_record_table(name)
                if spec.kind is kind and column in frame.columns and column != "source" and not ours:
                    found.update(strings(frame[column]))
        return found

    def _explaining(self, registry: Registry) -> Kit:
        """Returns a kit that only explains lines: its surrogates are dropped."""
        return Kit(Plan(self.key, self.manifest, registry, Assignments()))

    def write(self, kit: Kit, pending: TableStore, progress: Callable[[str, int], None]) -> Rewritten:
        """Writes every table under surrogates and returns the ledger of replacements."""
        cleaner = TableCleaner(kit, Participants(kit.registry, kit.known, self.raw), linked_spans(self.raw))
        ledger: list[LedgerRow] = []
        linked: dict[LinkKey, CleanText] = {}
        rows: dict[str, int] = {}
        for done, name in enumerate(sorted(self.tables, key=lambda name: (name == "links", name))):
            progress(name, done)
            spec, prefix = self.tables[name]
            frame = self.raw.read(name)
            cleaned = cleaner.clean(name, frame, table_specs(name, self.specs), spec.key, prefix)
            linked.update(cleaned.linked)
            ledger.extend(cleaned.ledger)
            rows[name] = frame.height
            clean = clean_links(cleaned.frame, frame, linked) if name == "links" else cleaned.frame
            pending.write(name, clean)
        return Rewritten(rows, pl.DataFrame(ledger, schema=LEDGER_SCHEMA, orient="row"))
