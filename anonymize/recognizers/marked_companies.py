"""Companies that stand in text alone, told by what is written beside them: "Fa. X", "X & Sons", "X s.r.o.".

Belongs here: the marks, and which words beside one name a company. What is found is registered, so that every
later mention is known. Does not belong here: companies that a model finds (`names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from anonymize.forms import parse_company, words_of
from anonymize.prefilter import Prefilter
from anonymize.recognizers.things import is_thing
from anonymize.registry import Registry
from anonymize.words import called_names, family_names, ordinary_words, word_list, word_set
from contracts.names import fold

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽ"
_WORD = rf"[{_UPPER}][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_FRONT = r"Fa\.?|Firma:?|Firmen|Gebr\.?|Gebrüder|Messrs\.?|UAB|SIA"
_KIN = (
    r"(?:[&+]|und|u\.|and) ?(?:Söhne|Soehne|Sohn|Töchter|Toechter|Tochter|Brüder|Sons?|Daughters?|Bros"
    r"|Brothers|Partners?|Partnerinnen|Kollegen|Associates|Cie|Co|Fils|Zonen)\b\.?"
)
_DOUBTFUL = r"ASA?|AB|AG|KG|SE|UG|Gruppe"
"""Short forms that stand for other things as well."""
_LEGAL = (
    r"GmbH|GMBH|mbH|KGaA|OHG|oHG|GbR|e\. ?K\.|A/S|ApS|Oyj?|s\. ?r\. ?o\.|a\.s\."
    r"|[Ss]p\. ?z ?o\.? ?o\.|[Ss]p\. ?[jk]\.|Kft\.?|Zrt\.?|Nyrt\.?|A\.Ş\.|Ltd\. Şti"
    r"|UAB|SIA|OÜ|d\. ?o\. ?o\.|d\.d\.|E?OOD|S\.r\.l\.|S\.L\."
)
_ENGLISH = r"Inc\.?|LLC|LLP|Ltd\.?|Limited|PLC|plc|Corp\.?"
"""Behind names that are joined by a sign; others are left to the model."""
_AHEAD = re.compile(rf"(?<![\w@&-])(?:{_FRONT}) (?P<name>{_WORD}(?: (?:[&+] )?{_WORD}){{0,2}})(?![@\w])")
_BEHIND = re.compile(
    rf"(?<![\w@&.’'-])(?P<name>{_WORD}(?:(?:, | ?[&+] ?| ){_WORD}){{0,4}})(?:, ?| )"
    rf"(?P<mark>(?P<kin>{_KIN})|(?P<doubtful>{_DOUBTFUL})|(?P<english>{_ENGLISH})|{_LEGAL})(?![\w@-])(?! \d)"
)
_JOINED = re.compile(rf"(?<![\w@&.’'-])(?P<one>{_WORD}) ?& ?(?P<other>{_WORD})(?![\w@’'-])")
_ARTICLE = re.compile(
    rf"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Oo]ur|[Yy]our|[Dd](?:er|ie|as|en|em|es)|[Ee]ine?[mnrs]?|[Uu]nsere?[mnrs]?"
    rf"|zu[rm]|[Ii]m|[Bb]eim|[Vv]om) (?P<word>{_WORD})(?!,? (?:{_KIN}|{_DOUBTFUL}|{_LEGAL}))"
)
_PREFILTER = Prefilter(
    [
        (rf"\b(?:{_FRONT}) \p{{Lu}}",),
        (rf"\p{{L}}(?:, ?| )(?:{_KIN}|(?:{_DOUBTFUL}|{_ENGLISH}|{_LEGAL}))",),
        (r"\p{L} ?& ?\p{Lu}",),
    ]
)
_GAP = re.compile(r", | ?[&+] ?| ")
_SHORTEST = 3
_NOBODY = frozenset(
    word_list(
        """
    ihr ihre ihrem ihren ihrer ihres unserem unseren unserer unseres euer eure eurem euren eurer eures deren
    dessen diese diesem diesen dieser dieses alle allen aller jede jedem jeden jeder jedes keine welche
    herr herrn frau mr mrs ms dr hallo hello hi dear sehr guten tag morgen von van der die das und and for
    sohn sohne soehne tochter toechter sons son daughters bros brothers partner partners kollegen associates
    co cie gmbh kg ag ohg gbr fa firma firmen gebr gebruder gruppe group abteilung niederlassung
    """
    )
)


class CompanyWords:
    """Which words beside a mark may name a company, in one archive."""

    def __init__(self, registry: Registry, plain: frozenset[str] = frozenset()) -> None:
        """`plain` are words of a language that name nobody."""
        self._known = registry.company_by_name
        self._plain = plain | registry.vocabulary
        self._families = {
            fold(name.last)
            for person in registry.persons
            for name in person.names
            if name.last and name.first
        }
        self._companies = {word for company in registry.companies for name in company.names
                           for word in words_of(name.core)[:1]}  # fmt: skip

    def named(self, text: str, searches: int) -> Iterator[tuple[str, bool]]:
        """Yields the companies that marks in a text tell, and whether a mark may stand for something else."""
        for match in _AHEAD.finditer(text) if searches & 1 else ():
            name = self._ahead(match["name"])
            if name:
                yield name, False
        for match in _BEHIND.finditer(text) if searches & 2 else ():
            name = self._behind(match)
            if name:
                yield (
                    f"{name} {match['mark'].rstrip('.') if match['kin'] else match['mark']}",
                    bool(match["doubtful"]),
                )
        for match in _JOINED.finditer(text) if searches & 4 else ():
            if self._is_half_known(match["one"], match["other"]):
                yield match.group(), False

    def _is_plain(self, word: str) -> bool:
        parts = words_of(word)
        return all(
            part in ordinary_words() or part in _NOBODY or is_thing(part) or part in word_set("roles")
            for part in parts
        )

    def _ahead(self, written: str) -> str:
        """Returns the name behind a mark: one word, more behind a first name or a sign."""
        pieces, gaps = _GAP.split(written), _GAP.findall(written)
        taken = pieces[0]
        if len(taken) < _SHORTEST or (self._is_plain(taken) and fold(taken) not in family_names()):
            return ""
        if fold(taken) in _NOBODY:
            return ""
        for gap, before, word in zip(gaps, pieces, pieces[1:], strict=False):
            joined = gap.strip() != "" or fold(before) in called_names() - family_names()
            if not joined or self._is_plain(word):
                break
            taken += gap + word
        return "" if self._is_known(taken) else taken

    def _behind(self, match: re.Match[str]) -> str:
        """Returns the name before a mark, without plain words in front of it."""
        name = match["name"]
        partners = "artner" in (match["kin"] or "")
        head, comma, tail = name.rpartition(", ")
        if comma and not (("&" in tail or partners) and _WORD_ALONE.fullmatch(head.rpartition(", ")[2])):
            name = tail
        if (match["english"] and "&" not in name) or (match["doubtful"] and name.isupper()):
            return ""
        pieces, gaps = _GAP.split(name), _GAP.findall(name)
        weak = bool(match["kin"]) and len(pieces) == 1
        while pieces and self._is_plain(pieces[0]) and not (weak and fold(pieces[0]) in family_names()):
            pieces.pop(0)
            gaps = gaps[1:]
        if not pieces or fold(pieces[-1]) in _NOBODY or len(pieces[0]) < _SHORTEST:
            return ""
        if match["doubtful"] and any(map(self._is_plain, pieces)):
            return ""
        worded = bool(match["kin"]) and not match["kin"].startswith(("&", "+"))
        called = fold(pieces[0]) in called_names()
        spoken = worded and (len(pieces) > 1 or called or pieces[0].endswith("en"))
        couple = partners and len(pieces) == 1 and called and fold(pieces[0]) not in family_names()
        if couple or spoken:
            return ""  # "Kunden und Partner", "Tom and Sons"
        taken = pieces[0] + "".join(gap + word for gap, word in zip(gaps, pieces[1:], strict=True))
        ends = [" ".join(pieces[at:]) for at in range(len(pieces))]
        return "" if self._is_known(taken) or ("&" not in taken and any(map(self._is_known, ends))) else taken

    def _is_known(self, name: str) -> bool:
        parsed = parse_company(name)
        return parsed is None or parsed.key in self._known

    def _is_half_known(self, one: str, other: str) -> bool:
        """Says whether one of two joined words names a registered person or company, the other nobody."""
        for known, new in ((fold(one), fold(other)), (fold(other), fold(one))):
            registered = known in self._families or (known in self._companies and known not in self._plain)
            open_ = not self._is_plain(new) and new not in self._plain and len(new) > _SHORTEST
            if registered and known not in called_names() and open_ and new not in called_names():
                unheld = new not in self._families and new not in self._companies
                return unheld and not self._is_known(f"{one} & {other}")
        return False


_WORD_ALONE = re.compile(_WORD)


def marked_companies(
    texts: Sequence[str], registry: Registry, plain: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Returns the companies that texts mark as such and the registry lacks.

    A word that stands behind an article is a thing where only a doubtful mark tells otherwise.
    """
    words = CompanyWords(registry, plain)
    sure: set[str] = set()
    doubtful: set[str] = set()
    for text, searches in zip(texts, _PREFILTER.masks(texts), strict=True):
        for name, open_ in words.named(text, searches) if searches else ():
            (doubtful if open_ else sure).add(name)
    return frozenset(sure | _without_things(doubtful, texts))


def _without_things(found: set[str], texts: Iterable[str]) -> set[str]:
    cores = {name: parsed.core for name in found if (parsed := parse_company(name)) is not None}
    single = {core for core in cores.values() if " " not in core}
    things: set[str] = set()
    for text in texts if single else ():
        things.update(match["word"] for match in _ARTICLE.finditer(text) if match["word"] in single)
    return {name for name in found if cores.get(name) not in things}
