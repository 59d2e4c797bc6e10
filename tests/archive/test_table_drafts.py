"""Tables of a draft: keys, references, presets, documents, and kinds that only several columns tell."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from archive.columns import read_columns
from archive.document_drafts import document_table, document_type
from archive.document_series import with_documents
from archive.log_columns import with_logs
from archive.people_columns import with_people
from archive.sniffing import FileGuess, Verdict
from archive.source_kinds import source_kind
from archive.table_drafts import SourceTables, TableDraft, draft_tables
from archive.table_samples import TableSample
from contracts.manifest import DocumentRole, SourceKind, TableSpec
from contracts.tables import ColumnKind

K = ColumnKind
ROWS = 40


def sample(called: str, key: tuple[str, ...] = (), /, **columns: list[str | None]) -> TableSample:
    frame = pl.DataFrame({column.replace("__", " "): values for column, values in columns.items()})
    return TableSample(called, frame.cast(pl.String()), True, key)


def drafted(*samples: TableSample, preset: str | None = None, documents: bool = False) -> TableDraft:
    return draft_tables({"x": SourceTables(samples, preset, documents)}, "en_US")["x"]


def table(draft: TableDraft, name: str) -> TableSpec:
    (found,) = (spec for spec in draft.tables if spec.name == name)
    return found


ACCOUNTS = sample(
    "accounts",
    account_id=[f"ACC-{n:04}" for n in range(ROWS)],
    name=[f"Firm {chr(65 + n % 26)}{chr(97 + n // 26)}" for n in range(ROWS)],
)
ORDERS = sample(
    "orders",
    order_no=[f"ORD-{n:05}" for n in range(3 * ROWS)],
    account_id=[f"ACC-{n % ROWS:04}" for n in range(3 * ROWS)],
    amount=[f"{n}.50" for n in range(3 * ROWS)],
    nothing=[None] * (3 * ROWS),
)


def test_keys_and_references_are_drafted_with_their_confidence() -> None:
    draft = drafted(ACCOUNTS, ORDERS)
    assert (table(draft, "accounts").key, table(draft, "orders").key) == (["account_id"], ["order_no"])
    assert table(draft, "orders").columns["account_id"].references == "x.accounts.account_id"
    assert "confidence" in draft.notes["x.orders.account_id"]


def test_empty_columns_are_left_out() -> None:
    assert "nothing" not in table(drafted(ORDERS), "orders").columns


def test_every_number_has_a_kind() -> None:
    numbers = {K.MONEY, K.QUANTITY, K.RATE, K.ID, K.CODE, K.MEASURE}
    odd = sample("odd", a=[str(n) for n in range(ROWS)], b=[f"{n}.5" for n in range(ROWS)])
    assert {spec.kind for spec in table(drafted(odd), "odd").columns.values()} <= numbers


def test_what_a_database_declares_is_taken_as_it_is() -> None:
    people = sample("people", ("id",), id=["1", "2", "3"], boss=["2", "2", "2"])
    people = TableSample("people", people.frame, True, ("id",), 0, {"boss": ("people", "id")})
    draft = drafted(people)
    assert table(draft, "people").columns["boss"].references == "x.people.id"
    assert table(draft, "people").columns["boss"].kind is table(draft, "people").columns["id"].kind
    assert not [check for check in draft.checks if "points to" in check.what]


def test_a_few_rows_are_no_proof_of_a_key_nor_of_a_reference() -> None:
    one = sample("one", number=["7001", "7002", "7003"], label=["a", "b", "b"])
    two = sample("two", number=["7001", "7002", "7003"], text=["p", "p", "q"])
    draft = drafted(one, two)
    assert all(spec.references is None for held in draft.tables for spec in held.columns.values())


def test_a_table_of_links_has_the_pair_as_its_key_though_one_side_is_unique() -> None:
    links = sample(
        "links",
        order_no=[f"ORD-{n:05}" for n in range(ROWS)],
        account_id=[f"ACC-{n % 30:04}" for n in range(ROWS)],
    )
    assert table(drafted(ACCOUNTS, ORDERS, links), "links").key == ["order_no", "account_id"]


def test_columns_of_connectors_are_no_keys() -> None:
    synced = sample("t", _rowid=[str(n) for n in range(ROWS)], text=["same"] * ROWS)
    assert table(drafted(synced), "t").key == []


def test_a_preset_is_not_repeated_where_names_are_its_own() -> None:
    contact = sample(
        "Contact",
        Id=[f"003bm00000zapt{n:04}" for n in range(ROWS)],
        LastName=["Lee"] * ROWS,
        FirstName=["Ann"] * ROWS,
        Email=[f"a{n}@x.example" for n in range(ROWS)],
        Shoe__Size=[str(n % 9 + 36) for n in range(ROWS)],
    )
    contact = TableSample("Contact", contact.frame.rename({"Shoe Size": "Shoe_Size__c"}), True)
    (spec,) = drafted(contact, preset="salesforce").tables
    assert (spec.name, list(spec.columns), spec.key) == ("Contact", ["Shoe_Size__c"], [])


def test_a_preset_is_written_out_where_the_export_spells_it_otherwise() -> None:
    contact = sample(
        "sf_contact_data",
        id=[f"003bm00000zapt{n:04}" for n in range(ROWS)],
        last_name=["Lee"] * ROWS,
        first_name=["Ann"] * ROWS,
    )
    (spec,) = drafted(contact, preset="salesforce").tables
    assert (spec.name, spec.path, spec.key) == ("Contact", "sf_contact_data", ["id"])
    assert spec.columns["last_name"].kind is K.PERSON


def kinds_with_people(held: TableSample) -> dict[str, ColumnKind]:
    values = {column: held.values(column) for column in held.frame.columns}
    readings = with_people({("x", held.name): held}, {("x", held.name): read_columns(None, values)})
    return {column: reading.spec.kind for column, reading in readings["x", held.name].items()}


def test_people_are_known_by_the_columns_they_share_and_by_words_for_doers() -> None:
    kinds = kinds_with_people(
        sample(
            "steps",
            manager=["Ann Lee", "Bea Ox", "Cid Poe"] * 10,
            blocked_rem=["Ann Lee", "Cid Poe", "Cid Poe"] * 10,
            po_editor=["Dora", "Ezra", "Fay"] * 10,
            behavior=["Calm", "Loud", "Shy"] * 10,
            remark=["No Comment", "Well Done", "So So"] * 10,
        )
    )
    assert (kinds["blocked_rem"], kinds["po_editor"]) == (K.PERSON, K.PERSON)
    assert K.PERSON not in (kinds["behavior"], kinds["remark"])


def test_objects_that_are_called_by_name_have_the_kind_of_their_type() -> None:
    held = sample("object_Employees", ocel_id=["Ann Lee", "Bea Ox", "Cid Poe"], role=["a", "b", "c"])
    assert kinds_with_people(held)["ocel_id"] is K.PERSON
    numbered = sample("object_Employees", ocel_id=["e-1", "e-2", "e-3"], role=["a", "b", "c"])
    assert kinds_with_people(numbered)["ocel_id"] is not K.PERSON


def test_an_object_that_changes_has_no_key() -> None:
    held = sample("object_Order", ocel_id=[f"o-{n}" for n in range(ROWS)], price=["1.50"] * ROWS)
    assert table(drafted(held), "object_Order").key == []


@pytest.mark.parametrize(
    ("column", "values", "kind"),
    [
        ("ref", [f"declaration {n}" for n in range(1_000, 1_040)], K.ID),
        ("ref", [f"st_step {n}_0" for n in range(1_000, 1_040)], K.ID),
        ("budget number", ["budget 86566"] * ROWS, K.ID),
        ("by whom", ["STAFF MEMBER", "SYSTEM"] * 20, K.CATEGORY),
        ("by whom", ["ANN LEE", "SYSTEM"] * 20, K.TEXT),
        ("concept:name", ["Sent by EMPLOYEE", "Approved by somebody"] * 20, K.CATEGORY),
        ("remark", [f"he said {n} and left" for n in range(ROWS)], K.TEXT),
        ("remark", [f"word{n} note {n}" for n in range(ROWS)], K.TEXT),
    ],
)
def test_things_with_numbers_roles_and_activities_are_told_from_text(
    column: str, values: list[str], kind: ColumnKind
) -> None:
    frame = pl.DataFrame({column: values, "timestamp": ["2024-01-01T09:00:00"] * len(values)})
    held = TableSample("t", frame, True)
    readings = with_logs(held, read_columns(None, {column: values}))
    assert readings[column].spec.kind is kind


REVISIONS = sample(
    "policy_log",
    path=[f"policies/p{n // 4}.md" for n in range(ROWS)],
    rev=[str(n % 4 + 1) for n in range(ROWS)],
    date=[f"2024-01-{n % 28 + 1:02}T09:00:00+01:00" for n in range(ROWS)],
    author=[["annlee", "BeaOx"][n % 2] for n in range(ROWS)],
    subject=["a change of words"] * ROWS,
)
APPROVALS = sample(
    "approvals",
    plan_number=[str(n // 2 + 100) for n in range(ROWS)],
    stage=[["alpha", "beta"][n % 2] for n in range(ROWS)],
    approver=[["@ann", "@bea-ox"][n % 2] for n in range(ROWS)],
    date=["2024-01-02"] * ROWS,
)
REGISTER = sample(
    "drawings",
    drawing=[f"DWG-{n:04}" for n in range(ROWS)],
    title=[f"Floor {n} with stairs" for n in range(ROWS)],
    status=["issued"] * ROWS,
    date=["2024-01-02"] * ROWS,
    approver=["Ann Lee"] * ROWS,
)


@pytest.mark.parametrize(
    ("held", "role", "kind", "document", "key"),
    [
        (REVISIONS, DocumentRole.REVISION, "policy", "path", ["path", "rev"]),
        (APPROVALS, DocumentRole.APPROVAL, "plan", "plan_number", ["plan_number", "stage"]),
        (REGISTER, DocumentRole.REGISTER, "drawing", "drawing", ["drawing"]),
    ],
)
def test_logs_approvals_and_registers_of_documents_are_known_by_their_columns(
    held: TableSample, role: DocumentRole, kind: str, document: str, key: list[str]
) -> None:
    (spec,) = drafted(held, documents=True).tables
    assert spec.documents is not None
    assert (spec.documents.role, spec.documents.type, spec.documents.document) == (role, kind, document)
    assert spec.key == key


def test_columns_of_a_revision_log_have_the_kinds_of_their_roles() -> None:
    (spec,) = drafted(REVISIONS, documents=True).tables
    kinds = {name: column.kind for name, column in spec.columns.items()}
    assert kinds["path"] is K.FILENAME
    assert (kinds["rev"], kinds["author"], kinds["subject"]) == (K.CODE, K.LOGIN, K.TEXT)


def test_tables_of_trade_say_nothing_of_documents() -> None:
    values = {column: ORDERS.values(column) for column in ORDERS.frame.columns}
    assert document_table(ORDERS, read_columns(None, values)) is None
    assert (document_type("spending policy"), document_type("orders")) == ("policy", "document")


def unplaced(*paths: str) -> list[FileGuess]:
    return [FileGuess(Path(path), path, 9, Verdict.UNPLACED, "a page or text by itself") for path in paths]


@pytest.mark.parametrize(
    ("paths", "taken"),
    [
        (("dwg/A-101_rev1.pdf", "dwg/A-101_rev2.pdf", "dwg/A-102_rev1.pdf"), True),
        (("policy/rev001_2022-01-02.md", "policy/rev002_2022-01-05.md"), True),
        (("policy/2022-01-02.md", "policy/2022-02-02.md"), True),
        (("mails/email_1.txt", "mails/email_2.txt"), False),
        (("notes/a.txt", "notes/b.txt"), False),
        (("notes/a_rev1.txt", "notes/a_rev2.txt", "notes/b.txt", "notes/c.txt"), False),
        (("one_rev1.txt",), False),
    ],
)
def test_texts_are_documents_where_names_tell_their_revisions(paths: tuple[str, ...], taken: bool) -> None:
    assert {guess.format == "documents" for guess in with_documents(unplaced(*paths))} == {taken}


@pytest.mark.parametrize(
    ("tables", "kind"),
    [
        ({"accounts": ["account"], "deals": ["deal stage", "pipeline"]}, SourceKind.CRM),
        ({"EKKO": ["EBELN"], "orders": ["vendor", "material"]}, SourceKind.ERP),
        ({"invoices": ["invoice no", "tax", "due"]}, SourceKind.ACCOUNTING),
        ({"tickets": ["ticket", "sla", "incident"]}, SourceKind.TICKETS),
        ({"drawings": ["drawing", "revision", "approver"]}, SourceKind.ENGINEERING),
    ],
)
def test_words_of_tables_tell_the_kind_of_a_source(tables: dict[str, list[str]], kind: SourceKind) -> None:
    assert source_kind("csv", None, tables).kind is kind


def test_a_source_whose_words_say_nothing_is_unsure() -> None:
    assert not source_kind("csv", None, {"t": ["a", "b"]}).certain


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("companies", K.COMPANY),
        ("accounts", K.COMPANY),
        ("crm_customers", K.COMPANY),
        ("kunden", K.COMPANY),
        ("Lieferanten", K.COMPANY),
        ("customer_types", K.TEXT),
        ("projects", K.TEXT),
    ],
)
def test_the_name_in_a_table_of_companies_is_a_company_s(table: str, kind: ColumnKind) -> None:
    names = ["Ulmenhof Brunnenbau GmbH", "Brackley & Sons", "Dockstra", "Halbritter und Söhne oHG"]
    assert kinds_with_people(sample(table, id=["1", "2", "3", "4"], name=names))["name"] is kind
    assert kinds_with_people(sample(table, id=["1", "2", "3", "4"], label=names))["label"] is K.TEXT
