"""Which company mentions are one company: by name, by domain, by rows that show both.

Belongs here: merging names and domains, conservatively. Does not belong here: persons (`resolution`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cdist

from anonymize.clusters import Clusters
from anonymize.evidence import CompanyMention, Evidence
from anonymize.forms import CompanyName, parse_company
from anonymize.registry import Company, Doubt, domain_stem, registrable
from anonymize.verdicts import COMPANY, Verdict, apply_to
from anonymize.words import is_free_mail
from contracts.manifest import Company as OwnCompany

SHORTEST_STEM = 4
TYPO_SIMILARITY = 0.97
"""Names at least so alike (Jaro-Winkler, equal digits, 8 letters or more) are one company."""
DOUBT_SIMILARITY = 0.93
PORTION = 512
"""Names that are compared with a whole block at once: bounds memory."""


@dataclass(frozen=True)
class CompanyResolution:
    """Companies and the pairs that stayed apart though they look alike."""

    companies: tuple[Company, ...]
    doubtful: tuple[Doubt, ...]


def resolve_companies(
    evidence: Evidence, own: OwnCompany, found: tuple[str, ...] = (), verdicts: tuple[Verdict, ...] = ()
) -> CompanyResolution:
    """Returns one company per set of names and domains that belong together.

    `found` are names that detection met in text; `verdicts` of reviewers come before all evidence.
    """
    names: dict[str, set[CompanyName]] = {}
    records: dict[str, set[str]] = {}
    pairs: Counter[tuple[str, str]] = Counter()
    for name in own.names:
        _note(names, name)
    mentions = _mentions(evidence)
    for mention in [*mentions, *(CompanyMention(name) for name in found)]:
        key = _note(names, mention.name)
        if key is None:
            continue
        records.setdefault(key, set()).update(mention.keys)
        for domain in mention.domains:
            pairs[(key, domain)] += 1
    domains = {domain for domain in evidence.domains if "." in domain and not is_free_mail(domain)}
    domains.update(registrable(domain) for domain in own.domains)
    nodes = [f"name:{key}" for key in sorted(names)] + [f"domain:{domain}" for domain in sorted(domains)]
    place = {node: index for index, node in enumerate(nodes)}
    clusters = Clusters(len(nodes))
    told = apply_to(clusters, {f"{COMPANY}{node}": [at] for node, at in place.items()}, verdicts)
    _join_own(clusters, place, own)
    _join_pairs(clusters, place, pairs, {registrable(domain) for domain in own.domains})
    _join_stems(clusters, place, names, domains)
    doubtful = [
        doubt
        for doubt in _join_typos(clusters, place, sorted(names))
        if len({clusters.find(place[end.removeprefix(COMPANY)]) for end in (doubt.one, doubt.other)}) > 1
    ]
    own_keys = {name.key for name in map(parse_company, own.names) if name is not None}
    companies = []
    for group in clusters.groups():
        members = [nodes[member].split(":", 1) for member in group]
        keys = [value for kind, value in members if kind == "name"]
        written = sorted(
            {name for key in keys for name in names[key]},
            key=lambda name: (name.key not in own_keys, -len(name.core), name),  # the manifest's own first
        )
        found_domains = sorted(value for kind, value in members if kind == "domain")
        found_domains.sort(key=lambda domain: -evidence.domains[domain])
        held = sorted(record for key in keys for record in records.get(key, ()))
        anchors = sorted(nodes[member] for member in group)
        companies.append(Company(tuple(written), tuple(found_domains), tuple(held), tuple(anchors)))
    return CompanyResolution(tuple(companies), (*told, *doubtful))


def _mentions(evidence: Evidence) -> list[CompanyMention]:
    mentions = list(evidence.companies)
    for person in evidence.persons:
        owned = tuple(registrable(address.partition("@")[2]) for address in person.addresses)
        domains = tuple(domain for domain in owned if not is_free_mail(domain))
        if len(person.companies) == 1:
            mentions.append(CompanyMention(person.companies[0], domains))
    by_record = {key: mention.name for mention in evidence.companies for key in mention.keys}
    for person in evidence.persons:
        for key in person.company_keys:
            if key in by_record:
                owned = tuple(registrable(address.partition("@")[2]) for address in person.addresses)
                domains = tuple(domain for domain in owned if not is_free_mail(domain))
                mentions.append(CompanyMention(by_record[key], domains))
    return sorted(mentions)


def _note(names: dict[str, set[CompanyName]], text: str) -> str | None:
    name = parse_company(text)
    if name is None or not name.key:
        return None
    names.setdefault(name.key, set()).add(name)
    return name.key


def _join_own(clusters: Clusters, place: dict[str, int], own: OwnCompany) -> None:
    keys = [f"name:{name.key}" for name in map(parse_company, own.names) if name is not None]
    nodes = keys + [f"domain:{registrable(domain)}" for domain in own.domains]
    for node in nodes[1:]:
        clusters.join(place[nodes[0]], place[node])


def _join_pairs(
    clusters: Clusters, place: dict[str, int], pairs: Counter[tuple[str, str]], own: set[str]
) -> None:
    """Joins a name and a domain that stand together and with no other; `own` domains have names already."""
    by_name: Counter[str] = Counter()
    by_domain: Counter[str] = Counter()
    for (key, domain), count in pairs.items():
        by_name[key] += count
        by_domain[domain] += count
    for (key, domain), count in sorted(pairs.items()):
        exclusive = by_name[key] == count and by_domain[domain] == count and domain not in own
        if exclusive or alike(key, domain):
            clusters.join(place[f"name:{key}"], place[f"domain:{domain}"])


def alike(key: str, domain: str) -> bool:
    """Says whether a domain looks made from a company's name: its words joined, its first word, initials."""
    words = key.split()
    joined, stem = "".join(words), domain_stem(domain)
    if len(stem) < SHORTEST_STEM:
        return len(stem) > 1 and stem == "".join(word[0] for word in words)
    return (
        joined.startswith(stem)
        or stem.startswith(joined)
        or (stem.startswith(words[0]) and len(words[0]) >= 5)
    )


def _join_stems(
    clusters: Clusters, place: dict[str, int], names: dict[str, set[CompanyName]], domains: set[str]
) -> None:
    stems: dict[str, list[str]] = {}
    for domain in sorted(domains):
        stem = domain_stem(domain)
        if len(stem) >= SHORTEST_STEM:
            stems.setdefault(stem, []).append(domain)
    for same in stems.values():
        for domain in same[1:]:
            clusters.join(place[f"domain:{same[0]}"], place[f"domain:{domain}"])
    for key in sorted(names):
        for domain in stems.get(key.replace(" ", ""), ()):
            clusters.join(place[f"name:{key}"], place[f"domain:{domain}"])


def _join_typos(clusters: Clusters, place: dict[str, int], keys: list[str]) -> list[Doubt]:
    blocks: dict[str, list[str]] = {}
    for key in keys:
        if len(key) >= 8:
            blocks.setdefault(key[:4], []).append(key)
    doubtful = []
    for block in blocks.values():
        for one, other, similarity in _alike_pairs(block):
            if [c for c in one if c.isdigit()] != [c for c in other if c.isdigit()]:
                continue
            same_words = len(one.split()) == len(other.split())
            squeezed = one.replace(" ", "").rstrip("s") == other.replace(" ", "").rstrip("s")
            a, b = place[f"name:{one}"], place[f"name:{other}"]
            if squeezed or (same_words and similarity >= TYPO_SIMILARITY):
                clusters.join(a, b)
            elif not clusters.is_forbidden(a, b):
                low, high = sorted((f"{COMPANY}name:{one}", f"{COMPANY}name:{other}"))
                confidence = round((similarity - DOUBT_SIMILARITY) / (1 - DOUBT_SIMILARITY), 2)
                doubtful.append(Doubt("company names look alike", low, high, confidence))
    return doubtful


def _alike_pairs(block: list[str]) -> Iterator[tuple[str, str, float]]:
    """Yields the pairs of a block that are alike enough to speak of, compared in portions of rows."""
    for start in range(0, len(block), PORTION):
        rows = block[start : start + PORTION]
        scores = cdist(
            rows, block[start:], scorer=JaroWinkler.similarity, score_cutoff=DOUBT_SIMILARITY, workers=1
        )
        for row, column in np.argwhere(scores > 0).tolist():
            if column > row:
                yield rows[row], block[start + column], float(scores[row, column])
