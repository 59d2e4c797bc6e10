"""What a fitted model sees of a mail: stems by sentence, with marks for what differs from world to world.

The names of the reader, of their company and of others, the facts of the reader's news, months and figures
are marks, so that what was learned of one world holds for all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.wording import is_question, sentences_in, words_in
from contracts.world import Buyer
from runtime.statements import is_real
from runtime.stems import stem

OWN, OTHER, PLACE, MONTH, PRODUCT, AMOUNT, NUMBER = (
    "=company", "=other", "=place", "=month", "=product", "=amount", "#",
)  # fmt: skip
_GREETING = frozenset(
    "dear hi hello hey hiya howdy greetings respected mr mrs ms dr sir madam regards cheers sincerely "
    "best kind warm warmly yours".split()
)
"""Words of politeness: how a mail greets and ends tells nothing of what it asserts."""
_FACTS = {0: PLACE, 1: AMOUNT, 3: MONTH, 4: PRODUCT}
"""Marks for the facts of a news item, by their place in its list."""
_DASH = re.compile(r"(?:^|\s)[–—-]\s")
"""Parts like a new sentence, as at the start of a wrapped line it does."""
_SURELY_READ = 12
"""Words up to which any sentence is read."""
_AMBIGUOUS = frozenset({"may"})
"""Facts that are words of another kind as well."""


class Sentence(NamedTuple):
    """A sentence as the models see it."""

    stems: tuple[str, ...]
    asks: bool


class Marks:
    """The marks for one reader."""

    def __init__(self, buyer: Buyer, companies: Mapping[str, Sequence[str]]) -> None:
        self._first: dict[str, str] = {}
        self._behind: dict[str, set[str]] = {}
        for account, names in companies.items():
            if account != buyer.account_id:
                self._company(names, OTHER)
        self._company(companies[buyer.account_id], OWN)
        for kind, fact in enumerate(buyer.news_facts):
            if kind in _FACTS and fact not in _AMBIGUOUS:
                self._name(fact, _FACTS[kind])
        self._silent = _GREETING.union(words_in(buyer.party.name))

    def _company(self, names: Sequence[str], mark: str) -> None:
        for name in names:
            self._name(name, mark)

    def _name(self, name: str, mark: str) -> None:
        first, *behind = words_in(name) or ("",)
        self._first[first] = mark
        for word in behind:
            self._behind.setdefault(word, set()).add(mark)

    def sentences(self, text: str) -> list[Sentence]:
        """Returns the sentences of a text that have words."""
        return [
            Sentence(tuple(stems), is_question(part))
            for sentence in sentences_in(text)
            for part in _DASH.split(sentence)
            if not _is_heap(words_in(part)) and (stems := self._stems(words_in(part)))
        ]

    def _stems(self, words: tuple[str, ...]) -> list[str]:
        found: list[str] = []
        for word in words:
            bare = word.removesuffix("'s").strip("'")
            if bare in self._silent:
                continue
            if bare in self._first:
                one = self._first[bare]
            elif found and found[-1] in self._behind.get(bare, ()):
                continue
            elif any(map(str.isdigit, bare)):
                one = NUMBER
            else:
                one = stem(word)
            if one and not (found[-1:] == [one] and (one == NUMBER or one.startswith("="))):
                found.append(one)
        return found


def _is_heap(words: tuple[str, ...]) -> bool:
    """Says whether words are too many for a sentence, or too few of them grammar: such tell nothing."""
    return len(words) > _SURELY_READ and not is_real(words)
