"""What the reference did in the world of another seed: what a blind replay goes by.

Belongs here: which other world, and the actions there. How they are played again is the runtime's.
"""

from __future__ import annotations

from contracts.recording import TakenAction
from contracts.template import WorldTemplate
from runtime.agents.reference import Reference
from runtime.api import ApiDriver, ReferenceView
from runtime.core import Shift
from worldgen.building import build
from worldgen.reference import reference_knowledge

_OTHER_SEED = 1_000_003


def recorded_elsewhere(template: WorldTemplate, level: str, seed: int) -> list[TakenAction]:
    """Returns the reference's actions in a world of the same level that is not the seed's.

    Raises:
        WorldError: the template has no such level, or the other world cannot be built.
    """
    bundle = build(template, _OTHER_SEED + (seed == _OTHER_SEED), level)
    shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash, level=level)
    Reference(reference_knowledge(template, bundle)).work(ApiDriver(shift), ReferenceView(shift))
    return list(shift.recording.actions)
