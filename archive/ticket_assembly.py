"""All tickets of an archive together: of one ticket delivered twice the latest state is kept.

Belongs here: what needs every ticket at once. Does not belong here: reading exports (`archive.tickets`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import polars as pl

from archive.parts import Part
from contracts.tables import FIXED_TABLES


class Tickets:
    """The tickets of all ticket sources: equal or older deliveries of a source's ticket are duplicates."""

    def __init__(self, parts: Sequence[tuple[str, Part]]) -> None:
        """Finds which row of each ticket is the latest.

        Args:
            parts: (source name, part) in the order in which rows are stored.
        """
        self._parts = parts
        self.duplicates: Counter[str] = Counter()
        latest: dict[tuple[str, str], tuple[float, int, str]] = {}
        for number, (source, part) in enumerate(parts):
            for frame in part.frames("tickets", ["ticket_id", "ticket_key", "updated_at"]):
                for ticket_id, key, updated in frame.iter_rows():
                    ticket = (source, key or ticket_id)
                    state = (_instant(updated), number, ticket_id)
                    if ticket in latest:
                        self.duplicates[source] += 1
                    if ticket not in latest or state[0] > latest[ticket][0]:
                        latest[ticket] = state
        self._kept: list[set[str]] = [set() for _ in parts]
        for _, number, ticket_id in latest.values():
            self._kept[number].add(ticket_id)

    def tickets(self) -> Iterator[pl.DataFrame]:
        """Yields the table `tickets` in order."""
        yield from self.belongings("tickets")

    def belongings(self, table: str) -> Iterator[pl.DataFrame]:
        """Yields the rows of a table whose ticket is kept."""
        for number, (_, part) in enumerate(self._parts):
            for frame in part.frames(table):
                own = frame.filter(pl.col("ticket_id").is_in(list(self._kept[number])))
                yield own.unique(subset=FIXED_TABLES[table].key, keep="first", maintain_order=True)


def _instant(moment: str | None) -> float:
    """Seconds since 1970 of an ISO time, whatever the offset; a ticket without one is the oldest."""
    try:
        at = datetime.fromisoformat(moment or "")
    except ValueError:
        return float("-inf")
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()
