"""Initials in text: capitals that could be the short name by which somebody signs.

Belongs here: where such capitals stand and which words before or behind them say that they name a person.
Does not belong here: whose they are (`recognizers.initials`, `tombstones`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from anonymize.words import ordinary_words, word_list

TOKEN = re.compile(r"(?<![^\W_])(?<![.@\\/])[A-Z]{2,3}(?![^\W_])(?![@\\]|\.[^\W_])")
_MORE = r"[\s.:=\"'(-]{0,3}(?:[A-Z]{2,3}\s?[,/+&]\s?){0,4}$"
_NAMED = re.compile(rf"(?<![^\W_])(?i:k(?:ü|ue)rzel|kurzzeichen|kzl|initialen|initials?|monogram){_MORE}")
_BEFORE = re.compile(
    r"(?<![^\W_])(?i:kst|vertretung|vertreten|freigegeben|freigabe|genehmigt|gepr(?:ü|ue)ft|erledigt|"
    r"approved|released|checked|signed|gez|i\.\s?[av]|sachbearbeiter(?:in)?|bearbeiter(?:in)?)"
    rf"(?:\s(?i:by|von|durch))?{_MORE}"
)
_BEHIND = re.compile(
    r"[ \t]{1,2}(?i:ok|okay|einverstanden|freigegeben|genehmigt|gepr(?:ü|ue)ft|pr(?:ü|ue)ft|approved)(?!\w)"
)
_LONGEST_LABEL = 48
ABBREVIATIONS = frozenset(
    word_list(
        "it hr vat pr qa qs rd ag kg co ev ok id no nr po so pos inv qty pc pcs eta etd eod eow tba"
        " tbd tbc fyi asap ps cc bcc re fw fwd aw wg ceo cfo cto coo vp md mr ms dr eu uk us usa uae"
        " de at ch fr nl pl eur usd gbp chf pln am pm utc gmt cet est pst iso din ce pdf csv xml zip"
        " url api sap erp crm edi llc ltd inc sa bv nv ab oy plc fob cif exw dap ddp rma sla kpi roi"
        " faq tel fax mob dw kw mwst ust gu zb bzw max min avg sum kpl stk vpn usb pin dhl ups dpd"
        " gls tnt jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun mo di"
        " mi do"
    )
)


class Initials(NamedTuple):
    """Capitals in a text that may be somebody's initials."""

    start: int
    end: int
    letters: str
    labelled: bool
    """A word beside them says that they name a person."""
    plain: bool
    """They stand free of hyphens, and are no common abbreviation or word."""


def initials_in(text: str) -> Iterator[Initials]:
    """Yields every two or three capitals that stand as a word; labels of common ones must say "initials"."""
    for match in TOKEN.finditer(text):
        start, end = match.span()
        before, letters = text[max(0, start - _LONGEST_LABEL) : start], match.group()
        common = letters.lower() in ABBREVIATIONS or letters.lower() in ordinary_words()
        labelled = bool(_NAMED.search(before)) or (
            not common and bool(_BEFORE.search(before) or _BEHIND.match(text, end))
        )
        hyphened = text[max(0, start - 1) : start] == "-" or text[end : end + 1] == "-"
        yield Initials(start, end, letters, labelled, not common and not hyphened)
