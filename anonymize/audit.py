"""The audit: what must hold before clean tables are published, and the publication itself.

Belongs here: the leak scan's verdict, completeness of the registry, the rename. Reports hold counts and
places, never values.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from anonymize.canaries import CanaryCount
from anonymize.column_audit import audit_columns
from anonymize.constants import is_role_local
from anonymize.errors import AuditFailed
from anonymize.garbage import seldom_collected
from anonymize.headings import without_headings
from anonymize.held_tables import HeldTables
from anonymize.keys import DatasetKey
from anonymize.labelled_forms import ShortForms, labelled_leaks
from anonymize.leaks import json_strings, scan_tables, scan_text
from anonymize.ledger import Ledger
from anonymize.output_scan import dataset_scanner, keep_let_pass
from anonymize.pseudonymize import CANARIES_FILE, LEDGER, registry_of
from anonymize.registry import Registry
from anonymize.row_places import raw_in_clean_order
from anonymize.single_names import SingleNames, single_name_leaks
from anonymize.surrogates import Surrogates
from anonymize.table_shapes import strings, table_specs
from anonymize.typed_cells import Assigned, split_mailbox
from anonymize.vault import Vault, vault_tables
from archive.home import DatasetHome
from archive.loading import LoadedManifest
from archive.store import TableStore, keep_private, replace_file
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

AUDIT_FILE = "audit.json"
_ADDRESSED = (ColumnKind.EMAIL, ColumnKind.MAILBOX)
FEW_COINCIDENCES = 10
CELLS_A_COINCIDENCE = 500
"""In so many cells one surrogate may equal another's real number by chance."""


@dataclass(frozen=True)
class AuditReport:
    """The verdict on pending tables, in counts and places."""

    leaks: int
    """Real forms in clean cells that replacement did not write, and typed cells that stayed."""
    leak_places: dict[str, int]
    """"table.column" -> hits."""
    kept: dict[str, int]
    """"table.column" that the policy keeps -> real forms in its cells."""
    coincidences: int
    coincidence_bound: int
    """More coincidences than these are no chance."""
    short_ids: int
    """Of the coincidences, and of their bound: ids of so few digits that chance makes one another's."""
    single_names: int
    """Of the leaks: single names in text."""
    labelled: dict[str, int]
    """Short ids and logins behind labels in text: tokens seen, real ones among them, bound; where there are
    more than chance allows, "table.column" -> how many. They block."""
    typed_cells: int
    """Of the leaks: values of typed columns that stayed, are foreign or lie off the one offset or factor."""
    columns: dict[str, dict[str, int]]
    """Kind of column -> what was compared and what was found."""
    registry_complete: bool
    unregistered: int
    """Addresses and logins of header, author and user columns that the registry lacks."""
    shared_surrogates: int
    """Pairs of persons or companies with one surrogate."""
    rows_changed: dict[str, int]
    """Tables whose number of rows differs from the raw one."""
    forms: int
    cells: int
    canaries: int
    """Forms of canaries that were planted."""
    canaries_leaked: int
    canaries_by_kind: dict[str, list[int]]
    """Kind of canary -> forms planted, forms that came out."""
    canaries_by_place: dict[str, int]
    """Kind of column, or of ticket event -> cells in which they were planted."""
    outputs: dict[str, Any]
    """The scan of every byte of the pending folder (see `output_scan`)."""

    @property
    def passed(self) -> bool:
        """Says whether the tables may be published."""
        return (
            not self.leaks
            and self.coincidences <= self.coincidence_bound
            and not self.canaries_leaked
            and bool(self.outputs["passed"])
            and self.registry_complete
            and not self.shared_surrogates
            and not self.rows_changed
        )


@seldom_collected()
def audit_dataset(
    home: DatasetHome, loaded: LoadedManifest, key: DatasetKey, gone: Registry | None = None
) -> AuditReport:
    """Returns the verdict on `clean.pending/` and leaves it in the reports folder and beside the ledger.

    `gone` is whom the registry does not know any more, since they were erased just now: they block as well.

    Raises:
        AuditFailed: there are no pending tables, or no canaries went with them.
        VaultError: the vault was written with another key.
    """
    raw, pending = HeldTables(raw_in_clean_order(home, key)), HeldTables(TableStore(home.clean_pending))
    if not pending.names():
        raise AuditFailed(f"dataset {home.name!r} has no pending tables: pseudonymise it first")
    specs = raw.column_specs()
    vault = Vault(home.vault, key)
    registry = registry_of(vault)
    surrogates = Surrogates(registry, key, vault.load())
    beside = vault_tables(home, key)
    ledger = Ledger(beside.read(LEDGER))
    scan = scan_tables(pending, surrogates, ledger, raw)
    places: Counter[str] = Counter(f"{hit.table}.{hit.column}" for hit in scan.leaks)
    short = labelled_leaks(pending, specs, ShortForms(registry), ledger)
    places.update(short.places)
    singles = single_name_leaks(raw, pending, specs, SingleNames.of(registry), ledger)
    places.update(singles)
    columns = audit_columns(raw, pending, specs, Assigned.of(surrogates.kept), ledger, registry)
    places.update(columns.places)
    for name in ("manifest.json", "schema.json"):
        hits = scan_text("\n".join(json_strings(pending.read_json(name))), registry)
        if hits:
            places[name] += hits
    canaries = CanaryCount(**_counts(beside))
    unregistered = _unregistered(raw, specs, registry)
    changed = {
        name: pending.read(name).height - raw.read(name).height if pending.has(name) else -1
        for name in raw.names()
        if not pending.has(name) or pending.read(name).height != raw.read(name).height
    }
    scanner = dataset_scanner(home, key, gone)
    outputs = scanner.scan_clean(home.clean_pending, raw, ledger)
    keep_let_pass(vault, scanner.let_pass)
    report = AuditReport(
        leaks=sum(places.values()),
        leak_places=dict(sorted(places.items())),
        kept=scan.kept,
        coincidences=len(scan.coincidences),
        coincidence_bound=FEW_COINCIDENCES + scan.cells // CELLS_A_COINCIDENCE + scan.short,
        short_ids=scan.short,
        single_names=singles.total(),
        labelled={"tokens": short.labelled, "real": short.real, "bound": short.bound, **short.places},
        typed_cells=columns.wrong,
        columns={kind: asdict(figures) for kind, figures in sorted(columns.kinds.items())},
        registry_complete=unregistered == 0,
        unregistered=unregistered,
        shared_surrogates=_shared(surrogates),
        rows_changed=changed,
        forms=scan.forms,
        cells=scan.cells,
        canaries=canaries.planted,
        canaries_leaked=canaries.leaked,
        canaries_by_kind=canaries.by_kind,
        canaries_by_place=canaries.by_place,
        outputs=outputs.to_json(),
    )
    content = (
        json.dumps({**asdict(report), "passed": report.passed}, indent=1, sort_keys=True).encode() + b"\n"
    )
    replace_file(home.reports / AUDIT_FILE, content)
    replace_file(home.clean_pending / AUDIT_FILE, content)
    return report


def _counts(beside: TableStore) -> dict[str, Any]:
    if not (beside.folder / CANARIES_FILE).is_file():
        raise AuditFailed("no canaries were replaced beside these tables: pseudonymise the dataset again")
    counts = beside.read_json(CANARIES_FILE)
    assert isinstance(counts, dict)
    return counts


def publish(home: DatasetHome) -> None:
    """Renames `clean.pending/` to `clean/`; the clean tables of an earlier batch are replaced whole.

    They are personal data while the key exists: nobody but their owner reads them.

    Raises:
        AuditFailed: no audit of these very tables has passed.
    """
    verdict = home.clean_pending / AUDIT_FILE
    if not verdict.is_file():
        raise AuditFailed(f"dataset {home.name!r} has no audited pending tables: run the audit first")
    report = json.loads(verdict.read_bytes())
    if not report["passed"]:
        raise AuditFailed(
            f"the audit of dataset {home.name!r} found {report['leaks']} leaks, "
            f"{report['coincidences']} coincidences (bound {report['coincidence_bound']}), "
            f"{report['canaries_leaked']} leaked canaries, {report['unregistered']} unregistered names and "
            f"{report['outputs']['leaks']} real forms in the bytes of its files: see reports/{AUDIT_FILE}"
        )
    old = home.clean.with_name("clean.old")
    shutil.rmtree(old, ignore_errors=True)
    if home.clean.exists():
        home.clean.replace(old)
    keep_private(home.clean_pending)
    home.clean_pending.replace(home.clean)
    shutil.rmtree(old, ignore_errors=True)


def _unregistered(raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], registry: Registry) -> int:
    missing: set[str] = set()
    known = registry.by_login.keys() | registry.by_address.keys()
    for name in raw.names():
        frame = without_headings(raw.read(name), table_specs(name, specs))
        for column, spec in table_specs(name, specs).items():
            if column not in frame.columns or spec.kind not in (*_ADDRESSED, ColumnKind.LOGIN):
                continue
            for text in strings(frame[column]):
                handle = (split_mailbox(text)[1] or text).strip(" .'<>").lower()
                if (spec.kind is ColumnKind.LOGIN or "@" in handle) and _is_plain(handle):
                    missing.add(handle)
    return len(missing - known)


def _is_plain(handle: str) -> bool:
    """Says whether somebody must be registered under a handle; what else it is, was judged cell by cell."""
    local, at, host = handle.rpartition("@")
    name = local.strip(" .'") if at else host
    usual = handle.isascii() and all(char.isalnum() or char in "._-+'@" for char in handle)
    return usual and bool(name) and not is_role_local(name)


def _shared(surrogates: Surrogates) -> int:
    persons = Counter(f"{surrogate.name.first} {surrogate.name.last}" for surrogate in surrogates.persons)
    cores = Counter(surrogates.cores)
    domains = Counter(surrogates.kept.domains.values())
    return sum(count - 1 for counter in (persons, cores, domains) for count in counter.values())
