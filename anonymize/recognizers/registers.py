"""Numbers that offices give to persons and companies, with the words that announce them.

Belongs here: social security, tax, register, LEI and DUNS numbers, passports, licences, number plates. Does
not belong here: VAT numbers and the numbers of the archive's own systems (`numbers`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from anonymize.check_digits import mod97
from anonymize.findings import Context, Finding, FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer

SCORE = 0.9
ANNOUNCED_SCORE = 0.945
"""Behind the words that announce it a number is nothing else, not even a phone or a column's id."""
CLAIM = r"[\w\u00a0 .,:#()/'’-]{0,30}?"
"""What may stand between the announcing word and its number."""


def is_ssn(digits: str) -> bool:
    """Says whether nine digits can be a social security number."""
    area = digits[:3]
    fits = area not in ("000", "666") and area < "900" and digits[3:5] != "00" and digits[5:] != "0000"
    return len(digits) == 9 and fits


def is_lei(value: str) -> bool:
    """Says whether the check digits of a legal entity identifier are right."""
    return len(value) == 20 and mod97(value) == 1


def _any(digits: str) -> bool:
    return bool(digits)


class _Rule(NamedTuple):
    kind: FindingKind
    pattern: re.Pattern[str]
    """The number is group "n"."""
    announced: bool
    is_right: Callable[[str], bool] = _any
    only_right: bool = False
    """Whether wrong ones are no such numbers."""
    sign: Sign = ""
    """What stands in every text with such a number: the word that announces it, or the number."""


def _rule(
    kind: FindingKind,
    number: str,
    words: str = "",
    is_right: Callable[[str], bool] = _any,
    *,
    only_right: bool = False,
) -> _Rule:
    before = rf"(?<!\w)(?i:{words})(?!\w){CLAIM}(?<![\w-])" if words else r"(?<![\w.-])"
    pattern = re.compile(rf"{before}(?P<n>{number})(?![\w]|-\w)")
    sign = rf"\b(?i:{words})(?:\W|$)" if words else pattern
    return _Rule(kind, pattern, bool(words), is_right, only_right, sign)


_TAX, _DOCUMENT, _BANK = FindingKind.TAX, FindingKind.DOCUMENT, FindingKind.IBAN
_BIC = _rule(_BANK, r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", r"bic|swift(?:[ -]?code)?")
"""The one number that may have no digit."""
_RULES = (
    _rule(_TAX, r"\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}", is_right=is_ssn, only_right=True),
    _rule(_TAX, r"\d{3}[- ]?\d{2}[- ]?\d{4}", r"ssns?|social security(?: (?:no|number|#))?", is_ssn),
    _rule(_TAX, r"\d{2}-?\d{7}", r"f?eins?|employer (?:id|identification)|tax id|taxpayer|irs|tin"),
    _rule(_TAX, r"\d{2}-?\d{3}-?\d{4}", r"d-?u-?n-?s(?: (?:no|number|#))?"),
    _rule(_TAX, r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]"),
    _rule(_TAX, r"\d{2,3}[ /]\d{3}[ /]\d{4,5}|\d{10,13}", r"steuer-?(?:nr|nummer|id(?:-?nr)?)|st\.?-?nr"),
    _rule(_TAX, r"\d{2} ?\d{3} ?\d{3} ?\d{3}", r"idnr|steuer-?id(?:entifikationsnummer)?|tin"),
    _rule(_TAX, r"\d{2} ?\d{6} ?[A-Z] ?\d{3}", r"sv-?(?:nr|nummer)|(?:sozial|renten)versicherungs(?:nr"
        r"|nummer)"),
    _rule(_TAX, r"(?:(?<=HRA)|(?<=HRB)|(?<=HRA )|(?<=HRB )|(?<=GnR )|(?<=Nr\. ))\d{2,6}(?: ?[A-Z]{1,2}"
        r"(?![\w]))?",
          r"hr[ab]|gnr|handelsregister"),
    _rule(_TAX, r"(?:SC|NI|OC)?\d{6,8}", r"company (?:no|number|reg(?:istration)?)|registered (?:in|no"
        r"|number)|crn"),
    _rule(_TAX, r"756\.\d{4}\.\d{4}\.\d{2}"),
    _rule(_TAX, r"[12][ .]?\d{2}[ .]?\d{2}[ .]?\d[\dAB][ .]?\d{3}[ .]?\d{3}(?:[ .]?\d{2})?", r"nir|insee"
        r"|sécurité sociale|securite sociale"),
    _rule(_TAX, r"\d{3}[ .]?\d{2,3}[ .]?\d{3}", r"bsn|burgerservicenummer|sofinummer"),
    _rule(_TAX, r"[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]"),
    _rule(_TAX, r"[XYZ]?-?\d{7,8}-?[A-Z]", r"dni|nif|nie"),
    _rule(_TAX, r"\d{10,11}|\d{3}-\d{3}-\d{2}-\d{2}", r"pesel|nip|regon"),
    _rule(_TAX, r"(?:19|20)?\d{6}[-+]?\d{4}", r"person(?:nummer|nr)|cpr(?:-?nr)?|f(?:ø|oe)dselsnummer"
        r"|kennitala"),
    _rule(_TAX, r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]", r"henkilötunnus|hetu"),
    _rule(_TAX, r"\d{6}/?\d{3,4}", r"rodné číslo|rodne cislo|r\.? ?č\."),
    _rule(_TAX, r"\d{3}[ -]?\d{3}[ -]?\d{4}", r"nhs(?: (?:no|number))?"),
    _rule(_TAX, r"\d{4} ?\d{4} ?\d{4}", r"aadhaar"),
    _rule(_TAX, r"[A-Z]{5}\d{4}[A-Z]", r"pan(?: (?:no|number|card))?"),
    _BIC,
    _rule(_BANK, r"\d{3} ?\d{3} ?\d{2}", r"blz|bankleitzahl"),
    _rule(_BANK, r"\d{2}-?\d{2}-?\d{2}", r"sort ?code"),
    _rule(_BANK, r"\d{9}", r"routing(?: (?:no|number|transit))?|aba"),
    _rule(_DOCUMENT, r"[A-Z0-9]{0,4}\d[A-Z0-9]{4,8}", r"passport|reisepass|pass-?nr|ausweis(?:-?nr"
        r"|nummer)?|personalausweis"),
    _rule(_DOCUMENT, r"[A-Z]{0,3}[- ]?\d[A-Z0-9](?:[- ]?[A-Z0-9]){3,12}",
          r"driv(?:er|ing)(?:['’]?s)? licen[cs]e|führerschein|fuehrerschein|dl(?: no)?"),
    _rule(_DOCUMENT, r"[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?\d{1,4}[EH]?|(?=[A-Z0-9 -]*\d)[A-Z0-9]{1,4}[-"
        r" ]?[A-Z0-9]{2,4}",
          r"(?:licen[cs]e|number) ?plates?|kennzeichen|plate (?:no|number)|reg(?:istration)? plate"),
    _rule(_DOCUMENT, r"[A-Z0-9]{0,3}\d[A-Z0-9-]{4,14}", r"(?:national|state) id|id ?card|identity card"),
)  # fmt: skip
LEI = re.compile(r"(?<![\w-])[A-Z0-9]{18}\d{2}(?![\w-])")
_LEI_BEFORE = re.compile(r"\b(?:LEI|legal entity identifier)\b.{0,20}$", re.I)


class RegisterRecognizer(ContextRecognizer):
    """Finds official numbers; letters, digits and marks keep their places, right numbers stay right."""

    KINDS = (FindingKind.TAX, FindingKind.DOCUMENT)

    def __init__(self, identifiers: IdentifierMap) -> None:
        """Takes the map of numbers."""
        super().__init__()
        self._identifiers = identifiers

    def signs(self) -> tuple[Sign, ...]:
        """Returns the words that announce a number, and how those look that stand alone."""
        return (*(rule.sign for rule in _RULES), LEI)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns the official numbers of a text."""
        numbered = any(char.isdigit() for char in text)
        findings = []
        for rule in _RULES if numbered else (_BIC,):
            for match in rule.pattern.finditer(text):
                start, end = match.span("n")
                written = match["n"]
                digits = re.sub(r"\D", "", written)
                if rule.only_right and not rule.is_right(digits):
                    continue
                new = (
                    self._identifiers.digits(written, rule.is_right)
                    if rule.is_right is not _any
                    else self._identifiers.shaped(written)
                )
                score = ANNOUNCED_SCORE if rule.announced else SCORE
                findings.append(Finding(rule.kind, start, end, score, new))
        for match in LEI.finditer(text):
            if is_lei(match.group()) or _LEI_BEFORE.search(text, max(0, match.start() - 40), match.start()):
                new = self._identifiers.lei(match.group())
                findings.append(Finding(FindingKind.TAX, match.start(), match.end(), ANNOUNCED_SCORE, new))
        return findings
