"""The privacy report of a run: one JSON file with every figure, and the last scan of all that leaves.

Belongs here: gathering the figures, the order of scans, what blocks. Does not belong here: the figures
themselves, and the page (`evaluation.privacy_page`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anonymize.audit import AUDIT_FILE
from anonymize.consistency import Kept, kept_identities, kept_relations
from anonymize.distributions import Distance, distances
from anonymize.errors import AuditFailed
from anonymize.held_tables import HeldTables
from anonymize.keys import DatasetKey
from anonymize.ledger import Ledger
from anonymize.output_scan import OutputScan, OutputScanner, dataset_scanner
from anonymize.pseudonymize import LEDGER, POLICY_FILE
from anonymize.quasi_identifiers import quasi_identifier_risk
from anonymize.residual import QUEUE_FILE, residual_queue, residual_risk
from anonymize.row_places import raw_in_clean_order
from anonymize.unprotected import unprotected
from anonymize.vault import vault_tables
from archive.home import DatasetHome
from archive.store import TableStore, replace_file

PRIVACY_FILE = "privacy.json"
OUTPUTS_FILE = "outputs.json"
"""The scan of model and reports, the last thing that is written."""


def scan_outputs(scanner: OutputScanner, folders: Iterable[Path], texts: Iterable[str] = ()) -> OutputScan:
    """Returns the scan of finished outputs: folders of any files, and texts that are kept elsewhere.

    Args:
        scanner: of the dataset, whose clean tables are published; a file that it has read is not read again.
        folders: what is read whole; one that does not exist holds nothing.
        texts: what a scheduler or a log was given to show; only their leaks are counted, since their length
            differs from run to run.
    """
    scan = scanner.scan_folders([folder for folder in folders if folder.is_dir()])
    for number, text in enumerate(texts):
        shown = scanner.scan_text(text, f"shown text {number}")
        scan.leaks += shown.leaks
        scan.kinds.update(shown.kinds)
        scan.hits += shown.hits
        scan.unread += shown.unread
    return scan


def write_privacy_report(
    home: DatasetHome, key: DatasetKey, scanner: OutputScanner | None = None
) -> dict[str, Any]:
    """Leaves `reports/privacy.json` and the reviewers' queue beside it, and returns the report's content.

    Args:
        home: the dataset, whose clean tables are published.
        key: of the dataset.
        scanner: for all scans of a run, see `dataset_scanner`.

    Raises:
        VaultError: the vault was written with another key.
        AuditFailed: the file of verdicts cannot be read, or no audit went before.
    """
    raw, clean = HeldTables(raw_in_clean_order(home, key)), HeldTables(TableStore(home.clean))
    specs = raw.column_specs()
    ledger = Ledger(vault_tables(home, key).read(LEDGER))
    queue, lines, unexplained = residual_queue(clean, specs, ledger, key)
    residual = residual_risk(queue, lines, unexplained, home.reports)
    if not (home.reports / AUDIT_FILE).is_file():
        raise AuditFailed(f"dataset {home.name!r} was not audited: onboard it")
    audit = json.loads((home.reports / AUDIT_FILE).read_bytes())
    scan = scan_outputs(scanner or dataset_scanner(home, key), [home.model])
    relations = [*kept_relations(raw, clean, specs), *kept_identities(audit["columns"])]
    columns = distances(raw, clean, specs)
    content: dict[str, Any] = {
        "dataset": home.name,
        "audit": audit,
        "model": scan.to_json(),
        "policy": _policy(home),
        "kept": {"columns": audit["outputs"]["kept"], "model": scan.to_json()["kept"]},
        "quasi_identifiers": [
            {**asdict(risk), "unique_share_ppm": round(risk.unique_share * 1_000_000)}
            for risk in quasi_identifier_risk(clean, specs)
        ],
        "relations": [{**asdict(kept), "whole": kept.whole} for kept in relations],
        "distributions": [asdict(distance) for distance in columns],
        "residual": asdict(residual),
        "unprotected": [asdict(statement) for statement in unprotected(clean, specs, raw)],
        "summary": _summary(relations, columns),
    }
    _write(home.reports / QUEUE_FILE, [item._asdict() for item in queue])
    _write(home.reports / PRIVACY_FILE, content)
    return content


def _policy(home: DatasetHome) -> dict[str, Any]:
    """Returns what the dataset's policy did, and which columns it leaves at risk."""
    path = home.reports / POLICY_FILE
    content: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return content


def _summary(relations: list[Kept], columns: list[Distance]) -> dict[str, Any]:
    joins = [kept for kept in relations if kept.what == "join"]
    return {
        "joins": len(joins),
        "joined_rows": sum(kept.before for kept in joins),
        "relations_lost": sum(kept.lost for kept in relations if kept.what != "values"),
        "relations_new": sum(kept.new for kept in relations if kept.what != "values"),
        "columns_compared": len(columns),
        "columns_off": sum(not distance.within for distance in columns),
    }


def scan_reports(
    home: DatasetHome, key: DatasetKey, texts: Iterable[str] = (), scanner: OutputScanner | None = None
) -> OutputScan:
    """Returns the scan of everything that leaves and leaves it in `reports/outputs.json`, scanned as well."""
    path = home.reports / OUTPUTS_FILE
    path.unlink(missing_ok=True)
    scan = scan_outputs(scanner or dataset_scanner(home, key), [home.model, home.reports], texts)
    _write(path, scan.to_json())
    return scan


def _write(path: Path, content: object) -> None:
    replace_file(path, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n")
