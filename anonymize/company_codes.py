"""Letters that stand for the company in ids of its own: "TW-4711" of Tarnwick, a ticket "NBT-12".

Belongs here: which letters could be a company's abbreviation, and such ids in text. Does not belong here:
what replaces them (`identifiers`, which gives a prefix the same other letters everywhere).
"""

from __future__ import annotations

import re
from itertools import combinations

from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import parse_company, words_of
from anonymize.identifiers import COMMON_PREFIXES, IdentifierMap
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer
from anonymize.registry import Registry, domain_stem
from contracts.manifest import Company
from contracts.names import fold

SHORTEST_OWN, SHORTEST_OTHER, LONGEST = 2, 3, 5
"""Letters of an abbreviation; two tell the company itself only: of a thousand others some has any two."""
_CODE_SCORE = 0.985
"""More than that of any name: a model takes "TW-CORE" for a company."""
_ONSET = re.compile(r"(?<=[aeiouy])[^aeiouy]{1,4}(?=[aeiouy])")
_LETTERS = re.compile(r"[A-Za-z]+")
_CODED = rf"[A-Za-z]{{{SHORTEST_OWN},{LONGEST}}}[-_]?\d|[A-Z]{{{SHORTEST_OWN},{LONGEST}}}[-_][A-Z0-9]"
_CODE = re.compile(r"[A-Za-z]+(?:\d{1,2}|(?:[-_][A-Z]+)+)")
"""What a column of codes holds: a plant, a material called by a word."""
_VOWELS = "aeiouy"


def company_codes(company: Company, registry: Registry) -> frozenset[str]:
    """Returns the folded letters by which ids could name the company, or another one by its initials.

    Of others three letters are needed. Marks that ids have everywhere ("PO", "INV") tell nobody and are none.
    """
    own = {code for text in company.names for code in _of_name(text)}
    own |= {code for domain in company.domains for code in _of_words([fold(domain_stem(domain))])}
    others = {
        code
        for one in registry.companies
        for name in one.names
        for code in _initials(words_of(name.core))
        if len(code) >= SHORTEST_OTHER
    }
    return frozenset(
        code
        for code in own | others
        if SHORTEST_OWN <= len(code) <= LONGEST and code.isascii() and code.upper() not in COMMON_PREFIXES
    )


def _of_name(text: str) -> set[str]:
    name = parse_company(text)
    core = words_of(name.core if name is not None else text)
    legal = words_of(name.legal) if name is not None and name.legal else []
    return _of_words(core) | _initials([*core, *legal])


def _of_words(words: list[str]) -> set[str]:
    found = _initials(words)
    for word in words[:1]:
        if word.isalpha() and len(word) > SHORTEST_OTHER:
            found |= {word[:size] for size in range(2, LONGEST)} | _by_syllables(word)
            skeleton = word[0] + "".join(char for char in word[1:] if char not in _VOWELS)
            found |= {skeleton[:size] for size in (2, 3, 4)} | {word[0] + word[-1]}
    return found


def _initials(words: list[str]) -> set[str]:
    letters = "".join(word[0] for word in words if word[:1].isalpha())
    return {letters[:size] for size in range(2, len(letters) + 1)}


def _by_syllables(word: str) -> set[str]:
    """Returns the first letter with first letters of later syllables: "tw" of tarnwick."""
    onsets = [match.group()[-2:] for match in _ONSET.finditer(word)]
    found = set()
    for size in (1, 2, 3):
        for chosen in combinations(onsets, size):
            codes = {word[0]}
            for onset in chosen:
                codes = {code + char for code in codes for char in onset}
            found |= codes
    return found


class CompanyCodeRecognizer(ContextRecognizer):
    """Finds ids that begin with letters of a company, whether a column lists them or not."""

    KINDS = (FindingKind.IDENTIFIER,)

    def __init__(
        self, identifiers: IdentifierMap, codes: frozenset[str], listed: frozenset[str] = frozenset()
    ) -> None:
        """Takes the map of identifiers, the folded letters, and the ids that columns list."""
        super().__init__()
        self._identifiers, self._listed = identifiers, listed
        letters = "|".join(sorted((code.upper() for code in codes), key=lambda code: (-len(code), code)))
        self._ids = re.compile(
            rf"(?<![\w@./-])(?:(?i:{letters})[-_]?\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"
            rf"|(?:{letters})(?:[-_][A-Z0-9]{{2,}})+)(?![\w@]|[-/][A-Za-z0-9])"
            if codes
            else r"(?!)"
        )

    def signs(self) -> tuple[Sign, ...]:
        """Returns letters with a number, or capitals with a hyphen, as every id of a company begins."""
        return (_CODED,)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns "TW-4711", "TW4711", "tw-4711" and "TW-CORE", each as a column's id is replaced.

        A plant "TW01" or "TW-CORE" that no column of ids lists keeps its rest, as in columns of codes.
        """
        found = []
        for match in self._ids.finditer(text):
            start, end = match.span()
            code = _CODE.fullmatch(match.group())
            linked = any(
                link.kind == "identifier" and start < link.start < end for link in context.links
            )  # "4711" of "TW-4711" is the number of a record, which is replaced by itself
            letters = _LETTERS.match(match.group())
            if letters and (linked or (code is not None and match.group() not in self._listed)):
                end = start + letters.end()
                new = self._identifiers.prefix(letters.group())
            else:
                new = self._identifiers.identifier(match.group())
            found.append(Finding(FindingKind.IDENTIFIER, start, end, _CODE_SCORE, new))
        return found
