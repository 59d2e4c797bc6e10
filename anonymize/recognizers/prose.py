"""What sentences give away without any register: who is addressed, how old somebody is, whom to call.

Belongs here: forms of address, fields ("Name: ..."), ages, groups of digits as phones have them, employers.
These recognizers only detect; in a dataset the registry knows who is meant (`known`). Does not belong here:
postal addresses (`postal`) and what a statistical model finds (`model_names`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from anonymize.words import called_names, ordinary_words, word_set
from contracts.names import fold

_UP = r"[^\W\d_a-zà-öø-ÿ][\w'’-]*"
_NAME = rf"{_UP}(?: (?:[A-Z]\.|{_UP}|von|van|de|der|la)){{0,3}}"
TITLE = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Hr|Fr|Sir|Madam|Lord|Lady)\b\.?"


class _Rule(NamedTuple):
    entity: str
    pattern: re.Pattern[str]
    score: float
    ordinary: bool = True
    """Whether words that name nobody may stand there."""


_RULES = (
    _Rule("TITLE", re.compile(rf"(?<!\w){TITLE}(?= {_UP})"), 0.6),
    _Rule("PERSON", re.compile(rf"(?<!\w){TITLE} (?P<n>(?:{TITLE} )*{_NAME})"), 0.8, ordinary=False),
    _Rule(
        "PERSON",
        re.compile(
            rf"(?i:\b(?:my|his|her|their|your|the|maiden|last|first|full|sur|family|nach|vor)[- ]?name"
                rf"(?: is|['’]s| ist|:) )(?P<n>{_NAME}|[^\W\d_]{{3,}}(?= *[.,!?]? *$))"
        ),
        0.8,
        ordinary=False,
    ),
    _Rule("PERSON", re.compile(rf"(?m)^[\s>*?-]*(?:Name|Contact|Attn\.?|Ansprechpartner|Kontakt)\s*: *"
        rf"(?P<n>{_NAME})"), 0.85),
    _Rule("PERSON", re.compile(rf"(?i:\b(?:i['’]?m|i am|this is|called|named (?:him|her|it)|ich bin|ich"
        rf" heiße) )(?P<n>{_NAME})"), 0.6, ordinary=False),
    _Rule("PERSON", re.compile(rf"(?m)^(?:Hi|Hello|Hey|Dear|Hallo|Liebe[rs]?|Lieber|Moin|Guten Tag),? "
        rf"(?P<n>{_NAME})(?=[,!.\n]|$)"), 0.7, ordinary=False),
    _Rule("AGE", re.compile(r"(?<![\w.,])(?P<n>\d{1,3})(?=[ -]?(?:years?|yrs?|year|y/o|yo|jahre"
        r"|-?jährige?r?)\b[ -]?(?:old|of age|alt)?)", re.I), 0.5),
    _Rule("AGE", re.compile(r"\b(?:ages?|aged|turned|turning|turns|alter)(?: of| is| at|:)? "
        r"(?P<n>\d{1,3})(?!\w|[.,/:-]\d)", re.I), 0.7),
    _Rule("AGE", re.compile(r"\b(?:when|i['’]m|i am|he is|she is|he['’]s|she['’]s) (?:(?:he|she|i|they) "
        r"(?:was|were) )?(?P<n>\d{1,2})(?=[.,;!?]|$)", re.I), 0.7),
    _Rule("PHONE_NUMBER", re.compile(r"(?<![\w.,/-])(?:\+|00)?\(?\d{1,4}\)?(?:["
        r" .-]{1,2}\(?\d{2,4}\)?){2,5}(?: ?x\d{1,5})?(?![\w]|[-/.]\d)"), 0.6),
    _Rule("PHONE_NUMBER", re.compile(r"(?<![\w.,/-])\(?\d{3,4}\)?[ -]\d{6,8}(?: ?x\d{1,5})?(?!\w"
        r"|[-/.]\d)"), 0.6),
    _Rule("PHONE_NUMBER", re.compile(r"(?<![\w.,/-])\(\d{2,4}\) ?\d{2,4}[ -]?\d{3,4}(?: ?x\d{1,5})?(?!\w"
        r"|[-/.]\d)"), 0.6),
    _Rule("PHONE_NUMBER", re.compile(r"(?i:\b(?:tel|phone|telephone|telefon|mobile?|mob|fax|cell|handy"
        r"|desk|call(?: me)?(?: at| on)?)\b[.:]*\s*)(?P<n>\+?\(?\d[\d ()./x-]{5,20}\d)"), 0.7),
    _Rule("ORGANIZATION", re.compile(rf"(?i:\b(?:work(?:s|ed|ing)?|employed) (?:for|at|by|with) )"
        rf"(?P<n>{_UP}(?: (?:&|and|of|{_UP})){{0,4}})"), 0.6),
    _Rule("ORGANIZATION", re.compile(rf"(?<!\w)(?P<n>(?:{_UP}(?: &|,)? ){{1,4}}(?:Inc|Ltd|LLC|LLP|Corp"
        rf"|GmbH|AG|KG|PLC|SE|S\.A\.|B\.V\.)\b\.?)"), 0.7),
    _Rule("LOCATION", re.compile(rf"(?i:\b(?:moved(?: here)?(?: from| to)|originally from|based in"
        rf"|live[sd]? in|born in|travell?ing to|flying to|city of) )(?P<n>{_UP}(?: (?:de |del |am"
            rf" )?{_UP}){{0,3}})"), 0.6),
)  # fmt: skip


class ProseRecognizer(EntityRecognizer):
    """Finds what the words around it tell to be a person, an age, a phone, an employer or a place."""

    def __init__(self) -> None:
        """Registers with Presidio under the class name."""
        entities = sorted({rule.entity for rule in _RULES})
        super().__init__(supported_entities=entities, name=type(self).__name__)

    def load(self) -> None:
        """Does nothing: there is no model."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Returns what the rules find, and first names that are no ordinary words."""
        found = []
        for rule in _RULES:
            for match in rule.pattern.finditer(text):
                start, end = match.span("n" if "n" in rule.pattern.groupindex else 0)
                if rule.ordinary or not _names_nobody(text[start:end]):
                    found.append(RecognizerResult(rule.entity, start, end, rule.score))
        for match in _FIRST.finditer(text):
            word = fold(match.group())
            if word in called_names() and word not in ordinary_words():
                found.append(RecognizerResult("PERSON", match.start(), match.end(), 0.5))
        return [result for result in found if not entities or result.entity_type in entities]


_FIRST = re.compile(r"(?<![\w@.])[^\W\d_a-zà-öø-ÿ][^\W\d_]{2,}(?!\w|[.@]\w)")


def _names_nobody(text: str) -> bool:
    first = fold(text.split()[0])
    return first in ordinary_words() or first in word_set("roles")
