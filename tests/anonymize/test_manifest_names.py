"""Names of the manifest that everybody sees: refused by position where they tell somebody, else let pass."""

from __future__ import annotations

import pytest

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.manifest_names import Telling, refuse_telling_names
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from archive.errors import ManifestError
from contracts.manifest import Company, Manifest, Source, SourceKind, TableSpec
from contracts.tables import record_table_name

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def registry() -> Registry:
    evidence = Evidence()
    for first, last in (("Mirela", "Kowalska"), ("Ann", "Zell"), ("Tom", "Mark"), ("Bea", "Sales")):
        evidence.persons[PersonMention((PersonName(first, "", last),))] += 1
    for name in ("Zellinger GmbH", "Energy Inc", "Target"):
        evidence.companies[CompanyMention(name)] += 1
    evidence.add_address("x@quillhaven.com")
    return build_registry(evidence, OWN)


REGISTRY = registry()


@pytest.mark.parametrize(
    "name",
    [
        "kowalska",
        "zellinger-2024",
        "zellingerkowalska",
        "Smith_Zellinger__c",
        "ZellingerDeals",
        "ann_zell",
        "mirelakowalska",
        "kowalska_mirela",
        "quillhaven",
        "brightwater",
        "KOWALSKA",
        "crm-Zell",
    ],
)
def test_a_registered_word_tells(name: str) -> None:
    assert Telling.of(REGISTRY).tells(name)


@pytest.mark.parametrize(
    "name",
    ["crm", "sales", "energy", "Target", "mark_up", "zelle", "KUNNR", "customer_energy", "mirror", "tom", ""],
)
def test_ordinary_words_and_chance_tell_nobody(name: str) -> None:
    assert not Telling.of(REGISTRY).tells(name)


def manifest(source: str = "crm", table: str = "deals") -> Manifest:
    kept = Source(name="mail", kind=SourceKind.MAIL, format="mbox", path="x")
    tables = [TableSpec(name="contacts"), TableSpec(name=table)]
    own = Source(name=source, kind=SourceKind.CRM, format="csv", path="x", tables=tables)
    return Manifest(name="small", company=OWN, sources=[kept, own])


def found(source: str = "crm", table: str = "deals", column: str = "note") -> dict[str, list[str]]:
    return {record_table_name(source, "contacts"): ["id"], record_table_name(source, table): ["id", column]}


@pytest.mark.parametrize(
    ("dataset", "stated", "stored", "message"),
    [
        ("kowalska-2024", manifest(), found(), "name of the dataset"),
        ("small", manifest(source="kowalska-erp"), found(source="kowalska-erp"), "source 2: its name"),
        ("small", manifest(table="ZellingerX"), found(table="ZellingerX"), "source 2, table 2 of its own"),
        ("small", manifest(), found(table="Zellinger_Kowalska"), "source 2: a table that is named after"),
        ("small", manifest(), found(column="OK_Kowalska"), "table 2 of its own, column 2"),
    ],
)
def test_a_telling_name_is_refused_by_position_and_never_quoted(
    dataset: str, stated: Manifest, stored: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(ManifestError, match=message) as refusal:
        refuse_telling_names(dataset, stated, stored, REGISTRY)
    assert not [word for word in ("kowalska", "zellinger") if word in str(refusal.value).lower()]


def test_names_that_tell_nobody_pass() -> None:
    refuse_telling_names("small", manifest(), found(), REGISTRY)


def test_names_of_a_preset_are_public() -> None:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Ann", "", "Belnr"),))] += 1
    own = Source(name="erp", kind=SourceKind.ERP, format="sqlite", path="x", preset="sap")
    both = Manifest(name="small", company=OWN, sources=[own])
    named = build_registry(evidence, OWN)
    refuse_telling_names("small", both, {"records-erp-bsid": ["BELNR"]}, named)
    with pytest.raises(ManifestError, match="column 1"):
        refuse_telling_names("small", both, {"records-erp-own": ["BELNR"]}, named)


@pytest.mark.parametrize(
    ("preset", "table", "column", "told"),
    [
        ("sap", "ekko", "PAYS_ZELL", False),  # a cut word of the product
        ("sap", "ekko", "XZELLINGERX", False),
        ("sap", "ekko", "ZELL", True),
        ("sap", "ekko", "Zell", True),
        ("sap", "ekko", "VELT", True),  # nothing but a name
        ("sap", "ekko", "velt", True),
        ("sap", "ekko", "VELT_ZELL", True),
        ("sap", "ekko", "OK_VELT", False),
        ("sap", "ekko", "YY_VELT", True),  # as companies mark their own
        ("sap", "ekko", "zz_velt", True),
        ("sap", "ekko", "/OWN/VELT", True),
        ("sap", "ekko", "Note Velt", True),  # as no column of the product is spelt
        ("sap", "ekko", "VeltNote", True),
        ("sap", "ekko", "NOTE-VELT", True),
        ("sap", "ekko", "OK_KOWALSKA", True),
        ("sap", "own_list", "OK_VELT", True),
        ("salesforce", "account", "VeltNote", True),
        ("salesforce", "account", "Velt", True),
        ("salesforce", "account", "LastActivityDate", False),
        ("salesforce", "account", "Is_Velted__c", False),
        ("salesforce", "account", "IsVelt__c", True),
        ("salesforce", "account", "mirelakowalska__c", True),
        ("salesforce", "account", "mirelakowalska (groups)", True),
    ],
)
def test_a_name_as_a_column_beside_those_of_a_product(
    preset: str, table: str, column: str, told: bool
) -> None:
    evidence = Evidence()
    for first, last in (("Mirela", "Kowalska"), ("Ann", "Zell"), ("Ida", "Velt"), ("Eva", "Zellinger")):
        evidence.persons[PersonMention((PersonName(first, "", last),))] += 1
    own = Source(name="own", kind=SourceKind.ERP, format="csv", path="x", preset=preset)
    both = Manifest(name="small", company=OWN, sources=[own])
    stored = {record_table_name("own", table): [column]}
    if not told:
        refuse_telling_names("small", both, stored, build_registry(evidence, OWN))
        return
    with pytest.raises(ManifestError, match="column 1"):
        refuse_telling_names("small", both, stored, build_registry(evidence, OWN))
