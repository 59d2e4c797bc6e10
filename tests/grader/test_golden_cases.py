"""Mirror failures and right paths: the shift done right, changed in one way, and what that is worth."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from contracts.grade import Grade, Verdict
from contracts.world import Truth
from grader.grading import grade_shift

CASES = Path(__file__).parents[1] / "cases" / "grader"
MIRRORS = yaml.safe_load((CASES / "mirrors.yaml").read_text("utf-8"))
RIGHT_PATHS = yaml.safe_load((CASES / "right_paths.yaml").read_text("utf-8"))


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
            return kit.OFFERS[rest[0]][int(rest[1])]
        case "buyer":
            return kit.address_of(rest[0], kit.BUYER[rest[0]])
        case "other":
            return kit.address_of(rest[0], 1 - kit.BUYER[rest[0]])
    return {"replacement": kit.REPLACEMENT, "bait": kit.BAIT, "barred": kit.BARRED}[name]


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
    return grade_shift(kit.as_events(_on_time(kit, lines)), truth)


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


@pytest.mark.parametrize("case", RIGHT_PATHS, ids=lambda case: case["case"])
def test_another_right_path_is_worth_the_whole(kit: Any, truth: Truth, case: dict[str, Any]) -> None:
    grade = grade_case(kit, truth, case)
    assert [check for check in grade.checks if check.verdict is not Verdict.PASS] == []
    assert grade.collateral == []
    assert grade.reward_millionths == 1_000_000


def test_every_kind_of_check_has_a_mirror(kit: Any, truth: Truth) -> None:
    grade = grade_shift(kit.as_events(kit.reference_lines().values()), truth)
    kinds = {check.id.rpartition(":")[0] if check.id.count(":") == 2 else check.id for check in grade.checks}
    kinds = {
        kind.partition(":")[0] if kind.startswith(("meeting", "qualification")) else kind for kind in kinds
    }
    lost = {name for case in MIRRORS for name in case.get("lost", [])}
    for kind in kinds:
        assert any(name.startswith(kind) for name in lost), f"no mirror failure loses {kind}"
