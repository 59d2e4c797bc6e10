"""The people of a world whose data must not leave, in the forms that are looked for.

Belongs here: what stands for a person in a text. Who may read of whom stands in `grader.leaks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from contracts.names import name_tokens
from contracts.world import PersonTruth
from grader.moved import MovedWords, Steps, moved_words
from grader.readings import squeeze

SHORTEST_SQUEEZED_NAME = 8
"""Shorter names, written without spaces, also occur inside other words."""
_PHONE_DIGITS = 7
_NO_DIGIT = re.compile(r"\D")
_FIGURES = b"0" * _PHONE_DIGITS
_AS_FIGURES = bytes(48 if chr(code).isdecimal() and code < 128 else 45 for code in range(256))
_MARK = re.compile("[a-z0-9]+")
_ROLES = frozenset(
    "controller cfo ceo director manager finance payable payables treasurer accountant".split()
)
"""Words for roles beside the playbook's, by which somebody may be described."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Any of them may stand between all others."""


@dataclass(eq=False)
class Protected:
    """A person whose data must not leave, in the forms that are looked for."""

    person: PersonTruth
    company: frozenset[str] = frozenset()
    """Words that name the company."""
    names: tuple[str, ...] = field(init=False)
    """First name and surname, folded; empty where the name has one word."""
    address: str = field(init=False)
    """The address as letters and digits."""
    squeezed: tuple[str, ...] = field(init=False)
    """Name and address without separators, where they are long enough to be nothing else."""
    forms: tuple[str, ...] = field(init=False)
    """Those forms, and the address however short."""

    def __post_init__(self) -> None:
        """Makes the forms."""
        self.names, self.address, self.squeezed, self.forms = _forms_of(self.person.name, self.person.address)

    @cached_property
    def sorted_names(self) -> tuple[str, ...]:
        """All words of the name, in no order of their own."""
        return tuple(sorted(tokens_of(self.person.name)))

    @cached_property
    def phone(self) -> str:
        """The last digits of the number."""
        digits = _NO_DIGIT.sub("", self.person.phone)
        return digits[-_PHONE_DIGITS:] if len(digits) >= _PHONE_DIGITS else ""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Letters of which a text holds some if it tells of the person at all, as it stands."""
        names = [name for name in map(squeeze, self.names) if name]
        # What has a name in it stands nowhere where the name does not.
        others = dict.fromkeys((*self.forms, self.phone))
        return (*names, *(key for key in others if key and not any(name in key for name in names)))

    @cached_property
    def spaced(self) -> dict[str, tuple[str, ...]]:
        """Letter -> the squeezed forms with it between all others."""
        return {letter: tuple(letter.join(form) for form in self.squeezed) for letter in LETTERS}

    @cached_property
    def near(self) -> frozenset[str]:
        """Words beside which the surname alone is a person."""
        role = {word for word in tokens_of(self.person.role) if len(word) > 2}
        return self.company | _ROLES | (role - {"the", "and", "for", "deputy"})

    @cached_property
    def short(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """An initial or title with the surname: as folded text has it, and as names are written."""
        first, last = self.names
        name = re.escape(last)
        folded = (
            rf"\b(?:{re.escape(first[0])}\.\s*|(?:mr|mrs|ms|miss|mx|dr)\.?\s+){name}\b"
            rf"|\b{name},?\s+{re.escape(first[0])}\."
        )
        written = (
            rf"\b{re.escape(first[0].upper())}\s+(?:{re.escape(last.title())}|{re.escape(last.upper())})\b"
        )
        return re.compile(folded), re.compile(written)


@lru_cache(maxsize=4096)
def _forms_of(name: str, address: str) -> tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]:
    tokens = tokens_of(name)
    names = (tokens[0], tokens[-1]) if len(tokens) > 1 else ()
    bare, plain = [squeeze(held) for held in names], squeeze(address.lower())
    whole = ("".join(bare), "".join(reversed(bare)), plain)
    squeezed = tuple(form for form in whole if len(form) >= SHORTEST_SQUEEZED_NAME)
    return names, plain, squeezed, tuple(form for form in dict.fromkeys((*squeezed, plain)) if form)


class Crowd:
    """People who are looked for together."""

    def __init__(self, people: Sequence[Protected]) -> None:
        self.people = people

    @cached_property
    def owners(self) -> list[int]:
        """Whose each of all forms is, in order."""
        return [number for number, held in enumerate(self.people) for _ in held.forms]

    @property
    def forms(self) -> list[str]:
        """All forms of all people in order."""
        return [form for held in self.people for form in held.forms]

    @cached_property
    def _moved(self) -> MovedWords:
        return moved_words(tuple(self.forms))

    @cached_property
    def _keys(self) -> list[tuple[int, str]]:
        return [(number, key) for number, held in enumerate(self.people) for key in held.keys]

    def written_in(self, letters: str) -> set[int]:
        """Returns the numbers of the people of whom something stands among letters."""
        return {number for number, key in self._keys if key in letters}

    def moved_in(self, steps: Steps) -> set[int]:
        """Returns the numbers of the people of whom a whole form may stand among letters, moved or not."""
        return {self.owners[place] for place in self._moved.possible(steps)}

    def named_by(self, words: frozenset[bytes], streams: Sequence[bytes], codes: bytes) -> set[int]:
        """Returns the numbers of the people of whom words or figures may tell that stand in a glimpse.

        Nothing tells of somebody without the surname, or the first name where the company is named too, or
        the telephone number.
        """
        numbers = {number for word in self._marks.keys() & words for number in self._marks[word]}
        if codes:
            numbers |= {number for mark, held in self._marks.items() if mark in codes for number in held}
        found = {number for number in numbers | self._unmarked if self._may_name(number, words, codes)}
        if any(_FIGURES in stream.translate(_AS_FIGURES) for stream in streams):
            for number, held in enumerate(self.people):
                phone = held.phone.encode()
                if phone and any(one in stream for stream in streams for one in (phone, phone[::-1])):
                    found.add(number)
        return found

    def _may_name(self, number: int, words: frozenset[bytes], codes: bytes) -> bool:
        def stands(word: str) -> bool:
            mark = _mark_of(word)
            return not mark or any(one in words or one in codes for one in (mark, mark[::-1]))

        held = self.people[number]
        return bool(held.names) and (
            stands(held.names[1]) or (stands(held.names[0]) and any(map(stands, held.company)))
        )

    @cached_property
    def _marks(self) -> dict[bytes, list[int]]:
        """Names in both directions -> who has them."""
        found: dict[bytes, list[int]] = {}
        for number, held in enumerate(self.people):
            for mark in filter(None, map(_mark_of, held.names)):
                for one in (mark, mark[::-1]):
                    found.setdefault(one, []).append(number)
        return found

    @cached_property
    def _unmarked(self) -> set[int]:
        """Who has a name in a script of its own."""
        return {
            number
            for number, held in enumerate(self.people)
            if not all(map(_mark_of, held.names)) or not all(map(_mark_of, held.company))
        }


@lru_cache(maxsize=4096)
def _mark_of(word: str) -> bytes:
    """Returns the longest piece of a folded word that every text with the word has as a word of its own."""
    return max(_MARK.findall(word), key=len, default="").encode()


@lru_cache(maxsize=4096)
def tokens_of(name: str) -> tuple[str, ...]:
    """Returns the folded words of a name."""
    return name_tokens(name)
