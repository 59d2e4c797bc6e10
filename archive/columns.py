"""What a company's own columns hold: as the manifest and preset say, else guessed from name and values.

The rule of the guess, in order: truth words -> flag; addresses, web addresses and dates by their form;
numbers by name (money, rate, id, code) and length (six digits or more: id), else measure; names of people,
companies, places and phones by column name; short lists of repeated words under a harmless column name ->
category; codes with digits -> id. Whatever is left is text, because every later check reads text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from archive.times import date_form, iso_form
from contracts.manifest import ColumnSpec, TableSpec
from contracts.tables import ColumnKind

_SAMPLE = 2_000
"""Distinct values looked at; all of them for dates, whose form is decided from the whole column."""
_FLAGS = frozenset(("true", "false", "yes", "no", "y", "n"))
_EMAIL = re.compile(r"[^@\s<>]+@[^@\s<>]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?|[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_CODE_VALUE = re.compile(r"(?=\S*\d)[A-Za-z0-9][\w\-./]{3,39}")

_WORDS: tuple[tuple[ColumnKind, frozenset[str]], ...] = (
    (ColumnKind.RATE, frozenset(("rate", "percent", "percentage", "pct", "probability", "ratio", "share"))),
    (
        ColumnKind.MONEY,
        frozenset(
            (
                "amount",
                "price",
                "revenue",
                "net",
                "gross",
                "total",
                "value",
                "cost",
                "fee",
                "balance",
                "salary",
                "paid",
            )
        ),
    ),
    (ColumnKind.ID, frozenset(("id", "number", "no", "nr", "key", "uuid", "guid", "reference", "ref"))),
    (ColumnKind.CODE, frozenset(("code", "zip", "year", "month", "plant", "unit", "version"))),
    (ColumnKind.QUANTITY, frozenset(("quantity", "qty", "units", "seats"))),
)
_NAMES: tuple[tuple[ColumnKind, frozenset[str]], ...] = (
    (ColumnKind.PHONE, frozenset(("phone", "mobile", "fax", "telephone", "cell"))),
    (ColumnKind.STREET, frozenset(("street", "address"))),
    (ColumnKind.CITY, frozenset(("city", "town"))),
    (ColumnKind.POSTCODE, frozenset(("zip", "postcode", "postal"))),
    (ColumnKind.LOGIN, frozenset(("login", "username", "alias"))),
    (ColumnKind.DOMAIN, frozenset(("domain",))),
    (ColumnKind.FILENAME, frozenset(("filename", "file"))),
    (
        ColumnKind.PERSON,
        frozenset(
            (
                "agent",
                "manager",
                "owner",
                "contact",
                "rep",
                "salesperson",
                "employee",
                "person",
                "assignee",
                "approver",
                "assistant",
                "spouse",
                "author",
                "reporter",
                "requester",
                "creator",
                "signatory",
                "recipient",
                "attendee",
                "participant",
            )
        ),
    ),
    (
        ColumnKind.COMPANY,
        frozenset(
            ("account", "company", "customer", "vendor", "supplier", "client", "subsidiary", "organization")
        ),
    ),
)
_FIRST = frozenset(("first", "given", "forename", "firstname", "givenname", "vorname", "middle"))
_LAST = frozenset(("last", "family", "surname", "lastname", "familyname", "nachname", "maiden"))
_WHOLE = frozenset(("full", "display", "fullname", "displayname"))
_NAME = frozenset(("name", "names"))
_TELLING = frozenset(("surname", "forename", "vorname", "nachname"))
"""Words that speak of names by themselves; "first" and "last" do so only beside "name" or alone."""
_HARMLESS = frozenset(
    [
        "status",
        "stage",
        "type",
        "industry",
        "sector",
        "country",
        "region",
        "currency",
        "priority",
        "kind",
        "state",
        "category",
        "segment",
        "source",
        "series",
        "product",
        "method",
        "channel",
        "role",
        "department",
        "level",
        "resolution",
        "reason",
        "outcome",
        "office",
        "rating",
        "class",
        "bill",
    ]
)


def resolve_specs(stated: TableSpec | None, columns: Mapping[str, Sequence[str]]) -> dict[str, ColumnSpec]:
    """Returns a spec for every column: the stated one (names compared without case), else the guess.

    Args:
        stated: what manifest and preset say about the table, if anything.
        columns: column name -> its values that are not empty, in order.
    """
    known = {} if stated is None else {name.lower(): spec for name, spec in stated.columns.items()}
    resolved = {}
    for name, values in columns.items():
        spec = known.get(name.lower()) or guess_spec(name, values)
        undecided = spec.kind in (ColumnKind.DATE, ColumnKind.DATETIME) and spec.date_format is None
        if undecided and iso_form(dict.fromkeys(values)) is None:
            spec = spec.model_copy(update={"date_format": date_form(values)})
        resolved[name] = spec
    return resolved


def guess_spec(name: str, values: Sequence[str]) -> ColumnSpec:
    """Returns the most careful reading of a column that its name and values allow."""
    distinct = list(dict.fromkeys(value.strip() for value in values))
    sample = distinct[:_SAMPLE]
    if not sample:
        return ColumnSpec(kind=ColumnKind.TEXT)
    words = column_words(name)
    if all(value.lower() in _FLAGS for value in sample):
        return ColumnSpec(kind=ColumnKind.FLAG)
    if all(_EMAIL.fullmatch(value) for value in sample):
        return ColumnSpec(kind=ColumnKind.EMAIL)
    if all(_URL.fullmatch(value) for value in sample):
        return ColumnSpec(kind=ColumnKind.URL)
    form = iso_form(distinct)
    if form is not None:
        return ColumnSpec(kind=ColumnKind(form))
    strptime_form = date_form(distinct)
    if strptime_form is not None:
        kind = ColumnKind.DATETIME if "%H" in strptime_form else ColumnKind.DATE
        return ColumnSpec(kind=kind, date_format=strptime_form)
    if all(_NUMBER.fullmatch(value) for value in sample):
        return ColumnSpec(kind=_number_kind(words, sample))
    return _name_part(words, sample) or ColumnSpec(kind=_text_kind(words, sample, len(values)))


def column_words(name: str) -> list[str]:
    """Returns the words of a column name in lower case: "customerID" gives customer, id."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[^a-z0-9]+", spaced.lower()) if word and word != "c"]


def _name_part(words: list[str], sample: list[str]) -> ColumnSpec | None:
    """Returns the spec of a column of first, last or whole names of people; None for any other column.

    Parts that share the rest of their column's name form one person: SpouseFirst with SpouseLast.
    """
    rest = [word for word in words if word not in _NAME]
    if not rest or any(len(value) > 120 for value in sample):
        return None
    parts = {_FIRST: "first", _LAST: "last", _WHOLE: "full"}
    for known, part in parts.items():
        marks = [word for word in rest if word in known]
        alone = len(rest) == len(marks)
        told = len(rest) < len(words) or any("name" in word or word in _TELLING for word in marks)
        if marks and (alone or told):
            whose = " ".join(word for word in rest if word not in known)
            return ColumnSpec.model_validate(
                {"kind": ColumnKind.PERSON, "person": f"guessed {whose}".strip(), "part": part}
            )
    return None


def _number_kind(words: list[str], sample: list[str]) -> ColumnKind:
    for kind, names in _WORDS:
        if names & set(words):
            return kind
    whole = all("." not in value and "," not in value for value in sample)
    if whole and all(len(value.lstrip("+-")) >= 6 for value in sample):
        return ColumnKind.ID
    return ColumnKind.MEASURE


def _text_kind(words: list[str], sample: list[str], rows: int) -> ColumnKind:
    if (
        words
        and words[-1] in ("id", "number", "no", "nr", "key")
        and all(" " not in value for value in sample)
    ):
        return ColumnKind.ID
    harmless = bool(words) and words[-1] in _HARMLESS
    for kind, names in _NAMES:
        if names & set(words) and not harmless and all(len(value) <= 120 for value in sample):
            return kind
    if harmless and len(sample) <= 60 and all(len(value) <= 40 for value in sample) and rows >= len(sample):
        return ColumnKind.CATEGORY
    if all(_CODE_VALUE.fullmatch(value) for value in sample):
        return ColumnKind.ID
    return ColumnKind.TEXT
