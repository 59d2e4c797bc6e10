"""What the reference knows of a world: per account the right marks, people and words.

Written by worldgen beside the truth, executed by the reference agent, which works through the same
driver as every agent and reacts to mails by their structured offers, asks and delegates.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from contracts.recording import TakenAction
from contracts.world import Party, ShiftMs, Status


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ContactToAdd(_Strict):
    """A person whom the CRM lacks and who must stand there before the first mail."""

    name: str
    role: str
    address: str


class Pitch(_Strict):
    """A mail that names the one problem in the company's news and asks for a meeting."""

    to: Party
    subject: str
    body: str


class ReferenceAccount(_Strict):
    """The right way through one account."""

    account_id: str
    status: Status
    reason: str
    known_at_ms: ShiftMs = 0
    """From when on the right status can be known (the notice of a signed account)."""
    pitch: Pitch | None = None
    """The first mail; None where nobody there may be mailed."""
    add_before_pitch: ContactToAdd | None = None
    delegate_pitch: Pitch | None = None
    """The mail to the delegate once the out-of-office answer names one."""
    add_before_delegate: ContactToAdd | None = None
    wrong_slots: list[int] = Field(default_factory=list)
    """Offered instants that collide with the rep's calendar."""
    stage: str = ""
    note: str = ""
    """With {time}: day and time of the meeting in the rep's zone."""
    next_step: str = ""
    invite_title: str = ""


class ReferenceKnowledge(_Strict):
    """Everything that the reference needs beside the apps."""

    schema_version: int = 1
    world_hash: str
    meeting_minutes: int
    """Length of the invites."""
    accounts: list[ReferenceAccount]
    stay_until_ms: ShiftMs
    """The shift is not ended before: later notices may change the plan."""
    elsewhere: list[TakenAction] = Field(default_factory=list)
    """What the reference did in the world of another seed: all that the blind replay goes by. Empty where
    nobody replays blindly."""
