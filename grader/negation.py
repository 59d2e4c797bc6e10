"""What a negation reaches: its own verb phrase or noun, not the promise that stands behind it.

"Without any obligation you get a free trial" denies nothing, "we give no discount" denies the discount.
"""

from __future__ import annotations

import re

from contracts.names import fold
from contracts.wording import AFTER_HOLLOW, NEGATION, Span

OURS = frozenset("we we'll we'd we're we've i i'll i'd i'm i've us our ours me my".split())
_MARKS = re.compile(r"(?P<word>[a-z0-9%$€£']+)|(?P<mark>[,:;()–—]|\s-\s)")
_SUBJECTS = frozenset(
    "we we'll we'd we're i i'll i'd i'm you you'll you'd you're it it's there here this that's our your "
    "they".split()
)
_JOINED = frozenset("and so because since as for then yet while until plus".split())
_NOUN_ONLY = frozenset({"no", "without"})
_NOBODY = frozenset("nobody nothing none never-one".split())
_ELSE = frozenset("other else better different exception".split())
_COMPARED = frozenset(
    "beats beat matches match compares compare tops top rivals like better else comes".split()
)
_VERBS = frozenset(
    "is are was were gives give gave offers offer get gets beats has have had makes means comes will "
    "would".split()
)
_HOLLOW_AFTER = AFTER_HOLLOW | frozenset(
    "just merely simply beat refuse believe resist regret go mention fail wrong disappoint".split()
)
_HOLLOW_NOUNS = frozenset(
    "strings obligation obligations catch commitment risk questions doubt joke wonder need further".split()
)
_EXPECTING = frozenset(
    "expect count ask hope look think assume imagine believe read offer promise give".split()
)
LONGEST_NOUN = 8
"""Words over which "no" or "without" reaches: "no trial, discount or other gift"."""
FARTHEST = 40
"""Words over which anything reaches that denies a promise, before it or behind."""
_IF = frozenset("if unless should when until".split())
_TALKERS = frozenset("we we'll we'd i i'll i'd you you'll you'd".split())
_SWEARING = ("guarantee", "promise", "assure", "swear", "pledge", "give", "vouch")
_IMPERATIVE = frozenset({"don't", "dont", "never"})


def breaks_in(text: str) -> dict[int, str]:
    """Returns the marks of punctuation in a clause: index of the word behind each -> the mark."""
    found: dict[int, str] = {}
    words = 0
    for match in _MARKS.finditer(fold(text.replace("’", "'").replace(" - ", " – "))):
        if match["word"]:
            words += 1
        else:
            found[words] = match["mark"].strip()
    return found


def is_denied(words: tuple[str, ...], breaks: dict[int, str], span: Span, since: int = 0) -> bool:
    """Says whether a negation that is no part of a wording reaches it."""
    return any(
        words[at] in NEGATION and at not in span.taken and _reaches(words, breaks, at, span)
        for at in range(max(since, span.end - FARTHEST), span.end)
    )


def _reaches(words: tuple[str, ...], breaks: dict[int, str], at: int, span: Span) -> bool:
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    # A wording may begin before its negation ("we never give a trial"): what counts is its next word.
    target = min((place for place in span.taken if place > at), default=span.end)
    gap = words[at + 1 : target]
    if word in _NOUN_ONLY:
        following = words[at + 2] if following == "any" and at + 2 < len(words) else following
        return _reaches_noun(following, gap, _marked(breaks, at, target))
    if word in _NOBODY or (word == "no" and following == "one"):
        return following not in _COMPARED and not any(held.startswith("our") for held in gap[-2:])
    if (
        following in _HOLLOW_AFTER
        or (at and words[at - 1] == "why")
        or (word == "never" and following == "before")
    ):
        return False
    imperative = (at == 0 and word in _IMPERATIVE) or (at == 1 and words[0] == "do")
    if (imperative or breaks.get(at)) and word != "not" and following not in _EXPECTING:
        return False
    if imperative and following not in _EXPECTING:
        return False
    for place in range(at + 1, min(target + 1, len(words))):
        mark = breaks.get(place, "")
        if mark in {":", ";", "–", "—", "-"} and not _refuses(words, at):
            return False
        begins = words[place] in _SUBJECTS and place + 1 < len(words)
        if (
            begins
            and mark == ","
            and (not words[place].startswith(("i'm", "i")) or words[place + 1].startswith(_SWEARING))
        ):
            return False
        if words[0] in _IF and begins and place > at + 1 and words[place] in _TALKERS:
            return False
        if begins and words[place - 1] in _JOINED and place - 1 > at:
            return False
    return True


def _reaches_noun(following: str, gap: tuple[str, ...], marked: bool) -> bool:
    if following in _ELSE | _HOLLOW_NOUNS | AFTER_HOLLOW or marked or len(gap) > LONGEST_NOUN:
        return False
    return not any(word in _SUBJECTS or word in _VERBS for word in gap)


def _marked(breaks: dict[int, str], at: int, target: int) -> bool:
    """Says whether a colon or dash stands between a negation and a word."""
    return any(breaks.get(place, "") in {":", ";", "–", "—", "-"} for place in range(at + 1, target + 1))


def _refuses(words: tuple[str, ...], at: int) -> bool:
    """Says whether we are who does not: "What we never offer: trials"."""
    return any(word in OURS for word in words[max(0, at - 2) : at])
