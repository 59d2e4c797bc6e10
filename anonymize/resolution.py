"""Which mentions are one person: deterministic keys first, then names inside one company, then typos.

Belongs here: merging, conservatively: a false merge corrupts links silently, a missed one is only a
second surrogate. Pairs in doubt stay apart and are listed by anchors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from anonymize.clusters import Clusters
from anonymize.company_resolution import resolve_companies
from anonymize.evidence import Evidence, PersonMention, learned_words
from anonymize.forms import PersonName, parse_company
from anonymize.handles import join_by_changed_name, join_by_handle, join_by_initials, name_from_handle
from anonymize.loose_names import join_by_name_alone
from anonymize.matching import (
    join_alike,
    join_by_domains,
    join_by_name_and_company,
    join_by_phone,
    join_by_spelt_name,
)
from anonymize.phones import settled_numbers
from anonymize.profiles import People, Profile, shared_mailboxes
from anonymize.registry import Company, Doubt, Person, Registry, registered_words, registrable
from anonymize.verdicts import Verdict, apply_verdicts
from anonymize.words import ordinary_words
from contracts.manifest import Company as OwnCompany


def build_registry(
    evidence: Evidence,
    own: OwnCompany,
    persons: Iterable[PersonName] = (),
    companies: tuple[str, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> Registry:
    """Returns the registry that the evidence supports; `persons` and `companies` were met in text.

    `verdicts` of reviewers come before all evidence.
    """
    resolved = resolve_companies(evidence, own, companies, verdicts)
    people, doubts = _resolved(evidence, persons, _Places(resolved.companies, own), verdicts)
    reviewed = {verdict.pair for verdict in verdicts}
    open_ = [d for d in (*doubts, *resolved.doubtful) if (d.one, d.other) not in reviewed or d.told]
    open_.sort(key=lambda doubt: (-doubt.confidence, doubt))
    return _indexed(people, resolved.companies, evidence, tuple(open_))


def _indexed(
    people: list[Person],
    companies: tuple[Company, ...],
    evidence: Evidence,
    doubtful: tuple[Doubt, ...],
) -> Registry:
    names: dict[str, list[int]] = {}
    for index, person in enumerate(people):
        for key in dict.fromkeys(name.key for name in person.names):
            names.setdefault(key, []).append(index)
    return Registry(
        persons=tuple(people),
        companies=companies,
        streets=tuple(sorted(evidence.streets)),
        cities=tuple(sorted(evidence.cities)),
        phones=settled_numbers(evidence.phones, evidence.guessed),
        identifiers=tuple(sorted(evidence.identifiers)),
        amounts=frozenset(evidence.amounts),
        vocabulary=ordinary_words() | (learned_words(evidence) - registered_words(people, companies)),
        doubtful=doubtful,
        by_address={address: index for index, person in enumerate(people) for address in person.addresses},
        by_login={login.lower(): index for index, person in enumerate(people) for login in person.logins},
        by_name={key: tuple(indexes) for key, indexes in names.items()},
        by_record={record: index for index, person in enumerate(people) for record in person.records},
        company_by_domain={domain: i for i, company in enumerate(companies) for domain in company.domains},
        company_by_name={name.key: i for i, company in enumerate(companies) for name in company.names},
        company_by_record={record: i for i, company in enumerate(companies) for record in company.records},
    )


def _resolved(
    evidence: Evidence,
    persons: Iterable[PersonName],
    places: _Places,
    verdicts: Iterable[Verdict],
) -> tuple[list[Person], list[Doubt]]:
    mentions = sorted({*evidence.persons, *(PersonMention((name,)) for name in persons)})
    shared = shared_mailboxes(mentions)
    mentions += [PersonMention(addresses=(address,)) for address in sorted(shared)]
    addresses = [_own_addresses(mention, shared) for mention in mentions]
    clusters = Clusters(len(mentions))
    told = apply_verdicts(clusters, mentions, verdicts)
    _join_by_keys(clusters, mentions, addresses)
    organizations = [places.of(mention) for mention in mentions]
    people = People(mentions, addresses, organizations, clusters)
    join_by_phone(people)
    join_by_domains(people, places.by_domain)
    join_by_name_and_company(people)
    join_by_handle(people, places.by_domain, places.own)
    join_by_initials(people, places.own)
    join_by_spelt_name(people)
    join_by_changed_name(people, places.own)
    join_alike(people)
    join_by_name_alone(people)
    found = (_person(profile, mentions, evidence.persons) for profile in people.alive())
    return sorted((p for p in found if p.anchors), key=lambda person: person.anchors), told + people.doubts()


def _own_addresses(mention: PersonMention, shared: dict[str, frozenset[PersonName]]) -> tuple[str, ...]:
    """Returns the addresses of a mention that are not a mailbox which it shares with others."""
    if not mention.names or shared.keys().isdisjoint(mention.addresses):
        return mention.addresses
    return tuple(a for a in mention.addresses if shared.get(a, frozenset()).isdisjoint(mention.names))


class _Places:
    """Which companies a mention speaks of: by domain, written name and record."""

    def __init__(self, companies: tuple[Company, ...], own: OwnCompany) -> None:
        self.by_domain = {domain: at for at, company in enumerate(companies) for domain in company.domains}
        self._by_name = {name.key: at for at, company in enumerate(companies) for name in company.names}
        self._by_record = {record: at for at, company in enumerate(companies) for record in company.records}
        self._written: dict[str, int] = {}
        owned = [registrable(domain) for domain in own.domains]
        self.own = next((self.by_domain[domain] for domain in owned if domain in self.by_domain), -1)
        if self.own < 0:
            names = [name for name in map(parse_company, own.names) if name is not None]
            self.own = next((self._by_name[name.key] for name in names if name.key in self._by_name), -1)

    def of(self, mention: PersonMention) -> frozenset[int]:
        """Returns the indexes of the companies."""
        domains = (registrable(address.partition("@")[2]) for address in mention.addresses)
        found = {self.by_domain.get(domain, -1) for domain in domains}
        found.update(self._named(text) for text in mention.companies)
        found.update(self._by_record.get(key, -1) for key in mention.company_keys)
        return frozenset(found - {-1})

    def _named(self, text: str) -> int:
        if text not in self._written:
            name = parse_company(text)
            self._written[text] = self._by_name.get(name.key, -1) if name is not None else -1
        return self._written[text]


def _join_by_keys(
    clusters: Clusters, mentions: list[PersonMention], addresses: list[tuple[str, ...]]
) -> None:
    first: dict[str, int] = {}
    for index, mention in enumerate(mentions):
        keys = [f"mail:{without_tag(address)}" for address in addresses[index]]
        keys += [f"login:{login.lower()}" for login in mention.logins]
        for key in [*keys, *(f"key:{key}" for key in mention.keys)]:
            clusters.join(first.setdefault(key, index), index)


def _person(profile: Profile, mentions: list[PersonMention], counts: Counter[PersonMention]) -> Person:
    weights: Counter[PersonName] = Counter()
    for member in profile.members:
        for name in mentions[member].names:
            weights[name] += max(1, counts[mentions[member]])
    if not weights:
        for address in sorted(profile.addresses):
            spelt = name_from_handle(address.partition("@")[0])
            if spelt is not None:
                weights[spelt] += 1
    ranked = sorted(
        weights, key=lambda n: (not (n.first and n.last), len(n.first.strip(".")) < 2, -weights[n], n)
    )
    anchors = [f"mail:{address}" for address in profile.addresses]
    anchors += [f"login:{login.lower()}" for login in profile.logins]
    anchors += [f"key:{key}" for key in profile.records]
    if not anchors:
        anchors = [f"name:{name.key}" for name in ranked]
    return Person(
        tuple(ranked),
        tuple(sorted(profile.addresses)),
        tuple(sorted(profile.logins)),
        tuple(sorted(profile.organizations)),
        tuple(sorted(profile.records)),
        tuple(sorted(dict.fromkeys(anchors))),
    )


def without_tag(address: str) -> str:
    """Returns a plus address without its tag: both reach the same person."""
    local, at, domain = address.partition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"
