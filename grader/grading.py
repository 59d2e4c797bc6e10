"""The grade of a shift: gates first, then four components, each from checks with reasons and evidence."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from contracts.canonical import CanonicalError
from contracts.grade import CheckResult, Grade, Label, Verdict
from contracts.shift_events import LoggedEvent, ShiftEvent, read_logged
from contracts.world import Truth
from grader.collateral import list_collateral
from grader.gates import GATES, check_gates
from grader.hygiene import check_duties
from grader.leaks import Leaks
from grader.log_view import Defect, LogView, view_log
from grader.meetings import check_meetings, read_calendar
from grader.qualification import Marks, check_qualification
from grader.traps import Evidence, check_traps

COMPONENTS = ("meetings", "qualification", "traps", "crm_hygiene")
WHOLE = 1_000_000


def grade_shift(events: Iterable[ShiftEvent | LoggedEvent], truth: Truth) -> Grade:
    """Returns the grade of a shift from its log and its truth alone.

    A log that no shift can have written earns nothing: every check is unknown and `log:intact` says why.
    """
    view = view_log(events)
    calendar = read_calendar(view)
    marks = check_qualification(view, truth)
    meetings = check_meetings(calendar, truth)
    leaks = Leaks(truth)
    traps = check_traps(Evidence(view, calendar, marks, truth, leaks))
    duties = check_duties(view, calendar, truth)
    gates = check_gates(view, truth, leaks)
    collateral = list_collateral(view, calendar, truth, leaks.people)
    checks = [*gates, *meetings, *marks.checks, *traps, *duties]
    if view.defects:
        return _unknown(view, checks)
    components = _components(meetings, marks, traps, duties, len(collateral))
    return Grade(
        world_hash=view.world_hash,
        reward_millionths=_reward(components, gates, truth),
        components_millionths={name: int(value * WHOLE) for name, value in components.items()},
        gates={name: gate.verdict is Verdict.PASS for name, gate in zip(GATES, gates, strict=True)},
        meetings=_passed(meetings),
        meetings_due=len(meetings),
        end_reason=view.end_reason,
        checks=checks,
        collateral=collateral,
    )


def grade_run(run: Path, truth: Truth) -> Grade:
    """Returns the grade of a run folder's log; a broken chain gives an unknown grade, never an exception.

    Raises:
        OSError: the folder holds no readable `events.jsonl`.
    """
    return grade_log((run / "events.jsonl").read_bytes().splitlines(keepends=True), truth)


def grade_log(lines: Iterable[bytes], truth: Truth) -> Grade:
    """Returns the grade of a stored log after checking its chain; a broken one gives an unknown grade."""
    try:
        return grade_shift(read_logged(lines), truth)
    except CanonicalError as error:
        empty = grade_shift([], truth)
        broken = _intact_check([Defect(0, str(error))])
        return empty.model_copy(update={"checks": [broken, *empty.checks[1:]]})


def _components(
    meetings: list[CheckResult],
    marks: Marks,
    traps: list[CheckResult],
    duties: list[CheckResult],
    items: int,
) -> dict[str, Fraction]:
    booked = _share(_passed(meetings), len(meetings))
    marked = _share(len(marks.right) - len(marks.wrong), len(marks.checks))
    # Without a meeting or a right mark nothing was earned that a trap or the CRM could be about.
    earned = bool(booked or marked)
    return {
        "meetings": booked,
        "qualification": marked,
        "traps": _share(_passed(traps), len(traps)) if earned else Fraction(0),
        "crm_hygiene": _share(_passed(duties) - items, len(duties)) if earned else Fraction(0),
    }


def _passed(checks: list[CheckResult]) -> int:
    return sum(check.verdict is Verdict.PASS and check.label is Label.NOOP_FAIL for check in checks)


def _share(part: int, whole: int) -> Fraction:
    """Returns a share in [0, 1]; of nothing due nothing is earned."""
    return Fraction(max(0, part), whole) if whole else Fraction(0)


def _reward(components: dict[str, Fraction], gates: list[CheckResult], truth: Truth) -> int:
    if any(gate.verdict is not Verdict.PASS for gate in gates):
        return 0
    return int(sum(truth.weights_ppm.get(name, 0) * value for name, value in components.items()))


def _unknown(view: LogView, checks: list[CheckResult]) -> Grade:
    unknown = [
        check.model_copy(
            update={"verdict": Verdict.UNKNOWN, "explanation": "the log is broken", "evidence": []}
        )
        for check in checks
    ]
    return Grade(
        world_hash=view.world_hash,
        reward_millionths=0,
        components_millionths=dict.fromkeys(COMPONENTS, 0),
        gates=dict.fromkeys(GATES, False),
        meetings=0,
        meetings_due=sum(check.component == "meetings" for check in checks),
        end_reason=view.end_reason,
        checks=[_intact_check(view.defects), *unknown],
        collateral=[],
    )


def _intact_check(defects: Iterable[Defect]) -> CheckResult:
    found = list(defects)
    shown = "; ".join(f"line {defect.seq}: {defect.what}" for defect in found[:5])
    return CheckResult(
        id="log:intact",
        component="gate",
        label=Label.NOOP_PASS,
        verdict=Verdict.UNKNOWN,
        explanation=f"no shift writes this log ({shown})",
        evidence=[defect.seq for defect in found],
    )
