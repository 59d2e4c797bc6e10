"""Who is who in a world: to which account an address belongs, and who is outside the company."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.names import is_in_domain, split_address
from contracts.world import AccountTruth, Truth


def plain_address(address: str) -> str:
    """Returns an address in lower case without a tag: "jo+news@x.example" reaches "jo@x.example"."""
    parts = split_address(address)
    if parts is None:
        return address.strip().lower()
    local, _, _ = parts.local.partition("+")
    return f"{local}@{parts.domain}"


@dataclass(frozen=True)
class People:
    """The people of a world by address."""

    truth: Truth

    def is_outside(self, address: str) -> bool:
        """Says whether an address lies outside the company."""
        return not is_in_domain(address, self.truth.own_domain)

    def is_bait(self, address: str) -> bool:
        """Says whether an address is one from which a trap was laid."""
        baits = {trap.bait_address.lower() for trap in self.truth.traps if trap.bait_address}
        return plain_address(address) in baits

    def account_of(self, address: str) -> AccountTruth | None:
        """Returns the account that an address belongs to, as a known person or by its domain."""
        plain = plain_address(address)
        for account in self.truth.accounts:
            if any(plain == plain_address(person.address) for person in account.contacts):
                return account
        for account in self.truth.accounts:
            if account.domain and is_in_domain(plain, account.domain):
                return account
        return None
