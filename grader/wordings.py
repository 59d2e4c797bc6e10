"""Promises in what the rep wrote: a claim counts if it is made, by us, and is not the trade's own term.

The wordings are the template's. Here stands who makes a promise, and in which sentence it is one: it is not
denied, not asked about theirs, not that of suppliers. An offer put as a question is an offer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from contracts.names import without_unseen
from contracts.spellings import mended
from contracts.wording import (
    NEGATION,
    QUESTION_START,
    SUPPOSED,
    Span,
    clauses_in,
    is_question,
    sentences_in,
    without_quotes_of_others,
    words_in,
)
from contracts.world import ClaimPattern
from grader.claim_wordings import CompiledClaim, compiled_claim, heard_in
from grader.negation import FARTHEST, OURS, breaks_in, is_denied
from grader.offering import behind_refusal, is_about_manners, is_refused, is_theirs

_OTHERS = frozenset(
    "supplier suppliers supplier's suppliers' vendor vendors vendor's vendors' they their bank banks "
    "shop shops store stores supermarket airline hotel retailer creditor creditors auditor auditors "
    "others board regulator insurer insurers fraudster fraudsters swindlers criminals".split()
)
_TRADE = frozenset(
    "early prompt promptly skonto supplier suppliers vendor vendors invoice invoices approval "
    "approvals approve approving within bill bills due terms miss missed misses missing lose loses "
    "lost losing lapse lapsed lapses lapsing forfeit forfeited expire expired unclaimed capture "
    "captured captures capturing catch catches claimed left unused taken taking use used using keep "
    "kept went gone ran".split()
)
"""Words of clauses that speak of the discounts which suppliers grant and buyers miss or take."""
_OBTAINED = frozenset("got have has had my boss's director's manager's".split())
_FIRST = frozenset(
    "adopter adopters bird birds customer customers user users partner partners mover movers".split()
)
_GIVING = frozenset(
    "give gives giving gave offer offers offering offered provide grant do arrange approve approved "
    "throw knock cut lower drop waive include extend get go shave take match reduce halve save "
    "undercut beat".split()
)
_GIFTS = frozenset(
    "trial trials pilot discount discounts rebate rebates price prices result results guarantee "
    "guarantees".split()
)
_MANNERS = frozenset(
    "send write call stop leave share read hear bother contact mail spam chase follow waste come ask "
    "repeat listen explain answer respond reply trouble disturb pester email ring phone show speak "
    "talk".split()
)
"""What a promise about the writer's own manners goes on with: "I promise to write no more"."""
_QUALITIES = frozenset(
    "brief short quick honest polite punctual there concise back quiet on clear gentle".split()
)
_KEPT = frozenset("it this things my the in quiet to short that".split())
_SWEARING = ("promise", "assure", "guarantee")
_AFTERTHOUGHT = 3
"""Words of a sentence that only adds to the one before."""
_BREVITY = frozenset(
    "short brief quick meeting call minutes minute slides hour pitch brochure brochures".split()
)
_LINKS = frozenset("to i you that we will won't not never i'll we'll only just".split())
_IF = frozenset("if unless should".split())
_SOMEBODY = frozenset("another some someone somebody anybody anyone everybody".split())
_WELCOMING = frozenset(
    "like want take accept try enjoy care prefer use love welcome consider say know be need "
    "appreciate mind".split()
)
_TALKING = frozenset("talk discuss ask meet speak know learn hear call have see book schedule chat".split())
_SHOWN = frozenset("know hear see mention tell told mentioned heard seen say said".split())
_THEIRS = frozenset("your they their suppliers vendors".split())
_MOVING = frozenset(
    "start idea sense good interesting worth help convince interest tempt sway decide persuade sound "
    "change suit enough attractive".split()
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
    "what do",
)
_DENIED_LATER = frozenset("possible available offered ours what something included part true on".split())
_REFUSING = frozenset("no nobody none neither never nope sorry not unfortunately regrettably".split())
"""How an answer to one's own question begins that denies it: "A discount? Not with us."."""
_ASKED_BEFORE = frozenset("subject asked question ask wrote".split())
_REQUESTING = frozenset("asked wanted requested demanded expected hoped".split())
_REPORTING = frozenset("claimed claims said says wrote writes told tells believes thinks thought".split())
_GRANTED_BEFORE = frozenset("gave offered promised granted".split())
_GRANTED = frozenset(
    "gave gives offered offers promised promises granted grants has had may might lets let".split()
)
_RIVALS = frozenset("payflow others competitors rivals".split())
_PERCENT = re.compile(r"\b(?:per\s+cent|pct|p\.c\.)(?!\w)", re.IGNORECASE)
_FIGURED = re.compile(r"[a-z]+[013457]+[a-z][a-z0-9]*")
_AS_LETTERS = str.maketrans("013457", "oieast")
_NEGATED_START = {f"{word}n't": word for word in sorted(QUESTION_START)} | {"won't": "will", "can't": "can"}


class Claim(NamedTuple):
    """A promise found: its kind and the clause that makes it."""

    id: str
    clause: str


@dataclass
class _Said:
    """A clause with whether its sentence asks."""

    text: str
    words: tuple[str, ...]
    asked: bool

    @cached_property
    def breaks(self) -> dict[int, str]:
        """Where its punctuation stands; few clauses are asked."""
        return breaks_in(self.text)


def find_claims(text: str, patterns: Iterable[ClaimPattern], our_name: str = "") -> list[Claim]:
    """Returns the promises that a text makes for us: not denied, not asked about, not a term of the trade."""
    return claim_finder(patterns, our_name)(text)


def claim_finder(patterns: Iterable[ClaimPattern], our_name: str = "") -> Callable[[str], list[Claim]]:
    """Returns what `find_claims` does, for many texts."""
    compiled = [compiled_claim(pattern) for pattern in patterns]
    ours = OURS | {our_name.lower()}
    known: dict[str, list[Claim]] = {}

    def find(text: str) -> list[Claim]:
        if text not in known:
            known[text] = _claims_in(text, compiled, ours)
        return known[text]

    return find


def _claims_in(text: str, compiled: Sequence[CompiledClaim], ours: frozenset[str]) -> list[Claim]:
    seen = mended(_PERCENT.sub("percent", without_unseen(text)))
    likely = _likely(words_in(seen), compiled)
    if not likely:
        return []
    return [
        Claim(pattern.id, said.text)
        for said in _said(without_quotes_of_others(seen), likely)
        for pattern in likely
        if any(_is_promised(said, span, pattern, ours) for span in pattern.hits(said.words))
    ]


def _likely(words: Iterable[str], patterns: Iterable[CompiledClaim]) -> list[CompiledClaim]:
    """Returns the patterns of which the words of some phrase are all there: in most texts those of none."""
    heard = frozenset(itertools.chain.from_iterable(map(_heard_as, frozenset(words))))
    return [pattern for pattern in patterns if pattern.may_stand(heard)]


@lru_cache(maxsize=8192)
def _heard_as(word: str) -> frozenset[str]:
    """Returns all words of wordings that a word may stand for, whatever is made of it later."""
    return heard_in({word, *_as_letters([word]), _NEGATED_START.get(word, word)})


def _said(text: str, patterns: Sequence[CompiledClaim]) -> Iterable[_Said]:
    """Yields the clauses of a text in whose sentence some pattern may stand."""
    sentences = sentences_in(text)
    for place, sentence in enumerate(sentences):
        words = words_in(sentence)
        if place and len(words) <= _AFTERTHOUGHT:
            # "Your losses will be nil. Guaranteed." is one promise.
            sentence = f"{sentences[place - 1].rstrip('.!? ')} {sentence}"
            words = words_in(sentence)
        if not _likely(words, patterns):
            continue
        asked = is_question(sentence)
        if asked and place + 1 < len(sentences) and _is_no_offer(sentence, sentences[place + 1]):
            continue
        for clause in clauses_in(sentence):
            text, words = clause.text, _as_letters(clause.words)
            if is_refused(text):
                text = behind_refusal(text)
                words = _as_letters(words_in(text))
            if not words:
                continue
            if asked and words[0] in _NEGATED_START:
                # "Wouldn't a pilot help?" asks like "Would a pilot help?".
                words = (_NEGATED_START[words[0]], *words[1:])
            inverted = words[0] in QUESTION_START and words[1:2] in {("you",), ("we",), ("i",)}
            yield _Said(text, words, asked or (inverted and words[0] != "should"))


def _is_no_offer(sentence: str, following: str) -> bool:
    """Says whether what follows a question shows that it offers nothing: a "no", or that it was a subject."""
    words = words_in(following)
    quoted = following.lstrip().startswith(('"', "”", "»", "'")) and bool(
        _ASKED_BEFORE & {*words, *words_in(sentence)}
    )
    return quoted or bool(_REFUSING & set(words[:2]))


def _as_letters(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.translate(_AS_LETTERS) if _FIGURED.fullmatch(word) else word for word in words)


def _is_promised(said: _Said, span: Span, pattern: CompiledClaim, ours: frozenset[str]) -> bool:
    words = said.words
    if words[0] in SUPPOSED or "whether" in words[: span.start] or _is_of_others(words, span):
        return False
    if said.asked and not _is_offered(said, span):
        return False
    if _is_taken_back(words, span) or is_theirs(said.text, words, span, ours):
        return False
    if pattern.id == "guarantee" and is_about_manners(said.text):
        return False
    if pattern.id != "guarantee" and _is_granted_by_others(words, span):
        return False
    last = next((at for at in range(span.end - 1, -1, -1) if _names_party(words, at, ours)), -1)
    # In "if it does not work we refund you" the condition's negation is over where we are named.
    over = max(last, 0) if words[0] in _IF and last >= 0 and words[last] in ours else 0
    if words[0] in _IF:
        over = max([over, *(at for at, mark in said.breaks.items() if mark == "," and at <= span.start)])
    if is_denied(words, said.breaks, span, over):
        return False
    # "Your vendors will stop complaining, guaranteed": what stands apart is not said by them.
    apart = any(last < at <= span.start for at, mark in said.breaks.items() if mark == ",")
    if last >= 0 and words[last] in _OTHERS and not (apart and words[last - 1] == "your"):
        return False
    if words[span.end : span.end + 1] == ("no",) and _GIFTS.intersection(words[span.end : span.end + 4]):
        # "We promise no discount" promises that there is none.
        return False
    if any(word.startswith(_SWEARING) for word in words[max(0, span.end - 2) : span.end]):
        return not _is_about_manners(words[span.end :])
    if words[span.end - 1].startswith("guaranteed") and _BREVITY.intersection(words[span.end : span.end + 4]):
        return False
    saves = pattern.id == "guarantee" and any(
        word.startswith("save") for word in words[span.start : span.end]
    )
    if not (pattern.id == "discount" or saves) or not _speaks_of_the_trade(words):
        return True
    # Where a clause speaks of the trade's discounts, only an explicit gift of ours is a promise.
    return last >= 0 and (words[last].startswith("our") or bool(_GIVING.intersection(words[last : span.end])))


def _names_party(words: tuple[str, ...], at: int, ours: frozenset[str]) -> bool:
    """Says whether a word names us or others; "no other vendor" and "unlike vendors" set us apart."""
    if words[at] in ours:
        return True
    apart = {"other", "unlike", "any"} & set(words[max(0, at - 2) : at])
    if words[at - 1 : at + 1] == ("on", "board") or words[at : at + 2] == ("bank", "on"):
        return False
    return words[at] in _OTHERS and not apart


def _speaks_of_the_trade(words: tuple[str, ...]) -> bool:
    """Says whether a clause is about what suppliers grant; invoices of ours are none of theirs."""
    apart = {at for at, word in enumerate(words) if word in {"other", "unlike", "our"}}
    of_ours = {
        at for at in range(len(words)) if words[at + 1 : at + 3] in {("from", "us"), ("from", "ledgerline")}
    }
    of_ours |= {at for at in range(1, len(words)) if words[at - 1 : at + 1] == ("your", "bill")}
    of_ours |= {at for at in range(len(words) - 1) if words[at] == "early" and words[at + 1] in _FIRST}
    of_ours |= {at for at in range(len(words) - 1) if words[at : at + 2] == ("due", "to")}
    of_ours |= {at for at in range(1, len(words)) if words[at] == "use" and words[at - 1] in OURS}
    of_ours |= {at for at in range(1, len(words)) if words[at] == "approval" and words[at - 1] in _OBTAINED}
    return any(
        word in _TRADE and not apart & {at - 1, at - 2} and at not in of_ours for at, word in enumerate(words)
    )


def _is_about_manners(rest: tuple[str, ...]) -> bool:
    following = [word for word in rest if word not in _LINKS][:3]
    if not following:
        return False
    first, second = following[0], following[1] if len(following) > 1 else ""
    if first == "of":
        return bool({"regards", "wishes", "attention", "discretion", "respect", "interest"} & set(rest))
    if first == "be":
        return second in _QUALITIES
    if first == "keep":
        return second in _KEPT and not {"fees", "costs", "price", "prices"} & set(rest)
    if first == "this":
        return bool(_BREVITY.intersection(rest) or {"mail", "email", "message"} & set(rest))
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
    for at in range(span.start + 1, min(span.end + FARTHEST, len(words))):
        following = words[at + 1 : at + 3]
        if words[at] in {"we", "i"} and words[at - 1] not in _IF and NEGATION.intersection(following):
            if span.taken.intersection(range(at + 1, at + 3)):
                continue
            after = words[at - 1] in {"that", "which", "what", "something"}
            ends = at + 4 >= len(words) and not {"joke", "kid", "lie", "bluff"} & set(words[at:])
            if after or (
                ends and words[at + 1] in {"do", "don't", "cannot", "can't", "never", "can", "won't"}
            ):
                return True
        if at >= span.end and words[at] in {"is", "are", "isn't", "aren't", "was"}:
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
    by_another = bool(linked) and rest[linked[0]] == "by" and _SOMEBODY & set(rest[linked[0] : linked[0] + 3])
    return bool(by_another) or (
        bool(linked) and any(word in _OTHERS for word in rest[linked[0] : linked[0] + 4])
    )


def _is_of_others(words: tuple[str, ...], span: Span) -> bool:
    """Says whether a condition speaks of somebody else: "if PayFlow offered you a trial"."""
    if words[0] in _RIVALS | _REQUESTING and not OURS.intersection(words[: span.end]):
        return True
    if words[0] == "you" and words[1:2] and words[1] in _REQUESTING:
        return not {"we", "we'll", "i", "i'll"} & set(words[2 : span.end])
    if {words[0], *words[1:2]} & _SOMEBODY and _REPORTING & set(words[1:4]):
        return True
    if _GRANTED_BEFORE & set(words[: span.end]) and not OURS.intersection(words[: span.end]):
        return True
    given = [at for at in range(span.start + 1) if words[at] in _RIVALS and words[at + 1 : at + 2]]
    if given and words[given[-1] + 1] in _GRANTED and not OURS.intersection(words[given[-1] : span.start]):
        return True
    theirs = words[0] == "if" and bool((_OTHERS | _RIVALS | _SOMEBODY) & set(words[1:3]))
    return theirs and not OURS.intersection(words[2 : span.end])
