"""Clean cells beside raw ones: whether replacement wrote a real form that stands in a clean cell.

Belongs here: the verdict on one find, from the spans of the ledger and from the raw cell. The ledger is not
believed where it does not fit the raw cell, or says nothing. Does not belong here: searching
(`output_search`), counting (`output_scan`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from anonymize.ledger import Cell, Ledger, Span
from anonymize.output_forms import plain_places
from anonymize.output_search import FormSearch
from anonymize.output_views import AS_WRITTEN, OPAQUE, PART, views
from archive.store import TableStore


class Standing(IntEnum):
    """How a real form stands in a clean cell; the graver, the greater."""

    KEPT = 0
    """The policy keeps the cell as it is."""
    MET = 1
    """Replacement wrote it where something else stood."""
    FIXED = 2
    """Replacement wrote an id where that very id stood, as permutations do now and then."""
    LEAK = 3


class _Found(NamedTuple):
    form: str
    kind: str
    start: int
    end: int
    """Where it stands in the text; -1 and -1 where only an encoding shows it."""


class WrittenCells:
    """The cells of clean tables, each with its raw one and with what replacement wrote into it."""

    def __init__(self, raw: TableStore, clean: TableStore, ledger: Ledger, search: FormSearch) -> None:
        """Takes the raw tables in the order of the clean ones; columns are read when a find is judged."""
        self._raw, self._clean, self._ledger, self._search = raw, clean, ledger, search
        self._column = ("", -1)
        self.name = ""
        """Of the column that was opened last."""
        self._cells: dict[str, list[Cell]] = {}
        self._before: list[object] = []

    def texts_with(self, text: str, form: str) -> list[str]:
        """Returns the parts of a text in which a form stands, in whatever encoding."""
        parts = text.split(PART)
        if not self._holds(text, form):
            return []
        if len(parts) == 1:
            return parts
        half = len(parts) // 2
        return [
            found for some in (parts[:half], parts[half:]) for found in self.texts_with(PART.join(some), form)
        ]

    def standings(self, table: str, column: int, text: str, forms: Collection[str]) -> dict[str, Standing]:
        """Returns how forms stand in all cells of one text: the gravest standing of each.

        Args:
            table: the clean table.
            column: its number.
            text: of a cell.
            forms: which are judged; those that do not stand in the text are left out.
        """
        self._open(table, column)
        finds = [find for find in self._finds(text) if find.form in forms]
        gravest: dict[str, Standing] = {}
        for cell in self._cells.get(text, [(-1, -1)]):
            before = self._raw_text(cell)
            for find in finds:
                standing = self._standing(table, cell, text, before, find)
                gravest[find.form] = max(standing, gravest.get(find.form, standing))
        return gravest

    def _open(self, table: str, column: int) -> None:
        """Reads one column of both sides; the last one is held."""
        if self._column == (table, column):
            return
        self._column = (table, column)
        series = self._clean.read(table).to_series(column)
        self.name = series.name
        self._cells = {}
        for row, value in enumerate(series.to_list()):
            for item, text in enumerate(_texts(value)):
                self._cells.setdefault(text, []).append((row, item))
        known = self._raw.has(table) and series.name in self._raw.columns(table)
        self._before = self._raw.read(table, [series.name])[series.name].to_list() if known else []

    def _raw_text(self, cell: Cell) -> str:
        row, item = cell
        texts = list(_texts(self._before[row])) if 0 <= row < len(self._before) else []
        return texts[item] if item < len(texts) else ""

    def _finds(self, text: str) -> list[_Found]:
        places: Sequence[int] | None = None
        found: dict[_Found, None] = {}
        seen: set[str] = set()
        for view in views(text):
            for find in self._search.finds(view.text):
                if view.encoding == AS_WRITTEN:
                    places = plain_places(text) if places is None else places
                    seen.add(find.form)
                    end = places[find.end - 1] + 1
                    found[_Found(find.form, find.kind, places[find.at], end)] = None
                elif find.form not in seen or view.encoding.endswith(OPAQUE):
                    found[_Found(find.form, find.kind, -1, -1)] = None
        return list(found)

    def _standing(self, table: str, cell: Cell, text: str, before: str, find: _Found) -> Standing:
        if cell in self._ledger.kept(table, self.name):
            return Standing.KEPT if text == before else Standing.LEAK
        spans = sorted(self._ledger.spans(table, self.name).get(cell, []))
        if find.start < 0:
            return Standing.MET if spans and not self._holds(before, find.form) else Standing.LEAK
        told = [at for at in range(find.start, find.end) if text[at].isalnum()]
        over = [number for number, (s, e) in enumerate(spans) if s < find.end and find.start < e]
        written = (
            sum(any(s <= at < e for s, e in spans[over[0] : over[-1] + 1]) for at in told) if over else 0
        )
        if not written:
            return Standing.LEAK
        if written < len(told):
            return Standing.LEAK if self._holds(before, find.form) else Standing.MET
        piece = raw_piece(before, text, spans, over[0], over[-1])
        if piece is None:
            return Standing.LEAK
        if not self._holds(piece, find.form):
            return Standing.MET
        return Standing.FIXED if find.kind == "identifier" and len(over) == 1 else Standing.LEAK

    def _holds(self, text: str, form: str) -> bool:
        return any(find.form == form for view in views(text) for find in self._search.finds(view.text))


def _texts(value: object) -> Iterator[str]:
    """Yields the texts of a cell as the search sees them, with the items of a list in their places."""
    for item in value if isinstance(value, list) else [value]:
        yield "" if item is None else str(item).replace(PART, " ")


def raw_piece(raw: str, clean: str, spans: Sequence[Span], first: int, last: int) -> str | None:
    """Returns the longest part of a raw text that some spans of the clean one can stand for.

    What lies between spans must stand in the raw text in the same order, from its first character to its
    last: None where it does not, since the ledger then is of another text.
    """
    cuts = [0, *(place for span in spans for place in span), len(clean)]
    between = [clean[cuts[place] : cuts[place + 1]] for place in range(0, len(cuts), 2)]
    at = begin = len(between[0])
    if not raw.startswith(between[0]) or not raw.endswith(between[-1]):
        return None
    for number, part in enumerate(between[1:-1], 1):
        found = raw.find(part, at)
        if found < 0:
            return None
        at = found + len(part)
        if number == first:
            begin = at
    stop = end = len(raw) - len(between[-1])
    if at > stop:
        return None
    for number in range(len(between) - 2, last, -1):
        stop = raw.rfind(between[number], 0, stop)
        if number == last + 1:
            end = stop
    return raw[begin:end]
