"""Of whom and how a clause speaks: of the reader's company, of others, of a job, of what might be.

Grammar and lists over one clause. What follows from it for a mail stands with the statements.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from contracts.wording import NEGATION, Clause, find_pattern, pattern_of, words_in

YOU = frozenset("you your yours you've you're you'd you'll yourselves".split())
REFERENCES = frozenset(
    "read reading saw seen see news newsroom reported report announced announcement article noticed "
    "published publication statement disclosed disclosure mentioned press paper heard hear learned learn "
    "according understand understood gather letter judging spokesperson headlines headline".split()
)
SAYS = frozenset("says say said tells tell told writes".split())
WRITER = frozenset("we we've we'd we'll we're our ours my i i'd i've i'll i'm ledgerline us".split())
_TOLD = REFERENCES | frozenset(
    "came come found find stumbled took take know think believe felt gathered guess imagine suppose assume "
    "note noted was am went met trust hope write writing wrote sorry send refer thought remembered bet "
    "copied "
    "quote followed fear admire sympathise feel".split()
)
"""Verbs with which a writer introduces what they know of the reader: "I read that", "we learned of"."""
_CAREERS = frozenset(
    "hiring hire hires career careers vacancy vacancies recruit recruiting recruitment applicant "
    "applicants job "
    "jobs advertise advertises advertised advertisement advertisements ad ads".split()
)
_POSTS = (
    "clerk|accountant|analyst|auditor|officer|assistant|buyer|controller|bookkeeper|manager|specialist"
    "|colleague|someone|somebody|people|expert|trainee|head"
)
_CAREERS_PHRASES = tuple(
    pattern_of(phrase)
    for phrase in (
        "open position|open role|open post|new colleague|job ad|position of|the role of|the post of",
        f"look for|looking for|search for|searching for|seek|seeks|seeking|wants someone|wants "
        f"somebody + {_POSTS}",
        "search|searching|looking + clerk|accountant|analyst|auditor|officer|assistant|buyer",
    )
)
_GENERAL_NOUNS = (
    r"companies|firms|businesses|teams|enterprises|groups|organi[sz]ations|offices|departments|buyers|clerks"
    r"|cfos|controllers|accountants|bookkeepers|people|leaders|customers|clients|finance chiefs|suppliers"
)
_FOREIGN = re.compile(
    r"^(?:(?:and|but|so|yes|well|also|today|now|luckily|sadly|often|i|we|know|knew|heard|hear|read|think|see"
    r"|saw|believe|understand|gather|say|says|that|of|as|with|unlike you|for|in|at|like|did you know"
    r"|(?:last|this) (?:year|week|month|spring|summer|autumn|winter)|recently|years ago|once)[,\s]+){0,6}"
    r"(?:(?:your|the|our|my|its|all|some|their|several|many|most|other|few|a lot of|plenty of|lots of|one of"
    r"|a|certain|these|those|similar|largest|biggest|best|old|own|another|new|every|each)\s+){0,3}"
    r"(?:competitors?|rivals?|peers?|industry|sector|neighbou?rs?|market|others|everybody|everyone|branch"
    r"|everyone's|everybody's"
    r"|customers? of|clients? of|(?<=our )customers?|(?<=our )clients?|friends?|uncle|aunt|brother|sister"
    r"|grandmother|grandfather|father|mother|wife|husband|cousin|builder|baker|salesman|neighbou?r"
    r"|companies (?:in|of|like|such|as|all|pay|have|do|get|lose|miss)"
    rf"|(?<=many )(?:{_GENERAL_NOUNS})(?!,)"
    rf"|(?<=most )(?:{_GENERAL_NOUNS})(?!,)"
    rf"|(?<=other )(?:{_GENERAL_NOUNS})(?!,)"
    rf"|(?<=some )(?:{_GENERAL_NOUNS.replace('|suppliers', '')})(?!,)"
    r"|(?:firms|businesses|finance teams|teams|groups|enterprises) (?:in|of|like|such|as|all"
    r"|everywhere|that|who"
    r"|tend|often|usually)"
    r"|(?<=some )(?:have|lose|pay|miss|with)|(?<=most )(?:have|lose|pay|miss)"
    r"|payflow)\b",
    re.IGNORECASE,
)
"""A clause whose subject is somebody else."""
_GENERAL = re.compile(
    r"\b(?:whole|entire) (?:trade|industry|branch|sector)\b|\bof the (?:decade|century|hour|trade)\b"
    r"|\bone \w+ in "
    r"(?:\w+ )?(?:ten|twenty|fifty|hundred|thousand|\d+)\b|\btends? to\b|\beveryone's\b|\beverybody's\b"
    r"|\bmany will\b|\bmany (?:firms|companies|businesses|teams)\b(?! you)|\bnew (?:\w+ )?(?:standard"
    r"|law|rule)s?\b|\bthese days\b|\bin (?:general|most (?:firms|companies"
    r"|offices|teams|cases|places))\b|\bhappens (?:in|to) (?:many|most|every|all|the best)\b"
    r"|\b(?:as well as|and) (?:firms|companies) (?:everywhere|pay)\b|\bcommon(?:place)? (?:in|among|at)\b"
    r"|\b(?:a|the) typical\b|\bany (?:firm|company|team|office)\b|\bdid you know\b|\bevery (?:second"
    r"|third|other|single)? ?"
    r"(?:firm|company|business|finance (?:team|department)|accounts (?:team|office))\b(?! (?:in|of) "
    r"(?:the|your) group| you| it)"
    r"|\bfirms pay\b|\bstatistic\w*\b|\bstud(?:y|ies) (?:shows?|says?|finds?)\b",
    re.IGNORECASE,
)
"""What is said of the trade, and of nobody in it."""
_OWN = re.compile(
    r"\b(?:in our name|of ours|of ledgerline|at ledgerline|ourselves|our own (?!customers|words))\b",
    re.IGNORECASE,
)
_LIKE_YOU = re.compile(
    r"\b(?:compan\w+|firms?|teams?|groups?|business\w*|leaders?|people|others|organi[sz]ations?|chiefs?|just"
    r"|offices?)"
    r" (?:like|such as|as) (?:you|yours)\b|\bunlike you\b|\bdid you know\b|\byou know\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\bcontrary to\b|\bfar be it\b|\bin case\b|\bwhat if\b|\bwere to\b|\b(?:i|we|you|one) (?:could"
    r"|might) (?:well )?imagine\b"
    r"|\b(?:some|one|any) day\b|\bone of these days\b|\bmight (?:get|be|have|find|happen|come|face"
    r"|lose|pay|miss|run)\b"
    r"|\bcould (?:get|happen|be hit|face|become|strike)\b|\bcould it be\b|^say[, ]\s*(?:a|an|one|your"
    r"|that|the|you)\b"
    r"|\bwould be worth\b|\bwould (?:you|it|that) (?:still )?(?:know|notice|matter|hurt)\b|\bas soon as\b"
    r"|\bhypothetical\w*\b|\bassum(?:e|ing)\b|\bsooner or later\b|\bbefore (?:it|that|this) happens\b"
    r"|\bperhaps (?:you|your|they)\b|\bmaybe (?:you|your) (?:have|pay|lose|miss)\b|\bi wonder (?:if"
    r"|whether|how)\b"
    r"|\bcurious (?:if|whether)\b|\bhow sure\b|\bwhich of (?:these|those|them)\b|\bsome of (?:these|those)\b",
    re.IGNORECASE,
)
"""What might be, and need not."""
_ASKED = frozenset("are is do does did have has was were".split())
_ASKED_OF = frozenset("you your there they it".split())
_INVITING = frozenset(
    "time minutes min minute slot slots free open available interested up around willing half moment hour "
    "ready keen".split()
)
_PAIR = re.compile(r"(?<![\w'-])([A-Z][\w'&-]*[a-z])\s+([A-Z][\w'&-]*[a-z])(?![\w'])")
_NAMED_WITHIN = 60
"""Characters of a clause in which its subject is looked for."""


class Names(NamedTuple):
    """Words of the names that a world itself knows."""

    companies: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    """Of places and products."""


def is_meant(clause: Clause, words: set[str], asks: Callable[[Clause], bool]) -> bool:
    """Says whether a clause states anything: neither asked nor supposed."""
    if _SUPPOSED.search(clause.text):
        return False
    if words & REFERENCES or not (clause.conditional or clause.question):
        return True
    opening = clause.words[:2]
    asked = opening[0] in _ASKED and bool(_ASKED_OF & set(opening)) and not _INVITING & set(clause.words[2:6])
    return not clause.conditional and not asked and asks(clause)


def is_careers(clause: Clause, words: set[str]) -> bool:
    """Says whether a clause speaks of a job that is advertised."""
    return bool(words & _CAREERS) or any(find_pattern(clause.words, one) for one in _CAREERS_PHRASES)


def is_foreign(clause: Clause, names: Names) -> bool:
    """Says whether a clause speaks of the writer's firm or of others, not of the reader's.

    Who is named, is none of the world's own and not addressed is a stranger.
    """
    if _FOREIGN.match(clause.text):
        return True
    words = clause.words
    addressed = YOU & set(words_in(_LIKE_YOU.sub(" ", clause.text))) or names.companies & set(words)
    if not addressed and (
        _GENERAL.search(clause.text) or _OWN.search(clause.text) or _is_of_stranger(clause.text, names)
    ):
        return True
    writer = next((at for at, word in enumerate(words[:4]) if word in WRITER), None)
    if writer is None or _TOLD & set(words[writer + 1 : writer + 6]):
        return False
    before = set(words[:writer])
    return not addressed and not names.others & set(words) and not before & (NEGATION | REFERENCES)


def _is_of_stranger(text: str, names: Names) -> bool:
    """Says whether the subject of a clause is a name of two words that is none of the world's."""
    return any(
        not set(words_in(match.group())) & (names.companies | names.others)
        and not text[match.end() :].lstrip().startswith((".", ",", "!"))
        for match in _PAIR.finditer(text[:_NAMED_WITHIN])
    )
