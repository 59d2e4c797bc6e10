"""Labels of revisions and the words of decisions, as they are written.

Belongs here: the order of labels, names in lists, which words mean approved or rejected. Does not belong
here: rows of documents (`archive.revisions`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

_PREFIX = re.compile(
    r"^(?:revision|version|issue|rev|ver|v)[\s._:-]*(?=[A-Za-z]{0,2}\d|[A-Za-z]{1,2}$)", re.IGNORECASE
)
_LETTERS = re.compile(r"[A-Z]{1,2}")
_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,4}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
_CODED = re.compile(r"([A-Z]{1,2})[.-]?(\d{1,6})")
_QUALIFIER = re.compile(r"[(,;:]")
_COMMENTED = re.compile(r"comment|noted|subject to|condition|provided")
_NOBODY = frozenset(("tbd", "n/a", "na", "none", "-", "?", "", "null", "tba", "unassigned"))
_WORDS: dict[str, tuple[str, ...]] = {
    "approved": (
        "approved",
        "accepted",
        "released",
        "signed off",
        "issued for construction",
        "approved for construction",
        "issued for use",
        "in force",
        "effective",
        "implementable",
        "implemented",
    ),
    "approved_with_comments": (
        "approved with comments",
        "approved as noted",
        "approved with notes",
        "approved subject to comments",
        "conditionally approved",
        "approved conditionally",
        "accepted with comments",
    ),
    "rejected": (
        "rejected",
        "declined",
        "refused",
        "not approved",
        "not accepted",
        "revise and resubmit",
        "returned for correction",
        "disapproved",
    ),
    "withdrawn": ("withdrawn", "cancelled", "canceled", "void", "voided", "retracted"),
}
_VERDICTS = {word: verdict for verdict, words in _WORDS.items() for word in words}
_SPLIT = re.compile(r"\s*(?:;|\n|\||\s/\s|\s&\s|\sand\s)\s*")


def plain_label(label: str) -> str:
    """Returns a label without "Rev" and leading zeros, in upper case: "rev001" and "1" are one."""
    text = _PREFIX.sub("", label.strip()).strip().upper()
    return ".".join(part.lstrip("0") or "0" for part in text.split(".")) if _NUMBERS.fullmatch(text) else text


def label_order(labels: Iterable[str]) -> dict[str, tuple[int, ...]] | None:
    """Returns a sort key for each label where all are of one scheme, else None.

    Letters (A to Z, then AA), numbers (1.9 before 1.10), dates, coded ones (P01, P02). Letters before
    numbers count as one scheme, as preliminary revisions are lettered and issued ones numbered.
    """
    orders: dict[str, tuple[int, ...]] = {}
    schemes: set[str] = set()
    for label in labels:
        text = plain_label(label)
        coded = _CODED.fullmatch(text)
        if _DATE.fullmatch(text):
            scheme, order = "date", tuple(int(part) for part in re.findall(r"\d+", text)[:6])
        elif _LETTERS.fullmatch(text):
            scheme, order = "plain", (0, len(text), *(ord(letter) for letter in text))
        elif _NUMBERS.fullmatch(text):
            scheme, order = "plain", (1, *(int(part) for part in text.split(".")))
        elif coded is not None:
            scheme, order = f"coded {coded[1]}", (int(coded[2]),)
        else:
            return None
        schemes.add(scheme)
        orders[label] = order
    return orders if len(schemes) == 1 else None


def verdict_of(text: str | None) -> str | None:
    """Returns what a decision or state means where its words are known, whatever follows them."""
    if text is None:
        return None
    words = " ".join(re.split(r"[\s_-]+", text.strip().lower()))
    whole = _VERDICTS.get(words)
    head, *rest = _QUALIFIER.split(words, maxsplit=1)
    verdict = whole or _VERDICTS.get(head.strip())
    with_comments = verdict == "approved" and whole is None and _COMMENTED.search(" ".join(rest)) is not None
    return "approved_with_comments" if with_comments else verdict


def people_of(cells: Iterable[str | None]) -> list[str]:
    """Returns the people named in cells, each once: JSON lists, or names with marks between them.

    Commas separate only handles, addresses and names of two words or more, as "Lee, Ann" is one person.
    """
    found: dict[str, None] = {}
    for cell in cells:
        for name in _named(cell or ""):
            if name.lower() not in _NOBODY:
                found.setdefault(name)
    return list(found)


def list_items(cell: str) -> list[str] | None:
    """Returns the items of a JSON list in a cell, lists within it opened; None where it holds none."""
    value = json_value(cell) if cell.lstrip().startswith("[") else None
    return list(_flat(value)) if isinstance(value, list) else None


def json_value(cell: str) -> object:
    """Returns the JSON value of a cell, numbers as they are written; None where it is no JSON."""
    try:
        return json.loads(cell, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None


def json_text(value: object) -> str | None:
    """Returns a JSON value as a cell: strings as they are, the rest as JSON; None for nothing."""
    if value in (None, "", [], {}):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _flat(value: object) -> Iterable[str]:
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    elif (text := json_text(value)) is not None:
        yield text.strip()


def _named(cell: str) -> list[str]:
    items = list_items(cell)
    if items is not None:
        return items
    names: list[str] = []
    for part in _SPLIT.split(cell.strip()):
        pieces = [piece.strip() for piece in part.split(",")]
        apart = len(pieces) > 1 and all("@" in piece or " " in piece for piece in pieces)
        names.extend(pieces if apart else [part.strip()])
    return names
