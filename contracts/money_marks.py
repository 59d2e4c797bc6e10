"""Marks of money in text: currency signs, codes and words, shortened units, what is no money.

Belongs here: the closed lists and the patterns made of them. Does not belong here: what they amount to
(`contracts.money`).
"""

from __future__ import annotations

import re

_SYMBOLS = r"(?:US|CA|AU|NZ|HK|[ACSR])?\$|[€£¥₹₩₺₽]|zł|Kč"
_CODES = (
    "USD|EUR|GBP|CHF|CAD|JPY|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|AUD|NZD|INR|BRL|MXN|ZAR|SGD|HKD|RON|BGN|AED|SAR|"
    "ILS|KRW|UAH|THB|Eur"
)
_LETTERED = r"[TkKM](?:€|\$|EUR|USD|CHF|GBP)"
_KRONER = "kr|Kr"
_SOFT = "[Ee]uro|EURO|S?Fr\\."
"""In front of a number only where its thousands are grouped: "Euro 2024" is a match, "Fr." a Friday."""
_NAMES = (
    "(?:US[- ]?)?[Dd]ollars?|DOLLARS?|[Ee]uros?|EUROS?|[Ff]rancs?|Franken|bucks|yen|yuan|pounds sterling|"
    "Pfund(?: Sterling)?|Kronen|kron(?:or|er|a)|złoty"
)
_SHORT_BEFORE = "Mio|Mrd|Tsd"
_SHORT = (
    r"[kKmM]|[Mm]io\b\.?|MIO\b\.?|[Mm]rd\b\.?|MRD\b\.?|Tsd\b\.?|Mill\.|mn|bn|thousand|million|billion|grand|"
    r"[Tt]ausend|Million(?:en)?|Milliarden?|Thousand"
)
UNITS = {
    "t": 1_000, "k": 1_000, "tsd": 1_000, "thousand": 1_000, "tausend": 1_000, "grand": 1_000,
    "m": 10**6, "mio": 10**6, "mn": 10**6, "mill": 10**6, "million": 10**6, "millionen": 10**6,
    "mrd": 10**9, "bn": 10**9, "billion": 10**9, "milliarde": 10**9, "milliarden": 10**9,
}  # fmt: skip
"""Shortened unit in small letters -> how many whole units it is."""

GROUP_MARKS = ".,'’ \u00a0\u202f\u2009"
NUMBER = re.compile(
    rf"(?<![\d.,])(?:\d{{1,3}}([{GROUP_MARKS}])\d{{3}}(?:\1\d{{3}})*(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d{{1,8}})?)"
    r"(?!\d|[.,]\d)"
)
"""A number in any writing, never a part of one."""
BEFORE = re.compile(
    rf"(?<![\w.,])(?<![A-Z]{{3}}/)(?:(?P<short1>{_SHORT_BEFORE})\.?\s?)?"
    rf"(?:(?P<sign>{_LETTERED}|{_SYMBOLS}|{_CODES}|{_KRONER})|(?P<soft>{_SOFT}))"
    rf"(?:\s?(?P<short2>{_SHORT_BEFORE})\b\.?)?(?:\s[-−(]?)?\Z"
)
"""A sign that ends where a number starts, or the minus or bracket in front of it."""
SIGN_ENDS = frozenset("$€£¥₹₩₺₽łčDRPFYBKNLSMATHWro.d")
"""Last characters of what may stand in front of an amount."""
OPENS_AFTER = re.compile(r"\s?[^\W\d_]|\s?[$€£¥₹₩₺₽]|[,.][-–—]|-\s?(?:[$€£¥]|[A-Z]{3}\b)")
"""Starts what may stand behind one; a minus there belongs to the number."""
AFTER = re.compile(
    rf"(?:-(?=\s?(?:{_SYMBOLS}|{_CODES})(?!\w)))?(?P<dash>,(?:-{{1,2}}|–|—)(?!\d)|\.(?:-{{1,2}}|–|—)(?!\d))?"
    rf"(?P<gap>\s?)(?P<short>(?:{_SHORT})(?!\w))?"
    rf"(?:\s?(?P<sign>(?:{_LETTERED}|{_SYMBOLS}|{_CODES}|{_KRONER}|{_NAMES})(?!\w)))?"
)
"""What may stand behind a number; it always matches."""
NAMED_BEHIND = re.compile(rf"\s(?:US[- ])?(?:{_CODES}|{_NAMES}|{_SYMBOLS})(?!\w)")
"""A currency behind a number in words."""
RANGE = re.compile(r"\s?(?:[-–—]|to|bis|\.\.)\s?", re.I)
BETWEEN = re.compile(r"\s(?:and|und)\s", re.I)
OPENS_RANGE = re.compile(r"\b(?:between|zwischen)\s[^\w]*\w{0,4}\s?\Z", re.I)

MAY_HOLD_MONEY = (
    rf"{_SYMBOLS}|{_CODES}|[kK]r|Fr\.|[Dd]ollar|[Ee]uro|EURO|DOLLAR|[Ff]ranc|Franken|bucks|yen|yuan|sterling|Pfund|"
    r"[Kk]ron|\d\s?[kKmM]|[Mm]io|MIO|[Mm]rd|MRD|Tsd|Mill\.|\d\s?[mb]n|thousand|million|billion|grand|"
    r"[Tt]ausend|Milli|Thousand|\d[,.][-–—]"
)
"""Stands in every text in which `amounts_in` finds anything; free of what only Python's patterns know."""

_QUANTITIES = re.compile(
    r"\s?(?:users?|units?|items?|rows?|records?|lines?|employees|people|persons|seats|licen[cs]es|pieces|pcs|"
    r"requests|tokens|words|hits|tickets|mails|messages|files|steps|miles|km|kg|hz|ohm|bit|byte|"
    r"Stück|Stk|Zeilen|Datensätze|Mitarbeiter|Nutzer|Anwender|Einwohner|Kunden|monitor|display|resolution)\b",
    re.I,
)
_LENGTHS = re.compile(
    r"\s?(?:wide|high|long|deep|tall|away|above|below|apart|x|×|by|per\s(?:sec|min|h)|/s|breit|hoch|lang|tief)"
    r"(?!\w)|[²³/]",
    re.I,
)
_ON = re.compile(
    r"\s*(?:$|[^\w\s%°]|\n|(?:for|in|net|netto|gross|brutto|per|pro|a|im|an|annual(?:ly)?|total|gesamt|insgesamt|"
    r"and|und|or|oder|to|bis|is|was|would|will|from|by|with|at|on|as|plus|minus|extra|more|less|off|each|"
    r"which|that|if|but|because|für|mit|von|auf|ist|war|wäre|wenn|aber|statt|budget|deal|discount)\b)",
    re.I,
)
_MEASURED = re.compile(
    r"\s?(?:%|‰|°|percent|per cent|pct|prozent|points?|[kmµ]?g|[kcm]?m[²³]?|t|l|ml|hours?|h|hrs|mins?|days?|"
    r"tage?n?|stunden|std|weeks?|months?|years?|[KMGT]i?B|[kM]?W|V|A|bar|mph|x|×|stars?|pcs|stück|stk)(?![\w])",
    re.I,
)
_NUMBERED = re.compile(
    r"(?:\b(?:v|version|release|rev|revision|section|sect|chapter|clause|article|page|fig|figure|table|step|"
    r"level|no|nr|kapitel|abschnitt|seite|abb|ziffer|python|java|windows|ip|port)\.?|§)\s?\Z",
    re.I,
)


def counts_things(text: str, end: int) -> bool:
    """Says whether a noun of counted things stands behind a place: "12k users"."""
    return _QUANTITIES.match(text, end) is not None


def is_length(text: str, end: int) -> bool:
    """Says whether what ends here is a length in metres: "1.2m wide"."""
    return _LENGTHS.match(text, end) is not None


def stands_alone(text: str, end: int) -> bool:
    """Says whether a number ends a phrase here, so that no noun of counted things follows."""
    return _ON.match(text, end) is not None


def is_other_number(text: str, start: int, end: int) -> bool:
    """Says whether words around a number make it a measure, percentage, version or place in a text."""
    return (
        _MEASURED.match(text, end) is not None
        or _NUMBERED.search(text, max(0, start - 12), start) is not None
    )
