"""Whole names of the pools are compared with real ones; words alone are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.names import fold, split_address
from worldgen.building import build
from worldgen.pools import (
    NameForm,
    address_form,
    collisions,
    company_form,
    domain_form,
    person_form,
    pool_forms,
)
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")
CAST = TEMPLATE.authored.cast
POOL = pool_forms(TEMPLATE.authored)
FIRST, FAMILY, WORD = CAST.first_names[3], CAST.family_names[5], CAST.company_words[7]
TRADE = next(iter(CAST.industries.values())).names[0]


@pytest.mark.parametrize(
    ("real", "kind", "word"),
    [
        (person_form(f"{FIRST.upper()}  {FAMILY}"), "person", FAMILY),
        (company_form(f"{WORD}"), "company", WORD),
        (company_form(f"{WORD} {TRADE}"), "company", WORD),
        (domain_form(f"{WORD}-Group.com"), "domain", WORD),
        (person_form(CAST.manager.name), "person", CAST.manager.name.split()[-1]),
        (address_form(CAST.rep.address), "address", CAST.domain),
        (company_form(CAST.competitor), "company", CAST.competitor),
        (domain_form(CAST.domain), "domain", CAST.domain),
    ],
)
def test_a_whole_name_collides_and_the_message_names_its_pool_word(
    real: NameForm, kind: str, word: str
) -> None:
    found = collisions(POOL, {real})
    assert (found.counts, found.words) == ({kind: 1}, [word])
    assert f"1 {kind}" in found.message() and word in found.message()


@pytest.mark.parametrize(
    "real",
    [
        person_form(FIRST),
        person_form(FAMILY),
        person_form(f"{FIRST} Unheardof"),
        company_form(f"{WORD} Unheardof"),
        company_form(TRADE),
        domain_form("gmail.com"),
        NameForm(company_form(WORD).kind, fold(FIRST)),
    ],
)
def test_words_alone_and_public_providers_do_not_collide(real: NameForm) -> None:
    assert collisions(POOL, {real}).counts == {}


def test_the_message_pairs_no_first_with_a_family_name() -> None:
    found = collisions(POOL, {person_form(f"{FIRST} {FAMILY}")})
    assert FIRST not in found.message()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("level", ["standard", "brutal"])
def test_every_name_of_a_world_is_compared(seed: int, level: str) -> None:
    world = build(TEMPLATE, seed, level)
    people = [buyer.party.name for buyer in world.server.buyers]
    people += [mail.sender.name for mail in world.visible.mails]
    assert {person_form(name) for name in people} <= set(POOL)
    assert {company_form(site.name) for site in world.visible.sites} <= set(POOL)
    assert {domain_form(site.domain) for site in world.visible.sites} <= set(POOL)
    addresses = [buyer.party.address for buyer in world.server.buyers]
    addresses += [mail.sender.address for mail in world.visible.mails]
    domains = {parts.domain for address in addresses if (parts := split_address(address))}
    assert {domain_form(domain) for domain in domains} <= set(POOL)
