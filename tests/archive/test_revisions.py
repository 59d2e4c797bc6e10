"""Documents and revisions from tables: order, decisions, typed differences, nothing repaired in silence."""

from __future__ import annotations

import time
from collections.abc import Mapping

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.document_rows import DocumentInput, absent_columns
from archive.revision_changes import Change, text_changes, value_changes
from archive.revision_labels import label_order, people_of, plain_label, verdict_of
from archive.revisions import DocumentTables, document_tables
from contracts.manifest import ColumnSpec, DocumentRole, DocumentSpec
from contracts.tables import ColumnKind

HEAD = ("record_id", "source", "path", "locator", "content_hash")


def table(
    written: str, kinds: Mapping[str, ColumnSpec] | None = None, *, role: str = "revision", **spec: object
) -> DocumentInput:
    """A table written as lines of cells between bars."""
    lines = [[cell.strip() or None for cell in line.split("|")] for line in written.strip().split("\n")]
    names = [str(name) for name in lines[0]]
    rows = [
        {
            **dict(
                zip(HEAD, (f"r-{spec['document']}-{number}", "s", "p", f"row {number}", "h"), strict=True)
            ),
            **dict(zip(names, line, strict=True)),
        }
        for number, line in enumerate(lines[1:], start=2)
    ]
    schema = dict.fromkeys([*HEAD, *names], pl.String())
    made = DocumentSpec.model_validate({"role": DocumentRole(role), **spec})
    return DocumentInput(made, pl.DataFrame(rows, schema=schema), kinds or {})


DRAWINGS = table(
    """dwg | rev | date | drawn | checked | approved | status | scale | cost
       D-1 | B | 2024-02-01 | Ann Lee | Bob Ray | Cy Poe | Rejected | 1:20 | $1,500.00
       D-1 | A | 2024-01-01 | Ann Lee | Bob Ray | Cy Poe | Approved | 1:10 | $1,000.00
       D-1 | C | 2024-03-01 | Ann Lee; Di Fox | | | In review | 1:20 | $900.00
       D-2 | 0 | 2024-01-05 | Ann Lee | | | Approved as noted | 1:1 |""",
    {"cost": ColumnSpec(kind=ColumnKind.MONEY)},
    document="dwg",
    type="drawing",
    revision="rev",
    at="date",
    authors=["drawn"],
    checkers=["checked"],
    approvers=["approved"],
    status="status",
    verdict="status",
    compared=["scale", "cost"],
)


def history(tables: DocumentTables, action: str) -> list[tuple[object, ...]]:
    labels = {row["revision_id"]: row["revision"] for row in tables.revisions}
    names = ("field", "change", "old_value", "new_value", "old_amount", "new_amount")
    return [
        (
            labels.get(row["revision_id"]),
            row["actor"],
            *(row[name] for name in names if row[name] is not None),
        )
        for row in tables.revision_events
        if row["action"] == action
    ]


def test_revisions_are_in_order_of_their_labels_with_people_and_verdicts() -> None:
    found = document_tables([DRAWINGS])
    assert [
        (r["revision"], r["seq"], r["verdict"], r["authors"], r["checkers"]) for r in found.revisions
    ] == [
        ("A", 1, "approved", ["Ann Lee"], ["Bob Ray"]),
        ("B", 2, "rejected", ["Ann Lee"], ["Bob Ray"]),
        ("C", 3, None, ["Ann Lee", "Di Fox"], []),
        ("0", 1, "approved_with_comments", ["Ann Lee"], []),
    ]
    assert [(d["document_key"], d["type"], d["revision"], d["status"]) for d in found.documents] == [
        ("D-1", "drawing", "A", "In review"),
        ("D-2", "drawing", "0", "Approved as noted"),
    ]


def test_decisions_and_differences_are_events() -> None:
    found = document_tables([DRAWINGS])
    assert history(found, "approved") == [("A", "Cy Poe"), ("0", None)]
    assert history(found, "rejected") == [("B", "Cy Poe")]
    assert history(found, "checked") == [("A", "Bob Ray"), ("B", "Bob Ray")]
    assert history(found, "changed") == [
        ("B", None, "scale", "replaced", "1:10", "1:20"),
        ("B", None, "cost", "increased", "1000.00", "1500.00"),
        ("C", None, "cost", "decreased", "1500.00", "900.00"),
    ]
    assert {name: frame.height for name, frame in found.frames().items()} == {
        "documents": 2,
        "revisions": 4,
        "revision_events": len(found.revision_events),
    }


def test_columns_that_a_table_lacks_are_told() -> None:
    spec = DRAWINGS.spec.model_copy(update={"title": "name", "number": "cost.net", "owner": "path"})
    assert absent_columns(spec, [*DRAWINGS.columns, "dwg", "rev", "date", "drawn", "path_"]) == [
        "name",
        "status",
        "checked",
        "approved",
        "scale",
    ]


def test_registers_files_approvals_and_change_orders_join() -> None:
    files = table(
        """document | revision | text
           limits.md | 001 | Up to $500 alone.
           limits.md | 002 | Up to $750 alone.""",
        document="document",
        revision="revision",
        text="text",
        compared=["text"],
    )
    log = table(
        """path_ | rev | date | author
           content/a/limits.md | 1 | 2024-01-01T10:00:00+00:00 | @ann
           content/a/index.md | 1 | 2024-01-01T10:00:00+00:00 | @bob
           content/b/index.md | 1 | 2024-01-01T10:00:00+00:00 | @bob""",
        document="path",
        revision="rev",
        at="date",
        authors=["author"],
        compared=["rev"],
    )
    register = table(
        "id | no | name | rev\n limits.md | 77 | Limits | 002",
        role="register",
        document="id",
        number="no",
        title="name",
        revision="rev",
    )
    approvals = table(
        """no | who | stage | when | verdict
           77 | @cy, @di | alpha | 2024-01-02 | approved
           77 | @ed | beta | 2024-01-03 | declined
           99 | @ed | beta | 2024-01-03 | approved""",
        role="approval",
        document="no",
        approvers=["who"],
        stage="stage",
        at="when",
        verdict="verdict",
    )
    orders = table(
        "co | dwg | by | date | status\n CO-1 | limits.md; D-9 | Ann Lee | 2024-01-04 | Approved",
        role="change_order",
        type="change_order",
        document="co",
        affects=["dwg"],
        authors=["by"],
        at="date",
        status="status",
    )
    found = document_tables([files, log, register, approvals, orders])
    assert [(d["document_key"], d["title"], d["type"]) for d in found.documents] == [
        ("limits.md", "Limits", "document"),
        ("content/a/index.md", None, "document"),
        ("content/b/index.md", None, "document"),
        ("CO-1", None, "change_order"),
    ]
    first = found.revisions[0]
    assert (first["revision"], first["at"], first["authors"]) == (
        "001",
        "2024-01-01T10:00:00+00:00",
        ["@ann"],
    )
    assert history(found, "approved") == [
        ("001", "@cy", "stage", "alpha"),
        ("001", "@di", "stage", "alpha"),
        (None, "@ed", "stage", "beta"),
    ]
    assert history(found, "rejected") == [("001", "@ed", "stage", "beta")]
    assert ("002", None, "text", "increased", "500", "750") in history(found, "changed")
    assert ("001", "Ann Lee", "change_order", "added", "CO-1") in history(found, "changed")
    assert sorted((note.reason, note.locator) for note in found.notes) == [
        ("unknown_document", "row 2"),
        ("unknown_document", "row 4"),
    ]


def test_members_of_objects_are_compared_and_faults_change_nothing() -> None:
    plans = table(
        """case | rev | fields | error
           P | 1 | {"status": "draft", "authors": ["@a"], "stage": {"beta": "v1"}} |
           P | 2 | {} | bad date
           P | 3 | {"status": "final", "authors": ["@a", "@b"], "stage": {"beta": "v1", "stable": "v2"}} |""",
        document="case",
        revision="rev",
        status="fields.status",
        authors=["fields.authors"],
        fault="error",
        compared=["fields.*"],
    )
    found = document_tables([plans])
    assert history(found, "changed") == [
        ("3", None, "status", "replaced", "draft", "final"),
        ("3", None, "authors", "added", "@b"),
        ("3", None, "stage.stable", "added", "v2"),
    ]
    assert [note.reason for note in found.notes] == ["content_fault"]


def test_misspelt_states_are_kept_and_told() -> None:
    rows = "\n".join(f"P{number} | 1 | provisional" for number in range(60))
    found = document_tables(
        [
            table(
                f"id | rev | st\n{rows}\nX | 1 | provisionall\nY | 1 | odd",
                document="id",
                revision="rev",
                status="st",
            )
        ]
    )
    assert [row["status"] for row in found.revisions[-2:]] == ["provisionall", "odd"]
    assert sorted(note.reason for note in found.notes) == ["status_misspelt", "status_unusual"]


@pytest.mark.parametrize(
    ("written", "order"),
    [
        (["B", "AA", "A", "Z"], ["A", "B", "Z", "AA"]),
        (["1.10", "1.9", "1"], ["1", "1.9", "1.10"]),
        (["Rev 2", "rev10", "Rev. 1"], ["Rev. 1", "Rev 2", "rev10"]),
        (["1", "B", "0", "A"], ["A", "B", "0", "1"]),
        (["2024-05-02", "2023-12-31"], ["2023-12-31", "2024-05-02"]),
        (["P10", "P02"], ["P02", "P10"]),
        (["A", "first draft"], None),
        (["P01", "C01"], None),
    ],
)
def test_labels_have_the_order_in_which_people_count(written: list[str], order: list[str] | None) -> None:
    keys = label_order(written)
    assert (sorted(written, key=keys.__getitem__) if keys else None) == order


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Approved", "approved"),
        ("issued_for_construction", "approved"),
        ("implemented (beta)", "approved"),
        ("approved, 08.04.2024, Ann Lee", "approved"),
        ("Approved, subject to comments", "approved_with_comments"),
        ("Approved as noted", "approved_with_comments"),
        ("REVISE AND RESUBMIT", "rejected"),
        ("cancelled", "withdrawn"),
        ("approvd", None),
        ("provisional", None),
        (None, None),
    ],
)
def test_only_certain_words_are_verdicts(text: str | None, verdict: str | None) -> None:
    assert verdict_of(text) == verdict


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ('["@a", ["@b"], "TBD"]', ["@a", "@b"]),
        ("@a, @b", ["@a", "@b"]),
        ("Ann Lee; Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann Lee, Bob Ray and Cy Poe", ["Ann Lee", "Bob Ray", "Cy Poe"]),
        ("Lee, Ann", ["Lee, Ann"]),
        ("n/a", []),
        ("", []),
    ],
)
def test_lists_of_people_are_taken_apart(cell: str, people: list[str]) -> None:
    assert people_of([cell, cell]) == people


@pytest.mark.parametrize(
    ("old", "new", "money", "changes"),
    [
        ("a", " a ", False, []),
        (None, "", False, []),
        (None, "a", False, [("f", "added", None, "a", None, None)]),
        ("7", "12.5", False, [("f", "increased", "7", "12.5", None, None)]),
        ("v1.19", "v1.20", False, [("f", "replaced", "v1.19", "v1.20", None, None)]),
        ("1,200.50", "900", True, [("f", "decreased", None, None, "1200.50", "900")]),
        ("$5", "$7", False, [("f", "increased", None, None, "5", "7")]),
        ("$5", None, True, [("f", "removed", None, None, "5", None)]),
        (
            '["a","b"]',
            '["b","c"]',
            False,
            [("f", "removed", "a", None, None, None), ("f", "added", None, "c", None, None)],
        ),
        (None, '{"a": 1}', False, [("f.a", "added", None, "1", None, None)]),
        ("{broken", "[1", False, [("f", "replaced", "{broken", "[1", None, None)]),
    ],
)
def test_differences_have_a_type(
    old: str | None, new: str | None, money: bool, changes: list[tuple[str | None, ...]]
) -> None:
    assert [tuple(change) for change in value_changes("f", old, new, money)] == changes


def test_texts_are_compared_by_paragraphs_with_the_amounts_in_them() -> None:
    old = "Limits\n\nUp to $1,000 a lead signs.\n\nOld rule.\n\nEnd"
    new = "Limits\n\nUp to $2,500 a lead signs.\n\nEnd\n\nAppendix"
    summary = (
        "paragraphs: 1 added, 1 removed, 1 replaced\n"
        "- Up to $1,000 a lead signs.\n+ Up to $2,500 a lead signs.\n"
        "- Old rule.\n+ Appendix"
    )
    assert list(text_changes("text", old, new)) == [
        Change("text", "text", None, summary),
        Change("text", "increased", None, None, "1000", "2500"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n".join("ab"[n % 2] for n in range(4_000)), "\n\n".join("ab"[n // 2 % 2] for n in range(4_001))),
        ("\n\n".join(str(n) for n in range(490)), "\n\n".join(str(n * 7 % 491) for n in range(490))),
        ("x" * 3_000_000, "y" * 3_000_000),
        ("$1 " * 200_000, "$2 " * 200_000),
        ("1," * 300_000, "\n" * 300_000),
        ("{" * 200_000, "[" * 200_000),
    ],
)
def test_texts_made_to_be_slow_are_not(old: str, new: str) -> None:
    start = time.process_time()
    assert list(value_changes("text", old, new))
    assert time.process_time() - start < 1


@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_equal_values_never_differ_and_others_always_do(old: str, new: str, money: bool) -> None:
    assert list(value_changes("f", old, old, money)) == []
    for change in value_changes("f", old, new, money):
        assert change.change in ("added", "removed", "increased", "decreased", "replaced", "text")
    assert plain_label(plain_label(old)) == plain_label(old)
