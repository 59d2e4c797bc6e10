"""The backtest: what archived actions earn in world and grader, and that it finds what was planted."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest, load_topics, save_manifest
from contracts.company_model import CompanyModel
from contracts.decisions import Condition, Operator, Rule
from contracts.manifest import Topic, TopicMap
from contracts.shift_events import Action
from evaluation.archived import ArchivedCase, Notice, Person, RepAction, read_archived
from evaluation.backtest import Backtest, backtest, replay
from evaluation.backtest_report import report_of, run_backtest, write_backtest
from evaluation.casting import Casting
from evaluation.deciding import Cause
from evaluation.end_states import EndState
from evaluation.errors import EvaluationError
from extract.model import extract_dataset
from worldgen.template import load_authored

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SAMPLES = Path(__file__).parents[2] / "data_samples"
ANN, BOB = "ann.lee@acme.example", "bob.hall@acme.example"
MONDAY = 1_700_000_000
OFFER, OTHER, LATER = MONDAY + 90_000, MONDAY + 180_000, MONDAY + 270_000
PITCH = "Hi Ann,\n\nYour hauliers were paid twice. Could we talk for 30 minutes next week?"
TOO_SMALL = Rule(
    id="qualification-too_small",
    decision="qualification",
    when=[Condition(fact="employees", operator=Operator.BELOW, value=100)],
    outcome="too_small",
)


@pytest.fixture(scope="module")
def casting() -> Casting:
    topics = TopicMap(
        topics={
            "twice": Topic(concept="duplicate_payments", wordings=["paid twice", "duplicate payment"]),
            "fees": Topic(concept="late_fees", wordings=["late fee"]),
        }
    )
    reasons = ["too_small", "region"]
    return Casting(load_authored(ENV), "gtm-outbound", topics, [TOO_SMALL], "tarn.example", reasons)


def mail(second: int, body: str = PITCH, to: str = ANN) -> RepAction:
    data = {"thread": f"th-{to}", "to": (to,), "subject": "Payables", "body": body}
    return RepAction(MONDAY + second, Action.MAIL_SEND, f"m-{second}", data)


def invite(second: int, starts_at: int = OFFER, to: str = ANN, uid: str = "u1") -> RepAction:
    data = {
        "uid": uid,
        "starts_at": starts_at,
        "ends_at": starts_at + 1800,
        "attendees": (to,),
        "title": "Intro call",
        "text": "",
    }
    return RepAction(MONDAY + second, Action.INVITE_SEND, f"m-{second}", data)


def cancel(second: int, uid: str = "u1") -> RepAction:
    return RepAction(MONDAY + second, Action.INVITE_CANCEL, f"m-{second}", {"uid": uid})


def mark(reason: str = "") -> RepAction:
    data = {"field": "status", "fits": not reason, "reason": reason}
    return RepAction(MONDAY + 9_000, Action.CRM_SET_FIELD, "r-lead", data)


def ann(machine: str = "bookable", **more: Any) -> Person:
    return Person(ANN, "Ann Lee", 0, machine, [(OFFER, OTHER)], **more)


def case(
    *actions: RepAction,
    people: tuple[Person, ...] | None = None,
    facts: Mapping[str, Any] | None = None,
    recorded: EndState = EndState.MEETING,
    notices: tuple[Notice, ...] = (),
    reason: str = "",
) -> ArchivedCase:
    return ArchivedCase(
        case_id="case-1",
        lead="r-lead",
        account="Acme Freight",
        rep="rep@tarn.example",
        facts={"employees": 300, **(facts or {})},
        concept="duplicate_payments",
        pain="The Courier, March: the Leeds site paid twice for freight, $41,700 clawed back",
        people=(ann(),) if people is None else people,
        actions=(*actions, mark(reason)),
        notices=notices,
        waivers=(),
        reports=(),
        recorded=recorded,
        reason=reason,
        evidence=("r-lead",),
        pitches=(),
        touches=len(actions),
        seconds=None,
    )


OTHER_PROBLEM = "Hi Ann,\n\nLate fees are easy money. Could we talk for 30 minutes next week?"
STOP = Notice(MONDAY + 5, f"do_not_contact:{ANN}", "m-stop")
SIGNED = Notice(MONDAY + 5, "signed", "m-signed")
DELEGATE = (ann("out_of_office", delegate=BOB), Person(BOB, "Bob Hall", 0, "delegate", [(OFFER, OTHER)]))
MOVED = (ann("cancels", replacement=LATER),)


@pytest.mark.parametrize(
    ("archived", "graded", "rule"),
    [
        pytest.param(case(mail(1), invite(2)), EndState.MEETING, "meeting", id="right pitch, offered time"),
        pytest.param(
            case(mail(1), invite(2, OTHER)), EndState.MEETING, "meeting", id="the second time offered"
        ),
        pytest.param(
            case(mail(1, OTHER_PROBLEM), invite(2)),
            EndState.NOTHING,
            "buyer:cold:always:other_problem",
            id="another problem",
        ),
        pytest.param(
            case(mail(1), invite(2, LATER)), EndState.NOTHING, "buyer:offered:always", id="a time not offered"
        ),
        pytest.param(case(mail(1)), EndState.NOTHING, "buyer:cold:pitch:relevant", id="never invited"),
        pytest.param(
            case(
                mail(1, OTHER_PROBLEM),
                mail(2, "Hi Ann, $41,700 paid twice. Have time for a call?"),
                invite(3),
            ),
            EndState.MEETING,
            "meeting",
            id="second chance with a fact",
        ),
        pytest.param(
            case(mail(1), mail(2, PITCH.replace("Ann", "Bob"), BOB), invite(3, to=BOB), people=DELEGATE),
            EndState.MEETING,
            "meeting",
            id="the delegate",
        ),
        pytest.param(
            case(mail(1), invite(2), cancel(3), invite(4, LATER, uid="u2"), people=MOVED),
            EndState.MEETING,
            "meeting",
            id="moved to the time asked for",
        ),
        pytest.param(
            case(mail(1), invite(2), people=MOVED), EndState.NOTHING, "buyer:", id="cancelled and left so"
        ),
        pytest.param(
            case(mail(1), mail(10), invite(20), notices=(STOP,)),
            EndState.NOTHING,
            "gate:do_not_contact",
            id="written to after asking to be left alone",
        ),
        pytest.param(
            case(mail(1, PITCH + " We guarantee a 20 % discount."), invite(2)),
            EndState.NOTHING,
            "gate:false_claim",
            id="a promise",
        ),
        pytest.param(
            case(reason="too_small", facts={"employees": 40}, recorded=EndState.NOT_A_FIT, people=()),
            EndState.NOT_A_FIT,
            "qualification-too_small",
            id="disqualified by the rule",
        ),
        pytest.param(
            case(reason="region", recorded=EndState.NOT_A_FIT, people=()),
            EndState.NOTHING,
            "qualification:no_rule",
            id="disqualified by no rule",
        ),
        pytest.param(
            case(mail(1), invite(2), facts={"employees": 40}),
            EndState.NOTHING,
            "qualification-too_small",
            id="kept against the rule",
        ),
        pytest.param(
            case(mail(1), notices=(SIGNED,), facts={"already_customer": True}),
            EndState.NOTHING,
            "qualification-signed",
            id="signed meanwhile and never marked",
        ),
    ],
)
def test_a_case_earns_what_world_and_grader_say_and_names_what_decided(
    casting: Casting, archived: ArchivedCase, graded: EndState, rule: str
) -> None:
    found = replay(archived, casting)
    assert (found.graded, found.refused) == (graded, ())
    assert found.decider.rule.startswith(rule)
    assert found.decider.evidence


def test_evidence_is_the_rows_of_the_archive(casting: Casting) -> None:
    found = replay(case(mail(1, OTHER_PROBLEM), invite(2)), casting)
    assert found.decider.evidence == ("m-1", "r-lead")
    found = replay(case(mail(1), mail(10), invite(20), notices=(STOP,)), casting)
    assert {"m-10", "m-20"} <= set(found.decider.evidence)


def test_the_same_case_gives_the_same_grade(casting: Casting) -> None:
    one, other = (replay(case(mail(1), invite(2)), casting) for _ in range(2))
    assert one == other


def test_an_outcome_that_was_changed_is_a_disagreement(casting: Casting) -> None:
    right = case(mail(1), invite(2))
    none = case(mail(1, OTHER_PROBLEM), recorded=EndState.NOTHING)
    small = case(reason="too_small", facts={"employees": 40}, recorded=EndState.NOT_A_FIT, people=())
    honest = [replace(one, case_id=f"case-{n}") for n, one in enumerate((right, none, small))]
    assert backtest("d", "e", honest, casting).disagreements == ()
    lies = (EndState.NOTHING, EndState.MEETING, EndState.MEETING)
    told = [replace(one, recorded=lie) for one, lie in zip(honest, lies, strict=True)]
    found = backtest("d", "e", told, casting)
    assert [one.replayed.case.case_id for one in found.disagreements] == ["case-0", "case-1", "case-2"]
    assert found.end_states.agreed == 0


def test_a_case_without_a_problem_is_left_out_with_the_reason(casting: Casting) -> None:
    found = backtest("d", "e", [replace(case(mail(1)), concept="")], casting)
    assert found.replayed == ()
    assert "topic map" in found.left_out["case-1"]


def test_a_dataset_that_was_not_onboarded_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="onboard"):
        run_backtest(DatasetHome(tmp_path, "absent"), ENV)


def test_the_archives_maker_shares_no_code_with_buyers_or_matcher() -> None:
    allowed = {"data_samples", *sys.stdlib_module_names}
    project = {path.name for path in SAMPLES.parent.iterdir() if (path / "__init__.py").is_file()}
    found: set[str] = set()
    for path in SAMPLES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    assert found & allowed
    assert not (found - allowed) & project


# ---------------------------------------------------------------- the sample archive


class Sample(NamedTuple):
    """The sample archive read, backtested, and its answer key."""

    home: DatasetHome
    result: Backtest
    truth: Callable[[str], Any]

    def case_of(self, kind: str, record: str) -> str:
        rows = pl.read_parquet(self.home.model / "cases.parquet")
        found = rows.filter((pl.col("kind") == kind) & (pl.col("record") == record))["case_id"].to_list()
        return str(found[0])

    def case_named(self, name: str) -> str:
        return self.case_of("lead", self.truth("cases")[name]["leads"][0])


def truth(name: str) -> Any:
    return json.loads((SAMPLES / "truth" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    loaded = load_manifest(SAMPLES / "archive")
    home = DatasetHome(tmp_path_factory.mktemp("backtest"), "sample")
    ingest_dataset(loaded.manifest, loaded.base, home.clean, lambda step, done, total: None)
    extract_dataset(home, load_topics(loaded), lambda step, done, total: None)
    home.folder.mkdir(parents=True, exist_ok=True)
    save_manifest(home.manifest_path, loaded, SAMPLES / "archive", "sample")
    return Sample(home, run_backtest(home, ENV), truth)


@pytest.mark.slow
def test_planted_flaws_of_the_outcomes_are_found(sample: Sample) -> None:
    exceptions = {sample.case_of("lead", lead) for lead in truth("rules")["qualification"]["exceptions"]}
    planted = {
        trap["kind"]: {
            sample.case_named(one["case_id"]) for one in truth("traps") if one["kind"] == trap["kind"]
        }
        for trap in truth("traps")
        if trap["kind"] in ("stale_crm", "plan_changes")
    }
    assert len(exceptions) == 4
    assert {kind: len(cases) for kind, cases in planted.items()} == {"stale_crm": 2, "plan_changes": 6}
    marks = {one.replayed.case.case_id: one for one in sample.result.disagreements if one.about == "mark"}
    assert set(marks) == exceptions | planted["stale_crm"] | planted["plan_changes"]
    assert {marks[one].decider.rule for one in planted["stale_crm"]} == {"qualification-acquired"}
    assert {marks[one].decider.rule for one in planted["plan_changes"]} == {"qualification-signed"}
    assert all(len(one.decider.evidence) > 1 for one in marks.values() if one.graded != "qualified")


@pytest.mark.slow
def test_replays_end_as_recorded_and_every_disagreement_names_its_rule(sample: Sample) -> None:
    result = sample.result
    assert (len(result.replayed), result.left_out) == (158, {})
    assert result.end_states.kappa is not None
    assert result.end_states.kappa >= 0.75
    assert result.readings.kappa is not None
    assert result.readings.kappa >= 0.75
    assert result.answers.kappa is not None
    assert result.answers.kappa >= 0.5
    assert not [text for one in result.replayed for text in one.refused]
    assert all(one.decider.rule and one.decider.why and one.decider.evidence for one in result.disagreements)
    assert all(one.decider.evidence[0] == one.mail for one in result.answer_disagreements)


@pytest.mark.slow
def test_what_buyers_answer_is_what_the_answer_key_says(sample: Sample) -> None:
    recorded = {
        pair.case_id
        for one in sample.result.replayed
        for pair in one.answers
        if pair.pair[0] == "times offered"
    }
    offered = {
        sample.case_named(one["case_id"])
        for one in truth("response")["outreach"]
        if one["answer"] == "offers_times" and one["case_id"].startswith("CASE-0")
    }
    assert recorded == offered


@pytest.mark.slow
def test_outcomes_falsified_in_the_records_are_found(sample: Sample, tmp_path: Path) -> None:
    result = sample.result
    booked = [
        one.case for one in result.replayed if one.ends_agree and one.case.recorded is EndState.MEETING
    ][:3]
    unfit = [
        one.case for one in result.replayed if one.ends_agree and one.case.recorded is EndState.NOT_A_FIT
    ][:2]
    other = DatasetHome(tmp_path, "sample")
    shutil.copytree(sample.home.clean, other.clean)
    meetings = {row for one in booked for row in one.evidence[1:]}
    _set(other.clean / "records-crm-event.parquet", meetings, {"Status": "Cancelled"})
    kept = {one.lead for one in unfit}
    status = {"Status__c": "Qualified", "Disqualified_Reason__c": None}
    _set(other.clean / "records-crm-lead.parquet", kept, status)
    topics = load_topics(load_manifest(sample.home.manifest_path))
    model = CompanyModel.model_validate_json((sample.home.model / "company_model.json").read_bytes())
    assert topics is not None
    wanted = {one.case_id for one in (*booked, *unfit)}
    cases = [one for one in read_archived(other, topics) if one.case_id in wanted]
    rules = [mined.rule for mined in model.qualification]
    casting = Casting(load_authored(ENV), "gtm-outbound", topics, rules, "tarnwick.com", [])
    found = backtest("sample", "gtm-outbound", cases, casting)
    assert {one.replayed.case.case_id for one in found.disagreements} == wanted
    by_case = {one.replayed.case.case_id: one for one in found.disagreements}
    assert {by_case[one.case_id].cause for one in unfit} == {Cause.CRITERIA}
    assert {by_case[one.case_id].graded for one in booked} == {EndState.MEETING}


def _set(path: Path, rows: set[str], values: Mapping[str, str | None]) -> None:
    table = pl.read_parquet(path)
    hit = pl.col("record_id").is_in(sorted(rows))
    changed = [
        pl.when(hit).then(pl.lit(value, pl.String)).otherwise(pl.col(name)).alias(name)
        for name, value in values.items()
    ]
    table.with_columns(changed).write_parquet(path)


@pytest.mark.slow
def test_the_report_is_the_same_bytes_each_time_and_shows_every_disagreement(
    sample: Sample, tmp_path: Path
) -> None:
    pages = [write_backtest(sample.result, tmp_path / str(turn)) for turn in range(2)]
    assert pages[0].read_bytes() == pages[1].read_bytes()
    shown = pages[0].read_text(encoding="utf-8")
    content = json.loads((tmp_path / "0" / "backtest.json").read_bytes())
    assert content == json.loads(json.dumps(report_of(sample.result)))
    assert all(one["case_id"] in shown and one["rule"] in shown for one in content["disagreements"])
    assert content["comparisons"]["end_state"]["n"] == content["replayed"]
