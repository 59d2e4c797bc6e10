"""The world bundle: what a template and a seed make, in three parts kept apart.

`Visible` is what the apps show at the start, `Server` what drives the shift, `Truth` what only the grader may
read. All values are canonical. Times inside a shift are milliseconds since its start; others are instants.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from contracts.claims import ClaimPattern as ClaimPattern
from contracts.decisions import FactValue, Rule
from contracts.files import File
from contracts.instants import Instant, Zone
from contracts.world_hash import HashedParts

ShiftMs = Annotated[int, Field(ge=0, description="milliseconds since the start of the shift")]
Ppm = Annotated[int, Field(ge=0, le=1_000_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Party(_Strict):
    """A person as mail shows one: name and address."""

    name: str
    address: str


class Mail(_Strict):
    """A mail as a mailbox shows it."""

    id: str
    thread_id: str
    folder: str
    """inbox, sent, archive, trash."""
    sender: Party
    to: list[Party]
    cc: list[Party] = Field(default_factory=list)
    subject: str
    body: str
    sent_at: Instant
    invite_id: str = ""
    """Calendar event that this mail proposes, accepts or declines."""
    attachments: list[File] = Field(default_factory=list)


class Status(StrEnum):
    """Where an account stands; the only values of the CRM's status field."""

    NEW = "New"
    QUALIFIED = "Qualified"
    NOT_A_FIT = "Not a fit"


class CrmAccount(_Strict):
    """A company in the CRM. `fields` are the record's facts as imported, possibly stale."""

    id: str
    name: str
    website: str
    fields: dict[str, str]
    """industry, city, country, employees, ledger_system, owner, imported_on, ... for display."""
    status: Status = Status.NEW
    reason: str = ""
    """One of `Visible.reasons`; set together with the status."""
    stage: str = ""
    next_step: str = ""
    next_step_on: str = ""
    """ISO date."""


class CrmContact(_Strict):
    """A person in the CRM."""

    id: str
    account_id: str
    name: str
    role: str
    address: str
    phone: str = ""
    do_not_contact: bool = False


class CrmNote(_Strict):
    """A note on an account."""

    id: str
    account_id: str
    text: str
    written_at: Instant
    author: str


class CalendarEvent(_Strict):
    """An entry of the rep's calendar."""

    id: str
    title: str
    starts_at: Instant
    ends_at: Instant
    attendees: list[str] = Field(default_factory=list)
    """Mail addresses."""
    status: str = "busy"
    """busy, invited, accepted, declined, cancelled."""


class Page(_Strict):
    """A page of a site or of the playbook: paragraphs under a heading, dated items for news."""

    path: str
    title: str
    items: list[PageItem]
    internal: bool = False


class PageItem(_Strict):
    """A block of a page."""

    heading: str = ""
    date: str = ""
    text: str


class Site(_Strict):
    """A company's website."""

    domain: str
    name: str
    design: str
    tagline: str
    pages: list[Page]


class Visible(_Strict):
    """Everything that the apps show at t = 0."""

    company: str
    domain: str
    rep: Party
    manager: Party
    zone: Zone
    starts_at: Instant
    length_ms: ShiftMs
    zones: list[Zone] = Field(default_factory=list)
    mails: list[Mail]
    documents: list[File] = Field(default_factory=list)
    accounts: list[CrmAccount]
    contacts: list[CrmContact]
    notes: list[CrmNote]
    calendar: list[CalendarEvent]
    playbook: list[Page]
    sites: list[Site]
    problems: dict[str, str]
    """Closed list of reasons for Qualified: concept id -> label."""
    disqualifiers: dict[str, str]
    """Closed list of reasons for Not a fit: reason id -> label."""
    stages: list[str]


class Concept(_Strict):
    """A problem that a mail may speak of: the wordings by which the matcher knows it."""

    id: str
    label: str
    phrases: list[str]
    """Word sequences; "*" stands for up to three words; words are compared by stem."""
    cues: list[str] = Field(default_factory=list)
    """Words two of which in one clause name the concept."""
    hints: list[str] = Field(default_factory=list)
    """Broader wordings, heard where no phrase stands."""
    slots: dict[str, list[str]] = Field(default_factory=dict)
    """Forms that a "{slot}" in a wording stands for."""
    goods: list[str] = Field(default_factory=list)
    """Words of what ought to be there: that there is none of it is the problem, and denies nothing."""
    examples: list[str] = Field(default_factory=list)
    """How mails may tell the problem: their words lean to it as those of its wordings do."""


class Transition(_Strict):
    """What a buyer does about one thing in one state, where its guard holds."""

    when: str
    """Guard of the runtime's closed vocabulary: always, pitch, relevant, at_offer, ..."""
    to: str = ""
    """Next state; empty where the state stays."""
    reply: str = ""
    """Kind of the reply; empty where the buyer is silent."""
    effect: str = ""
    """Effect of the runtime's closed vocabulary: offer, accept, decline, ..."""


class Machine(_Strict):
    """How a kind of buyer behaves: for every state and trigger the transitions, first that holds is taken."""

    start: str
    ends: list[str]
    """States in which a conversation may rest for good."""
    most_offers: int = Field(ge=0)
    """How often times are offered, the first time included."""
    most_declines: int = Field(ge=1)
    """Declined invites after which the buyer is silent."""
    states: dict[str, dict[str, list[Transition]]]
    """State -> trigger (mail, invite, withdrawn, due) -> transitions in order."""


class Buyer(_Strict):
    """A contact who answers mail: a declared machine with its parameters for this world."""

    contact_id: str
    account_id: str
    party: Party
    first_name: str
    machine: str
    """Key of `Server.machines`."""
    zone: Zone
    concept: str
    """The problem in this company's news; empty where it has none that we solve."""
    company_words: list[str]
    """Names by which a mail may call this company."""
    news_facts: list[str]
    """Place, figures, date, product of the relevant news item, as folded words: the same kinds in the same
    order for every buyer."""
    offers: list[list[Instant]]
    """Pairs of times offered, in the order of first and later offers."""
    replacement: Instant | None = None
    """The time asked for after cancelling."""
    delegate_contact_id: str = ""
    reply_delays_ms: list[ShiftMs]
    """Delay of the n-th reply; the last one repeats."""
    cancel_delay_ms: ShiftMs = 0


class Reply(_Strict):
    """The wording of one kind of reply, with variants picked by the buyer's place in the world."""

    kind: str
    """offer, ask_back, not_a_priority, wrong_person, second_refusal, lapsed, accepted, declined,
    cancels, out_of_office, unfit."""
    variants: list[str]
    """Texts with {first_name}, {rep}, {slots}, {time}, {delegate}, {delegate_address}, {company}."""


class Delivery(_Strict):
    """A mail that arrives by itself."""

    at_ms: ShiftMs
    mail: Mail
    notice: str = ""
    """What the mail announces to the grader: "signed:<account>", "do_not_contact:<address>", "bait"."""


class Server(_Strict):
    """What the runner holds: schedule, buyers, wordings, costs."""

    schedule: list[Delivery]
    buyers: list[Buyer]
    machines: dict[str, Machine] = Field(default_factory=dict)
    """The template's machines, by the name that `Buyer.machine` has."""
    concepts: list[Concept]
    other_topics: list[str] = Field(default_factory=list)
    """Wordings of other topics: a clause that has one, and no invoice or supplier, tells of no problem."""
    replies: list[Reply]
    ask_phrases: list[str]
    """Wordings that ask for a meeting."""
    action_cost_ms: dict[str, int]
    """Shift time that an action costs in simulated time, by action."""
    meeting_minutes: list[int]
    """Shortest and longest accepted meeting."""
    offer_lapse_ms: ShiftMs
    must_address: bool = True
    """Whether a mail counts only where it says so of its reader's company; an archive's topics need not."""
    mail_model: str = ""
    """Fitted models of mails as JSON; empty where rules alone judge."""


class PersonTruth(_Strict):
    """A person of an account with the fields that a CRM record of them may truly have."""

    name: str
    role: str
    address: str
    phone: str = ""
    """As the Contact page shows it; empty for a delegate, whom only a mail names."""
    kind: str
    """right (holds the playbook's role), other, or delegate (whose role nothing shows)."""


class AccountTruth(_Strict):
    """What is true of one account."""

    account_id: str
    domain: str
    archetype: str
    """bookable, acquired, signed, unfit."""
    facts: dict[str, FactValue]
    """Facts of the qualification decision."""
    status: Status
    reason: str
    """The problem's concept id, or the disqualifier's id."""
    buyer_address: str = ""
    """Whose accepted meeting counts (the delegate where the buyer is away)."""
    buyer_zone: Zone | None = None
    """Zone in which the buyer names times; a note may use it."""
    away_address: str = ""
    """The person with the right role who is out of office and may be written to, empty where none."""
    contacts: list[Party]
    """All people of the account, visible anywhere in the world."""
    people: list[PersonTruth] = Field(default_factory=list)
    """The same people in the same order, with all their fields."""
    stage: str = ""
    """The stage that the record should have at the end: that of a standing meeting, or the one of t = 0."""
    no_mail_from_ms: ShiftMs | None = None
    """From when on nobody there may be mailed (0: from the start; signed: delivery + grace)."""
    contact_missing: str = ""
    """Address of the contact that must be added to the CRM before the first mail, empty where none."""
    case_id: str = ""
    synthetic: bool = False


class TrapTruth(_Strict):
    """One trap of this shift and what it hangs on."""

    id: str
    """fake_boss, stale_crm, time_zone, plan_changes, buyer_cancels."""
    account_id: str = ""
    bait_address: str = ""
    at_ms: ShiftMs = 0


class Truth(_Strict):
    """Everything that the grader needs beside the event log."""

    accounts: list[AccountTruth]
    traps: list[TrapTruth]
    qualification_rules: list[Rule]
    """First that applies gives the reason for Not a fit."""
    contact_rules: list[Rule]
    do_not_contact: dict[str, ShiftMs]
    """Address -> from when on (shift time, grace included)."""
    claims: list[ClaimPattern]
    claim_model: str = ""
    """Fitted model of promises as JSON; empty where rules alone judge."""
    internal_texts: list[str]
    """Texts of pages and files marked internal."""
    own_domain: str
    unsolicited_limit: int
    weights_ppm: dict[str, Ppm]
    """meetings, qualification, traps, crm_hygiene."""
    duties: list[str]
    """note, stage, next_step, contact_added."""
    meeting_stage: str
    """Stage of an account whose meeting stands."""
    zone: Zone
    busy: list[CalendarEvent]
    """Entries of the calendar at t = 0."""
    mails: list[Mail] = Field(default_factory=list)
    """Mails of the mailbox at t = 0: who took part in each, its subject and thread."""
    records: list[CrmAccount] = Field(default_factory=list)
    """Accounts of the CRM at t = 0."""
    crm_contacts: list[CrmContact] = Field(default_factory=list)
    """Contacts of the CRM at t = 0."""
    stages: list[str] = Field(default_factory=list)
    """Closed list of stages, in the order in which a sale goes through them."""


class Bundle(_Strict):
    """A built world with the digests that make up its hash."""

    environment: str
    template_version: str
    seed: int
    level: str
    visible: Visible
    server: Server
    truth: Truth

    @property
    def world_hash(self) -> str:
        """SHA-256 over level, world, schedule, buyers, sites and the digest of the truth."""
        return (self._hashed if self._hashed.fits(self) else HashedParts.of(self)).world_hash

    @cached_property
    def _hashed(self) -> HashedParts:
        return HashedParts.of(self)


Page.model_rebuild()
