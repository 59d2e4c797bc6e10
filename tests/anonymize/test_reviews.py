"""Verdicts of reviewers: they join and split, outlive deliveries, and never contradict in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonymize.errors import ReviewRefused
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.reviews import drop_verdicts, give_verdict, kept_verdicts, named, review_id, review_items
from anonymize.surrogates import Surrogates
from anonymize.vault import REGISTRY, Vault
from anonymize.verdicts import Verdict, contradicting
from contracts.manifest import Company

KEY = DatasetKey(b"r" * 32, "reviews")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
ANN, TWIN, PRIVATE = "ann.lee@vertexvalves.com", "ann.lee2@vertexvalves.com", "ann.lee@gmail.com"
BO = "bo.roe@vertexvalves.com"
DAY = "2026-01-31"


def evidence(*more: str) -> Evidence:
    found = Evidence()
    for address in (ANN, TWIN, PRIVATE, BO, *more):
        first, last = ("Bo", "Roe") if address.startswith("bo") else ("Ann", "Lee")
        found.persons[PersonMention((PersonName(first, "", last),), (address,))] += 1
        found.add_domain(address)
    for name in ("Vertex Valves GmbH", "Nordfold Paper Ltd", "Nordfold Power Ltd"):
        found.companies[CompanyMention(name)] += 1
    return found


def registry(*verdicts: Verdict, more: tuple[str, ...] = ()) -> Registry:
    return build_registry(evidence(*more), OWN, verdicts=verdicts)


def said(one: str, other: str, *, same: bool) -> Verdict:
    return Verdict(f"mail:{one}", f"mail:{other}", same, "Eve", DAY)


def are_one(found: Registry, one: str, other: str) -> bool:
    return found.by_address[one] == found.by_address[other]


def test_same_joins_and_different_splits_and_nothing_else_moves() -> None:
    before = registry()
    joined = registry(said(ANN, TWIN, same=True))
    assert not are_one(before, ANN, TWIN) and are_one(joined, ANN, TWIN)
    apart = registry(said(ANN, BO, same=True), said(ANN, PRIVATE, same=False))
    assert are_one(apart, ANN, BO) and not are_one(apart, ANN, PRIVATE)
    for found in (joined, apart):
        assert found.companies == before.companies and len(found.by_address) == len(before.by_address)


def test_different_splits_what_evidence_had_joined() -> None:
    people = Evidence()
    crowd = [f"zoe.fox{letter}@nordfold.com" for letter in "abcdefghijklmnopqrstuvwxyz"]
    for address in (ANN, "alee@vertexvalves.com", *crowd):
        name = (
            PersonName("Zoe", "", address[4:8].title()) if "zoe" in address else PersonName("Ann", "", "Lee")
        )
        people.persons[PersonMention((name,), (address,))] += 1
        people.add_domain(address)
    before = build_registry(people, OWN)
    assert are_one(before, ANN, "alee@vertexvalves.com")
    doubt = next(d for d in before.doubtful if d.reason.startswith("joined"))
    after = build_registry(people, OWN, verdicts=(Verdict(doubt.one, doubt.other, False, "Eve", DAY),))
    assert not are_one(after, ANN, "alee@vertexvalves.com")
    assert not [d for d in after.doubtful if {d.one, d.other} == {doubt.one, doubt.other}]


def test_a_verdict_holds_in_the_next_delivery_and_old_surrogates_stay() -> None:
    verdict = said(ANN, TWIN, same=True)
    first = registry(verdict)
    old = Surrogates(first, KEY)
    second = registry(verdict, more=("bo.roe@nordfold.com",))
    new = Surrogates(second, KEY, old.kept)
    assert are_one(second, ANN, TWIN)
    for address in (ANN, TWIN, PRIVATE, BO):
        assert new.persons[second.by_address[address]] == old.persons[first.by_address[address]]
        assert new.address(address) == old.address(address)


def test_companies_are_joined_by_a_verdict() -> None:
    before = registry()
    doubt = next(d for d in before.doubtful if d.one.startswith("company:"))
    after = registry(Verdict(doubt.one, doubt.other, True, "Eve", DAY))
    assert len(after.companies) == len(before.companies) - 1
    assert not [d for d in after.doubtful if d.one.startswith("company:")]


def test_a_record_that_shows_both_is_stronger_than_a_verdict_and_told() -> None:
    found = evidence()
    found.persons[PersonMention((PersonName("Ann", "", "Lee"),), (ANN, TWIN))] += 1
    both = build_registry(found, OWN, verdicts=(said(ANN, TWIN, same=False),))
    assert are_one(both, ANN, TWIN)
    assert both.doubtful[0].reason == "a verdict is contradicted by a record that shows both"


def test_a_verdict_on_somebody_who_is_not_there_waits() -> None:
    assert registry(said("gone@vertexvalves.com", BO, same=True)) == registry()


@pytest.mark.parametrize(
    ("kept", "new", "against"),
    [
        ([("a", "b", True), ("b", "c", True)], ("a", "c", False), 2),
        ([("a", "b", True), ("a", "c", False)], ("b", "c", True), 2),
        ([("a", "b", True)], ("a", "b", False), 0),
        ([("a", "b", False), ("c", "d", False)], ("b", "c", True), 0),
    ],
)
def test_contradictions_are_found(
    kept: list[tuple[str, str, bool]], new: tuple[str, str, bool], against: int
) -> None:
    earlier = [said(one, other, same=same) for one, other, same in kept]
    assert len(contradicting(earlier, said(new[0], new[1], same=new[2]))) == against


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = Vault(tmp_path / "vault", KEY)
    made.save_part(REGISTRY, registry().to_json())
    return made


def test_verdicts_are_kept_encrypted_under_ids_that_tell_nothing(vault: Vault) -> None:
    items = review_items(vault, KEY)
    pair = next(item for item in items if item.pair == (f"mail:{TWIN}", f"mail:{ANN}"))
    assert pair.ident == review_id(KEY, f"mail:{ANN}", f"mail:{TWIN}")
    assert pair.ident != review_id(DatasetKey(b"s" * 32, "reviews"), *pair.pair)
    assert "ann" not in pair.ident and pair.verdict is None
    give_verdict(vault, KEY, pair.ident[:6], same=True, by="Eve", on=DAY)
    assert kept_verdicts(vault) == (Verdict(*pair.pair, True, "Eve", DAY),)
    assert all(b"ann" not in path.read_bytes() for path in vault.folder.iterdir())
    give_verdict(vault, KEY, pair.ident, same=False, by="Max", on=DAY)
    assert [(v.same, v.by) for v in kept_verdicts(vault)] == [(False, "Max")]
    vault.save_part(REGISTRY, registry(*kept_verdicts(vault)).to_json())
    listed = {item.ident: item for item in review_items(vault, KEY)}
    assert listed[pair.ident].verdict is not None and listed[pair.ident].doubt is None


@pytest.mark.parametrize(("ident", "by"), [("zzzzzz", "Eve"), ("", "Eve"), ("first", " ")])
def test_a_verdict_without_pair_or_reviewer_is_refused(vault: Vault, ident: str, by: str) -> None:
    chosen = review_items(vault, KEY)[0].ident if ident == "first" else ident
    with pytest.raises(ReviewRefused):
        give_verdict(vault, KEY, chosen, same=True, by=by, on=DAY)
    assert kept_verdicts(vault) == ()


def test_a_contradiction_is_refused_with_the_ids_of_the_others(vault: Vault) -> None:
    rows = [said(ANN, BO, same=True), said(TWIN, BO, same=True)]
    vault.save_part("verdicts", {"verdicts": [list(row) for row in rows]})
    with pytest.raises(ReviewRefused) as refused:
        give_verdict(vault, KEY, review_id(KEY, f"mail:{ANN}", f"mail:{TWIN}"), same=False, by="Eve", on=DAY)
    assert review_id(KEY, *rows[0].pair) in str(refused.value) and "ann" not in str(refused.value)


def test_the_verdicts_on_an_erased_person_go(vault: Vault) -> None:
    rows = [said(ANN, BO, same=False), said(TWIN, BO, same=False)]
    vault.save_part("verdicts", {"verdicts": [list(row) for row in rows]})
    drop_verdicts(vault, lambda anchor: anchor == f"mail:{ANN}")
    assert [verdict.pair for verdict in kept_verdicts(vault)] == [rows[1].pair]


def test_a_reviewer_reads_names_and_companies() -> None:
    assert named(f"mail:{ANN}", registry()) == f"Ann Lee <mail:{ANN}> at Vertex Valves"
