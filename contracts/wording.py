"""Who says what, how: clauses of a text with their negation, question and condition scope.

Buyers that judge a pitch, gates that judge a promise and extraction that reads a verdict go by the same few
rules and word lists: a clause counts as asserted only if it is neither negated, asked, supposed nor quoted
from others. Patterns are the form in which wordings are declared.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

from contracts.names import fold

NEGATION = frozenset(
    "no not never none nobody nothing neither nor without cannot can't won't don't doesn't didn't isn't "
    "aren't wasn't weren't wouldn't shouldn't couldn't haven't hasn't hadn't cant wont dont doesnt isnt "
    "unable hardly refuse refused instead".split()
)
CONDITION = frozenset("if unless whether suppose supposing imagine hypothetically".split())
SUPPOSED = frozenset("whether suppose supposing imagine hypothetically".split())
"""Openings after which nothing is meant; "if you sign" still promises something."""
QUESTION_START = frozenset(
    "do does did is are was were can could would will should shall may might have has had what when where "
    "who why which how".split()
)
_INVERTED = QUESTION_START - frozenset("what when where who why which how".split())
EMPTY = frozenset("a an the of with in on for by to and at from is are was".split())
"""Words that say nothing by themselves."""
DAYS = frozenset("today tomorrow monday tuesday wednesday thursday friday saturday sunday".split())
AFTER_HOLLOW = frozenset("miss hesitate worry forget wait lose only problem doubt matter".split())
"""What follows a negation that denies nothing: "don't miss", "not only"."""
_DONE = frozenset("miss lose".split())
_ABILITIES = frozenset(
    "avail secure obtain seize catch enjoy benefit cope keep use take collect claim prove agree realise "
    "realize reach earn trace document "
    "explain profit book enter post handle manage process pay settle say tell show reconcile answer match "
    "account evidence demonstrate justify remember".split()
)
"""What somebody ought to be able to."""
_HOLLOW_BEFORE = frozenset("no not don't dont".split())

_SPEAKERS = frozenset(
    "other others everybody everyone anybody someone somebody people salesman salespeople seller sellers "
    "competitor competitors vendor vendors mails most many".split()
)
_SPEECH = frozenset(
    "write writes wrote say says said tell tells told hear heard send sends sent begin begins start starts "
    "call calls claim claims line sentence phrase".split()
)
_SELF = frozenset("i i'm i'll i've i'd we we're we'll we've we'd my our us your".split())
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\d)[^.!?\n]*)*[.!?]*\n*")
_HYPHEN = re.compile(r"\w-$")
"""How a line ends that was cut within a word."""
_ITEM = re.compile(r"(?:[-*•–>]|\d{1,2}[.)])\s")
"""How a line begins that is an item of a list or a quoted one."""
_CLAUSE = re.compile(
    r"[,;:]\s+(?:but|however|and|so|yet|though|while|whereas)\s+|;\s+|\s+(?:but|however)\s+|\s[–—-]\s"
)
_WORD = re.compile(r"[a-z0-9%$€£']+")
_QUOTED = re.compile(r"“[^”\n]{3,300}”|\"[^\"\n]{3,300}\"")
_HOLLOW = (
    re.compile(
        r"\b(?:not only|no doubt|no wonder|no surprise|not alone|no longer a secret|why not"
        r"|why don't (?:we|you)|don't hesitate|do not hesitate|not least|no small|no matter)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bfor nothing\b|\bas good as none\b", re.IGNORECASE),
    re.compile(r"\b(?:need not|needn't)(?= have\b)|\bmust not be(?=[.!?,;]|$)", re.IGNORECASE),
    re.compile(r"\bno (?=(?:fun|joy|small thing|blame|laughing matter|pleasure|news)\b)", re.IGNORECASE),
)
_HARDLY_EASY = re.compile(
    r"\b(?:cannot|can't|can not) (?:(?:be|have been) (?:easy|fun|pleasant|cheap|nice|good|funny)"
    r"|have enjoyed)\b",
    re.IGNORECASE,
)
_DEPLORED = re.compile(
    r"\b(?:nobody|no one|no team|none of \w+)(?: (?:at|in|of|from) \w+(?: [A-Z]\w+)?)?\s+(?=(?:likes?"
    r"|should|wants?|wanted|enjoys?|enjoyed"
    r"|needs?|means?|meant|planned|plans|budgeted|budgets|intended|intends|expected|expects|asked for"
    r"|ordered|chose"
    r"|will (?:have )?(?:enjoy|like)(?:ed)?|(?:ever )?got promoted|signed up|dreams?|dreamt|wished"
    r"|wishes)\b)",
    re.IGNORECASE,
)
_UNABLE = re.compile(
    r"\b(?:nobody|no one|none|no person)((?: (?!can|could|is|was)[\w']+){0,4}?) (?:can|could|(?:is|was"
    r"|were) able to)\b"
    r"(?= (?:\w+ )?(?:prove|say|tell|show|explain|answer|reconcile|evidence|account|cope|keep|match"
    r"|demonstrate)\b)",
    re.IGNORECASE,
)
"""Nobody's ability: complains as "you cannot" does."""
_MISSED = re.compile(
    r"\b(?:did not|didn't|does not|doesn't|do not|don't|could not|couldn't|cannot|can't|not|never)\s+"
    r"(?=(?:catch|caught|notice|noticed|spot|spotted|stop|stopped|prevent|prevented|see|find|detect|avoid"
    r"|afford)\b(?! (?:a single|any|anything|one)\b))",
    re.IGNORECASE,
)
_LEFT_UNDONE = re.compile(
    r"\b(?:nobody|no one)(?: \w+){0,5}? (?:got round|got around|gets round|gets around|managed|bothered"
    r"|had time) to\b",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    r"\b(so that|so(?! there (?:is|are))(?=[^.!?;\n]{0,40}?\b(?:no|never|nothing|nobody|without)\b)"
    r"|mak(?:e|es|ing) sure|ensur(?:e"
    r"|es|ing)|means|mean|until|before)\b([^.!?;\n]{0,40}?)"
    r"\b(?:no|never|nothing|not|nobody|without)\b",
    re.IGNORECASE,
)


_MOST_PLACES = 12
"""Places of one group that are looked at in a clause: a text of one word repeated costs no time."""


class Span(NamedTuple):
    """Where a pattern stands among words."""

    start: int
    end: int
    """Index behind the last word."""
    taken: frozenset[int]
    """Indexes of the words that the pattern itself names."""


class Clause(NamedTuple):
    """A clause with its folded words and the scope it stands in."""

    text: str
    words: tuple[str, ...]
    negated_from: int
    """Index of the first word under negation; the number of words where nothing is negated."""
    question: bool
    conditional: bool

    def asserts(self, first_word: int) -> bool:
        """Says whether a word at an index is stated as a fact: not negated, asked or supposed."""
        return first_word < self.negated_from and not self.question and not self.conditional

    def negates(self, span: Span, since: int = 0) -> bool:
        """Says whether a negation that is no part of the wording itself stands before its end."""
        return any(
            self.words[at] in NEGATION and at not in span.taken and not self._is_hollow(at)
            for at in range(since, span.end)
        )

    def _is_hollow(self, at: int) -> bool:
        if self._is_inability(at) or (self.words[at] == "instead" and self.words[at + 1 : at + 2] != ("of",)):
            return True
        following = self.words[at + 1 : at + 2]
        if self.words[at] not in _HOLLOW_BEFORE or not following or following[0] not in AFTER_HOLLOW:
            return False
        # "Don't miss it" denies nothing, "you did not miss it" does.
        before = self.words[max(0, at - 2) : at]
        return (
            following[0] not in _DONE or before in {(), ("do",), ("please", "do")} or before[-1:] == ("to",)
        )

    def _is_inability(self, at: int) -> bool:
        """Says whether a negation complains: "you cannot cope", "they could not take it"."""
        unable = self.words[at] in {"cannot", "unable"} or self.words[at - 1 : at] in {("could",), ("can",)}
        following = [word for word in self.words[at + 1 : at + 4] if word not in {"to", "longer", "yet"}]
        return unable and bool(following) and following[0] in _ABILITIES


def unwrapped(text: str) -> str:
    """Returns a text with one line a paragraph: a single newline is a space, a list item starts anew."""
    paragraphs: list[list[str]] = [[]]
    for line in text.replace("’", "'").split("\n"):
        words = " ".join(line.split())
        if not words or _ITEM.match(words):
            paragraphs.append([])
        held = paragraphs[-1]
        if held and _HYPHEN.search(held[-1]):
            held[-1] += words
        else:
            held.append(words)
    return "\n\n".join(" ".join(lines).strip() for lines in paragraphs if any(lines))


def sentences_in(text: str) -> list[str]:
    """Returns the sentences of a text with their closing marks; decimal points and wrapped lines end none."""
    return _SENTENCE.findall(unwrapped(text))


def words_in(text: str) -> tuple[str, ...]:
    """Returns the folded words of a text, figures and signs of money included."""
    return tuple(_WORD.findall(fold(text.replace("’", "'"))))


def is_question(sentence: str) -> bool:
    """Says whether a sentence ends as a question."""
    return sentence.rstrip().endswith("?")


def clauses_in(text: str) -> list[Clause]:
    """Returns the clauses of a text in order; quotation marks and line starts make no difference."""
    found = []
    for sentence in sentences_in(text):
        asked = is_question(sentence)
        for part in _CLAUSE.split(sentence):
            words = words_in(part)
            if words:
                found.append(_clause(part.strip(), words, asked))
    return found


def _clause(text: str, words: tuple[str, ...], asked: bool) -> Clause:
    negated_from = next((i for i, word in enumerate(words) if word in NEGATION), len(words))
    return Clause(
        text=text,
        words=words,
        negated_from=negated_from,
        question=asked or (words[0] in _INVERTED and len(words) > 1 and words[1] in {"you", "we", "i"}),
        conditional=any(word in CONDITION for word in words[:3]) or (words[0] == "should" and not asked),
    )


def without_quotes_of_others(text: str) -> str:
    """Returns a text without what it quotes as said by others: '"You overpay" is what everybody writes'.

    Quotation marks alone hide nothing: the sentence around them must name other speakers and not us or you.
    """

    def kept(match: re.Match[str]) -> str:
        before = re.split(r"[.!?;\n]", text[: match.start()])[-1]
        after = re.split(r"[.!?;\n]", text[match.end() :])[0]
        around = set(words_in(f"{before} {after}"))
        others = around & _SPEAKERS and around & (_SPEECH | {"mails"}) and not around & _SELF
        return " " if others else match.group()

    return _QUOTED.sub(kept, unwrapped(text))


def without_hollow_negation(text: str) -> str:
    """Returns a text without negations that deny no problem: "not only", "so that nothing is paid twice"."""
    text = unwrapped(text)
    text = _HARDLY_EASY.sub("must be hard", text)
    for pattern in _HOLLOW:
        text = pattern.sub("", text)
    text = _UNABLE.sub(r"staff\1 cannot", _DEPLORED.sub("people ", text))
    text = _MISSED.sub("failed to ", _LEFT_UNDONE.sub("failed to", text))
    return _PROMISED.sub(r"\1\2", text)


class Pattern(NamedTuple):
    """A declared wording: groups that must all stand in a clause, each in one of its forms."""

    groups: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def is_phrase(self) -> bool:
        """Whether it is one sequence of words."""
        return len(self.groups) == 1


def pattern_of(phrase: str, words_of: Callable[[str], tuple[str, ...]] = words_in) -> Pattern:
    """Returns a wording: "*" is a gap of up to three words, "|" parts forms, "+" parts groups in any order.

    "pay|settle + twice|second time" stands in "a bill that was settled a second time".
    """
    return Pattern(
        tuple(
            tuple(
                tuple(word for part in form.split() for word in (("*",) if part == "*" else words_of(part)))
                for form in group.split("|")
            )
            for group in phrase.split(" + ")
        )
    )


def find_pattern(
    words: tuple[str, ...], pattern: Pattern, same: Callable[[str, str], bool] = str.__eq__, gap: int = 3
) -> list[Span]:
    """Returns the places where a pattern stands; its groups stand in any order and share no word."""
    places = [[span for form in group for span in _spans(words, form, same, gap)] for group in pattern.groups]
    if pattern.is_phrase:
        return places[0]
    return [
        joined
        for chosen in itertools.product(*(held[:_MOST_PLACES] for held in places))
        if (joined := _joined(chosen)) is not None
    ]


def _joined(spans: tuple[Span, ...]) -> Span | None:
    taken = frozenset[int]().union(*(span.taken for span in spans))
    if len(taken) < sum(len(span.taken) for span in spans):
        return None
    return Span(min(span.start for span in spans), max(span.end for span in spans), taken)


def _spans(
    words: tuple[str, ...], form: tuple[str, ...], same: Callable[[str, str], bool], gap: int
) -> list[Span]:
    found = []
    plain = same is str.__eq__ and form[:1] not in {(), ("*",)}
    if plain and form[0] not in words:
        return []
    for start in range(len(words)):
        if plain and words[start] != form[0]:
            continue
        taken = _match(words, start, form, same, gap)
        if taken:
            found.append(Span(start, max(taken) + 1, frozenset(taken)))
    return found


def _match(
    words: tuple[str, ...], at: int, form: tuple[str, ...], same: Callable[[str, str], bool], gap: int
) -> list[int] | None:
    """Returns the indexes of the words of a form that begins at an index, None where it does not."""
    if not form:
        return []
    if form[0] == "*":
        ends = (_match(words, at + skip, form[1:], same, gap) for skip in range(gap + 1))
        return next((end for end in ends if end is not None), None)
    if at >= len(words) or not same(words[at], form[0]):
        return None
    rest = _match(words, at + 1, form[1:], same, gap)
    return None if rest is None else [at, *rest]


def find_phrase(words: tuple[str, ...], phrase: tuple[str, ...]) -> int:
    """Returns the index at which a phrase stands in the words, -1 where it does not."""
    for start in range(len(words) - len(phrase) + 1):
        if words[start : start + len(phrase)] == phrase:
            return start
    return -1
