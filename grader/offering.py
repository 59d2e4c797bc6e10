"""Who offers what a clause has the words of: we, or somebody else, or nobody since it is refused.

Belongs here: the party of an offer, and refusals of a whole sentence. What a negation reaches stands in
`grader.negation`, which wordings make a promise is the template's.
"""

from __future__ import annotations

import re

from contracts.wording import Span, words_in
from grader.negation import OURS

_FRAME = re.compile(
    r"\b(?:i|we)(?:'ve|'m|'d| have| had| am| can| could| do| did)?(?: \w+){0,2}? (?:read|saw|see(?! to\b)"
    r"|hear|heard|noticed|gather"
    r"|understand|understood|learned|learnt|believe|think|suppose|guess|know|remember|wonder|admit|recall"
    r"|found|hope|wish)\b(?! you)"
    r"|\byou (?:told|wrote|said|mentioned)(?: to)?(?: me| us)?\b"
    r"|\b(?:your|the) (?:\w+ ){0,2}(?:news|page|site|website|letter|report|paper|statement"
    r"|newsletter)(?: \w+)? (?:says?|tells?"
    r"|writes?|reports?|mentions?)\b"
    r"|\bwhich (?:i|we) (?:\w+ )?\w+$"
    r"|\b(?:says?|tells?|writes?|reports?|according to|in|on) (?:your|the) (?:\w+ )?(?:news|page|site"
    r"|website|letter|report|paper"
    r"|statement|newsletter|brochure)\b",
    re.IGNORECASE,
)
"""How a writer says where they have something from: who is named there gives nothing."""
_REFUSED = re.compile(
    r"\b(?:dishonest|wrong|foolish|premature|too early|unwise|bold|rash|unfair|silly|reckless|hard"
    r"|difficult|impossible|mad)"
    r" (?:\w+ ){0,3}?to (?:promise|guarantee|assure|claim|say|tell|offer)\b"
    r"|\b(?:must|have to|need to) (?:disappoint|refuse|decline|pass)\b|\bdecided by others\b"
    r"|\bfor others to (?:decide|say)\b"
    r"|\b(?:not|isn't|aren't) (?:mine|up to me|for me|my (?:job|department|place|business|call))\b"
    r"|\bbeyond my\b|\babove my pay\b"
    r"|\b(?:no|not the) (?:authority|power|right|permission|mandate|say)\b|\bnot (?:authori[sz]ed|allowed"
    r"|entitled|in a position)\b"
    r"|\b(?:can't|cannot|can not|couldn't|won't|will not|don't|do not) (?:\w+ )?make (?:an "
    r"|any )?(?:offers?|promises?|concessions?)\b"
    r"|\bthere is none\b|\bI withdraw\b|\b(?:wrong person|ask (?:our|the) sales)\b",
    re.IGNORECASE,
)
_ACTIVE = (
    r"(?:waived?s?|cuts?|lowers?|lowered|reduces?|reduced|gave|gives?|grants?|granted|offers?|offered"
    r"|guarantees?"
    r"|guaranteed|promised|promises?|gets?|got|received|receives?|let|lets|refunds?|refunded|returns?"
    r"|returned|won|saved|saves?"
    r"|works?|worked|pays?|paid|halved|dropped|repaid|enjoys?|enjoyed|had|has|have to|was|were|claims?"
    r"|claimed)"
)
_ACTED = (
    r"(?:waive[sd]|cuts?(?= (?:the|its|their|his|her|costs?|prices?))|lowers|lowered|reduces|reduced|gave"
    r"|gives|grants|granted"
    r"|offers(?= )|offered|guarantees|guaranteed|promises|promised|gets|got|received|receives|lets|refunds"
    r"|refunded|returns"
    r"|returned|won|saved|works|worked|pays|paid|halved|dropped|repaid|enjoys|enjoyed|had|has|was|were"
    r"|claims|claimed)"
)
_STRANGER = re.compile(
    rf"^(?:but |and |so |since |as |because |when )?(?!Ledgerline\b|I\b|We\b|You\b|It\b|There\b)"
    rf"(?:[A-Z][\w&'-]+)(?: [A-Z][\w&'-]+)* {_ACTED}\b(?! (?:yours|to you|by us))"
)
"""A clause that begins with a name, of whom it tells."""
_YOURS = re.compile(
    rf"^(?:but |and |so |since |as |because |when )?your ((?:(?!if\b|when\b|unless\b|or\b|is\b|are\b|be\b"
    rf"|been\b|was\b|were\b)[\w'-]+ ){{1,5}}?)"
    rf"(?:(?:in|of|for|at|on|to|with|from) (?:[\w'-]+ ){{1,3}}?)?(?!gets?\b|receives?\b|pays?\b|saves?\b"
    rf"|enjoys?\b){_ACTIVE}\b",
    re.IGNORECASE,
)
"""A clause that begins with somebody or something of the reader's, of whom it tells."""
_GONE_BY = re.compile(
    r"\b(?:we|i|clients|customers) (?:used to|once)\b|\b(?:could|would|might|should) have (?:paid|saved"
    r"|got|had|been|taken|used|kept)\b"
    r"|\byou (?:were|had been) (?:entitled|able|allowed|offered|promised|charged|billed)\b",
    re.IGNORECASE,
)
"""What was or might have been."""
_OWNED = re.compile(r"^your ((?:[\w'-]+ ){1,3}?)(?:is|are)\b", re.IGNORECASE)
_GOING_ON = re.compile(
    r"\b(?:runs|ran|went|goes|worked|works|expired|began|begins|ended|started|opened|was|were)\b",
    re.IGNORECASE,
)
_THIN = 2
_FULL = 9
"""Words of a clause in which two words alone, and nobody named, offer nothing."""
_HAPPENED = re.compile(
    r"\b(?:was|were|has been|have been|had been) (?:\w+ly )?(?:\w+ed|cut|paid)\b", re.IGNORECASE
)
_SOMEBODY = re.compile(
    r"\b(?:everybody|everyone|anyone|others|some|many|most|salesm[ae]n|sellers?|salespeople|competitors?"
    r"|rivals?"
    r"|who|whoever|nobody|firms|companies|people|a friend|someone|somebody) (?:\w+ )?(?:guarantees?"
    r"|promises?|promised|offers?"
    r"|offered|gives?|gave|grants?|granted|says?|said|lures?|lured|advertises?|attracts?|boasts?)\b"
    r"|\bother (?:vendors?|providers?|firms|suppliers?|tools?|companies) (?:\w+ )?\w+"
    rf"|\b(?:your|his|her|the|a|my) (?:\w+ )?(?:provider|vendor|supplier|consultant|competitor|insurer"
    rf"|landlord|advis[eo]r"
    rf"|auditor|airline|court|regulator|broker|lawyer)s? (?:\w+ ){{0,2}}?{_ACTIVE}\b",
    re.IGNORECASE,
)
_THIRD = frozenset("its their his her they them he".split())
_TO_READER = frozenset("you you'll you'd you're you've your yours".split())
_THINGS = frozenset(
    "fee fees licence license subscription price prices invoice bill setup onboarding training pilot trial "
    "plan quote "
    "rate tariff contract module migration instalment payment payments first next second entry access "
    "seats users "
    "savings return costs cost backlog".split()
)
"""What of the reader's is ours to give: "your fee"."""
_FUTURE = re.compile(r"\b(?:will|won't|would|going to|\w+'ll|\w+'d|shall|can|may)\b", re.IGNORECASE)
_MANNERS = re.compile(
    r"\b(?:hear from (?:me|us)|from (?:me|us) again|(?:your|the) answer|your reply|stays? between"
    r"|confidential|in confidence|keep (?:it|this"
    r"|things) (?:\w+ )?(?:short|brief|quiet|simple)|(?:be|is|am) (?:brief|short|quick|punctual|polite"
    r"|honest)|minutes|slides|spam"
    r"|mass mail|(?:third|last|second|only) (?:e?-?mail|message|time)|is the last|(?:mail|write|call|ring"
    r"|bother|disturb|contact|email|chase|trouble|pester) (?:you|again|twice|a (?:second|third))"
    r"|call (?:\w+ )?again|sales (?:pitch|talk)|sell you|read your|long speech|brochure)\b",
    re.IGNORECASE,
)
_PAINS = re.compile(
    r"\b(?:fees?|costs?|sav\w+|percent|%|duplicat\w*|backlog|discounts?|disputes?|fraud\w*|findings?"
    r"|refund\w*|money|results?|return"
    r"|penalt\w+|losses|invoices?|interest|free|success|profit|auditors?|price)\b|%",
    re.IGNORECASE,
)


_NEW_SUBJECT = re.compile(
    r"(?:[,:;]|\s[–—-]|\s(?:and|but|yet|still))\s+(?:and |but |yet |still )?"
    r"(?=(?:we|i|you|our|your|us|ledgerline)\b)",
    re.IGNORECASE,
)
"""Where a clause begins anew with us or you."""


def behind_refusal(text: str) -> str:
    """Returns what a clause says of us or you behind a refusal: "it is not my call: we give you 20% off"."""
    parts = _NEW_SUBJECT.split(text)
    refused = [place for place, part in enumerate(parts) if is_refused(part)]
    return ", ".join(parts[refused[-1] + 1 :]) if refused else ""


def is_refused(sentence: str) -> bool:
    """Says whether a sentence as a whole refuses or leaves to others what it names."""
    return bool(_REFUSED.search(sentence))


def is_about_manners(clause: str) -> bool:
    """Says whether a clause promises but how its writer will behave: "Rest assured that I'll be brief"."""
    found = _MANNERS.search(clause)
    return bool(found) and not _PAINS.search(clause)


def is_theirs(clause: str, words: tuple[str, ...], span: Span, ours: frozenset[str]) -> bool:
    """Says whether a clause tells of somebody else's gift: no word of it but of a frame names us."""
    framed = _framed(clause)
    named = {at for at, word in enumerate(words) if word in ours | OURS} - framed
    if framed & span.taken and not named and any(words[at] in ours | OURS for at in framed & span.taken):
        return True
    if _SOMEBODY.search(clause) and not named:
        return True
    if _GONE_BY.search(clause):
        return True
    if named:
        return False
    told = {at for at, word in enumerate(words) if word in _TO_READER} - framed
    if not told and (framed or _STRANGER.search(clause) or _HAPPENED.search(clause)):
        return True
    if not told and len(span.taken) <= _THIN and len(words) >= _FULL and _GOING_ON.search(clause):
        return True
    if framed and (owned := _OWNED.search(clause)) and owned.group(1).split()[-1].lower() not in _THINGS:
        return True
    if (yours := _YOURS.search(clause)) and not _FUTURE.search(yours.group()):
        return yours.group(1).split()[-1].lower() not in _THINGS
    return not told and bool(_THIRD & set(words)) and not _FUTURE.search(clause)


def _framed(clause: str) -> set[int]:
    found: set[int] = set()
    for match in _FRAME.finditer(clause):
        start = len(words_in(clause[: match.start()]))
        found.update(range(start, start + len(words_in(match.group()))))
    return found
