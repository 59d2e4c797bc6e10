"""Promises in what the rep wrote: a claim counts if it is made, by us, and is not the trade's own term.

The wordings are the template's. Here stands who makes a promise, and in which sentence it is one: it is not
denied, not asked about theirs, not that of suppliers. An offer put as a question is an offer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from contracts.names import without_unseen
from contracts.spellings import mended
from contracts.wording import (
    NEGATION,
    QUESTION_START,
    SUPPOSED,
    Pattern,
    Span,
    clauses_in,
    find_pattern,
    is_question,
    pattern_of,
    sentences_in,
    without_quotes_of_others,
    words_in,
)
from contracts.world import ClaimPattern
from grader.negation import OURS, breaks_in, is_denied

_OTHERS = frozenset(
    "supplier suppliers supplier's suppliers' vendor vendors vendor's vendors' they their bank banks "
    "creditor creditors auditor auditors others board regulator insurer insurers fraudster fraudsters "
    "swindlers criminals".split()
)
_TRADE = frozenset(
    "supplier suppliers vendor vendors invoice invoices approval approvals approve approving within "
    "bill bills due terms miss missed misses missing lose loses lost losing lapse lapsed lapses lapsing "
    "forfeit forfeited "
    "expire expired unclaimed capture captured captures capturing catch catches claimed left unused taken "
    "taking use used using keep kept went gone ran".split()
)
"""Words of clauses that speak of the discounts which suppliers grant and buyers miss or take."""
_GIVING = frozenset(
    "give gives giving gave offer offers offering offered provide grant do arrange approve approved throw "
    "knock cut lower drop waive include extend get go shave take match reduce halve save".split()
)
_GIFTS = frozenset(
    "trial trials pilot discount discounts rebate rebates price prices result results guarantee "
    "guarantees".split()
)
_MANNERS = frozenset(
    "send write call stop leave share read this it hear bother contact mail spam chase follow waste come ask "
    "repeat listen explain answer respond reply trouble disturb pester email ring phone show speak "
    "talk".split()
)
"""What a promise about the writer's own manners goes on with: "I promise to write no more"."""
_QUALITIES = frozenset(
    "brief short quick honest polite punctual there concise back quiet on clear gentle".split()
)
_KEPT = frozenset("it this things my the in quiet to short that".split())
_BREVITY = frozenset(
    "short brief quick meeting call minutes minute slides hour pitch brochure brochures".split()
)
_LINKS = frozenset("to i you that we will won't not never i'll we'll only just".split())
_IF = frozenset("if unless should".split())
_PARTNER = frozenset("you your it this that the a needed necessary so anything everything one".split())
_WELCOMING = frozenset(
    "like want take accept try enjoy care prefer use love welcome consider say know be need appreciate "
    "mind".split()
)
_TALKING = frozenset("talk discuss ask meet speak know learn hear call have see book schedule chat".split())
_SHOWN = frozenset("know hear see mention tell told mentioned heard seen say said".split())
_THEIRS = frozenset("your they their suppliers vendors".split())
_MOVING = frozenset(
    "help convince interest tempt sway decide persuade sound change suit enough attractive".split()
)
"""What a question is about that proposes something: "Would a discount help?"."""
_LEADING = (
    "how about",
    "what about",
    "what if",
    "why not",
    "why don't",
    "how does",
    "how would",
    "how do",
    "what would",
)
_DENIED_LATER = frozenset("possible available offered ours what something included part true on".split())
_REFUSING = frozenset("no nobody none neither never nope sorry not unfortunately regrettably".split())
"""How an answer to one's own question begins that denies it: "A discount? Not with us."."""
_ASKED_BEFORE = frozenset("subject asked question ask wrote".split())
_RIVALS = frozenset("payflow others competitors rivals".split())
_PERCENT = re.compile(r"\b(?:per\s+cent|pct|p\.c\.)(?!\w)", re.IGNORECASE)
_FIGURED = re.compile(r"[a-z]+[013457]+[a-z][a-z0-9]*")
_AS_LETTERS = str.maketrans("013457", "oieast")
_SLOT = re.compile(r"\{([\w ]+)\}")


class Claim(NamedTuple):
    """A promise found: its kind and the clause that makes it."""

    id: str
    clause: str


class _Said(NamedTuple):
    """A clause with where its punctuation stands and whether its sentence asks."""

    text: str
    words: tuple[str, ...]
    breaks: dict[int, str]
    asked: bool


def find_claims(text: str, patterns: Iterable[ClaimPattern], our_name: str = "") -> list[Claim]:
    """Returns the promises that a text makes for us: not denied, not asked about, not a term of the trade."""
    compiled = [_compiled(pattern) for pattern in patterns]
    ours = OURS | {our_name.lower()}
    seen = mended(_PERCENT.sub("percent", without_unseen(text)))
    found = []
    for said in _said(without_quotes_of_others(seen)):
        vocabulary = {form for word in said.words for form in _forms(word)}
        for pattern in compiled:
            if any(_is_promised(said, span, pattern, ours) for span in pattern.hits(said.words, vocabulary)):
                found.append(Claim(pattern.id, said.text))
    return found


def _said(text: str) -> Iterable[_Said]:
    sentences = sentences_in(text)
    for place, sentence in enumerate(sentences):
        asked = is_question(sentence)
        if asked and place + 1 < len(sentences) and _is_no_offer(sentences[place + 1]):
            continue
        for clause in clauses_in(sentence):
            words = tuple(
                word.translate(_AS_LETTERS) if _FIGURED.fullmatch(word) else word for word in clause.words
            )
            inverted = words[0] in QUESTION_START and words[1:2] in {("you",), ("we",), ("i",)}
            yield _Said(
                clause.text, words, breaks_in(clause.text), asked or (inverted and words[0] != "should")
            )


def _is_no_offer(following: str) -> bool:
    """Says whether what follows a question shows that it offers nothing: a "no", or that it was a subject."""
    words = words_in(following)
    quoted = following.lstrip().startswith(('"', "”", "»", "'")) and bool(_ASKED_BEFORE & set(words))
    return quoted or bool(_REFUSING & set(words[:2]))


def _forms(word: str) -> tuple[str, ...]:
    plain = [word, word.removesuffix("s"), word.removesuffix("'s")]
    return (*plain, "%") if word.endswith("%") else tuple(plain)


class _Wording(NamedTuple):
    """A pattern with the words that each of its forms needs, group by group."""

    pattern: Pattern
    needs: tuple[tuple[frozenset[str], ...], ...]


class _Compiled(NamedTuple):
    id: str
    phrases: tuple[_Wording, ...]
    innocent: tuple[_Wording, ...]

    def hits(self, words: tuple[str, ...], vocabulary: set[str]) -> list[Span]:
        """Returns where phrases stand that share no word with an innocent wording."""
        hits = [hit for phrase in self.phrases for hit in _spans(words, phrase, vocabulary)]
        if not hits:
            return []
        terms = {
            at for phrase in self.innocent for span in _spans(words, phrase, vocabulary) for at in span.taken
        }
        return [hit for hit in hits if not hit.taken & terms]


def _compiled(pattern: ClaimPattern) -> _Compiled:
    slots = tuple((name, tuple(forms)) for name, forms in sorted(pattern.slots.items()))
    return _compile(pattern.id, tuple(pattern.phrases), tuple(pattern.innocent), slots)


@lru_cache(maxsize=64)
def _compile(
    id: str,
    phrases: tuple[str, ...],
    innocent: tuple[str, ...],
    slots: tuple[tuple[str, tuple[str, ...]], ...],
) -> _Compiled:
    held = dict(slots)
    return _Compiled(
        id,
        tuple(_wording(_filled(phrase, held)) for phrase in phrases),
        tuple(_wording(_filled(phrase, held)) for phrase in innocent),
    )


def _wording(phrase: str) -> _Wording:
    pattern = pattern_of(phrase, _words_of)
    return _Wording(
        pattern, tuple(tuple(frozenset(form) - {"*"} for form in group) for group in pattern.groups)
    )


def _filled(phrase: str, slots: dict[str, tuple[str, ...]]) -> str:
    """Returns a wording with every form of its slots: "{gift} us" becomes "give us|offer us"."""
    groups = []
    for group in phrase.split(" + "):
        forms = []
        for form in group.split("|"):
            parts = _SLOT.split(form)
            choices: list[Sequence[str]] = [
                slots[part] if place % 2 else (part,) for place, part in enumerate(parts)
            ]
            forms += ["".join(chosen) for chosen in itertools.product(*choices)]
        groups.append("|".join(forms))
    return " + ".join(groups)


def _words_of(phrase: str) -> tuple[str, ...]:
    return ("%",) if phrase == "%" else words_in(phrase)


def _spans(words: tuple[str, ...], wording: _Wording, vocabulary: set[str]) -> list[Span]:
    """Returns where a wording stands; forms with a word that the clause lacks are not looked for."""
    groups = []
    for group, needs in zip(wording.pattern.groups, wording.needs, strict=True):
        possible = tuple(form for form, needed in zip(group, needs, strict=True) if needed <= vocabulary)
        if not possible:
            return []
        groups.append(possible)
    return find_pattern(words, Pattern(tuple(groups)), _same)


def _same(word: str, wanted: str) -> bool:
    if wanted == "%":
        return word.endswith("%")
    return word in (wanted, wanted + "s", wanted + "'s")


def _is_promised(said: _Said, span: Span, pattern: _Compiled, ours: frozenset[str]) -> bool:
    words = said.words
    if words[0] in SUPPOSED or "whether" in words[: span.start] or _is_of_others(words, span):
        return False
    if said.asked and not _is_offered(said, span):
        return False
    if _is_taken_back(words, span):
        return False
    if pattern.id != "guarantee" and _is_granted_by_others(words, span):
        return False
    last = next((at for at in range(span.end - 1, -1, -1) if _names_party(words, at, ours)), -1)
    # In "if it does not work we refund you" the condition's negation is over where we are named.
    over = max(last, 0) if words[0] in _IF and last >= 0 and words[last] in ours else 0
    if is_denied(words, said.breaks, span, over):
        return False
    if last >= 0 and words[last] in _OTHERS:
        return False
    if words[span.end : span.end + 1] == ("no",) and _GIFTS.intersection(words[span.end : span.end + 4]):
        # "We promise no discount" promises that there is none.
        return False
    if any(word.startswith(("promise", "assure")) for word in words[max(0, span.end - 2) : span.end]):
        return not _is_about_manners(words[span.end :])
    if words[span.end - 1].startswith("guaranteed") and _BREVITY.intersection(words[span.end : span.end + 4]):
        return False
    if pattern.id != "discount" or not _speaks_of_the_trade(words):
        return True
    # Where a clause speaks of the trade's discounts, only an explicit gift of ours is a promise.
    return last >= 0 and (words[last].startswith("our") or bool(_GIVING.intersection(words[last : span.end])))


def _names_party(words: tuple[str, ...], at: int, ours: frozenset[str]) -> bool:
    """Says whether a word names us or others; "no other vendor" and "unlike vendors" set us apart."""
    if words[at] in ours:
        return True
    apart = {"other", "unlike", "any"} & set(words[max(0, at - 2) : at])
    return words[at] in _OTHERS and not apart


def _speaks_of_the_trade(words: tuple[str, ...]) -> bool:
    """Says whether a clause is about what suppliers grant; invoices of ours are none of theirs."""
    apart = {at for at, word in enumerate(words) if word in {"other", "unlike", "our"}}
    of_ours = {
        at for at in range(len(words)) if words[at + 1 : at + 3] in {("from", "us"), ("from", "ledgerline")}
    }
    return any(
        word in _TRADE and not apart & {at - 1, at - 2} and at not in of_ours for at, word in enumerate(words)
    )


def _is_about_manners(rest: tuple[str, ...]) -> bool:
    following = [word for word in rest if word not in _LINKS][:3]
    if not following:
        return False
    first, second = following[0], following[1] if len(following) > 1 else ""
    if first == "be":
        return second in _QUALITIES
    if first == "keep":
        return second in _KEPT and not {"fees", "costs", "price", "prices"} & set(rest)
    refused = {"not", "never", "no"} & set(rest[:2])
    return first in _MANNERS or bool(_BREVITY.intersection(rest[:8] if refused else following))


def _is_offered(said: _Said, span: Span) -> bool:
    """Says whether a question makes the promise that it speaks of: "Can I give you 20% off?"."""
    words = said.words
    starts = [0, *(at for at in sorted(said.breaks) if at <= span.start)]
    starts = [at for at in starts if at < len(words)]
    start = starts[-1]
    if words[start] not in QUESTION_START:
        asking = [at for at in starts if words[at] in QUESTION_START]
        if not asking or words[start] in OURS or words[start] == "you":
            return tuple(words[start : start + 2]) not in {("you", "asked"), ("you", "want"), ("you", "mean")}
        start = asking[-1]
    head = words[start : start + 5]
    if any(word in {"our", "ours", "my"} for word in words[max(start, span.start - 2) : span.end]):
        return True
    if " ".join(head[:2]) in _LEADING:
        return True
    if head[1:2] in {("i",), ("we",)}:
        return (
            bool(_SHOWN.intersection(head[2:3]))
            if head[0] in {"did", "have", "do"}
            else (not _TALKING.intersection(head[2:4]))
        )
    if head[1:2] == ("you",):
        return (bool((_WELCOMING | _SHOWN).intersection(head[2:4])) and head[2:4] != ("be", "free")) or (
            head[2:3] == ("be",) and "interested" in head
        )
    proposed = head[0] in {"would", "could", "might", "will", "is", "are"} and not _THEIRS.intersection(
        head[1:2]
    )
    return proposed and bool(_MOVING.intersection(words[start:]))


def _is_taken_back(words: tuple[str, ...], span: Span) -> bool:
    """Says whether the rest denies it: "a trial is something that we do not have", "…: we do not"."""
    for at in range(span.end, len(words)):
        following = words[at + 1 : at + 3]
        if words[at] in {"we", "i"} and words[at - 1] not in _IF and NEGATION.intersection(following):
            after = words[at - 1] in {"that", "which", "what", "something"}
            ends = at + 4 >= len(words) and not {"joke", "kid", "lie", "bluff"} & set(words[at:])
            if after or (
                ends and words[at + 1] in {"do", "don't", "cannot", "can't", "never", "can", "won't"}
            ):
                return True
        if words[at] in {"is", "are", "isn't", "aren't", "was"}:
            denied = words[at].endswith("n't") or "not" in following[:1]
            if denied and _DENIED_LATER.intersection(words[at + 1 : at + 4]):
                return True
            if following[:1] == ("nothing",) and following[1:] and following[1] in {"that", "we", "i", "to"}:
                return True
            if following in {("no", "part"), ("no", "option"), ("no", "longer"), ("no", "topic")}:
                return True
    return False


def _is_granted_by_others(words: tuple[str, ...], span: Span) -> bool:
    """Says whether the rest names who grants it: "the discount that your suppliers offer"."""
    rest = words[span.end : span.end + 4]
    linked = [
        place for place, word in enumerate(rest) if word in {"that", "which", "from", "of", "by", "at", "on"}
    ]
    return bool(linked) and any(word in _OTHERS for word in rest[linked[0] : linked[0] + 4])


def _is_of_others(words: tuple[str, ...], span: Span) -> bool:
    """Says whether a condition speaks of somebody else: "if PayFlow offered you a trial"."""
    if words[0] in _RIVALS and not OURS.intersection(words[: span.end]):
        return True
    theirs = words[0] == "if" and len(words) > 1 and words[1] not in OURS | _PARTNER
    return theirs and not OURS.intersection(words[2 : span.end])
