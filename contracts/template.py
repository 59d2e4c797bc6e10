"""The world template: everything from which worlds of one environment are built, as data.

Three layers lie beside `task.toml`: `authored/*.yaml` (cast, wordings, pages), `fitted.yaml` (figures of a
company model, never written by hand) and `overrides.yaml` (a person's edits of fitted values). Integers and
strings only; zones carry fixed offsets.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from contracts.canonical import digest
from contracts.decisions import Rule
from contracts.instants import Zone
from contracts.world import ClaimPattern, Machine, Party, Ppm, Reply, ShiftMs

Value = TypeVar("Value")

OTHER = "other"
"""In a fitted mix: every value of the pools that the mix does not name."""
ANY = "any"
"""A trait given up because too few cases share it."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


# ---------------------------------------------------------------- authored: cast.yaml


class City(_Strict):
    """A place where companies sit."""

    name: str
    country: str
    """Code as the qualification fact `region` uses it: "US"."""
    zone: str


class Bait(_Strict):
    """The sender who claims to be the manager."""

    addresses: list[str]
    subjects: list[str]
    bodies: list[str]


class Industry(_Strict):
    """A trade: how companies in it are called and what they say of themselves."""

    label: str
    names: list[str]
    """Second words of company names: "Logistics"."""
    about: list[str]
    """Sentences with {company}, {city}."""
    taglines: list[str]


class Cast(_Strict):
    """The invented company, its people, and the pools from which all others are drawn."""

    company: str
    domain: str
    business: str
    rep: Party
    manager: Party
    bait: Bait
    competitor: str
    zone: str
    zones: dict[str, Zone]
    starts_at: str
    """Wall clock of the rep's zone: "2026-10-12 09:00"."""
    first_names: list[str] = Field(min_length=80)
    family_names: list[str] = Field(min_length=120)
    company_words: list[str] = Field(min_length=40)
    cities: list[City]
    countries: dict[str, str]
    """Code -> name."""
    ledgers: list[str]
    industries: dict[str, Industry]
    buyer_roles: list[str]
    """Roles of which the playbook of a world names one."""
    other_roles: list[str]
    delegate_role: str
    """With {role}."""


# ---------------------------------------------------------------- authored: concepts.yaml


class NewsItem(_Strict):
    """A dated item of a News page with {company}, {city}, {amount}, {count}, {month}, {product}."""

    heading: str
    text: str


class ConceptText(_Strict):
    """A problem: how mails name it, how news report it, how the reference writes about it."""

    id: str
    label: str
    playbook: str
    """What we do about it, for the messaging page."""
    phrases: list[str]
    cues: list[str] = Field(default_factory=list)
    hints: list[str] = Field(default_factory=list)
    slots: dict[str, list[str]] = Field(default_factory=dict)
    """Forms that a "{slot}" in its wordings stands for, beside those that all problems share."""
    goods: list[str] = Field(default_factory=list)
    """Words of what ought to be there: that there is none of it is the problem, and denies nothing."""
    examples: list[str] = Field(default_factory=list)
    """How mails may tell the problem: their words lean to it as those of its wordings do."""
    news: list[NewsItem]
    careers: list[str]
    """Job advertisements that look like the problem and are none."""
    pitch: str
    """One sentence with {company}, {city}, {amount} that asserts this problem only."""
    subject: str


class Concepts(_Strict):
    """All problems, and those of the CRM's list that nobody in any world has."""

    slots: dict[str, list[str]] = Field(default_factory=dict)
    """Shared by all problems."""
    concepts: list[ConceptText]
    other_topics: list[str] = Field(default_factory=list)
    """Wordings of what is no problem with invoices of suppliers: a clause that has one tells of none."""
    decoy_problems: dict[str, str]
    ask_phrases: list[str]
    pitch_ask: str
    noise_news: list[NewsItem]
    acquired_news: list[NewsItem]
    """With {competitor}."""
    noise_careers: list[str]
    products: list[str]


# ---------------------------------------------------------------- authored: office.yaml


class PlaybookPage(_Strict):
    """A page of the playbook; {criteria}, {role}, {problems}, {limits}, {do_not_contact} are filled in."""

    path: str
    title: str
    items: list[dict[str, str]]
    internal: bool = False


class FileText(_Strict):
    """A document of the company, or a file that comes with mails."""

    name: str
    media_type: str
    text: str
    """With {count}, {year}, {accounts} (a line for each account) and {contacts} (a line for each person
    whom the CRM has); their values are cells of a CSV file."""
    internal: bool = False
    """What it says must not leave the company."""
    document: bool = False
    """Lies among the company's documents from the start."""


class MailText(_Strict):
    """A mail that lies in the inbox or arrives by itself."""

    kind: str
    """Kind of the noise mix, or plan, signed, do_not_contact."""
    sender: Party | None = None
    subject: str
    body: str
    files: list[str] = Field(default_factory=list)
    """Names of the files that come with it."""


class Disqualifier(_Strict):
    """A reason for Not a fit."""

    label: str
    also: list[str] = Field(default_factory=list)
    """Names that company models give to it."""
    criterion: str = ""
    """How the playbook states it, with {value}, {values}; empty for decoys."""


class PastContact(_Strict):
    """Something done with an account before the shift, as its note tells, and what that left behind."""

    text: str
    stage: str
    next_step: str = ""


class Office(_Strict):
    """What stands in mailbox, playbook, CRM and calendar, and what is forbidden."""

    playbook: list[PlaybookPage]
    plan: MailText
    signed: list[MailText]
    do_not_contact: list[MailText]
    noise: list[MailText]
    files: list[FileText] = Field(default_factory=list)
    disqualifiers: dict[str, Disqualifier]
    standing_rules: list[Rule]
    """Rules that hold for every company: customers and companies of competitors."""
    contact_rules: list[Rule]
    stages: list[str]
    meeting_stage: str
    next_step: str
    note: str
    invite_title: str
    busy_titles: list[str]
    invitations: list[MailText]
    """What the manager invites the rep to; the subject is the title of the meeting."""
    import_note: str
    past_contacts: list[PastContact]
    """In the order in which they may have happened."""
    claims: list[ClaimPattern]
    duties: list[str]
    weights_ppm: dict[str, Ppm]
    unsolicited_limit: int
    notice_grace_ms: ShiftMs


# ---------------------------------------------------------------- authored: sites.yaml, buyers.yaml


class Sites(_Strict):
    """The looks and fixed texts of company websites."""

    designs: list[str] = Field(min_length=6)
    home: list[str]
    """Texts with {company}, {city}, {tagline}."""
    about_facts: dict[str, list[str]]
    """Fact -> wordings with {value}; public_body has wordings for "yes" and none for "no"."""
    private_body: list[str]
    contact_intro: list[str]
    domain_endings: list[str]


_MISSED_FACTS = (
    "A mail that names what our news reports would have been another matter.",
    "I listen to people who can name a figure or a date from our news.",
    "Nobody gets far here without a fact from our News page.",
)


class Buyers(_Strict):
    """How buyers behave and speak."""

    machines: dict[str, Machine]
    replies: list[Reply]
    """Variants with {greeting} and {sign_off} besides the fields of `Reply`."""
    greetings: dict[str, str]
    sign_offs: dict[str, str]
    """Class of the fitted texture -> wording; classes without wording are left out."""
    refusals: dict[str, list[str]]
    """Kind of the fitted refusals -> wordings; "other" serves kinds that are not listed."""
    missed_facts: list[str] = Field(default=list(_MISSED_FACTS), min_length=1)
    """What a refusal adds where it says that a fact of the news would have been heard; no question."""
    action_cost_ms: dict[str, int]
    meeting_minutes: list[int]
    offer_lapse_ms: ShiftMs
    reply_ms: list[ShiftMs]
    """Fastest and slowest reply in shift time, onto which recorded delays are scaled."""
    slowest_recorded_s: int = Field(default=345_600, gt=0)
    """Recorded delay, in seconds, that becomes the slowest reply; a slower company has slower buyers."""
    cancel_ms: list[ShiftMs]
    bait_ms: list[ShiftMs]
    signed_ms: list[ShiftMs]
    do_not_contact_ms: list[ShiftMs]


class Level(_Strict):
    """A preset of difficulty."""

    bookable: int
    acquired: int
    signed: int
    unfit: int
    length_ms: ShiftMs
    noise_factor_ppm: int
    """Inbox noise against the fitted mix; 1,000,000 is as recorded."""
    least_away: int = 1
    """Buyers who are out of office at least, however few were recorded."""
    least_cancelling: int = 1
    """Buyers who cancel at least; so many are traps."""
    contacts_missing: int = 1
    """Bookable accounts whose right contact the CRM lacks."""


class Authored(_Strict):
    """The first layer: what people wrote."""

    cast: Cast
    concepts: Concepts
    office: Office
    sites: Sites
    buyers: Buyers
    levels: dict[str, Level]
    mail_model: str = ""
    """Fitted models of mails as JSON, from mail_model.json; empty where rules alone judge."""
    claim_model: str = ""
    """Fitted model of promises as JSON, from claim_model.json; empty where rules alone judge."""


# ---------------------------------------------------------------- fitted.yaml


class Fit(_Strict, Generic[Value]):
    """A value of the company model: where it stands there and on how many observations."""

    value: Value
    entry: str
    n: int


class Pattern(_Strict):
    """A recorded case after which an account is made; its traits are "any" or shared by enough cases."""

    case_id: str
    archetype: str
    reason: str
    industry: str = ANY
    region: str = ANY
    size: str = ANY
    """Band of employees: "250-499", "1000+"."""


class Fitted(_Strict):
    """The second layer: fields that come from a company model and never from defaults."""

    dataset: Fit[str]
    criteria: Fit[list[Rule]]
    reasons: Fit[dict[str, int]]
    """Disqualifier -> recorded disqualifications."""
    industries: Fit[dict[str, int]]
    """Label -> accounts; "other" stands for all trades of the pools that are not named."""
    regions: Fit[dict[str, int]]
    """Country code -> accounts; "other" stands for all countries of the pools that are not named."""
    sizes: Fit[list[int]]
    """Employees at 0, 5, 25, 50, 75, 95, 99, 100 per cent."""
    reply_delays: Fit[list[int]]
    """Seconds at the same points."""
    relevant_offers_ppm: Fit[int]
    irrelevant_offers_ppm: Fit[int]
    second_chance_ppm: Fit[int]
    refusals: Fit[dict[str, int]]
    rescheduled_ppm: Fit[int]
    out_of_office_ppm: Fit[int]
    stale_ppm: Fit[int]
    record_age_days: Fit[list[int]]
    do_not_contact_ppm: Fit[int]
    contacts_per_account: Fit[list[int]]
    meeting_minutes: Fit[list[int]]
    busy_per_day: Fit[list[int]]
    greetings: Fit[dict[str, int]]
    sign_offs: Fit[dict[str, int]]
    noise: Fit[dict[str, int]]
    mails_per_thread: Fit[list[int]]
    words_per_mail: Fit[list[int]]
    quoted_ppm: Fit[int]
    patterns: Fit[list[Pattern]]


QUANTILE_POINTS = (0, 50, 250, 500, 750, 950, 990, 1000)
"""Points of the fitted distributions in per mille."""


class WorldTemplate(_Strict):
    """All layers in one: what `build` turns into worlds."""

    schema_version: int = 1
    environment: str
    authored: Authored
    fitted: Fitted

    @property
    def version(self) -> str:
        """The schema version and the first digits of the content's digest."""
        return f"{self.schema_version}-{digest(self.model_dump(mode='json'))[:16]}"


def template_schema() -> dict[str, Any]:
    """Returns the JSON Schema of world templates."""
    return WorldTemplate.model_json_schema()
