"""Many declared wordings at once: where each stands among words, looked up by the words of its forms.

Belongs here: slots, forms and groups of wordings (`contracts.wording.pattern_of` tells how they are written)
and their places. Whether a place asserts anything is for those who ask.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from contracts.wording import EMPTY, Span, words_in

_SLOT = re.compile(r"\{([\w ]+)\}")
_GAP = 3
"""Words for which "*" may stand."""
_MOST_PLACES = 12
"""Places of one group that are looked at: a text of one word repeated costs no time."""
_MOST_JOINED = 96
_EVERYDAY = EMPTY | frozenset(
    "we our us you your i it this that these there what have has will would could can may if or not no as "
    "so about before after when how all any one two your they their be like work works help helps time "
    "times week day days month month year minutes meet meeting call team teams company companies finance "
    "invoice invoices payment payments pay fee fees late supplier suppliers software ledgerline news "
    "name 30 15 20 hello best regards back".split()
)
"""Words that stand in most mails: wordings are looked up by their others."""

Form = tuple[str, ...]
Groups = dict[int, list[Span]]
"""Where groups stand, by their number."""


_ByWord = dict[str, list[tuple[Form, int]]]
"""First words -> the forms that begin with them, each with the number of its group."""


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
        self._by_word: _ByWord = {}
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
        return _groups([self._stands_for(word) for word in words], self._by_word)

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        """Returns all words of forms that words may stand for."""
        return frozenset(key for word in words for key in self._stands_for(word))

    def may_stand(self, heard: frozenset[str]) -> bool:
        """Says whether some wording has all its words among those heard, in whatever order."""
        return any(self._complete(heard))

    def wordings(self, words: Sequence[str], longest: int) -> list[tuple[int, Span]]:
        """Returns what `spans` does of the groups among words; looks for likely wordings only."""
        heard = self.heard(words)
        wanted = {group for wording in self._complete(heard) for group in wording}
        if not wanted:
            return []
        likely = {
            word: [(form, group) for form, group in self._by_word[word] if group in wanted]
            for word in self._by_word.keys() & heard
        }
        return list(self.spans(_groups([self._stands_for(word) for word in words], likely), longest))

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

    def _complete(self, heard: frozenset[str]) -> Iterator[tuple[int, ...]]:
        """Yields the wordings of which each group has a form with all its words among those heard."""
        leads = {
            group
            for word in self._least.keys() & heard
            for group, others in self._least[word]
            if others <= heard
        }
        for lead in leads:
            for wording in self._leads.get(lead, ()):
                if all(group in leads or self._may_hold(group, heard) for group in wording):
                    yield wording

    def _may_hold(self, group: int, heard: frozenset[str]) -> bool:
        singles, others = self._enough[group]
        return not singles.isdisjoint(heard) or any(words <= heard for words in others)

    @cached_property
    def _enough(self) -> dict[int, tuple[frozenset[str], list[frozenset[str]]]]:
        """Groups -> the words of which one is enough for them, and the least sets of several that are."""
        forms = {(group, frozenset(form) - {"*"}) for held in self._by_word.values() for form, group in held}
        least: dict[int, list[frozenset[str]]] = {}
        for group, words in sorted(forms, key=lambda one: (one[0], len(one[1]), sorted(one[1]))):
            known = least.setdefault(group, [])
            if not any(other <= words for other in known):
                known.append(words)
        return {
            group: (
                frozenset[str]().union(*(words for words in sets if len(words) == 1)),
                [words for words in sets if len(words) > 1],
            )
            for group, sets in least.items()
        }

    @cached_property
    def _least(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        """Words -> the groups that lead wordings and have none rarer, with the others that are enough."""
        found: dict[str, list[tuple[int, frozenset[str]]]] = {}
        for group, (singles, sets) in self._enough.items():
            for words in (*(frozenset({word}) for word in sorted(singles)), *sets):
                rarest = min(words, key=lambda word: (self._size[word], -len(word), word))
                if group in self._leads:
                    found.setdefault(rarest, []).append((group, words - {rarest}))
        return found

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
        """Words -> the groups that have them; those that stand in most mails count as many."""
        having: dict[str, set[int]] = {}
        for forms in self._by_word.values():
            for form, group in forms:
                for word in form:
                    having.setdefault(word, set()).add(group)
        often = len(self._wordings)
        return Counter({word: len(groups) + often * (word in _EVERYDAY) for word, groups in having.items()})


def _groups(heard: Sequence[tuple[str, ...]], by_word: _ByWord) -> Groups:
    found: Groups = {}
    for at, keys in enumerate(heard):
        for key in keys:
            for form, number in by_word.get(key, ()):
                taken = _match(heard, at, form)
                if taken:
                    found.setdefault(number, []).append(Span(at, taken[-1] + 1, frozenset(taken)))
    return found


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
