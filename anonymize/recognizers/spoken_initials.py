"""Initials that no column lists, where a text speaks of somebody by them or somebody signs with them.

"as agreed with K.W.", "lt. JS", "LG, M.": those of somebody in scope or of the one person of the archive who
has them become the surrogate's; others become other letters, the same for the same ones. Does not belong
here: initials that are a login (`recognizers.initials`), capitals without such words around them, which may
be anything and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from anonymize.findings import Context, Finding, FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.initials import ABBREVIATIONS, initials_in
from anonymize.prefilter import Sign
from anonymize.recognizers.base import NEEDS_NOTHING, ContextRecognizer, Reading
from anonymize.recognizers.lone_places import CLOSING
from anonymize.surrogates import Surrogates
from anonymize.words import ordinary_words, word_list
from contracts.names import fold

SCORE = 0.69
_LETTERS = r"(?P<letters>[A-Z]\. ?[A-Z]\.(?: ?[A-Z]\.)?|[A-Z]{2,3})(?![\w@&/-]|\.\w)"
_DOTTED = r"(?P<letters>[A-Z]\. ?[A-Z]\.(?: ?[A-Z]\.)?)(?![\w@&/-])"
_AGREED = r"(?:besprochen|abgestimmt|gekl(?:ä|ae)rt|vereinbart|telefoniert|gesprochen|ausgemacht|verabredet)"
_SPOKEN = (
    re.compile(
        r"(?<!\w)(?i:lt\.?|laut|as per|gem(?:ä|ae)(?:ß|ss)|r(?:ü|ue)cksprache mit|r(?:ü|ue)ckfrage bei"
        r"|info(?:rmation)? an|(?:spoke|talked|discussed|agreed|checked|aligned|confirmed"
        r"|cleared) (?:to |this )?(?:with|to|by)"
        r"|ask|asked|ok (?:von|from|by)|cc:?|fao:?|attn:?|z\. ?k\.|z\. ?hd\.|okay von|freigabe von|info:"
        rf"|vertretung:?) {_LETTERS}"
    ),
    re.compile(rf"(?<!\w)(?i:mit|with) {_LETTERS}(?= (?i:{_AGREED})(?!\w))"),
    re.compile(rf"(?<!\w)(?i:per|via|durch) {_LETTERS}(?=[ \t]*(?:[,;.!?)\r\n]|$))"),
    re.compile(rf"(?<!\w)(?i:mit|with|von|by|an|bei|f(?:ü|ue)r|for|to|from|per|und|and|durch) {_DOTTED}"),
    re.compile(
        rf"(?:^|(?<=[.!?;:] )|(?<=\n)){_LETTERS}(?= (?i:said|says|told|asked|meint|sagt|sagte|hat "
        rf"(?:das |es )?(?:best(?:ä|ae)tigt|gesagt"
        r"|freigegeben|gemeint|zugesagt|angerufen)|called|will call|ruft)(?!\w))",
        re.MULTILINE,
    ),
)
_SIGNED = re.compile(
    rf"(?mi)(?:^[>\s*]*|[.!?,] +){CLOSING}(?!\w)(?:[ \t]?[,!.:;–-]*[ \t]+|[^\n\w]{{0,5}}"
    rf"(?:\r?\n[>\s*_-]*){{1,3}})"
    r"(?-i:(?P<letters>[A-Z]\.?|[A-Z]\. ?[A-Z]\.?(?: ?[A-Z]\.)?|[A-Z]{2,3}))(?=[ \t*_)]*(?:$|\r?\n))"
)
_ALONE = re.compile(r"\A[>\s_*/–-]*(?P<letters>[A-Z]\.|[A-Z]\. ?[A-Z]\.|[A-Z]{2,3})[\s*_]*\Z")
_ALONE_SIGN = r"^[>\s_*/–-]*(?:[A-Z]\.|[A-Z]\. ?[A-Z]\.|[A-Z]{2,3})[\s*_]*$"
_LABEL_SIGN = (
    r"(?i)k(?:ü|ue)rzel|kurzzeichen|kzl|initial|monogram|kst|vertret|freigegeben|freigabe|genehmigt|pr(?:ü|ue)ft"
    r"|erledigt|approved|released|checked|signed|gez|i\.\s?[av]|bearbeiter|einverstanden|\bok(?:ay)?\b"
)
"""A word of those that label initials (`anonymize.initials`)."""
_MORE = frozenset(
    word_list(
        """
    sms lkw pkw qr ki vw bmw ibm sap ms tv pc ip ai ui ux db os sql xls doc ppt jpg png gif mfa otp sso vip
    ceo eod ooo wfh pto nda msa sow po gr br kr lg vg hg bg ok okay ps pps us uk eu un usa nato bgb hgb agb
    abg     post ag kg se ev du er es am im an in so go no do to we he
    """
    )
)
_PLACES = frozenset(word_list("us uk eu un usa ny la dc nv bv sa ps pps iv ia za zb dh ua uk pm"))
"""Dotted letters that are no initials."""


class _Letters(NamedTuple):
    start: int
    end: int
    written: str
    bare: str
    """Capitals only."""
    telling: bool
    """Behind words that tell of somebody, or at the end of a mail."""


class SpokenInitialsRecognizer(ContextRecognizer):
    """Finds initials by the words around them, or under a closing."""

    KINDS = (FindingKind.PERSON,)

    def __init__(self, surrogates: Surrogates, identifiers: IdentifierMap) -> None:
        """Takes who has which initials, and the map that gives other letters."""
        super().__init__()
        self._surrogates = surrogates
        self._identifiers = identifiers
        owners: dict[str, dict[int, None]] = {}
        for index, person in enumerate(surrogates.registry.persons):
            for name in person.names:
                first, middle, last = (fold(part)[:1].upper() for part in name)
                if first and last:
                    for letters in {first, first + last, first + middle + last}:
                        owners.setdefault(letters, {})[index] = None
        self._owners = {letters: frozenset(found) for letters, found in owners.items()}

    def signs(self) -> tuple[Sign, ...]:
        """Returns the patterns of such places."""
        return (*_SPOKEN, _SIGNED, _ALONE_SIGN, _LABEL_SIGN)

    def reading(self, text: str) -> Reading:
        """Returns the persons whom initials of a text may mean."""
        found = (self._owners.get(one.bare) for one in self._in(text))
        groups = tuple(dict.fromkeys(group for group in found if group))
        return Reading(groups) if groups else NEEDS_NOTHING

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns initials of those in scope, and those behind words that tell of somebody."""
        findings = []
        for one in self._in(text):
            owners = self._owners.get(one.bare, frozenset())
            near = next((person for person in context.persons if person in owners), None)
            if near is None and not one.telling:
                continue
            if near is None and len(owners) == 1 and len(one.bare) > 1:
                near = next(iter(owners))
            new = self._others(one.bare) if near is None else self._of(near, len(one.bare))
            findings.append(
                Finding(FindingKind.PERSON, one.start, one.end, SCORE, _laid_out(one.written, new))
            )
        return findings

    def _others(self, bare: str) -> str:
        """Returns other letters; the few that the keyed map would leave as they are go one further."""
        new = self._identifiers.prefix(bare)
        following = "A" if bare[-1] == "Z" else chr(ord(bare[-1]) + 1)
        return new if new != bare else self._identifiers.prefix(bare[:-1] + following)

    def _of(self, person: int, size: int) -> str:
        first, middle, last = (fold(part)[:1].upper() for part in self._surrogates.persons[person].name)
        return {1: first, 2: first + last, 3: first + middle + last}[size]

    def _in(self, text: str) -> Iterator[_Letters]:
        seen: set[int] = set()
        for pattern in _SPOKEN:
            for match in pattern.finditer(text):
                yield from self._one(match, seen, telling=True)
        for match in _SIGNED.finditer(text):
            yield from self._one(match, seen, telling=True)
        for match in _ALONE.finditer(text):
            yield from self._one(match, seen, telling=False)
        for found in initials_in(text):
            if found.labelled and found.start not in seen and found.letters in self._owners:
                yield _Letters(found.start, found.end, found.letters, found.letters, telling=True)

    def _one(self, match: re.Match[str], seen: set[int], *, telling: bool) -> Iterator[_Letters]:
        written, start = match["letters"], match.start("letters")
        bare = "".join(char for char in written if char.isalpha())
        small, dotted = bare.lower(), "." in written
        common = small in _PLACES if dotted else small in ABBREVIATIONS | _MORE or small in ordinary_words()
        if start in seen or (common and len(bare) > 1):
            return
        if not dotted and len(bare) > 1 and bare not in self._owners:
            return
        seen.add(start)
        yield _Letters(start, match.end("letters"), written, bare, telling)


def _laid_out(written: str, letters: str) -> str:
    """Returns letters with the stops and blanks of other initials."""
    rest = iter(letters)
    return "".join(next(rest) if char.isalpha() else char for char in written)
