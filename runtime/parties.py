"""Whom a clause tells of: the reader's company, the writer, somebody else, or nobody that it names.

A clause is about the party that it mentions first, once the frame is taken off in which a writer tells where
they have it from ("I read that"). A named stranger goes before all. What follows for a mail, and for a clause
that names nobody, stands with the statements.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from contracts.names import fold
from contracts.wording import DAYS, QUESTION_START, Clause, words_in
from runtime.facts import MONTHS

YOU = frozenset("you your yours you've you're you'd you'll yourselves yourself".split())
SAYS = frozenset(
    "calls admits regrets laments describes notes complains confirms puts mentions concedes "
    "acknowledges considers deems reads says say said tells tell told writes wrote speaks states stated "
    "names named".split()
)
SOURCES = frozenset(
    "news newsroom report reports reported announcement announced article paper press letter "
    "statement headline headlines spokesperson spokesman publication published disclosed disclosure "
    "notice review audit auditors board figures page website site newspaper item".split()
)
"""Who or what tells of the company to which a mail is sent: its news, its board, its auditors."""
_LEARNED = frozenset(
    "read reading saw seen see seeing hearing noticing heard hear learned learnt learn noticed understand "
    "understood gather "
    "gathered across found stumbled discovered reported mentioned judging published disclosed "
    "announced".split()
)
"""Verbs by which a writer has something from elsewhere: "I read that", "as we learned"."""
_TOLD = _LEARNED | frozenset(
    "know think believe felt guess imagine suppose assume note noted trust hope wrote remembered bet "
    "thought fear sympathise feel admire take refer quote followed sorry reckon find knew".split()
)
REFERENCES = (SOURCES | _LEARNED) - frozenset(
    "review audit auditors board figures across found police".split()
)
WRITER = frozenset("we we've we'd we'll we're our ours my mine me i i'd i've i'll i'm ledgerline us".split())
_BODIES = frozenset(
    "company companies firm firms business businesses team teams group groups enterprise enterprises "
    "organisation organisations organization organizations office offices department departments "
    "corporation corporations employer employers leaders chiefs controllers accountants cfos "
    "bookkeepers people clerks manager managers buyers".split()
)
"""What a reader's company, or any other, is called: whose it is lies in the word before it."""
_OF_BUSINESS = frozenset("partner partners year day days case side trip".split())
OTHERS = frozenset(
    "competitor competitors rival rivals peer peers customer customers client clients neighbour "
    "neighbours neighbor neighbors friend friends brother sister uncle aunt cousin father mother "
    "wife husband hospital hospitals school schools university council bakery builder baker retailer "
    "retailers manufacturer manufacturers wholesaler wholesalers hotel shop charity club parent "
    "payflow acquaintance venetians".split()
)
"""Who is somebody else, whoever owns them; also a trade that a company's name may tell of."""
_TRADES = frozenset(
    "industry sector market branch economy profession world statistics studies study surveys survey "
    "europe".split()
)
_EVERYBODY = frozenset("everybody everyone everyone's everybody's others anyone".split())
"""Who is the reader too, where a clause goes on to name them."""
_TRADE_PRESS = frozenset("paper papers press fair journal magazine newspaper".split())
_ANY = frozenset(
    "a an some many most several few every each any another other such certain all average typical "
    "similar large small mid-size no countless numerous thousands hundreds more two three lots "
    "plenty".split()
)
_THIS = frozenset("the this that these those its their his her whose own".split())
_LOOKS_BACK = 3
_ADDRESS = re.compile(
    r"\b(compan\w+|firms?|teams?|groups?|business\w*|people|organi[sz]ations?|chiefs?|leaders?|offices?)"
    r" (?:like|such as|as) (?:you|yours)\b"
    r"|\b(?:like|as with|just as|unlike|than) (?:so )?(?:most|many|other|some|all|any)(?: other)? \w+\b"
    r"|\b(?:unlike|streets from|away from) (?:you|yours)\b"
    r"|\b(?:did|do|have|can|could|would|will|may|might) you (?:\w+ )?(?:know|hear|heard|read|see|seen"
    r"|remember)\b"
    r"|\b(?:as |if )?you (?:surely |certainly |may |might )?know\b|\bthank you\b|\b(?:wher|what|when"
    r"|how)ever you\b"
    r"|\b(?:as )?you can imagine\b|\bbelieve you\b|\bwith you\b(?= (?:about|in a|on|tomorrow|today|\w+day))"
    r"|\b(?:show|tell|let|help|offer|ask|write|bring|give|send|meet|see|telling|spare) you\b",
    re.IGNORECASE,
)
"""Words to the reader that tell nothing of them: "as you know", "firms like you", "let me show you"."""
_FRAME = re.compile(
    rf"\b(?:i|we)(?:'m|'ve|'d| am| was| were| have| had| do| did| just| also| then| now| can| been| surely"
    rf"| only){{0,3}}"
    rf"(?: \w+){{0,2}}? (?:{'|'.join(sorted(_TOLD))})\b"
    r"|\bI(?:'ve| have| had| could| can| would| must)? (?:\w+ )?(?:gone through|went through|c[ao]me upon"
    r"|take from|took from"
    r"|glean(?:ed)?|deduced?|infer(?:red)?|conclude|perused|studied|summari[sz]ed?|gather|have it from"
    r"|regret)\b"
    r"|\bmy (?:\w+ )?(?:regret|regrets)\b"
    r"|\b(?:caught|struck|catches|strikes|made|makes) (?:my|our|me|us)\b(?: \w+)?"
    r"|\b(?:my|our) (?:notice|attention|mind|eye|trade)\b"
    r"|^what (?:I|we) \w+(?: \w+){0,3} is\b"
    r"|\bI(?:'d| would)(?: not| n't)? (?:hate|like|want|wish|love|care) to be (?:the one|in your"
    r"|the person|you)\b"
    r"|\bI(?:'m| am) writing\b|\bI write\b"
    r"|\b(?:my|our) (?:sympathy|condolences|compliments|respect|guess|impression|understanding)\b"
    rf"|^(?:(?:just|so|and|hi|hey|really|very)[, ]+)*(?:{'|'.join(sorted(_LEARNED))}|sorry|terrible news)\b",
    re.IGNORECASE,
)
"""How a writer says where they have something from, or that they write of it."""
_ABOUT = re.compile(
    r"\bwith (?:regard|respect|reference) to\b|\bin view of\b|\bregarding\b|\bconcerning\b"
    r"|\bin connection with\b"
    r"|\bmust (?:have|be)\b",
    re.IGNORECASE,
)
"""What speaks of something as known, or concludes it of the reader."""
_PARTICULAR = re.compile(
    rf"[$€£]\d[\d,.]{{3,}}|\b(?:since|in|by|until|of|from|last) (?:{'|'.join(sorted(MONTHS))})\b"
    r"|\bthe (?:\w+ )?(?:unit|line|division|plant|site)\b",
    re.IGNORECASE,
)
"""What only one who speaks of one company tells: a sum, a month, a unit."""
_REPORTED = re.compile(
    r"\b(?:said|says|told|tells|wrote|writes|mentions|mentioned|announced|confirmed|admitted|reported|thinks)"
    r"(?: \w+){0,2}? that\b",
    re.IGNORECASE,
)
"""Behind it stands what somebody tells, whoever they are."""
_ONE_OF_MANY = re.compile(
    r"^(?:\w+ ){0,2}?(?:a|an|another) (?:\w+ )?(?:supplier|vendor|customer)s? of\b"
    r"|\b(?:a|an|another|one) \w+ (?:\w+ )?(?:of yours|near you|next to you)\b|\bnext door\b"
    r"|\b(?:works?|worked|working) (?:for|at|with) (?:a|an|another|some) (?:\w+ )?(?:group|firm|company"
    r"|client|business)\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "accounts account payable receivable finance financial head of chief director officer manager "
    "team department office news page website report audit auditor auditors review board supplier "
    "suppliers vendor vendors invoice invoices duplicate payment payments late early discount "
    "discounts fee fees bank details fraud ledger ledgers books entity entities backlog disputes "
    "findings and & kind best warm regards wishes yours sincerely faithfully thanks cheers dear "
    "hello hi good morning christmas easter new year eve internal annual letter trade paper gmbh ag "
    "ltd inc works council press purchasing treasury".split()
)
"""Words that may have capitals and name nobody."""
_OPENING = QUESTION_START | frozenset("i we the your our a an in on at and or but so".split())
_PLACING = frozenset("at in".split())
_PLACED = 2
"""Words of "At Harlow" that may as well begin a sentence about anything."""
_MARKED = re.compile(r"_|[a-z0-9%$€£']+")
_STRANGER = re.compile(
    r"(?<![\w'-])(?:[A-Z][\w'’-]*[a-z]\w*)(?:\s+(?:&\s+|of\s+|and\s+)?[A-Z][\w'’-]*[a-z]\w*)+"
    r"|(?<=\bat )[A-Z][a-z]{3,}\b"
)
_GENERAL = re.compile(
    r"\bone \w+ in (?:\w+ )?(?:ten|twenty|fifty|hundred|thousand|\d+)\b|\btends? to\b|\bnowadays\b"
    r"|\bthese days\b|\beverywhere\b|\bon the rise\b|\bin general\b|\ball across the\b|\bas a rule\b"
    r"|\b(?:typically|generally"
    r"|usually|normally)\b|\b(?:in|of) (?:most"
    r"|many) (?:such )?cases\b"
    r"|\b(?:most|very|so|increasingly) (?:frequent|common|widespread)\b"
    r"|(?<!in )(?<!no )(?<!a )(?<!one )\bcommon(?:place)?\b|\bthe (?:average"
    r"|typical|usual|norm)\b"
    r"|\bof the (?:decade|century|hour)\b|\bas old as\b|\ball over the (?:country|world)\b"
    r"|\bnew (?:\w+ )?(?:standard|law|rule|trend|directive|regulation)s?\b|\bwarns? (?:of|against|about)\b"
    r"|\b(?:everybody|everyone|each of us|we all) (?:pays|has|knows|does|loses|gets)\b"
    r"|\bthe (?:bane|curse|plague|scourge) of\b|\b(?:on the|is on the|are on the) (?:increase|rise)\b"
    r"|\bmany will\b|\ba (?:trend|classic)\b|\bis to \w+ what\b"
    r"|\bin (?:the|this|our) (?:whole )?(?:region|area|county|country|district|state)\b",
    re.IGNORECASE,
)
"""What is said of the trade, and of nobody in it."""


class Party(Enum):
    """Whom a clause is about."""

    READER = "reader"
    WRITER = "writer"
    OTHERS = "others"
    """Firms in general."""
    STRANGER = "stranger"
    """Somebody in particular."""
    HEARD = "heard"
    """Nobody is named, and the writer has it from elsewhere."""
    NOBODY = "nobody"


_SURE = frozenset({Party.READER, Party.WRITER, Party.OTHERS, Party.STRANGER})


class Names(NamedTuple):
    """Words of the names that a world itself knows."""

    companies: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    """Places, products and sums of the companies' news."""
    persons: frozenset[str] = frozenset()


def party_of(clause: Clause, names: Names) -> Party:
    """Returns the party that a clause is about: the first one mentioned, a named stranger before all.

    Of two parts of which a colon makes one the meaning of the other, the one about the reader decides.
    """
    if ": " in clause.text and _stranger(clause.text, names) is None:
        parts = [part for part in clause.text.split(": ") if words_in(part)]
        found = [_party_of(clause._replace(text=part, words=words_in(part)), names) for part in parts]
        addressed = (YOU | names.companies) & set(clause.words)
        others = bool(OTHERS & set(clause.words)) and Party.STRANGER in found
        found_elsewhere = Party.WRITER in found or others
        if len(found) > 1 and addressed and Party.READER in found and not found_elsewhere:
            return Party.READER
    whole = _party_of(clause, names)
    if whole is not Party.READER and (reported := _REPORTED.search(clause.text)):
        said = clause.text[reported.end() :]
        inner = words_in(said)
        party = _party_of(clause._replace(text=said, words=inner), names) if inner else whole
        if party in _SURE and (party is not Party.READER or (YOU | names.companies) & set(inner)):
            return party
    return whole


def _party_of(clause: Clause, names: Names) -> Party:
    words = clause.words
    stranger = _stranger(clause.text, names)
    if _ONE_OF_MANY.search(clause.text):
        return Party.STRANGER
    told = bool(_FRAME.search(clause.text))
    plain = _ADDRESS.sub(_hidden, _FRAME.sub(_hidden, clause.text))
    seen = tuple(_MARKED.findall(fold(plain)))
    seen = seen if len(seen) == len(words) else words
    if stranger is None and _GENERAL.search(clause.text) and not YOU & set(seen):
        return Party.OTHERS
    if words[0] == "ledgerline" and not told and stranger is None:
        return Party.WRITER
    owned = range(stranger - 3, stranger) if stranger is not None else ()
    writer = everybody = False
    for at, word in enumerate(seen):
        if at == stranger:
            return Party.STRANGER
        if (other := _other(seen, at)) is not None:
            return other
        strange = at in owned or _is_relation(seen, at)
        named = word == "yours" or (word in YOU | names.companies and not strange)
        if named and (not writer or word not in {"you", "yourself"}):
            return Party.READER
        writer = writer or word in WRITER
        everybody = everybody or (word in _EVERYBODY and seen[at + 1 : at + 2] not in {("among",), ("of",)})
    if stranger is not None:
        return Party.STRANGER
    if everybody and not names.facts & set(words):
        return Party.OTHERS
    about = bool(_ABOUT.search(clause.text))
    if writer and not about:
        return Party.WRITER
    known = names.facts & set(words) or _is_sourced(words) or _PARTICULAR.search(clause.text) or about
    return Party.READER if known else Party.HEARD if told else Party.NOBODY


def _is_relation(words: tuple[str, ...], at: int) -> bool:
    """Says whether "your" is but a word of who somebody else is: "your industry", "your competitor"."""
    return bool((OTHERS | _TRADES) & set(words[at + 1 : at + 3])) or words[max(0, at - 2) : at] == (
        "one",
        "of",
    )


def _hidden(found: re.Match[str]) -> str:
    kept = found.group(1) or "" if found.re is _ADDRESS else ""
    return kept + " _ " * (len(words_in(found.group())) - bool(kept))


def _is_sourced(words: tuple[str, ...]) -> bool:
    """Says whether the reader's own news, board or auditors are named: "says the audit"."""
    return any(
        word.removesuffix("'s").rstrip("'") in SOURCES and _THIS & set(words[max(0, at - _LOOKS_BACK) : at])
        for at, word in enumerate(words)
    )


def _other(words: tuple[str, ...], at: int) -> Party | None:
    """Returns the party that a word names who is neither reader nor writer; None where it does not."""
    word = words[at]
    before = words[max(0, at - _LOOKS_BACK) : at]
    if word in _TRADES:
        return Party.OTHERS
    single = Party.OTHERS if word.endswith("s") and word != "business" else Party.STRANGER
    if word in OTHERS:
        return single
    if (
        word == "trade"
        and _THIS & set(before)
        and words[at + 1 : at + 2]
        and words[at + 1] not in _TRADE_PRESS
    ):
        return Party.OTHERS
    if word not in _BODIES or (word == "business" and _OF_BUSINESS.intersection(words[at + 1 : at + 2])):
        return None
    marks = [one for one in before if one in _ANY | _THIS | YOU | WRITER or one.endswith("'s")]
    if not marks:
        return Party.OTHERS if word.endswith("s") and word != "business" else None
    if marks[-1] in {"each", "every"} and {"group", "you", "it"} & set(words[at + 1 : at + 4]):
        return None
    if marks[-1] not in _ANY or "so" in before:
        return None
    return single


def _stranger(text: str, names: Names) -> int | None:
    """Returns the index of a name that is none of the world's; None where a clause has none."""
    known = names.companies | names.facts | names.persons | WRITER | DAYS | MONTHS | {"alex", "kim"}
    for match in _STRANGER.finditer(text):
        named = words_in(match.group())
        opening = match.start() == 0 and named[0] in _OPENING
        if opening and (named[0] not in _PLACING or len(named) <= _PLACED):
            continue
        if set(named) & known or _COMMON.issuperset(named[opening:]):
            continue
        if match.start() == 0 and text[match.end() :].lstrip()[:1] in {".", ",", "!"}:
            continue
        return len(words_in(text[: match.start()])) + opening
    return None
