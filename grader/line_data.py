"""What the lines of a shift log carry, as far as grading reads it: one strict model per kind of line."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from contracts.instants import Instant


class Data(BaseModel):
    """What a line carries; fields that grading does not need are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class SentFile(Data):
    """A file that went with a mail."""

    name: str
    text: str


class SentMail(Data):
    """An outgoing mail."""

    mail_id: str
    thread_id: str
    to: list[str]
    cc: list[str] = Field(default_factory=list)
    bcc: list[str] = Field(default_factory=list)
    subject: str = ""
    body: str
    written: str
    answers: str = ""
    attachments: list[SentFile] = Field(default_factory=list)


class SentInvite(Data):
    """A new invite."""

    event_id: str
    mail_id: str = ""
    title: str = ""
    starts_at: Instant
    ends_at: Instant
    attendees: list[str]
    text: str = ""


class MovedEvent(Data):
    """A meeting or entry at another time."""

    event_id: str
    title: str = ""
    starts_at: Instant
    ends_at: Instant


class EventRef(Data):
    """A calendar entry that something happened to."""

    event_id: str


class Answered(Data):
    """A guest's answer to an invite."""

    event_id: str
    by: str
    starts_at: Instant
    cancels: bool = False


class Sender(Data):
    """Who wrote a mail."""

    name: str = ""
    address: str


class DeliveredMail(Data):
    """A mail that arrived."""

    id: str
    thread_id: str
    sender: Sender
    subject: str = ""
    body: str = ""
    sent_at: Instant = 0


class Delivered(Data):
    """The arrival of a mail with its structured content."""

    mail: DeliveredMail
    reply: str = ""
    offers: list[Instant] = Field(default_factory=list)
    asks: Instant | None = None


class FieldSet(Data):
    """A field of a CRM record with its new value."""

    record_id: str
    account_id: str = ""
    field: str
    value: str
    reason: str = ""
    on: str = ""

    @property
    def account(self) -> str:
        """The account that the record belongs to."""
        return self.account_id or self.record_id


class NoteAdded(Data):
    """A note on an account."""

    account_id: str
    text: str


class ContactAdded(Data):
    """A new contact of an account."""

    contact_id: str = ""
    account_id: str
    name: str
    address: str
    role: str = ""
    phone: str = ""


class ActivityAdded(Data):
    """An activity logged on an account."""

    account_id: str
    kind: str = ""
    text: str = ""


class Merged(Data):
    """Two contacts made into one."""

    record_id: str
    into: str


class MailRef(Data):
    """A mail that was filed."""

    mail_id: str


class Notice(Data):
    """What a mail announced."""

    what: str


class Started(Data):
    """The first line."""

    world_hash: str


class Ended(Data):
    """The last line."""

    end_reason: str


class Anything(Data):
    """Data that grading does not read."""
