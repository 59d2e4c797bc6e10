"""Disjoint sets with deterministic representatives, the ground of entity resolution."""

from __future__ import annotations


class Clusters:
    """Disjoint sets of the integers below a size; a set is named by its smallest member."""

    def __init__(self, size: int) -> None:
        """Every member begins alone."""
        self._parent = list(range(size))

    def find(self, member: int) -> int:
        """Returns the smallest member of the set that holds a member."""
        while self._parent[member] != member:
            self._parent[member] = self._parent[self._parent[member]]
            member = self._parent[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Makes one set of two."""
        low, high = sorted((self.find(one), self.find(other)))
        self._parent[high] = low

    def groups(self) -> list[list[int]]:
        """Returns all sets, members ascending, by smallest member."""
        groups: dict[int, list[int]] = {}
        for member in range(len(self._parent)):
            groups.setdefault(self.find(member), []).append(member)
        return list(groups.values())
