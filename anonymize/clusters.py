"""Disjoint sets with deterministic representatives, the ground of entity resolution."""

from __future__ import annotations


class Clusters:
    """Disjoint sets of the integers below a size; a set is named by its smallest member."""

    def __init__(self, size: int) -> None:
        """Every member begins alone."""
        self._parent = list(range(size))
        self._apart: dict[int, set[int]] = {}

    def find(self, member: int) -> int:
        """Returns the smallest member of the set that holds a member."""
        while self._parent[member] != member:
            self._parent[member] = self._parent[self._parent[member]]
            member = self._parent[member]
        return member

    def forbid(self, one: int, other: int) -> bool:
        """Keeps two sets apart from now on; False where they are one set already."""
        a, b = self.find(one), self.find(other)
        if a == b:
            return False
        self._apart.setdefault(a, set()).add(b)
        self._apart.setdefault(b, set()).add(a)
        return True

    def is_forbidden(self, one: int, other: int) -> bool:
        """Says whether the sets of two members must stay apart."""
        return bool(self._apart) and self.find(other) in self._apart.get(self.find(one), ())

    def join(self, one: int, other: int) -> bool:
        """Makes one set of two; False where they must stay apart."""
        low, high = sorted((self.find(one), self.find(other)))
        if low == high:
            return True
        if self._apart:
            if high in self._apart.get(low, ()):
                return False
            for enemy in self._apart.pop(high, set()):
                self._apart[enemy].discard(high)
                self._apart[enemy].add(low)
                self._apart.setdefault(low, set()).add(enemy)
        self._parent[high] = low
        return True

    def groups(self) -> list[list[int]]:
        """Returns all sets, members ascending, by smallest member."""
        groups: dict[int, list[int]] = {}
        for member in range(len(self._parent)):
            groups.setdefault(self.find(member), []).append(member)
        return list(groups.values())
