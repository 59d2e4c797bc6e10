"""What mail servers call themselves names nobody; the manifest's own names name the company."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from anonymize.audit import audit_dataset, publish
from anonymize.display_names import Named, read_name
from anonymize.evidence import CompanyMention, Evidence
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset, registry_of
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.manifest import Company

KEY = DatasetKey(b"k" * 32, "daemons")
OWN = Company(
    names=["Tarnwick", "Tarnwick Software"], domains=["tarnwick.com"], zones=["UTC"], currency="USD"
)


@pytest.mark.parametrize(
    ("written", "address", "named"),
    [
        ("Mail Delivery System", "MAILER-DAEMON@mx1.tarnwick.com", Named.NOBODY),
        ("Mail Delivery Subsystem", "postmaster@tarnwick.com", Named.NOBODY),
        ("Mail Delivery System", "bounces+77=ada@tarnwick.com", Named.NOBODY),
        ("Internet Mail Delivery", "daemon@tarnwick.com", Named.NOBODY),
        ("Automatic Reply", "noreply@tarnwick.com", Named.NOBODY),
        ("Do Not Reply", "do-not-reply@tarnwick.com", Named.NOBODY),
        ("Mail Notifications", "no-reply@tarnwick.com", Named.NOBODY),
        ("Closing The Books", "noreply@preltova.com", Named.COMPANY),
        ("Vertex Valves GmbH", "postmaster@vertexvalves.com", Named.COMPANY),
        ("Gundula Dressel", "postmaster@preltova.com", Named.PERSON),
    ],
)
def test_plain_words_at_a_servers_mailbox_are_nobody(written: str, address: str, named: Named) -> None:
    assert read_name(written, address).named is named


def test_no_display_name_at_the_own_domain_becomes_the_companys_name() -> None:
    evidence = Evidence()
    for name in ("Closing The Quarterly Books", "Tarnwick Software Holding"):
        evidence.companies[CompanyMention(name, ("tarnwick.com",))] += 1
    evidence.domains["tarnwick.com"] += 3
    registry = build_registry(evidence, OWN)
    company = registry.companies[registry.company_by_domain["tarnwick.com"]]
    assert company.names[0].core == "Tarnwick Software" and company.names[1].core == "Tarnwick"
    assert "Closing The Quarterly Books" not in {name.core for name in company.names}
    core = Surrogates(registry, KEY).cores[registry.company_by_domain["tarnwick.com"]]
    assert len(core.split()) == 2


@pytest.mark.parametrize(("domain", "asked"), [("brandhorst.com", False), ("", True)])
def test_nobody_is_asked_about_names_that_are_one_company_already(domain: str, asked: bool) -> None:
    evidence = Evidence()
    for name in ("Brandhorst Logistics", "Brandhorst Logistik"):
        evidence.companies[CompanyMention(name, (domain,) if domain else ())] += 1
    if domain:
        evidence.domains[domain] += 2
    registry = build_registry(evidence, OWN)
    assert ("company names look alike" in {doubt.reason for doubt in registry.doubtful}) is asked


def test_the_companys_short_and_long_name_stay_apart_and_paths_stay_plain(
    tmp_path: Path, small_manifest: Callable[..., Path]
) -> None:
    small_manifest(tmp_path, {"accounts": {"id": "id", "name": "company"}}, company="Tarnwick")
    manifest = (tmp_path / "dataset.yaml").read_text()
    manifest = manifest.replace("- Tarnwick\n", "- Tarnwick\n  - Tarnwick Software\n")
    (tmp_path / "dataset.yaml").write_text(manifest.replace("path: mail.mbox", "path: mail"))
    (tmp_path / "crm").mkdir()
    (tmp_path / "crm" / "accounts.csv").write_text(
        "id,name\nA-10001,Tarnwick\nA-10002,Tarnwick Software\nA-10003,Nordfold Paper\n"
    )
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "all.mbox").write_text(
        "".join(
            f"From x Mon May  6 09:0{n}:00 2024\nFrom: {sender}\nTo: ada.vandermeer@tarnwick.com\n"
            f"Subject: returned\nMessage-ID: <{n}@tarnwick.com>\nDate: Mon, 06 May 2024 09:0{n}:00 +0000\n\n"
            "Tarnwick Software, or Tarnwick, could not deliver your mail.\n\n"
            for n, sender in enumerate(
                ["Mail Delivery System <MAILER-DAEMON@mx1.tarnwick.com>", "b.nowak@nordfold.com"]
            )
        )
    )
    loaded, home = load_manifest(tmp_path), DatasetHome(tmp_path / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    audit = audit_dataset(home, loaded, KEY)
    assert audit.passed, audit
    publish(home)
    messages = TableStore(home.clean).read("messages")
    assert "Mail Delivery System" in messages["from_name"].to_list()
    assert all(path.startswith("mail/") for path in messages["path"])
    registry = registry_of(Vault(home.vault, KEY))
    at = registry.company_by_domain["tarnwick.com"]
    first, second = Surrogates(registry, KEY, Vault(home.vault, KEY).load()).cores[at].split()
    names = set(TableStore(home.clean).read("records-crm-accounts")["name"])
    assert {first, f"{first} {second}"} < names
    assert all(f"{first} {second}, or {first}," in text for text in messages["body_own"])
