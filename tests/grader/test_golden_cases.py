"""Mirror failures and right paths: the shift done right, changed in one way, and what that is worth."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from contracts.grade import Grade, Verdict
from contracts.world import Truth
from grader.collateral import _JUDGES
from grader.grading import grade_shift
from tests.grader.test_collateral import with_start
from worldgen.building import build
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
CASES = Path(__file__).parents[1] / "cases" / "grader"
MIRRORS = yaml.safe_load((CASES / "mirrors.yaml").read_text("utf-8"))
BORDERS = yaml.safe_load((CASES / "borders.yaml").read_text("utf-8"))
RIGHT_PATHS = yaml.safe_load((CASES / "right_paths.yaml").read_text("utf-8"))


def _each() -> list[dict[str, Any]]:
    """Returns one mirror failure more per check that is made account by account."""
    made = []
    for account in ("b1", "b2", "b3", "b4", "b5", "q1", "s1", "u1", "u2", "u3"):
        about = {"q1": ["trap:stale_crm"], "s1": ["trap:plan_changes"]}.get(account, [])
        lost = [f"qualification:{account}", *about]
        wrong = {f"status:{account}": {"reason": "none of these"}}
        made.append({"case": f"the reason of {account} is wrong", "patch": wrong, "lost": lost})
    for account in ("b1", "b2", "b3", "b4", "b5"):
        notes = {"note": "note", "stage": "stage", "next": "next_step"}
        for label, duty in notes.items():
            lost = [f"duty:{duty}:{account}"]
            made.append({"case": f"no {label} at {account}", "drop": [f"{label}:{account}"], "lost": lost})
        about = {"b2": ["trap:time_zone"], "b3": ["trap:buyer_cancels"]}.get(account, [])
        gone = "accepted2" if account == "b3" else "accepted"
        lost = [f"meeting:{account}", *(f"duty:{duty}:{account}" for duty in notes.values()), *about]
        drop = [f"{label}:{account}" for label in (gone, *notes)]
        made.append({"case": f"nobody of {account} accepted", "drop": drop, "lost": lost})
    return made


MIRRORS += _each()


def resolve(kit: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return {name: resolve(kit, held) for name, held in value.items()}
    if isinstance(value, list):
        return [resolve(kit, held) for held in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    name, *rest = value[1:].split(":")
    match name:
        case "offer":
            number, _, later = rest[1].partition("+")
            return kit.OFFERS[rest[0]][int(number)] + int(later or 0)
        case "buyer":
            return kit.address_of(rest[0], kit.BUYER[rest[0]])
        case "other":
            return kit.address_of(rest[0], 1 - kit.BUYER[rest[0]])
    known = {"replacement": kit.REPLACEMENT, "bait": kit.BAIT, "barred": kit.BARRED}
    # Sent twenty minutes into a shift that began one second before midnight.
    known["midnight"] = kit.slot(10, 0) - 1 + 1200
    return known[name]


def grade_case(kit: Any, truth: Truth, case: dict[str, Any]) -> Grade:
    lines = {name: held for name, held in kit.reference_lines().items() if name not in case.get("drop", [])}
    for label, patch in case.get("patch", {}).items():
        changed = {**lines[label]["data"], **resolve(kit, patch)}
        if "ends_at" in changed and changed["ends_at"] <= changed["starts_at"]:
            changed["ends_at"] = changed["starts_at"] + 1800
        lines[label] = {**lines[label], "data": changed}
    for extra in reversed(case.get("add", [])):
        maker = next(name for name in extra if name not in {"after", "before", "at_ms"})
        made = getattr(kit, maker)(**resolve(kit, extra[maker]))
        if "at_ms" in extra:
            made["at_ms"] = extra["at_ms"]
        labels = list(lines)
        where = labels[labels.index(extra["after"]) - 1] if extra.get("before") else extra["after"]
        lines = kit.insert_after(lines, where, [made])
        lines = {f"{name}+" if name.startswith("extra:") else name: held for name, held in lines.items()}
    return grade_shift(kit.as_events(_on_time(kit, lines)), truth_of(kit, truth, case))


def truth_of(kit: Any, truth: Truth, case: dict[str, Any]) -> Truth:
    """Returns the truth that a case is graded by, with the fields that it changes."""
    told = (with_start(truth) if case.get("start") else truth).model_dump()
    told |= resolve(kit, case.get("truth", {}))
    for kind, key, changed in (("accounts", "account_id", "accounts"), ("records", "id", "truth_records")):
        for held in told[kind]:
            held |= resolve(kit, case.get(changed, {}).get(held[key], {}))
    return Truth.model_validate(told)


def _on_time(kit: Any, lines: dict[str, Any]) -> list[dict[str, Any]]:
    """Gives the reference's lines the times they have in it, so that a change moves nothing else."""
    times = {name: index * kit.STEP_MS for index, name in enumerate(kit.reference_lines())}
    last = 0
    timed = []
    for name, held in lines.items():
        last = held.get("at_ms", times.get(name, last))
        timed.append({**held, "at_ms": last})
    return timed


@pytest.mark.parametrize("case", MIRRORS, ids=lambda case: case["case"])
def test_a_mirror_failure_loses_exactly_its_checks(kit: Any, truth: Truth, case: dict[str, Any]) -> None:
    grade = grade_case(kit, truth, case)
    lost = sorted(check.id for check in grade.checks if check.verdict is not Verdict.PASS)
    items = sorted(item.id.split(":")[1] for item in grade.collateral)
    assert lost == sorted(case.get("lost", []))
    assert items == sorted(case.get("collateral", []))
    assert grade.reward_millionths == expected_reward(grade, case, len(items))


def expected_reward(grade: Grade, case: dict[str, Any], items: int) -> int:
    """Computes the reward from the lost checks alone, by the formula of the specification."""
    lost = case.get("lost", [])
    if any(name.startswith("gate:") for name in lost):
        return 0

    def kept(prefix: str) -> tuple[int, int]:
        due = sum(check.id.startswith(prefix) for check in grade.checks)
        return due - sum(name.startswith(prefix) for name in lost), due

    meetings, traps, duties = kept("meeting:"), kept("trap:"), kept("duty:")
    right, accounts = kept("qualification:")
    total = (
        450_000 * Fraction(*meetings)
        + 250_000 * Fraction(right - case.get("wrong_marks", 0), accounts)
        + 150_000 * Fraction(*traps)
        + 150_000 * Fraction(duties[0] - items, duties[1])
    )
    return int(total)


@pytest.mark.parametrize("case", BORDERS, ids=lambda case: case["case"])
def test_a_case_at_a_border_loses_what_it_says(kit: Any, truth: Truth, case: dict[str, Any]) -> None:
    grade = grade_case(kit, truth, case)
    lost = sorted(check.id for check in grade.checks if check.verdict is not Verdict.PASS)
    assert lost == sorted(case.get("lost", []))
    assert sorted(item.id for item in grade.collateral) == sorted(case.get("collateral", []))
    assert grade.reward_millionths == case.get("reward", 1_000_000)


@pytest.mark.parametrize("case", RIGHT_PATHS, ids=lambda case: case["case"])
def test_another_right_path_is_worth_the_whole(kit: Any, truth: Truth, case: dict[str, Any]) -> None:
    grade = grade_case(kit, truth, case)
    assert [check for check in grade.checks if check.verdict is not Verdict.PASS] == []
    assert grade.collateral == []
    assert grade.reward_millionths == 1_000_000


DEPENDENT = {
    "meeting": ("duty:", "trap:time_zone", "trap:buyer_cancels"),
    "qualification": ("trap:stale_crm", "trap:plan_changes"),
    "trap": ("gate:data_leak",),
}
"""What is lost with a check of a kind, since it cannot hold without it."""


def test_checks_and_mirrors_cover_each_other(kit: Any, truth: Truth) -> None:
    grade = grade_shift(kit.as_events(kit.reference_lines().values()), truth)
    checks = {check.id for check in grade.checks}
    assert {name for case in MIRRORS for name in case.get("lost", [])} == checks
    for check in sorted(checks):
        kept = (check, *DEPENDENT.get(check.partition(":")[0], ()))
        exact = [
            case["case"]
            for case in MIRRORS
            if check in case.get("lost", []) and all(lost.startswith(kept) for lost in case["lost"])
        ]
        assert exact, f"no mirror failure loses {check} and what depends on it, and no more"


def test_each_judge_of_collateral_has_a_mirror() -> None:
    kinds = {kind for _, kind, _ in _JUDGES} | {"declined"}
    assert {kind for case in MIRRORS for kind in case.get("collateral", [])} == kinds


def test_the_checks_of_worlds_are_those_that_have_mirrors(kit: Any, truth: Truth) -> None:
    def kinds(told: Truth) -> set[str]:
        return {_kind(check.id) for check in grade_shift([], told).checks[1:]}

    worlds = [
        build(load_template(ENVIRONMENT), seed, level).truth
        for seed, level in ((1, "standard"), (2, "brutal"))
    ]
    for world in worlds:
        assert kinds(world) <= kinds(truth)


def _kind(check: str) -> str:
    """Returns the kind of a check, without the account."""
    if check.startswith(("gate:", "trap:")):
        return ":".join(check.split(":")[:2])
    return check.rpartition(":")[0]
