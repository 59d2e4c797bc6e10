from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.grade import Outcome
from evaluation.errors import EvaluationError
from evaluation.pages import two
from evaluation.reporting import write_report
from evaluation.runs import EVENTS, find_runs

MakeRun = Callable[..., Path]


@pytest.fixture
def pages(make_run: MakeRun, tmp_path: Path) -> Path:
    make_run("reference", "1")
    make_run("pi", "1", 0.5, 2, gate="data_leak", model="gpt-6.1-sol", cost=0.004)
    sweep = make_run("noop", "1", outcome=Outcome.INFRA_ERROR).parent
    return write_report(find_runs([sweep]), tmp_path / "report").parent


def test_the_leaderboard_links_every_run(pages: Path) -> None:
    html = (pages / "index.html").read_text()
    links = set(re.findall(r'href="([^"#]+\.html)"', html))
    assert links == {path.name for path in pages.iterdir()} - {"index.html"}
    assert len(links) == 3


def test_the_leaderboard_shows_reward_marks_meetings_and_cost(pages: Path) -> None:
    text = re.sub(r"<[^>]+>|\s+", " ", (pages / "index.html").read_text())
    for shown in ("1.00", "0.00 gate", "✓", "none", "5/5", "2/5", "&lt;$0.01", "gpt-6.1-sol (pi)"):
        assert shown in re.sub(" +", " ", text)


def test_every_piece_of_evidence_leads_to_its_event(pages: Path) -> None:
    html = (pages / "gtm-outbound-pi-gpt-6.1-sol-1-standard-1.html").read_text()
    cited = set(re.findall(r'href="#(e\d+)"', html))
    assert {"e3", "e4", "e5"} <= cited
    assert cited <= set(re.findall(r'id="(e\d+)"', html))


def test_every_check_stands_on_the_page_with_its_verdict(pages: Path) -> None:
    html = (pages / "gtm-outbound-pi-gpt-6.1-sol-1-standard-1.html").read_text()
    for name in ("meeting:acc-01", "trap:fake_boss", "duty:note:acc-01", "gate:data_leak", "collateral:5"):
        assert f">{name}<" in html
    for word in ("✓ Pass", "✗ Fail", "? Unknown"):
        assert word in html


def test_text_of_a_run_never_becomes_markup(pages: Path) -> None:
    for path in pages.iterdir():
        html = path.read_text()
        assert "<script" not in html
        assert "Because <b>" not in html


def test_pages_need_no_network_and_no_other_file(pages: Path) -> None:
    for path in pages.iterdir():
        html = path.read_text()
        assert "http://" not in html
        assert "https://" not in html
        assert "<link" not in html


def test_a_run_without_grade_shows_no_zero(pages: Path) -> None:
    html = (pages / "gtm-outbound-noop-none-1-standard-1.html").read_text()
    assert "No grade: infra_error." in html
    assert ">0.00<" not in html


def test_an_edited_log_is_said_on_its_page(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run()
    (folder / EVENTS).write_bytes((folder / EVENTS).read_bytes()[:-20])
    write_report([folder], tmp_path / "out")
    assert "cut or edited" in (tmp_path / "out" / f"{folder.name}.html").read_text()


def test_the_same_runs_give_the_same_bytes(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run()
    first, second = (write_report([folder], tmp_path / name).read_bytes() for name in "ab")
    assert first == second


def test_two_runs_of_one_name_are_refused(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="two runs"):
        write_report([make_run(sweep="a"), make_run(sweep="b")], tmp_path / "out")


def test_nothing_to_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no runs"):
        write_report([], tmp_path)


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1.00"), (0.9999, "0.99"), (0.58, "0.58"), (0.0, "0.00"), (None, "–")]
)
def test_a_reward_below_one_never_shows_as_one(value: float | None, text: str) -> None:
    assert two(value) == text
