"""Making checks: whatever goes wrong while one is judged stays its own and gives no credit."""

from __future__ import annotations

from collections.abc import Callable

from contracts.grade import CheckResult, Label, Verdict

Judgement = tuple[Verdict, str, list[int]]
"""A verdict, why in words, and the numbers of the lines that decided."""


def check_of(id: str, component: str, label: Label, judge: Callable[[], Judgement]) -> CheckResult:
    """Returns the check that a judge decides; one that cannot be judged is unknown, never passed.

    A judge reads what an agent wrote: no text may keep the other checks from being made.
    """
    try:
        verdict, text, evidence = judge()
    except Exception as error:  # whatever it is, it must cost this check and no other
        verdict, text, evidence = Verdict.UNKNOWN, f"cannot be judged ({type(error).__name__})", []
    return CheckResult(
        id=id, component=component, label=label, verdict=verdict, explanation=text, evidence=evidence
    )
