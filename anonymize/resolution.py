"""Which mentions are one person: deterministic keys first, then names inside one company, then typos.

Belongs here: merging, conservatively: a false merge corrupts links silently, a missed one is only a
second surrogate. Pairs in doubt stay apart and are listed by anchors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rapidfuzz.distance import JaroWinkler

from anonymize.clusters import Clusters
from anonymize.company_resolution import resolve_companies
from anonymize.evidence import Evidence, PersonMention, learned_words
from anonymize.forms import PersonName, handle_shape, parse_company, parse_person
from anonymize.phones import settled_numbers
from anonymize.registry import Company, Person, Registry, registered_words, registrable
from anonymize.words import first_names, is_nickname, is_role, ordinary_words
from contracts.manifest import Company as OwnCompany
from contracts.names import fold

TYPO_SIMILARITY = 0.96
MOST_IN_BLOCK = 400
"""Persons of one company and initial that are compared for typos."""
SHORTEST_CUT_LOGIN = 8
"""Systems cut long logins ("mustermannma"); shorter ones are not matched by their beginning."""


def build_registry(
    evidence: Evidence, own: OwnCompany, persons: Iterable[PersonName] = (), companies: tuple[str, ...] = ()
) -> Registry:
    """Returns the registry that the evidence supports; `persons` and `companies` were met in text."""
    resolved = resolve_companies(evidence, own, companies)
    by_domain = {
        domain: index for index, company in enumerate(resolved.companies) for domain in company.domains
    }
    by_name = {name.key: index for index, company in enumerate(resolved.companies) for name in company.names}
    by_record = {
        record: index for index, company in enumerate(resolved.companies) for record in company.records
    }
    own_index = next((by_domain[registrable(d)] for d in own.domains if registrable(d) in by_domain), -1)
    if own_index < 0:
        own_names = [name for name in map(parse_company, own.names) if name is not None]
        own_index = next((by_name[name.key] for name in own_names if name.key in by_name), -1)
    mentions = sorted({*evidence.persons, *(PersonMention((name,)) for name in persons)})
    resolver = _Resolver(mentions, by_domain, by_name, by_record, own_index)
    people = resolver.resolve(evidence.persons)
    return _indexed(people, resolved.companies, evidence, tuple(resolver.doubtful) + resolved.doubtful)


def _indexed(
    people: list[Person],
    companies: tuple[Company, ...],
    evidence: Evidence,
    doubtful: tuple[tuple[str, str, str], ...],
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


class _Resolver:
    def __init__(
        self,
        mentions: list[PersonMention],
        by_domain: dict[str, int],
        by_name: dict[str, int],
        by_record: dict[str, int],
        own: int,
    ) -> None:
        self._mentions = mentions
        self._by_domain, self._by_name, self._by_record = by_domain, by_name, by_record
        self._own = own
        self._clusters = Clusters(len(mentions))
        self.doubtful: list[tuple[str, str, str]] = []

    def resolve(self, counts: Counter[PersonMention]) -> list[Person]:
        self._by_keys()
        self._by_name_and_company()
        self._by_handle()
        self._by_changed_name()
        self._by_typo()
        self._by_name_alone()
        people = [self._person(group, counts) for group in self._groups()]
        return sorted((p for p in people if p.anchors), key=lambda person: person.anchors)

    def _groups(self) -> list[list[PersonMention]]:
        return [[self._mentions[member] for member in group] for group in self._clusters.groups()]

    def _organizations(self, group: Iterable[PersonMention]) -> set[int]:
        found: set[int] = set()
        for mention in group:
            for address in mention.addresses:
                found.add(self._by_domain.get(registrable(address.partition("@")[2]), -1))
            for text in mention.companies:
                name = parse_company(text)
                found.add(self._by_name.get(name.key, -1) if name is not None else -1)
            found.update(self._by_record.get(key, -1) for key in mention.company_keys)
        return found - {-1}

    def _by_keys(self) -> None:
        first: dict[str, int] = {}
        for index, mention in enumerate(self._mentions):
            keys = [f"mail:{without_tag(a)}" for a in mention.addresses] + [
                f"login:{login.lower()}" for login in mention.logins
            ]
            for key in [*keys, *(f"key:{key}" for key in mention.keys)]:
                self._clusters.join(first.setdefault(key, index), index)

    def _summaries(self) -> list[_Summary]:
        return [
            _Summary(group, [self._mentions[member] for member in group], self._organizations(
                self._mentions[member] for member in group))
            for group in self._clusters.groups()
        ]  # fmt: skip

    def _by_name_and_company(self) -> None:
        blocks: dict[tuple[str, int], list[_Summary]] = {}
        for summary in self._summaries():
            for name in summary.full_names:
                for organization in sorted(summary.organizations):
                    blocks.setdefault((name, organization), []).append(summary)
        for block in blocks.values():
            holders = [summary for summary in block if summary.addresses or summary.logins]
            apart = sum(bool(s.addresses) for s in holders) > 1 or sum(bool(s.logins) for s in holders) > 1
            for other in holders[1:] if apart else ():
                self._doubt("one name twice in one company", holders[0], other)
            joined = [summary for summary in block if summary not in holders] if apart else block
            for other in joined[1:]:
                self._clusters.join(joined[0].members[0], other.members[0])

    def _by_handle(self) -> None:
        """Joins a login or bare address with the one person whose name it spells."""
        summaries = self._summaries()
        named = [summary for summary in summaries if summary.names]
        by_family: dict[str, list[_Summary]] = {}
        for summary in named:
            for family in {fold(name.last).replace(" ", "") for name in summary.names if name.last}:
                by_family.setdefault(family[:4], []).append(summary)
        locals_: dict[tuple[str, int], list[_Summary]] = {}
        for summary in summaries:
            for address in summary.addresses:
                local, _, domain = address.partition("@")
                locals_.setdefault((local, self._by_domain.get(registrable(domain), -1)), []).append(summary)
        for summary in summaries:
            if summary.names:
                continue
            for login in summary.logins:
                same = locals_.get((login.lower(), self._own), [])
                if not same and len(login) >= SHORTEST_CUT_LOGIN:
                    same = [
                        other for other in summaries
                        if other is not summary and self._own in other.organizations
                        and any(long.startswith(login.lower()) for long in other.handles)
                    ]  # fmt: skip
                if len(same) == 1:
                    self._clusters.join(summary.members[0], same[0].members[0])
            handles = [*summary.logins, *(address.partition("@")[0] for address in summary.addresses)]
            matches = self._spelt(summary, handles, by_family)
            if len(matches) == 1:
                self._clusters.join(summary.members[0], matches[0].members[0])

    def _spelt(
        self, summary: _Summary, handles: list[str], by_family: dict[str, list[_Summary]]
    ) -> list[_Summary]:
        wanted = summary.organizations or ({self._own} if summary.logins else set())
        found: dict[int, _Summary] = {}
        for handle in handles:
            bare = handle.lower()
            starts = {bare[place : place + 4] for place in range(len(bare))} | {bare[:3], bare[-3:]}
            for start in starts:
                for other in by_family.get(start, ()):
                    if (other.addresses and summary.addresses) or (
                        not other.organizations and not _is_full(handle)
                    ):
                        continue
                    if other.organizations and wanted and not other.organizations & wanted:
                        continue
                    if any(_spells(handle, name) for name in other.names):
                        found[other.members[0]] = other
        return list(found.values())

    def _by_changed_name(self) -> None:
        """Joins a person whose login spells another family name with the colleague of that name.

        The login outlives a marriage: first name, company and login must all agree, and be unique.
        """
        summaries = [summary for summary in self._summaries() if self._own in summary.organizations]
        for summary in summaries:
            for login in summary.logins:
                if not summary.names or any(_spells(login, name) for name in summary.names):
                    continue
                firsts = {fold(name.first) for name in summary.names}
                matches = [
                    other
                    for other in summaries
                    if other is not summary and not other.logins
                    and any(fold(name.first) in firsts and _spells(login, name) for name in other.names)
                ]  # fmt: skip
                if len(matches) == 1:
                    self._clusters.join(summary.members[0], matches[0].members[0])

    def _by_typo(self) -> None:
        blocks: dict[tuple[int, str], list[_Summary]] = {}
        for summary in self._summaries():
            for organization in sorted(summary.organizations):
                for initial in sorted({fold(name.last)[:1] for name in summary.names if name.last}):
                    blocks.setdefault((organization, initial), []).append(summary)
        for block in blocks.values():
            self._in_block(block[:MOST_IN_BLOCK])

    def _in_block(self, block: list[_Summary]) -> None:
        """Considers the pairs that share a first or a family name: others are never one person by typo."""
        sharing: dict[tuple[str, str], list[int]] = {}
        for place, summary in enumerate(block):
            for key in summary.spelt:
                sharing.setdefault(key, []).append(place)
        for place, one in enumerate(block):
            later = {at for key in one.spelt for at in sharing[key] if at > place}
            for at in sorted(later):
                if self._clusters.find(one.members[0]) != self._clusters.find(block[at].members[0]):
                    self._consider(one, block[at])

    def _consider(self, one: _Summary, other: _Summary) -> None:
        if not any(_same_person(a, b) for a in one.names for b in other.names):
            return
        if one.addresses and other.addresses:
            self._doubt("alike names with two addresses", one, other)
        else:
            self._clusters.join(one.members[0], other.members[0])

    def _by_name_alone(self) -> None:
        """Joins mentions without company to the one person of that name, else with each other."""
        summaries = self._summaries()
        by_full: dict[str, list[_Summary]] = {}
        nicknames: dict[str, list[_Summary]] = {}
        for summary in summaries:
            for key in summary.full_names if summary.organizations else ():
                by_full.setdefault(key, []).append(summary)
            for family in {fold(name.last) for name in summary.names if summary.organizations and name.last}:
                nicknames.setdefault(family, []).append(summary)
        loose: dict[str, int] = {}
        for summary in summaries:
            if summary.organizations or not summary.full_names:
                continue
            candidates = {c.members[0]: c for key in summary.full_names for c in by_full.get(key, ())}
            if not candidates:
                families = {fold(name.last) for name in summary.names if name.last}
                candidates = {
                    other.members[0]: other
                    for family in sorted(families)
                    for other in nicknames.get(family, ())
                    if any(_same_person(a, b) for a in summary.names for b in other.names)
                }
            if len(candidates) == 1:
                target = next(iter(candidates.values()))
                self._clusters.join(summary.members[0], target.members[0])
                if summary.addresses:
                    self._doubt("joined to a person of the same name elsewhere", summary, target)
            elif not candidates:
                for key in summary.full_names:
                    self._clusters.join(loose.setdefault(key, summary.members[0]), summary.members[0])

    def _doubt(self, reason: str, one: _Summary, other: _Summary) -> None:
        self.doubtful.append((reason, one.anchor, other.anchor))

    def _person(self, group: list[PersonMention], counts: Counter[PersonMention]) -> Person:
        summary = _Summary([0], group, self._organizations(group))
        weights: Counter[PersonName] = Counter()
        for mention in group:
            for name in mention.names:
                weights[name] += max(1, counts[mention])
        if not weights:
            for address in summary.addresses:
                spelt = name_from_handle(address.partition("@")[0])
                if spelt is not None:
                    weights[spelt] += 1
        ranked = sorted(
            weights, key=lambda n: (not (n.first and n.last), len(n.first.strip(".")) < 2, -weights[n], n)
        )
        records = tuple(sorted({key for mention in group for key in mention.keys}))
        shared = not summary.addresses and not summary.logins and not records
        anchors = [f"mail:{a}" for a in summary.addresses] + [
            f"login:{login.lower()}" for login in summary.logins
        ]
        anchors += [f"key:{key}" for key in records]
        if shared or not anchors:
            anchors += [f"name:{name.key}" for name in ranked]
        return Person(
            tuple(ranked),
            tuple(summary.addresses),
            tuple(summary.logins),
            tuple(sorted(summary.organizations)),
            records,
            tuple(sorted(dict.fromkeys(anchors))),
        )


class _Summary:
    def __init__(self, members: list[int], group: list[PersonMention], organizations: set[int]) -> None:
        self.members = members
        self.names = sorted({name for mention in group for name in mention.names})
        self.addresses = sorted({address for mention in group for address in mention.addresses})
        self.logins = sorted({login for mention in group for login in mention.logins})
        self.handles = [login.lower() for login in self.logins] + [
            a.partition("@")[0] for a in self.addresses
        ]
        self.organizations = organizations
        self.full_names = sorted({name.key for name in self.names if name.first and name.last})
        self.spelt = sorted(
            {("first", fold(name.first).rstrip(".")) for name in self.names if name.first}
            | {("last", fold(name.last)) for name in self.names if name.last}
        )
        self.anchor = next(iter([*self.addresses, *self.logins, *self.full_names]), "")


def without_tag(address: str) -> str:
    """Returns a plus address without its tag: both reach the same person."""
    local, at, domain = address.partition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def _is_full(handle: str) -> bool:
    return any(char in handle for char in "._")


def _spells(handle: str, name: PersonName) -> bool:
    if not name.last:
        return False
    match = handle_shape(handle, name)
    return match is not None and "{l}" in match.template and match.template != "{l}"


def _same_person(one: PersonName, other: PersonName) -> bool:
    if not (one.first and one.last and other.first and other.last):
        return False
    family = fold(one.last) == fold(other.last)
    first_a, first_b = fold(one.first).rstrip("."), fold(other.first).rstrip(".")
    if family and (first_a == first_b or is_nickname(first_a, first_b) or is_nickname(first_b, first_a)):
        return True
    if family and 1 in (len(first_a), len(first_b)) and first_a[0] == first_b[0]:
        return True
    if first_a == first_b:
        return (
            JaroWinkler.similarity(fold(one.last), fold(other.last)) >= TYPO_SIMILARITY and len(one.last) > 4
        )
    if not family or (first_a in first_names() and first_b in first_names()):
        return False
    return JaroWinkler.similarity(first_a, first_b) >= TYPO_SIMILARITY and len(first_a) > 4


def name_from_handle(local: str) -> PersonName | None:
    """Returns the name that a local part spells: "jane.m.doe" -> Jane M Doe; None where it spells none."""
    parts = [part for part in local.lower().replace("_", ".").split(".") if part]
    if not 2 <= len(parts) <= 3 or not all(part.isalpha() for part in parts) or is_role(local):
        return None
    if len(parts[-1]) < 2 or (len(parts[0]) < 2 and len(parts) == 2):
        return None
    return parse_person(" ".join(part.title() for part in parts))
