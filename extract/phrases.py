"""What a text says, by fixed wordings: verdicts, refusals, offers, asks, notices; negations do not count.

Belongs here: patterns of business English and the questions asked of one text. Never returns a sentence.
"""

from __future__ import annotations

import re
from enum import StrEnum

from contracts.wording import clauses_in, is_question

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_GRANTED = re.compile(
    r"\bapproved?\b|\bfine (?:by|with) me\b|\bgo ahead\b|\byes,? go\b|\bok(?:ay)? to\b|\bagreed\b"
    r"|\bsigned off\b|\bgood to go\b|\bgreen light\b|\bconfirmed\b|\bwe (?:credit|replace)\b",
    re.I,
)
_DECLINED = re.compile(
    r"\bdeclined?\b|\brejected?\b|\bnot approved\b|\bnot like this\b|\bno credit\b|\brefused?\b"
    r"|\bask again\b|\bredo it\b|\bnothing to credit\b|\bdenied\b",
    re.I,
)
_APPROVAL_ASK = re.compile(
    r"\bapprov(?:e|al)\b|\bok(?:ay)? on\b|\bgood to go\b|\bsign[- ]?off\b|\bhave a look at (?:the )?quote\b",
    re.I,
)
_COMPLAINT = re.compile(
    r"\bcomplain(?:t|s|ed)?\b|\bmoney back\b|\bwrong(?:ly)? (?:billed|charged|legal entity)\b",
    re.I,
)

_MEETING = re.compile(
    r"\bcall\b|\bmeet(?:ing)?\b|\bminutes\b|\bhalf an hour\b|\btalk\b|\bdemo\b|\bslot\b|\bshow you\b"
    r"|\btime (?:this|next) week\b|\bchat\b",
    re.I,
)
_ASK = re.compile(
    r"\b(?:would|could|can|do|may|might|shall|are) (?:you|we|i)\b|\btell me a time\b"
    r"|\bwhen (?:would|could|can)\b"
    r"|\bany slot\b|\bopen to\b|\bhow about\b|\blet me know (?:a|when|what) time\b",
    re.I,
)
_DAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thur?s?|fri|satur|sun)(?:day)?\b"
    r"|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}\b"
    r"|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    r"|\btomorrow\b|\b\d{1,2}/\d{1,2}\b",
    re.I,
)
_CLOCK = re.compile(
    r"\b\d{1,2}(?::|\.|h)\d{2}\b|\b\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock)\b|\bnoon\b",
    re.I,
)

_STOP = re.compile(
    r"do not (?:contact|write|mail|e-?mail|call)|don't (?:contact|write|mail|e-?mail|call)"
    r"|\bstop (?:contacting|writing|mailing|e-?mailing)|\boff your list\b|\bno more (?:e-?)?mails?\b"
    r"|\bremove (?:my address|me|us)\b|\bunsubscribe me\b|\bstop all outreach\b",
    re.I,
)
_SIGNED = re.compile(
    r"\b(?:has|have|is|are|was) signed\b|\bsigned (?:with|yesterday|today|last|the)\b",
    re.I,
)
_WRONG_PERSON = re.compile(
    r"(?i:\bwrong person\b|\bnot my (?:area|department|field)\b|\bnot the right (?:person|contact)\b)"
    r"|(?i:\bi (?:do not|don't) (?:look after|handle|deal with)\b|\bwould be the one to ask\b)"
    r"|\b[Tt]ry [A-Z]\w+ [A-Z]"
)
_TIMING = re.compile(
    r"\b(?:not|nothing) .{0,40}\b(?:this|next) (?:year|quarter)\b"
    r"|\bnot (?:now|right now|at the moment|the right time)\b"
    r"|\bnext year\b|\bmaybe later\b|\bpark this\b|\bcome back (?:to us|later|in)\b",
    re.I,
)
_PRIORITY = re.compile(r"\bpriorit(?:y|ies)\b", re.I)
_NO_NEED = re.compile(
    r"\bno need\b|\bnot interested\b|\bdon't need\b|\bdo not need\b|\bwe are (?:all )?set\b",
    re.I,
)
_ASK_BACK = re.compile(
    r"\bwhat (?:exactly )?(?:do|are|is|would|did) (?:you|the next|your)\b.{0,40}"
    r"\b(?:want|propos|need|step|suggest|ask)"
    r"|\bwhat .{0,30}(?:next step|need from me|want from us)\b"
    r"|\bhow does (?:it|this) work\b|\bwhat is this about\b",
    re.I,
)
_UNFIT = re.compile(
    r"\btoo (?:small|big|much)\b|\bonly \d+ of us\b|\bwe are \d+ people\b|\bpublic body\b|\btender\b"
    r"|\bour books are on\b|\bwe run .{2,40}\bwill not change\b|\bonly operate in\b|\bdoubt that you cover\b",
    re.I,
)
_ACQUIRED = re.compile(
    r"\b(?:bought|acquired|taken over)\b.{0,30}\b(?:us|company|last|by)\b|\bnow (?:belong|part of|owned)\b"
    r"|\bbelong to\b|\bwas acquired\b|\btook us over\b",
    re.I,
)
_CANCEL = re.compile(
    r"\b(?:have to|need to|must) (?:cancel|move|postpone|reschedule)\b|\bcan(?:no|')t make\b|\bcannot make\b"
    r"|\bis gone\b|\bcancel(?:led|ing)?\b.{0,60}\binstead\b|\bcould we (?:move|do .{3,60} instead)",
    re.I,
)
_AWAY = re.compile(
    r"\bout of (?:the )?office\b|\bon (?:leave|vacation|holiday)\b|\bback on\b|\bno access to mail\b",
    re.I,
)

_EXCEPTION = re.compile(
    r"\b(?:take|keep|accept|sign|do) (?:them|it|this one|him|her) anyway\b"
    r"|\bmake an exception\b|\bas an exception\b"
    r"|\bgave my word\b",
    re.IGNORECASE,
)


class Verdict(StrEnum):
    """What somebody decided about a request."""

    GRANTED = "granted"
    DECLINED = "declined"


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text, in order, blank ones left out."""
    joined = re.sub(r"(?<![.!?:,])\n(?=[a-z])", " ", text)
    return [part.strip() for part in _SENTENCE.split(joined) if part.strip()]


def verdict(text: str) -> Verdict | None:
    """Returns what a text decides, or None where it decides nothing; questions decide nothing."""
    found: Verdict | None = None
    for sentence in sentences(text):
        if is_question(sentence):
            continue
        if _DECLINED.search(sentence):
            return Verdict.DECLINED
        if _is_asserted(_GRANTED, sentence):
            found = Verdict.GRANTED
    return found


def grants_exception(text: str) -> bool:
    """Says whether a text lets something pass against the rule."""
    return any(_EXCEPTION.search(one) and not is_question(one) for one in sentences(text))


def asks_approval(text: str) -> bool:
    """Says whether a text asks somebody to approve something."""
    return _APPROVAL_ASK.search(text) is not None


def is_complaint(text: str) -> bool:
    """Says whether a text complains."""
    return _COMPLAINT.search(text) is not None


def asks_meeting(text: str) -> bool:
    """Says whether a text asks its reader for a call or meeting."""
    return any(
        _MEETING.search(sentence) and (_ASK.search(sentence) or is_question(sentence))
        for sentence in sentences(text)
    )


def times_offered(text: str) -> int:
    """Returns how many times of day stand in a text that also names a day."""
    return len(_CLOCK.findall(text)) if _DAY.search(text) else 0


def is_stop_request(text: str) -> bool:
    """Says whether a text asks not to be contacted any more."""
    return _STOP.search(text) is not None


def says_signed(text: str) -> bool:
    """Says whether a text states that somebody has signed, outside questions and negations."""
    return _is_asserted(_SIGNED, text)


def is_wrong_person(text: str) -> bool:
    """Says whether a text sends its reader to somebody else."""
    return _WRONG_PERSON.search(text) is not None


def asks_back(text: str) -> bool:
    """Says whether a text asks what its reader wants."""
    return any(is_question(sentence) and _ASK_BACK.search(sentence) for sentence in sentences(text))


def is_unfit_answer(text: str) -> bool:
    """Says whether a text gives a reason why the writer's company does not fit."""
    return _UNFIT.search(text) is not None or says_acquired(text)


def says_acquired(text: str) -> bool:
    """Says whether a text states that the writer's company was bought."""
    return _ACQUIRED.search(text) is not None


def cancels_meeting(text: str) -> bool:
    """Says whether a text takes back an agreed time."""
    return _CANCEL.search(text) is not None


def is_absence(text: str) -> bool:
    """Says whether a text reports that its writer is away."""
    return _AWAY.search(text) is not None


def refusal_wording(text: str) -> str:
    """Returns the kind of wording in which a text refuses, empty where it does not."""
    if is_stop_request(text):
        return "stop_request"
    if is_wrong_person(text):
        return "wrong_person"
    if _PRIORITY.search(text):
        return "not_a_priority"
    if _NO_NEED.search(text):
        return "no_need"
    if _TIMING.search(text):
        return "timing"
    return ""


def _is_asserted(pattern: re.Pattern[str], text: str) -> bool:
    """Says whether a pattern stands in a clause that is neither negated before it, asked nor supposed."""
    return any(
        clause.asserts(sum(len(part.words) for part in clauses_in(clause.text[: found.start()])))
        for clause in clauses_in(text)
        if (found := pattern.search(clause.text)) is not None
    )
