"""People without company: who is the only one of their name, and which of them are one.

Belongs here: joining by the name alone, which tells one person only where it is rare, or where nobody else is
called so. Does not belong here: names inside one company (`matching`).

Alike names meet in blocks: family name, and the beginning, the end, the letters or the full form of the first
name. A letter too many, too few or wrong leaves the beginning or the end as it is, a swap leaves the letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anonymize.forms import PersonName
from anonymize.likeness import Likeness, are_alike, full_forms, full_keys, word_forms
from anonymize.matching import LARGEST_BLOCK, MOST_DOUBTS, middles_differ
from anonymize.profiles import JOINED, People, Profile
from contracts.names import fold

RARE_EVERYWHERE = 0.05
"""Namesakes that chance would give: below, a full name tells one person."""
PIECE = 2
"""Letters of a first name's beginning and end."""
Blocks = dict[tuple[str, str], list[Profile]]


def join_by_name_alone(people: People) -> None:
    """Joins profiles without company to the only person of their name, else with each other.

    Whoever has an address or record of their own joins only where the name is rare, and is told for review.
    """
    profiles = people.alive()
    alone = [profile for profile in profiles if not profile.organizations and profile.full_names]
    full, given = _by_full_name(profiles), _by_given_names(profiles)
    blocks = _blocks(profiles, {key for profile in alone for key in block_keys(profile.names)})
    same: dict[str, list[Profile]] = {}
    families: dict[str, list[Profile]] = {}
    for profile in alone:
        keys = sorted({key for name in profile.full_names for key in full_keys(name.first, name.last)})
        candidates = people.distinct(other for key in keys for other in full.get(key, ()))
        if not candidates:
            candidates = _alike_elsewhere(people, profile, blocks)
        if not (candidates or profile.addresses or profile.logins or profile.records):
            candidates = people.distinct(one for name in profile.names for one in given.get(name.key, ()))
        if candidates:
            _join_elsewhere(people, profile, candidates)
            continue
        for key in keys or sorted(name.key for name in profile.full_names):
            others = same.setdefault(key, [])
            for other in people.distinct(others)[:1]:
                if _may_join_alone(people, profile, other):
                    people.join(profile, other)
            others.append(profile)
        for family in sorted(profile.families):
            families.setdefault(family, []).append(profile)
    for sharing in families.values():
        _join_called(people, people.distinct(sharing))


def _by_full_name(profiles: Iterable[Profile]) -> dict[str, list[Profile]]:
    found: dict[str, list[Profile]] = {}
    for profile in profiles:
        for name in profile.full_names if profile.organizations else ():
            for key in full_keys(name.first, name.last):
                found.setdefault(key, []).append(profile)
    return found


def _by_given_names(profiles: Iterable[Profile]) -> dict[str, list[Profile]]:
    """Returns the people with two given names: "Mary Lou" may be Mary Lou Tallberg."""
    found: dict[str, list[Profile]] = {}
    for profile in profiles:
        for name in profile.full_names:
            if len(name.middle.strip(".")) > 1:
                found.setdefault(fold(f"{name.first} {name.middle}"), []).append(profile)
    return found


def _blocks(profiles: Iterable[Profile], wanted: set[tuple[str, str]]) -> Blocks:
    found: Blocks = {}
    for profile in profiles if wanted else ():
        for key in (block_keys(profile.names) & wanted) if profile.organizations else ():
            found.setdefault(key, []).append(profile)
    return found


def block_keys(names: Iterable[PersonName]) -> set[tuple[str, str]]:
    """Returns the blocks in which full names meet those that are alike by more than an initial."""
    return {
        (family, piece)
        for name in names
        if name.first and name.last
        for family in word_forms(name.last)
        for first in word_forms(name.first)
        for piece in (f"{first[:PIECE]}-", f"-{first[-PIECE:]}", "".join(sorted(first)), *full_forms(first))
    }


def _alike_elsewhere(people: People, profile: Profile, blocks: Blocks) -> list[Profile]:
    near: dict[int, Profile] = {}
    for key in block_keys(profile.names):
        sharing = blocks.get(key, ())
        if len(sharing) <= LARGEST_BLOCK:
            near.update((other.root, other) for other in sharing)
    return people.distinct(
        near[root] for root in sorted(near) if are_alike(profile.names, near[root].names) >= Likeness.TYPO
    )


def _join_called(people: People, sharing: Sequence[Profile]) -> None:
    """Joins the only two of a rare family name of whom one is called by a short form of the other's name."""
    if len(sharing) != 2:
        return
    one, other = sharing
    rare = all(
        people.commonness.expected(name) < RARE_EVERYWHERE for name in (*one.full_names, *other.full_names)
    )
    if rare and are_alike(one.names, other.names) is Likeness.SHORT and _may_join_alone(people, one, other):
        people.join(one, other)


def _join_elsewhere(people: People, profile: Profile, candidates: list[Profile]) -> None:
    if len(candidates) == 1 and _may_join_alone(people, profile, candidates[0]):
        if profile.addresses:
            people.doubt(f"{JOINED} to a person of the same name elsewhere", profile, candidates[0])
        people.join(profile, candidates[0])
    elif profile.addresses or profile.records:
        for other in candidates[:MOST_DOUBTS]:
            people.doubt("one name elsewhere", profile, other, 1 / len(candidates))


def _may_join_alone(people: People, profile: Profile, other: Profile) -> bool:
    if middles_differ(profile, other):
        return False
    own = bool(profile.addresses or profile.logins or profile.records)
    return not own or all(people.commonness.expected(name) < RARE_EVERYWHERE for name in profile.full_names)
