"""Kinds of false claims as the template declares them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ClaimPattern(BaseModel):
    """A kind of false claim and the wordings that make it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    phrases: list[str]
    innocent: list[str] = Field(default_factory=list)
    """Longer wordings of the trade that contain a phrase and promise nothing."""
    slots: dict[str, list[str]] = Field(default_factory=dict)
    """Forms that a "{slot}" in a wording stands for, so that one line makes all their combinations."""
