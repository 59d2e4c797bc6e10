"""Which of the names that were assigned before persons keep, after they were split or merged.

Belongs here: who keeps an old name that several claim, and forgetting handles that were made of a name which
their bearer lost. Does not belong here: new names and handles (`surrogates`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anonymize.assignments import Assignments
from anonymize.registry import Person, Registry
from contracts.names import fold


def staying_names(registry: Registry, kept: Assignments, order: Sequence[int]) -> list[list[str] | None]:
    """Returns the old name that each person keeps, None for who needs a new one; no two keep the same.

    Of several that claim one name the one with most records and logins has it, then the first in `order`.
    """
    result: list[list[str] | None] = [None] * len(registry.persons)
    taken: set[str] = set()
    people = registry.persons
    for index in sorted(order, key=lambda at: -len(people[at].records) - len(people[at].logins)):
        claimed = (kept.persons[anchor] for anchor in _claims(registry, index) if anchor in kept.persons)
        free = next((old for old in claimed if _full(old) not in taken), None)
        if free is not None:
            taken.add(_full(free))
            result[index] = free
    return result


def keep_names(registry: Registry, kept: Assignments, names: Sequence[list[str]]) -> None:
    """Stores one name for all anchors of each person; handles that were made of another name go."""
    renamed: set[str] = set()
    lost: set[str] = set()
    for person, parts in zip(registry.persons, names, strict=True):
        other = [anchor for anchor in person.anchors if kept.persons.get(anchor, parts) != parts]
        if other:
            renamed.update(other)
            lost.update(real_handles(person))
        kept.persons.update(dict.fromkeys(person.anchors, parts))
    if renamed:
        _forget_handles(registry, kept, renamed, lost)


def real_handles(person: Person) -> list[str]:
    """Returns what a person is called by at systems: local parts of addresses without tags, logins."""
    locals_ = (address.rpartition("@")[0].partition("+")[0] for address in person.addresses)
    return list(dict.fromkeys([*locals_, *(login.lower() for login in person.logins)]))


def _forget_handles(registry: Registry, kept: Assignments, renamed: set[str], lost: Iterable[str]) -> None:
    """Drops the handles of renamed anchors, and what other anchors know of the handles of who left them."""
    of_others = set(lost)
    owned = {
        f"{anchor}|{real}"
        for person in registry.persons
        for real in real_handles(person)
        if real in of_others
        for anchor in person.anchors
    }
    for handle in list(kept.handles):
        anchor, _, real = handle.rpartition("|")
        if anchor in renamed or (real in of_others and anchor in kept.persons and handle not in owned):
            del kept.handles[handle]


def _claims(registry: Registry, index: int) -> list[str]:
    """Returns a person's anchors, then the name under which an earlier batch may know nobody else."""
    person = registry.persons[index]
    keys = dict.fromkeys(name.key for name in person.names if name.first and name.last)
    alone = [f"name:{key}" for key in keys if registry.by_name.get(key) == (index,)]
    return [*person.anchors, *alone]


def _full(parts: Sequence[str]) -> str:
    return fold(f"{parts[0]} {parts[2]}")
