"""The review queue: pairs that may be one person or company, and what reviewers said of them.

Belongs here: stable ids of pairs, and verdicts in the encrypted vault. Does not belong here: their force in
resolution (`verdicts`). Ids are HMACs of anchors: names leave the vault only through `named`, which the
access log must tell of.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass

from anonymize.errors import ReviewRefused
from anonymize.keys import DatasetKey
from anonymize.registry import Doubt, Registry
from anonymize.vault import REGISTRY, Vault
from anonymize.verdicts import Verdict, contradicting

VERDICTS = "verdicts"
ID_DIGITS = 12
SHORTEST_PREFIX = 4
"""Digits of an id that must be given, where they are unique."""


@dataclass(frozen=True)
class ReviewItem:
    """One pair of the queue, or one that has its verdict."""

    ident: str
    reason: str
    confidence: float
    verdict: Verdict | None
    doubt: Doubt | None
    """The pair with its real anchors; None where the last run did not doubt it any more."""

    @property
    def pair(self) -> tuple[str, str]:
        """The two real anchors."""
        if self.doubt is not None:
            return self.doubt.one, self.doubt.other
        assert self.verdict is not None
        return self.verdict.pair


def review_id(key: DatasetKey, one: str, other: str) -> str:
    """Returns the id of a pair: the same in every run under one key, whichever anchor comes first."""
    secret = key.derive("reviews")
    low, high = sorted(
        hmac.digest(secret, anchor.encode("utf-8", "surrogatepass"), "sha256") for anchor in (one, other)
    )
    return hmac.digest(secret, low + high, "sha256").hex()[:ID_DIGITS]


def kept_verdicts(vault: Vault) -> tuple[Verdict, ...]:
    """Returns all verdicts that the vault holds, by pair.

    Raises:
        VaultError: the key is another one, or the file was cut or edited.
    """
    content = vault.load_part(VERDICTS)
    return () if content is None else tuple(Verdict(*row) for row in content["verdicts"])


def review_items(vault: Vault, key: DatasetKey) -> list[ReviewItem]:
    """Returns the doubtful pairs of the last run, the likeliest first, then those that only have a verdict.

    Raises:
        VaultError: the key is another one, or the file was cut or edited.
    """
    content = vault.load_part(REGISTRY)
    doubts = [] if content is None else [Doubt(*doubt) for doubt in content["doubtful"]]
    given = {verdict.pair: verdict for verdict in kept_verdicts(vault)}
    items = [
        ReviewItem(
            review_id(key, d.one, d.other), d.reason, d.confidence, given.pop((d.one, d.other), None), d
        )
        for d in doubts
    ]
    return items + [
        ReviewItem(review_id(key, *pair), "reviewed", 1.0, given[pair], None) for pair in sorted(given)
    ]


def give_verdict(vault: Vault, key: DatasetKey, ident: str, *, same: bool, by: str, on: str) -> Verdict:
    """Returns the verdict on a pair after it was stored; it counts from the next run on.

    A later verdict on the same pair replaces the earlier one.

    Raises:
        ReviewRefused: no pair or several have that id, nobody is named, or other verdicts say otherwise.
        VaultError: the key is another one, or the file was cut or edited.
    """
    if not by.strip():
        raise ReviewRefused("a verdict needs the name of who gives it")
    items = review_items(vault, key)
    found = {
        item.ident: item for item in items if len(ident) >= SHORTEST_PREFIX and item.ident.startswith(ident)
    }
    if len(found) != 1:
        raise ReviewRefused(f"{len(found) or 'no'} pairs of the queue have an id that begins with {ident!r}")
    new = Verdict(*next(iter(found.values())).pair, same, by.strip(), on)
    kept = kept_verdicts(vault)
    against = contradicting(kept, new)
    if against:
        ids = ", ".join(sorted(review_id(key, *verdict.pair) for verdict in against))
        raise ReviewRefused(f"the verdict contradicts those on {ids}: change one of them first")
    rows = sorted([*(verdict for verdict in kept if verdict.pair != new.pair), new])
    vault.save_part(VERDICTS, {"verdicts": [list(verdict) for verdict in rows]})
    return new


def named(anchor: str, registry: Registry) -> str:
    """Returns an anchor as a reviewer reads it: name, mail or login and company, all real."""
    person = next((one for one in registry.persons if anchor in one.anchors), None)
    if person is None:
        return anchor
    names = ", ".join(dict.fromkeys(name.full for name in person.names[:3]))
    firms = [registry.companies[at] for at in person.companies[:2]]
    at = ", ".join(firm.names[0].core if firm.names else firm.domains[0] for firm in firms)
    return f"{names or '-'} <{anchor}>{f' at {at}' if at else ''}"


def drop_verdicts(vault: Vault, is_gone: Callable[[str], bool]) -> None:
    """Takes the verdicts out of the vault that speak of somebody who was erased."""
    kept = kept_verdicts(vault)
    left = [verdict for verdict in kept if not (is_gone(verdict.one) or is_gone(verdict.other))]
    if len(left) < len(kept):
        vault.save_part(VERDICTS, {"verdicts": [list(verdict) for verdict in left]})
