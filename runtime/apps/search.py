"""What people type into a search field, and whether a mail is what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from contracts.world import Mail, Party

_TERM = re.compile(r'(?:(from|to|subject|filename|has|in|is):)?(?:"([^"]*)"|(\S+))', re.IGNORECASE)


class Term(NamedTuple):
    """A word or quoted phrase, and the part of a mail that it is looked for in."""

    part: str
    text: str


class Search(NamedTuple):
    """A mail search: all its terms must hold."""

    terms: tuple[Term, ...]

    @classmethod
    def of(cls, query: str) -> Search:
        """Returns the search that "from:ann invoice "two times"" asks for."""
        found = _TERM.findall(query.casefold())
        return cls(tuple(Term(part, phrase or word) for part, phrase, word in found if phrase or word))

    def finds(self, mail: Mail, unread: bool) -> bool:
        """Tells whether every term holds for a mail."""
        parts = {
            "from": _names([mail.sender]),
            "to": _names([*mail.to, *mail.cc]),
            "subject": mail.subject.casefold(),
            "in": mail.folder,
            "is": "unread" if unread else "read",
            "has": "attachment" if mail.attachments else "",
            "filename": " ".join(file.name for file in mail.attachments).casefold(),
        }
        told = (parts[name] for name in ("from", "to", "subject", "filename"))
        anywhere = " ".join([*told, mail.body.casefold()])
        return all(
            term.text == parts[term.part]
            if term.part in ("has", "in", "is")
            else term.text in parts.get(term.part, anywhere)
            for term in self.terms
        )


def has_words(text: str, query: str) -> bool:
    """Tells whether every word of a query stands in a text."""
    folded = text.casefold()
    return all(word in folded for word in query.casefold().split())


def _names(parties: Iterable[Party]) -> str:
    return " ".join(f"{party.name} {party.address}" for party in parties).casefold()
