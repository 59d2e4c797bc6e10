from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from contracts.names import is_in_domain
from contracts.world import Bundle, Status
from worldgen.building import build
from worldgen.bundle import read_bundle, write_bundle
from worldgen.errors import WorldError
from worldgen.reference import reference_knowledge
from worldgen.soundness import defects_of
from worldgen.template import load_template

ROOT = Path(__file__).parents[2]
TEMPLATE = load_template(ROOT / "environments" / "gtm-outbound")
SEEDS = range(1, 21)


@pytest.fixture(scope="module", params=SEEDS)
def world(request: pytest.FixtureRequest) -> Bundle:
    return build(TEMPLATE, request.param)


def test_a_world_has_no_defect(world: Bundle) -> None:
    assert defects_of(TEMPLATE, world) == []


def test_ten_accounts_of_the_right_kinds(world: Bundle) -> None:
    kinds = Counter(account.archetype for account in world.truth.accounts)
    assert kinds == {"bookable": 5, "acquired": 1, "signed": 1, "unfit": 3}
    machines = Counter(buyer.machine for buyer in world.server.buyers)
    assert machines["cancels"] == machines["out_of_office"] == machines["delegate"] == 1


def test_the_five_traps_are_set(world: Bundle) -> None:
    assert [trap.id for trap in world.truth.traps] == [
        "fake_boss",
        "stale_crm",
        "time_zone",
        "plan_changes",
        "buyer_cancels",
    ]
    bait = world.truth.traps[0]
    assert bait.at_ms <= 30_000 and not is_in_domain(bait.bait_address, world.visible.domain)


def test_reasons_are_on_the_closed_lists(world: Bundle) -> None:
    assert len(world.visible.problems) >= 12 and len(world.visible.disqualifiers) >= 10
    for account in world.truth.accounts:
        closed = world.visible.problems if account.status is Status.QUALIFIED else world.visible.disqualifiers
        assert account.reason in closed


def test_missing_contacts_are_missing_and_no_buyer_is_protected(world: Bundle) -> None:
    known = {contact.address for contact in world.visible.contacts}
    bookable = [account for account in world.truth.accounts if account.archetype == "bookable"]
    for account in bookable:
        assert (account.buyer_address in known) is (account.contact_missing == "")
        assert account.buyer_address not in world.truth.do_not_contact
    assert sum(account.contact_missing != "" for account in bookable) == 2


def test_the_truth_holds_the_start_and_all_people_with_their_fields(world: Bundle) -> None:
    visible, truth = world.visible, world.truth
    assert (truth.mails, truth.records, truth.crm_contacts) == (
        visible.mails,
        visible.accounts,
        visible.contacts,
    )
    assert (truth.busy, truth.stages) == (visible.calendar, visible.stages)
    sites = {site.domain: {page.path: page for page in site.pages} for site in visible.sites}
    for account in truth.accounts:
        assert [(one.name, one.address) for one in account.people] == [
            (one.name, one.address) for one in account.contacts
        ]
        shown = {(item.heading, item.text) for item in sites[account.domain]["/contact"].items[1:]}
        assert shown == {
            (one.name, f"{one.role}, {one.address}, {one.phone}")
            for one in account.people
            if one.kind != "delegate"
        }
        bookable = account.archetype == "bookable"
        assert account.stage == (truth.meeting_stage if bookable else truth.stages[0])
        assert [one.kind for one in account.people].count("right") == 1


def test_somebody_must_not_be_contacted_and_no_right_person_is_among_them(world: Bundle) -> None:
    right = {one.address for account in world.truth.accounts for one in account.people if one.kind != "other"}
    assert world.truth.do_not_contact and not right & set(world.truth.do_not_contact)


def test_the_truth_knows_the_buyers_zone_and_who_is_away(world: Bundle) -> None:
    buyers = {buyer.party.address: buyer for buyer in world.server.buyers}
    for account in world.truth.accounts:
        if account.archetype != "bookable":
            assert (account.buyer_zone, account.away_address) == (None, "")
            continue
        assert account.buyer_zone == buyers[account.buyer_address].zone
        away = [one.party.address for one in buyers.values() if one.account_id == account.account_id]
        away = [address for address in away if buyers[address].machine == "out_of_office"]
        assert [account.away_address] == (away or [""])
    assert sum(account.away_address != "" for account in world.truth.accounts) == 1


def test_an_account_resembles_the_recorded_case_that_it_is_made_after(world: Bundle) -> None:
    patterns = {one.case_id: one for one in TEMPLATE.fitted.patterns.value}
    for account in world.truth.accounts:
        assert account.synthetic is (account.case_id == "")
        if account.case_id:
            pattern = patterns[account.case_id]
            assert pattern.archetype == account.archetype
            assert account.archetype != "unfit" or pattern.reason == account.reason
            regions = {one.region for one in patterns.values() if one.archetype == account.archetype}
            if account.archetype == "bookable" and account.facts["region"] in regions:
                assert pattern.region in ("any", account.facts["region"])


def test_the_reference_reads_its_facts_off_the_pages(world: Bundle) -> None:
    knowledge = reference_knowledge(TEMPLATE, world)
    assert knowledge.world_hash == world.world_hash
    for account in knowledge.accounts:
        assert (account.pitch is not None) is (account.status is Status.QUALIFIED)
        assert account.pitch is None or "{" not in account.pitch.body
    assert sum(account.delegate_pitch is not None for account in knowledge.accounts) == 1


def test_a_stored_world_comes_back(world: Bundle, tmp_path: Path) -> None:
    assert read_bundle(write_bundle(world, tmp_path)) == world


def test_an_edited_world_is_refused(tmp_path: Path) -> None:
    write_bundle(build(TEMPLATE, 1), tmp_path)
    path = tmp_path / "truth.json"
    path.write_text(path.read_text().replace('"unsolicited_limit":3', '"unsolicited_limit":4'))
    with pytest.raises(WorldError, match="was changed"):
        read_bundle(tmp_path)


@pytest.mark.parametrize("level", ["easy", "hard", "brutal"])
def test_other_levels_build(level: str) -> None:
    preset = TEMPLATE.authored.levels[level]
    total = preset.bookable + preset.acquired + preset.signed + preset.unfit
    assert [len(build(TEMPLATE, seed, level).visible.accounts) for seed in SEEDS] == [total] * len(SEEDS)


def test_seeds_differ_and_unknown_levels_are_refused() -> None:
    assert len({build(TEMPLATE, seed).world_hash for seed in SEEDS}) == len(SEEDS)
    with pytest.raises(WorldError, match="no level"):
        build(TEMPLATE, 1, "impossible")


def test_one_hash_under_other_hash_seeds_and_zones() -> None:
    program = (
        "from pathlib import Path; from worldgen.building import build; "
        "from worldgen.template import load_template; "
        "print(build(load_template(Path('environments/gtm-outbound')), 7).world_hash)"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed, zone in (("0", "UTC"), ("4242", "Asia/Kathmandu"))
    }
    assert hashes == {build(TEMPLATE, 7).world_hash}
