"""Logins and bare addresses that spell somebody's name: whose they are.

Belongs here: the meeting of handles and names. Does not belong here: how a handle is made (`forms`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import combinations

from anonymize.forms import HANDLE_TEMPLATES, PersonName, german_text, handle_shape, handles_of, parse_person
from anonymize.likeness import Likeness, are_alike, are_short, word_forms
from anonymize.profiles import JOINED, People, Profile
from anonymize.registry import registrable
from anonymize.words import is_role
from contracts.names import fold

SHORTEST_CUT_LOGIN = 7
"""Systems cut long logins ("mustermannma"); shorter ones are not matched by their beginning."""
MOST_NAMESAKES = 8
"""First names beside one family name that are compared; among so many two always differ."""
_TELLING = tuple(template for template in HANDLE_TEMPLATES if "{l}" in template and template != "{l}")


class _Spelt:
    """The handles that the names of each company's people spell, and what begins like them."""

    def __init__(self, profiles: list[Profile], wanted: set[int]) -> None:
        self._whole: dict[int, dict[str, list[Profile]]] = {}
        for profile in profiles:
            handles = {handle for name in profile.names for handle in _handles(name)}
            for company in (profile.organizations & wanted) or ({-1} if not profile.organizations else set()):
                known = self._whole.setdefault(company, {})
                for handle in handles:
                    known.setdefault(handle, []).append(profile)
        self._bearers: dict[str, set[str]] = {}
        for profile in profiles:
            for name in profile.full_names:
                for form in word_forms(name.last):
                    self._bearers.setdefault(form, set()).add(fold(name.first).strip("."))
        self._sorted = {company: sorted(known) for company, known in self._whole.items()}

    def of(self, company: int, handle: str) -> list[Profile]:
        """Returns whose name spells a handle, or begins with a long one that is more than a family name."""
        known, ordered = self._whole.get(company, {}), self._sorted.get(company, [])
        found = list(known.get(handle, ()))
        place = bisect_left(ordered, handle) if len(handle) >= SHORTEST_CUT_LOGIN else len(ordered)
        while place < len(ordered) and ordered[place].startswith(handle):
            found += (one for one in known[ordered[place]] if handle not in one.families)
            place += 1
        return found

    def is_only(self, profile: Profile) -> bool:
        """Says whether nobody else of the archive bears a person's family name, by the first names of all."""
        firsts = sorted({first for form in profile.families for first in self._bearers.get(form, ())})
        return all(
            one[0] == other[0] if min(len(one), len(other)) == 1 else are_short(one, other)
            for one, other in combinations(firsts[:MOST_NAMESAKES], 2)
        )


def _handles(name: PersonName) -> set[str]:
    if not name.last:
        return set()
    german = PersonName(*(german_text(part) for part in name))
    closed = [PersonName(*(part.replace(" ", "").replace("-", "") for part in one)) for one in (name, german)]
    return {handle for one in dict.fromkeys((name, german, *closed)) for handle in handles_of(one, _TELLING)}


def join_by_handle(people: People, by_domain: dict[str, int], own: int) -> None:
    """Joins a login or bare address with the one person of its company whose name it spells."""
    profiles = people.alive()
    nameless = [profile for profile in profiles if not profile.names]
    if not nameless:
        return
    wanted = {company for profile in nameless for company in profile.organizations} | {own}
    spelt = _Spelt([profile for profile in profiles if profile.names], wanted)
    locals_: dict[str, list[Profile]] = {}
    for profile in profiles:
        for address in profile.addresses:
            local, _, domain = address.partition("@")
            if by_domain.get(registrable(domain), -1) == own:
                locals_.setdefault(local, []).append(profile)
    ordered = sorted(locals_)
    for profile in nameless:
        for login in profile.logins:
            same = people.distinct(locals_.get(login.lower(), []) or _cut(login.lower(), ordered, locals_))
            if len(same) == 1:
                people.join(profile, same[0])
        handles = [*profile.logins, *(address.partition("@")[0] for address in profile.addresses)]
        companies = profile.organizations or (frozenset({own}) if profile.logins else frozenset())
        matches: list[Profile] = []
        for handle in handles:
            bare = re.sub(r"\.{2,}", ".", handle.lower().rstrip("0123456789"))
            full = any(char in handle for char in "._")
            for company in sorted(companies or wanted):
                matches += spelt.of(company, bare)
            if full:
                matches += spelt.of(-1, bare)
            elif len(bare) >= SHORTEST_CUT_LOGIN:
                matches += (other for other in spelt.of(-1, bare) if spelt.is_only(other))
        me = people.now(profile)
        found = _with_address([other for other in people.distinct(matches) if other is not me])
        if len(found) == 1 and found[0].addresses and me.addresses and spelt.is_only(found[0]):
            people.doubt(f"{JOINED}: several addresses of one rare name", me, found[0])
            people.join(me, found[0])
            continue
        found = [other for other in found if not (other.addresses and me.addresses)]
        if len(found) == 1:
            people.join(profile, found[0])


def join_by_initials(people: People, own: int) -> None:
    """Joins the initials by which a system knows somebody with the one colleague who has them."""
    profiles = people.alive()
    short = [
        profile
        for profile in profiles
        if profile.logins
        and not (profile.names or profile.addresses)
        and all(map(is_initials, profile.logins))
    ]
    staff: dict[str, list[Profile]] = {}
    for profile in profiles if short else ():
        for name in profile.full_names if own in profile.organizations else ():
            first, middle, last = (fold(part)[:1] for part in name)
            for initials in {first + last, first + middle + last}:
                staff.setdefault(initials, []).append(profile)
    for profile in short:
        found = people.distinct(one for login in profile.logins for one in staff.get(login.lower(), ()))
        if len(found) == 1:
            people.join(profile, found[0])


def is_initials(login: str) -> bool:
    """Says whether a login is two or three capital letters, as people sign with."""
    return 2 <= len(login) <= 3 and login.isascii() and login.isalpha() and login.isupper()


def _with_address(found: list[Profile]) -> list[Profile]:
    """Returns the one who has an address, where all others have the same name and only that."""
    holders = [profile for profile in found if profile.addresses]
    if len(holders) != 1 or not all(
        are_alike(one.names, holders[0].names) >= Likeness.SHORT for one in found
    ):
        return found
    return holders


def _cut(login: str, ordered: list[str], locals_: dict[str, list[Profile]]) -> list[Profile]:
    if len(login) < SHORTEST_CUT_LOGIN:
        return []
    found: list[Profile] = []
    for local in ordered[bisect_left(ordered, login) :]:
        if not local.startswith(login):
            break
        found += locals_[local]
    return found


def join_by_changed_name(people: People, own: int) -> None:
    """Joins a person whose login spells another family name with the colleague of that name.

    The login outlives a marriage: first name, company and login must all agree, and be unique.
    """
    staff = [profile for profile in people.alive() if own in profile.organizations]
    by_first: dict[str, list[Profile]] = {}
    for profile in staff:
        if not profile.logins:
            for first in {fold(name.first) for name in profile.names if name.first}:
                by_first.setdefault(first, []).append(profile)
    for profile in staff:
        for login in profile.logins:
            if not profile.names or any(spells(login, name) for name in profile.names):
                continue
            firsts = sorted({fold(name.first) for name in profile.names})
            near = people.distinct(other for first in firsts for other in by_first.get(first, ()))
            matches = [
                other for other in near
                if other is not people.now(profile) and not other.logins
                and any(fold(name.first) in firsts and spells(login, name) for name in other.names)
            ]  # fmt: skip
            if len(matches) == 1:
                people.join(profile, matches[0])


def spells(handle: str, name: PersonName) -> bool:
    """Says whether a handle is made from a name's family name and more."""
    if not name.last:
        return False
    match = handle_shape(handle, name)
    return match is not None and "{l}" in match.template and match.template != "{l}"


def name_from_handle(local: str) -> PersonName | None:
    """Returns the name that a local part spells: "jane.m.doe" -> Jane M Doe; None where it spells none."""
    parts = [part for part in local.lower().replace("_", ".").split(".") if part]
    if not 2 <= len(parts) <= 3 or not all(part.isalpha() for part in parts) or is_role(local):
        return None
    if len(parts[-1]) < 2 or (len(parts[0]) < 2 and len(parts) == 2):
        return None
    return parse_person(" ".join(part.title() for part in parts))
