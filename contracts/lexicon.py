"""Many declared wordings at once: where each stands among words, looked up by the first word of its forms.

Belongs here: slots, forms and groups of wordings (`contracts.wording.pattern_of` tells how they are written)
and their places. Whether a place asserts anything is for those who ask.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from contracts.wording import Span, words_in

_SLOT = re.compile(r"\{([\w ]+)\}")
_GAP = 3
"""Words for which "*" may stand."""
_MOST_PLACES = 12
"""Places of one group that are looked at: a text of one word repeated costs no time."""
_MOST_JOINED = 96

Form = tuple[str, ...]
Groups = dict[int, list[Span]]
"""Where groups stand, by their number."""


def _itself(word: str) -> tuple[str, ...]:
    return (word,)


class Lexicon:
    """Wordings made ready; groups that several of them share are looked for once."""

    def __init__(
        self,
        wordings: Iterable[str],
        slots: Mapping[str, Sequence[str]] | None = None,
        words_of: Callable[[str], tuple[str, ...]] = words_in,
        stands_for: Callable[[str], tuple[str, ...]] = _itself,
    ) -> None:
        """Makes them ready.

        Args:
            wordings: groups parted by " + ", each of forms parted by "|"; "{slot}" in a form stands for each
                form of that slot, "*" for up to three words.
            slots: forms by the name of their slot; a form may have slots, but never its own.
            words_of: the words of a part of a form.
            stands_for: the words of forms that a word of a text may stand for.
        """
        self._stands_for = stands_for
        numbers: dict[str, int] = {}
        self._wordings = [
            tuple(numbers.setdefault(group, len(numbers)) for group in wording.split(" + "))
            for wording in wordings
        ]
        known = _Slots(slots or {}, words_of)
        self._by_word: dict[str, list[tuple[Form, int]]] = {}
        for group, number in numbers.items():
            forms = (form for text in group.split("|") for form in known.forms(text))
            for form in dict.fromkeys(forms):
                self._by_word.setdefault(form[0], []).append((form, number))
        # A wording is looked at where its rarest group stands.
        size = Counter(number for held in self._by_word.values() for _, number in held)
        self._led: dict[int, list[int]] = {}
        for place, wording in enumerate(self._wordings):
            self._led.setdefault(min(wording, key=lambda number: (size[number], number)), []).append(place)

    def groups(self, words: Sequence[str]) -> Groups:
        """Returns where the groups stand among words."""
        heard = [self._stands_for(word) for word in words]
        found: Groups = {}
        for at, keys in enumerate(heard):
            for key in keys:
                for form, number in self._by_word.get(key, ()):
                    taken = _match(heard, at, form)
                    if taken:
                        span = Span(at, taken[-1] + 1, frozenset(taken))
                        found.setdefault(number, []).append(span)
        return found

    def spans(self, groups: Groups, longest: int) -> Iterator[tuple[int, Span]]:
        """Yields the wordings of which all groups stand within so many words, each with a place.

        Groups stand in any order and share no word.
        """
        for place in sorted(place for number in groups for place in self._led.get(number, ())):
            wording = self._wordings[place]
            if all(number in groups for number in wording):
                held = groups[wording[0]]
                for number in wording[1:]:
                    held = list(itertools.islice(_joined(held, groups[number], longest), _MOST_JOINED))
                for span in held:
                    if span.end - span.start <= longest:
                        yield place, span


def _joined(left: list[Span], right: list[Span], longest: int) -> Iterator[Span]:
    for one, other in itertools.product(left[:_MOST_JOINED], right[:_MOST_PLACES]):
        start, end = min(one.start, other.start), max(one.end, other.end)
        if end - start <= longest and not one.taken & other.taken:
            yield Span(start, end, one.taken | other.taken)


def moved(groups: Groups, by: int) -> Groups:
    """Returns groups as they stand so many words later."""
    return {
        number: [
            Span(span.start + by, span.end + by, frozenset(at + by for at in span.taken)) for span in spans
        ]
        for number, spans in groups.items()
    }


class _Slots:
    """The forms of slots, whatever order they are declared in."""

    def __init__(
        self, texts: Mapping[str, Sequence[str]], words_of: Callable[[str], tuple[str, ...]]
    ) -> None:
        self._texts = texts
        self._words_of = words_of
        self._known: dict[str, list[Form]] = {}

    def forms(self, text: str) -> Iterator[Form]:
        """Yields the forms that a text stands for."""
        parts = _SLOT.split(text)
        choices = [
            self._slot(part) if place % 2 else [self._form(part)]
            for place, part in enumerate(parts)
            if part.strip()
        ]
        for chosen in itertools.product(*choices):
            form = tuple(word for part in chosen for word in part)
            if form:
                yield form

    def _slot(self, name: str) -> list[Form]:
        if name not in self._known:
            self._known[name] = [form for text in self._texts[name] for form in self.forms(text)]
        return self._known[name]

    def _form(self, text: str) -> Form:
        held = [self._words_of(part) for part in text.split("*")]
        return held[0] + tuple(word for part in held[1:] for word in ("*", *part))


def _match(heard: Sequence[tuple[str, ...]], at: int, form: Form) -> list[int]:
    """Returns the indexes of the words of a form that begins at an index; none where it does not."""
    if form[0] not in heard[at]:
        return []
    rest = form[1:]
    gap = bool(rest) and rest[0] == "*"
    if len(rest) == gap:
        return [at]
    for following in range(at + 1, min(at + 2 + gap * _GAP, len(heard))):
        if found := _match(heard, following, rest[gap:]):
            return [at, *found]
    return []
