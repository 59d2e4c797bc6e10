"""Which evidence makes two profiles one person: a phone, an address, a name inside one company, a rare name.

Belongs here: one function per kind of evidence, the surest first, each blind to the order of mentions. A
profile joins by name only where one candidate is best and nothing speaks against it; two profiles with
addresses of their own need more than a name. What stays open is a doubt with a confidence.

Candidates meet in blocks: company and one word of the name. A typo in both words is not found, and nothing is
compared that shares neither (blocking as in Christen, Data Matching, 2012, chapter 4).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import combinations

from anonymize.forms import handle_shape
from anonymize.handles import name_from_handle
from anonymize.likeness import Likeness, are_alike, full_keys, word_forms
from anonymize.profiles import JOINED, People, Profile
from anonymize.registry import registrable

LARGEST_BLOCK = 3_000
"""Profiles of one company that share a word; beyond, the word tells nothing and the other word must do."""
MOST_HOLDERS = 12
"""Profiles that share a phone; a number that more share is a switchboard."""
RARE_IN_COMPANY = 0.02
"""Namesakes that chance would give: below, a full name tells one person."""
MANY_INITIALS = 0.5
"""Share of the addresses with a middle initial beside which the plain one exists: above, it made room."""
MOST_ALIASES = 4
MOST_DOUBTS = 4
"""Pairs that one profile brings to review at one step."""
_WITH_INITIAL = re.compile(r"(?P<first>[^\W\d_]{2,})(?P<mark>[._-])[^\W\d_][._-](?P<last>[^\W\d_]{2,})")
_PART = re.compile(r"[\s-]+")
_WEIGHTS = {
    Likeness.SAME: 1.0,
    Likeness.SHORT: 0.9,
    Likeness.TYPO: 0.85,
    Likeness.PART: 0.6,
    Likeness.INITIAL: 0.5,
}


def join_by_phone(people: People) -> None:
    """Joins alike names that share a phone which nobody of another name has."""
    holders: dict[str, list[Profile]] = {}
    for profile in people.alive():
        for phone in profile.phones:
            holders.setdefault(phone, []).append(profile)
    for sharing in holders.values():
        group = people.distinct(sharing)
        if not 1 < len(group) <= MOST_HOLDERS:
            continue
        pairs = list(combinations(group, 2))
        alike = [are_alike(one.names, other.names) is not Likeness.NONE for one, other in pairs]
        for one, other in pairs:
            if all(alike):
                people.join(one, other)
            elif len(pairs) == 1 and _may_have_married(one, other):
                people.doubt("one phone and first name, another family name", one, other, 0.5)


def _may_have_married(one: Profile, other: Profile) -> bool:
    """Says whether two of one company share a first name: they may share a switchboard as well."""
    firsts, others = (
        {form for name in profile.full_names for form in word_forms(name.first) if len(form) > 1}
        for profile in (one, other)
    )
    return not firsts.isdisjoint(others) and not one.organizations.isdisjoint(other.organizations)


def middles_differ(one: Profile, other: Profile) -> bool:
    """Says whether two have middle names or initials and none in common."""
    middles, others = ({n.middle[:1].lower() for n in p.names if n.middle} for p in (one, other))
    return bool(middles and others) and middles.isdisjoint(others)


def join_by_domains(people: People, by_domain: dict[str, int]) -> None:
    """Joins alike names whose addresses have one local part at several domains of one company."""
    sharing: dict[tuple[str, int], list[Profile]] = {}
    for profile in people.alive():
        for address in profile.addresses:
            local, _, domain = address.partition("@")
            company = by_domain.get(registrable(domain), -1)
            if company >= 0:
                sharing.setdefault((local, company), []).append(profile)
    for profiles in sharing.values():
        group = people.distinct(profiles)
        for one, other in combinations(group[:MOST_HOLDERS], 2):
            alike = are_alike(one.names, other.names)
            if alike is not Likeness.NONE or not (one.full_names and other.full_names):
                people.join(one, other)


def join_by_spelt_name(people: People) -> None:
    """Names whoever is known by an address only after what it spells, and joins them as the named are."""
    spelt = set()
    for profile in people.alive():
        handles = [address.partition("@")[0] for address in sorted(profile.addresses)]
        names = () if profile.names else tuple(filter(None, map(name_from_handle, handles)))
        if names:
            profile.names = names
            spelt.add(profile.root)
    if spelt:
        join_by_name_and_company(people, spelt)


def join_by_name_and_company(people: People, only: Container[int] | None = None) -> None:
    """Joins equal full names of one company unless several have addresses, or logins, of their own.

    With `only`, no two meet of which none is among these.
    """
    blocks: dict[tuple[str, int], list[Profile]] = {}
    habitual = _habitual_initials(people.alive())
    for profile in people.alive():
        keys = {key for name in profile.full_names for key in full_keys(name.first, name.last)}
        for key in sorted(keys):
            for company in sorted(profile.organizations):
                blocks.setdefault((key, company), []).append(profile)
    for block in blocks.values():
        if len(block) > 1 and (only is None or any(profile.root in only for profile in block)):
            _join_aliases(people, people.distinct(block), habitual)
            _join_same(people, people.distinct(block))


def _habitual_initials(profiles: Iterable[Profile]) -> frozenset[str]:
    """Returns the domains that write middle initials by habit: mostly where nobody has the plain address."""
    addresses = {address for profile in profiles for address in profile.addresses}
    seen: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    for address in addresses:
        local, _, domain = address.partition("@")
        match = _WITH_INITIAL.fullmatch(local)
        if match is not None:
            seen[domain] += 1
            beside[domain] += f"{match['first']}{match['mark']}{match['last']}@{domain}" in addresses
    return frozenset(domain for domain, many in seen.items() if beside[domain] <= many * MANY_INITIALS)


def _join_aliases(people: People, block: Sequence[Profile], habitual: frozenset[str]) -> None:
    """Joins the addresses of one rare name, unless one of them was made to tell namesakes apart."""
    addressed = [profile for profile in block if profile.addresses]
    if not 1 < len(addressed) <= MOST_ALIASES or any(_is_numbered(one, habitual) for one in addressed):
        return
    first = addressed[0]
    for other in addressed[1:]:
        me = people.now(first)
        if middles_differ(me, other) or (me.logins and other.logins):
            continue
        if people.commonness.namesakes(me, other) < RARE_IN_COMPANY:
            people.doubt(f"{JOINED}: several addresses of one rare name", me, other)
            people.join(me, other)


def _is_numbered(profile: Profile, habitual: frozenset[str]) -> bool:
    """Says whether an address has a number or middle initial beside the name: the plain one was taken."""
    for address in profile.addresses:
        local, _, domain = address.partition("@")
        if domain not in habitual and _WITH_INITIAL.fullmatch(local):
            return True
        if local[-1:].isdigit() and any(handle_shape(local, name) for name in profile.full_names):
            return True
    return False


def _join_same(people: People, block: Sequence[Profile]) -> None:
    addressed = [profile for profile in block if profile.addresses]
    known = [profile for profile in block if profile.logins]
    if len(addressed) > 1 or len(known) > 1:
        holders = [profile for profile in block if profile.addresses or profile.logins]
        for other in holders[1:MOST_DOUBTS]:
            people.doubt("one name twice in one company", holders[0], other)
        block = [profile for profile in block if profile not in holders]
    for other in block[1:]:
        if not middles_differ(people.now(block[0]), other):
            people.join(block[0], other)


def join_alike(people: People) -> None:
    """Joins profiles without address with the one colleague whose name is most alike, the surest kinds first.

    Steps: nicknames, slips of the hand, parts of double names, initials.
    """
    blocks = _by_company_and_word(people.alive())
    found: dict[Likeness, list[tuple[Profile, list[Profile]]]] = {}
    for profile in people.alive():
        best = _best(people, profile, _candidates(profile, blocks))
        for step, candidates in best.items():
            found.setdefault(step, []).append((profile, candidates))
    done: set[int] = set()
    for step in (Likeness.SHORT, Likeness.TYPO, Likeness.PART, Likeness.INITIAL):
        for profile, candidates in found.get(step, ()):
            if profile.root not in done and _join_only(people, step, profile, candidates):
                done.add(profile.root)


def _by_company_and_word(profiles: Iterable[Profile]) -> dict[tuple[int, str], list[Profile]]:
    blocks: dict[tuple[int, str], list[Profile]] = {}
    for profile in profiles:
        for key in _block_keys(profile):
            blocks.setdefault(key, []).append(profile)
    return {key: sharing for key, sharing in blocks.items() if 1 < len(sharing) <= LARGEST_BLOCK}


def _block_keys(profile: Profile) -> set[tuple[int, str]]:
    words: set[str] = set()
    for name in profile.full_names:
        for part in (name.first, name.last, *_PART.split(name.last)):
            words |= word_forms(part)
    return {(company, word) for company in profile.organizations for word in words if len(word) > 1}


def _candidates(profile: Profile, blocks: dict[tuple[int, str], list[Profile]]) -> list[Profile]:
    found: dict[int, Profile] = {}
    for key in _block_keys(profile):
        found.update((other.root, other) for other in blocks.get(key, ()))
    found.pop(profile.root, None)
    return [found[root] for root in sorted(found)]


def _best(people: People, profile: Profile, candidates: list[Profile]) -> dict[Likeness, list[Profile]]:
    """Returns the candidates of the surest step; pairs with two addresses are doubts, told once."""
    steps: dict[Likeness, list[Profile]] = {}
    for other in candidates:
        both = bool(profile.addresses and other.addresses) or bool(profile.logins and other.logins)
        if profile.addresses and (both or not other.addresses):
            if both and profile.root < other.root:
                alike = are_alike(profile.names, other.names)
                if Likeness.TYPO <= alike < Likeness.SAME:
                    people.doubt("alike names with two addresses", profile, other, _WEIGHTS[alike])
            continue
        if not both:
            alike = are_alike(profile.names, other.names)
            if alike is not Likeness.NONE:
                steps.setdefault(alike, []).append(other)
    if Likeness.SAME in steps:
        return {}  # joined or doubted before
    return {max(steps): steps[max(steps)]} if steps else {}


def _join_only(people: People, step: Likeness, profile: Profile, candidates: list[Profile]) -> bool:
    me = people.now(profile)
    others = [other for other in people.distinct(candidates) if other is not me]
    if (
        len(others) == 1
        and not (me.addresses and others[0].addresses)
        and not (me.logins and others[0].logins)
    ):
        return not middles_differ(me, others[0]) and people.join(me, others[0])
    for other in others[:MOST_DOUBTS]:
        people.doubt("one name may be several colleagues", me, other, _WEIGHTS[step] / len(others))
    return False
