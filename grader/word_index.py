"""Declared wordings that are looked up by all their words: most clauses have those of none of them.

Belongs here: leaving out what cannot stand among words. Where the rest stands tells `contracts.lexicon`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import NamedTuple

from contracts.lexicon import Form, Groups, Lexicon


class _Place(NamedTuple):
    """A form in the lists of forms by their first words."""

    first: str
    at: int
    group: int
    others: frozenset[str]
    """The words that it needs beside the first."""


_Needed = dict[str, list[_Place]]
"""Words -> the forms that have no rarer one."""


class WordIndex(Lexicon):
    """Wordings, of which only those are looked for whose words are all there."""

    def groups(self, words: Sequence[str]) -> Groups:
        """Returns where groups stand among words, without those of wordings that stand nowhere."""
        narrowed = self._narrowed(_heard(self._stands_for, tuple(words)))
        if not narrowed:
            return {}
        likely = copy(self)
        likely._by_word = narrowed
        return Lexicon.groups(likely, words)

    def _narrowed(self, heard: frozenset[str]) -> dict[str, list[tuple[Form, int]]]:
        """Returns the forms of wordings of which all words are heard, in the order that they have."""
        leading, following = self._needed
        found = _there(leading, heard)
        if not found:
            return {}
        found += _there(following, heard)
        there = {place.group for place in found}
        wanted = {
            group
            for lead in there
            for wording in self._leads.get(lead, ())
            if there.issuperset(wording)
            for group in wording
        }
        narrowed: dict[str, list[tuple[Form, int]]] = {}
        for place in sorted(place for place in found if place.group in wanted):
            narrowed.setdefault(place.first, []).append(self._by_word[place.first][place.at])
        return narrowed

    @cached_property
    def _leads(self) -> dict[int, list[tuple[int, ...]]]:
        """Groups -> the wordings that have none of rarer words: what "we" leads to is seldom there."""
        size, words = self._size, dict[int, int]()
        for forms in self._by_word.values():
            for form, group in forms:
                words[group] = max(words.get(group, 0), min(size[word] for word in form if word != "*"))
        found: dict[int, list[tuple[int, ...]]] = {}
        for wording in dict.fromkeys(self._wordings):
            # A group without a form stands nowhere.
            if all(group in words for group in wording):
                found.setdefault(min(wording, key=lambda group: (words[group], group)), []).append(wording)
        return found

    @cached_property
    def _size(self) -> Counter[str]:
        """Words -> the groups that have them."""
        having: dict[str, set[int]] = {}
        for forms in self._by_word.values():
            for form, group in forms:
                for word in form:
                    having.setdefault(word, set()).add(group)
        return Counter({word: len(groups) for word, groups in having.items()})

    @cached_property
    def _needed(self) -> tuple[_Needed, _Needed]:
        """The forms of groups that lead a wording, without which it stands nowhere, and the others."""
        size = self._size
        found: tuple[_Needed, _Needed] = {}, {}
        for first, forms in self._by_word.items():
            for at, (form, group) in enumerate(forms):
                words = dict.fromkeys(word for word in form if word != "*")
                rarest = min(words, key=lambda word: (size[word], -len(word)))
                others = frozenset(word for word in words if word != first)
                side = found[group not in self._leads]
                side.setdefault(rarest, []).append(_Place(first, at, group, others))
        return found


def _there(needed: _Needed, heard: frozenset[str]) -> list[_Place]:
    return [
        place
        for word in needed.keys() & heard
        for place in needed[word]
        if place.first in heard and place.others <= heard
    ]


@lru_cache(maxsize=64)
def _heard(stands_for: Callable[[str], tuple[str, ...]], words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key for word in words for key in stands_for(word))
