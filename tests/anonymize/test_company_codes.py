"""Letters of a company in ids: found from its name, replaced by the same others in every cell and text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.audit import audit_dataset, publish
from anonymize.company_codes import CompanyCodeRecognizer, company_codes
from anonymize.evidence import Evidence
from anonymize.findings import Context, LinkedSpan
from anonymize.forms import CompanyName
from anonymize.identifiers import COMMON_PREFIXES, IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset, registry_of
from anonymize.registry import Company as Registered
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.reveal import reveal_map
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.manifest import Company

KEY = DatasetKey(b"k" * 32, "codes")
CODES = frozenset({"tw", "nbt"})
IDS = IdentifierMap(b"k" * 32, years=-4, names=CODES)


def own(*names: str, domain: str = "x.com") -> Company:
    return Company(names=list(names), domains=[domain], zones=["UTC"], currency="USD")


def registry(*others: str) -> Registry:
    empty = build_registry(Evidence(), own("Zzyzx"))
    companies = tuple(Registered((CompanyName(name, ""),), (), (), ()) for name in others)
    return Registry(**{**{f: getattr(empty, f) for f in empty.__dataclass_fields__}, "companies": companies})


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Tarnwick Software", {"tw", "ts", "tar", "tarn", "trn"}),
        ("Brightwater", {"bw", "bwt", "bri"}),
        ("Norrbrook Tools GmbH", {"nb", "nt", "ntg"}),
        ("Müller Maschinenbau", {"mm", "mul"}),
        ("North Bay Tools", {"nbt", "nb"}),
    ],
)
def test_abbreviations_that_a_company_would_use_are_among_its_codes(name: str, codes: set[str]) -> None:
    assert codes <= company_codes(own(name), registry())


def test_of_other_companies_only_three_initials_tell() -> None:
    found = company_codes(own("Zzyzx"), registry("Great Lakes Valve Works", "Vertex Pumps"))
    assert {"glv", "glvw"} <= found and not {"gl", "vp", "ver"} & found


@pytest.mark.parametrize("name", ["Purchase Orchard", "International Networks Ventures", "Swift Orchard"])
def test_marks_that_ids_have_everywhere_tell_nobody(name: str) -> None:
    assert not {code.upper() for code in company_codes(own(name), registry())} & COMMON_PREFIXES


@pytest.mark.parametrize(
    "value", ["TW-4711", "TW4711", "TW-4711-02", "NBT_2024_00017", "TW-CORE", "MAT-TW-100"]
)
def test_the_prefix_is_gone_from_an_id_and_its_shape_stays(value: str) -> None:
    new = IDS.identifier(value)
    assert "TW" not in new and "NBT" not in new and len(new) == len(value)
    shape = ["9" if c.isdigit() else "A" if c.isalpha() else c for c in value]
    assert ["9" if c.isdigit() else "A" if c.isalpha() else c for c in new] == shape


@given(st.sampled_from(["TW", "NBT"]), st.lists(st.integers(0, 10**6), min_size=2, max_size=5, unique=True))
def test_ids_of_one_prefix_share_one_and_stay_apart(prefix: str, numbers: list[int]) -> None:
    new = [IDS.identifier(f"{prefix}-{number}") for number in numbers]
    assert {one.partition("-")[0] for one in new} == {IDS.prefix(prefix)}
    assert len(set(new)) == len(new)


def test_a_prefix_is_alike_in_every_letter_case() -> None:
    upper = IDS.prefix("TW")
    assert (IDS.prefix("tw"), IDS.prefix("Tw")) == (upper.lower(), upper.title())
    assert IDS.identifier("tw-4711") == IDS.identifier("TW-4711").lower()


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=3))
def test_no_surrogate_is_a_common_prefix_and_none_stands_for_two(letters: str) -> None:
    if letters not in COMMON_PREFIXES:
        assert IDS.prefix(letters) not in COMMON_PREFIXES


def test_prefixes_map_one_to_one() -> None:
    pairs = [a + b for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    names = [pair for pair in pairs if pair not in COMMON_PREFIXES]
    assert len({IDS.prefix(pair) for pair in names}) == len(names)


def test_another_key_gives_other_letters() -> None:
    others = {IdentifierMap(bytes([n]) * 32, 2, CODES).prefix("TW") for n in range(20)}
    assert len(others) > 10


@pytest.mark.parametrize("digits", ["4500", "4711", "10023"])
def test_the_same_number_under_two_prefixes_is_one_number_still(digits: str) -> None:
    """A number is quoted without its prefix too: all three must stay one, as they are in the raw archive."""
    bare = IDS.identifier(digits)
    assert IDS.identifier(f"SO-{digits}") == f"SO-{bare}"
    assert IDS.identifier(f"PO-{digits}") == f"PO-{bare}"
    assert IDS.identifier(f"TW-{digits}") == f"{IDS.prefix('TW')}-{bare}"


FOUND = CompanyCodeRecognizer(IDS, CODES, frozenset({"TW07", "TW-ONB"}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please send TW-4711 today.", ["TW-4711"]),
        ("TW4711, TW-4711-02 and tw-99", ["TW4711", "TW-4711-02", "tw-99"]),
        ("The modules TW-CORE and TW-ONB.", ["TW", "TW-ONB"]),
        ("plant TW01, and TW07", ["TW", "TW07"]),
        ("Two-way, TW, twice, tw-core and KTW-4711", []),
        ("mail tw-4711@x.com or http://x.com/tw-4711", []),
        ("ticket NBT-12 (NBT-13)", ["NBT-12", "NBT-13"]),
    ],
)
def test_ids_with_the_prefix_are_found_in_text(text: str, found: list[str]) -> None:
    spans = FOUND.find(text, Context())
    assert [text[one.start : one.end] for one in spans] == found
    for one, written in zip(spans, found, strict=True):
        expected = IDS.prefix(written) if written == "TW" else IDS.identifier(written)
        assert one.replacement == expected


def test_a_linked_number_behind_the_prefix_stays_a_replacement_of_its_own() -> None:
    text = "see TW-4711"
    (found,) = FOUND.find(text, Context(links=(LinkedSpan(7, 11, "identifier"),)))
    assert (text[found.start : found.end], found.replacement) == ("TW", IDS.prefix("TW"))
    (whole,) = FOUND.find(text, Context(links=(LinkedSpan(4, 11, "identifier"),)))
    assert whole.replacement == IDS.identifier("TW-4711")


def test_without_codes_nothing_is_found() -> None:
    assert CompanyCodeRecognizer(IDS, frozenset()).find("TW-4711", Context()) == []


MANIFEST = """
name: codes
company: {names: [Tarnwick Software], domains: [tarnwick.com], zones: [UTC], currency: USD}
sources:
  - name: erp
    kind: erp
    format: csv
    path: erp
    tables:
      - name: items
        key: [id]
        columns:
          id: {kind: id}
          material: {kind: id}
          plant: {kind: code}
          part: {kind: code}
          note: {kind: text}
  - {name: mail, kind: mail, format: mbox, path: mail}
"""
ITEMS = [
    ("TW-4711", "TW-CORE", "TW01", "TW-KIT", "as TW-4712"),
    ("TW-4712", "TW-ONB", "TW02", "TW-KIT", "with TW-CORE and TW-9"),
    ("TW-9", "TW-CORE", "TW01", "TW-BOX", "from plant TW01"),
]


def test_cells_and_text_agree_and_no_initials_are_left(tmp_path: Path) -> None:
    for path, text in (
        ("dataset.yaml", MANIFEST),
        ("erp/items.csv", "\n".join(["id,material,plant,part,note", *(",".join(row) for row in ITEMS), ""])),
        (
            "mail/all.mbox",
            "From a@tarnwick.com Mon May  6 09:00:00 2024\nFrom: a@tarnwick.com\nTo: b@tarnwick.com\n"
            "Subject: TW-4711 and tw-4712\nMessage-ID: <1@tarnwick.com>\n"
            "Date: Mon, 06 May 2024 09:00:00 +0000\n\nTW-CORE is in TW01, see TW-9, TW-KIT.\n\n",
        ),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    loaded, home = load_manifest(tmp_path), DatasetHome(tmp_path / "home", "codes")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    assert audit_dataset(home, loaded, KEY).passed
    publish(home)
    clean = TableStore(home.clean)
    items = {
        row["material"] + row["note"]: row for row in clean.read("records-erp-items").iter_rows(named=True)
    }
    (mail,) = clean.read("messages").iter_rows(named=True)
    everything = str(items) + str(mail)
    assert "TW" not in everything.replace("TWO", "") and "tw-" not in everything
    codes = company_codes(loaded.manifest.company, registry_of(Vault(home.vault, KEY)))
    prefix = next(iter(items.values()))["plant"][:2]
    ids = {row["id"] for row in items.values()}
    materials = {row["material"] for row in items.values()}
    assert "tw" in codes and {one.partition("-")[0] for one in ids | materials} == {prefix}
    assert len(ids) == 3 and len(materials) == 2
    first, second = mail["subject"].split(" and ")
    assert {first, second.upper()} <= ids
    words = mail["body_own"].replace(",", " ").replace(".", " ").split()
    assert words[0] in materials and words[3] == f"{prefix}01" and words[5] in ids
    assert words[6] == f"{prefix}-KIT" and {row["part"] for row in items.values()} == {
        words[6],
        f"{prefix}-BOX",
    }
    revealed = {row.real: row.surrogate for row in reveal_map(home, KEY) if row.kind == "identifier"}
    assert revealed["TW-4711"] == first
