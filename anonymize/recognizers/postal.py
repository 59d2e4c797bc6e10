"""Postal addresses that no column lists: streets, units, boxes, and the lines of place and postcode behind.

Belongs here: how an address is written in English, German and their neighbours' languages. Does not belong
here: the surrogates of streets and cities (`places`), which the registry assigns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from anonymize.findings import FindingKind
from anonymize.words import word_list

_ENGLISH_TYPES = word_list(
    """
    Street St Avenue Ave Road Rd Lane Ln Drive Dr Court Ct Boulevard Blvd Way Place Pl Square Sq Terrace
    Parkway Pkwy Quay Row Close Crescent Cres Circle Highway Hwy Parade Mews Walk Hill Gardens Grove Alley
    Trail Loop Plaza
    """
)
_FOREIGN_TYPES = word_list(
    """
    Rue Avenue Avenida Calle Via Viale Piazza Rua Boulevard Chemin Allée Place Paseo Plaza Carrer Corso
    ul. al. os. Av Av. Praça Largo Travessa Quai
    """
)
_GERMAN_END = (
    r"(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Gg]asse|[Ww]eg|[Aa]llee|[Pp]latz|[Dd]amm|[Uu]fer|[Rr]ing|[Ss]teig|[Hh]of|[Cc]haussee"
    r"|vej|gade|vägen|gatan|laan|straat|weg|plein|katu|tie|veien|gata)"
)
_HOUSE = r"\d{1,5}(?:[ -]?[a-zA-Z](?!\w))?(?:[-/]\d{1,4}[a-z]?)?"
_UP = r"[^\W\d_a-zà-öø-ÿ][\w'’.-]*"
_SMALL = (
    r"(?:de|du|des|del|della|delle|di|da|do|dos|das|la|le|las|les|los|van|der|den|het|ter|von|zum"
    r"|zur|am|an|of|the|d'|l')"
)
_NAME = rf"(?:(?:{_SMALL}|{_UP}) ){{0,4}}"

ENGLISH_STREET = re.compile(
    rf"(?<![\w.,/-])\d{{1,5}}[a-zA-Z]? (?:{_UP} ){{1,3}}(?:{'|'.join(_ENGLISH_TYPES)})\b\.?"
)
GERMAN_STREET = re.compile(
    r"(?<![\w-])(?:(?:Am|An der|An den|Auf der|Auf dem|Im|In der|Unter den|Zum|Zur|Alte|Alter|Neue|Große"
    r"|Kleine|Obere|"
    r"Untere) )?(?:[A-ZÄÖÜ][\w.-]*?(?:straße|strasse|str\.|gasse|weg|allee|platz|damm|ufer"
    r"|(?<![aeiou])ring|steig|chaussee)"
    r"|(?:[A-ZÄÖÜ][\w.-]+[ -]){1,2}(?:Straße|Strasse|Str\.|Gasse|Weg|Allee|Platz|Damm|Ufer|Ring))"
    r" (?!(?:19|20)\d\d\b)\d{1,4} ?[a-h]?(?:[-/]\d{1,4})?"
    r"(?![\w.,]\d|\w| ?%| (?:Uhr|Tage|Stück|Euro|EUR|Jahre))"
)
"""A street with its number, sure enough to be registered where it is met."""
GERMAN_PLACE = re.compile(
    r"\s*,?\s*(?:D-|A-|CH-)?(?P<code>\d{5}) (?P<city>[A-ZÄÖÜ][\w-]+(?: (?:am|an der|im) [A-ZÄÖÜ]\w+)?)"
)

_UNIT = (
    r"(?:Suite|Ste\.?|Apt\.?|Apartment|Unit|Room|Floor|Fl\.?|Flat|#|Box|P\.?O\.? ?Box|Wohnung|Whg\.?"
    r"|Etage)[ ]?#?\d{1,5}\w?"
)
_STREET = re.compile(
    r"(?<![\w.,/+-])(?:"
    rf"{_HOUSE},? {_NAME}(?:{'|'.join(_ENGLISH_TYPES)})\b\.?(?: {_HOUSE}(?!\w))?"
    rf"|(?:{_HOUSE},? )?(?:{'|'.join(map(re.escape, _FOREIGN_TYPES))}) {_NAME}{_UP}(?: {_HOUSE}(?!\w))?"
    rf"|(?:{_HOUSE},? )?(?:{_UP} ){{0,3}}[^\W\d_][\w-]*{_GERMAN_END}(?: {_HOUSE}(?!\w))"
    rf"|{_HOUSE},? {_NAME}{_UP}(?: {_UP}){{0,2}} {_HOUSE}(?=[\s,]+{_UNIT}|[\s,]*[,\n])"
    rf"|{_HOUSE},? {_NAME}{_UP}(?: {_UP}){{0,3}}(?=[\s,]+{_UNIT})"
    rf"|(?<=address is )(?:{_UP}|{_HOUSE})(?: {_UP}| {_HOUSE}){{1,5}}"
    r"|(?:PSC|Unit|CMR) \d{2,5}(?:,? Box \d{1,5})?|(?:USS|USNS|USCGC|USNV) [A-Z]\w+"
    r"|P\.?O\.? ?Box \d{1,6}|Postfach \d[\d ]{1,7}"
    r")"
)  # fmt: skip
_LINE = r"[\s,>?|*-]{1,8}"
_BEHIND = re.compile(
    rf"{_LINE}(?:{_UNIT}|(?:[A-Z]{{1,2}}-)?\d{{3,6}}(?:-\d{{3,4}})?(?: [A-Z]{{2}}(?!\w))?(?!\w)|(?:APO"
    rf"|FPO|DPO) (?:AE|AP|AA) \d{{5}}"
    rf"|[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}}(?!\w)|{_UP}(?: (?:{_SMALL} )?(?:{_UP}|\([A-Z]\w+\))){{0,3}})"
)
_NO_PLACE = re.compile(
    r"(?:Please|Thanks|Regards|Phone|Tel|Fax|Mobile|Desk|Office|Email|E-mail|Website|Web|Call|The|This|It|We|You|"
    r"My|Can|Could|Date|Name|Then|When|Mr|Mrs|Ms|Dr|If|In|On|At|Best|Kind|And|But|I)\b"
)
_ZIP = re.compile(
    r"(?i:\b(?:zip|postal|post) ?(?:code)?(?: is| number|:)?:? *)(?P<n>\d{3,6}(?:-\d{3,4})?(?:"
    r" [A-Z]{2})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b"
)
MOST_LINES = 6
SCORE = 0.75


class PostalRecognizer(EntityRecognizer):
    """Finds postal addresses as blocks: the street, its unit, and the places and codes behind it."""

    def __init__(self) -> None:
        """Registers with Presidio under the class name."""
        super().__init__(supported_entities=[FindingKind.STREET.value], name=type(self).__name__)

    def load(self) -> None:
        """Does nothing: there is no model."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Returns the addresses of a text."""
        return [
            RecognizerResult(FindingKind.STREET.value, start, end, SCORE) for start, end in addresses_in(text)
        ]


def addresses_in(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of postal addresses, each from its street to the last line that belongs to it."""
    end = 0
    for match in _STREET.finditer(text):
        if match.start() < end:
            continue
        end = match.end()
        for _ in range(MOST_LINES):
            behind = _BEHIND.match(text, end)
            if behind is None or _NO_PLACE.match(behind.group().lstrip(" ,\n\t>?|*-")):
                break
            end = behind.end()
        yield match.start(), end
    for match in _ZIP.finditer(text):
        if match.start("n") >= end:
            yield match.span("n")
