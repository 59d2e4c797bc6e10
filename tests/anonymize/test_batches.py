"""A second batch over the vault of the first: old surrogates stay, new entities get new ones, links hold."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from anonymize.audit import AuditReport, audit_dataset, publish
from anonymize.evidence import Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset, registry_of
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments, Surrogates
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from contracts.manifest import Company

KEY = DatasetKey(b"b" * 32, "batches")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = """
name: batches
company:
  names: [Brightwater]
  domains: [brightwater.com]
  zones: [UTC]
  currency: USD
sources:
  - {name: mail, kind: mail, format: mbox, path: mail.mbox}
  - name: crm
    kind: crm
    format: csv
    path: crm
    tables:
      - name: accounts
        key: [id]
        columns: {id: {kind: id}, name: {kind: company}, city: {kind: city}, website: {kind: url}}
      - name: contacts
        key: [id]
        columns:
          id: {kind: id}
          account: {kind: id, references: crm.accounts.id}
          name: {kind: person}
          email: {kind: email}
          phone: {kind: phone}
          since: {kind: date}
          value: {kind: money, currency: USD}
"""
ACCOUNTS = [("A-10001", "Vertex Valves GmbH", "Brackendale", "www.vertexvalves.com")]
CONTACTS = [
    ("C-20001", "A-10001", "Tom Cook", "tcook@vertexvalves.com", "508-555-0147", "2024-01-31", "1200.50"),
    ("C-20002", "A-10001", "Anna Baker", "anna.baker@vertexvalves.com", "508-555-0148", "2024-02-05", "300"),
]
MAILS = [
    (
        "m1",
        "maria.kowalska@brightwater.com",
        "tcook@vertexvalves.com",
        "Hi Tom,\nplease ask John Lavoratti.\nMaria",
    ),
    (
        "m2",
        "tcook@vertexvalves.com",
        "maria.kowalska@brightwater.com",
        "Maria Kowalska, A-10001 pays $1,200.50.",
    ),
]
NEW_ACCOUNTS = [("A-10002", "Nordfold Paper Ltd", "Elmscote", "www.nordfold.com")]
NEW_CONTACTS = [
    ("C-20003", "A-10002", "Petra Nowak", "petra.nowak@nordfold.com", "508-555-0149", "2024-03-01", "77.10"),
    ("C-20004", "A-10001", "John Lavoratti", "jl@vertexvalves.com", "508-555-0150", "2024-03-02", "5"),
]
NEW_MAILS = [
    (
        "m3",
        "petra.nowak@nordfold.com",
        "maria.kowalska@brightwater.com",
        "Dear Maria, Tom Cook sent me.\nPetra Nowak",
    ),
]


class Batch(NamedTuple):
    home: DatasetHome
    audit: AuditReport
    tables: dict[str, pl.DataFrame]
    kept: Assignments
    registry: Registry


def write_archive(base: Path, *, second: bool, more: list[tuple[str, ...]]) -> None:
    (base / "crm").mkdir(exist_ok=True)
    (base / "dataset.yaml").write_text(MANIFEST)
    mails = [*MAILS, *(NEW_MAILS if second else [])]
    (base / "mail.mbox").write_text(
        "".join(
            f"From x Thu Jan  4 10:0{number}:00 2024\nMessage-ID: <{ident}@brightwater.com>\nFrom: {sender}\n"
            f"To: {to}\nDate: Thu, 4 Jan 2024 10:0{number}:00 +0000\nSubject: order\n\n{body}\n\n"
            for number, (ident, sender, to, body) in enumerate(mails)
        )
    )
    accounts = [("id", "name", "city", "website"), *ACCOUNTS, *(NEW_ACCOUNTS if second else [])]
    head = ("id", "account", "name", "email", "phone", "since", "value")
    contacts = [head, *CONTACTS, *(NEW_CONTACTS if second else []), *more]
    for name, rows in (("accounts", accounts), ("contacts", contacts)):
        with (base / "crm" / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)


def onboard(base: Path, *, second: bool, more: list[tuple[str, ...]]) -> Batch:
    write_archive(base, second=second, more=more)
    loaded = load_manifest(base / "dataset.yaml")
    home = DatasetHome(base / "home", "batches")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    audit = audit_dataset(home, loaded, KEY)
    publish(home)
    tables = {path.stem: pl.read_parquet(path) for path in home.clean.glob("*.parquet")}
    vault = Vault(home.vault, KEY)
    kept = vault.load()
    assert kept is not None
    return Batch(home, audit, tables, kept, registry_of(vault))


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> tuple[Batch, Batch]:
    base = tmp_path_factory.mktemp("batches")
    first = onboard(base, second=False, more=[])
    # A new real person has the very name that stands in place of Tom Cook.
    cook = first.kept.persons["mail:tcook@vertexvalves.com"]
    twin = (
        "C-20005",
        "A-10002",
        f"{cook[0]} {cook[2]}",
        "twin@nordfold.com",
        "508-555-0151",
        "2024-03-04",
        "9",
    )
    return first, onboard(base, second=True, more=[twin])


def rows(batch: Batch, table: str, key: str) -> dict[str, dict[str, object]]:
    """Rows by key; the hash of a record's row group tells of its whole delivery and is left out."""
    frame = batch.tables[table]
    kept = frame.drop("content_hash") if table.startswith("records-") else frame
    return {row[key]: row for row in kept.iter_rows(named=True)}


def test_both_batches_pass_the_audit_and_a_later_collision_is_counted(batches: tuple[Batch, Batch]) -> None:
    first, second = batches
    assert first.audit.passed and second.audit.passed
    assert second.audit.coincidences > first.audit.coincidences


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("records-crm-accounts", "id"),
        ("records-crm-contacts", "id"),
        ("messages", "header_id"),
        ("calendar_facts", "day"),
    ],
)
def test_rows_of_the_first_batch_stay_as_they_are(batches: tuple[Batch, Batch], table: str, key: str) -> None:
    old, new = rows(batches[0], table, key), rows(batches[1], table, key)
    assert len(new) > len(old) > 0
    assert {ident: new[ident] for ident in old} == old


def test_nothing_that_was_assigned_changes(batches: tuple[Batch, Batch]) -> None:
    first, second = batches[0].kept, batches[1].kept
    for part in ("persons", "companies", "handles", "domains", "streets", "cities", "phones"):
        old, new = getattr(first, part), getattr(second, part)
        assert {real: new[real] for real in old} == old, part


def test_new_entities_get_surrogates_that_nobody_has(batches: tuple[Batch, Batch]) -> None:
    first, second = batches
    names = second.tables["records-crm-contacts"]["name"].to_list()
    assert len(set(names)) == len(names) == 5
    assert set(second.tables["records-crm-contacts"]["email"]) > set(
        first.tables["records-crm-contacts"]["email"]
    )
    assert len(set(second.tables["records-crm-accounts"]["name"])) == 2
    assert second.audit.shared_surrogates == 0


def test_who_was_only_named_in_text_keeps_the_surrogate_when_a_record_comes(
    batches: tuple[Batch, Batch],
) -> None:
    first, second = batches
    named = first.kept.persons["name:john lavoratti"]
    assert second.kept.persons["mail:jl@vertexvalves.com"] == named
    contact = rows(second, "records-crm-contacts", "email")
    assert f"{named[0]} {named[2]}" in {row["name"] for row in contact.values()}
    assert f"ask {named[0]} {named[2]}." in second.tables["messages"]["body_own"].sort().str.join(" ").item()


def test_links_hold_over_both_batches(batches: tuple[Batch, Batch]) -> None:
    for batch in batches:
        accounts = set(batch.tables["records-crm-accounts"]["id"])
        contacts = batch.tables["records-crm-contacts"]
        assert set(contacts["account"]) <= accounts
        addresses = set(contacts["email"])
        senders = set(batch.tables["messages"]["from_address"])
        assert senders & addresses
        pays = next(text for text in batch.tables["messages"]["body_own"] if " pays " in text)
        assert any(account in pays for account in accounts)
        cook = batch.kept.persons["mail:tcook@vertexvalves.com"]
        assert f"{cook[0]} {cook[2]}" in set(contacts["name"])


def registry(*people: tuple[tuple[str, str], tuple[str, ...]]) -> Registry:
    evidence = Evidence()
    for (first, last), addresses in people:
        evidence.persons[PersonMention((PersonName(first, "", last),), addresses)] += 1
        for address in addresses:
            evidence.add_address(address)
    return build_registry(evidence, OWN)


ANN, BO = "ann.lee@brightwater.com", "ann.lee@vertexvalves.com"


def test_a_person_that_is_split_keeps_both_surrogates_from_then_on() -> None:
    together = Surrogates(registry((("Ann", "Lee"), (ANN, BO))), KEY)
    apart = registry((("Ann", "Lee"), (ANN,)), (("Ann", "Lee"), (BO,)))
    once = Surrogates(apart, KEY, together.kept)
    split = [once.persons[apart.by_address[address]].name for address in (ANN, BO)]
    again = Surrogates(apart, KEY, once.kept)
    assert split[0] != split[1]
    assert together.persons[0].name in split
    assert [again.persons[apart.by_address[address]].name for address in (ANN, BO)] == split


def test_persons_that_are_merged_have_one_of_the_old_surrogates_from_then_on() -> None:
    apart = registry((("Ann", "Lee"), (ANN,)), (("Ann", "Lee"), (BO,)))
    before = Surrogates(apart, KEY)
    old = {surrogate.name for surrogate in before.persons}
    together = registry((("Ann", "Lee"), (ANN, BO)))
    once = Surrogates(together, KEY, before.kept)
    again = Surrogates(together, KEY, once.kept)
    assert len(old) == 2 and once.persons[0].name in old
    assert again.persons[0].name == once.persons[0].name
