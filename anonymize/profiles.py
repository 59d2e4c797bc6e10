"""Profiles: what is known of each person while mentions are joined, and who must stay apart.

Belongs here: the state of resolution. Does not belong here: which evidence joins two persons (`matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from anonymize.clusters import Clusters
from anonymize.evidence import PersonMention
from anonymize.forms import PersonName
from anonymize.likeness import may_share, word_forms
from anonymize.registry import Doubt

T = TypeVar("T")
JOINED = "joined"
"""How the reason of a pair begins that was joined on weak evidence."""
USUAL_ALIASES = 0.15
"""Share of people with a second address in one company: how confidence weighs a namesake against an alias."""


class Profile:
    """One person so far."""

    __slots__ = ("addresses", "logins", "members", "names", "organizations", "phones", "records", "root")

    def __init__(self, root: int) -> None:
        """Begins empty; the root is the smallest member."""
        self.root = root
        self.members: list[int] = []
        self.names: tuple[PersonName, ...] = ()
        self.addresses: tuple[str, ...] = ()
        self.logins: tuple[str, ...] = ()
        self.phones: tuple[str, ...] = ()
        self.records: tuple[str, ...] = ()
        self.organizations: frozenset[int] = frozenset()

    @property
    def anchor(self) -> str:
        """The most telling key by which this person is found again."""
        kinds = (("mail", self.addresses), ("login", self.logins), ("key", self.records))
        for kind, values in kinds:
            if values:
                return f"{kind}:{min(values).lower() if kind == 'login' else min(values)}"
        return f"name:{min(name.key for name in self.names)}" if self.names else ""

    @property
    def full_names(self) -> list[PersonName]:
        """Names with both parts."""
        return [name for name in self.names if name.first and name.last]

    @property
    def families(self) -> set[str]:
        """The folded forms of the family names."""
        return {form for name in self.names for form in word_forms(name.last)}

    def add(self, mention: PersonMention, addresses: Sequence[str], organizations: frozenset[int]) -> None:
        """Adds one mention."""
        self.names = _united(self.names, mention.names)
        self.addresses = _united(self.addresses, addresses)
        self.logins = _united(self.logins, mention.logins)
        self.phones = _united(self.phones, mention.phones)
        self.records = _united(self.records, mention.keys)
        self.organizations |= organizations

    def take(self, other: Profile) -> None:
        """Adds all of another profile."""
        self.members += other.members
        for part in ("names", "addresses", "logins", "phones", "records"):
            setattr(self, part, _united(getattr(self, part), getattr(other, part)))
        self.organizations |= other.organizations


class People:
    """All profiles; joining two of them makes one."""

    def __init__(
        self,
        mentions: Sequence[PersonMention],
        addresses: Sequence[Sequence[str]],
        organizations: Sequence[frozenset[int]],
        clusters: Clusters,
    ) -> None:
        """Takes, for each mention, which addresses are its own and which companies it speaks of."""
        self._clusters = clusters
        self._profiles: dict[int, Profile] = {}
        self._doubts: list[tuple[Doubt, int, int]] = []
        for members in clusters.groups():
            profile = self._profiles[members[0]] = Profile(members[0])
            profile.members = members
            for member in members:
                profile.add(mentions[member], addresses[member], organizations[member])
        self.commonness = Commonness(self._profiles.values())

    def alive(self) -> list[Profile]:
        """Returns all profiles as they are, by smallest member."""
        return [self._profiles[root] for root in sorted(self._profiles)]

    def now(self, profile: Profile) -> Profile:
        """Returns the profile that holds the members of an earlier one."""
        return self._profiles[self._clusters.find(profile.root)]

    def distinct(self, profiles: Iterable[Profile]) -> list[Profile]:
        """Returns the profiles as they are now, each once, by smallest member."""
        found = {now.root: now for now in map(self.now, profiles)}
        return [found[root] for root in sorted(found)]

    def join(self, one: Profile, other: Profile) -> bool:
        """Makes two profiles one; False where a verdict keeps them apart."""
        first, second = sorted((self.now(one), self.now(other)), key=lambda profile: profile.root)
        if first is second:
            return True
        if not self._clusters.join(first.root, second.root):
            return False
        first.take(second)
        del self._profiles[second.root]
        return True

    def doubt(self, reason: str, one: Profile, other: Profile, weight: float = 1.0) -> None:
        """Notes a pair for review, unless a verdict keeps it apart; `weight` is the names' likeness."""
        if self._clusters.is_forbidden(one.root, other.root) or self.now(one) is self.now(other):
            return
        confidence = weight * USUAL_ALIASES / (USUAL_ALIASES + self.commonness.namesakes(one, other))
        low, high = sorted((one.anchor, other.anchor))
        pair = Doubt(reason, low, high, round(confidence, 2))
        self._doubts.append((pair, one.root, other.root))

    def doubts(self) -> list[Doubt]:
        """Returns the pairs that are still two persons, under their present anchors, and the weak joins."""
        found: dict[tuple[str, str], Doubt] = {}
        for pair, one, other in self._doubts:
            a, b = (self._profiles[self._clusters.find(root)] for root in (one, other))
            if a is not b:
                low, high = sorted((a.anchor, b.anchor))
                pair = pair._replace(one=low, other=high)
            elif not pair.reason.startswith(JOINED):
                continue
            if pair.one and pair.one != pair.other:
                found.setdefault((pair.one, pair.other), pair)
        return list(found.values())


class Commonness:
    """How common names are in this archive, so that a rare name says more than a common one.

    The frequency-based weights of record linkage (Fellegi and Sunter 1969; Winkler 1989), with the archive
    itself as the register.
    """

    def __init__(self, profiles: Iterable[Profile]) -> None:
        """Counts first and family names once per person so far."""
        self._firsts: Counter[str] = Counter()
        self._lasts: Counter[str] = Counter()
        self._sizes: Counter[int] = Counter()
        self._persons = 0
        for profile in profiles:
            self._persons += 1
            self._sizes.update(profile.organizations)
            self._firsts.update({form for name in profile.names for form in word_forms(name.first)})
            self._lasts.update({form for name in profile.names for form in word_forms(name.last)})

    def expected(self, name: PersonName) -> float:
        """Returns how many other people of this archive would have a full name by chance."""
        first = max((self._firsts[form] for form in word_forms(name.first)), default=0)
        last = max((self._lasts[form] for form in word_forms(name.last)), default=0)
        return max(0, first - 1) * max(0, last - 1) / max(1, self._persons)

    def size(self, organization: int) -> int:
        """Returns how many profiles speak of a company."""
        return self._sizes[organization]

    def namesakes(self, one: Profile, other: Profile) -> float:
        """Returns how many namesakes chance would put where two profiles meet: one company, or everywhere."""
        names = one.full_names or other.full_names
        expected = min((self.expected(name) for name in names), default=1.0)
        shared = one.organizations & other.organizations
        if not shared:
            return expected
        return expected * max(self._sizes[organization] for organization in shared) / max(1, self._persons)


def _united(some: tuple[T, ...], more: Iterable[T]) -> tuple[T, ...]:
    new = [value for value in more if value not in some]
    return (*some, *dict.fromkeys(new)) if new else some


def shared_mailboxes(mentions: Sequence[PersonMention]) -> dict[str, frozenset[PersonName]]:
    """Returns the addresses from which different people write, with the names that own none of them.

    Names of one person share a word, or a slip of one. The name of which the local part holds a
    word is the owner's; where it spells nobody, the mailbox is nobody's own.
    """
    beside: dict[str, set[PersonName]] = {}
    for mention in mentions:
        for address in mention.addresses:
            beside.setdefault(address, set()).update(
                name for name in mention.names if name.first and name.last
            )
    result = {}
    for address, names in beside.items():
        if len(names) < 2:
            continue
        ordered = sorted(names)
        groups: list[list[PersonName]] = []
        for name in ordered:
            group = next((g for g in groups if any(may_share(name, one) for one in g)), None)
            if group is None:
                groups.append([name])
            else:
                group.append(name)
        if len(groups) < 2:
            continue
        local = address.partition("@")[0]
        owners = [group for group in groups if any(_is_spelt(name, local) for name in group)]
        kept = set(owners[0]) if len(owners) == 1 else set[PersonName]()
        if owners and not kept:
            continue  # two names that the address spells: a change of name, or namesakes of a part
        result[address] = frozenset(names - kept)
    return result


def _is_spelt(name: PersonName, local: str) -> bool:
    return any(
        len(form) > 2 and form in local for part in (name.first, name.last) for form in word_forms(part)
    )
