"""A blocked run tells where leaks stand, which report lists them, and how to look at the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anonymize.explaining import explain
from anonymize.identifiers import IdentifierMap
from pipeline.custody import custody
from pipeline.errors import OnboardFailed
from pipeline.onboarding import onboard
from tests.pipeline.running import own_settings

PLACE, BADGE = "records-crm-staff.remark", "records-crm-staff.badge"
STAYS = "31007"


def quiet(*_: object) -> None:
    """Hears nothing."""


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[None]:
    with own_settings(tmp_path):
        yield


@pytest.mark.usefixtures("settings")
def test_the_message_names_column_report_and_next_step_and_pending_cells_are_explained(
    tmp_path: Path, small_manifest: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "archive"
    (archive / "crm").mkdir(parents=True)
    small_manifest(
        archive, {"staff": {"id": "id", "name": "person", "badge": "id", "remark": "text"}}, name="blocked"
    )
    (archive / "crm" / "staff.csv").write_text(
        "id,name,badge,remark\nS-20001,Ada Vandermeer,42113,Ada Vandermeer asked\n"
        f"S-20002,Olga Marklund,{STAYS},nothing said\n"
    )
    (archive / "mail.mbox").write_text("")
    monkeypatch.setattr("anonymize.audit.single_name_leaks", lambda *_: Counter({PLACE: 2}))
    number = IdentifierMap.number
    monkeypatch.setattr(
        IdentifierMap, "number", lambda self, text: text if text == STAYS else number(self, text)
    )
    with pytest.raises(OnboardFailed) as failure:
        onboard(tmp_path / "home", archive, None, quiet, quiet)
    told = str(failure.value)
    report = tmp_path / "home" / "datasets" / "blocked" / "reports" / "audit.json"
    assert report.is_file() and f"all are in {report}" in told
    assert f"leaks is 3, expected 0: 2 in {PLACE}, 1 in {BADGE} (" in told
    assert f"rl-dojo onboard blocked --explain {PLACE}" in told and "policy.yaml" in told
    held = custody(tmp_path / "home", "blocked", quiet)
    story = explain(held.home, held.key, PLACE)
    assert story.blocked and "nothing said" in [cell.marked for cell in story.stories]
    assert any("⟦" in cell.marked for cell in story.stories)
    assert story.leaking == 0 and not any(cell.leaks for cell in story.stories)
    badges = explain(held.home, held.key, BADGE)
    assert badges.leaking == 1 and [cell.leaks for cell in badges.stories] == [True, False]
    assert badges.stories[0].text == STAYS and badges.stories[1].text not in (STAYS, "42113")
