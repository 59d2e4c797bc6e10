"""Outputs opened and searched: what a file's bytes hold, each file's content read once.

Belongs here: pieces of files with the real forms in them, finds that tell nothing alone. Does not belong
here: whether a find is a leak (`output_scan`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from anonymize.output_files import Piece, Unread, pieces
from anonymize.output_forms import Form
from anonymize.output_search import FormSearch
from anonymize.output_views import AS_WRITTEN, LONGEST, OPAQUE, PART, views

SHORTEST_PHONE = 9
"""Digits of a phone number that is no date and no counter besides."""


class Find(NamedTuple):
    """A real form in a piece of an output."""

    form: str
    kind: str
    part: int
    """Number of the part of the piece, or of the encoded texts in it."""
    encoding: str


class Searched(NamedTuple):
    """One piece of an output after the search."""

    place: str
    values: int
    """Distinct values, or texts, that were searched."""
    unread: str
    """Why it was not read whole; empty where it was."""
    piece: Piece | None
    """What was searched, where anything was found."""
    finds: tuple[Find, ...]

    def told(self, find: Find) -> str:
        """Returns where a find stands."""
        if self.piece is None or find.encoding != AS_WRITTEN:
            return self.place
        return self.piece.told(find.part)


class OutputSearch:
    """The search for all forms of one registry in any output."""

    def __init__(self, forms: Mapping[str, Form]) -> None:
        """Builds the automaton once."""
        self.forms = forms
        self.texts = FormSearch(forms)
        self._known: dict[bytes, list[Searched]] = {}

    def file(self, data: bytes) -> list[Searched]:
        """Returns all pieces of a file; equal files are searched once."""
        digest = hashlib.sha256(data).digest()
        if digest not in self._known:
            self._known[digest] = self.pieces(pieces(data))
        return self._known[digest]

    def pieces(self, found: Iterable[Piece | Unread]) -> list[Searched]:
        """Returns pieces with what stands in them; the text of a piece without finds is let go."""
        searched = []
        for one in found:
            if isinstance(one, Unread):
                searched.append(Searched(one.place, 0, one.reason, None, ()))
                continue
            finds = self.text(one.text)
            unread = "is longer than what is searched" if len(one.text) > LONGEST else ""
            values = 1 + one.text.count(PART) if one.unit else 1
            searched.append(Searched(one.place, values, unread, one if finds else None, finds))
        return searched

    def text(self, text: str) -> tuple[Find, ...]:
        """Returns what stands in a text or its decoded views, which repeat what was not encoded as well."""
        written: set[str] = set()
        found: dict[Find, None] = {}
        for view in views(text):
            for find in self.texts.finds(view.text):
                if view.encoding == AS_WRITTEN:
                    written.add(find.form)
                elif find.form in written and not view.encoding.endswith(OPAQUE):
                    continue
                found[Find(find.form, find.kind, find.part, view.encoding)] = None
        return tuple(found)

    def tells_nothing(self, find: Find) -> bool:
        """Says whether a find is an everyday word or a short number, which is judged in its own columns."""
        short = find.kind == "phone" and len(find.form) < SHORTEST_PHONE
        return short or self.forms[find.form].is_ordinary

    def tells(self, name: str) -> bool:
        """Says whether a real form stands in a name of a file or folder."""
        return any(not self.forms[find.form].is_ordinary for find in self.text(name))
