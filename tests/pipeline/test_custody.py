"""Reveal, rotate, erase and forget on a small onboarded archive, as its custodian asks for them."""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import polars as pl
import pytest
import yaml

from anonymize.access_log import read_access_log
from anonymize.errors import AccessRefused, AnonymizeError, KeyRefused, VaultError
from anonymize.row_places import raw_in_clean_order
from anonymize.vault import Vault, raw_tables
from archive.errors import ManifestError
from pipeline.custody import Custody, accesses, custody, erase, expire, forget, reveal, rotate
from pipeline.onboarding import onboard

MANIFEST = """
name: spring
company: {names: [Brightwater], domains: [brightwater.com], zones: [UTC], currency: USD}
sources:
  - {name: mail, kind: mail, format: mbox, path: mail.mbox}
  - name: crm
    kind: crm
    format: csv
    path: crm
    tables:
      - name: contacts
        key: [id]
        columns:
          id: {kind: id}
          name: {kind: person}
          email: {kind: email}
          phone: {kind: phone}
          since: {kind: date}
          note: {kind: text}
"""
CONTACTS = [
    ("C-20001", "Tobias Quandtmann", "tquandt@vertexvalves.com", "508-555-0147", "2024-01-31", "met at fair"),
    ("C-20002", "Anna Baker", "anna.baker@vertexvalves.com", "508-555-0148", "2024-02-05", "with Quandtmann"),
]
MARIA = "maria.kowalska@brightwater.com"
MAILS = [
    (MARIA, "tquandt@vertexvalves.com", "Hi Tobias,\nplease ask Anna Baker.\nMaria Kowalska", ""),
    (
        "tquandt@vertexvalves.com",
        MARIA,
        "I will, call 508-555-0147.\nTobias Quandtmann",
        "<0@brightwater.com>",
    ),
    (
        MARIA,
        "anna.baker@vertexvalves.com",
        "Tobias Quandtmann said\n\n> I will, call\n",
        "<1@brightwater.com>",
    ),
]
REAL = ("quandt", "508-555-0147", "5085550147", "tobias")


def write_archive(base: Path, mails: list[tuple[str, str, str, str]]) -> None:
    (base / "crm").mkdir(parents=True, exist_ok=True)
    (base / "dataset.yaml").write_text(MANIFEST)
    (base / "mail.mbox").write_text(
        "".join(
            f"From x Thu Jan  4 10:0{n}:00 2024\nMessage-ID: <{n}@brightwater.com>\n"
            f"From: {sender}\nTo: {to}\n"
            + (f"In-Reply-To: {answered}\n" if answered else "")
            + f"Date: Thu, 4 Jan 2024 10:0{n}:00 +0000\nSubject: order\n\n{body}\n\n"
            for n, (sender, to, body, answered) in enumerate(mails)
        )
    )
    with (base / "crm" / "contacts.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "name", "email", "phone", "since", "note"), *CONTACTS])


def quiet(*_: object) -> None:
    """Hears nothing."""


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One onboarded dataset; its key and Dagster home are named in the environment of this module."""
    base = tmp_path_factory.mktemp("custody")
    write_archive(base / "archive", MAILS)
    for name, digits in (("key", "5a"), ("new.key", "6b")):
        (base / name).write_text(digits * 32)
        (base / name).chmod(0o600)
    (base / "dagster").mkdir()
    shutil.copy(Path(__file__).parents[2] / "dagster_home" / "dagster.yaml", base / "dagster")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RL_DOJO_KEY_FILE", str(base / "key"))
        patch.setenv("DAGSTER_HOME", str(base / "dagster"))
        onboard(base / "home", base / "archive", None, quiet, quiet)
        yield base


@pytest.fixture
def base(first: Path, tmp_path: Path) -> Path:
    shutil.copytree(first / "home", tmp_path / "home")
    shutil.copytree(first / "archive", tmp_path / "archive")
    manifest = tmp_path / "home" / "datasets" / "spring" / "dataset.yaml"
    content = yaml.safe_load(manifest.read_text())
    manifest.write_text(yaml.safe_dump(content | {"base": str(tmp_path / "archive")}))
    for name in ("key", "new.key"):
        shutil.copy(first / name, tmp_path)
    return tmp_path


def held(base: Path) -> Custody:
    return custody(base / "home", "spring", quiet)


def raw_text(owner: Custody) -> str:
    raw = raw_tables(owner.home, owner.key)
    return " ".join(str(raw.read(name).rows()) for name in raw.names()).lower()


def contact(owner: Custody, number: str) -> int:
    """The place of a contact in the clean table."""
    raw = raw_in_clean_order(owner.home, owner.key).read("records-crm-contacts")
    return raw["id"].to_list().index(number)


def bytes_of(folder: Path) -> str:
    """Everything under a folder, tables unpacked."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            texts.append(str(pl.read_parquet(path).rows()) if data[:4] == b"PAR1" else data.decode("latin-1"))
    return " ".join(texts).lower()


def test_nothing_real_stands_in_any_file_of_a_dataset_but_its_manifest(base: Path) -> None:
    folder = base / "home" / "datasets" / "spring"
    manifest = folder / "dataset.yaml"
    assert "brightwater" in manifest.read_text() and manifest.stat().st_mode & 0o777 == 0o600
    manifest.unlink()
    content = bytes_of(folder)
    assert not [real for real in (*REAL, "kowalska", "baker", "vertex", "brightwater") if real in content]
    for private in ("raw", "vault", "clean", "model", "reports"):
        assert (folder / private).stat().st_mode & 0o777 == 0o700
        modes = {path.stat().st_mode & 0o077 for path in (folder / private).iterdir() if path.is_file()}
        assert modes == {0}


def test_the_map_is_written_for_its_owner_and_logged(base: Path) -> None:
    counts = reveal(held(base), "audit of the year", base / "map.csv")
    assert (base / "map.csv").stat().st_mode & 0o777 == 0o600
    with (base / "map.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = {row["kind"]: row for row in rows}
    assert list(rows[0]) == ["kind", "real", "surrogate"]
    assert 2 <= int(kinds["amount_factor"]["surrogate"]) <= 12
    assert int(kinds["date_offset_days"]["surrogate"]) % 7 == 0
    clean = pl.read_parquet(base / "home/datasets/spring/clean/records-crm-contacts.parquet")
    mapped = {row["real"]: row["surrogate"] for row in rows}
    anna = contact(held(base), "C-20002")
    assert mapped["Anna Baker"] == clean["name"][anna] and mapped[CONTACTS[1][2]] == clean["email"][anna]
    assert mapped["C-20002"] == clean["id"][anna]
    (access,) = read_access_log(held(base).home, held(base).key)
    assert (access.action, access.reason, access.counts) == ("reveal", "audit of the year", counts)


def test_without_a_file_forms_are_counted_only(base: Path) -> None:
    before = sorted(base.rglob("*"))
    assert reveal(held(base), "how many", None)["person"] == 3
    new = {path.name for path in base.rglob("*")} - {path.name for path in before}
    assert new == {"access.jsonl", "access_head.bin"}


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda base: reveal(held(base), " ", base / "map.csv"), "reason"),
        (lambda base: reveal(held(base), "why", base / "home" / "map.csv"), "outside the state folder"),
        (lambda base: rotate(held(base), base / "key", "why"), "present key"),
        (lambda base: rotate(held(base), base / "home" / "datasets" / "k", "why"), "inside the data folder"),
        (lambda base: rotate(held(base), base / "nowhere", "why"), "nowhere does not exist: make it"),
        (lambda base: rotate(held(base), base / "archive", "why"), "cannot be read"),
        (lambda base: reveal(held(base), "why", base / "archive"), "is a folder: name a new file"),
        (lambda base: reveal(held(base), "why", base / "key"), "is there already"),
        (lambda base: rotate(held(base), base / "new.key", ""), "reason"),
        (lambda base: erase(held(base), "Nobody Here", "why", quiet, quiet), "nobody"),
        (lambda base: erase(held(base), "Anna Baker", "", quiet, quiet), "reason"),
        (
            lambda base: expire(held(base), date(2030, 1, 1), "why", quiet, quiet),
            "no source has .* onboard again first",
        ),
        (lambda base: forget(held(base), "", vault=True), "reason"),
    ],
)
def test_what_may_not_be_asked_changes_nothing(base: Path, ask: Callable[[Path], object], said: str) -> None:
    before = bytes_of(base / "home" / "datasets" / "spring")
    with pytest.raises(AnonymizeError, match=said) as refusal:
        ask(base)
    assert "Nobody Here" not in str(refusal.value)
    assert bytes_of(base / "home" / "datasets" / "spring") == before


@pytest.mark.parametrize("left", ["no clean tables", "no model", "pending tables"])
@pytest.mark.parametrize("ask", ["reveal", "erase"])
def test_of_a_run_that_did_not_end_nothing_is_revealed_or_erased(base: Path, left: str, ask: str) -> None:
    owner = held(base)
    match left:
        case "no clean tables":
            shutil.rmtree(owner.home.clean)
        case "no model":
            shutil.rmtree(owner.home.model)
        case _:
            owner.home.clean_pending.mkdir()
    before = bytes_of(owner.home.folder)
    with pytest.raises(AccessRefused, match="did not end: onboard its manifest again first"):
        if ask == "reveal":
            reveal(owner, "why", base / "map.csv")
        else:
            erase(owner, "Anna Baker", "why", quiet, quiet)
    assert bytes_of(owner.home.folder) == before and not (base / "map.csv").exists()


def test_folders_that_a_map_needs_are_its_owners_alone(base: Path) -> None:
    reveal(held(base), "why", base / "new" / "maps" / "map.csv")
    assert {(base / part).stat().st_mode & 0o777 for part in ("new", "new/maps")} == {0o700}


@pytest.mark.parametrize("fault", ["another key", "no key", "no dataset", "edited keys", "broken log"])
def test_nobody_gets_in_otherwise(base: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    vault = base / "home" / "datasets" / "spring" / "vault"
    expected: type[Exception] = VaultError
    match fault:
        case "another key":
            monkeypatch.setenv("RL_DOJO_KEY_FILE", str(base / "new.key"))
        case "no key":
            monkeypatch.delenv("RL_DOJO_KEY_FILE")
            monkeypatch.setenv("XDG_CONFIG_HOME", str(base / "config"))
            expected = KeyRefused
        case "no dataset":
            shutil.rmtree(vault)
            expected = ManifestError
        case "edited keys":
            (vault / "keys.bin").write_bytes((vault / "keys.bin").read_bytes()[:-1] + b"x")
        case "broken log":
            reveal(held(base), "first", None)
            (vault / "access.jsonl").write_text("")
    with pytest.raises(expected):
        reveal(held(base), "why", base / "map.csv")
    assert not (base / "map.csv").exists() and not (base / "config").exists()


def test_after_rotation_the_new_key_has_the_same_map(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reveal(held(base), "before", base / "before.csv")
    rotate(held(base), base / "new.key", "yearly")
    with pytest.raises(VaultError, match="another key"):
        held(base)
    monkeypatch.setenv("RL_DOJO_KEY_FILE", str(base / "new.key"))
    reveal(held(base), "after", base / "after.csv")
    assert (base / "before.csv").read_bytes() == (base / "after.csv").read_bytes()
    owner = held(base)
    assert [a.action for a in read_access_log(owner.home, owner.key)] == ["reveal", "rotate", "reveal"]
    clean = bytes_of(owner.home.clean)
    onboard(base / "home", base / "archive", None, quiet, quiet)
    assert bytes_of(owner.home.clean) == clean


def test_a_resealed_dataset_goes_on_under_the_new_key(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reveal(held(base), "before", base / "before.csv")
    former, keys = held(base).key, (base / "home/datasets/spring/vault/keys.bin").read_bytes()
    assert rotate(held(base), base / "new.key", "left the company", reseal=True)["raw"] > 3
    with pytest.raises(VaultError, match="another key"):
        held(base)
    (base / "home/datasets/spring/vault/keys.bin.former").write_bytes(keys)
    monkeypatch.setenv("RL_DOJO_KEY_FILE", str(base / "new.key"))
    owner = held(base)
    with pytest.raises(VaultError):
        Vault(owner.home.vault, former).load()
    reveal(owner, "after", base / "after.csv")
    assert (base / "before.csv").read_bytes() == (base / "after.csv").read_bytes()
    assert [a.action for a in accesses(owner)] == ["reveal", "reseal", "reveal"]
    clean = bytes_of(owner.home.clean)
    onboard(base / "home", base / "archive", None, quiet, quiet)
    assert bytes_of(owner.home.clean) == clean


@pytest.mark.parametrize("called", ["Tobias Quandtmann", "TQUANDT@vertexvalves.com", "surrogate"])
def test_an_erased_person_is_gone_everywhere_and_stays_out(base: Path, called: str) -> None:
    owner = held(base)
    former = pl.read_parquet(owner.home.clean / "records-crm-contacts.parquet")
    tobias, anna = contact(owner, "C-20001"), contact(owner, "C-20002")
    surrogate = former["name"][tobias]
    assert all(real in raw_text(owner) for real in ("quandt", "508-555-0147", "tobias"))
    withheld, result, _ = erase(owner, surrogate if called == "surrogate" else called, "asked", quiet, quiet)
    assert withheld.rows["messages"] == 1 and withheld.cells["records-crm-contacts"] == 6
    assert result is not None and result.leaks == 0 and result.entities["person"] == 2

    def absent() -> None:
        vault = Vault(owner.home.vault, owner.key)
        assert not [real for real in REAL if real in raw_text(owner)]
        for part in ("assignments", "registry"):
            assert not [real for real in REAL if real in str(vault.load_part(part)).lower()]
        published = bytes_of(owner.home.clean) + bytes_of(owner.home.model) + bytes_of(owner.home.reports)
        parts = [surrogate, former["email"][tobias], former["phone"][tobias]]
        assert not [one for one in parts if one.lower() in published]
        contacts = pl.read_parquet(owner.home.clean / "records-crm-contacts.parquet")
        assert contacts.height == 2 and contacts["id"].to_list() == former["id"].to_list()
        assert contacts.row(anna, named=True)["name"] == former["name"][anna]
        assert not (owner.home.raw / "parts").exists()

    absent()
    write_archive(base / "archive", [*MAILS, (CONTACTS[0][2], MARIA, "It is me again.\nTobias", "")])
    later = onboard(base / "home", base / "archive", None, quiet, quiet)
    absent()
    counts = {source["name"]: source for source in later.sources}["mail"]
    assert (counts["read"], counts["kept"], counts["quarantined"]) == (4, 2, 2)
    assert counts["reasons"] == {"erased": 2}


def test_an_erasure_that_was_interrupted_is_finished_by_the_next_run(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I14."""
    owner = held(base)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("pipeline.custody.apply_bounds", killed)
        with pytest.raises(KeyboardInterrupt):
            erase(owner, "Tobias Quandtmann", "asked", quiet, quiet)
    assert "quandt" in raw_text(owner)
    onboard(base / "home", base / "archive", None, quiet, quiet)
    assert not [real for real in REAL if real in raw_text(owner)]
    assert not [
        r for r in REAL if r in str(Vault(owner.home.vault, owner.key).load_part("assignments")).lower()
    ]


def test_forgetting_raw_data_keeps_clean_tables_and_the_vault(base: Path) -> None:
    owner = held(base)
    clean = bytes_of(owner.home.clean)
    forget(owner, "contract ended", vault=False)
    assert not owner.home.raw.exists() and bytes_of(owner.home.clean) == clean
    assert held(base).key.raw_key != owner.key.raw_key
    assert reveal(held(base), "still there", None)["person"] == 3
    with pytest.raises(AccessRefused, match="raw tables are gone"):
        erase(held(base), "Anna Baker", "asked", quiet, quiet)


def test_raw_files_that_a_crash_left_open_no_more(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """I14: the data key goes first."""

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(held(base), "contract ended", vault=False)
    owner = held(base)
    assert owner.home.raw.is_dir()
    with pytest.raises(Exception, match="another key"):
        raw_text(owner)
    onboard(base / "home", base / "archive", None, quiet, quiet)
    assert "quandt" in raw_text(owner)


def test_forgetting_the_vault_leaves_nothing_that_links(base: Path) -> None:
    owner = held(base)
    clean = bytes_of(owner.home.clean)
    forget(owner, "contract ended", vault=True)
    content = bytes_of(owner.home.folder)
    assert not [real for real in (*REAL, "kowalska", "baker", "vertex", "brightwater") if real in content]
    assert [path.name for path in owner.home.vault.iterdir()] == ["access-1.closed.jsonl"]
    assert bytes_of(owner.home.clean) == clean and not owner.home.raw.exists()
    with pytest.raises(ManifestError, match="with a vault"):
        held(base)


def test_rows_past_their_time_leave_raw_and_clean_and_stay_out(base: Path) -> None:
    owner = held(base)
    manifest = owner.home.manifest_path
    content = yaml.safe_load(manifest.read_text())
    content["sources"][1]["retention_days"] = 365
    for path in (manifest, base / "archive" / "dataset.yaml"):
        path.write_text(yaml.safe_dump(content))
    withheld, result, _ = expire(owner, date(2025, 2, 1), "yearly", quiet, quiet)
    assert withheld.rows == {"records-crm-contacts": 1} and withheld.undated == 0
    assert result is not None and result.leaks == 0
    assert pl.read_parquet(owner.home.clean / "records-crm-contacts.parquet").height == 1
    onboard(base / "home", base / "archive", None, quiet, quiet)
    assert pl.read_parquet(owner.home.clean / "records-crm-contacts.parquet").height == 1
    assert expire(owner, date(2025, 1, 1), "earlier day", quiet, quiet)[1] is None
    assert os.environ["RL_DOJO_KEY_FILE"]
