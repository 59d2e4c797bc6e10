"""The dataset manifest `dataset.yaml`: what a company's archive consists of and what its columns mean.

A person writes and confirms it, every later floor reads it. Presets for known exports
fill in what the manifest leaves out (see `archive.presets`).
"""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from contracts.tables import ColumnKind

NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _require_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"no zone {name!r}: write an IANA name such as America/New_York") from error


class SourceKind(StrEnum):
    """The kinds of archive that a company hands over."""

    MAIL = "mail"
    TICKETS = "tickets"
    CRM = "crm"
    ERP = "erp"
    ACCOUNTING = "accounting"
    ENGINEERING = "engineering"


class ColumnSpec(_Strict):
    """What one column of a record table holds."""

    kind: ColumnKind
    references: str | None = None
    """Key that the values point to: "crm.account.Id" (source.table.column)."""
    currency: str | None = None
    """For money: ISO 4217 code."""
    decimals: Annotated[int, Field(ge=0, le=4)] = 2
    """For money: decimals of the smallest unit."""
    decimal_mark: Literal[".", ","] = "."
    """For numbers: mark before the decimals, decided from the whole column."""
    person: str | None = None
    """For person parts: which set of columns forms one person; first, last and full names share it."""
    part: Literal["full", "first", "last", "last_first"] = "full"
    """For person columns: which part of the name stands here."""
    date_format: str | None = None
    """strptime form of dates, decided from the whole column; None for ISO 8601."""
    missing: list[str] = Field(default_factory=list)
    """Written values that stand for no value: "?", "NULL", "00/00/0000"."""


class EventSpec(_Strict):
    """How a row of a record table tells of an event: what happened, when, by whom."""

    activity: str = ""
    activity_column: str | None = None
    """Column that names the activity, where rows of one table tell of many; instead of `activity`."""
    at: str
    """Column of the date or time."""
    at_time: str | None = None
    """Column of the time of day where dates and times stand apart."""
    actor: str | None = None
    where: dict[str, list[str]] = Field(default_factory=dict)
    """Only rows whose column holds one of these values."""

    @model_validator(mode="after")
    def _one_activity(self) -> EventSpec:
        if bool(self.activity) == bool(self.activity_column):
            raise ValueError("an event needs either `activity` or `activity_column`")
        return self


class ObjectSpec(_Strict):
    """Which business object a row of a record table is, and how it joins others."""

    type: str
    """Glossary noun: lead, account, contact, user, opportunity, meeting, quote, order, invoice, payment."""
    id_column: str
    number_column: str | None = None
    """Column with the number that people write in mails and tickets, where it is not the id."""
    where: dict[str, list[str]] = Field(default_factory=dict)
    """Only rows whose column holds one of these values."""
    parents: dict[str, str] = Field(default_factory=dict)
    """Object type -> column of this table holding that object's id."""
    amount_column: str | None = None
    outcome_columns: dict[str, str] = Field(default_factory=dict)
    """Outcome name -> column that states it."""
    attributes: dict[str, str] = Field(default_factory=dict)
    """Attribute in the model's vocabulary (employees, region, ledger_system, public_body, ...) -> column."""
    events: list[EventSpec] = Field(default_factory=list)


class DocumentRole(StrEnum):
    """What a row of a table says about a document."""

    REGISTER = "register"
    """A row is a document as it is now."""
    REVISION = "revision"
    """A row is a state of a document."""
    APPROVAL = "approval"
    """A row is somebody's decision on a document."""
    CHANGE_ORDER = "change_order"
    """A row is an order to change documents, itself a document."""


class DocumentSpec(_Strict):
    """How a row of a record table tells of documents, their revisions and who decided on them.

    Columns are named as in the table; "fields.title" is a member of the JSON object in column "fields".
    Columns of people may hold lists (JSON, or names with semicolons or commas between them).
    """

    role: DocumentRole
    document: str
    """Column of the document's key; every table of the dataset that names it by this key or number joins."""
    type: str = "document"
    """drawing, plan, policy, change_order, document."""
    number: str | None = None
    """Column of another number by which other tables name the document."""
    revision: str | None = None
    """Column of the revision's label: A, B, C; 0, 1, 2; 1.0, 1.1; dates."""
    change_number: str | None = None
    """Column of the change (pull request, change order) that brought a revision; approvals join by it."""
    title: str | None = None
    status: str | None = None
    at: str | None = None
    created_at: str | None = None
    text: str | None = None
    owner: str | None = None
    issuer: str | None = None
    """Column of who issued the revision; the first author where None."""
    authors: list[str] = Field(default_factory=list)
    checkers: list[str] = Field(default_factory=list)
    approvers: list[str] = Field(default_factory=list)
    verdict: str | None = None
    """Column of what was decided; with it, approvers and checkers of a row did decide and check."""
    checked_at: str | None = None
    approved_at: str | None = None
    comment: str | None = None
    """Column of what was said with a decision."""
    stage: str | None = None
    """Column of the stage that an approval is for."""
    fault: str | None = None
    """Column that says why a revision's content is not there."""
    affects: list[str] = Field(default_factory=list)
    """For change orders: columns of the documents to be changed."""
    compared: list[str] = Field(default_factory=list)
    """Columns that are compared between consecutive revisions; "fields.*" for every member of an object."""


class TableSpec(_Strict):
    """One table of a CRM, ERP or accounting source."""

    name: str
    path: str | None = None
    """File pattern inside the source for file formats; the table's own name for databases when None."""
    key: list[str] = Field(default_factory=list)
    columns: dict[str, ColumnSpec] = Field(default_factory=dict)
    objects: list[ObjectSpec] = Field(default_factory=list)
    documents: DocumentSpec | None = None
    """For tables of documents: registers, revision logs, approvals, change orders."""


class Source(_Strict):
    """One system or export of the company."""

    name: str
    kind: SourceKind
    format: str
    """mbox, eml, jira-csv, csv, sqlite, ... as the readers of `archive` name them."""
    path: str | None = None
    """File, folder or pattern, relative to the manifest's base folder."""
    url: str | None = None
    """SQLAlchemy URL for databases, instead of a path."""
    preset: str | None = None
    """Name of a preset that fills in tables and columns: salesforce, sap, hubspot, xero, datev, ..."""
    zone: str | None = None
    """IANA zone of wall-clock times without offset; the company's first zone when None."""
    retention_days: Annotated[int, Field(ge=1)] | None = None
    """How many days raw rows of this source may be kept, counted from their own dates; None for no bound."""
    keep_until: date | None = None
    """Last day on which raw rows of this source may be kept at all; None for no bound."""
    tables: list[TableSpec] = Field(default_factory=list)

    @field_validator("name")
    @classmethod
    def _name_is_plain(cls, name: str) -> str:
        if not NAME_PATTERN.fullmatch(name):
            raise ValueError(f"source name {name!r}: use lower-case letters, digits, - and _")
        return name

    @field_validator("zone")
    @classmethod
    def _zone_exists(cls, zone: str | None) -> str | None:
        if zone is not None:
            _require_zone(zone)
        return zone


class Company(_Strict):
    """The company whose archive this is."""

    names: list[str]
    domains: list[str]
    zones: Annotated[list[str], Field(min_length=1)]
    """IANA names, the main one first."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    """ISO 4217 code."""
    locale: str = "en_US"

    @field_validator("zones")
    @classmethod
    def _zones_exist(cls, zones: list[str]) -> list[str]:
        for zone in zones:
            _require_zone(zone)
        return zones


class Manifest(_Strict):
    """A dataset: a company and its sources."""

    name: str
    company: Company
    sources: list[Source]
    base: str | None = None
    """Base folder of paths, relative to the manifest; "$RL_DOJO_REAL_DATA/..." is expanded."""
    topics: str | None = None
    """Map of the archive's topics to template concepts (YAML), relative to the manifest."""
    policy: str | None = None
    """Replacement policy (YAML), relative to the manifest; `policy.yaml` beside it where None and present."""
    environment: str | None = None
    """Environment that worlds of this dataset are made for; None ends the road at the company model."""
    languages: dict[
        Annotated[str, Field(pattern=r"^[a-z]{2}$")], Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    ] = Field(default_factory=dict)
    """Language -> installed spaCy model that reads it: `{de: de_core_news_sm}`; English is built in."""

    @field_validator("name")
    @classmethod
    def _name_is_plain(cls, name: str) -> str:
        if not NAME_PATTERN.fullmatch(name):
            raise ValueError(f"dataset name {name!r}: use lower-case letters, digits, - and _")
        return name


class Topic(_Strict):
    """A subject of the archive's mails, the concept it stands for, and the wordings that name it."""

    concept: str
    wordings: list[str]


class TopicMap(_Strict):
    """The authored map from an archive's topics to the concepts of a world template."""

    topics: dict[str, Topic]
