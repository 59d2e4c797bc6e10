"""Parsed mails as rows: the tables `messages`, `attachments` and `calendar_items` of one part.

Belongs here: which column holds what, bodies split once per distinct text, and the columns by which assembly
finds duplicates and threads. Does not belong here: reading bytes (`archive.message`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from archive.identifiers import derived_id
from archive.message import ParsedMail
from archive.quotes import BodyParts, split_body
from archive.store import polars_schema
from archive.thread_columns import THREAD_SCHEMA, thread_columns
from contracts.tables import ATTACHMENTS, CALENDAR_ITEMS, MESSAGES

DUPLICATE_KEY = "duplicate_key"
_ASSEMBLY_COLUMNS = {DUPLICATE_KEY: pl.String(), **THREAD_SCHEMA}
"""Columns of a part that the canonical table does not have."""


def mail_frames(mails: Sequence[ParsedMail], source: str) -> dict[str, pl.DataFrame]:
    """Returns the three tables for mails of one part; threads and copies are left to assembly."""
    parts: dict[str, BodyParts] = {}
    messages = []
    for mail in mails:
        if mail.body not in parts:
            parts[mail.body] = split_body(mail.body)
        row = mail.row([mail.raw.mailbox], source, "", parts[mail.body])
        own = thread_columns(mail, parts[mail.body])
        messages.append({**row, **own, DUPLICATE_KEY: mail.duplicate_key})
    schema = pl.Schema({**polars_schema(MESSAGES), **_ASSEMBLY_COLUMNS})
    attachments = [row for mail in mails for row in _attachments(mail, source)]
    items = [row for mail in mails for row in _calendar_items(mail, source)]
    return {
        "messages": pl.DataFrame(messages, schema=schema, orient="row"),
        "attachments": pl.DataFrame(attachments, schema=polars_schema(ATTACHMENTS), orient="row"),
        "calendar_items": pl.DataFrame(items, schema=polars_schema(CALENDAR_ITEMS), orient="row"),
    }


def _place(mail: ParsedMail, source: str, digest: str) -> dict[str, object]:
    return {"source": source, "path": mail.raw.path, "locator": mail.raw.locator, "content_hash": digest}


def _attachments(mail: ParsedMail, source: str) -> Iterator[dict[str, object]]:
    for number, attachment in enumerate(mail.attachments, start=1):
        yield {
            "attachment_id": derived_id("a", mail.content_hash, number),
            **_place(mail, source, attachment.digest),
            "message_id": mail.message_id,
            "filename": attachment.filename,
            "content_type": attachment.content_type,
            "size_bytes": attachment.size,
            "text": attachment.text,
            "fault": attachment.fault,
        }


def _calendar_items(mail: ParsedMail, source: str) -> Iterator[dict[str, object]]:
    for number, event in enumerate(mail.calendar, start=1):
        yield {
            "item_id": derived_id("i", mail.content_hash, number),
            **_place(mail, source, mail.content_hash),
            "message_id": mail.message_id,
            "uid": event.uid,
            "method": event.method,
            "answer": event.answer,
            "sequence": event.sequence,
            "starts_at": event.starts_at,
            "ends_at": event.ends_at,
            "zone": event.zone,
            "organizer": event.organizer,
            "attendees": list(event.attendees),
            "summary": event.summary,
            "description": event.description,
            "location": event.location,
        }
