"""Documents, their revisions and what was done to them, from registers, logs, approvals and change orders.

Belongs here: which rows are of one document, the order of its revisions, the rows of the three tables.
Does not belong here: how one row is read (`archive.document_rows`), what changed between two values
(`archive.revision_changes`), files that carry revisions in their names (`archive.documents`).

Rows join over all tables of a dataset by the document's key; by its other number; by the last part of a
path where the other table names the file alone. Revisions of one label in different tables are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

import polars as pl

from archive.document_rows import DocumentInput, DocumentRow, document_rows
from archive.identifiers import derived_id
from archive.revision_changes import Change, value_changes
from archive.revision_labels import plain_label, verdict_of
from archive.revision_states import (
    Document,
    Row,
    State,
    document_row,
    put_in_order,
    revision_meant,
    revision_row,
    utc_text,
)
from archive.store import polars_schema
from contracts.manifest import DocumentRole
from contracts.tables import FIXED_TABLES

_ORDER = (DocumentRole.REGISTER, DocumentRole.REVISION, DocumentRole.CHANGE_ORDER, DocumentRole.APPROVAL)
_RARE = 0.02
"""Share of all rows up to which a state that resembles a frequent one counts as misspelt."""


class DocumentNote(NamedTuple):
    """Something about a row that a person should know; never its content."""

    source: str
    path: str
    locator: str
    reason: str
    """no_document, unknown_document, ambiguous_document, content_fault, status_misspelt, status_unusual."""


class DocumentTables(NamedTuple):
    """Rows of the tables documents, revisions and revision_events, and notes on the rows they came from."""

    documents: list[Row]
    revisions: list[Row]
    revision_events: list[Row]
    notes: list[DocumentNote]

    def frames(self) -> dict[str, pl.DataFrame]:
        """Returns the three canonical tables by name."""
        rows = {
            "documents": self.documents,
            "revisions": self.revisions,
            "revision_events": self.revision_events,
        }
        return {
            name: pl.DataFrame(found, schema=polars_schema(FIXED_TABLES[name]), orient="row")
            for name, found in rows.items()
        }


def document_tables(tables: Sequence[DocumentInput]) -> DocumentTables:
    """Returns the documents that record tables tell of; all of a dataset's tables at once.

    Args:
        tables: those whose `TableSpec.documents` is set, in the order of the manifest.
    """
    return _Assembly(sorted(tables, key=lambda table: _ORDER.index(table.spec.role))).result()


class _Assembly:
    """Gathers the rows of each document."""

    def __init__(self, tables: Sequence[DocumentInput]) -> None:
        self._tables = tables
        self._documents: dict[str, Document] = {}
        self._numbers: dict[str, list[Document]] = {}
        self._endings: dict[str, list[Document]] = {}
        self._events: list[Row] = []
        self._ids: Counter[str] = Counter()
        self._notes: list[DocumentNote] = []
        self._approvals: list[DocumentRow] = []
        self._affects: list[tuple[DocumentRow, str]] = []

    def result(self) -> DocumentTables:
        for number, table in enumerate(self._tables):
            for row in document_rows(table):
                self._take(number, row)
        distinct = {found.document_id: found for found in self._documents.values()}
        documents = list(distinct.values())
        revisions = []
        for document in documents:
            put_in_order(document)
            for seq, state in enumerate(document.states, start=1):
                revisions.append(revision_row(document, state, seq))
                self._add_history(document, state)
            self._add_changes(document)
        for row in self._approvals:
            self._add_approval(row)
        for row, key in self._affects:
            self._add_affected(row, key)
        self._check_states()
        return DocumentTables(
            [document_row(found) for found in documents], revisions, self._events, self._notes
        )

    def _note(self, row: DocumentRow, reason: str) -> None:
        source, path, locator = (str(row.cells.get(name) or "") for name in ("source", "path", "locator"))
        self._notes.append(DocumentNote(source, path, locator, reason))

    def _take(self, number: int, row: DocumentRow) -> None:
        spec = row.table.spec
        key = row.cell(spec.document)
        if spec.role is DocumentRole.APPROVAL:
            self._approvals.append(row)
            return
        if key is None:
            self._note(row, "no_document")
            return
        document = self._document(number, key)
        other = row.cell(spec.number)
        if other is not None and document not in self._numbers.setdefault(other.casefold(), []):
            self._numbers[other.casefold()].append(document)
        if spec.role is DocumentRole.REGISTER:
            document.register = document.register or row
            return
        if spec.fault is not None and row.cell(spec.fault) is not None:
            self._note(row, "content_fault")
        if spec.role is DocumentRole.CHANGE_ORDER:
            for affected in row.people(spec.affects):
                self._affects.append((row, affected))
            if any(held == number for state in document.states for held, _ in state.rows):
                return
        self._add_state(number, document, row)

    def _document(self, number: int, key: str) -> Document:
        """Returns the document that a table means by a key; a new one where no other table names it."""
        plain = key.casefold()
        ending = plain.rsplit("/", 1)[-1]
        found = [self._documents[plain]] if plain in self._documents else []
        if not found:
            known = self._endings.get(ending, [])
            found = [held for held in known if ("/" in plain) != ("/" in held.key)]
        if len(found) == 1 and found[0].names.get(number, plain) == plain:
            found[0].names[number] = plain
            self._documents.setdefault(plain, found[0])
            return found[0]
        document = Document(key, derived_id("d", plain), names={number: plain})
        self._documents[plain] = document
        self._endings.setdefault(ending, []).append(document)
        return document

    def _add_state(self, number: int, document: Document, row: DocumentRow) -> None:
        label = row.cell(row.table.spec.revision) or ""
        plain = plain_label(label)
        for state in document.states:
            if label and plain_label(state.label) == plain and all(held != number for held, _ in state.rows):
                state.rows.append((number, row))
                return
        document.states.append(State(label, [(number, row)], len(document.states)))

    def _event(
        self, document: Document | None, state: State | None, row: DocumentRow, **values: object
    ) -> None:
        parts = [str(values.get(name) or "") for name in ("action", "field", "change", "at", "actor")]
        told = [
            str(values.get(name) or "") for name in ("old_value", "new_value", "old_amount", "new_amount")
        ]
        owner = (
            state.revision_id if state else document.document_id if document else str(row.cells["record_id"])
        )
        made = derived_id("u", owner, *parts, *told)
        self._ids[made] += 1
        if self._ids[made] > 1:
            made = derived_id("u", owner, *parts, *told, self._ids[made])
        names = (
            "at",
            "actor",
            "action",
            "field",
            "change",
            "old_value",
            "new_value",
            "old_amount",
            "new_amount",
        )
        self._events.append(
            {
                "revision_event_id": made,
                **row.place(),
                "document_id": document.document_id if document else None,
                "revision_id": state.revision_id if state else None,
                **{name: values.get(name) for name in names},
            }
        )

    def _add_history(self, document: Document, state: State) -> None:
        """Adds that a revision was issued, and checked and decided on where its row says so."""
        row = state.rows[0][1]
        authors = state.people("authors")
        issuer = state.first("issuer") or (authors[0] if authors else None)
        self._event(document, state, row, action="issued", at=state.at, actor=issuer)
        done: dict[tuple[str, str | None], tuple[str | None, str | None, DocumentRow]] = {}
        for _, told in state.rows:
            spec = told.table.spec
            checked, approved = told.moment(spec.checked_at), told.moment(spec.approved_at)
            decided = verdict_of(told.cell(spec.verdict))
            for person in told.people(spec.checkers) if checked or decided else ():
                done.setdefault(("checked", person), (checked, None, told))
            if (approved or decided) and decided != "withdrawn":
                action = "rejected" if decided == "rejected" else "approved"
                deciders: list[str | None] = [*told.people(spec.approvers)]
                for decider in deciders or [None]:
                    done.setdefault((action, decider), (approved, told.cell(spec.comment), told))
        named = {action for action, person in done if person is not None}
        for (action, actor), (at, comment, told) in done.items():
            if actor is not None or action not in named:
                field = "comment" if comment else None
                self._event(
                    document, state, told, action=action, at=at, actor=actor, field=field, new_value=comment
                )

    def _add_changes(self, document: Document) -> None:
        """Adds how each revision differs from the last one before it that the same table has content of."""
        before: dict[int, dict[str, tuple[str | None, bool]]] = {}
        for state in document.states:
            for number, row in state.rows:
                if row.cell(row.table.spec.fault) is not None:
                    continue
                values = row.compared()
                held = before.get(number)
                for name in dict.fromkeys((*(held or {}), *values)) if held is not None and values else ():
                    (old, money), (new, _) = (
                        (held or {}).get(name, (None, False)),
                        values.get(name, (None, False)),
                    )
                    money = money or values.get(name, (None, False))[1]
                    for change in value_changes(name, old, new, money):
                        self._change(document, state, row, change)
                if values:
                    before[number] = values

    def _change(self, document: Document, state: State, row: DocumentRow, change: Change) -> None:
        self._event(
            document,
            state,
            row,
            action="changed",
            at=state.at,
            actor=state.first("issuer"),
            field=change.field,
            change=change.change,
            old_value=change.old,
            new_value=change.new,
            old_amount=change.old_amount,
            new_amount=change.new_amount,
        )

    def _add_approval(self, row: DocumentRow) -> None:
        spec = row.table.spec
        key, at = row.cell(spec.document), row.moment(spec.at)
        document, ambiguous = self._named(key or "", row.cell(spec.change_number), at)
        if document is None:
            self._note(row, "unknown_document" if key else "no_document")
        elif ambiguous:
            self._note(row, "ambiguous_document")
        state = None
        if document is not None:
            state = revision_meant(document, row.cell(spec.revision), row.cell(spec.change_number), at)
        verdict = verdict_of(row.cell(spec.verdict)) if spec.verdict else "approved"
        action = {"approved": "approved", "approved_with_comments": "approved", "rejected": "rejected"}.get(
            verdict or "", "commented"
        )
        told: Row = {"action": action, "at": at}
        if row.cell(spec.stage) is not None:
            told |= {"field": (spec.stage or "").rsplit(".", 1)[-1], "new_value": row.cell(spec.stage)}
        elif row.cell(spec.comment) is not None or action == "commented":
            told |= {"field": "comment", "new_value": row.cell(spec.comment) or row.cell(spec.verdict)}
        people: list[str | None] = [*row.people(spec.approvers)]
        for person in people or [None]:
            self._event(document, state, row, **told, actor=person)

    def _named(self, key: str, change: str | None, at: str | None) -> tuple[Document | None, bool]:
        """Returns the document that a key or number means, and whether it could be another one as well."""
        plain = key.casefold()
        if plain in self._documents:
            return self._documents[plain], False
        known = self._numbers.get(plain) or self._endings.get(plain, [])
        if len(known) < 2:
            return (known[0] if known else None), False
        same = [
            found
            for found in known
            if change and any(s.first("change_number") == change for s in found.states)
        ]
        if len(same) == 1:
            return same[0], False
        latest = max(
            known,
            key=lambda found: max(
                (utc_text(s.at) for s in found.states if utc_text(s.at) <= utc_text(at)), default=""
            ),
        )
        return latest, True

    def _add_affected(self, row: DocumentRow, key: str) -> None:
        spec = row.table.spec
        at = row.moment(spec.at)
        document, _ = self._named(key, None, at)
        if document is None:
            self._note(row, "unknown_document")
            return
        actors = row.people(spec.authors)
        self._event(
            document,
            revision_meant(document, None, None, at),
            row,
            action="changed",
            at=at,
            actor=row.cell(spec.issuer) or (actors[0] if actors else None),
            field="change_order",
            change="added",
            new_value=row.cell(spec.document),
        )

    def _check_states(self) -> None:
        """Notes states of no certain meaning that resemble a frequent one, and other rare ones."""
        for table in self._tables:
            rows = [(row, row.cell(table.spec.status)) for row in document_rows(table)]
            counts = Counter(status for _, status in rows if status is not None)
            frequent = [status for status, count in counts.items() if count > _RARE * len(rows) and count > 1]
            for row, status in rows:
                if status is None or status in frequent or verdict_of(status) or not frequent:
                    continue
                close = get_close_matches(
                    status.lower()[:80], [word.lower()[:80] for word in frequent], 1, 0.85
                )
                self._note(row, "status_misspelt" if close else "status_unusual")
