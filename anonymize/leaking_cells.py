"""Cells of one pending column that the audit takes for leaks: where, for who looks at a blocked dataset.

Belongs here: applying the audit's own demands to single cells. Does not belong here: the demands themselves
(`leaks`, `typed_cells`, `column_audit`), which count distinct values and let chance pass in whole columns.
"""

from __future__ import annotations

import polars as pl

from anonymize.column_audit import DATED, NUMBERED, cell_pairs, is_typed, specs_of
from anonymize.constants import digits, is_mark
from anonymize.keys import DatasetKey
from anonymize.leaks import scan_tables
from anonymize.ledger import Cell, Ledger
from anonymize.pseudonymize import registry_of
from anonymize.row_places import raw_in_clean_order
from anonymize.surrogates import Surrogates
from anonymize.typed_cells import Assigned, CellAudit, Verdict, number_core
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind


def leaking_cells(
    home: DatasetHome, key: DatasetKey, ledger: pl.DataFrame, table: str, column: str
) -> frozenset[Cell]:
    """Returns row and item of the pending cells of a column that are as they were or hold a real form.

    Cells that the policy keeps are none. Nothing is known where the raw tables are gone.

    Raises:
        VaultError: there is no registry, or it was written with another key.
    """
    if not home.raw.is_dir():
        return frozenset()
    raw, pending = raw_in_clean_order(home, key), TableStore(home.clean_pending)
    if not raw.has(table) or column not in raw.columns(table):
        return frozenset()
    vault = Vault(home.vault, key)
    surrogates = Surrogates(registry_of(vault), key, vault.load())
    written = Ledger(ledger.filter((pl.col("table") == table) & (pl.col("column") == column)))
    found = {
        (hit.row, hit.item)
        for hit in scan_tables(pending, surrogates, written, raw, only=(table, column)).leaks
    }
    spec = specs_of(table, raw.column_specs()).get(column)
    before, after = raw.read(table)[column], pending.read(table)[column]
    if spec is not None and is_typed(spec.kind) and len(before) == len(after):
        cells = CellAudit(Assigned.of(surrogates.kept))
        for row, item, old, new in cell_pairs(before, after, spec).iter_rows():
            if _stayed(cells, spec, old, new):
                found.add((row, item))
    return frozenset(found - written.kept(table, column))


def _stayed(cells: CellAudit, spec: ColumnSpec, old: str, new: str) -> bool:
    """Says whether a typed cell is as it was, by what counts in its kind."""
    verdict = cells.judge(spec.kind, old, new)
    if verdict is not None:
        return verdict in (Verdict.KEPT, Verdict.FOREIGN)
    if spec.kind in NUMBERED:
        return bool(number_core(old).strip("0")) and number_core(old) == number_core(new)
    if spec.kind in DATED or spec.kind is ColumnKind.MONEY:
        return not is_mark(old) and bool(digits(old).strip("0")) and digits(old) == digits(new)
    return old == new
