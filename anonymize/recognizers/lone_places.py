"""The places of a text in which a single name stands: closings, greetings, labels, words of speaking.

Belongs here: the patterns, English and German, and how sure each place is. Does not belong here: which words
in them are names (`lone_names`), initials (`spoken_initials`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple


class Place(StrEnum):
    """How a text speaks of whoever is named there."""

    CLOSED = "closed"
    """Under or behind a closing."""
    GREETED = "greeted"
    LABELLED = "labelled"
    """Behind a word that announces a person."""
    TITLED = "titled"
    """As labelled, with a form of address."""
    TOLD = "told"
    """Where things stand as well: only known first names count."""
    HEADED = "headed"
    """Alone at the start, before a comma; alone in a passage. Only known first names count."""


class Spot(NamedTuple):
    """Words where a name may stand."""

    start: int
    end: int
    text: str
    place: Place


UP = r"[^\W\d_a-zà-öø-ÿ](?:['’]?[^\W\d_])+(?:-[^\W\d_]+)*"
_GR = r"gr(?:ü|ue|u)(?:ß|ss)"
CLOSING = (
    rf"(?:tia|warmly|cordially|greetings|(?:with (?:best|kind|warm) |best |kind(?:est)? |warm"
    rf"(?:est)? |many )?regards|(?:my "
    rf"|all the )?best(?: wishes)?|cheers"
    r"|sincerely(?: yours)?|yours(?: sincerely| truly| faithfully)?|respectfully|rgds|br|kr|thx|tnx"
    r"|(?:many )?thanks(?: again| a lot| so much| very much| in advance)?(?: (?:and|&) (?:best "
    r"|kind )?regards)?"
    r"|thank you(?: kindly| again| so much| very much| in advance)?|take care|talk soon|bye"
    r"|see you(?: soon| tomorrow| then| later| there)?|have a (?:nice|good|great) (?:day|weekend|evening)"
    rf"|mit (?:freundlich|best|herzlich|viel|lieb|sonnig|schön)e[nmr] {_GR}(?:en|e)?"
    rf"|(?:viele |beste |liebe |herzliche |freundliche |sch(?:ö|oe)ne |sonnige |ganz liebe )?{_GR}"
    rf"(?:e|le|li)?"
    rf"|mfg|lg|vg|bg|hg|hochachtungsvoll|ciao|servus|tsch(?:ü|ue)ss|tschau|merci|dankesch(?:ö|oe)n"
    rf"|(?:vielen |besten |herzlichen )?dank(?:e)?(?: dir| ihnen| euch| vielmals| sehr| im voraus| vorab)?"
    rf"(?: und (?:viele |beste |liebe )?{_GR}e?)?"
    r"|bis (?:bald|morgen|dann|sp(?:ä|ae)ter|gleich|demn(?:ä|ae)chst)"
    r"|sch(?:ö|oe)ne[ns]? (?:tag|abend|wochenende|feierabend)(?: noch)?)"
)
_FROM = r"(?: (?:aus|from)(?: dem| der| the| sunny)? [^\W\d_]+(?:[ -][^\W\d_]+)?)?"
_YOURS = r"(?:(?i:i\. ?[AV]\.|i[AV]|ppa\.?|gez\.?|your|yours|deine?|ihre?|euer|eure) ?,? ?)?"
_NAMES = (
    rf"(?P<one>{UP}(?: (?:[A-Z]\. )?{UP})?|[A-Z]\. ?{UP})(?:(?: (?:und|and|u\.|&|\+) | ?[/,+&] ?)"
    rf"(?P<two>{UP}))?"
)
_END = r"(?=[ \t.,!)*_'’:;-]{0,4}(?:$|\r?\n)|[ \t]?[(|\[/–—]|,? [-–—|] |, [^\W\d_]+[ \t]*(?:$|\r?\n))"
_CLOSED_BELOW = re.compile(
    rf"(?mi)(?:^[>\s*]*|[.!?,] +){CLOSING}{_FROM}(?!\w)[^\n\w]{{0,5}}(?:\r?\n[>\s*_-]*){{1,3}}(?-i:"
    rf"(?:[iI]\. ?[AV]\. ?)?{_YOURS}{_NAMES}){_END}"
)
_CLOSED_BESIDE = re.compile(
    rf"(?mi)(?:^[>\s*]*|[.!?] +)(?:{CLOSING}[ ,!.]{{1,3}})?{CLOSING}{_FROM}"
    rf"(?:[ \t]?[,!.:;–-]+[ \t]*|[ \t]+){_YOURS}"
    rf"(?-i:{_NAMES})(?=[ \t.,!)*_:;-]{{0,4}}(?:$|\r?\n))"
)
_ROOTS = (
    rf"{_GR}\w*|dank\w{{0,6}}|thank\w*|thx|tia|regards|wishes|cheers|greetings|warmly|sincerely"
    rf"|cordially|wochenende"
    r"|weekend|feierabend|best|lg|vg|mfg"
)
_CLOSED_SOMEHOW = re.compile(
    rf"(?mi)^[>\s*]*(?:[^\n]{{0,30}}?(?<!\w))?(?:{_ROOTS})(?!\w)[^\n?:]{{0,30}}\r?\n"
    rf"(?:[>\s*]*\r?\n)?[>\s*_~-]*{_YOURS}"
    rf"(?-i:(?P<one>{UP}(?: {UP})?))[ \t.,!)*_'’:;(-]{{0,4}}(?=\s*\Z|\r?\n[>\s]*\r?\n)"
)
_LAST_LINE = re.compile(
    rf"(?:^|\n)[>\s*]*[^\n]{{2,45}}(?<![:;])\r?\n(?:[>\s]*\r?\n)?[>\s*_~-]*(?P<one>{UP})[\s.!*]*\Z"
)
_NAME_LINE = re.compile(rf"(?m)^[>\s*_~-]*(?P<one>{UP})[ \t.,!*_:;)(-]{{0,6}}$")
_DASHED = re.compile(rf"(?m)^[>\s]*(?:--? ?|–|—) ?\r?\n?(?P<one>{UP})[ \t]*(?=$|\r?\n)")
_GREETING = (
    r"(?:hi|hello|hey|dear|hallo|hall(?:ö|oe)chen|liebe[rs]?|moin|servus|gr(?:ü|ue)(?:ß|ss) "
    r"(?:dich|gott)|gr(?:ü|ue)ezi|good (?:morning|afternoon|evening|day)"
    r"|guten (?:tag|morgen|abend)|morning|salut|bonjour|hola|ciao|yo|huhu|tag|werte[rs]?)"
)
_GREETED = re.compile(
    rf"(?mi)^[>\s]*{_GREETING},?(?: (?:liebe[rs]?|dear|my dear))?,? (?-i:(?P<one>{UP}))"
    rf"(?:(?:,? (?:und|and|u\.|&) |, ?|/ ?|; ?)(?:(?:{_GREETING}) )?(?-i:(?P<two>{UP})))?"
    rf"(?=[ \t]*(?:[,!:;.–—]|-(?!\w))|[ \t]*$|[ \t]*\r?\n| (?:and|und|&) (?:the )?(?:all|team"
    rf"|everyone|alle)\b)"
)
_GREETED_LATE = re.compile(
    rf"(?mi)^[>\s]*{_GREETING}(?!\w)(?:,? [^\W\d_]{{2,14}}){{1,4}},? (?-i:(?P<one>{UP}))"
    rf"(?: (?:und|and|u\.|&) (?-i:(?P<two>{UP})))?[ \t]*[,!:]?[ \t]*(?=$|\r?\n)"
)
_GREETED_ON = re.compile(rf"(?mi)^[>\s]*{_GREETING} (?-i:(?P<one>{UP}))(?= (?-i:[a-zà-ÿ]))")
_HEADED = re.compile(rf"\A\s*(?P<one>{UP})(?=,\s*\r?\n|,\s*\Z)")
_ALONE = re.compile(rf"\A[>\s*_-]*(?P<one>{UP})[\s.,!*_]*\Z")
_BY = (
    r"(?:signed|approved|received|checked|requested|created|prepared|reported|written|reviewed"
    r"|released|edited"
    r"|ordered|sent|freigegeben|gepr(?:ü|ue)ft|erstellt|bestellt|angenommen|genehmigt|gesendet|bearbeitet"
    r"|unterschrieben|unterzeichnet|gezeichnet|verfasst) (?:for by|by|von|durch)"
)
_NOUN = (
    r"(?:ansprech(?:partner(?:in)?|person)|kontakt(?:person)?|contact(?: person| name)?|"
    r"(?:sach)?bearbeiter(?:in)?"
    r"|verantwortlich(?:e[rn]?)?|owner|responsible|account manager|(?:kunden)?betreuer(?:in)?"
    r"|assigned to|assignee"
    r"|assigned|cc|bcc|kopie|attn|attention|fao|z\. ?hd\.?|vertretung|vertreter(?:in)?|fahrer"
    r"(?:in)?|driver|empf(?:ä|ae)nger(?:in)?"
    r"|besteller(?:in)?|unterschrift|signature|signed|gezeichnet|unterzeichnet|zust(?:ä|ae)ndig"
    r"|buyer|eink(?:ä|ae)ufer(?:in)?|sales rep|requester|requestor"
    r"|reporter|autor(?:in)?|author|ersteller(?:in)?|absender(?:in)?|sender|melder(?:in)?|employee"
    r"|mitarbeiter(?:in)?|manager|techniker(?:in)?"
    rf"|technician|visitor|besucher(?:in)?|zeichen|chef(?:in)?|gesehen|abnahme(?: durch)?|anwesend"
    rf"|teilnehmer(?:innen)?|betriebsr(?:at|(?:ä|ae)tin)|polier|vorarbeiter(?:in)?|monteur(?:in)?|foreman"
    r"|(?:nach|familien|zu)name|surname|last name|family name|bewerber(?:in(?:nen)?)?|kandidat(?:in)?"
    r"|applicants?|candidates?|zeug(?:e|en|in|innen)|witness(?:es)?|prokurist(?:in|en)?|gesch(?:ä|ae)ftsf(?:ü|ue)hrer(?:in)?"
    r"|managing directors?|inhaber(?:in)?|patient(?:in)?|mieter(?:in)?|tenants?|notar(?:in)?|opfer"
    rf"|present|participants?"
    rf"|attendees?|(?:project|team|sales|tech|product) (?:lead|leader|owner|manager)|lead|coordinator|{_BY})"
)
_ROLE = (
    r"(?:leiter|betreuer|beauftragter?|koordinator|manager|assistent|vertreter|planer|pr(?:ü|ue)fer)"
    r"(?:in)?"
)
"""How words for people in charge end."""
TITLE = (
    r"(?:(?:Herrn?|Hrn?\.?|Frau|Fr\.|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Prof\.?|M?Mag\.|Ing\.|Dipl\.-?[A-Z][a-z]+\.?"
    r"|Univ\.-Prof\.|RA(?:in)?|StB(?:in)?) )"
)
_ITEM = rf"{TITLE}*(?:[A-Z]\. ?)?{UP}(?: {UP})?"
_NAMED = rf"(?P<one>(?:[A-Z]\. ?)?{UP}(?: {UP})?)(?![\w@./-]*[@\w])"
_LABELLED = re.compile(
    rf"(?m)(?:(?<![\w-])(?i:{_NOUN})|(?i:{_ROLE}))(?:[ \t]?:[ \t]{{0,3}}| [-–] | ist )"
    rf"(?P<list>{_ITEM}(?:"
    rf"(?:,? (?:and|und|&) | ?[,;/] ?)"
    rf"{_ITEM}){{0,11}})(?![\w@./-]*[@\w])"
)
_LABEL_SIGN = re.compile(rf"(?:(?i:{_NOUN})|(?i:{_ROLE}))(?:[ \t]?:| [-–] | ist )")
_CLOSE_LABEL = re.compile(
    rf"(?m)(?<![\w-])(?:(?i:cc|bcc|attn\.?|fao|{_BY}|abnahme durch|anruf von|r(?:ü|ue)ckruf (?:von"
    rf"|an)|i\. ?o\.|gez\.|z\. ?hd\.?(?: von)?|c/o|/s/)|i\. ?[AV]\."
    rf"|ppa\.)[ \t]{{0,2}}(?P<title>{TITLE}*){_NAMED}"
)
_SPOKEN = re.compile(
    rf"(?<!\w)(?:[Aa]n {TITLE}?(?P<one>{UP}) (?:weiter\w+|senden|schicken|geben|mailen|(?:ü|ue)bergeben)"
    rf"|[Mm]it (?P<two>{UP}) (?:besprochen|telefoniert|gesprochen|abgestimmt|gekl(?:ä|ae)rt"
    rf"|vereinbart|ausgemacht)"
    rf"|(?i:{_GR}e? an|say (?:hi|hello) to|regards to|(?:my|our|your|his|her|their) colleague|"
    rf"(?:meine?|unsere?|deine?|ihre?)[mnr]? (?:kolleg(?:e|en|in)|fahrer(?:in)?|chef(?:in)?"
    rf"|mitarbeiter(?:in)?|praktikant(?:in)?)) (?P<three>{UP})"
    rf"|(?<![\w.])@(?P<four>{UP})(?![\w@]|\.\w))(?!\w)"
)
_TOLD_VERB = (
    r"(?:asks?|asked|tell|told|thank|fyi|cc|inform|remind|ping|call|called|with|by|for|to|and|via"
    r"|per|loop in|loop|see|talk to|spoke (?:to|with)"
    r"|an|mit|von|für|bei|durch|und|bitte|frag|fragt|fragen|ruf|info an|sag|heute|dann|mich|dich|ihr|wie)"
)
_TOLD = re.compile(
    rf"(?<!\w)(?i:{_TOLD_VERB}) (?P<one>{UP})(?!\w|[-@/]\w|\.\w| {UP})"
    rf"|(?:^|(?<=[.!?:,;] )|(?<=\n)|(?<=\b[a-z]{{2}} )|(?<=[a-z]{{3}} ))(?P<two>{UP})(?:['’]s\b|"
    rf"(?= (?:said|says|wrote|writes|asked|asks|wants|will|has|had|is|was|can|could|confirmed"
    rf"|called|thinks|told|hat|sagt|sagte|meint|meinte|ist|war|wird|will|kann|schreibt|schrieb"
    rf"|kommt|ruft|rief|bat|bittet|macht|übernimmt|in|fragen|anrufen|informieren|kümmert)\b))",
    re.MULTILINE,
)
_PROSE = re.compile(rf"(?<=[a-zäöüß,)] )(?P<one>{UP})(?!\w|[-@/]\w|\.\w| {UP})")
_GENITIVE = re.compile(rf"(?<![\w'’.-])(?P<one>[^\W\d_a-zà-öø-ÿ][^\W\d_]{{2,}}?)s(?= {UP})")
_SUBJECT = re.compile(
    rf"(?:^|(?<=[.!?:] )|(?<=\n))(?P<one>{UP})(?= (?:\([^)\n]{{2,30}}\) )?[a-zäöüß]+\b)", re.MULTILINE
)
SURE: tuple[tuple[re.Pattern[str], Place], ...] = (
    (_CLOSED_BELOW, Place.CLOSED),
    (_CLOSED_BESIDE, Place.CLOSED),
    (_CLOSED_SOMEHOW, Place.CLOSED),
    (_GREETED, Place.GREETED),
    (_GREETED_LATE, Place.GREETED),
    (_LABELLED, Place.LABELLED),
    (_CLOSE_LABEL, Place.LABELLED),
    (_SPOKEN, Place.LABELLED),
)
"""Where a name counts that is an ordinary word, or that nobody is known to bear."""
ALL = (
    *SURE,
    (_DASHED, Place.HEADED),
    (_GREETED_ON, Place.HEADED),
    (_HEADED, Place.HEADED),
    (_ALONE, Place.HEADED),
    (_LAST_LINE, Place.CLOSED),
    (_NAME_LINE, Place.HEADED),
    (_TOLD, Place.TOLD),
    (_PROSE, Place.TOLD),
    (_SUBJECT, Place.TOLD),
    (_GENITIVE, Place.TOLD),
)
_TITLED = re.compile(rf"\A{TITLE}+")
_BREAK = re.compile(r"(?:,? (?:and|und|&) | ?[,;/] ?)")


def sign_of(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Returns a pattern that stands in every text in which one of these does, and that is quickly sought."""
    return _LABEL_SIGN if pattern is _LABELLED else pattern


def told_of(names: Iterable[str]) -> re.Pattern[str]:
    """Returns the pattern of certain names behind words of speaking."""
    return re.compile(rf"(?<!\w)(?i:{_TOLD_VERB}) (?P<one>{'|'.join(sorted(names))})(?!\w|[-@/]\w|\.\w)")


def spots(text: str, patterns: Iterable[tuple[re.Pattern[str], Place]] = ALL) -> Iterator[Spot]:
    """Yields the places of a text in which a single name may stand, some of them twice."""
    for pattern, place in patterns:
        for match in pattern.finditer(text):
            for group, words in match.groupdict().items():
                if group == "list":
                    yield from _listed(match.start(group), words, place)
                elif words and group != "title":
                    yield Spot(match.start(group), match.end(group), words, place)


def _listed(start: int, words: str, place: Place) -> Iterator[Spot]:
    """Yields the items of a list, without forms of address."""
    at = 0
    for match in [*_BREAK.finditer(words), None]:
        end = len(words) if match is None else match.start()
        titled = _TITLED.match(words[at:end])
        begin = at + (titled.end() if titled is not None else 0)
        yield Spot(start + begin, start + end, words[begin:end], place)
        at = end if match is None else match.end()
