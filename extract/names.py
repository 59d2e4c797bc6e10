"""Company names in text: exact words of the name, its legal form left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from contracts.names import name_tokens

_LEGAL_FORMS = frozenset(
    [
        "inc",
        "llc",
        "ltd",
        "limited",
        "gmbh",
        "ag",
        "kg",
        "co",
        "company",
        "corp",
        "corporation",
        "plc",
        "lp",
        "llp",
        "sa",
        "sarl",
        "bv",
        "nv",
        "se",
        "ug",
        "ohg",
        "ev",
        "mbh",
    ]
)


def bare_name(name: str) -> tuple[str, ...]:
    """Returns the words of a company's name without its legal form."""
    tokens = list(name_tokens(name))
    while len(tokens) > 1 and tokens[-1] in _LEGAL_FORMS:
        tokens.pop()
    return tuple(tokens)


class NameFinder:
    """Finds which of many companies a text names by at least two words, or by its only word."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Indexes pairs of a company's name and its object id."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for name, object_id in names:
            words = bare_name(name)
            if words and len("".join(words)) > 3:
                self._by_first[words[0]].append((words, object_id))

    def found(self, text: str) -> set[str]:
        """Returns the ids of the companies that a text names; a longer name hides the shorter inside it."""
        tokens = name_tokens(text)
        found: set[str] = set()
        position = 0
        while position < len(tokens):
            fits = [
                (words, object_id)
                for words, object_id in self._by_first.get(tokens[position], [])
                if tokens[position : position + len(words)] == words
            ]
            longest = max((len(words) for words, _ in fits), default=0)
            found.update(object_id for words, object_id in fits if len(words) == longest)
            position += longest or 1
        return found
