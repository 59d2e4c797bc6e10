"""What a mail carries and could not be read is kept with its fault; a linked folder is told: Invariant I1."""

from __future__ import annotations

import gzip
import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

import polars as pl
import pytest

from archive.ingest import ingest_dataset
from archive.reasons import ATTACHMENT_FAULTS
from archive.store import TableStore
from contracts.manifest import Company, Manifest, Source

OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
MAIL = b"From: a@x.com\nTo: b@x.com\nSubject: %d\n\nwords\n"


def zipped(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def unsafe_workbook() -> bytes:
    entity = b'<!DOCTYPE x [<!ENTITY e "e">]><document>&e;</document>'
    return zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": entity})


BOMB = gzip.compress(bytes(9_000_000), mtime=0)
FILES: dict[str, tuple[bytes, str]] = {
    "notes.txt": (b"plain words", ""),
    "photo.png": (b"\x89PNG" + bytes(50), ""),
    "old.doc": (OLD_OFFICE, "unsupported"),
    "data.gz": (BOMB, "bomb"),
    "letter.docx": (unsafe_workbook(), "unsafe_xml"),
    "torn.pdf": (b"no pdf", "unreadable"),
    "inner.zip": (zipped({"a.txt": b"words", "old.doc": OLD_OFFICE}), "unsupported"),
    "deep.zip": (zipped({"b.zip": zipped({"data.gz": BOMB})}), "bomb"),
    "out.zip": (zipped({"../a.txt": b"words"}), "unsafe_path"),
    "long.txt": (b"x" * 1_200_000, "cut"),
}


def ingested(base: Path, source: Source) -> TableStore:
    company = Company(names=["X"], domains=["x.com"], zones=["UTC"], currency="EUR")
    manifest = Manifest(name="tiny", company=company, sources=[source])
    report = ingest_dataset(manifest, base, base.parent / "raw", lambda step, done, total: None)
    assert report.reconciles
    return TableStore(base.parent / "raw")


def test_every_attachment_is_kept_and_an_unread_one_says_why(tmp_path: Path) -> None:
    base = tmp_path / "in"
    base.mkdir()
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "a@x.com", "b@x.com", "files"
    outer.set_content("see the files")
    for name, (data, _) in FILES.items():
        outer.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    enclosed = EmailMessage()
    enclosed["From"], enclosed["Subject"] = "c@x.com", "forwarded"
    enclosed.set_content("look")
    enclosed.add_attachment(OLD_OFFICE, maintype="application", subtype="msword", filename="enclosed.doc")
    outer.add_attachment(enclosed, filename="forwarded.eml")
    (base / "a.eml").write_bytes(outer.as_bytes())
    source = Source.model_validate({"name": "mail", "kind": "mail", "format": "eml", "path": "."})
    rows = ingested(base, source).read("attachments")
    assert rows["fault"].dtype == pl.String and rows["fault"].null_count() == 0
    assert set(rows["fault"]) <= {"", *ATTACHMENT_FAULTS}
    found = dict(zip(rows["filename"], rows["fault"], strict=True))
    expected = {name: fault for name, (_, fault) in FILES.items()}
    assert found == {**expected, "forwarded.eml": "", "enclosed.doc": "unsupported"}
    sizes = dict(zip(rows["filename"], rows["size_bytes"], strict=True))
    assert {name: sizes[name] for name in FILES} == {name: len(data) for name, (data, _) in FILES.items()}


@pytest.mark.parametrize(
    ("kind", "format_", "path"),
    [
        ("mail", "eml", "."),
        ("mail", "mbox", "."),
        ("mail", "eml", "mails"),
        ("mail", "eml", "mails/**/*.eml"),
        ("mail", "eml", "**/*.eml"),
        ("mail", "eml", "mails/*"),
    ],
)
def test_a_linked_folder_is_told_and_never_followed(
    kind: str, format_: str, path: str, tmp_path: Path
) -> None:
    base, outside = tmp_path / "in", tmp_path / "outside"
    (base / "mails" / "below").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.eml").write_bytes(MAIL % 1)
    (base / "mails" / "own.eml").write_bytes(b"From a@x.com Mon Jan  1 00:00:00 2024\n" + MAIL % 2)
    (base / "mails" / "away").symlink_to(outside, target_is_directory=True)
    (base / "mails" / "below" / "loop").symlink_to(base, target_is_directory=True)
    (base / "mails" / "inner").symlink_to(base / "mails" / "below", target_is_directory=True)
    source = Source.model_validate({"name": "mail", "kind": kind, "format": format_, "path": path})
    store = ingested(base, source)
    told = store.read("quarantine").select("path", "reason").rows()
    links = ["mails/away", "mails/inner"] + ([] if path == "mails/*" else ["mails/below/loop"])
    assert sorted(told) == sorted((link, "not_a_plain_file") for link in links)
    (count,) = store.read("source_counts").iter_rows(named=True)
    assert (count["read"], count["kept"], count["quarantined"]) == (1 + len(links), 1, len(links))


@pytest.mark.parametrize(
    ("kind", "format_", "name", "data"),
    [
        ("crm", "csv", "t.csv", b"a,b\n1,2\n"),
        ("crm", "jsonl", "t.jsonl", b'{"a":"1"}\n'),
        ("tickets", "jira-csv", "t.csv", b"Issue key,Summary\nA-1,words\n"),
    ],
)
def test_linked_folders_are_told_beside_tables_and_tickets(
    kind: str, format_: str, name: str, data: bytes, tmp_path: Path
) -> None:
    base, outside = tmp_path / "in", tmp_path / "outside"
    base.mkdir()
    outside.mkdir()
    (outside / name).write_bytes(data)
    (base / name).write_bytes(data)
    (base / "away").symlink_to(outside, target_is_directory=True)
    store = ingested(base, Source.model_validate({"name": "s", "kind": kind, "format": format_, "path": "."}))
    assert store.read("quarantine").select("path", "reason").rows() == [("away", "not_a_plain_file")]
    (count,) = store.read("source_counts").iter_rows(named=True)
    assert (count["read"], count["kept"], count["quarantined"]) == (2, 1, 1)
