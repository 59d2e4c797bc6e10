"""Groups of ids that belong together, whose representative is the smallest id."""

from __future__ import annotations


class Unions:
    """A disjoint-set forest over text ids; the result does not depend on the order of joins."""

    def __init__(self) -> None:
        """Starts with every id alone."""
        self._parents: dict[str, str] = {}

    def root(self, item: str) -> str:
        """Returns the representative of an id's group."""
        path = []
        while (parent := self._parents.get(item, item)) != item:
            path.append(item)
            item = parent
        for step in path:
            self._parents[step] = item
        return item

    def join(self, one: str, other: str) -> str:
        """Puts two ids in one group and returns its representative."""
        first, second = sorted((self.root(one), self.root(other)))
        if first != second:
            self._parents[second] = first
        return first
