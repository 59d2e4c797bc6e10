"""The rewriting of one store of canonical tables: evidence, registry, replacement, in this order.

Belongs here: what a dataset and the canaries planted beside it go through alike. Does not belong here: the
vault and the files of a dataset (`pseudonymize`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import polars as pl

from anonymize.contexts import Participants
from anonymize.detection import CleanText
from anonymize.event_cells import collect_events
from anonymize.evidence import Evidence, collect_table
from anonymize.headings import headings
from anonymize.keys import DatasetKey
from anonymize.kit import Kit
from anonymize.ledger import LEDGER_SCHEMA
from anonymize.links import clean_links, linked_spans
from anonymize.policy import BoundPolicy, PolicyReport
from anonymize.recognizers.full_names import named_lines
from anonymize.recognizers.lone_names import unborne
from anonymize.recognizers.names import name_finder
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.row_places import OrderedTables
from anonymize.table_shapes import strings, table_specs
from anonymize.tables import NAMELESS, LinkKey, TableCleaner
from anonymize.unassigned import explaining_recognizers
from anonymize.verdicts import Verdict
from archive.store import TableStore
from contracts.manifest import ColumnSpec, Manifest, TableSpec
from contracts.policy import Policy
from contracts.tables import ColumnKind, is_record_table, record_table_name

_READ = (ColumnKind.TEXT, ColumnKind.CATEGORY, ColumnKind.FILENAME)
"""Kinds of columns in which names are sought."""
NAME_ROUNDS = 4
"""Searches for further full names; two suffice where names do not chain."""


class Rewritten(NamedTuple):
    """What replacement wrote."""

    rows: dict[str, int]
    """Table -> rows."""
    ledger: pl.DataFrame
    policy: PolicyReport


@dataclass(frozen=True)
class Rewriting:
    """One store of raw tables with what is known of its columns."""

    raw: TableStore
    specs: dict[str, dict[str, ColumnSpec]]
    manifest: Manifest
    key: DatasetKey
    verdicts: tuple[Verdict, ...] = ()
    """What reviewers said of doubtful pairs."""
    policy: Policy = field(default_factory=Policy)
    """What is kept, dropped or made coarse instead of pseudonymised."""

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
        texts, files = self._texts()
        company = self.manifest.company
        registry = build_registry(evidence, company, verdicts=self.verdicts)
        if not texts:
            return registry, 0
        finder = name_finder(tuple(sorted(self.manifest.languages.items())))
        lines = named_lines(sorted(files.union(texts)))
        marked = finder.marked(texts, registry)
        if marked:
            registry = build_registry(evidence, company, (), marked, self.verdicts)
        persons = set(finder.addressed(texts, registry))
        if persons:
            registry = build_registry(evidence, company, sorted(persons), marked, self.verdicts)
        explaining = explaining_recognizers(self.manifest, registry)
        found = finder.find(texts, explaining, registry)
        persons = set(unborne(persons | set(found.persons)))
        # What the model added explains lines too; what later rounds add explains no line that has others.
        added = build_registry(Evidence(), company, found.persons, found.companies)
        explaining += explaining_recognizers(self.manifest, added)[:1]
        companies = tuple(sorted({*found.companies, *marked}))
        if found.persons or found.companies:
            registry = build_registry(evidence, company, sorted(persons), companies, self.verdicts)
        for _ in range(NAME_ROUNDS):
            further = finder.full_names(lines, explaining, registry) - persons
            if not further:
                return registry, found.lines
            persons = set(unborne(persons | further))
            registry = build_registry(evidence, company, sorted(persons), companies, self.verdicts)
        return registry, found.lines

    def _texts(self) -> tuple[list[str], set[str]]:
        """Returns the distinct texts and categories in order, and the names of files."""
        found: dict[ColumnKind, set[str]] = {kind: set() for kind in _READ}
        for name in self.tables:
            frame = self.raw.read(name)
            specs = table_specs(name, self.specs)
            found[ColumnKind.TEXT] |= headings(frame, specs)
            for column, spec in specs.items():
                ours = column in NAMELESS and not is_record_table(name)
                if spec.kind in found and column in frame.columns and column != "source" and not ours:
                    found[spec.kind].update(strings(frame[column]))
        return sorted(found[ColumnKind.TEXT] | found[ColumnKind.CATEGORY]), found[ColumnKind.FILENAME]

    def bound_policy(self) -> BoundPolicy:
        """Returns the policy with these tables.

        Raises:
            PolicyRefused: it names a column that is not there, or asks of it what cannot be done.
        """
        return BoundPolicy(
            self.policy,
            {name: table_specs(name, self.specs) for name in self.tables},
            {name: spec.key for name, (spec, _) in self.tables.items()},
        )

    def write(self, kit: Kit, pending: TableStore, progress: Callable[[str, int], None]) -> Rewritten:
        """Writes every table under surrogates and returns the ledger of replacements."""
        policy = self.bound_policy()
        ordered = OrderedTables(self.raw, self.key, self.manifest.company.zones)
        cleaner = TableCleaner(
            kit, Participants(kit.registry, kit.known, self.raw), linked_spans(self.raw), policy
        )
        ledger = [pl.DataFrame(schema=LEDGER_SCHEMA)]
        linked: dict[LinkKey, CleanText] = {}
        rows: dict[str, int] = {}
        for done, name in enumerate(sorted(self.tables, key=lambda name: (name == "links", name))):
            progress(name, done)
            spec, prefix = self.tables[name]
            frame = ordered.read(name)
            cleaned = cleaner.clean(name, frame, table_specs(name, self.specs), spec.key, prefix)
            linked.update(cleaned.linked)
            ledger.append(cleaned.ledger)
            rows[name] = frame.height
            clean = clean_links(cleaned.frame, frame, linked) if name == "links" else cleaned.frame
            pending.write(name, clean)
        return Rewritten(rows, pl.concat(ledger), policy.report)
