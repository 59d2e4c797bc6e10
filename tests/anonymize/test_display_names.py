"""Typed name and address cells fail closed: whatever stands in them, nothing real comes out."""

from __future__ import annotations

import re
import unicodedata

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anonymize.assignments import Assignments
from anonymize.cells import Cells
from anonymize.display_names import Named, is_explained, read_name
from anonymize.evidence import Evidence, collect_table
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.people_cells import is_nobody
from anonymize.resolution import build_registry
from contracts.manifest import ColumnSpec, Company, Manifest
from contracts.tables import ColumnKind

KEY = DatasetKey(b"k" * 32, "test")
MANIFEST = Manifest(
    name="test",
    company=Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD"),
    sources=[],
)
COLUMNS = {"who": ColumnSpec(kind=ColumnKind.PERSON), "mail": ColumnSpec(kind=ColumnKind.EMAIL)}
BOX = {"box": ColumnSpec(kind=ColumnKind.MAILBOX)}


def cells(rows: list[dict[str, str]], boxes: tuple[str, ...] = ()) -> Cells:
    evidence = Evidence()
    if rows:
        collect_table(evidence, "records-x-y", pl.DataFrame(rows), COLUMNS, [], "x.y")
    if boxes:
        collect_table(evidence, "records-x-z", pl.DataFrame({"box": list(boxes)}), BOX, [], "x.z")
    return Cells(Kit(Plan(KEY, MANIFEST, build_registry(evidence, MANIFEST.company), Assignments())))


@pytest.mark.parametrize(
    ("written", "address", "core", "named"),
    [
        ("Gundula Dressel 2", "", "Gundula Dressel", Named.PERSON),
        ("Gundula Dressel/XYZ", "", "Gundula Dressel", Named.PERSON),
        ("Gundula Dressel via Support Desk", "", "Gundula Dressel", Named.PERSON),
        ("Gundula Dressel - Finance and all of the Rest of the Group", "", "Gundula Dressel", Named.PERSON),
        ("Gundula Dressel; Finance", "", "Gundula Dressel", Named.PERSON),
        ("Dressel, Gundula (EXTERN)", "", "Dressel, Gundula", Named.PERSON),
        ("Support - Gundula Dressel", "", "Gundula Dressel", Named.PERSON),
        ("Dressel 2, Gundula", "", "Dressel 2, Gundula", Named.PERSON),
        ("Mark Will", "", "Mark Will", Named.PERSON),
        ("Accounts Payable Dressel", "q1@abx.example", "Dressel", Named.PERSON),
        ("Accounts Payable Dressel", "ap@abx.example", "Dressel", Named.COMPANY),
        ("Closing The Books", "digest@preltova.example", "Closing The Books", Named.COMPANY),
        ("Vertex Valves GmbH", "info@vertexvalves.com", "Vertex Valves GmbH", Named.COMPANY),
        ("Accounts Payable", "ap@abx.example", "", Named.NOBODY),
        ("info", "", "", Named.NOBODY),
        ("Фёдор Зуков", "", "Фёдор Зуков", Named.PERSON),
    ],
)
def test_a_typed_cell_names_somebody_unless_it_is_all_roles(
    written: str, address: str, core: str, named: Named
) -> None:
    typed = read_name(written, address)
    assert (typed.core, typed.named) == (core, named)
    assert typed.before + typed.core + typed.after == written


@pytest.mark.parametrize(
    "name",
    [
        "Gundula Dressel 2",
        "Gundula Dressel/XYZ",
        "Gundula Dressel via Jira",
        "Gundula M. C. van Dressel Junior Third Extra",
        "Gundula Dressel - Purchasing Department of the whole big Preltova group",
        "Team Dressel",
        "1&1 Dressel",
        "gundula.dressel",
        'Gundula "Gundi" Dressel',
        "Gundula@Dressel",
        "Фёдор Дрессель",
        "Γιώργος Παπαδόπουλος",
        "محمد العربي",
        "王小明",
        "김철수",
        "🎉🎉",
    ],
)
@pytest.mark.parametrize("address", ["g1@preltova.com", "info@preltova.com"])
def test_nothing_of_a_display_name_stays(name: str, address: str) -> None:
    box = f"{name} <{address}>"
    for boxes in ((box,), ()):  # registered, and never met before
        clean = cells([], boxes).mailbox(box) or ""
        for word in re.findall(r"[^\W_]{3,}", name):
            assert is_explained(word) or word.casefold() not in clean.casefold()
        assert "🎉" not in clean and "preltova" not in clean


def test_a_newsletter_has_one_name_everywhere() -> None:
    box = "Closing The Books <digest@preltova.com>"
    built = cells([], (box,))
    name = (built.mailbox(box) or "").partition(" <")[0]
    assert (
        name and "Books" not in name and built.display_name("Closing The Books", "news@preltova.com") == name
    )


@pytest.mark.parametrize(
    "address",
    [
        "jürgen.zwiebel@müller-soehne.de",
        "gurke/emil@abx-ag.com",
        "tomate&anna@abx-ag.com",
        "kohl!rabi@abx-ag.com",
        "fenchel{u}@abx-ag.com",
        "'wirsing.uwe'@abx-ag.com",
        "wirsing.ute.@abx-ag.com",
        "petra@kürbis-bau.de",
        "hans.zwiebel@[10.1.2.3]",
        '"hans zwiebel"@abx-ag.com',
        "zwiebel@abx-ag.com@abx-ag.com",
        "/O=ABX/CN=RETTICHH",
    ],
)
def test_an_address_is_written_whole_and_alike_everywhere(address: str) -> None:
    built = cells([{"who": "", "mail": address}], (f"<{address}>",))
    spec = ColumnSpec(kind=ColumnKind.EMAIL)
    written = {built.whole(address, spec), (built.mailbox(f"<{address}>") or "").strip("<>")}
    assert len(written) == 1
    (clean,) = written
    assert clean is not None and re.fullmatch(r"[a-z0-9._-]+(?:@[a-z0-9.-]+\.example)?", clean)
    assert not any(word in clean for word in re.findall(r"[^\W_]{4,}", address.lower()))


@pytest.mark.parametrize("tag", ["abx", "news.2024", "anna"])
def test_a_plus_address_is_the_same_person_and_its_tag_a_token(tag: str) -> None:
    built = cells([{"who": "Ann Dressel", "mail": "ann@abx-ag.com"}], (f"<ann+{tag}@abx-ag.com>",))
    plain = built.mailbox("<ann@abx-ag.com>") or ""
    tagged = built.mailbox(f"<ann+{tag}@abx-ag.com>") or ""
    assert re.sub(r"\+[0-9a-f]{6}", "", tagged) == plain and "+" in tagged and tag not in tagged


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cf", "Cn")), min_size=1, max_size=24
).map(lambda text: unicodedata.normalize("NFC", text))


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.from_regex(r"[a-z]{3}[0-9]{5}", fullmatch=True))
def test_any_unicode_name_and_address_give_a_clean_row(name: str, local: str) -> None:
    assume(not is_nobody(name))  # "NULL" stands for no value, and stays
    address = f"{local}@preltova.com"
    built = cells([{"who": name, "mail": address}])
    index = built._kit.registry.by_address[address]
    mail = built.whole(address, COLUMNS["mail"]) or ""
    for who in (built.person(name, index, "full") or "", built.display_name(name, address)):
        words = re.findall(r"[^\W\d_]{4,}", name.casefold())
        assert not [w for w in words if not is_explained(w) and w in re.findall(r"[^\W\d_]+", who.casefold())]
    assert local not in mail and "preltova" not in mail
