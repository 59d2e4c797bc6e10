"""Finding one person of a registry by what somebody calls them: real or surrogate, name, address or login.

Belongs here: the search, the marks of a person and what the vault drops. Does not belong here: tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from anonymize.assignments import Assignments
from anonymize.erasure import raw_phones, raw_values
from anonymize.errors import AccessRefused
from anonymize.keys import DatasetKey
from anonymize.phones import is_international, national_part, number_key
from anonymize.registry import Person, Registry
from anonymize.surrogates import Surrogates
from anonymize.tombstones import Tombstones
from archive.store import TableStore
from contracts.names import fold

_ASSIGNED = ("streets", "cities", "phones", "domains")


def find_person(surrogates: Surrogates, text: str) -> int:
    """Returns the place of the one person that a name, address or login means, real or surrogate.

    Raises:
        AccessRefused: it means nobody, or several; the text is not repeated.
    """
    wanted = fold(text)
    found = set()
    for index, person in enumerate(surrogates.registry.persons):
        forms = [*person.addresses, *person.logins, surrogates.persons[index].name.full]
        forms += [surrogates.address(address) for address in person.addresses]
        forms += [surrogates.login(login) for login in person.logins]
        for name in person.names:
            forms += [name.full, f"{name.last}, {name.first}", surrogates.variant(index, name).full]
        if wanted and wanted in map(fold, forms):
            found.add(index)
    if len(found) > 1:
        raise AccessRefused(
            f"{len(found)} persons are called so: give a mail address or login instead, or, for who has "
            "none, the full name that stands for this one in the clean tables"
        )
    if not found:
        raise AccessRefused("nobody in the registry is called so: give a full name, mail address or login")
    return found.pop()


def marks_of(person: Person, registry: Registry, key: DatasetKey, raw: TableStore) -> frozenset[str]:
    """Returns the marks by which a person is recognised from now on, values of their own rows included.

    A number that stands in rows of others too, as a switchboard's does, in whatever spelling, is not theirs.
    """
    stones = Tombstones(key.derive("tombstones"))
    marks = stones.of_person(person, registry, ())
    known, specs = Tombstones(key.derive("tombstones"), marks), raw.column_specs()
    cells = raw_phones(raw, specs, known)
    mine = own_numbers(
        {cell for own, _ in cells.values() for cell in own},
        {cell for _, other in cells.values() for cell in other},
    )
    return stones.of_person(person, registry, mine) | known.of_values(raw_values(raw, specs, known))


def own_numbers(mine: Iterable[str], others: Iterable[str]) -> set[str]:
    """Returns the keys of numbers in cells of a person that no cell of others has.

    Where a cell has no country, it is any number with these national digits, and its key comes without a
    country as well.
    """
    told, untold = _numbers(others)
    national = set(map(national_part, untold))
    own, open_ones = _numbers(mine)
    own = {one for one in own if one not in told and national_part(one) not in national}
    taken = national | set(map(national_part, told))
    open_ones = {one for one in open_ones if national_part(one) not in taken}
    return own | open_ones | set(map(national_part, open_ones))


def without_gone(kept: Assignments, before: Registry, after: Registry) -> Assignments:
    """Returns assignments without the companies, places and numbers that only the former registry had."""
    companies = {anchor for company in after.companies for anchor in company.anchors}
    lost = {anchor for company in before.companies for anchor in company.anchors} - companies
    changes = {
        "streets": set(before.streets) - set(after.streets),
        "cities": set(before.cities) - set(after.cities),
        "phones": set(before.phones) - set(after.phones),
        "domains": before.company_by_domain.keys() - after.company_by_domain.keys(),
    }
    parts = {
        name: {real: new for real, new in getattr(kept, name).items() if real not in changes[name]}
        for name in _ASSIGNED
    }
    return replace(
        kept,
        companies={anchor: core for anchor, core in kept.companies.items() if anchor not in lost},
        **parts,
    )


def _numbers(cells: Iterable[str]) -> tuple[set[str], set[str]]:
    """Returns keys of numbers that are written with their country, and of those without."""
    told, untold = set[str](), set[str]()
    for cell in cells:
        number = number_key(cell)
        if number is not None:
            (told if is_international(cell) else untold).add(number)
    return told, untold
