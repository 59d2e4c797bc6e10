"""What a column is by the words of its name, given how its values are written.

Belongs here: the decision for numbers and for texts. Does not belong here: the vocabulary
(`archive.column_words`), dates, flags and addresses, which their form tells (`archive.columns`).
"""

from __future__ import annotations

import re

from archive.column_numbers import NumberReading
from archive.column_words import (
    ACTORS,
    CODES,
    COUNTED,
    EXTENSIONS,
    FIRST,
    HARMLESS,
    INITIALS,
    LAST,
    NAME,
    NAMES,
    NUMBERS,
    ORDERED,
    PREPOSITIONS,
    RECEIVERS,
    TELLING,
    TEXTUAL,
    WHOLE,
)
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

UNTOLD = "a number under no telling name"
MOST_CATEGORIES = 60
"""Different values of a column that may be a closed list."""
_LOGIN = re.compile(r"[A-Za-z][\w.\-]{1,23}")
_PHONE = re.compile(r"(?:\+|00|\()?\d[\d\s()./\-]{6,22}\d(?:\s?(?:x|ext\.?)\s?\d{1,5})?")
_EXTENSION = re.compile(r"(?=\D*\d)(?:[A-Za-z]{1,11}[.:]?\s?)?[\s\d./()+#-]{1,24}")
_CODE_VALUE = re.compile(r"(?=\S*\d)[A-Za-z0-9][\w\-./]{3,39}")
_SHORT_CODE = re.compile(r"[A-Z0-9_+\-*/]{1,3}")
_LONGEST_NAME = 120
_K = ColumnKind


def number_kind(words: list[str], numbers: NumberReading) -> tuple[ColumnKind, str]:
    """Returns what the numbers of a column are by the words of its name and their writing, and why."""
    known = set(words)
    if known & NAMES[_K.POSTCODE] and "code" in known | {"code"} and numbers.whole:
        return _K.POSTCODE, "name of a postal code"
    if (known & (NAMES[_K.PHONE] | {"extension"}) or EXTENSIONS & set(words[-1:])) and numbers.whole:
        return _K.PHONE, "name of a phone number"
    if words and words[0] in COUNTED and len(words) > 1 and words[1] not in ("id", "nr", "no"):
        return _K.MEASURE, "name of a count"
    if numbers.percent or numbers.inverse:
        return _K.RATE, "written as percent or exchange rate"
    if words[-1:] == ["order"] and known & ORDERED:
        return _K.CODE, "name of a position"
    first = next((place for place, word in enumerate(words) if place and word in PREPOSITIONS), len(words))
    last = words[-1:] if words and words[-1] in NUMBERS[_K.ID] else []
    for word in (*last, *reversed(words[:first]), *reversed(words[first:])):
        for kind, names in NUMBERS.items():
            if word in names:
                return _checked(kind, word, known, numbers), f'"{word}" in the name'
    if numbers.currency is not None:
        return _K.MONEY, "written with a currency"
    if known & (NAMES[_K.PERSON] | NAMES[_K.COMPANY] | NAMES[_K.LOGIN] | {"by"}) and numbers.whole:
        return _K.ID, "whole numbers under a name of people or companies"
    if numbers.whole and numbers.digits[0] >= 6:
        return _K.ID, "six digits or more in every cell"
    if numbers.zeros and numbers.whole:
        return (_K.ID if numbers.digits[1] >= 6 else _K.CODE), "zeros in front"
    return _K.MEASURE, UNTOLD if numbers.low or numbers.high else "only zeros"


def _checked(kind: ColumnKind, word: str, known: set[str], numbers: NumberReading) -> ColumnKind:
    """The kind of a telling word, where the values allow it."""
    if kind is _K.ID and not numbers.whole:
        return _K.MEASURE
    if kind is _K.CODE and not numbers.whole and word not in ("code", "version"):
        return _K.MEASURE
    if kind is _K.MONEY and word in ("discount", "rabatt", "remise", "descuento", "tax", "vat"):
        share = numbers.low >= 0 and numbers.high <= 1 and (not numbers.whole or numbers.high == 0)
        return _K.RATE if share else kind
    if word == "konto" and numbers.digits[0] >= 9:
        return _K.ID
    if word in ("konto", "cuenta", "compte") and known & {"bank", "iban", "bancaire", "bancaria"}:
        return _K.ID
    return kind


def name_part(words: list[str], sample: list[str]) -> ColumnSpec | None:
    """Returns the spec of a column of first, last or whole names of people; None for any other column.

    Parts that share the rest of their column's name form one person: SpouseFirst with SpouseLast.
    """
    rest = [word for word in words if word not in NAME]
    if not rest or any(len(value) > _LONGEST_NAME for value in sample):
        return None
    parts = {FIRST: "first", LAST: "last", WHOLE: "full"}
    for known, part in parts.items():
        marks = [word for word in rest if word in known]
        alone = len(rest) == len(marks)
        told = len(rest) < len(words) or any("name" in word or word in TELLING for word in marks)
        if marks and (alone or told):
            whose = " ".join(word for word in rest if word not in known)
            return ColumnSpec.model_validate(
                {"kind": _K.PERSON, "person": f"guessed {whose}".strip(), "part": part}
            )
    return None


def text_kind(words: list[str], sample: list[str], distinct: int) -> tuple[ColumnKind, str]:
    """Returns what the texts of a column are by the words of its name and their form, and why.

    Args:
        words: of the column's name.
        sample: distinct values.
        distinct: how many there are.
    """
    if words[-1:] == ["name"] and set(words) & RECEIVERS:
        return _K.COMPANY, "name of who receives"
    known, last = set(words), next((word for word in reversed(words) if word not in NAME), "")
    spaced = any(" " in value for value in sample)
    short = all(len(value) <= _LONGEST_NAME for value in sample)
    about = known & (NAMES[_K.PERSON] | NAMES[_K.COMPANY])
    if last in ("id", "number", "no", "nr", "key", "nummer", "numero", "uuid", "guid") and not spaced:
        return _K.ID, f'"{last}" in the name'
    if last == "by" and known & ACTORS and short:
        logins = not spaced and all(_LOGIN.fullmatch(value) for value in sample)
        return (_K.LOGIN if logins else _K.PERSON), "who did it"
    if known & INITIALS:
        return _K.LOGIN, "initials of people"
    if last in EXTENSIONS and all(_EXTENSION.fullmatch(value) for value in sample):
        return _K.PHONE, f'"{last}" in the name'
    harmless = last in HARMLESS
    for kind, names in NAMES.items():
        if names & known and not harmless and last not in TEXTUAL and short:
            if kind is _K.DOMAIN and spaced:
                continue
            return kind, f'"{sorted(names & known)[0]}" in the name'
    few = distinct <= MOST_CATEGORIES and all(len(value) <= 40 for value in sample)
    if harmless and few and last != "title":
        return _K.CATEGORY, f'few values under "{last}"'
    if last == "location" and few and not any(char.isdigit() for value in sample for char in value):
        return _K.CATEGORY, "few places without a number"
    if last in CODES and few and not about and not spaced and all(len(value) <= 12 for value in sample):
        return _K.CODE, f'short values under "{last}"'
    dialled = sum(value[0] in "+(0" for value in sample) * 5 >= len(sample) * 4
    if dialled and len(sample) > 1 and all(_PHONE.fullmatch(value) for value in sample):
        return _K.PHONE, "written like phone numbers"
    if few and not about and all(_SHORT_CODE.fullmatch(value) for value in sample):
        return _K.CODE, "codes of up to three characters"
    if all(_CODE_VALUE.fullmatch(value) for value in sample):
        return _K.ID, "codes with digits"
    return _K.TEXT, "anything may stand here"
