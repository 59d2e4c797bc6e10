"""Folders of documents: what names and first lines tell, every file a row or a reject."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from archive.document_specs import guess_documents
from archive.documents import front_matter, named_document, read_documents, stated_documents
from contracts.manifest import DocumentRole, DocumentSpec, Source, SourceKind, TableSpec


@pytest.mark.parametrize(
    ("path", "document", "revision", "day"),
    [
        ("DWG-1043_B.txt", "DWG-1043", "B", None),
        ("plans/DWG-1043-RevC.pdf", "DWG-1043", "C", None),
        ("DWG-1043_rev2.pdf", "DWG-1043", "2", None),
        ("A-101 (Rev C).pdf", "A-101", "C", None),
        ("Spec v1.2.docx", "Spec", "1.2", None),
        ("A-7_P02.pdf", "A-7", "P02", None),
        ("docs/expenses/2024-05-01.md", "expenses", "2024-05-01", "2024-05-01"),
        ("p/limits.md/rev003_2022-01-25_4920238b.md", "limits.md", "003", "2022-01-25"),
        ("Rev B/DWG-7.pdf", "DWG-7", "B", None),
        ("policies/travel.md", "policies/travel.md", None, None),
        ("overview.md", "overview.md", None, None),
    ],
)
def test_names_tell_document_and_revision(
    path: str, document: str, revision: str | None, day: str | None
) -> None:
    assert named_document(path) == (document, revision, day)


def test_first_lines_tell_people_and_decisions() -> None:
    text = "# Pump base\n\n**Revision:** B\nDrawn by: Ann Lee\nChecked by: Bob Ray; Cy Poe\n"
    text += "approved by:\n- Di Fox\n- Ed Gray\nStatus: Approved\nNote: nothing\n"
    assert front_matter(text) == {
        "revision": "B",
        "authors": "Ann Lee",
        "checked_by": "Bob Ray; Cy Poe",
        "approved_by": "Di Fox; Ed Gray",
        "status": "Approved",
    }


def test_signatures_are_taken_apart(tmp_path: Path) -> None:
    text = "Drawn: Ann Lee, 13.05.2024\nChecked: Bob Ray, 14.05.2024\n"
    text += "Decision: approved with comments, 15.05.2024, Cy Poe\nRemark: escape route\n"
    (tmp_path / "DW-1_A.txt").write_text(text, encoding="utf-8")
    (batch,) = read_documents(tmp_path / "DW-1_A.txt", tmp_path)
    (row,) = batch.frame.drop("text", "filename").rows(named=True)
    assert {name: value for name, value in row.items() if value} == {
        "document": "DW-1",
        "revision": "A",
        "date": "13.05.2024",
        "authors": "Ann Lee",
        "checked_by": "Bob Ray",
        "checked_on": "14.05.2024",
        "approved_by": "Cy Poe",
        "decided_on": "15.05.2024",
        "verdict": "approved with comments",
        "comment": "escape route",
    }


def test_a_file_is_a_row_and_a_table_its_rows(tmp_path: Path) -> None:
    (tmp_path / "DWG-1_A.txt").write_text("# Pump\n\nText", encoding="utf-8")
    (tmp_path / "log.csv").write_text("drawing,rev\nDWG-1,A\nDWG-1,B\n", encoding="utf-8")
    (tmp_path / "empty.md").write_bytes(b"")
    (batch,) = read_documents(tmp_path / "DWG-1_A.txt", tmp_path)
    assert batch.frame.select("document", "revision", "title").rows() == [("DWG-1", "A", "Pump")]
    (table,) = read_documents(tmp_path / "log.csv", tmp_path)
    assert (table.table, table.frame.height) == ("log", 2)
    (nothing,) = read_documents(tmp_path / "empty.md", tmp_path)
    assert ([reject.reason for reject in nothing.rejects], nothing.frame.height) == (["empty"], 0)


def test_the_type_of_a_folder_follows_its_name_unless_stated() -> None:
    source = Source(name="drawings", kind=SourceKind.ENGINEERING, format="documents", path="x")
    found = stated_documents(source, "documents", None)
    assert found is not None and found.type == "drawing"
    few = DocumentSpec(role=DocumentRole.REVISION, type="plan", document="document", compared=["status"])
    filled = stated_documents(source, "documents", TableSpec(name="documents", documents=few))
    assert filled is not None
    assert (filled.type, filled.text, filled.compared) == ("plan", "text", ["status"])
    assert stated_documents(source, "log", TableSpec(name="log", documents=few)) == few
    assert stated_documents(source, "log", None) is None


@pytest.mark.parametrize(
    ("table", "columns", "role", "document"),
    [
        ("register", "Drawing No,Title,Status,Revision,Owner", DocumentRole.REGISTER, "Drawing No"),
        (
            "revisions",
            "Drawing No,Rev,Date,Drawn By,Checked By,Approved By,Status",
            DocumentRole.REVISION,
            "Drawing No",
        ),
        ("signoffs", "document_no,approver,decision,date", DocumentRole.APPROVAL, "document_no"),
        ("change_orders", "CO Number,Drawing,Title,Status,Date,Cost", DocumentRole.CHANGE_ORDER, "CO Number"),
        ("orders", "order_id,date,status,amount", None, None),
        ("releases", "version,date,notes", None, None),
        ("tickets", "number,title,status,opened_by", None, None),
    ],
)
def test_tables_of_documents_are_told_by_their_columns(
    table: str, columns: str, role: DocumentRole | None, document: str | None
) -> None:
    frame = pl.DataFrame({name: ["x"] for name in columns.split(",")})
    found = guess_documents(table, frame)
    assert (found and found.role, found and found.document) == (role, document)


def test_members_of_objects_are_columns_as_well() -> None:
    frame = pl.DataFrame(
        {
            "plan": ["P1"],
            "rev": ["1"],
            "date": ["2024-05-01"],
            "fields": ['{"title": "T", "authors": ["@a"]}'],
        }
    )
    found = guess_documents("plans", frame)
    assert found is not None
    assert (found.title, found.authors, found.compared) == ("fields.title", ["fields.authors"], ["fields.*"])
