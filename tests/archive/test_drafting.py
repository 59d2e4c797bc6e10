"""Drafts of unknown folders: valid, the same every time, told with reasons, unharmed by odd input."""

from __future__ import annotations

import gzip
import io
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from archive.company_facts import Evidence, conclude
from archive.draft_text import draft_text
from archive.drafting import draft_folder, slug
from archive.findings import Draft, Unplaced, in_brief
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.mailbox import RawMessage
from contracts.manifest import ColumnSpec, Company, Manifest, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind

ACCOUNTS = "Account Id,Account Name,Currency,Annual Revenue\n" + "".join(
    f"ACC-{n:04},Firm {n},EUR,{n}13.50\n" for n in range(1, 40)
)
INVOICES = "Invoice No,Account Id,Issued,Amount\n" + "".join(
    f"INV-{n:05},ACC-{n % 39 + 1:04},{n % 28 + 1:02}.03.2024,{n}.25\n" for n in range(1, 120)
)


def mail(sender: str, date: str, body: str = "Hi") -> bytes:
    head = f"From: {sender}\nTo: b@y.example\nSubject: Hi\nDate: {date}\nMessage-ID: <{date}>"
    return f"{head}\n\n{body}\n".encode()


def mbox(sender: str, offsets: dict[int, str], count: int = 6) -> bytes:
    return b"".join(
        b"From x Mon Jul  1 09:00:00 2024\n" + mail(sender, f"{day} {month} 2024 09:00:00 {offset}") + b"\n"
        for month, offset in ((("Jan", "Jul")[at], offset) for at, offset in offsets.items())
        for day in range(1, count + 1)
    )


def drafted(folder: Path, files: dict[str, bytes]) -> Draft:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return draft_folder(folder, "x")


@pytest.fixture
def company(tmp_path: Path) -> Draft:
    return drafted(
        tmp_path,
        {
            "crm/accounts.csv": ACCOUNTS.encode(),
            "erp/invoices.csv": INVOICES.encode(),
            "mail/a.mbox": mbox("Ann <ann@acme.de>", {0: "+0100", 1: "+0200"}),
            "README.md": b"# read me",
        },
    )


def test_a_draft_names_systems_tables_keys_and_references(company: Draft) -> None:
    sources = {source.name: source for source in company.manifest.sources}
    assert {name: source.kind.value for name, source in sources.items()} == {
        "crm": "crm",
        "erp": "accounting",
        "mail": "mail",
    }
    (accounts,), (invoices,) = sources["crm"].tables, sources["erp"].tables
    assert (accounts.key, invoices.key) == (["Account Id"], ["Invoice No"])
    assert invoices.columns["Account Id"].references == "crm.accounts.Account Id"
    assert invoices.columns["Amount"].kind is ColumnKind.MONEY
    assert invoices.columns["Issued"].date_format == "%d.%m.%Y"


def test_what_speaks_for_the_company_is_concluded(company: Draft) -> None:
    told = company.manifest.company
    assert (told.names, told.domains, told.zones) == (["Acme"], ["acme.de"], ["Europe/Berlin"])
    assert (told.currency, told.locale) == ("EUR", "de_DE")


def test_dates_that_habit_alone_decides_are_a_check(tmp_path: Path) -> None:
    draft = drafted(tmp_path, {"paid.csv": b"no,paid\n1,03/04/2024\n2,01/02/2024\n3,11/05/2024\n"})
    (check,) = [check for check in draft.checks if check.where.endswith(".paid.paid")]
    assert "would fit as well" in check.why
    assert f"# check: {check.what}" in draft_text(draft)


def test_a_draft_loads_as_what_it_is_and_ingests(company: Draft, tmp_path: Path) -> None:
    path = tmp_path / "dataset.yaml"
    path.write_text(draft_text(company), encoding="utf-8")
    assert Manifest.model_validate(yaml.safe_load(path.read_text())) == company.manifest
    loaded = load_manifest(path)
    raw = tmp_path.parent / f"{tmp_path.name}-raw"
    report = ingest_dataset(loaded.manifest, loaded.base, raw, lambda step, done, total: None)
    assert report.reconciles
    assert {count.source: count.kept for count in report.sources} == {"crm": 39, "erp": 119, "mail": 12}


def test_the_same_folder_gives_the_same_bytes(company: Draft, tmp_path: Path) -> None:
    assert draft_text(draft_folder(tmp_path, "x")) == draft_text(company)


def test_nothing_in_the_folder_changes(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "erp.sqlite")) as database:
        database.execute("pragma journal_mode = wal")
        database.execute("create table orders (id integer primary key, amount text)")
        database.execute("insert into orders values (1, '2.50')")
        database.commit()
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    draft = draft_folder(tmp_path, "x")
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    assert after == before
    assert draft.manifest.sources[0].tables[0].key == ["id"]


def zipped(name: str, content: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(name, content)
    return held.getvalue()


@pytest.mark.parametrize(
    ("files", "sources", "unplaced"),
    [
        ({}, 0, 0),
        ({"a.csv": ACCOUNTS.encode()}, 1, 0),
        ({"a.csv": b"id\n"}, 1, 0),
        ({"a.csv": b"id,name\n"}, 1, 0),
        ({"a.csv": b'id,name\n1,"never closed\n' * 3}, 1, 0),
        ({"a.zip": zipped("b.zip", zipped("c.csv", b"x"))}, 0, 1),
        ({"a.bin": bytes(range(256)) * 100}, 0, 1),
        ({"a.csv.gz": gzip.compress(gzip.compress(ACCOUNTS.encode()), mtime=0)}, 0, 1),
        ({"a.txt": ACCOUNTS.encode(), "b": mbox("a@x.de", {0: "+0100"})}, 2, 0),
        ({"a.mbox": ACCOUNTS.encode()}, 1, 0),
        ({"a.sqlite": b"SQLite format 3\x00" + bytes(500)}, 0, 1),
        ({"a.jsonl": b'{"id": 1, "n": {"m": 2}}\n{"id": 2}\n'}, 1, 0),
        ({os.fsdecode(b"caf\xe9.csv"): ACCOUNTS.encode()}, 1, 0),
        ({"a.csv": b"id,,id,source\n1,2,3,4\n2,3,4,5\n3,4,5,6\n"}, 1, 0),
        ({"a.csv": b"=cmd|' /C calc'!A0,x\n1,2\n2,3\n"}, 1, 0),
        ({"a.csv": ("x" * 5_000 + ",b\n1,2\n2,3\n").encode()}, 1, 0),
        ({"a.csv": b'"new\nline","{b: #c}"\n1,2\n2,3\n'}, 1, 0),
    ],
)
def test_odd_folders_are_drafted_or_told(
    tmp_path: Path, files: dict[str, bytes], sources: int, unplaced: int
) -> None:
    draft = drafted(tmp_path, files)
    assert (len(draft.sources), len(draft.unplaced)) == (sources, unplaced)
    assert Manifest.model_validate(yaml.safe_load(draft_text(draft))) == draft.manifest


def test_five_thousand_small_files_are_one_source(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"{number}.eml").write_bytes(mail("Ann <ann@acme.com>", "1 Jul 2024 09:00:00 -0400"))
    (source,) = draft_folder(tmp_path, "x").sources
    assert (source.format, source.path, source.files) == ("eml", ".", 5_000)


def test_two_companies_in_one_folder_are_asked_about(tmp_path: Path) -> None:
    files = {
        "one/a.mbox": mbox("ann@acme.com", {0: "-0500", 1: "-0400"}, 6),
        "two/b.mbox": mbox("bea@other.de", {0: "+0100", 1: "+0200"}, 5),
    }
    checks = {check.where: check.why for check in drafted(tmp_path, files).checks}
    assert "two companies" in checks["company.domains"]


def evidence_of(*mails: bytes) -> Evidence:
    evidence = Evidence()
    evidence.add_mails(RawMessage("a", "", "", data, "", len(data)) for data in mails)
    return evidence


@pytest.mark.parametrize(
    ("winter", "summer", "zone"),
    [
        ("-0500", "-0400", "America/New_York"),
        ("-0600", "-0500", "America/Chicago"),
        ("-0700", "-0700", "America/Phoenix"),
        ("+0000", "+0100", "Europe/London"),
        ("+0000", "+0000", "UTC"),
        ("+0100", "+0200", "Europe/Berlin"),
        ("+0530", "+0530", "Asia/Kolkata"),
        ("+1100", "+1000", "Australia/Sydney"),
        ("+1000", "+1000", "Australia/Brisbane"),
    ],
)
def test_a_zone_is_known_by_how_its_offsets_change_over_the_year(winter: str, summer: str, zone: str) -> None:
    months = {"Jan": winter, "Jul": summer, "Dec": winter, "Jun": summer}
    mails = [
        mail("a@acme.com", f"{day} {m} 2024 09:00:00 {o}") for m, o in months.items() for day in (3, 9, 14)
    ]
    assert conclude(evidence_of(*mails))[0].zones == [zone]


def test_offsets_that_an_export_rewrote_yield_to_area_codes() -> None:
    own = [
        mail("a@acme.com", f"{day} {month} 2001 09:00:00 {offset}", f"Ann\n713-853-{day:04}")
        for month, offset in (("Jan", "-0800"), ("Jul", "-0700"))
        for day in range(1, 9)
    ]
    others = [mail(f"b@firm{day}.de", f"{day} Jul 2001 09:00:00 -0700") for day in range(1, 8)]
    told, checks = conclude(evidence_of(*own, *others))
    assert told.zones == ["America/Chicago"]
    assert any(check.where == "company.zones" and "rewritten" in check.why for check in checks)


def test_providers_of_free_mail_are_no_company() -> None:
    mails = [mail("a@gmail.com", f"{day} Jul 2024 09:00:00 +0200") for day in range(1, 9)]
    mails += [mail("b@mail.acme.co.uk", f"{day} Jul 2024 09:00:00 +0100") for day in range(1, 4)]
    assert conclude(evidence_of(*mails))[0].domains == ["acme.co.uk"]


def test_without_evidence_every_fact_is_a_check() -> None:
    told, checks = conclude(Evidence())
    assert (told.names, told.domains, told.zones, told.currency) == ([], [], ["UTC"], "USD")
    assert {check.where for check in checks} == {"company.names", "company.zones", "company.currency"}


TEXTS = st.text(min_size=1, max_size=40)


@given(TEXTS, TEXTS, TEXTS)
@example("0", "\xa0", "\u3000x\x1f")
def test_any_text_of_an_archive_survives_the_way_into_yaml(table: str, column: str, missing: str) -> None:
    spec = ColumnSpec(kind=ColumnKind.DATE, date_format=f"%d{column}", missing=[missing])
    manifest = Manifest(
        name="x",
        company=Company(names=[table], domains=[], zones=["UTC"], currency="USD"),
        sources=[
            Source(
                name="x",
                kind=SourceKind.ERP,
                format="csv",
                path=table,
                tables=[TableSpec(name=table, key=[column], columns={column: spec})],
            )
        ],
    )
    text = draft_text(Draft(manifest, (), (), (), (), {f"x.{table}.{column}": missing}))
    assert Manifest.model_validate(yaml.safe_load(text)) == manifest


@given(TEXTS)
def test_a_name_of_a_source_is_plain(text: str) -> None:
    assert slug(text) == "" or Source(name=slug(text), kind=SourceKind.ERP, format="csv", path="x")


def test_files_of_one_folder_and_reason_are_told_together() -> None:
    entries = (*(Unplaced(f"a/{n}.txt", "no form") for n in range(1_200)), Unplaced("b.txt", "empty"))
    assert in_brief(entries) == ["1,200 files in a: no form", "b.txt: empty"]
