"""What the reference writes is heard by its buyer, whatever trade the company's name tells of."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.world import Bundle
from runtime.matcher import Matcher
from worldgen.building import build
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")
TRADES = sorted({name for trade in TEMPLATE.authored.cast.industries.values() for name in trade.names})


@pytest.fixture(scope="module")
def world() -> Bundle:
    return build(TEMPLATE, 1, "brutal")


@pytest.mark.parametrize("trade", TRADES)
def test_every_pitch_is_relevant_at_companies_of_every_trade(world: Bundle, trade: str) -> None:
    words = [buyer.company_words for buyer in world.server.buyers]
    renamed = {name: f"{word} {trade}" for name, word, _ in words}
    buyers = [
        buyer.model_copy(
            update={"company_words": [renamed[buyer.company_words[0]], *buyer.company_words[1:]]}
        )
        for buyer in world.server.buyers
        for name, *others in [buyer.company_words]
    ]
    matcher = Matcher(world.server.model_copy(update={"buyers": buyers}))
    places = {buyer.party.address: place for place, buyer in enumerate(buyers)}
    pitches = [
        pitch
        for account in reference_knowledge(TEMPLATE, world).accounts
        for pitch in (account.pitch, account.delegate_pitch)
        if pitch is not None
    ]
    assert len(pitches) == 10
    for pitch in pitches:
        body = pitch.body
        for old, new in renamed.items():
            body = body.replace(old, new)
        assert matcher.judge(body, places[pitch.to.address]).why == "relevant"
