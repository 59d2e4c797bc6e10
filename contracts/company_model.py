"""The company model: what extraction learned from a clean archive, each figure with its evidence.

Shares are parts per million (integers), durations seconds, amounts smallest currency units, so that the
template can take them over without rounding. Nothing here quotes a sentence of the archive.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from contracts.decisions import Rule

Ppm = Annotated[int, Field(ge=0, le=1_000_000, description="share in parts per million")]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Share(_Strict):
    """A rate with the counts behind it."""

    hits: int
    n: int
    evidence: list[str] = Field(default_factory=list)
    """Up to 20 case or record ids."""

    @property
    def ppm(self) -> int:
        """The share in parts per million, rounded half up; 0 where nothing was seen."""
        return (2 * self.hits * 1_000_000 + self.n) // (2 * self.n) if self.n else 0


class Quantiles(_Strict):
    """A distribution as its quantiles at 0, 5, 25, 50, 75, 95, 99 and 100 per cent."""

    unit: str
    n: int
    q: list[int]
    """Eight values, or none where n is 0."""


class MinedRule(_Strict):
    """An unwritten rule with support, confidence, interval of its threshold and exceptions."""

    rule: Rule
    statement: str
    """In words: "quotes above 18,400.00 are approved by VP Sales"."""
    threshold: int | None
    low: int | None
    high: int | None
    """The threshold lies in [low, high) with 95 % confidence."""
    suggestion: int | None
    """The roundest number inside the interval."""
    support: int
    """Decisions in the data that the rule speaks of, on both sides of its threshold."""
    confidence_ppm: Ppm
    likelihood_ratio_milli: int
    exceptions: list[str]
    """Case ids whose decision differs."""
    evidence: list[str] = Field(default_factory=list)
    first_seen: str = ""
    last_seen: str = ""


class Edge(_Strict):
    """One step of a workflow: how often one activity follows another, and how long it takes."""

    source: str
    target: str
    n: int
    probability_ppm: Ppm
    seconds: Quantiles


class Variant(_Strict):
    """One distinct sequence of activities and how many cases followed it."""

    activities: list[str]
    n: int


class Workflow(_Strict):
    """How cases of one kind run."""

    name: str
    cases: int
    edges: list[Edge]
    variants: list[Variant]
    """Most frequent first; all of them."""


class Outcome(_Strict):
    """A labelled result: won, lost, late, credited, too_small ..."""

    name: str
    """"deal.won", "invoice.late", "lead.disqualified.too_small"."""
    share: Share


class ResponseModel(_Strict):
    """How buyers answered outreach, by what the outreach said."""

    outreach: int
    """Outreach mails judged."""
    offers_by_class: dict[str, Share]
    """Class ("relevant_ask", "relevant_no_ask", "irrelevant", "generic") -> share that got times offered."""
    answers_by_class: dict[str, dict[str, Share]]
    """Class -> answer (offer, ask_back, not_a_priority, wrong_person, auto_reply, silence) -> share."""
    reply_delay: Quantiles
    second_chance: Share
    """Second mails with a fact that got an offer after a refusal."""
    refusal_wordings: dict[str, Share]
    """Kind of refusal wording (not_a_priority, timing, no_need, wrong_person) -> share of refusals."""
    touches_to_meeting: Quantiles


class Meetings(_Strict):
    """How meetings and absences went."""

    rescheduled: Share
    out_of_office: Share
    delegate_named: Share
    other_zone: Share
    duration_minutes: Quantiles
    busy_per_day: Quantiles
    """Calendar items per person and working day."""


class CrmCondition(_Strict):
    """How old and how wrong CRM records are."""

    age_days: Quantiles
    stale: Share
    """Records whose state was contradicted by later facts."""
    do_not_contact: Share
    contacts_per_account: Quantiles


class Texture(_Strict):
    """How people of this company write, in figures only."""

    words_per_mail: Quantiles
    mails_per_thread: Quantiles
    greetings: dict[str, Share]
    """Greeting class (hi, hello, dear, none, ...) -> share."""
    sign_offs: dict[str, Share]
    quoting: dict[str, Share]
    noise: dict[str, Share]
    """Kind of mail (newsletter, internal, auto_reply, invite, outreach, ...) -> share of all mails."""


class TrapPattern(_Strict):
    """A pattern of the archive that makes a trap: how often it occurs and where."""

    kind: str
    """fake_boss, stale_crm, time_zone, plan_changes, buyer_cancels, do_not_contact."""
    share: Share


class RecordedCase(_Strict):
    """A recorded case as a pattern for an account: how it ended and its generalised traits."""

    case_id: str
    archetype: str
    """bookable, acquired, signed, unfit."""
    reason: str
    """Disqualification reason, or the problem's concept."""
    traits: dict[str, str]
    """Quasi-identifiers, generalised until at least k = 5 cases share them: industry, size band, region."""
    touches: int
    days: int


class CompanyModel(_Strict):
    """Everything that extraction knows about one dataset."""

    schema_version: int = 1
    dataset: str
    currency: str
    counts: dict[str, int]
    """Rows by canonical table, objects by type, events."""
    cases: int
    linked: dict[str, Share]
    """System -> share of its case-bearing records that belong to a case."""
    workflows: list[Workflow]
    rules: list[MinedRule]
    outcomes: list[Outcome]
    response: ResponseModel | None
    """None where the dataset has no outreach (no topic map or no mail)."""
    meetings: Meetings
    crm: CrmCondition
    texture: Texture
    qualification: list[MinedRule]
    """Disqualification criteria in the order in which they decide."""
    industries: dict[str, Share]
    sizes: Quantiles
    """Employees of accounts."""
    regions: dict[str, Share]
    traps: list[TrapPattern]
    recorded_cases: list[RecordedCase]
