"""Verdicts of reviewers on pairs that may be one entity, and their force in the next resolution.

Belongs here: must-links and cannot-links (constrained clustering: Wagstaff et al. 2001), and which verdicts
contradict each other or a record. Does not belong here: where verdicts are kept (`reviews`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from anonymize.clusters import Clusters
from anonymize.evidence import PersonMention
from anonymize.registry import CONTRADICTED, Doubt

COMPANY = "company:"
"""Stands before the anchors of companies."""


class Verdict(NamedTuple):
    """What a reviewer said of two anchors."""

    one: str
    other: str
    same: bool
    by: str
    """Who said so."""
    on: str
    """The day, as the reviewer's command gave it."""

    @property
    def pair(self) -> tuple[str, str]:
        """The two anchors in their order."""
        low, high = sorted((self.one, self.other))
        return low, high


def contradicting(verdicts: Iterable[Verdict], new: Verdict) -> list[Verdict]:
    """Returns the earlier verdicts with which a new one cannot hold; it replaces one on the same pair."""
    kept = [verdict for verdict in verdicts if verdict.pair != new.pair]
    groups = _groups([*kept, new])
    if all(groups[v.one] != groups[v.other] for v in [*kept, new] if not v.same):
        return []
    names = {anchor for anchor, group in groups.items() if group in (groups[new.one], groups[new.other])}
    return [verdict for verdict in kept if {verdict.one, verdict.other} <= names]


def _groups(verdicts: Sequence[Verdict]) -> dict[str, int]:
    places = {anchor: at for at, anchor in enumerate(sorted({a for v in verdicts for a in v.pair}))}
    clusters = Clusters(len(places))
    for verdict in verdicts:
        if verdict.same:
            clusters.join(places[verdict.one], places[verdict.other])
    return {anchor: clusters.find(at) for anchor, at in places.items()}


def apply_verdicts(
    clusters: Clusters, mentions: Sequence[PersonMention], verdicts: Iterable[Verdict]
) -> list[Doubt]:
    """Joins and keeps apart as the verdicts on persons say; returns those that cannot be kept.

    A verdict on somebody who is not in the archive waits for a later delivery.
    """
    ruled = sorted(verdict for verdict in verdicts if not verdict.one.startswith(COMPANY))
    wanted = {anchor for verdict in ruled for anchor in verdict.pair}
    holders: dict[str, list[int]] = {}
    for index, mention in enumerate(mentions if wanted else ()):
        for anchor in _anchors(mention):
            if anchor in wanted:
                holders.setdefault(anchor, []).append(index)
    return apply_to(clusters, holders, ruled)


def apply_to(clusters: Clusters, holders: dict[str, list[int]], verdicts: Iterable[Verdict]) -> list[Doubt]:
    """Joins and keeps apart the sets that hold the anchors; returns the verdicts that cannot be kept."""
    known = [verdict for verdict in verdicts if verdict.one in holders and verdict.other in holders]
    for anchor in sorted({anchor for verdict in known for anchor in verdict.pair}):
        for index in holders[anchor][1:]:
            clusters.join(holders[anchor][0], index)
    told = []
    for verdict in sorted(known, key=lambda verdict: (verdict.same, verdict)):
        act = clusters.join if verdict.same else clusters.forbid
        if not act(holders[verdict.one][0], holders[verdict.other][0]):
            why = "by another verdict" if verdict.same else "by a record that shows both"
            told.append(Doubt(f"{CONTRADICTED} {why}", *verdict.pair, 1.0))
    return told


def _anchors(mention: PersonMention) -> Iterator[str]:
    yield from (f"mail:{address}" for address in mention.addresses)
    yield from (f"login:{login.lower()}" for login in mention.logins)
    yield from (f"key:{key}" for key in mention.keys)
    if not (mention.addresses or mention.logins or mention.keys):
        yield from (f"name:{name.key}" for name in mention.names)
