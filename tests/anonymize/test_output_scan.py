"""One real form at a time in every kind of output, in every writing: the scan finds each and tells none."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import quopri
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from email.header import Header
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.forms import CompanyName, PersonName
from anonymize.output_files import pieces
from anonymize.output_forms import real_forms
from anonymize.output_scan import OutputScan, OutputScanner
from anonymize.registry import Company, Person, Registry

NAME = "Mirela Zandvoort"
FORMS = {
    "person": NAME,
    "person, family name first": "Zandvoort, Mirela",
    "address": "mirela.zandvoort@vessbury.com",
    "login": "mzandvoort",
    "company": "Vessbury Valves",
    "domain": "vessbury.com",
    "street": "12 Mühlengasse",
    "city": "Brackendale",
    "phone": "+49 731 4960142",
    "identifier": "C-4500012345",
    "foreign name": "Фёдор Зуков",
}


def registry() -> Registry:
    names = (PersonName("Mirela", "", "Zandvoort"), PersonName("Фёдор", "", "Зуков"))
    person = Person(names, ("mirela.zandvoort@vessbury.com",), ("mzandvoort",), (0,), (), ("a",))
    company = Company((CompanyName("Vessbury Valves", "GmbH"),), ("vessbury.com",), (), ("b",))
    return Registry(
        (person,),
        (company,),
        ("12 Mühlengasse",),
        ("Brackendale",),
        ("+497314960142", "+15085550147"),
        ("C-4500012345", "0004711000815"),
        frozenset(),
        frozenset(),
    )


@pytest.fixture(scope="module")
def scanner() -> OutputScanner:
    return OutputScanner(real_forms(registry()))


# Writings of one form: what an encoding, a layout or a careless hand makes of it.
def _base64_lines(text: str) -> str:
    return base64.encodebytes(f"Dear all, {text} asked for the third time today, thanks.".encode()).decode()


WRITINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: f"we met {text} today",
    "capitals": str.upper,
    "lower case": str.lower,
    "alone": lambda text: text,
    "percent-encoded": lambda text: f"https://x.example/?q={quote(text, safe='')}&n=1",
    "percent-encoded twice": lambda text: f"?q={quote(quote(text, safe=''), safe='')}",
    "every byte percent-encoded": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "base64": lambda text: f"token {base64.b64encode(text.encode()).decode()} end",
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(f"{text}?>".encode()).decode().rstrip("="),
    "base64 in lines": _base64_lines,
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(text.encode())).decode(),
    "data URL": lambda text: f'<img src="data:text/plain;base64,{base64.b64encode(text.encode()).decode()}">',
    "quoted-printable": lambda text: quopri.encodestring(f"Gruß an {text}".encode(), quotetabs=True).decode(),
    "quoted-printable, cut": lambda text: f"{text[:5]}=\n{text[5:]}",
    "every byte quoted-printable": lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    "encoded word, base64": lambda text: f"Subject: =?utf-8?B?{base64.b64encode(text.encode()).decode()}?=",
    "encoded words, long": lambda text: f"Subject: {Header('An alle Kollegen: ' + text, 'utf-8').encode()}",
    "HTML entities": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "HTML tags": lambda text: f"<p><b>{text[:4]}</b><i>{text[4:]}</i></p>",
    "JSON escapes": lambda text: json.dumps({"a": [text]}),
    "all escaped": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "JSON in JSON": lambda text: json.dumps(json.dumps({"a": f"é {text}"})),
    "hexadecimal": lambda text: f"0x{text.encode().hex()}",
    "hexadecimal, spaced": lambda text: text.encode().hex(" "),
    "over two lines": lambda text: text.replace(" ", "\n> "),
    "doubled spaces": lambda text: text.replace(" ", "  "),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "soft hyphen": lambda text: f"{text[:6]}\u00ad{text[6:]}",
    "zero-width": lambda text: "\u200b".join(text),
    "decomposed": lambda text: __import__("unicodedata").normalize("NFD", text),
    "underscores": lambda text: f"Offer_{text.replace(' ', '_')}_2024.pdf",
    "in a path": lambda text: f"/srv/data/{text}/offer.txt",
    "folded line": lambda text: f"ATTENDEE;CN=x:{text[:5]}\r\n {text[5:]}",
    "between quotes": lambda text: f'"{text}"',
    "in brackets": lambda text: f"({text})",
}  # fmt: skip

GLUED = [
    ("MirelaZandvoort2024.pdf", "person"),
    ("CV_MirelaZandvoort.docx", "person"),
    ("mirelazandvoortfinal.txt", "person"),
    ("the Mirela Zandvoorts", "person"),
    ("mzandvoort's laptop", "login"),
    (r"DOMAIN\mzandvoort", "login"),
    ("U_mzandvoort7", "login"),
    ("VessburyValvesWeb", "company"),
    ("VESSBURY-VALVES", "company"),
    ("12 Muehlengasse", "street"),
    ("12 Muhlengasse", "street"),
    ("www.vessbury.com/start", "domain"),
    ("s3://vessbury.com-backup", "domain"),
    ("+49 (0)731 / 4960-142", "phone"),
    ("0731 4960142", "phone"),
    ("0049 731 4960142", "phone"),
    ("004907314960142", "phone"),
    ("731.496.0142", "phone"),
    ("tel:+497314960142;ext=12", "phone"),
    ("(508) 555-0147 ext. 4711", "phone"),
    ("1-508-555-0147", "phone"),
    ("15085550147", "phone"),
    ("C4500012345", "identifier"),
    ("c-4500 012 345", "identifier"),
    ("invC4500012345final.pdf", "identifier"),
    ("4711000815", "identifier"),
    ("0004711000815", "identifier"),
    ("4711-000-815", "identifier"),
    ("order 4711000815.", "identifier"),
]

INNOCENT = [
    "Mirela asked Zandra for one voucher",
    "brackend ale",
    "the number 34000.00 and 14711000815 and 47110008159",
    "0.4711000815",
    "4711000,815 EUR",
    "5085550147123",
    "+1 608 555-0147",
    "d4711000815e0f7a1b2c3d4e5f60718293a4b5c6d",
    "row l-fef39227b7314960142f",
    "zandvoort",
    "vessbury",
    "4711,000815",
]


def _mail(text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = "a@x.example", "b@y.example"
    mail["Subject"] = "offer"
    mail.set_content(text, cte="base64")
    return mail


def _attached(text: str) -> bytes:
    mail = _mail("see the file")
    mail.add_attachment(
        f"dear {text}".encode(), maintype="application", subtype="octet-stream", filename="a.bin"
    )
    return mail.as_bytes()


def _attached_name(text: str) -> bytes:
    mail = _mail("see the file")
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename=f"{text}.pdf")
    return mail.as_bytes()


def _forwarded(text: str) -> bytes:
    mail = _mail("see the mail")
    mail.add_attachment(_mail(f"Best regards, {text}"))
    return mail.as_bytes()


def _subject(text: str) -> bytes:
    mail = _mail("see above")
    del mail["Subject"]
    mail["Subject"] = f"Anfrage über {text} und noch viel mehr, damit die Zeile lang genug zum Falten wird"
    return mail.as_bytes()


def _zipped(files: dict[str, bytes], comment: bytes = b"") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
        packed.comment = comment
    return held.getvalue()


def _tarred(name: str, data: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as packed:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        packed.addfile(info, io.BytesIO(data))
    return held.getvalue()


def _database(script: Callable[[sqlite3.Connection], object]) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE event (id INTEGER, what TEXT)")
        database.execute("INSERT INTO event VALUES (1, 'seen')")
        script(database)
        database.commit()
        return database.serialize()


def _deleted(text: str) -> bytes:
    """A row that was deleted but still lies in a free page."""

    def script(database: sqlite3.Connection) -> None:
        database.execute("PRAGMA secure_delete = OFF")
        for number in range(200):
            database.execute("INSERT INTO event VALUES (?, ?)", (number, f"{text} {number}"))
        database.execute("DELETE FROM event WHERE id > 1")

    return _database(script)


def _parquet(frame: pl.DataFrame) -> bytes:
    held = io.BytesIO()
    frame.write_parquet(held, compression="zstd")
    return held.getvalue()


def _described(text: str) -> bytes:
    held = io.BytesIO()
    table = pa.table({"a": ["x"]}).replace_schema_metadata({"author": text})
    pq.write_table(table, held)
    return held.getvalue()


def _word(text: str) -> bytes:
    runs = "".join(f"<w:r><w:t>{part}</w:t></w:r>" for part in (text[:4], text[4:]))
    return _zipped({"word/document.xml": f"<w:document><w:p>{runs}</w:p></w:document>".encode()})


def _pdf(text: str) -> bytes:
    drawn = zlib.compress(f"BT /F1 12 Tf ({text}) Tj ET".encode("latin-1", "replace"))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n" % len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + tail + b"%%EOF\n"


OUTPUTS: dict[str, Callable[[str], bytes]] = {
    "text": lambda text: f"a line\nand {text}\n".encode(),
    "text in UTF-16": lambda text: f"and {text} too".encode("utf-16"),
    "text in UTF-16 without mark": lambda text: f"and {text} too".encode("utf-16-be"),
    "text in Latin-1": lambda text: f"Grüße an {text}".encode("latin-1", "replace"),
    "CSV": lambda text: f'id;name\n1;"{text}"\n'.encode(),
    "JSON value": lambda text: json.dumps({"a": {"b": [1, text]}}).encode(),
    "JSON key": lambda text: json.dumps({"a": {text: 1}}).encode(),
    "JSON lines": lambda text: f'{{"a": 1}}\n{json.dumps({"b": text})}\n'.encode(),
    "HTML": lambda text: f"<html><body><td>{text}</td></body></html>".encode(),
    "HTML attribute": lambda text: f'<a title="{text}" href="#">x</a>'.encode(),
    "YAML": lambda text: f"name: {text}\n".encode(),
    "SVG": lambda text: f"<svg><text>{text}</text></svg>".encode(),
    "Parquet cell": lambda text: _parquet(pl.DataFrame({"a": ["x", f"by {text}"]})),
    "Parquet list": lambda text: _parquet(pl.DataFrame({"a": [["x"], ["y", text]]})),
    "Parquet struct": lambda text: _parquet(pl.DataFrame({"a": [{"b": text}]})),
    "Parquet bytes": lambda text: _parquet(pl.DataFrame({"a": [gzip.compress(text.encode())]})),
    "Parquet column name": lambda text: _parquet(pl.DataFrame({text: [1]})),
    "Parquet metadata": _described,
    "SQLite cell": lambda text: _database(lambda db: db.execute("INSERT INTO event VALUES (2, ?)", (text,))),
    "SQLite blob": lambda text: _database(
        lambda db: db.execute("INSERT INTO event VALUES (2, ?)", (b"\x01\x02\xfe" + text.encode(),))
    ),
    "SQLite table name": lambda text: _database(lambda db: db.execute(f'CREATE TABLE "{text}" (a)')),
    "SQLite column name": lambda text: _database(lambda db: db.execute(f'CREATE TABLE t ("{text}" TEXT)')),
    "SQLite free page": _deleted,
    "mail body": lambda text: _mail(f"Dear {text}").as_bytes(),
    "mail subject": _subject,
    "mail attachment": _attached,
    "mail attachment's name": _attached_name,
    "mail in a mail": _forwarded,
    "mbox": lambda text: b"From x Thu Jan  4 10:00:00 2024\n" + _mail("one").as_bytes()
    + b"\n\nFrom y Thu Jan  4 10:00:00 2024\n" + _mail(f"two {text}").as_bytes(),
    "calendar": lambda text: f"BEGIN:VCALENDAR\r\nATTENDEE;CN=\"{text[:6]}\r\n {text[6:]}\":x\r\n".encode(),
    "zip member": lambda text: _zipped({"a.txt": text.encode()}),
    "zip member's name": lambda text: _zipped({f"{text}.txt": b"x"}),
    "zip comment": lambda text: _zipped({"a": b"x"}, text.encode()),
    "zip in zip": lambda text: _zipped({"a.zip": _zipped({"b.zip": _zipped({"c.txt": text.encode()})})}),
    "Word document": _word,
    "spreadsheet": lambda text: _zipped({"xl/sharedStrings.xml": f"<si><t>{text}</t></si>".encode()}),
    "zip in a mail": lambda text: _mail_with(_zipped({"a.csv": f"1;{text}".encode()})),
    "tar": lambda text: _tarred("a.txt", text.encode()),
    "tar name": lambda text: _tarred(f"{text}.txt", b"x"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "PDF": _pdf,
}  # fmt: skip


def _mail_with(data: bytes) -> bytes:
    mail = _mail("see the archive")
    mail.add_attachment(data, maintype="application", subtype="zip", filename="a.zip")
    return mail.as_bytes()


def scan_bytes(scanner: OutputScanner, tmp_path: Path, data: bytes, name: str = "out.bin") -> OutputScan:
    (tmp_path / name).write_bytes(data)
    return scanner.scan_folders([tmp_path])


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found_in_every_writing(scanner: OutputScanner, form: str, writing: str) -> None:
    text = WRITINGS[writing](FORMS[form])
    scan = scanner.scan_text(text, "page")
    assert form.partition(",")[0].replace("foreign name", "person") in scan.kinds, text


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("form", ["person", "phone", "identifier", "street"])
def test_every_form_is_found_in_every_output(
    scanner: OutputScanner, tmp_path: Path, output: str, form: str
) -> None:
    scan = scan_bytes(scanner, tmp_path, OUTPUTS[output](FORMS[form]))
    assert form in scan.kinds
    assert not scan.unread


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_without_a_form_has_no_find(scanner: OutputScanner, tmp_path: Path, output: str) -> None:
    scan = scan_bytes(scanner, tmp_path, OUTPUTS[output]("Somebody Else"))
    assert (scan.leaks, scan.coincidences, scan.unread) == (0, 0, [])


@pytest.mark.parametrize(("text", "kind"), GLUED)
def test_a_form_is_found_glued_or_laid_out_otherwise(scanner: OutputScanner, text: str, kind: str) -> None:
    assert kind in scanner.scan_text(f"x {text}", "page").kinds


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_form_is_not_found(scanner: OutputScanner, text: str) -> None:
    assert scanner.scan_text(f"x {text} y", "page").leaks == 0


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("form", FORMS)
def test_no_report_repeats_what_it_found(
    scanner: OutputScanner, tmp_path: Path, output: str, form: str
) -> None:
    if form == "foreign name" and output in ("PDF", "text in Latin-1"):
        pytest.skip("the writing has no such letters")
    scan = scan_bytes(scanner, tmp_path, OUTPUTS[output](FORMS[form]), f"{FORMS[form].replace('/', '')}.bin")
    assert scan.leaks > 1  # the file's name leaks as well
    told = json.dumps(scan.to_json(), ensure_ascii=False)
    assert scanner.scan_text(told, "report").leaks == 0


def test_names_of_folders_are_searched(scanner: OutputScanner, tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "a.txt").write_text("x")
    scan = scanner.scan_folders([tmp_path])
    assert scan.leaks == 1
    assert NAME not in json.dumps(scan.to_json())


def test_a_surrogate_that_equals_a_real_form_is_a_coincidence(tmp_path: Path) -> None:
    scanner = OutputScanner(real_forms(registry(), ["C-4500012345", "Brackendale"]))
    scan = scan_bytes(scanner, tmp_path, b"order C-4500012345 from Brackendale, call 0731 4960142")
    assert (scan.leaks, scan.coincidences) == (1, 2)
    assert dict(scan.kinds) == {"phone": 1}


def test_what_cannot_be_opened_whole_does_not_pass(scanner: OutputScanner, tmp_path: Path) -> None:
    packed = b"a line"
    for _ in range(8):
        packed = gzip.compress(packed)
    scan = scan_bytes(scanner, tmp_path, packed)
    assert scan.unread and not scan.leaks and not scan.passed


@pytest.mark.parametrize(
    "head", [b"PAR1", b"SQLite format 3\x00", b"PK\x03\x04", b"%PDF-", b"\x1f\x8b", b"BZh"]
)
def test_a_broken_file_is_told_and_searched_by_its_bytes(
    scanner: OutputScanner, tmp_path: Path, head: bytes
) -> None:
    scan = scan_bytes(scanner, tmp_path, head + b"\x01\x02" + NAME.encode() + b"\xff")
    assert scan.leaks and scan.unread


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    for found in pieces(data):
        assert found.place is not None


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(sorted(FORMS)))
@settings(max_examples=150, deadline=None)
def test_a_form_between_spaces_is_found_beside_any_text(before: str, behind: str, form: str) -> None:
    scanner = OutputScanner(real_forms(registry()))
    scan = scanner.scan_text(f"{before}\n\t we saw {FORMS[form]} there \n{behind}", "page")
    assert scan.leaks
