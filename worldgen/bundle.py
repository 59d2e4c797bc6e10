"""Built worlds as folders: the three parts in files of their own, and a card with the world hash.

DIR/{visible.json, server.json, truth.json, bundle.json}, canonical JSON each. The parts go to different
places: `visible` and `server` to the runner, `truth` to the grader only.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from contracts.canonical import canonical_bytes
from contracts.world import Bundle
from worldgen.errors import WorldError

PARTS = ("visible", "server", "truth")
CARD = "bundle.json"


def write_bundle(bundle: Bundle, folder: Path) -> Path:
    """Returns the folder that now holds the world, each file written aside and renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    stored = bundle.model_dump(mode="json")
    for part in PARTS:
        _write(folder / f"{part}.json", stored[part])
    _write(
        folder / CARD,
        {
            "environment": bundle.environment,
            "template_version": bundle.template_version,
            "level": bundle.level,
            "seed": bundle.seed,
            "world_hash": bundle.world_hash,
        },
    )
    return folder


def read_bundle(folder: Path) -> Bundle:
    """Returns the world of a folder after checking it against the hash on its card.

    Raises:
        WorldError: a file is missing or unreadable, or the parts do not have the card's hash.
    """
    card = _read(folder / CARD)
    world_hash = card.pop("world_hash", "")
    try:
        bundle = Bundle.model_validate({**card, **{part: _read(folder / f"{part}.json") for part in PARTS}})
    except ValueError as error:
        raise WorldError(f"{folder} holds no world of this version: {error}; build it again") from error
    if bundle.world_hash != world_hash:
        raise WorldError(f"{folder} was changed: its parts do not have the hash on its card; build it again")
    return bundle


def _write(path: Path, value: object) -> None:
    aside = path.with_name(path.name + ".part")
    aside.write_bytes(canonical_bytes(value) + b"\n")
    os.replace(aside, path)


def _read(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise WorldError(f"{path} is missing or no JSON; build the world again") from error
    if not isinstance(value, dict):
        raise WorldError(f"{path} is no JSON object; build the world again")
    return value
