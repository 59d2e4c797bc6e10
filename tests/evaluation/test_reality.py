"""The agent beside the company's own rep, account by account."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.company_model import RecordedCase
from contracts.grade import CheckResult, Grade, Label, Verdict
from contracts.instants import Zone
from contracts.shift_events import Action, ShiftEvent, WorldEvent
from contracts.world import AccountTruth, Party, Status, Truth
from evaluation.reality import Reality, Side, compare, recorded_under

ANN = "ann@acme.example"


def account(number: int, archetype: str = "bookable", case_id: str = "", buyer: str = ANN) -> AccountTruth:
    fits = archetype == "bookable"
    return AccountTruth(
        account_id=f"acc-0{number}",
        domain="acme.example",
        archetype=archetype,
        facts={},
        status=Status.QUALIFIED if fits else Status.NOT_A_FIT,
        reason="late_fees" if fits else "too_small",
        buyer_address=buyer if fits else "",
        contacts=[Party(name="Ann", address=buyer)],
        case_id=case_id,
        synthetic=not case_id,
    )


def check(name: str, verdict: Verdict, evidence: list[int]) -> CheckResult:
    component = name.partition(":")[0]
    return CheckResult(
        id=name,
        component=component,
        label=Label.NOOP_FAIL,
        verdict=verdict,
        explanation="",
        evidence=evidence,
    )


def grade(*checks: CheckResult) -> Grade:
    return Grade(
        world_hash="",
        reward_millionths=0,
        components_millionths={},
        gates={},
        meetings=0,
        meetings_due=0,
        end_reason="end_shift",
        checks=list(checks),
        collateral=[],
    )


def log(*lines: tuple[int, str, dict[str, Any]]) -> list[ShiftEvent]:
    return [
        ShiftEvent(seq=n, at_ms=at, actor="agent", type=kind, data=data)
        for n, (at, kind, data) in enumerate(lines, 1)
    ]


BOOKED = Side("meeting booked", right=True, touches=2, time="3.0 d", evidence=("case-a",))
LOST = Side("no meeting, not marked", right=False, touches=1, time="one touch", evidence=("case-b",))
EVENTS = log(
    (60_000, Action.MAIL_SEND, {"to": [ANN.upper()], "cc": [], "bcc": []}),
    (90_000, Action.MAIL_SEND, {"to": ["x@other.example"]}),
    (120_000, Action.INVITE_SEND, {"attendees": [ANN]}),
    (185_000, WorldEvent.ACCEPTED, {"by": ANN, "event_id": "e", "starts_at": 1}),
    (
        200_000,
        Action.CRM_SET_FIELD,
        {"account_id": "acc-02", "field": "status", "value": "Not a fit", "reason": "too_small"},
    ),
)


def truth(*accounts: AccountTruth) -> Truth:
    return Truth(
        accounts=list(accounts),
        traps=[],
        qualification_rules=[],
        contact_rules=[],
        do_not_contact={},
        claims=[],
        internal_texts=[],
        own_domain="tarn.example",
        unsolicited_limit=3,
        weights_ppm={},
        duties=[],
        meeting_stage="",
        zone=Zone(name="", abbreviation="", offset_minutes=0),
        busy=[],
    )


def compared(*accounts: AccountTruth, recorded: dict[str, Side]) -> Reality | None:
    passed = [
        check("meeting:acc-01", Verdict.PASS, [3, 4]),
        check("qualification:acc-02", Verdict.PASS, [5]),
        check("meeting:acc-03", Verdict.FAIL, []),
    ]
    return compare(grade(*passed), EVENTS, truth(*accounts), recorded)


def test_touches_and_time_of_a_meeting_count_from_the_first_touch_to_the_acceptance() -> None:
    found = compared(account(1, case_id="case-a"), recorded={"case-a": BOOKED})
    assert found is not None
    agent = found.pairs[0].agent
    assert agent == Side("meeting booked", right=True, touches=2, time="2:05", evidence=("3", "4"))
    assert found.pairs[0].rep is BOOKED


def test_a_mark_counts_from_the_start_of_the_shift() -> None:
    unfit = account(2, "unfit", "case-a", buyer="bob@small.example")
    found = compared(unfit, recorded={"case-a": BOOKED})
    assert found is not None
    assert found.pairs[0].agent == Side("marked Not a fit: too small", True, 0, "3:20", ("5",))


def test_who_reached_nothing_says_so() -> None:
    untouched = account(3, case_id="case-b", buyer="cy@far.example")
    found = compared(untouched, recorded={"case-b": LOST})
    assert found is not None
    assert (found.pairs[0].agent.reached, found.pairs[0].agent.time) == ("nothing", "–")


def test_synthetic_accounts_and_unknown_cases_are_left_out() -> None:
    accounts = (account(1, case_id="case-a"), account(3), account(2, "unfit", "case-of-others"))
    found = compared(*accounts, recorded={"case-a": BOOKED})
    assert found is not None
    assert [pair.account_id for pair in found.pairs] == ["acc-01"]
    assert found.synthetic == 1
    assert compared(*accounts, recorded={}) is None


@pytest.mark.parametrize(
    ("agent", "rep", "n"), [(True, True, 1), (True, False, 0), (False, False, 1), (False, True, 0)]
)
def test_both_are_counted_together(agent: bool, rep: bool, n: int) -> None:
    accounts = (account(1, case_id="case-a"), account(3, case_id="case-b", buyer="cy@far.example"))
    found = compared(*accounts, recorded={"case-a": BOOKED, "case-b": LOST})
    assert found is not None
    assert found.count(agent=agent, rep=rep) == n


def recorded(archetype: str, reason: str = "") -> RecordedCase:
    return RecordedCase(case_id="case-a", archetype=archetype, reason=reason, traits={}, touches=3, days=40)


def store(home: Path, case: RecordedCase, backtest: dict[str, Any] | None) -> None:
    folder = home / "datasets" / "sample"
    (folder / "model").mkdir(parents=True)
    (folder / "reports").mkdir()
    (folder / "dataset.yaml").write_text("name: sample\n", encoding="utf-8")
    content = {"recorded_cases": [case.model_dump(mode="json")]}
    (folder / "model" / "company_model.json").write_text(json.dumps(content), encoding="utf-8")
    if backtest is not None:
        (folder / "reports" / "backtest.json").write_text(json.dumps(backtest), encoding="utf-8")


def backtested(state: str, touches: int = 2, seconds: int | None = 259_200) -> dict[str, Any]:
    one = {"case_id": "case-a", "recorded": state, "reason": "", "graded": state}
    return {"cases": [{**one, "touches": touches, "seconds": seconds}]}


@pytest.mark.parametrize(
    ("case", "backtest", "side"),
    [
        (
            recorded("bookable", "late_fees"),
            None,
            Side("meeting booked", True, 3, "40 d (whole case)", ("case-a",)),
        ),
        (
            recorded("bookable"),
            backtested("meeting"),
            Side("meeting booked", True, 2, "3.0 d", ("case-a",)),
        ),
        (
            recorded("bookable"),
            backtested("nothing", touches=1, seconds=0),
            Side("no meeting, not marked", False, 1, "one touch", ("case-a",)),
        ),
        (
            recorded("unfit", "too_small"),
            backtested("not a fit", touches=0, seconds=None),
            Side("disqualified: too small", True, 0, "–", ("case-a",)),
        ),
        (
            recorded("unfit", "too_small"),
            backtested("meeting"),
            Side("meeting booked", False, 2, "3.0 d", ("case-a",)),
        ),
    ],
)
def test_the_reps_side_is_that_of_the_records(
    tmp_path: Path, case: RecordedCase, backtest: dict[str, Any] | None, side: Side
) -> None:
    store(tmp_path, case, backtest)
    assert recorded_under(tmp_path) == {"case-a": side}


def test_no_dataset_gives_no_comparison(tmp_path: Path) -> None:
    assert recorded_under(tmp_path) == {}


def test_a_damaged_model_gives_no_comparison(tmp_path: Path) -> None:
    store(tmp_path, recorded("bookable"), None)
    (tmp_path / "datasets" / "sample" / "model" / "company_model.json").write_text("{", encoding="utf-8")
    assert recorded_under(tmp_path) == {}
