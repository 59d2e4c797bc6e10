"""One real form at a time in every kind of output, in every writing: the scan finds each and tells none."""

from __future__ import annotations

import base64
import gzip
import json
import quopri
from collections.abc import Callable
from email.header import Header
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.forms import CompanyName, PersonName
from anonymize.output_files import pieces
from anonymize.output_forms import searched_forms
from anonymize.output_scan import LetPass, OutputScan, OutputScanner
from anonymize.registry import Company, Person, Registry
from tests.anonymize.written_outputs import OUTPUTS

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
    return OutputScanner(searched_forms(registry()))


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
    ("Vessbury\tValves", "company"),
    ("Vess-\nbury Valves", "company"),
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
    "by V731.496.0142 of it",
    "DMirela Zandvoortx",
    "vess-bury valves",
    "the Vessbury. Valves are open",
    "vessbury, com",
]


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


def test_what_clean_cells_hold_rightly_passes_elsewhere_and_is_counted(tmp_path: Path) -> None:
    let_pass = LetPass(met=frozenset({"c4500012345"}), kept=frozenset({"brackendale"}))
    scanner = OutputScanner(searched_forms(registry()), let_pass)
    scan = scan_bytes(scanner, tmp_path, b"order C-4500012345 from Brackendale, call 0731 4960142")
    assert (scan.leaks, scan.coincidences, scan.kept.total()) == (1, 1, 1)
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
    scanner = OutputScanner(searched_forms(registry()))
    scan = scanner.scan_text(f"{before}\n\t we saw {FORMS[form]} there \n{behind}", "page")
    assert scan.leaks
