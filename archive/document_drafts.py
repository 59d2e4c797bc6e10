"""Tables of documents in a draft: registers, revision logs and approvals known by their columns.

Belongs here: which table tells of documents, what its columns are for, what that says of their kinds. Does
not belong here: reading them (`archive.revisions`), folders of texts (`archive.documents`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from archive.columns import ColumnReading, column_words
from archive.document_specs import guess_documents
from archive.table_samples import TableSample
from contracts.manifest import DocumentRole, DocumentSpec
from contracts.tables import ColumnKind

_K = ColumnKind
_PEEK = 400
_PATH = re.compile(r"[^\s].*\.[A-Za-z0-9]{1,6}")
_VERSION = re.compile(r"[vV]?\d{1,4}(?:\.\d{1,4}){1,3}|v\d{1,4}")
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.\[\]-]{0,38})")
_ROLES = (
    *("document", "number", "revision", "change_number", "title", "status", "issuer", "verdict", "stage"),
    *("authors", "checkers", "approvers"),
)
"""Fields of a `DocumentSpec` that say of a column what its values are."""
_BRINGERS = (["submitter"], ["issuer"], ["committer"])
_WHY = {
    DocumentRole.REVISION: "documents with revisions",
    DocumentRole.APPROVAL: "people who approve documents",
    DocumentRole.REGISTER: "titled documents, one a row",
    DocumentRole.CHANGE_ORDER: "orders to change documents",
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
    """Returns what a table says of documents; None for a table that says nothing of them."""
    spec = guess_documents(sample.name, sample.frame)
    if spec is None:
        return None
    revision = [spec.revision] if spec.role is DocumentRole.REVISION and spec.revision else []
    key = () if spec.role is DocumentRole.APPROVAL else (spec.document, *revision)
    if key and sample.frame.select(key).n_unique() < sample.frame.height:
        key = ()
    return DocumentTable(spec, _read_anew(sample, readings, _columns(spec, readings)), key, _WHY[spec.role])


def _columns(spec: DocumentSpec, names: Iterable[str]) -> dict[str, str]:
    """Role -> the column that holds it; who brought a change is known by the column's name."""
    found: dict[str, str] = {}
    for role in _ROLES:
        held = getattr(spec, role)
        name = next(iter(held), None) if isinstance(held, list) else held
        if name is not None and name not in found.values():
            found[role] = name
    brought = (name for name in names if column_words(name)[-1:] in _BRINGERS and name not in found.values())
    if "issuer" not in found and (name := next(brought, None)) is not None:
        found["issuer"] = name
    return found


def document_type(text: str) -> str:
    """Returns the type of documents that words of a path or name speak of."""
    words = {*column_words(text), *re.split(r"[^a-z]+", text.lower())}
    return next(
        (kind for kind, known in _TYPES if any(w in words or w in text.lower() for w in known)), "document"
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
