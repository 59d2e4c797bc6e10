"""After a verdict everybody has one consistent surrogate, and the better known part keeps the old one."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.kept_names import real_handles
from anonymize.keys import DatasetKey
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import PersonSurrogate, Surrogates
from anonymize.tombstones import Tombstones
from anonymize.vault import Vault
from anonymize.withheld import forget_assigned
from contracts.manifest import Company

KEY = DatasetKey(b"v" * 32, "verdicts")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
LEE = PersonName("Ann", "", "Lee")
RECORD, LOGIN = "crm.users.id|U-30001", "alee"
MAIL, OTHER = "ann.lee@brightwater.com", "a.lee@vertexvalves.com"
KNOWN = PersonMention((LEE,), (MAIL,), (LOGIN,), keys=(RECORD,))
MAILED = PersonMention((LEE,), (OTHER,))
BOTH = PersonMention((LEE,), (MAIL, OTHER), (LOGIN,), keys=(RECORD,))


def registry(*mentions: PersonMention) -> Registry:
    evidence = Evidence()
    for mention in mentions:
        evidence.persons[mention] += 1
        for address in mention.addresses:
            evidence.add_address(address)
    return build_registry(evidence, OWN)


def of(surrogates: Surrogates, address: str) -> PersonSurrogate:
    return surrogates.persons[surrogates.registry.by_address[address]]


def family(surrogate: PersonSurrogate) -> str:
    return surrogate.name.last.lower()


@pytest.mark.parametrize("digit", "0123456789abcdef")
def test_who_has_records_and_logins_keeps_the_name_and_who_leaves_keeps_nothing_of_it(digit: str) -> None:
    key = DatasetKey(bytes.fromhex(digit * 64), "verdicts")
    together = Surrogates(registry(BOTH), key)
    old, old_login = of(together, MAIL), together.login(LOGIN)
    apart = Surrogates(registry(KNOWN, MAILED), key, together.kept)
    assert of(apart, MAIL) == old and apart.login(LOGIN) == old_login
    assert of(apart, OTHER).name != old.name
    assert family(of(apart, OTHER)) in apart.address(OTHER)
    assert family(old) not in apart.address(OTHER)
    for handle in apart.kept.handles:
        anchor, _, real = handle.rpartition("|")
        person = next(one for one in apart.registry.persons if anchor in one.anchors)
        assert real in real_handles(person)


@pytest.mark.parametrize("digit", "0123456789abcdef")
def test_who_was_two_is_one_in_name_address_and_login(digit: str) -> None:
    key = DatasetKey(bytes.fromhex(digit * 64), "verdicts")
    apart = Surrogates(registry(KNOWN, MAILED), key)
    old = of(apart, MAIL)
    together = Surrogates(registry(BOTH), key, apart.kept)
    assert of(together, MAIL) == of(together, OTHER) == old
    for form in (together.address(MAIL), together.address(OTHER), together.login(LOGIN)):
        assert family(old) in form
    again = Surrogates(registry(BOTH), key, together.kept)
    assert [again.address(MAIL), again.address(OTHER)] == [together.address(MAIL), together.address(OTHER)]


@pytest.mark.parametrize("former", ["as one", "as two"])
def test_an_erased_person_leaves_no_handle_with_whom_they_were_taken_for(former: str, tmp_path: Path) -> None:
    one = Surrogates(registry(BOTH), KEY).kept
    apart = registry(KNOWN, MAILED)
    kept = one if former == "as one" else Surrogates(apart, KEY, one).kept
    vault = Vault(tmp_path, KEY)
    vault.save(kept)
    erased = apart.persons[apart.by_address[MAIL]]
    stones = Tombstones(b"t" * 32)
    forget_assigned(vault, Tombstones(b"t" * 32, stones.of_person(erased, apart, ())))
    left = vault.load() or Assignments()
    assert left.handles and {handle.rpartition("|")[0] for handle in left.handles} == {f"mail:{OTHER}"}
    assert not [real for real in (LOGIN, "ann.lee") if any(h.endswith(f"|{real}") for h in left.handles)]
