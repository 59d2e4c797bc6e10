"""Buyers of a world: everybody hears a second mail, and the company's record decides how many say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.template import WorldTemplate
from worldgen.building import build
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")


def with_second_chance(ppm: int) -> WorldTemplate:
    fit = TEMPLATE.fitted.second_chance_ppm.model_copy(update={"value": ppm})
    fitted = TEMPLATE.fitted.model_copy(update={"second_chance_ppm": fit})
    return TEMPLATE.model_copy(update={"fitted": fitted})


@pytest.mark.parametrize(("ppm", "telling"), [(0, 0), (250_000, 3), (500_000, 6), (1_000_000, 12)])
@pytest.mark.parametrize("seed", range(1, 6))
def test_everybody_hears_a_second_mail_and_as_many_refusals_as_recorded_say_so(
    seed: int, ppm: int, telling: int
) -> None:
    server = build(with_second_chance(ppm), seed).server
    assert all(buyer.news_facts for buyer in server.buyers)
    refusals = next(reply.variants for reply in server.replies if reply.kind == "not_a_priority")
    missed = TEMPLATE.authored.buyers.missed_facts
    assert sum(any(one in text for one in missed) for text in refusals) == telling
    assert len(refusals) == 12
    # A refusal that asked would make the answer to it solicited.
    assert not any("?" in text for text in refusals)
