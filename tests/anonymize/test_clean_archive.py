"""A clean archive appears only when nothing real stands in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from anonymize.audit import audit_dataset, publish
from anonymize.clean_archive import ExportLeaks, export_clean_archive
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset
from archive.export import ExportError
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest

KEY = DatasetKey(b"k" * 32, "small")
PEOPLE = ("Renske Vanderhoek", "Lucian Ashgrove", "Merit Holloway", "Tobiah Quistgaard")
MANIFEST = """
name: small
company: {names: [Norrbrook Tools], domains: [norrbrook.com], zones: [Europe/Berlin], currency: EUR}
sources:
  - name: crm
    kind: crm
    format: csv
    path: crm
    tables:
      - name: contact
        key: [id]
        columns:
          id: {kind: id}
          name: {kind: person}
          mail: {kind: email}
  - {name: mail, kind: mail, format: mbox, path: mail}
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[DatasetHome, LoadedManifest]:
    """Contacts and the mails that they write, pseudonymised and published."""
    base = tmp_path_factory.mktemp("small")
    addresses = [name.lower().replace(" ", ".") + "@norrbrook.com" for name in PEOPLE]
    rows = [f"{1_000_201 + at};{name};{addresses[at]}" for at, name in enumerate(PEOPLE)]
    mails = [
        f"From {addresses[at]} Mon May  6 09:00:00 2024\nFrom: {name} <{addresses[at]}>\n"
        f"To: {PEOPLE[at - 1]} <{addresses[at - 1]}>\nSubject: Visit of {name}\n"
        f"Message-ID: <m{at}@norrbrook.com>\n"
        f"Date: Mon, 06 May 2024 09:00:0{at} +0200\n\nHello {PEOPLE[at - 1]},\n\nsee you.\n\n{name}\n\n"
        for at, name in enumerate(PEOPLE)
    ]
    for path, text in (
        ("dataset.yaml", MANIFEST),
        ("crm/contact.csv", "\n".join(["id;name;mail", *rows, ""])),
        ("mail/all.mbox", "".join(mails)),
    ):
        (base / path).parent.mkdir(exist_ok=True)
        (base / path).write_text(text)
    loaded, home = load_manifest(base), DatasetHome(base / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None, sealing=KEY.raw_sealing)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    assert audit_dataset(home, loaded, KEY).passed
    publish(home)
    return home, loaded


def test_an_export_is_searched_and_holds_surrogates_alone(
    small: tuple[DatasetHome, LoadedManifest], tmp_path: Path
) -> None:
    report, scan = export_clean_archive(*small, KEY, tmp_path / "out", lambda *_: None)
    assert (scan.leaks, scan.files) == (0, 3)
    assert [source.units for source in report.sources] == [4, 4]
    content = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert not [name for name in PEOPLE if name.encode() in content]
    clean = pl.read_parquet(small[0].clean / "records-crm-contact.parquet")
    assert all(name.encode() in content for name in clean["name"])


def test_a_real_name_in_a_clean_table_stops_the_export(
    small: tuple[DatasetHome, LoadedManifest], tmp_path: Path
) -> None:
    home, loaded = small
    other = DatasetHome(tmp_path / "home", home.name)
    shutil.copytree(home.folder, other.folder)
    path = other.clean / "messages.parquet"
    frame = pl.read_parquet(path)
    frame.with_columns(pl.lit(f"Call {PEOPLE[0]}").alias("subject")).write_parquet(path)
    with pytest.raises(ExportLeaks, match="real forms") as raised:
        export_clean_archive(other, loaded, KEY, tmp_path / "out", lambda *_: None)
    assert PEOPLE[0] not in str(raised.value)
    assert [entry.name for entry in tmp_path.iterdir()] == ["home"]


def test_without_raw_tables_an_export_says_what_it_needs(
    small: tuple[DatasetHome, LoadedManifest], tmp_path: Path
) -> None:
    home, loaded = small
    other = DatasetHome(tmp_path / "home", home.name)
    shutil.copytree(home.folder, other.folder)
    shutil.rmtree(other.raw)
    with pytest.raises(ExportError, match=r"raw tables .* are gone, and an export needs them"):
        export_clean_archive(other, loaded, KEY, tmp_path / "out", lambda *_: None)
    assert not (tmp_path / "out").exists()
