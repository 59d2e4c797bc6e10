"""Built worlds as folders: the three parts in files of their own, and a card with the world hash.

DIR/{visible.json, server.json, truth.json, bundle.json}, canonical JSON each. The parts go to different
places: `visible` and `server` to the runner, `truth` to the grader only.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import BaseModel
from pydantic_core import from_json

from contracts.canonical import canonical_bytes, sha256_hex
from contracts.world import Bundle, Server, Truth, Visible
from contracts.world_hash import PARTS, knowing, world_hash_of
from worldgen.errors import WorldError

CARD = "bundle.json"
_MODELS: dict[str, type[BaseModel]] = {"visible": Visible, "server": Server, "truth": Truth}


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
    intact = _read_intact(folder, card, world_hash)
    if intact is not None:
        return intact
    try:
        bundle = Bundle.model_validate({**card, **{part: _read(folder / f"{part}.json") for part in PARTS}})
    except ValueError as error:
        raise WorldError(f"{folder} holds no world of this version: {error}; build it again") from error
    if bundle.world_hash != world_hash:
        raise WorldError(f"{folder} was changed: its parts do not have the hash on its card; build it again")
    return bundle


def _read_intact(folder: Path, card: dict[str, object], world_hash: object) -> Bundle | None:
    """Returns the world of a folder that is as it was written, read fast; None for any other.

    The card's hash is taken over the parts' canonical bytes, and these are what the files hold. What the
    bytes say must also be all that the models say: a field added since with its default makes another world.
    """
    try:
        stored = {part: (folder / f"{part}.json").read_bytes().removesuffix(b"\n") for part in PARTS}
        digests = {part: sha256_hex(held) for part, held in stored.items()}
        if world_hash != world_hash_of({name: str(value) for name, value in card.items()}, digests):
            return None
        parts = {part: model.model_validate_json(stored[part]) for part, model in _MODELS.items()}
        if any(part.model_dump(mode="json") != from_json(stored[name]) for name, part in parts.items()):
            return None
        return knowing(Bundle.model_validate({**card, **parts}), str(world_hash))
    except (OSError, ValueError, KeyError):
        return None


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
