"""Names of people whom only the way in which a text speaks of them gives away.

Belongs here: header lines of quoted mails, "... wrote:", greetings, forms of address, signatures behind a
closing, and two capital words that somebody speaks, writes or meets with; English and German. No list of
names is needed. Does not belong here: names that lists and models know (`full_names`, `names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anonymize.display_names import Named, read_name
from anonymize.forms import PersonName, parse_person, words_of
from anonymize.prefilter import Prefilter
from anonymize.recognizers.things import is_thing
from anonymize.registry import Registry
from anonymize.words import called_names, family_names, ordinary_words, word_list, word_set
from contracts.names import fold

_UP = r"[^\W\d_a-zà-öø-ÿ](?:['’]?[^\W\d_])+(?:-[^\W\d_]+)*"
_PARTICLE = r"(?:von|van|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|zu|bin|al|el)"
_TWO = rf"{_UP}(?: [A-Z]\.)?(?: {_PARTICLE}){{0,2}} {_UP}(?: {_UP})?"
"""A full name of two or three words."""
_TURNED = rf"{_UP}, {_UP}"
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Herrn?|Hrn?|Frau|Fr|Fräulein|Sir|Madam|Mme|Monsieur"
    r"|Madame|Señora?|Sr|Sra|MMag|Mag|Ing|Dipl\.-?[A-Z][a-z]+|DI|RA|RAin|StB|StBin|PD|Univ\.-Prof|Hofrat)"
)
TITLED = re.compile(
    rf"(?<![\w-]){_TITLE}\.?[ \u00a0](?:{_TITLE}\.?[ \u00a0]|med\.[ \u00a0])*(?P<name>(?:[A-Z]\.["
    rf" \u00a0])*(?:{_PARTICLE} ){{0,2}}"
    rf"{_UP}(?: (?:{_PARTICLE} ){{0,2}}{_UP}){{0,2}})"
)
HEADER = re.compile(
    r"(?m)^[>\s*|]*(?:From|To|Cc|Bcc|Sent by|Reply-To|On behalf of|Von|An|Kopie|Bcc|Antwort an|De|À|Para"
    r"|Da|A)\s*:\**[ \t]*"
    r"(?P<names>[^\n\r]{3,400})$"
)
_WROTE = re.compile(
    rf"(?:,|\d|\b(?:On|Am) [^\n,]{{3,40}}?|^[>\s]*)\s?(?P<name>{_TWO}|{_TURNED})(?: ?[<\["
    rf"(][^\n>\])]*[>\])])?,?\s(?:wrote|writes|a écrit|escribió)\b",
    re.MULTILINE,
)
_SCHRIEB = re.compile(rf"\bschrieb(?:en)?\s+(?P<name>{_TWO}|{_TURNED})(?=\s*(?:[<\[(:,]|$))", re.MULTILINE)
_CLOSING = re.compile(
    r"(?mi)^[>\s]*(?:(?:best|kind|warm|many|with (?:best|kind)|with)?\s?regards|sincerely(?: yours)?"
    r"|yours(?: sincerely| truly| faithfully)?"
    r"|cheers|best|best wishes|all the best|thank(?:s| you)(?: (?:again|a lot|very much|in advance))?"
    r"|respectfully"
    r"|mit (?:freundlichen|besten|herzlichen|vielen) gr(?:ü|ue)(?:ß|ss)en|(?:viele|beste|liebe|herzliche"
    r"|freundliche|sch(?:ö|oe)ne) gr(?:ü|ue)(?:ß|ss)e"
    r"|mfg|lg|vg|gruß|gruss|danke|vielen dank)\b[^\n\w]{0,4}(?:\r?\n[>\s]*){1,3}(?P<name>[^\n\r]{3,60})"
    r"(?=\r?\n|$)"
)
_SPOKEN_TO = (
    r"(?:spoke|speak|speaking|spoken|talk|talked|talking|met|meet|meeting|call|called|calling|chat|chatted|lunch|dinner|discuss(?:ed)?"
    r"|ask|asked|asking|tell|told|contact|contacted|reach|cc|cc['’]?d|cc['’]?ing|loop(?:ed|ing)? in|loop"
    r"|cop(?:y|ied|ying)"
    r"|includ(?:e|ed|ing)|invit(?:e|ed|ing)|see|saw|seen|thank|thanks|thanked|introduc(?:e|ed|ing)|remind(?:ed)?|email(?:ed)?"
    r"|mail(?:ed)?|e-mail(?:ed)?|ping(?:ed)?|notify|inform(?:ed)?|hear|heard|assigned|replaced|replaces|hire|hired|visit(?:ed|or)?"
    r"|sent|forwarded|signed|approved|written|reviewed|prepared|drafted|handled|led|represented|confirmed|reported)"
)
_RELATION = (
    r"(?:colleague|lawyer|attorney|counsel|boss|manager|assistant|husband|wife|partner|accountant|auditor|consultant|agent|contractor"
    r"|director|secretary|successor|predecessor|deputy|intern|buyer|rep|representative|contact|visitor|candidate|president|chairman"
    r"|engineer|analyst|supervisor|officer|owner|founder|friend|sister|brother|son|daughter|mother|father|neighbou?r|guest|speaker"
    r"|ceo|cfo|cto|coo|vp|head of [a-z]+|Kollegen?|Kollegin|Anwalt|Anwältin|Chefin?|Assistentin?|Mann"
    r"|Frau|Buchhalterin?|Prüferin?"
    r"|Beraterin?|Vertreterin?|Nachfolgerin?|Geschäftsführerin?|Leiterin?|Ansprechpartnerin?|Besucherin?|Bewerberin?)"
)
_SAYS = (
    r"(?:said|says|wrote|writes|signed|signs|asked|asks|wants|wanted|told|thinks|thought|suggested|suggests|confirmed|confirms"
    r"|mentioned|agreed|agrees|promised|left|joined|retired|called|calls|replied|answered|explained|insisted|insists|resigned"
    r"|works|worked|likes|knows|lives|(?:will|would|can|could|has|had|is|was) (?:be |been |just |already"
    r" |also )?(?:call|ask|send|join"
    r"|review|sign|visit|asked|joined|left|sent|signed|called|told|out|away|back|on (?:vacation|leave"
    r"|holiday)|in charge"
    r"|responsible|covering|handling|leaving|joining|visiting|calling|waiting)"
    r"|hat|sagte|sagt|meint|bittet|bat|schreibt|schrieb|möchte|kommt|kam|ruft|rief|arbeitet|übernimmt|vertritt|unterschrieb)"
)
_NAMED_BEHIND = rf"[ \n](?P<name>{_TWO})(?!\w|[ ]?[@/])"
_BEHIND_VERB = re.compile(
    rf"\b(?:(?i:{_SPOKEN_TO})(?: (?:with|to|from|by|for|at|over to|off))?|by|attn:?|attention:?|c/o|per"
    rf"|via|i\.\s?A\.|i\.\s?V\."
    rf"|mit|von|bei|an|für|durch|samt|nebst|zu|know|knows|know of){_NAMED_BEHIND}"
)
_BEHIND_RELATION = re.compile(rf"\b(?i:{_RELATION}),?(?: is| was| ist| war| heißt)?{_NAMED_BEHIND}")
_BEFORE_WORDS = re.compile(
    rf"(?:^|(?<=[.!?;:,]\s)|(?<=\n)|(?<=\b[a-z][a-z] )|(?<=[a-z]{{3}} ))(?P<name>{_TWO}|{_TURNED})"
    rf"(?:['’]s? (?:team|office|desk|mail|email|e-mail|note|request|approval|signature|assistant|group"
    rf"|comment|question|answer"
    rf"|number|account|order|call|visit|proposal|draft|laptop|report)\b|,? (?:who )?{_SAYS}\b"
    rf"|,? (?:from|of|in|aus) (?:(?:the|our|your|their|his|her) )?(?i:legal|purchasing|sales|finance"
    rf"|accounting|procurement|hr|it|support|audit|tax|compliance"
    rf"|marketing|operations|engineering|treasury|payroll|einkauf|vertrieb|buchhaltung|rechtsabteilung)\b)",
    re.MULTILINE,
)
_CC = re.compile(rf"(?m)(?:^|[\s(])(?i:cc|bcc|attn|z\.\s?Hd\.|fao)[:.]? (?P<name>{_TWO})\s*(?:$|[,;.)])")
_SURE = (_WROTE, _SCHRIEB, _BEHIND_RELATION, _CC)
"""Where nobody but a person stands, so that one of the words may be an ordinary one."""
_LIKELY = (_BEHIND_VERB, _BEFORE_WORDS)
_GREETING = re.compile(
    rf"(?m)^[>\s]*(?:Hi|Hello|Hey|Dear|Hallo|Liebe|Lieber|Moin|Servus|Good (?:morning|afternoon)|Guten "
    rf"(?:Tag|Morgen)),? "
    rf"(?P<name>{_UP}(?: {_UP})?)(?=\s*[,!:]|\s*$)"
)
_SEARCHES = (HEADER, TITLED, *_SURE, *_LIKELY, _GREETING)
EVERY = (1 << len(_SEARCHES)) - 1
"""All searches of a line, as bits."""
_PREFILTER = Prefilter([(":",), *((search,) for search in _SEARCHES[1:])])
NO_NAMES = frozenset(
    word_list(
        """
    mag mmag prof ing dipl univ
    am pm uhr all team everyone everybody folks colleagues sir madam customer customers user users friend
    friends both there again sirs herr frau damen herren kollegen kolleginnen zusammen alle beide kunde
    kunden north south east west new great united national international first second third monday tuesday
    wednesday thursday friday saturday sunday january february march april june july august september
    october november december ihr ihre ihren ihrem ihrer ihres sie unser unsere unseren unserem unserer
    euer eure euren eurem der die das den dem des ein eine einen einem einer eines dieser diese dieses
    diesen diesem jeder jede jedes alle allen bitte danke guten guter gute sehr viele vielen montag
    dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april juni juli oktober
    dezember
    """
    )
)
WORD_NAMES = frozenset(
    word_list(
        """
    will mark may grace rich frank jack bill bob pat sue art gene drew chase grant hunter mason carter
    cooper taylor tanner faith hope joy dawn eve ivy rose lily daisy holly iris olive ruby pearl amber
    crystal april june august summer autumn miles lane reed dean earl duke page cliff glen heath rob nick
    pierce lance ray victor jay robin martin christian angel jade sandy penny ginger buck chip chuck rusty
    skip woody max ernst horst wolf
    """
    )
)
"""First names that are words besides: they count where the family name is none."""
WORD_FAMILIES = frozenset(
    word_list(
        """
    green brown white black gray grey young king cook baker price church banks marsh rice stone wood woods
    fields bell ball bishop butler chase cross day dean drake fox french frost gates glass gold grant hall
    hand hart hill hope hunt hunter key knight lake lamb lane law little long love marks may mills moon
    noble north page park parks pike pond pope porter power powers rich rivers rose rush sharp short
    silver small snow speed spring street strong summers swift temple town turner walker wall ward waters
    weaver wells west winter wise wolf best bush carpenter mason farmer fisher gardener miller taylor
    smith weber koch könig kaiser kaufmann vogel sommer berg bach stein klein gross lang kurz schwarz
    weiss braun roth jung alt bauer jäger richter schäfer schneider fischer zimmermann
    """
    )
)
"""Family names that are words besides: they count behind a first name that is none."""
_WORD = re.compile(r"[^\W\d_]+")
_GERMAN = re.compile(
    r"(?<!\w)(?:und|mit|von|für|bei|im|auf|wir|Sie|nicht|ist|bitte|Bitte|dem|den|ein|eine)(?!\w)"
)
"""Words of a German line, in which every noun has a capital."""
_ITEM = re.compile(r"\s*(?:;|,(?=[^,;]*[<\[@])|\t)\s*")
_ADDRESS = re.compile(r"[<\[(][^<>\[\]()\n]*[>\])]|\S+@\S+")


def addressed_names(
    texts: Iterable[str], registry: Registry, plain: frozenset[str] = frozenset()
) -> frozenset[PersonName]:
    """Returns the people of whom texts speak as one speaks of people, and whom the registry lacks.

    `plain` are words of a language that name nobody. A family name behind a form of address counts alone,
    unless somebody is known who bears it.
    """
    judge = _Judge(registry, plain)
    texts = list(texts)
    full: set[PersonName] = set()
    alone: set[PersonName] = set()
    for text in texts:
        full.update(judge.signed(text))
    lines = sorted({line.strip(" \t>|*") for text in texts for line in text.splitlines()})
    for line, searches in zip(lines, _PREFILTER.masks(lines), strict=True):
        for name in judge.names(line, searches) if searches else ():
            (full if name.first and name.last else alone).add(name)
    full |= _never_small(judge.doubtful, texts)
    found = {name for name in full if name.key not in registry.by_name}
    families = judge.families | {fold(name.last) for name in full}
    return frozenset(found | {name for name in alone if fold(name.last) not in families})


def _never_small(names: set[PersonName], texts: Iterable[str]) -> set[PersonName]:
    """Returns the names of which no text writes the first name in small letters, as it does with words."""
    firsts = {name.first.lower() for name in names}
    for text in texts if firsts else ():
        firsts.difference_update(_WORD.findall(text))
    return {name for name in names if name.first.lower() in firsts}


class _Judge:
    """Decides what is no name although it stands where names do."""

    def __init__(self, registry: Registry, plain: frozenset[str]) -> None:
        self.doubtful: set[PersonName] = set()
        """Whose first name is a word of our lists."""
        self._ordinary = registry.vocabulary | ordinary_words()
        self._plain = plain | self._ordinary
        self.families = {fold(name.last) for person in registry.persons for name in person.names if name.last}
        self._companies = {word for company in registry.companies for name in company.names
                           for word in words_of(name.core)}  # fmt: skip

    def names(self, text: str, searches: int = EVERY) -> Iterator[PersonName]:
        """Yields the names of one line, some of them twice, that some searches find."""
        german = _GERMAN.search(text) is not None
        for place, pattern in enumerate(_SEARCHES):
            for match in pattern.finditer(text) if searches >> place & 1 else ():
                if pattern is HEADER:
                    for item in _ITEM.split(match["names"]):
                        yield from self._item(item)
                elif pattern is TITLED:
                    yield from self._titled(match["name"])
                elif pattern is not _GREETING:
                    yield from self._full(match["name"], sure=pattern in _SURE, german=german)
                elif " " in match["name"]:
                    yield from self._full(match["name"], sure=True)

    def signed(self, text: str) -> Iterator[PersonName]:
        """Yields the names below the closings of a text."""
        for match in _CLOSING.finditer(text):
            line = match["name"].strip(" >*_-,.")
            if re.fullmatch(_TWO, line):
                yield from self._full(line, sure=True)

    def _item(self, item: str) -> Iterator[PersonName]:
        bare = _ADDRESS.sub(" ", item).strip(" \t'\"*,;:>|")
        named = 2 <= len(words_of(bare)) <= 5 and "http" not in bare and not bare.islower()
        typed = read_name(bare) if named else None
        if typed is not None and typed.named is Named.PERSON and typed.name is not None:
            yield from self._kept(typed.name, sure=True)

    def _titled(self, written: str) -> Iterator[PersonName]:
        words = written.split()
        if len(words) > 1 and words[0][-1] == "s" and fold(words[0]) not in called_names() | self.families:
            words = [words[0][:-1]]  # "Frau Odenriks Postfach"
        while words and self._is_plain(words[-1]) and len(words) > 1:
            words.pop()  # "Mr. Lee Please call"
        name = parse_person(" ".join(words)) if words else None
        if name is None:
            return
        if not name.last:
            name = PersonName("", "", name.first)
        if not self._names_nobody(name.last):
            yield name

    def _full(self, written: str, *, sure: bool, german: bool = False) -> Iterator[PersonName]:
        words = re.sub(r"['’]s?$", "", written).split()
        while len(words) > 2 and self._is_plain(words[-1]):
            words.pop()
        name = parse_person(" ".join(words))
        if name is not None:
            yield from self._kept(name, sure=sure, german=german)

    def _kept(self, name: PersonName, *, sure: bool, german: bool = False) -> Iterator[PersonName]:
        """Yields a full name of which a word is no plain one; which of them, `sure` leaves open."""
        first, last = fold(name.first), fold(name.last)
        if not first or len(last) < 2 or any(word in self._companies for word in words_of(name.full)):
            return
        if any(word in NO_NAMES or word in word_set("roles") for word in (first, last)):
            return
        if is_thing(first) or is_thing(last, first):
            return
        plain_first, plain_last = self._is_plain(first), self._is_plain(last)
        called = first in called_names() or first in WORD_NAMES
        if plain_first and plain_last:
            return
        rare = last not in self._ordinary  # a word that only the model's many strings hold
        borne = first in called_names() or (
            not plain_first
            and (rare or last in family_names() or last in WORD_FAMILIES or last in WORD_NAMES)
        )
        if sure or (not plain_last and (called or not plain_first)) or (plain_last and borne):
            yield name
        elif plain_first and not (plain_last or german) and first not in word_set("common_words"):
            self.doubtful.add(name)

    def _names_nobody(self, word: str) -> bool:
        folded = fold(word)
        return folded in NO_NAMES or folded in word_set("roles") or is_thing(word) or self._is_plain(word)

    def _is_plain(self, word: str) -> bool:
        return all(part in self._plain or part in NO_NAMES for part in words_of(word))
