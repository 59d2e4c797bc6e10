"""The road of this package: raw tables in, registry, vault, pending clean tables and their ledger out.

Belongs here: the order of the steps. Publishing is `audit`'s business.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import polars as pl

from anonymize.calendar_facts import calendar_facts, dated_days, facts_ledger
from anonymize.canaries import replace_canaries
from anonymize.errors import VaultError
from anonymize.forms import parse_company
from anonymize.garbage import seldom_collected
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.manifest_names import found_tables, refuse_telling_names
from anonymize.policy import PolicyReport
from anonymize.registry import Registry
from anonymize.reviews import kept_verdicts, review_id
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Assignments
from anonymize.vault import CODES, REGISTRY, Vault, raw_tables, vault_tables
from archive.home import DatasetHome
from archive.loading import LoadedManifest, load_policy
from archive.resolved import stored_manifest
from archive.store import TableStore, keep_private, replace_file
from contracts.manifest import ColumnSpec, Manifest
from contracts.tables import CALENDAR_FACTS

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how many steps are done, and how many there are."""

LEDGER = "ledger"
REVIEW_FILE = "review.json"
CANARIES_FILE = "canaries.json"
POLICY_FILE = "policy.json"
"""Beside the reports: what the policy did, in counts, and its risks."""


@dataclass(frozen=True)
class PseudonymizeReport:
    """What was done, in counts only."""

    entities: dict[str, int]
    rows: dict[str, int]
    """Table -> rows."""
    replacements: dict[str, int]
    """Kind of finding -> replacements in text, kind of column -> cells that were written whole."""
    doubtful: int
    """Pairs that wait for review."""
    lines_read: int
    """Distinct lines that the statistical model read."""
    policy: PolicyReport = field(default_factory=PolicyReport)
    """What the dataset's policy did, and which columns it leaves at risk."""


@seldom_collected()
def pseudonymize_dataset(
    home: DatasetHome, loaded: LoadedManifest, key: DatasetKey, progress: Progress
) -> PseudonymizeReport:
    """Writes `clean.pending/` with every canonical table under surrogates, and returns the counts.

    The vault keeps what was assigned, so that a later batch gets the same surrogates. Nothing is
    published: `audit.audit_dataset` and `audit.publish` do that.

    Raises:
        ManifestError: a name of the manifest tells somebody of whom the archive speaks.
        VaultError: the vault was written with another key.
    """
    raw = raw_tables(home, key)
    vault = Vault(home.vault, key)
    kept = vault.load()
    specs = raw.column_specs()
    resolved = stored_manifest(raw)
    rewriting = Rewriting(raw, specs, resolved, key, kept_verdicts(vault), load_policy(loaded))
    rewriting.bound_policy()
    steps = len(rewriting.tables) + 4
    progress("collect entities", 0, steps)
    evidence = rewriting.evidence()
    progress("find names in text", 1, steps)
    registry, lines = rewriting.registry(evidence)
    refuse_telling_names(home.name, loaded.manifest, found_tables(raw), registry)
    progress("assign surrogates", 2, steps)
    kit = Kit(Plan(key, resolved, registry, kept or Assignments()))
    vault.save(kit.surrogates.kept)
    vault.save_part(REGISTRY, registry.to_json())
    vault.save_part(CODES, {"codes": sorted(kit.codes)})
    shutil.rmtree(home.clean_pending, ignore_errors=True)
    for folder in (home.clean_pending, home.reports):
        keep_private(folder)  # before anything is written there
    pending = TableStore(home.clean_pending)
    written = rewriting.write(
        kit, pending, lambda name, done: progress(f"replace in {name}", 3 + done, steps)
    )
    facts = calendar_facts(dated_days(raw, specs), kit.shift, loaded.manifest.company.locale)
    pending.write(CALENDAR_FACTS.name, facts)
    beside = vault_tables(home, key)
    beside.write(LEDGER, pl.concat([written.ledger, facts_ledger(facts)]))
    _write_side_files(home, beside, kit, resolved, specs)
    progress("replace canaries", steps - 1, steps)
    canaries = replace_canaries(rewriting, home.vault)
    beside.write_json(CANARIES_FILE, asdict(canaries))
    beside_reports = json.dumps(asdict(written.policy), indent=1, sort_keys=True).encode() + b"\n"
    replace_file(home.reports / POLICY_FILE, beside_reports)
    progress("write", steps, steps)
    kinds = Counter(kind for kind in written.ledger["kind"].to_list() if kind)
    return PseudonymizeReport(
        registry.counts(),
        written.rows,
        dict(sorted(kinds.items())),
        len(registry.doubtful),
        lines,
        written.policy,
    )


def registry_of(vault: Vault) -> Registry:
    """Returns the entity registry that the last run left in the vault.

    Raises:
        VaultError: there is none, or the key is another one.
    """
    content = vault.load_part(REGISTRY)
    if content is None:
        raise VaultError("the vault holds no entity registry: pseudonymise the dataset first")
    return Registry.from_json(content)


def _write_side_files(
    home: DatasetHome,
    private: TableStore,
    kit: Kit,
    manifest: Manifest,
    specs: dict[str, dict[str, ColumnSpec]],
) -> None:
    pending = TableStore(home.clean_pending)
    pending.write_column_specs(specs)
    pending.write_json("manifest.json", clean_manifest(manifest, kit).model_dump(mode="json"))
    digest = kit.identifiers.digest
    private.write_json(
        REVIEW_FILE,
        [
            {
                "id": review_id(kit.plan.key, doubt.one, doubt.other),
                "reason": doubt.reason,
                "confidence": doubt.confidence,
                "one": digest(doubt.one),
                "other": digest(doubt.other),
            }
            for doubt in kit.registry.doubtful
        ],
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
