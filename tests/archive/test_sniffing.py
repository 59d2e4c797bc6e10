"""What one file is: content first, name second, and nothing is ever run, followed or left out unsaid."""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.sniffing import FileGuess, Verdict, sniff_file, sniff_folder
from archive.sniffing_text import text_form

MAIL = (
    b"From: Ann <ann@x.example>\r\nTo: b@x.example\r\nSubject: Hi\r\n"
    b"Date: Mon, 1 Jul 2024 09:00:00 +0200\r\n\r\nHi\r\n"
)
MBOX = b"From ann@x.example Mon Jul  1 09:00:00 2024\n" + MAIL.replace(b"\r\n", b"\n") + b"\n"
MT940 = b":20:X\r\n:25:123\r\n:28C:1/1\r\n:60F:C240101EUR10,00\r\n:62F:C240101EUR10,00\r\n"
CSV = b"id,name,amount\n1,Ann,3.50\n2,Bea,4.50\n3,Cid,1.00\n"
XES = b'<?xml version="1.0"?>\n<!-- a log -->\n<log xes.version="1.0"><trace></trace></log>'
SAFT = b'<?xml version="1.0"?><n1:AuditFile xmlns:n1="urn:x"><Header/></n1:AuditFile>'
UBL = b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"></Invoice>'
CII = b'<rsm:CrossIndustryInvoice xmlns:rsm="urn:x"></rsm:CrossIndustryInvoice>'
DATEV = '"EXTF";700;21;"Buchungsstapel";9\r\nUmsatz;Konto\r\n"1,00";1200\r\n'.encode("cp1252")
JIRA = b"Summary,Issue key,Issue id,Status,Comment,Comment\nA,X-1,1,Open,a,b\n"
ISSUE = json.dumps({"key": "X-1", "fields": {"summary": "a"}, "changelog": {}}).encode()
LABELS = json.dumps([{"full_text": "Ann", "spans": [], "masked": "{{NAME}}"}]).encode()


def guess(folder: Path, name: str, content: bytes) -> FileGuess:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return sniff_file(file, folder)


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return held.getvalue()


def workbook() -> bytes:
    held = io.BytesIO()
    openpyxl.Workbook().save(held)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("box.mbox", MBOX, "mbox"),
        ("box", MBOX, "mbox"),
        ("box.txt.gz", gzip.compress(MBOX, mtime=0), "mbox"),
        ("one.eml", MAIL, "eml"),
        ("1234.", MAIL, "eml"),
        ("mime.msg", MAIL, "eml"),
        ("list.csv", CSV, "csv"),
        ("list.txt", CSV, "csv"),
        ("list", CSV.replace(b",", b"|"), "csv"),
        ("list.csv", CSV.replace(b",", b"+|"), "csv"),
        ("list.dat", CSV.decode().encode("utf-16"), "csv"),
        ("mac.csv", CSV.replace(b"\n", b"\r"), "csv"),
        ("list.csv.gz", gzip.compress(CSV, mtime=0), "csv"),
        ("book.xls", workbook(), "xlsx"),
        ("book.csv", workbook(), "xlsx"),
        ("bank.sta", MT940, "mt940"),
        ("bank.txt", b"ABNANL2A\n940\nABNANL2A\n" + MT940, "mt940"),
        ("export.csv", DATEV, "datev"),
        ("log.xml", XES, "xes"),
        ("log.xes.gz", gzip.compress(XES, mtime=0), "xes"),
        ("audit.xml", SAFT, "saft"),
        ("bill.xml", UBL, "einvoice"),
        ("bill.xml", CII, "einvoice"),
        ("jira.csv", JIRA, "jira-csv"),
        ("issues.jsonl", ISSUE + b"\n" + ISSUE, "jira-json"),
        ("issues.json", b'{"total": 1, "issues": [' + ISSUE + b"]}", "jira-json"),
        ("issues.txt", ISSUE, "jira-json"),
        ("rows.jsonl", b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("log.json", b'{"objectTypes": [], "eventTypes": [], "events": []}', "ocel"),
        ("takeout.zip", zipped(**{"Mail/all.mbox": MBOX}), "mbox"),
        ("mails.zip", zipped(**{"a/1.eml": MAIL, "a/2.eml": MAIL}), "mbox"),
        ("data.bin", b"PAR1" + bytes(40), "parquet"),
        ("box.pst", b"!BDN" + bytes(600), "pst"),
    ],
)
def test_content_tells_the_form_whatever_the_name_says(
    tmp_path: Path, name: str, content: bytes, format: str
) -> None:
    found = guess(tmp_path, name, content)
    assert (found.verdict, found.format) == (Verdict.DATA, format)
    assert found.why


@pytest.mark.parametrize(
    ("name", "content", "verdict", "reason"),
    [
        ("README.md", b"# Read me", Verdict.NOT_DATA, "notes"),
        ("LICENSE", b"MIT", Verdict.NOT_DATA, "notes"),
        ("SOURCE.txt", b"dataset: x\nkind: y\nsource: z\n", Verdict.NOT_DATA, "notes"),
        ("load.py", b"import os\n", Verdict.NOT_DATA, "code"),
        (".DS_Store", b"x", Verdict.NOT_DATA, "hidden"),
        (".git/config", b"x", Verdict.NOT_DATA, "hidden"),
        ("__pycache__/a.csv", CSV, Verdict.NOT_DATA, "cache"),
        ("dataset.yaml", b"name: x", Verdict.NOT_DATA, "manifest"),
        ("empty.csv", b"", Verdict.UNPLACED, "empty"),
        ("junk.bin", bytes(range(256)) * 40, Verdict.UNPLACED, "binary"),
        ("junk.csv", bytes(range(256)) * 40, Verdict.UNPLACED, "binary"),
        ("note.txt", b"Dear all,\nwe met, talked and left.\nBye\n", Verdict.UNPLACED, "no form"),
        ("pairs.txt", b"a.net,a.net\nb.net,c.net\nd.net,e.net\n", Verdict.UNPLACED, "no form"),
        ("plan.md", b"# Plan\n\na, b, c\n", Verdict.UNPLACED, "page"),
        ("scan.pdf", b"%PDF-1.7", Verdict.UNPLACED, "PDF"),
        ("all.zip", zipped(inner__list_csv=CSV), Verdict.UNPLACED, "unpack"),
        ("deep.zip", zipped(a_zip=zipped(b_zip=zipped(c=b"x"))), Verdict.UNPLACED, "unpack"),
        ("bad.zip", b"PK\x03\x04" + bytes(50), Verdict.UNPLACED, "damaged"),
        ("bad.csv.gz", b"\x1f\x8b\x08\x00junk", Verdict.UNPLACED, "damaged"),
        ("list.csv.gz.gz", gzip.compress(gzip.compress(CSV, mtime=0), mtime=0), Verdict.UNPLACED, "2 times"),
        ("a.gz", gzip.compress(gzip.compress(gzip.compress(CSV)), mtime=0), Verdict.UNPLACED, "more than 2"),
        (
            "text.docx",
            zipped(**{"word/document.xml": b"x"}),
            Verdict.UNPLACED,
            "Word",
        ),
        ("spans.json", LABELS, Verdict.UNPLACED, "label set"),
        ("words.conll", b"#begin document\nAnn\tB-PER\n", Verdict.UNPLACED, "label set"),
        ("schema.json", b'{"$schema": "x", "type": "object"}', Verdict.UNPLACED, "schema"),
        ("expected-outputs/a.text", MAIL, Verdict.UNPLACED, "expected"),
        ("deep.json", b"[" * 5_000, Verdict.UNPLACED, ""),
    ],
)
def test_what_is_no_data_or_has_no_reader_is_told_with_its_reason(
    tmp_path: Path, name: str, content: bytes, verdict: Verdict, reason: str
) -> None:
    found = guess(tmp_path, name, content)
    assert found.verdict is verdict
    assert reason in found.why


def test_an_expectation_beside_its_data_is_not_placed(tmp_path: Path) -> None:
    guess(tmp_path, "a.sta", MT940)
    assert guess(tmp_path, "a.yml", b"data: 1").verdict is Verdict.UNPLACED


def test_databases_are_told_apart_by_their_tables_and_left_untouched(tmp_path: Path) -> None:
    for name, tables in {"plain": ["orders"], "log": ["event", "object", "event_object"], "none": []}.items():
        with closing(sqlite3.connect(tmp_path / name)) as database:
            for table in tables:
                database.execute(f"create table {table} (id integer)")
            database.execute("pragma user_version = 1")
            database.commit()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found = {entry.path: entry.format for entry in sniff_folder(tmp_path)}
    assert found == {"plain": "sqlite", "log": "ocel", "none": ""}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.csv").write_bytes(CSV)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file.csv").symlink_to(outside / "secret.csv")
    (folder / "tree").symlink_to(outside, target_is_directory=True)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert {entry.verdict for entry in sniff_folder(folder)} == {Verdict.NOT_DATA}


def test_pipes_and_files_without_permission_are_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (found,) = sniff_folder(tmp_path)
    assert (found.verdict, found.why) == (Verdict.UNPLACED, "no ordinary file")


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)
    opened: Callable[..., object] = Path.open

    def refuse(self: Path, *arguments: object, **named: object) -> object:
        if self.name == "a.csv":
            raise PermissionError
        return opened(self, *arguments, **named)

    monkeypatch.setattr(Path, "open", refuse)
    (found,) = sniff_folder(tmp_path)
    assert (found.verdict, found.why) == (Verdict.UNPLACED, "cannot be read (PermissionError)")


def test_a_gzip_bomb_is_looked_at_within_bounds(tmp_path: Path) -> None:
    found = guess(tmp_path, "bomb.csv.gz", gzip.compress(bytes(50_000_000), mtime=0))
    assert found.verdict is Verdict.UNPLACED


def test_names_that_are_no_utf8_are_shown_and_sniffed(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.csv")
    (tmp_path / name).write_bytes(CSV)
    (found,) = sniff_folder(tmp_path)
    assert (found.format, found.path.encode("utf-8")) == ("csv", found.path.encode("utf-8"))


def test_most_of_many_like_files_are_taken_for_what_their_siblings_are(tmp_path: Path) -> None:
    for number in range(900):
        (tmp_path / f"{number:04}.eml").write_bytes(MAIL)
    (tmp_path / "0899.eml").write_bytes(b"")
    found = sniff_folder(tmp_path)
    assert len(found) == 900
    assert sum(entry.format == "eml" for entry in found) == 899


@given(st.binary(max_size=600), st.sampled_from(["a.csv", "a.json", "a.xml", "a.eml", "a"]), st.booleans())
@settings(max_examples=300)
def test_no_bytes_break_it(content: bytes, name: str, whole: bool) -> None:
    form = text_form(content, name, whole)
    assert form.why and 0 < form.confidence <= 1
