"""Who is erased leaves their own rows and every mention of them, whatever they are called by there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from anonymize.tombstones import BLOT
from anonymize.vault import raw_tables
from pipeline.custody import Custody, custody, erase
from pipeline.errors import OnboardFailed
from pipeline.onboarding import onboard
from tests.pipeline.running import own_settings

IBAN = "DE02120300000000202051"
HER, BOSS = "alexandra.umunna@brightwater.com", "wilberta.strang@brightwater.com"
STAFF = [
    f"S-2001,Alexandra,Umunna,aumunna,{HER},1967-04-06,45340,{IBAN},UNIT-0000077,+49 7031 558 214,",
    f"S-2002,Wilberta,Strang,wstrang,{BOSS},1971-02-03,51200,DE02500105170137075030,UNIT-0000077,"
    "+49 7031 558 215,Alexandra earns 45340",
    "S-2003,Gerald,Okonski,gokonski,gerald.okonski@brightwater.com,1969-09-09,47110,"
    f"DE02100500000054540402,UNIT-0000077,+49 7031 558 216,ask aumunna or Ms Umunna; paid to {IBAN}",
    "S-2004,Robert,Marklund,rmarklund,robert.marklund@brightwater.com,1980-01-01,39990,"
    "DE02300209000106531065,UNIT-0000077,+49 7031 558 217,Robert earns 39990",
]
NOTES = ["N-1,S-2001,her file", "N-2,S-2002,Alexandra Umunna sat here"]
TOLD = "Her number is 07031/558214, her birthday 06.04.67 or the 6. April; mine is 07031/558217."
REAL = (
    "alexandra",
    "sandra",
    "umunna",
    "45340",
    "1967-04-06",
    IBAN.lower(),
    "558214",
    "06.04.67",
    "6. april",
)


def quiet(*_: object) -> None:
    """Hears nothing."""


def mail(number: int, sender: str, to: str, body: str) -> str:
    return (
        f"From x Thu Jan  4 10:0{number}:00 2024\nMessage-ID: <{number}@brightwater.com>\nFrom: {sender}\n"
        f"To: {to}\nDate: Thu, 4 Jan 2024 10:0{number}:00 +0000\nSubject: order\n\n{body}\n\n"
    )


INVITATION = f"""From x Thu Jan  4 10:05:00 2024
Message-ID: <5@brightwater.com>
From: {BOSS}
To: robert.marklund@brightwater.com
Date: Thu, 4 Jan 2024 10:05:00 +0000
Subject: round
MIME-Version: 1.0
Content-Type: text/calendar; charset=utf-8; method=REQUEST

BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:u-5@brightwater.com
DTSTART:20240105T090000Z
DTEND:20240105T100000Z
SUMMARY:round
ORGANIZER;CN=Alexandra Umunna:mailto:{HER}
DESCRIPTION:Alexandras notebook\\, Umunnas figures
END:VEVENT
END:VCALENDAR

"""


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, small_manifest: Callable[..., Path]) -> Iterator[Path]:
    """An onboarded archive of a table of staff, another that points to it, and mails."""
    base = tmp_path_factory.mktemp("erased")
    archive = base / "archive"
    (archive / "crm").mkdir(parents=True)
    staff = {
        "id": "id",
        "first": {"kind": "person", "part": "first", "person": "who"},
        "last": {"kind": "person", "part": "last", "person": "who"},
        "login": "login",
        "email": "email",
        "birthday": "date",
        "amount": "money",
        "number": "id",
        "unit": "id",
        "phone": "phone",
        "remark": "text",
    }
    notes = {"id": "id", "staff": {"kind": "id", "references": "crm.staff.id"}, "remark": "text"}
    small_manifest(archive, {"staff": staff, "notes": notes}, name="erased")
    (archive / "crm" / "staff.csv").write_text("\n".join([",".join(staff), *STAFF, ""]))
    (archive / "crm" / "notes.csv").write_text("\n".join([",".join(notes), *NOTES, ""]))
    (archive / "mail.mbox").write_text(
        mail(0, BOSS, HER, "Hi Sandra,\nplease ask Robert.\nWilberta Strang")
        + mail(
            1,
            BOSS,
            "robert.marklund@brightwater.com",
            f"Alexandra Umunna knows.\nSandra has the list.\n{TOLD}",
        )
        + INVITATION
    )
    with own_settings(base):
        onboard(base / "home", archive, None, quiet, quiet)
        yield base


def raw_text(owner: Custody) -> str:
    raw = raw_tables(owner.home, owner.key)
    return " ".join(str(raw.read(name).rows()) for name in raw.names()).lower()


def clean_text(owner: Custody) -> str:
    return " ".join(str(pl.read_parquet(path).rows()) for path in owner.home.clean.glob("*.parquet")).lower()


def hashes(owner: Custody) -> dict[str, list[str]]:
    """Table -> content hashes of its rows, in raw tables."""
    raw = raw_tables(owner.home, owner.key)
    names = [name for name in raw.names() if "content_hash" in raw.columns(name)]
    return {name: raw.read(name, ["content_hash"])["content_hash"].to_list() for name in names}


def found(text: str) -> list[str]:
    return [real for real in REAL if real in text]


def test_what_is_left_of_the_erased_in_raw_tables_blocks_before_anything_is_rebuilt(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(first / "home", tmp_path / "home")
    owner = custody(tmp_path / "home", "erased", quiet)
    former = clean_text(owner)
    monkeypatch.setattr("anonymize.tombstones.Tombstones.blotted", lambda self, text, near=False: text)
    monkeypatch.setattr("anonymize.tombstones.Tombstones.cleared", lambda self, place, text, *_, **__: text)
    with pytest.raises(OnboardFailed, match=r"left in raw tables \(.*records-crm-staff.remark") as failure:
        erase(owner, HER, "asked", quiet, quiet)
    assert not found(str(failure.value).lower()) and clean_text(owner) == former


def test_an_erased_person_leaves_own_rows_and_every_mention_and_stays_out(first: Path) -> None:
    owner = custody(first / "home", "erased", quiet)
    assert found(raw_text(owner)) == list(REAL)
    former = pl.read_parquet(owner.home.clean / "records-crm-staff.parquet")
    whole = hashes(owner)
    result = erase(owner, "Alexandra Umunna", "asked", quiet, quiet).result
    assert result is not None and result.leaks == 0

    def absent() -> None:
        assert not found(raw_text(owner)) and not found(clean_text(owner))
        raw = raw_tables(owner.home, owner.key)
        staff = {row["id"]: row for row in raw.read("records-crm-staff").iter_rows(named=True)}
        hers = {column: value for column, value in staff["S-2001"].items() if value}
        assert {"id", "unit"} == hers.keys() & set(former.columns[former.columns.index("id") :])
        assert str(staff["S-2002"]["remark"]) == f"{BLOT * 9} earns {BLOT * 5}"
        assert staff["S-2004"]["remark"] == "Robert earns 39990" and staff["S-2004"]["first"] == "Robert"
        assert {row["unit"] for row in staff.values()} == {"UNIT-0000077"}
        assert "S-2001" in raw.read("records-crm-notes")["staff"].to_list()
        clean = pl.read_parquet(owner.home.clean / "records-crm-staff.parquet")
        notes = pl.read_parquet(owner.home.clean / "records-crm-notes.parquet")
        assert clean["id"].to_list() == former["id"].to_list()
        assert set(notes["staff"]) <= set(clean["id"])
        assert "mine is 07031/558217" in raw_text(owner)
        (invited,) = raw.read("calendar_items")["description"]
        left = invited.replace(BLOT, "").split()
        assert [word for word in left if word != "s"] == ["notebook,", "figures"]
        for name, marked in hashes(owner).items():
            assert not set(marked) & set(whole[name]) and None not in marked
            assert all(one.startswith("erased-") for one in marked)

    absent()
    onboard(first / "home", first / "archive", None, quiet, quiet)  # reads the archive anew
    absent()
