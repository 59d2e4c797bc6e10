"""What a mail states about the company it is sent to: the clauses that count, and how far each counts.

A clause counts if it stands in a real sentence, is neither asked nor supposed, and has the reader's company
or its news for a subject, not the writer, a competitor or "many companies". What is negated or said to be
over does not count. Which problem a clause names is not judged here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

from contracts.wording import (
    NEGATION,
    Clause,
    Span,
    clauses_in,
    find_pattern,
    is_question,
    pattern_of,
    sentences_in,
    words_in,
)
from runtime.stems import stems_of

LONGEST_SENTENCE = 60
"""Words; what runs on for longer is no sentence."""
_FUNCTION_WORDS = frozenset(
    "a an the this that these those i i'd i'm i've you you're you've your yours we we'd we've our us my "
    "me he she it its they their them who whom which what when where how is are was were be been being am "
    "has have had do does did will would can could may might must should shall not no nor and or but "
    "because since while if as than so of in on at by to from for with without after before until during "
    "over under into out up off about between among through against per more most much many some any each "
    "every all both one two there here then just still again".split()
)
_SHARE_OF_FUNCTION_WORDS = 8
"""At least one word in so many is a function word."""
_LONGEST_FRAGMENT = 10
"""Words of a fragment that the sentence behind it makes a statement: "Late fees? Saw it in your news"."""
_CAREERS = frozenset(
    "hiring hire career careers vacancy vacancies recruit recruiting recruitment applicant applicants job "
    "jobs advertisement".split()
)
_CAREERS_PHRASES = tuple(
    pattern_of(phrase)
    for phrase in (
        "open position|open role|open post|new colleague|job ad",
        "look|looking|search|searching|seek|seeking|need "
        "+ clerk|accountant|analyst|auditor|officer|assistant|buyer",
    )
)
_REFERENCES = frozenset(
    "read reading saw seen see news newsroom reported report announced announcement article noticed "
    "published publication statement disclosed disclosure mentioned press paper heard hear learned learn "
    "according understand understood gather letter judging spokesperson headlines".split()
)
_WRITER = frozenset("we we've we'd we'll we're our ours my i i'd i've i'll i'm ledgerline us".split())
_TOLD = _REFERENCES | frozenset(
    "came come found find stumbled took take know think believe felt gathered guess imagine suppose assume "
    "note noted was am went met trust hope write writing wrote sorry send refer".split()
)
"""Verbs with which a writer introduces what they know of the reader: "I read that", "we learned of"."""
_YOU = frozenset("you your yours you've you're you'd you'll".split())
_FOREIGN = re.compile(
    r"^(?:(?:and|but|so|yes|well|also|today|now|luckily|sadly|often|i|we|know|knew|heard|hear|read|think|see"
    r"|saw|believe|understand|gather|say|says|that|of|as|with|unlike you|for|in|at|like)[,\s]+){0,6}"
    r"(?:(?:your|the|our|my|its|all|some|their|several|many|most|other|few|a lot of|plenty of|lots of|one of"
    r"|a|certain|these|those|similar)\s+){0,3}"
    r"(?:competitors?|rivals?|peers?|industry|sector|neighbou?rs?|market|others|everybody|everyone"
    r"|customers? of ours|(?<=our )customers?|companies (?:in|of|like|such|as|all|pay|have|do|get)"
    r"|(?<=many )(?:companies|firms|businesses|teams|enterprises|groups|organi[sz]ations)(?!,)"
    r"|(?<=most )(?:companies|firms|businesses|teams|enterprises|groups|organi[sz]ations)(?!,)"
    r"|(?<=other )(?:companies|firms|businesses|teams|enterprises|groups|organi[sz]ations)(?!,)"
    r"|(?:firms|businesses|finance teams|teams|groups|enterprises) (?:in|of|like|such|as|all|everywhere)"
    r"|payflow)\b",
    re.IGNORECASE,
)
"""A clause whose subject is somebody else."""
_LIKE_YOU = re.compile(
    r"\b(?:compan\w+|firms?|teams?|groups?|business\w*|leaders?|people|others|organi[sz]ations?|chiefs?|just)"
    r" (?:like|such as|as) (?:you|yours)\b|\bunlike you\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(\w+)n't\b", re.IGNORECASE)
_CHAT_WORDS = {
    "u": "you", "ur": "your", "abt": "about", "bc": "because", "w/": "with", "pls": "please", "thx": "thanks",
    "dup": "duplicate", "dups": "duplicates", "tmrw": "tomorrow", "inv": "invoice", "invs": "invoices",
    "pymt": "payment", "pmt": "payment", "pmts": "payments", "acct": "account", "mins": "minutes",
}  # fmt: skip
_CHAT = re.compile(
    rf"(?<![\w'.])(?:{'|'.join(map(re.escape, sorted(_CHAT_WORDS, key=len, reverse=True)))})(?![\w'.]*\w)",
    re.IGNORECASE,
)
_SORRY = re.compile(
    r"\bnot (?=(?:\w+ )?(?:amused|happy|pleased|satisfied|impressed|glad|content|amusing)\b)", re.IGNORECASE
)
"""A denial that complains: "not amused"."""
_KEEN = re.compile(r"\bwith (?:\w+ )?interest\b(?! (?:rates?|on|of|charges?|payments?))", re.IGNORECASE)
"""Interest that nobody pays: "we read with interest"."""
_SAYS = frozenset("says say said tells tell told writes".split())
_ECHOES = frozenset("it that this some them those one many so".split())
"""What points back at the sentence before."""
_PRONOUNS = frozenset("they them their it that which who".split())
_OVER = tuple(
    pattern_of(phrase)
    for phrase in (
        "free of|free from|rid of|done with|used to|no longer|zero|without any|a stop to|an end to|waived",
        "congratulations|congrats|kudos|bravo|compliments + ending|avoiding|stopping|eliminating|solving"
        "|beating|overcoming|removing|escaping|abolishing|curing|fixing|ended|avoided|stopped",
        "you|you've|company|team|firm|group|have|has|were|was + avoided|avoid|ended|eliminated|escaped"
        "|overcame|overcome|abolished|solved|removed|beat|beaten|conquered|prevented|spared|cured|fixed"
        "|eradicated|waived",
    )
)
"""What says, before it names a problem, that it is over."""
_OVER_WITHIN = 5
_DENIAL = tuple(
    pattern_of(phrase)
    for phrase in (
        "is not|are not|was not|were not|do not|does not|did not|has not|have not|is no|are no|is never"
        "|are never|was never|were never|has never|have never|cannot|never|will not|would not|need not",
    )
)
"""What denies a problem right behind its name."""
_PAST = tuple(
    pattern_of(phrase)
    for phrase in (
        "zero|nil|none|rare|seldom|absent|unknown|unheard|history|solved|nonexistent|elsewhere|avoided|waived",
        "thing of the past|least of|in the past|long ago|no longer|are over|is over|no more|a myth",
        "in your industry|in the industry|in your sector|in many|at many|in most|of others|at others",
    )
)
"""What says, behind a problem's name, that it is over, or others'."""
_PAST_WITHIN = 6
_PAINFUL = frozenset("small funny fun easy nice pleasant cheap good great little trivial pretty only".split())
"""What a denial leaves as it is: "the sum is not small"."""
_CAUSES = frozenset("because since while until when after before whose although as".split())
"""Words behind which the reasons of a problem stand, or what came with it."""
_LONGEST_REASON = 10
_NEAR = 3
_ASKED = frozenset("are is do does did have has was were".split())
_ASKED_OF = frozenset("you your there they it".split())
_INVITING = frozenset(
    "time minutes min minute slot slots free open available interested up around willing half moment hour "
    "ready keen".split()
)


class Statement(NamedTuple):
    """A clause that counts."""

    clause: Clause
    stems: tuple[str, ...]
    parts: tuple[int, ...]
    """Indexes of the words with which parts of the clause begin, behind a comma or an "and"."""
    colons: tuple[int, ...]
    """Those of them that stand behind a colon: no negation reaches across."""
    reasons: frozenset[int]
    """Indexes of the words that tell a reason or a circumstance."""
    over: tuple[Span, ...]
    denials: tuple[Span, ...]
    past: tuple[Span, ...]
    """What says that something is over, by where it stands: before, right behind, or behind its name."""

    def states(self, span: Span) -> bool:
        """Says whether a wording at a span is stated: not negated, and not said to be over."""
        words, start = self.clause.words, min(span.taken)
        if self.clause.negates(span, self._negation_since(start)):
            return False
        for over in self.over:
            named = min((at for at in span.taken if at >= over.end), default=-1)
            if named >= 0 and not over.taken & span.taken and named - over.end <= _OVER_WITHIN:
                return False
        if any(span.end <= past.start and past.end <= span.end + _PAST_WITHIN for past in self.past):
            return False
        return not any(
            denial.start == span.end
            and denial.end < len(words)
            and not set(words[denial.end : denial.end + 2]) & _PAINFUL
            for denial in self.denials
        )

    def _negation_since(self, start: int) -> int:
        """Returns the index from which negations reach a word: a new part of the clause takes none along."""
        words = self.clause.words
        parts = [part for part in self.parts if part <= start]
        return next(
            (
                part
                for part in reversed(parts)
                if part in self.colons or not NEGATION & set(words[max(0, part - _NEAR) : part])
            ),
            0,
        )


def statements_in(text: str, asks: Callable[[Clause], bool]) -> list[Statement]:
    """Returns the clauses of a text that state something of its reader's company as a fact."""
    found: list[Statement] = []
    foreign = False
    sentences = sentences_in(_KEEN.sub("", _SORRY.sub("", text)))
    words_of = [frozenset(words_in(sentence)) for sentence in sentences]
    for place, sentence in enumerate(sentences):
        echoed = place + 1 < len(sentences) and _is_echo(words_of[place + 1], sentences[place + 1])
        if not is_real(words_in(sentence), echoed=echoed):
            continue
        for clause in clauses_in(sentence):
            words = set(clause.words)
            foreign = _is_foreign(clause) or (foreign and clause.words[0] in _PRONOUNS and not words & _YOU)
            counts = echoed or not (foreign or not _is_meant(clause, words, asks))
            if counts and not _is_careers(clause, words):
                found.append(_statement(clause))
    return found


def _statement(clause: Clause) -> Statement:
    words, parts = clause.words, _parts(clause)
    ends = (
        tuple(span for pattern in patterns for span in find_pattern(words, pattern))
        for patterns in (_OVER, _DENIAL, _PAST)
    )
    return Statement(
        clause, stems_of(words), parts, _behind(r"[:;]\s", clause.text), _reasons(words, parts), *ends
    )


def spelt_out(text: str) -> str:
    """Returns a text with "not" for its short forms."""
    text = text.replace("’", "'")
    for short, full in (
        ("can't", "cannot"),
        ("won't", "will not"),
        ("Can't", "Cannot"),
        ("Won't", "Will not"),
    ):
        text = text.replace(short, full)
    text = _CHAT.sub(lambda found: _CHAT_WORDS[found.group().lower()], text)
    return _NOT.sub(r"\1 not", text)


def _is_echo(words: frozenset[str], sentence: str) -> bool:
    """Says whether a sentence tells where the one before it was read."""
    if is_question(sentence) or words & NEGATION:
        return False
    return bool(words & _REFERENCES and words & _ECHOES) or bool(words & _SAYS and words & _YOU)


def is_real(words: tuple[str, ...], *, echoed: bool = False) -> bool:
    """Says whether words make a sentence and no heap: enough of them are words of grammar."""
    grammar = sum(word in _FUNCTION_WORDS for word in words)
    if echoed and len(words) <= _LONGEST_FRAGMENT:
        return True
    return len(words) <= LONGEST_SENTENCE and grammar > 0 and grammar * _SHARE_OF_FUNCTION_WORDS >= len(words)


def _parts(clause: Clause) -> tuple[int, ...]:
    """Returns where parts of a clause begin behind a comma or an "and"."""
    words = clause.words
    joined = [
        at + 1
        for at in range(1, len(words) - 1)
        if words[at] == "and" or words[at - 2 : at + 1] == ("as", "well", "as")
    ]
    return tuple(sorted({*_behind(r"[,:;]\s", clause.text), *joined}))


def _behind(marks: str, text: str) -> tuple[int, ...]:
    """Returns the indexes of the words that follow marks of a text."""
    return tuple(itertools.accumulate(len(words_in(part)) for part in re.split(marks, text)))[:-1]


def _reasons(words: tuple[str, ...], parts: tuple[int, ...]) -> frozenset[int]:
    """Returns the indexes behind "because" and its like, each up to the next part of the clause."""
    found: set[int] = set()
    for at, word in enumerate(words):
        compares = "as" in {words[at - 1], *words[at + 1 : at + 3]} or words[at - 1] == "well"
        lacks = words[at : at + 2] == ("for", "lack") or words[at : at + 2] == ("for", "want")
        if at and (lacks or (word in _CAUSES and not compares)):
            found.update(range(at, min([part for part in parts if part > at] + [at + _LONGEST_REASON])))
    return frozenset(found)


def _is_meant(clause: Clause, words: set[str], asks: Callable[[Clause], bool]) -> bool:
    if words & _REFERENCES or not (clause.conditional or clause.question):
        return True
    opening = clause.words[:2]
    asked = opening[0] in _ASKED and bool(_ASKED_OF & set(opening)) and not _INVITING & set(clause.words[2:6])
    return not clause.conditional and not asked and asks(clause)


def _is_careers(clause: Clause, words: set[str]) -> bool:
    return bool(words & _CAREERS) or any(find_pattern(clause.words, one) for one in _CAREERS_PHRASES)


def _is_foreign(clause: Clause) -> bool:
    """Says whether a clause speaks of the writer's firm or of others, not of the reader's."""
    if _FOREIGN.match(clause.text):
        return True
    words = clause.words
    writer = next((at for at, word in enumerate(words[:4]) if word in _WRITER), None)
    if writer is None or _TOLD & set(words[writer + 1 : writer + 6]):
        return False
    before = set(words[:writer])
    addressed = _YOU & set(words_in(_LIKE_YOU.sub(" ", clause.text)))
    return not addressed and not before & (NEGATION | _REFERENCES)
