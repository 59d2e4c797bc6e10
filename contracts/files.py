"""Files as the work apps offer them: the company's documents, and what comes with mails."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

MEDIA_TYPES = ("application/pdf", "text/calendar", "text/csv", "text/plain")
"""What the apps can show."""


class File(BaseModel):
    """A document, or what came with a mail."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    """"Price list.pdf"."""
    media_type: str
    """One of `MEDIA_TYPES`."""
    text: str
    """All that it says; whoever opens a PDF reads this."""
