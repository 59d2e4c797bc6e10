"""What a mail says beside its point: asides that assert nothing, and words that apply a story to its reader.

Belongs here: taking the first off a text, and telling the second. Whose problem is told stands in the
statements.
"""

from __future__ import annotations

import re

from contracts.wording import Clause, find_pattern, pattern_of

_SORRY = re.compile(
    r"\bnot (?:(?:\w+ )?(?:amused|happy|pleased|satisfied|impressed|glad|content|amusing)\b)", re.IGNORECASE
)
"""A denial that complains: "not amused"."""
_RELEASE = re.compile(r"\bpress[- ]releases?\b", re.IGNORECASE)
"""What releases no invoice."""
_ASIDE = re.compile(r"\s?\((?:i'm|i am|we're|we are|no|not|and no|or not)\b[^()]{0,40}\)\s?", re.IGNORECASE)
"""What a writer adds of themselves: "(I'm not, lucky you)"."""
_KEEN = re.compile(
    r"\bwith (?:\w+ )?interest\b(?! (?:rates?|on|of|charges?|payments?))"
    r"|(?<=\bread )(?:\w+ ){0,5}twice\b(?=[.,])",
    re.IGNORECASE,
)
"""Interest that nobody pays, and what was but read twice: "we read with interest"."""
_THEIRS = re.compile(
    r"(?<=\byour )(e-?mail|mail|message|reply)\b[^\"“]{0,20}[\"“][^\"”]{3,300}[\"”]"
    r"|[\"“][^\"”]{3,300}[\"”](?=,? (?:(?:that|this|which|it)(?: is|'s)?(?: what)? )?you (?:told|wrote"
    r"|said)\b)"
)
"""What only repeats the reader's own words to the writer."""
_EVIDENCE = re.compile(
    r"\bif (?=(?:i|we)(?:'ve| have|'m| am)? (?:\w+ )?(?:read|count|understand|understood|got|get|see|saw"
    r"|remember|recall|am not|gather|may "
    r"believe)"
    r"|(?:your|the|that) (?:\w+ ){0,2}(?:news|report|paper|article|press|letter|site|website|page"
    r"|statement)\b)"
    r"|\bif i were(?= you)",
    re.IGNORECASE,
)
"""Conditions that suppose nothing: "if I read your news right", "if I were you"."""
_TAG = re.compile(
    r",? (?<!or )(?:right|eh|huh|ok|okay|correct|no|yes|true|don't you think|(?:is|are|was|were|did|has|do"
    r"|does)n't (?:it|they|you)"
    r"|(?:is|are|was|were|did|has|do|does) not (?:it|they|you)|(?:were|are|did|do|is|was) (?:they|you|it)"
    r"|shall we)\?",
    re.IGNORECASE,
)
"""Questions behind a statement that ask nothing."""
_LINKS = frozenset("too such also either likewise similarly though them reminded alike again plenty".split())
_LINKING = tuple(
    pattern_of(phrase)
    for phrase in (
        "as well|same thing|same very|very same|same happen|same story|what happened|brought back|is one"
        "|are one|played out|plays out|happened to|happens to|happened at|happens at"
        "|the latter|the former|had it too|goes for you|the like|no "
        "different|familiar|few more",
    )
)
"""What applies a story to its reader: "your company collects them too"."""
_SAME = re.compile(
    r"\b(?:that|this|it|which|the same|such|so)(?:'s| is| was| has| had)? (?:just |exactly |precisely "
    r"|only |about |also |now )*"
    r"(?:what |how |the way )?(?:has |have |had )?(?:happen(?:s|ed)?|occurred|befell|hit|struck|goes|went"
    r"|came to pass"
    r"|is the case|is true|holds|is what|was the case)\b"
    r"|\b(\w+) (?:did|do|does|have|has|had|got|are|were)(?: (?:it|so|that|just that|exactly that"
    r"|the latter|pay it|pay them|lose it|lose them))?(?=[,.!;]|$| to the tune)",
    re.IGNORECASE,
)
"""What says of the reader only that it did or was what stands before: "Brightmoor did, to the tune of"."""


def without_asides(text: str) -> str:
    """Returns a text without what asserts nothing, and with plain words for denials that complain."""
    text = _RELEASE.sub("press note", _THEIRS.sub(r" \1 ", text))
    text = _KEEN.sub("", _SORRY.sub("displeased", _ASIDE.sub(" ", text)))
    return _TAG.sub(".", _EVIDENCE.sub("as ", text))


def is_link(clause: Clause, subjects: frozenset[str]) -> bool:
    """Says whether a clause about one of some subjects applies to it what stands before: "You did, too"."""
    if _LINKS & set(clause.words) or any(find_pattern(clause.words, one) for one in _LINKING):
        return True
    same = _SAME.search(clause.text)
    return same is not None and (not same.group(1) or same.group(1).lower() in subjects)
