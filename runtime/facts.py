"""Facts of a company's news in a text: place, figure, month, product.

Who writes two values of one kind has guessed: neither counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from contracts.wording import find_pattern, pattern_of, words_in

MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_PRONOUNS = frozenset("i we you it they he she this that one".split())
_MOST_FIGURES = 4
"""Different figures among which one may be the news': times and dates of a meeting are figures too."""


class NewsFacts:
    """The facts of all news of one world, by kind: the place in each company's list."""

    def __init__(self, lists: Iterable[list[str]]) -> None:
        self._kinds: list[dict[str, None]] = []
        for facts in lists:
            for kind, fact in enumerate(facts):
                if kind == len(self._kinds):
                    self._kinds.append({})
                self._kinds[kind][fact] = None

    def told(self, text: str, facts: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the facts of one company's news that a text tells, one value of each kind."""
        words = words_in(text)
        words = tuple(
            "" if word == "may" and words[at + 1 : at + 2] and words[at + 1] in _PRONOUNS else word
            for at, word in enumerate(words)
        )
        return tuple(
            fact
            for kind, fact in enumerate(facts)
            if _tells(words, fact) and self._is_sole(words, kind, fact)
        )

    def _is_sole(self, words: tuple[str, ...], kind: int, fact: str) -> bool:
        if any(char.isdigit() for char in fact):
            priced = not fact.isdigit()
            figures = {word for word in words if word[-1:].isdigit() or word[:1].isdigit()}
            return len({one for one in figures if one.isdigit() is not priced}) <= _MOST_FIGURES
        same = MONTHS if fact in MONTHS else self._kinds[kind] if kind < len(self._kinds) else {}
        return not any(other != fact and _tells(words, other) for other in same)


def _tells(words: tuple[str, ...], fact: str) -> bool:
    return bool(find_pattern(words, pattern_of(fact)))
