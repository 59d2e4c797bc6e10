"""Tables of documents in a draft: registers, revision logs and approvals known by their columns.

Belongs here: which table tells of documents, what its columns are for, what that says of their kinds. Does
not belong here: reading them (`archive.revisions`), folders of texts (`archive.documents`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from archive.columns import ColumnReading, column_words
from archive.table_samples import TableSample
from contracts.manifest import DocumentRole, DocumentSpec
from contracts.tables import ColumnKind

_K = ColumnKind
_PEEK = 400
_PATH = re.compile(r"[^\s].*\.[A-Za-z0-9]{1,6}")
_VERSION = re.compile(r"[vV]?\d{1,4}(?:\.\d{1,4}){1,3}|v\d{1,4}")
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.\[\]-]{0,38})")
_WORDS: dict[str, frozenset[str]] = {
    "document": frozenset("case document doc drawing dwg plan policy sheet path file filename kep".split()),
    "revision": frozenset("rev revision version".split()),
    "change_number": frozenset("pr change ecn eco eco_number mr".split()),
    "title": frozenset(("title",)),
    "status": frozenset("status state".split()),
    "stage": frozenset(("stage",)),
    "at": frozenset("date at last updated revised issued approved_at modified".split()),
    "created_at": frozenset("first created creation".split()),
    "issuer": frozenset("submitter issuer committer issued_by".split()),
    "authors": frozenset("author authors drafter".split()),
    "checkers": frozenset("reviewer reviewers checker checkers".split()),
    "approvers": frozenset("approver approvers".split()),
    "verdict": frozenset("verdict decision".split()),
}
_TYPES = (
    ("policy", ("policy", "policies")),
    ("drawing", ("drawing", "drawings", "dwg")),
    ("plan", ("plan", "plans", "kep", "keps", "proposal", "proposals")),
)


class DocumentTable(NamedTuple):
    """A table of documents: its spec, its columns read in that light, and the key that this gives it."""

    spec: DocumentSpec
    readings: dict[str, ColumnReading]
    key: tuple[str, ...]
    why: str


def document_table(sample: TableSample, readings: Mapping[str, ColumnReading]) -> DocumentTable | None:
    """Returns what a table says of documents; None for a table that says nothing of them.

    With a revision beside a document it is a log of revisions; with people who approve, and no title, a list
    of approvals; with one row for each titled document and people behind it, a register.
    """
    found = _roles(sample, readings)
    inner = _inner_roles(sample)
    document = found.get("document")
    people = [name for name in ("authors", "issuer", "checkers", "approvers") if name in found]
    if document is None or not people or not ({"at", "created_at"} & found.keys()):
        return None
    key: tuple[str, ...] = ()
    single = _distinct(sample, document) == sample.frame.height
    if "revision" in found and not single:
        role, key, why = DocumentRole.REVISION, (document, found["revision"]), "documents with revisions"
    elif "approvers" in found and "title" not in found and not single:
        role, key, why = DocumentRole.APPROVAL, (), "people who approve documents"
    elif "title" in found and single:
        role, key, why = DocumentRole.REGISTER, (document,), "titled documents, one a row"
    else:
        return None
    if key and sample.frame.select(key).n_unique() < sample.frame.height:
        key = ()
    return DocumentTable(
        _spec(role, document, found, inner, sample.name), _read_anew(sample, readings, found), key, why
    )


def document_type(text: str) -> str:
    """Returns the type of documents that words of a path or name speak of."""
    words = {*column_words(text), *re.split(r"[^a-z]+", text.lower())}
    return next(
        (kind for kind, known in _TYPES if any(w in words or w in text.lower() for w in known)), "document"
    )


def _roles(sample: TableSample, readings: Mapping[str, ColumnReading]) -> dict[str, str]:
    """Role -> column: the first one whose last word, or only word, is for it."""
    found: dict[str, str] = {}
    numbers = [name for name in readings if column_words(name)[-1:] in (["number"], ["no"], ["nr"])]
    for role, words in _WORDS.items():
        for name in readings:
            own = column_words(name)
            dated = role in ("at", "created_at")
            if not own or (own[-1] not in words and name.lower() not in words) or name in found.values():
                continue
            if dated and readings[name].spec.kind not in (_K.DATE, _K.DATETIME):
                continue
            found[role] = name
            break
    if (
        "document" in found
        and column_words(found["document"])[-1] in ("path", "file")
        and numbers
        and ("revision" not in found)
    ) or (numbers and "document" not in found):
        found["document"] = numbers[0]
    elif numbers:
        found["number"] = numbers[0]
    return found


def _inner_roles(sample: TableSample) -> dict[str, list[str]]:
    """Role -> members of a JSON column "fields" that are for it."""
    held: dict[str, list[str]] = {}
    column = next((name for name in sample.frame.columns if name.lower() == "fields"), None)
    if column is None:
        return held
    names: dict[str, None] = {}
    for cell in sample.frame[column].drop_nulls().head(_PEEK).to_list():
        try:
            value = json.loads(cell)
        except ValueError:
            continue
        if isinstance(value, dict):
            names.update(dict.fromkeys(str(name) for name in value))
    for name in names:
        own = column_words(name)
        for role, words in _WORDS.items():
            if own and own[-1] in words | ({"date"} if role == "created_at" and "creation" in own else set()):
                held.setdefault(role, []).append(f"{column}.{name}")
        if own and own[-1] == "number":
            held.setdefault("number", []).append(f"{column}.{name}")
    held["compared"] = [f"{column}.*"] if names else []
    return held


def _spec(
    role: DocumentRole, document: str, found: Mapping[str, str], inner: Mapping[str, list[str]], name: str
) -> DocumentSpec:
    def one(what: str) -> str | None:
        return found.get(what) or next(iter(inner.get(what, ())), None)

    def several(what: str) -> list[str]:
        return [found[what]] if what in found else list(inner.get(what, ()))

    return DocumentSpec(
        role=role,
        type=document_type(f"{name} {' '.join(found.values())}"),
        document=document,
        number=one("number"),
        revision=found.get("revision"),
        change_number=found.get("change_number"),
        title=one("title"),
        status=one("status"),
        at=found.get("at"),
        created_at=one("created_at"),
        issuer=found.get("issuer") if role is DocumentRole.REVISION else None,
        authors=several("authors"),
        checkers=several("checkers"),
        approvers=several("approvers"),
        verdict=found.get("verdict"),
        stage=found.get("stage") if role is DocumentRole.APPROVAL else None,
        compared=list(inner.get("compared", ())),
    )


def _read_anew(
    sample: TableSample, readings: Mapping[str, ColumnReading], found: Mapping[str, str]
) -> dict[str, ColumnReading]:
    """The kinds that columns have in a table of documents, where one column alone did not tell them."""
    by_column = {column: role for role, column in found.items()}
    anew = dict(readings)
    for name, reading in readings.items():
        kind = _kind(name, by_column.get(name, ""), reading, sample)
        if kind is not None and kind is not reading.spec.kind:
            told = (
                f"{by_column[name].replace('_', ' ')} of documents"
                if name in by_column
                else "its values' form"
            )
            spec = reading.spec.model_copy(update={"kind": kind})
            anew[name] = reading._replace(spec=spec, confident=True, reason=told)
    return anew


def _kind(name: str, role: str, reading: ColumnReading, sample: TableSample) -> ColumnKind | None:
    values = sample.frame[name].drop_nulls().unique(maintain_order=True).head(_PEEK).to_list()
    named_path = column_words(name)[-1:] in (["path"], ["file"], ["filename"])
    if not values or reading.spec.kind in (_K.DATE, _K.DATETIME):
        return None
    if named_path and _most(values, _PATH.fullmatch):
        return _K.FILENAME
    if role in ("document", "number", "change_number"):
        return _K.ID
    if role == "revision" or (reading.spec.kind is _K.TEXT and _most(values, _VERSION.fullmatch)):
        return _K.CODE
    if role in ("issuer", "authors") and _most(values, _LOGIN.fullmatch):
        return _K.LOGIN
    if role in ("authors", "checkers", "approvers", "issuer"):
        return _K.PERSON
    if role in ("status", "stage", "verdict"):
        return _K.CATEGORY
    return None


def _most(values: list[str], test: Callable[[str], object]) -> bool:
    return sum(test(value.strip()) is not None for value in values) * 10 >= 8 * len(values)


def _distinct(sample: TableSample, column: str) -> int:
    return sample.frame[column].drop_nulls().n_unique()
