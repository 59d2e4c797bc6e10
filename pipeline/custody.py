"""Who holds the key of a dataset, and what they may ask: reveal, another key file, erasure, forgetting.

Belongs here: the order of steps, each logged before it is done, and rebuilding what depends on raw tables.
Does not belong here: the steps themselves (`anonymize`).
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from anonymize.access_log import CLOSED, Access, read_access_log, record_access
from anonymize.envelope import KEYS_FILE, renew_raw_key, rewrap_keys
from anonymize.errors import AccessRefused, KeyRefused
from anonymize.keys import DatasetKey, key_in, load_key
from anonymize.own_mentions import mentions_of
from anonymize.persons import find_person, marks_of, without_gone
from anonymize.pseudonymize import registry_of
from anonymize.registry import only
from anonymize.resealing import finish_resealing, reseal_dataset
from anonymize.retention import cutoffs
from anonymize.reveal import counts_of, is_inside, require_new, reveal_map, write_map
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Surrogates
from anonymize.tombstones import Mention
from anonymize.vault import ASSIGNMENTS, Vault, raw_tables
from anonymize.withheld import Withheld, add_tombstones, apply_bounds, set_cutoffs, tombstones_of
from archive.errors import ManifestError
from archive.home import DatasetHome
from archive.loading import load_manifest
from archive.resolved import stored_manifest
from archive.store import replace_file
from pipeline.errors import OnboardFailed
from pipeline.onboarding import OnboardResult, run_job
from pipeline.resources import Notice, Progress, file_key, opened
from pipeline.templates import Refitted, refit_templates

REBUILD = "rebuild"
ERASING_ROUNDS = 3
"""Searches for mentions at most; one suffices where the first blots make no other mention plain."""


class Taken(NamedTuple):
    """What was taken out, and what was made anew without it."""

    withheld: Withheld
    result: OnboardResult | None
    """Of rebuilding clean tables and model; None where nothing had to be."""
    templates: tuple[Refitted, ...]


@dataclass(frozen=True)
class Custody:
    """A dataset with the key that opens it."""

    home: DatasetHome
    file_key: DatasetKey
    key: DatasetKey


def custody(home: Path, name: str, notice: Notice) -> Custody:
    """Returns a dataset opened with its key; no key is made and no source of the archive is needed.

    Raises:
        ArchiveError: there is no dataset of this name.
        AnonymizeError: the key is missing, may not be used, or is another one.
    """
    kept = DatasetHome(home.resolve(), name)
    finish_resealing(kept)
    is_kept = any((kept.vault / name).is_file() for name in (KEYS_FILE, f"{ASSIGNMENTS}.bin"))
    if not kept.manifest_path.is_file() or not is_kept:
        raise ManifestError(f"no dataset {name!r} with a vault under {home}: onboard it first")
    try:
        loaded = load_manifest(kept.manifest_path)
    except ManifestError:  # its sources may be gone: they are not needed
        held = load_key(name, home=kept.home, notice=notice, make=False)
    else:
        held = file_key(kept, loaded, notice, make=False)
    return Custody(kept, held, opened(kept, held))


def reveal(held: Custody, reason: str, to: Path | None) -> dict[str, int]:
    """Returns how many forms of each kind the map from real to surrogate has; it is written where `to` says.

    Raises:
        AccessRefused: no reason, a file that is there or inside the state folder, or a run that did not end.
        VaultError: there is no registry, or the access log is broken.
    """
    if to is not None and is_inside(to, held.home.home):
        raise AccessRefused("the map holds real names: write it outside the state folder")
    _require_finished(held.home)
    if to is not None:
        require_new(to)
    rows = reveal_map(held.home, held.key)
    counts = counts_of(rows)
    record_access(held.home, held.key, "reveal" if to is not None else "count", reason, counts)
    if to is not None:
        write_map(to, rows)
    return counts


def rotate(held: Custody, new_key_file: Path, reason: str, *, reseal: bool = False) -> dict[str, int]:
    """Puts a dataset's keys under another key file and returns how many files were written anew.

    The data keys stay, so that the former key file opens the dataset still with an old copy of its envelope;
    with `reseal` vault and raw tables get new ones, and both together open nothing that is there. Surrogates
    stay in any case.

    Raises:
        KeyRefused: the new key file may not be used, or holds the present key.
        VaultError: something in the vault does not open.
        ArchiveError: a raw table does not open, or the disk is full.
    """
    new = key_in(new_key_file, held.home.name, held.home.home)
    if new.secret == held.file_key.secret:
        raise KeyRefused("the new key file holds the present key: make another (openssl rand -hex 32)")
    record_access(held.home, held.key, "reseal" if reseal else "rotate", reason, {"datasets": 1})
    if reseal:
        return reseal_dataset(held.home, held.key, new)
    rewrap_keys(held.home.vault, held.file_key, new)
    return {"vault": 0, "raw": 0, "parts": 0}


def accesses(held: Custody) -> list[Access]:
    """Returns who used the key of a dataset, when, for what and why, every line of it verified.

    Raises:
        VaultError: the log was cut or edited, or was written with another key.
    """
    return read_access_log(held.home, held.key)


def erase(held: Custody, person: str, reason: str, progress: Progress, notice: Notice) -> Taken:
    """Takes a person out of raw tables, vault, clean tables, model and templates, and keeps them out.

    Raises:
        AccessRefused: nobody or several are called so, no reason, raw tables that are gone, or a run that did
            not end.
        PipelineError: clean tables could not be rebuilt; raw tables and vault are without the person already.
    """
    home, key = held.home, held.key
    _require_raw(home)
    _require_finished(home)
    vault = Vault(home.vault, key)
    registry = registry_of(vault)
    surrogates = Surrogates(registry, key, vault.load())
    index = find_person(surrogates, person)
    found, raw = registry.persons[index], raw_tables(home, key)
    rewriting = Rewriting(raw, raw.column_specs(), stored_manifest(raw), key)
    former = vault.load() or surrogates.kept
    mentions = list(mentions_of(rewriting, registry, former, index))
    marks = marks_of(found, registry, key, raw) | tombstones_of(home, key).of_mentions(mentions)
    record_access(home, key, "erase", reason, {"persons": 1, "marks": len(marks)})
    add_tombstones(home, key, marks)  # from here on a rerun of onboarding would finish the erasure
    withheld = _blot_out(held, lambda: list(mentions_of(rewriting, registry, former, index)))
    result = run_job(REBUILD, home, progress, notice, only(found))
    kept = vault.load()
    assert kept is not None
    vault.save(without_gone(kept, registry, registry_of(vault)))
    return Taken(withheld, result, refit_templates(home))


def _blot_out(held: Custody, search: Callable[[], list[Mention]]) -> Withheld:
    """Takes the erased out of raw tables and searches anew, as what left may make a further mention plain.

    Raises:
        OnboardFailed: mentions are left after some rounds.
    """
    home, key = held.home, held.key
    rows, cells, undated = Counter[str](), Counter[str](), 0
    for _ in range(ERASING_ROUNDS):
        withheld = apply_bounds(home, key)
        rows.update(withheld.rows)
        cells.update(withheld.cells)
        undated = withheld.undated
        left = search()
        if not left:
            return Withheld(dict(sorted(rows.items())), dict(sorted(cells.items())), undated)
        add_tombstones(home, key, tombstones_of(home, key).of_mentions(left))
    places = Counter(f"{one.table}.{one.column}" for one in left)
    raise OnboardFailed(
        f"dataset {home.name!r}: mentions of the erased person are left in raw tables "
        f"({', '.join(f'{count} in {place}' for place, count in sorted(places.items()))}); nothing was "
        "rebuilt: drop these columns in policy.yaml, then onboard its manifest again"
    )


def forget(held: Custody, reason: str, *, vault: bool) -> None:
    """Drops raw tables, and with `vault` also what says which surrogate stands for whom; clean tables stay.

    The data key goes first: whatever a crash leaves on disk nothing opens any more.

    Raises:
        AccessRefused: no reason.
    """
    home = held.home
    record_access(home, held.key, "forget", reason, {"raw": 1, "vault": int(vault)})
    if vault:
        (home.vault / KEYS_FILE).unlink(missing_ok=True)
        _close_log(home)
        _unname(home)
        shutil.rmtree(home.clean_pending, ignore_errors=True)
    else:
        renew_raw_key(home.vault, held.file_key)
    shutil.rmtree(home.raw, ignore_errors=True)


def expire(held: Custody, today: date, reason: str, progress: Progress, notice: Notice) -> Taken:
    """Drops raw rows that are older on a day than the manifest lets them be kept, and rebuilds what had them.

    Raises:
        AccessRefused: no reason, no source with a bound, or raw tables that are gone.
    """
    home = held.home
    _require_raw(home)
    first_days = cutoffs(load_manifest(home.manifest_path).manifest.sources, today)
    if not first_days:
        raise AccessRefused(
            "no source has `retention_days` or a `keep_until` that has passed, in the manifest as it was "
            "onboarded last: state one in yours and onboard again first"
        )
    record_access(home, held.key, "expire", reason, {"sources": len(first_days)})
    set_cutoffs(home, held.key, first_days)
    withheld = apply_bounds(home, held.key)
    if not withheld.rows:
        return Taken(withheld, None, ())
    return Taken(withheld, run_job(REBUILD, home, progress, notice), refit_templates(home))


def _require_raw(home: DatasetHome) -> None:
    if not home.raw.is_dir():
        raise AccessRefused("the raw tables are gone: `forget --raw --vault` makes the rest unlinkable")


def _require_finished(home: DatasetHome) -> None:
    """Demands that clean tables and model are of the registry in the vault: no run was stopped or failed."""
    whole = home.clean.is_dir() and (home.model / "company_model.json").is_file()
    if not whole or home.clean_pending.is_dir():
        raise AccessRefused(
            f"the last run of dataset {home.name!r} did not end: onboard its manifest again first, which "
            "goes on with what has landed and ends an erasure that was begun"
        )


def _close_log(home: DatasetHome) -> None:
    """Leaves the access log, closed, as the only thing in the vault folder."""
    for path in sorted(home.vault.iterdir()):
        if path.name == "access.jsonl":
            number = len(list(home.vault.glob(CLOSED.format("*")))) + 1
            path.replace(home.vault / CLOSED.format(number))
        elif path.is_dir():
            shutil.rmtree(path)
        elif not path.name.endswith(".closed.jsonl"):
            path.unlink()


def _unname(home: DatasetHome) -> None:
    """Puts the clean manifest in place of the one that names the company and its files."""
    clean = home.clean / "manifest.json"
    if clean.is_file():
        replace_file(home.manifest_path, clean.read_bytes(), private=True)  # JSON is YAML
    else:
        home.manifest_path.unlink()


def content(taken: Taken) -> dict[str, Any]:
    """Returns the object that `--json` prints: what left, in counts, and the figures of what was rebuilt."""
    withheld, result, templates = taken
    told: dict[str, Any] = {"rows": withheld.rows, "cells": withheld.cells, "undated": withheld.undated}
    told["templates"] = [template._asdict() for template in templates]
    return told | ({} if result is None else {"rebuilt": result.to_json()})


def told_templates(templates: Iterable[Refitted]) -> list[str]:
    """Returns one line a template, and one on the worlds that were built before."""
    lines = [
        f"{one.environment}: its template is fitted to the new model"
        if one.fitted
        else f"{one.environment}: its fitted layer is removed ({one.why}); fit it again once it can be"
        for one in templates
    ]
    return [*lines, "worlds and packages built from them before stay as they are: build them again"] * bool(
        lines
    )
