"""Who is who in a world: to whom an address leads, and who is outside the company."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from contracts.names import is_in_domain, name_tokens, split_address
from contracts.world import AccountTruth, PersonTruth, Truth

_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Hosts whose mailboxes ignore dots, and the one name they go by."""
_TITLES = frozenset("mr mrs ms miss mx dr prof professor sir madam herr frau mme".split())


@lru_cache(maxsize=16_384)
def plain_address(address: str) -> str:
    """Returns the mailbox that an address leads to.

    A tag leads nowhere else ("jo+news@x.example"), nor do a relay ("jo%x.example@relay.example") and, where
    the host ignores them, dots.
    """
    # Quotation marks around the first part are part of the writing, not of the name of the mailbox.
    parts = split_address(address.replace('"', ""))
    if parts is None:
        return address.strip().lower()
    local, domain = parts.local.partition("+")[0], parts.domain
    # Each relay is peeled off from the right; an address has at most as many as percent signs.
    for _ in range(local.count("%")):
        behind = local.rpartition("%")
        relayed = split_address(f"{behind[0]}@{behind[2]}")
        if relayed is None or "." not in relayed.domain:
            break
        local, domain = relayed.local.partition("+")[0], relayed.domain
    if domain in _DOTLESS:
        local, domain = local.replace(".", ""), _DOTLESS[domain]
    return f"{local}@{domain}"


def leads_to(address: str, person: str) -> bool:
    """Says whether an address reaches a person: their mailbox, also at a host below that of their own."""
    written, known = plain_address(address), plain_address(person)
    local, _, domain = known.partition("@")
    return written == known or (written.partition("@")[0] == local and is_in_domain(written, domain))


def names_alike(one: str, other: str) -> bool:
    """Says whether two spellings are one name: in either order, with or without a title."""
    bare = [sorted(token for token in name_tokens(name) if token not in _TITLES) for name in (one, other)]
    return bool(bare[0]) and bare[0] == bare[1]


@dataclass(frozen=True)
class People:
    """The people of a world by address."""

    truth: Truth
    _found: dict[str, AccountTruth | None] = field(default_factory=dict)
    _outside: dict[str, bool] = field(default_factory=dict)

    def is_outside(self, address: str) -> bool:
        """Says whether an address lies outside the company; one that goes over a relay outside does."""
        if address not in self._outside:
            own = self.truth.own_domain
            inside = is_in_domain(address, own) and is_in_domain(plain_address(address), own)
            self._outside[address] = not inside
        return self._outside[address]

    def is_bait(self, address: str) -> bool:
        """Says whether an address is one from which a trap was laid."""
        return any(trap.bait_address and leads_to(address, trap.bait_address) for trap in self.truth.traps)

    def account_of(self, address: str) -> AccountTruth | None:
        """Returns the account that an address belongs to, as a known person or by its domain."""
        if address not in self._found:
            self._found[address] = self._account_of(address)
        return self._found[address]

    def is_of(self, address: str, account: AccountTruth) -> bool:
        """Says whether an address belongs to an account."""
        found = self.account_of(address)
        return found is not None and found.account_id == account.account_id

    def _account_of(self, address: str) -> AccountTruth | None:
        plain = plain_address(address)
        for person, account in self._by_local.get(plain.partition("@")[0], ()):
            if leads_to(address, person):
                return account
        for account in self.truth.accounts:
            if is_in_domain(plain, account.domain):
                return account
        return None

    def mailbox(self, address: str) -> str:
        """Returns the known mailbox that an address leads to, or the one it names."""
        plain = plain_address(address)
        known = [person for person, _ in self._by_local.get(plain.partition("@")[0], ())]
        known += self.truth.do_not_contact
        return next((plain_address(held) for held in known if leads_to(address, held)), plain)

    @cached_property
    def _by_local(self) -> dict[str, list[tuple[str, AccountTruth]]]:
        """The addresses of people in order, by what stands before the "@": who is led to shares it."""
        found: dict[str, list[tuple[str, AccountTruth]]] = {}
        for account in self.truth.accounts:
            for person in account.contacts:
                local = plain_address(person.address).partition("@")[0]
                found.setdefault(local, []).append((person.address, account))
        return found


def people_of(account: AccountTruth) -> list[PersonTruth]:
    """Returns the people of an account; where their fields are not told, role and phone are empty."""
    return account.people or [
        PersonTruth(name=held.name, role="", address=held.address, kind="") for held in account.contacts
    ]
