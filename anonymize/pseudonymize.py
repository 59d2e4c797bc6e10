"""The road of this package: raw tables in, registry, vault, pending clean tables and their ledger out.

Belongs here: the order of the steps. Publishing is `audit`'s business.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from anonymize.contexts import Participants
from anonymize.detection import CleanText
from anonymize.errors import VaultError
from anonymize.evidence import Evidence, collect_table, strings, table_specs
from anonymize.forms import parse_company
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.links import clean_links, linked_spans
from anonymize.recognizers.names import FoundNames, NameFinder
from anonymize.registry import Registry, domain_stem
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.tables import LEDGER_SCHEMA, LedgerRow, LinkKey, TableCleaner
from anonymize.vault import REGISTRY, Vault
from archive.home import DatasetHome
from archive.loading import LoadedManifest
from archive.store import TableStore
from contracts.manifest import ColumnSpec, Manifest, TableSpec
from contracts.tables import ColumnKind, record_table_name

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how many steps are done, and how many there are."""

LEDGER = "ledger"
REVIEW_FILE = "review.json"


@dataclass(frozen=True)
class PseudonymizeReport:
    """What was done, in counts only."""

    entities: dict[str, int]
    rows: dict[str, int]
    """Table -> rows."""
    replacements: dict[str, int]
    """Kind of finding -> replacements in text."""
    doubtful: int
    """Pairs that wait for review."""
    lines_read: int
    """Distinct lines that the statistical model read."""


def pseudonymize_dataset(
    home: DatasetHome, loaded: LoadedManifest, key: DatasetKey, progress: Progress
) -> PseudonymizeReport:
    """Writes `clean.pending/` with every canonical table under surrogates, and returns the counts.

    The vault keeps what was assigned, so that a later batch gets the same surrogates. Nothing is
    published: `audit.audit_dataset` and `audit.publish` do that.

    Raises:
        VaultError: the vault was written with another key.
    """
    raw = TableStore(home.raw, private=True)
    vault = Vault(home.vault, key)
    kept = vault.load()
    specs = raw.column_specs()
    tables = _tables(raw, loaded.manifest)
    steps = len(tables) + 3
    progress("collect entities", 0, steps)
    evidence = Evidence()
    for name, (spec, prefix) in tables.items():
        collect_table(evidence, name, raw.read(name), table_specs(name, specs), spec.key, prefix)
    registry = build_registry(evidence, loaded.manifest.company)
    progress("find names in text", 1, steps)
    found = _found_names(raw, specs, key, loaded.manifest, registry, tables)
    if found.persons or found.companies:
        registry = build_registry(evidence, loaded.manifest.company, found.persons, found.companies)
    progress("assign surrogates", 2, steps)
    kit = Kit(Plan(key, loaded.manifest, registry, kept or Assignments()))
    vault.save(kit.surrogates.kept)
    vault.save_part(REGISTRY, registry.to_json())
    report = _write_tables(home, raw, kit, specs, tables, progress, steps)
    _write_side_files(home, kit, loaded.manifest, specs)
    progress("write", steps, steps)
    return PseudonymizeReport(registry.counts(), report[0], report[1], len(registry.doubtful), found.lines)


def registry_of(vault: Vault) -> Registry:
    """Returns the entity registry that the last run left in the vault.

    Raises:
        VaultError: there is none, or the key is another one.
    """
    content = vault.load_part(REGISTRY)
    if content is None:
        raise VaultError("the vault holds no entity registry: pseudonymise the dataset first")
    return Registry.from_json(content)


def _tables(raw: TableStore, manifest: Manifest) -> dict[str, tuple[TableSpec, str]]:
    known = {
        record_table_name(source.name, table.name): (table, f"{source.name}.{table.name}")
        for source in manifest.sources
        for table in source.tables
    }
    return {name: known.get(name, (TableSpec(name=name), name)) for name in raw.names()}


def _found_names(
    raw: TableStore,
    specs: dict[str, dict[str, ColumnSpec]],
    key: DatasetKey,
    manifest: Manifest,
    registry: Registry,
    tables: dict[str, tuple[TableSpec, str]],
) -> FoundNames:
    texts: set[str] = set()
    for name in tables:
        frame = raw.read(name)
        for column, spec in table_specs(name, specs).items():
            if spec.kind is ColumnKind.TEXT and column in frame.columns:
                texts.update(strings(frame[column]))
    if not texts:
        return FoundNames((), (), 0)
    kit = Kit(
        Plan(key, manifest, registry, Assignments())
    )  # only to explain lines: its surrogates are dropped
    stems = frozenset(domain_stem(domain) for domain in registry.company_by_domain)
    return NameFinder().find(sorted(texts), kit.recognizers, registry.vocabulary, stems)


def _write_tables(
    home: DatasetHome,
    raw: TableStore,
    kit: Kit,
    specs: dict[str, dict[str, ColumnSpec]],
    tables: dict[str, tuple[TableSpec, str]],
    progress: Progress,
    steps: int,
) -> tuple[dict[str, int], dict[str, int]]:
    shutil.rmtree(home.clean_pending, ignore_errors=True)
    pending = TableStore(home.clean_pending)
    cleaner = TableCleaner(kit, Participants(kit.registry, kit.known, raw), linked_spans(raw))
    ledger: list[LedgerRow] = []
    linked: dict[LinkKey, CleanText] = {}
    rows: dict[str, int] = {}
    for done, name in enumerate(sorted(tables, key=lambda name: (name == "links", name))):
        progress(f"replace in {name}", 3 + done, steps)
        spec, prefix = tables[name]
        frame = raw.read(name)
        cleaned = cleaner.clean(name, frame, table_specs(name, specs), spec.key, prefix)
        linked.update(cleaned.linked)
        ledger.extend(cleaned.ledger)
        rows[name] = frame.height
        clean = clean_links(cleaned.frame, frame, linked) if name == "links" else cleaned.frame
        pending.write(name, clean)
    TableStore(home.vault, private=True).folder.mkdir(parents=True, exist_ok=True)
    write_ledger(home, pl.DataFrame(ledger, schema=LEDGER_SCHEMA, orient="row"))
    kinds = Counter(row.kind for row in ledger if row.kind)
    return rows, dict(sorted(kinds.items()))


def write_ledger(home: DatasetHome, frame: pl.DataFrame) -> None:
    """Leaves the ledger of replacements in the vault folder, written aside and renamed."""
    aside = home.vault / f".{LEDGER}.aside"
    frame.write_parquet(aside, compression="zstd")
    aside.replace(home.vault / f"{LEDGER}.parquet")


def _write_side_files(
    home: DatasetHome, kit: Kit, manifest: Manifest, specs: dict[str, dict[str, ColumnSpec]]
) -> None:
    pending = TableStore(home.clean_pending)
    pending.write_column_specs(specs)
    pending.write_json("manifest.json", clean_manifest(manifest, kit).model_dump(mode="json"))
    private = TableStore(home.vault, private=True)
    digest = kit.identifiers.digest
    private.write_json(
        REVIEW_FILE,
        [{"reason": r, "one": digest(a), "other": digest(b)} for r, a, b in sorted(kit.registry.doubtful)],
    )


def clean_manifest(manifest: Manifest, kit: Kit) -> Manifest:
    """Returns the manifest with surrogates for the company's names and domains, without places of files."""
    names = []
    for text in manifest.company.names:
        name = parse_company(text)
        index = kit.registry.company_by_name.get(name.key) if name is not None else None
        if name is not None and index is not None:
            names.append(" ".join(filter(None, (kit.surrogates.cores[index], name.legal))))
    domains = [kit.surrogates.domain(domain) for domain in manifest.company.domains]
    company = manifest.company.model_copy(update={"names": names, "domains": domains})
    sources = [
        source.model_copy(update={"path": source.name, "url": None, "tables": [
            table.model_copy(update={"path": None}) for table in source.tables
        ]})
        for source in manifest.sources
    ]  # fmt: skip
    return manifest.model_copy(update={"company": company, "sources": sources, "base": None})
