"""A person after whom files of the archive are named leaves those names too when they are erased."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from anonymize.vault import raw_tables
from pipeline.custody import custody, erase
from pipeline.errors import OnboardFailed
from pipeline.onboarding import onboard
from tests.pipeline.running import own_settings

LOGIN, ADDRESS = "ghaverkamp", "greta.haverkamp@brightwater.com"
OTHER = "maria.kowalska@brightwater.com"
REAL = ("haverkamp", "greta")


def quiet(*_: object) -> None:
    """Hears nothing."""


def mail(number: int, sender: str, to: str, more: str = "") -> str:
    return (
        f"From x Thu Jan  4 10:0{number}:00 2024\nMessage-ID: <{number}@brightwater.com>\n"
        f"From: {sender}\nTo: {to}\nDate: Thu, 4 Jan 2024 10:0{number}:00 +0000\nSubject: order\n{more}"
        "\nThe parts are here.\n\n"
    )


ATTACHED = "MIME-Version: 1.0\nContent-Type: text/plain; name=list.txt\nContent-Disposition: attachment\n"
INVITED = """MIME-Version: 1.0
Content-Type: text/calendar; charset=utf-8

BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1@brightwater.com
DTSTART:20240105T100000Z
SUMMARY:parts
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture(scope="module")
def base(
    tmp_path_factory: pytest.TempPathFactory, small_manifest: Callable[..., Path]
) -> Iterator[tuple[Path, str]]:
    """An onboarded archive whose mailboxes are named after their owners' logins."""
    base = tmp_path_factory.mktemp("files")
    archive = base / "archive"
    (archive / "crm").mkdir(parents=True)
    box = {"name": "boxes", "kind": "mail", "format": "mbox", "path": "boxes"}
    users = {"users": {"id": "id", "name": "person", "login": "login", "email": "email"}}
    small_manifest(archive, users, name="files", more=[box])
    (archive / "crm" / "users.csv").write_text(
        "id,name,login,email\n"
        f"U-30001,Greta Haverkamp,{LOGIN},{ADDRESS}\nU-30002,Maria Kowalska,mkowalska,{OTHER}\n"
    )
    (archive / "mail.mbox").write_text(mail(0, OTHER, "anna.baker@vertexvalves.com"))
    (archive / "boxes").mkdir()
    kept = mail(1, ADDRESS, OTHER) + mail(2, OTHER, ADDRESS, ATTACHED) + mail(3, OTHER, ADDRESS, INVITED)
    (archive / "boxes" / f"{LOGIN}.mbox").write_text(kept + "From x Thu Jan  4 10:04:00 2024\n\n\n")
    (archive / "boxes" / f"{LOGIN}_2023.mbox").write_text(mail(5, OTHER, ADDRESS))
    with own_settings(base):
        onboard(base / "home", archive, None, quiet, quiet)
        yield base, "files"


def paths(folder: Path) -> str:
    tables = [pl.read_parquet(path) for path in sorted(folder.glob("*.parquet"))]
    return " ".join(str(table["path"].to_list()) for table in tables if "path" in table.columns)


def test_what_is_left_of_the_erased_blocks_and_their_files_lose_their_names(
    base: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name = base
    owner = custody(folder / "home", name, quiet)
    former = (owner.home.clean / "audit.json").read_bytes()
    kept = shutil.copytree(folder / "home", folder / "kept")
    with monkeypatch.context() as broken:
        broken.setattr("anonymize.tombstones.Tombstones._in_handle", lambda *_: iter(()))
        broken.setattr("pipeline.custody.mentions_of", lambda *_: iter(()))
        with pytest.raises(OnboardFailed, match="leaks_in_bytes"):
            erase(owner, LOGIN, "asked", quiet, quiet)
    assert (owner.home.clean / "audit.json").read_bytes() == former
    shutil.rmtree(folder / "home")
    shutil.move(kept, folder / "home")
    erase(owner, LOGIN, "asked", quiet, quiet)
    raw = raw_tables(owner.home, owner.key)
    assert not [real for real in REAL if real in str([raw.read(one).rows() for one in raw.names()]).lower()]
    assert not [real for real in REAL if real in paths(owner.home.clean).lower()]
    assert {"erased"} <= set(raw.read("quarantine")["reason"])
