"""In which mood a clause stands: it states something, asks, supposes, says it is over, or speaks of a job."""

from __future__ import annotations

import re
from collections.abc import Callable

from contracts.wording import Clause, find_pattern, pattern_of, words_in
from runtime.parties import REFERENCES

_CAREERS = frozenset(
    "hiring hire hires career careers vacancy vacancies recruit recruits recruiting recruitment applicant "
    "applicants advertise advertises advertised advertisement advertisements ad ads advert "
    "adverts jobs".split()
)
_POSTS = (
    "clerk|accountant|analyst|auditor|officer|assistant|buyer|controller|bookkeeper|manager|specialist"
    "|colleague|someone|somebody|people|expert|trainee|head"
)
_CAREERS_PHRASES = tuple(
    pattern_of(phrase)
    for phrase in (
        "to employ|searches a|searches an|job portal|wanted in|is wanted|are wanted|job profile"
        "|linkedin post|the position|positions"
        "|position for"
        "|of the roles|roles you|role for|candidate|candidates|trainee|staffing up|your posting|posting for"
        "|need somebody to|need someone to|applications for|new recruit|newcomer|join your team|help wanted"
        "|the opening for|the opening in|the opening as|an opening|open position|open role|open post"
        "|new colleague|job ad|job description|job "
        "offer|job opening"
        "|job post|job for"
        "|job advertisement|new jobs|more jobs|job title|job page|position of|the role of|the post of",
        f"look for|looking for|search for|searching for|seek|seeks|seeking|wants someone|wants "
        f"somebody + {_POSTS}",
        "search|searching|looking + clerk|accountant|analyst|auditor|officer|assistant|buyer",
    )
)
_SUPPOSED = re.compile(
    r"^(?:consider the|let an?|consider an?)\b|\byou(?:'d| would) wake up\b|^(?:assume|suppose|imagine"
    r"|picture|let's assume|say)\b(?! no more)|\bcontrary to\b|\bfar be it\b"
    r"|\bin case\b|\bwhat if\b|^were (?:\w+ ){1,4}?to\b"
    r"|, were (?:\w+ ){1,4}?to\b"
    r"|\bwere to\b|\b(?:i|we|you|one) (?:could|might|can) (?:well )?imagine\b|\blet us pretend\b"
    r"|\blet's pretend\b"
    r"|\b(?:some|one|any) day\b(?! (?:next|this|after))|\bone of these days\b"
    r"|\b(?:a|the|some) (?:risk|danger|chance) (?:that|of)\b|\bwhat (?:would|could|might)\b"
    r"|^the next \w+ (?:\w+ )?(?:may|might|could|will)\b"
    r"|\bunless\b|\bit (?:could|may|might) be\b|^say[, ]\s*(?:a|an|one|your|that|the|you)\b"
    r"|\bwould (?:you|it|that|anybody|anyone) (?:still )?(?:know|notice|matter|hurt|see)\b|\bas soon as\b"
    r"|\bhypothetical\w*\b|\bassuming\b|\bsuppos(?:e|ing) (?!that's|so)(?:\w+)|\bpretend\b"
    r"|\bcould (?:\w+ )?(?:build|pile|arise|occur|happen|creep)\b|\bsooner or later\b"
    r"|\bin the event (?:that|of)\b|\bpicture (?:a|an|your|the|this)\b(?! scene)|^if (?:\w+ ){1,4}were\b"
    r"|\bbefore (?:it|that|this) happens\b|\bperhaps (?:you|your|they)\b|\bmaybe (?:you|your)\b"
    r"|\bchances are\b|\ball it takes\b|\byou asked\b|\b(?:let us|let me|let's) (?:assume|say|suppose|imagine"
    r"|think)\b|\b(?:i'd|would) bet\b"
    r"|^(?:just )?(?:think of|picture) (?:this|a|an|your|the) ?(?!scene)|^(?:once|until"
    r"|by the time) .*\bwill\b|\bany time\b(?! (?:next|this|that|on))"
    r"|\bi wonder (?:if|whether)\b|\bcurious (?:if|whether)\b|\bhow sure\b"
    r"|\byou(?:'ll| will) (?:\w+ly )?(?:want|wish|like|need|be glad|appreciate|agree)\b"
    r"|\bthen (?:you|they|it|there)(?:'d| would)\b"
    r"|\bwhich of (?:these|those|them)\b|\bsome of (?:these|those)\b",
    re.IGNORECASE,
)
"""What might be, and need not."""
_MIGHT = re.compile(
    r"(?<!\bwho )(?<!\bI )(?<!\bwe )(?<!\bWe )(?<!whom it )\b(?:might|may|perhaps|possibly"
    r"|could(?= (?:easily "
    r"|quickly |soon |well )?"
    r"(?:be|get|happen|become|lose|face|come|start|hit|build|pile|arise|occur|creep|grow|turn|end|mean)\b))"
    r"(?! (?:have|not|no|I|we|you)\b)"
)
"""Words behind which stands what may happen."""
_NAMED = r"(?:you|your|they|it|compan\w+|team|office|board|group|all|that|this|which|who|and)"
_TRULY = (
    r"(?:all |now |since |long |finally |completely |fully |already |meanwhile |been "
    r"|successfully |both |just )*"
)
_THING = (
    r"(?:disputes?|quarrels?|rows?|conflicts?|matters?|backlog|pile|heap|queue|findings?|remarks?|case"
    r"|issues?|"
    r"problems?|troubles?|causes?|roots?|weakness\w*|gaps?|everything|mess)"
)
_SOLVED = re.compile(
    rf"\b{_THING}\b(?: (?!which|whether|over|until)[\w']+,?){{0,12}}? (?:has|have|had|is|are|was|were"
    rf"|got) {_TRULY}(?:cleared|closed|settled|worked off"
    r"|ended(?! up)|gone(?: by)? now|gone by now|dealt with|put right|ironed out|laid to rest|over\b(?! \w))"
    rf"|\b(?:has|have|had|is|are|was|were|got) {_TRULY}(?:resolved|solved|fixed|sorted out|remedied"
    rf"|eliminated|overcome"
    r"|cured|rectified|patched up|mastered|merged into one|brought under control)\b"
    rf"|\b{_NAMED}(?: have| has|'ve)? {_TRULY}(?:resolved|solved|fixed|overcame|beat|mastered|got rid of"
    rf"|sorted out"
    rf"|eliminated|ended|closed|cleared|settled|finished|completed|worked off|worked through|got through"
    rf"|dug out of) (?:\w+ ){{0,4}}?(?:{_THING}|merging"
    r"|clearing|bringing|joining|uniting)\b"
    r"|^(?!.*(?<!missed )(?<!lost )\b(?:discounts?|reductions?|rebates?|offers?)\b).*\b(?:is|are) history\b"
    r"|\b(?:have|has|run|runs|keep|keeps|use|uses|book|books|hold|holds)\b(?: (?!not\b|never\b|no\b"
    r"|been\b)[\w']+){0,6} (?:on|in|with|into) (?:just |only )?(?:one|a single|the same|a common"
    r"|one common) (?:ledger|system|set of books|accounting system|place|platform)\b"
    r"|\battempt\w*\b[^.;]{0,60} (?:failed|foiled|stopped|thwarted|unsuccessful|in vain|to nothing"
    r"|not succeed)\b"
    r"|\bnot a (?:cent|penny|dime|single \w+) (?:was|has been|got|went|is) (?:lost|stolen|paid|missing"
    r"|gone|astray)\b"
    r"|\b(?:is|are) no more\b(?! than)|\bthe last (?:bill|invoice|one|item|of them)s? (?:was|has been|is"
    r"|were) (?:\w+ )?(?:entered|posted|booked"
    r"|cleared|settled|signed|recorded|answered)\b|\bpeace has (?:\w+ )?returned\b|\b(?:trucks?|lorries"
    r"|deliveries) (?:roll|rolls|run|come|arrive) again\b"
    r"|\bin the past\b(?! (?:\w+ )?(?:months?|weeks?|years?|quarters?|days?|half))|\b(?:that|it|this"
    r"|they) (?:all )?(?:ended|stopped|ceased)\b"
    r"|\blong ago\b|\blong (?:since )?(?:forgotten|over|past|gone|buried)\b|\bback then\b|\bin (?:those"
    r"|former|earlier) (?:days|times|years)\b"
    r"|\bin the (?:nineties|eighties|seventies|noughties|last (?:century|decade|millennium))\b"
    r"|\byears before\b"
    r"|(?<!since )(?<!of )\b(?:19[5-9]\d|20[01]\d|202[01])\b"
    r"|\b(?:today|now|since|since then|meanwhile|nowadays)\b[^.;]{0,20} (?:there (?:is|are) (?:none|no)"
    r"|none|nothing of the)\b"
    rf"|\b{_THING}\b[^.;]{{0,30}} (?:is|are|was|were|has|have) (?:\w+ )?(?:gone|done|melted|vanished"
    rf"|cleared|wiped out|worked off)"
    r" (?:at last|for good|by now|now|since|completely|entirely|in (?:spring|summer|autumn|winter))\b"
    r"|\b(?:worked|work) off (?:the|your|its|that|all) (?:\w+ ){0,3}?(?:backlog|pile|heap|stack|queue)\b"
    r"|\brecovered (?:\w+ )?in full\b|\b(?:so|such people|them|it|fraudsters|thieves) away ever since\b"
    r"|\b(?:on the dot|like clockwork|without (?:a )?fail|on the nail|in good time) (?:now|today|since"
    r"|ever since|these days|every time)\b"
    r"|\b(?:every|each|all|any)\b(?: [\w']+){0,5} (?:is|are|was|were|gets?|got|has been"
    r"|have been) (?:\w+ )?(?:booked|posted|entered|paid"
    r"|settled|approved|signed|keyed|recorded|captured|checked|answered|honoured"
    r"|matched)(?: [\w']+){0,3}? (?:on time|in time|on the dot|promptly"
    r"|at once|immediately|the (?:same )?(?:day|hour|week)|on the (?:same |very )?day|within (?:a|the|one"
    r"|two|three|hours|days|minutes)|same day|before)\b"
    r"|\bnothing (?:piles|piled|is piling|lies|lay|waits|waited|goes|went|slips|is left|is lost|gets lost"
    r"|is missing) (?:up|around|about|out)?\b"
    r"|\bbehind you\b|\b(?:case|chapter|matter|file|topic) (?:is |was |has been )?(?:now |long )?closed\b"
    r"|\b(?:a )?(?:thing|part)s? of the past\b|\bbelongs? to (?:the past|history)\b|\bancient history\b"
    r"|\b(?:have|has|got|is|are|had|seem to have) (?:\w+ ){0,3}under control\b"
    r"|\b(?:gone are|those were) the days\b|\bin the (?:bad |good )?old days\b"
    r"|\b(?:ages|decades|(?:some|many|several|two|three|five|ten|\d+) years|years|a decade) (?:ago|back)\b"
    rf"|\b(?:put|puts|came|come|brought) (?:\w+ )?(?:an end|a stop|a halt|paid) to\b|\bcame to an end\b"
    r"|\bnever (?:happened|occurred|came back|returned|recurred)\b"
    r"|\bno (?:\w+ )?(?:cases?|incidents?|repeats?|complaints?|trouble|instances?) (?:\w+ ){0,4}since\b"
    r"|\b(?:proper|good|clean|better|no|never|all|every|fine|well|quiet|peace)\b[^.;]{0,40} (?:ever since"
    r"|since then)\b"
    r"|\b(?:deliver|delivers|delivering|ship|ships|supply|supplies)(?: \w+)? again\b"
    r"|\b(?:spotless|back to normal|like clockwork|all clear|all good|squeaky clean|water under the bridge"
    r"|out of the woods|over and done|long over|remained the only one)\b"
    r"|\b(?:money|sum|amount|cent|everything|it|they)(?: all)? (?:came back|(?:was|were|has been"
    r"|have all been"
    r"|have been|is) (?:all )?(?:returned|recovered|repaid|refunded))\b(?! from)"
    r"|\b(?:returned|recovered|repaid|got back|refunded) (?:the whole|all of|every|everything)\b"
    r"|\b(?:share|shares|have|has|run|runs|use|uses) (?:all (?:\w+ ){1,4}in one|one (?:common "
    r"|single )?ledger"
    r"|a single ledger|a common ledger|the same ledger)\b"
    r"|\b(?:you|your company|you and your team)(?: now| always| today)+ (?:captur|catch|take|collect|use"
    r"|claim|get)\w*"
    r" (?:every|all|each)\b"
    r"|\b(?:peace|calm|order|trust)\b[^.;]{0,30} (?:is|was|has been|are|were) (?:\w+ )?restored\b"
    r"|\bmade (?:your )?peace\b"
    r"|\b(?:reached|found|struck) an? (?:agreement|settlement|understanding) with\b|\bcame to terms\b"
    r"|\b(?:frauds?|fees?|disputes?|findings?|payments?|backlog)\b[^.;]{0,25} (?:is|are|has|have|was"
    r"|were) (?:\w+ )?"
    r"(?:closed|stopped|no more)\b(?! (?:a|the|deliver))|\b(?:fees?|payments?|trouble|delays?) (?:has "
    r"|have )?(?:stopped|ceased)\b"
    r"|\bonce upon a time\b|\bclosed matter\b|\bone[- ]off\b|\bisolated (?:case|incident)\b"
    r"|\bburied the hatchet\b"
    r"|\bnothing (?:like it |of the (?:kind|sort) |similar )?(?:has |had )?happened (?:again|since)\b"
    r"|\b(?:these days|nowadays|today|now|since then),? (?:it|you|they|your \w+)(?: \w+){0,2} (?:every"
    r"|all of|each|none)\b"
    r"|\b(?:the (?:very |exact )?(?:opposite|contrary|reverse)|to the contrary|not true of"
    r"|anything but true)\b"
    r"|\bturned out to be (?:untrue|false|wrong|unfounded)\b|\bthere was no such\b"
    r"|\b(?:you|company|it) once (?:paid|had|lost|missed|kept|ran|fell|was|were|used|struggled)\b"
    r"|\b(?:hats off(?! (?:for|to))|well done|chapeau|bravo|i congratulate you|congratulations on (?:that"
    r"|this|it)|glad to hear it"
    r"|good for you)\b"
    r"|\b(?:not|no) (?:\w+ )?(?:saying|claiming|suggesting|implying) (?:that )?(?:this|it|that|you"
    r"|your company) (?:goes"
    r"|happens|does|is|has|have|did|do)\b",
    re.IGNORECASE,
)
"""What says that a problem is over, was solved, or never was."""
_PRAISED = re.compile(
    r"\bthere was a time\b|\bsaw through\b|\bno money left\b|\bsingle legal entity\b"
    r"|\b(?:in-)?tray is empty\b"
    r"|\bno (?:invoice|bill|document)s? (?:is|are) (?:waiting|left|open|lying|unposted|unpaid|overdue)\b|"
    r"\b(?:best|well)[- ]kept\b|\b(?:exemplary|impeccable|flawless|immaculate|spotless|a model of"
    r"|the envy of|second to none)\b"
    r"|\b(?:is|was|were|are) (?:simply |just |really |quite |truly )?(?:brilliant|outstanding|superb"
    r"|excellent|fantastic|wonderful|terrific)\b"
    r"|\bspeaks? (?:very )?highly of\b|\b(?:suppliers?|vendors?|auditors?) (?:\w+ )?(?:praises?|praised"
    r"|loves? (?:you|your|working|doing)|adores?|commends?|commended)\b",
    re.IGNORECASE,
)
"""What says that all is well."""
_UNSOLVED = re.compile(
    r"\b(?:let's|let us|we|will|can|may|help|helps|until|till|unless|before|not|yet|still|to be|must|should"
    r"|could|would|want|wants|wish|needs?|hope|hopes|never been"
    r"|nobody|nothing has|so that|if|when|once(?!,)) (?:\w+ ){0,6}$",
    re.IGNORECASE,
)
OVER = tuple(
    pattern_of(phrase)
    for phrase in (
        "free of|free from|rid of|done with|used to|no longer|zero|without any|a stop to|an end to|waived",
        "congratulations|congrats|kudos|bravo|compliments + ending|avoiding|stopping|eliminating|solving"
        "|beating|overcoming|removing|escaping|abolishing|curing|fixing|ended|avoided|stopped",
        "paid * on time|paid each * on time|paid every * on time|only have one|only has one|have only one"
        "|has only one|has all * in one|have all * in one|take each|takes each|take every|takes every"
        "|take all|takes all|took every|use every|always pay|always pays|always "
        "take|is one company"
        "|is a single|is only one|only one company|a single company|pays on time|pay on time",
        "you|you've|company|team|firm|group|have|has|were|was + avoided|avoid|ended|eliminated|escaped"
        "|overcame|overcome|abolished|solved|removed|beat|beaten|conquered|prevented|spared|cured|fixed"
        "|eradicated|waived",
    )
)
"""What says, before it names a problem, that it is over."""
DENIAL = tuple(
    pattern_of(phrase)
    for phrase in (
        "is not|are not|was not|were not|do not|does not|did not|has not|have not|is no|are no|is never"
        "|are never|was never|were never|has never|have never|cannot|never|will not|would not|need not",
    )
)
"""What denies a problem right behind its name."""
PAST = tuple(
    pattern_of(phrase)
    for phrase in (
        "zero|nil|none|rare|seldom|absent|unknown|unheard|solved|nonexistent|elsewhere|avoided|waived",
        "thing of the past|least of|in the past|no longer|are over|is over|no more|a myth",
        "false alarm|is false|is untrue|are untrue|unfounded|is wrong|a rumour|no topic|no issue|not an issue"
        "|no problem|not a problem|no concern",
        "in one system already|already in one|all in one system|already together|content|nothing to merge",
    )
)
"""What says, behind a problem's name, that it is over, or others'."""
_INVERSION = re.compile(
    r"(?:(?<=^)|(?<=[,:;] )|(?<=[,:;] and )|(?<=[,:;] or ))"
    r"(?!how about|what about|why not)"
    r"(?:is|are|do|does|did|has|have|had|was|were|can|could|will|would|should|shall|may|might|what|who|whom"
    r"|whose"
    r"|how|when|where|which|why|ever|any\w*)\b",
    re.IGNORECASE,
)
"""How a question begins."""
_SENSES = frozenset("see hear notice noticed found understand learn".split())
"""What may be asked of anybody: "Would your team notice?"."""
_PAPERS = frozenset("letter notice paper".split())
"""Of what tells of a company what may as well be but a thing: "a forged letter"."""
_WH = frozenset("what who whom whose how when where which why ever any anybody anyone anything".split())
_ASKED = frozenset("are is do does did have has was were".split())
_PRESUMING = frozenset(
    (one, two) for one in ("how", "why") for two in ("did", "were", "was", "come", "has", "have", "had")
) - {("how", "have"), ("how", "has")}
"""How questions begin that take for granted what they ask about: "How did it happen that ..."."""
_DOING = frozenset("do does did".split())
_ASKED_OF = frozenset("you your there they it".split())
_INVITING = frozenset(
    "time minutes min minute slot slots free open available interested up around willing half moment hour "
    "ready keen".split()
)


def is_meant(clause: Clause, words: set[str], asks: Callable[[Clause], bool]) -> bool:
    """Says whether a clause states anything: neither asked nor supposed.

    What asks for a meeting may name the problem that it is to be about, and a mark behind words in the
    order of a statement asks nothing: "Your team fell for it?".
    """
    if _SUPPOSED.search(clause.text):
        return False
    if words & (REFERENCES - _SENSES - _PAPERS) or not (clause.conditional or clause.question):
        return True
    if clause.conditional:
        return False
    inverted = _INVERSION.search(clause.text)
    if not inverted:
        return True
    opening = words_in(clause.text[inverted.start() :])
    if opening[:2] in _PRESUMING:
        return True
    asked = (
        opening[0] in _ASKED
        and opening[1:2] not in {("i",), ("we",)}
        and bool(opening[0] in _DOING or _ASKED_OF & set(opening[:2]))
        and not _INVITING & set(opening[2:6])
    )
    return opening[0] not in _WH and not asked and asks(clause)


def is_solved(clause: Clause) -> bool:
    """Says whether a clause tells that something is over, or never was."""
    if _PRAISED.search(clause.text) and not clause.question:
        return True
    found = _SOLVED.search(clause.text)
    if found is None or clause.question or {"we", "us", "our"} & set(clause.words):
        return False
    return not _UNSOLVED.search(clause.text[: found.start()])


def might_be_from(text: str) -> int | None:
    """Returns the index of the word behind which a clause tells what may happen; None where it does not."""
    found = _MIGHT.search(text)
    return len(words_in(text[: found.start()])) if found else None


def is_careers(clause: Clause, words: set[str]) -> bool:
    """Says whether a clause speaks of a job that is advertised."""
    if {"temps", "temp"} & words and {"hire", "hires", "hiring"} & words:
        return False
    return bool(words & _CAREERS) or any(find_pattern(clause.words, one) for one in _CAREERS_PHRASES)
