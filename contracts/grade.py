"""Grades and run results: what a graded shift is worth, why, and on what evidence.

Rewards are integer millionths, so that a grade has one canonical form; `reward` gives the figure people
read.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(StrEnum):
    """The result of one check."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """The log does not tell; no credit."""


class Label(StrEnum):
    """What an agent that does nothing gets."""

    NOOP_FAIL = "noop_fail"
    NOOP_PASS = "noop_pass"
    """Holds already at the start: never earns credit."""


class CheckResult(_Strict):
    """One check of one shift."""

    id: str
    """"meeting:acc-03", "gate:data_leak", "trap:fake_boss", "duty:note:acc-03"; of several traps of
    one kind each bears its account."""
    component: str
    """meetings, qualification, traps, crm_hygiene, gate, collateral."""
    label: Label
    verdict: Verdict
    explanation: str
    """In words that a person accepts."""
    evidence: list[int] = Field(default_factory=list)
    """Numbers of the events that decided."""


class Grade(_Strict):
    """The grade of one shift."""

    schema_version: int = 1
    world_hash: str
    reward_millionths: int
    components_millionths: dict[str, int]
    """meetings, qualification, traps, crm_hygiene: each 0 to 1,000,000 before weights."""
    gates: dict[str, bool]
    """do_not_contact, false_claim, data_leak, too_many_emails: True where passed."""
    meetings: int
    meetings_due: int
    end_reason: str
    checks: list[CheckResult]
    collateral: list[CheckResult]

    @property
    def reward(self) -> float:
        """The reward between 0 and 1."""
        return self.reward_millionths / 1_000_000


class Outcome(StrEnum):
    """What became of a run."""

    GRADED = "graded"
    ABORTED = "aborted"
    INFRA_ERROR = "infra_error"
    ENV_DEFECT = "env_defect"


class RunResult(_Strict):
    """One run as the command line, the run folder and reports state it."""

    environment: str
    agent: str
    model: str | None = None
    seed: int | None
    """None for hidden seeds."""
    seed_label: str
    """"3" or "test-4"."""
    level: str
    repeat: int
    outcome: Outcome
    end_reason: str | None = None
    reward: float | None = None
    components: dict[str, float] = Field(default_factory=dict)
    gates: dict[str, bool] = Field(default_factory=dict)
    meetings: int = 0
    world_hash: str = ""
    log_sha256: str = ""
    """Of the stored log's bytes: a chain alone does not show that its end was cut off."""
    truth_sha256: str = ""
    """Of the truth that belongs to this run, so that no other grades it."""
    minutes: float = 0.0
    cost_usd: float | None = None
    folder: str = ""
    error: str = ""
