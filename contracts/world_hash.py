"""The hash of a built world, made once per world: from its parts or from their stored bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from contracts.canonical import digest

if TYPE_CHECKING:
    from contracts.world import Bundle

PARTS = ("visible", "server", "truth")
"""What is digested by itself; of the truth only the digest need be told."""


def world_hash_of(card: Mapping[str, str], digests: Mapping[str, str]) -> str:
    """Returns the hash of a world: over its environment, template version, level and parts' digests."""
    names = ("environment", "template_version", "level")
    return digest({**{name: card[name] for name in names}, **{part: digests[part] for part in PARTS}})


class HashedParts(NamedTuple):
    """A hash with the very objects that it is the hash of: a copy with another part has another."""

    card: Mapping[str, str]
    parts: tuple[object, ...]
    world_hash: str

    @classmethod
    def of(cls, bundle: Bundle, world_hash: str = "") -> HashedParts:
        """Returns a world's parts with their hash, computed unless it is known."""
        card = _card(bundle)
        if not world_hash:
            digests = {part: digest(getattr(bundle, part).model_dump(mode="json")) for part in PARTS}
            world_hash = world_hash_of(card, digests)
        return cls(card, tuple(getattr(bundle, part) for part in PARTS), world_hash)

    def fits(self, bundle: Bundle) -> bool:
        """Says whether it is the hash of these parts."""
        same = all(held is getattr(bundle, part) for part, held in zip(PARTS, self.parts, strict=True))
        return same and self.card == _card(bundle)


def knowing(bundle: Bundle, world_hash: str) -> Bundle:
    """Returns a world that will not compute its hash, as who read its stored bytes knows it."""
    bundle.__dict__["_hashed"] = HashedParts.of(bundle, world_hash)
    return bundle


def _card(bundle: Bundle) -> dict[str, str]:
    return {
        "environment": bundle.environment,
        "template_version": bundle.template_version,
        "level": bundle.level,
    }
