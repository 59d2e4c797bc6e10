"""A stored world is the one that was written, however it is read, and tells its hash once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.canonical import canonical_bytes, sha256_hex
from contracts.world import Bundle
from contracts.world_hash import PARTS, HashedParts, world_hash_of
from worldgen.building import build
from worldgen.bundle import CARD, read_bundle, write_bundle
from worldgen.errors import WorldError
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"


@pytest.fixture(scope="module")
def world() -> Bundle:
    return build(load_template(ENVIRONMENT), 3)


@pytest.fixture
def stored(world: Bundle, tmp_path: Path) -> Path:
    return write_bundle(world, tmp_path)


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _rehash(folder: Path) -> None:
    """Makes the card's hash that of the files, as who edits a world by hand would."""
    card = json.loads((folder / CARD).read_bytes())
    digests = {part: sha256_hex((folder / f"{part}.json").read_bytes().removesuffix(b"\n")) for part in PARTS}
    (folder / CARD).write_bytes(canonical_bytes({**card, "world_hash": world_hash_of(card, digests)}))


def test_a_stored_world_reads_back_with_its_hash(world: Bundle, stored: Path) -> None:
    found = read_bundle(stored)
    assert found == world
    assert found.world_hash == world.world_hash == HashedParts.of(found).world_hash


def test_a_world_whose_files_are_laid_out_otherwise_is_the_same(world: Bundle, stored: Path) -> None:
    for part in PARTS:
        path = stored / f"{part}.json"
        path.write_text(json.dumps(json.loads(path.read_bytes()), indent=1), encoding="utf-8")
    assert read_bundle(stored) == world


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("truth.json", '"unsolicited_limit":3', '"unsolicited_limit":9'),
        ("visible.json", '"length_ms":2400000', '"length_ms":2400001'),
        ("server.json", '"offer_lapse_ms":', '"offer_lapse_ms":1'),
        (CARD, '"level":"standard"', '"level":"easy"'),
    ],
)
def test_a_changed_world_is_refused(stored: Path, file: str, old: str, new: str) -> None:
    _edit(stored / file, old, new)
    with pytest.raises(WorldError, match="was changed"):
        read_bundle(stored)


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("truth.json", '"unsolicited_limit":3', '"unsolicited_limit":"3"', "was changed"),
        ("truth.json", '"unsolicited_limit":3', '"unsolicited_limit":"x"', "no world of this version"),
        ("visible.json", '"length_ms":2400000', '"length_ms":2400000,"more":1', "no world of this version"),
    ],
)
def test_a_hash_over_what_is_no_world_as_written_helps_nothing(
    stored: Path, file: str, old: str, new: str, why: str
) -> None:
    _edit(stored / file, old, new)
    _rehash(stored)
    with pytest.raises(WorldError, match=why):
        read_bundle(stored)


def test_a_world_that_lacks_a_later_field_is_another_world(stored: Path) -> None:
    path = stored / "truth.json"
    held = json.loads(path.read_bytes())
    del held["stages"]
    path.write_bytes(canonical_bytes(held) + b"\n")
    _rehash(stored)
    with pytest.raises(WorldError, match="was changed"):
        read_bundle(stored)


def test_a_copy_with_another_part_has_another_hash(stored: Path) -> None:
    world = read_bundle(stored)
    other = world.truth.model_copy(update={"unsolicited_limit": 9})
    for copy in (world.model_copy(update={"truth": other}), world.model_copy(update={"level": "hard"})):
        assert copy.world_hash == HashedParts.of(copy).world_hash != world.world_hash
