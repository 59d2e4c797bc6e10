"""What a dataset may never hold again: erased persons and rows past their time, kept in the vault.

Belongs here: the stored bounds and applying them to raw tables, after every ingestion and when they change.
Does not belong here: how persons are recognised (`tombstones`) and rows chosen (`erasure`, `retention`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anonymize.erasure import erase_from
from anonymize.keys import DatasetKey
from anonymize.retention import expired
from anonymize.reviews import drop_verdicts
from anonymize.tombstones import Tombstones
from anonymize.vault import Vault, raw_tables
from anonymize.withdrawal import withdraw
from archive.home import DatasetHome
from archive.parts import FOLDER

PART = "withheld"
ERASED, RETENTION_ENDED = "erased", "retention_ended"


@dataclass(frozen=True)
class Withheld:
    """What was taken out of raw tables, in counts."""

    rows: dict[str, int] = field(default_factory=dict)
    """Table -> rows that left."""
    cells: dict[str, int] = field(default_factory=dict)
    """Table -> cells that were emptied or blotted."""
    undated: int = 0
    """Rows of bounded sources that have no date and stayed."""


def add_tombstones(home: DatasetHome, key: DatasetKey, marks: Iterable[str]) -> None:
    """Adds marks of erased persons: from then on no ingestion brings them back."""
    bounds = _bounds(home, key)
    _keep(home, key, bounds._replace(erased=sorted({*bounds.erased, *marks})))


def set_cutoffs(home: DatasetHome, key: DatasetKey, first_days: Mapping[str, str]) -> None:
    """Moves first days forward: a source's earlier bound never comes back."""
    bounds = _bounds(home, key)
    old = bounds.first_days
    new = {source: max(day, old.get(source, "")) for source, day in first_days.items()}
    _keep(home, key, bounds._replace(first_days={**old, **new}))


def tombstones_of(home: DatasetHome, key: DatasetKey) -> Tombstones:
    """Returns the marks of all persons that were erased from a dataset."""
    return Tombstones(key.derive("tombstones"), _bounds(home, key).erased)


def apply_bounds(home: DatasetHome, key: DatasetKey) -> Withheld:
    """Takes erased persons and expired rows out of the raw tables and returns what left.

    The parts of ingestion go too, as they hold what the tables held before; the next ingestion reads the
    archive anew. Where nothing is withheld nothing is touched.
    """
    bounds = _bounds(home, key)
    if not bounds.erased and not bounds.first_days:
        return Withheld()
    raw = raw_tables(home, key)
    specs = raw.column_specs()
    old, undated = expired(raw, specs, bounds.first_days)
    rows = withdraw(raw, old, RETENTION_ENDED)
    cells: dict[str, int] = {}
    if bounds.erased:
        sent, cells = erase_from(raw, specs, tombstones_of(home, key))
        for table, count in withdraw(raw, sent, ERASED).items():
            rows[table] = rows.get(table, 0) + count
        forget_assigned(Vault(home.vault, key), tombstones_of(home, key))
    shutil.rmtree(home.raw / FOLDER, ignore_errors=True)
    return Withheld(dict(sorted(rows.items())), dict(sorted(cells.items())), undated)


def forget_assigned(vault: Vault, tombstones: Tombstones) -> None:
    """Drops from the vault what was assigned to erased persons, their numbers, and verdicts on them."""
    drop_verdicts(vault, tombstones.anchors)
    kept = vault.load()
    if kept is None:
        return
    persons = {anchor: parts for anchor, parts in kept.persons.items() if not tombstones.anchors(anchor)}
    handles = {handle: new for handle, new in kept.handles.items() if not _is_erased(handle, tombstones)}
    phones = {real: new for real, new in kept.phones.items() if not tombstones.has("phone", real)}
    vault.save(replace(kept, persons=persons, handles=handles, phones=phones))
    drop_verdicts(vault, lambda anchor: bool(tombstones.anchors(anchor)))


def _is_erased(handle: str, tombstones: Tombstones) -> bool:
    """Says whether a handle was assigned to an erased person, or kept of them by who was one with them."""
    anchor, _, real = handle.rpartition("|")
    if tombstones.anchors(anchor):
        return True
    kind, _, form = anchor.partition(":")
    own = (form.partition("@")[0].partition("+")[0],) if kind == "mail" else (form,)
    return real not in own and tombstones.has_handle(real)


class _Bounds(NamedTuple):
    erased: list[str]
    first_days: dict[str, str]


def _bounds(home: DatasetHome, key: DatasetKey) -> _Bounds:
    content = Vault(home.vault, key).load_part(PART)
    return _Bounds([], {}) if content is None else _Bounds(**content)


def _keep(home: DatasetHome, key: DatasetKey, bounds: _Bounds) -> None:
    Vault(home.vault, key).save_part(PART, bounds._asdict())
