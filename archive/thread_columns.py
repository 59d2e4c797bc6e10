"""What threading needs of a mail as columns of a part, so that assembly reads no body.

Belongs here: the columns and the way back. How conversations are told stands in `archive.threads`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from archive.message import ParsedMail
from archive.quotes import BodyParts
from archive.threads import Threaded

THREAD_SCHEMA = pl.Schema(
    {
        "conversation_ids": pl.List(pl.String),
        "day": pl.Int64(),
        "second": pl.Int64(),
        "author": pl.String(),
        "people": pl.List(pl.String),
        "own_marks": pl.Binary(),
        "quoted_marks": pl.Binary(),
    }
)
"""Columns beside those of the table `messages`."""
THREAD_COLUMNS = ("message_id", "header_id", "in_reply_to", "references", "subject", *THREAD_SCHEMA)
"""All columns that `threaded_row` reads."""


def thread_columns(mail: ParsedMail, parts: BodyParts) -> dict[str, object]:
    """Returns the values of THREAD_SCHEMA for a mail and the parts of its body."""
    threaded = mail.threaded(parts)
    return {
        "conversation_ids": list(threaded.calendar_ids),
        "day": threaded.day,
        "second": threaded.second,
        "author": threaded.sender,
        "people": sorted(threaded.participants),
        "own_marks": threaded.own,
        "quoted_marks": threaded.quoted,
    }


def threaded_row(row: Mapping[str, Any]) -> Threaded:
    """Returns what threading needs from a row that holds THREAD_COLUMNS."""
    answered = [row["in_reply_to"]] if row["in_reply_to"] else []
    return Threaded(
        message_id=row["message_id"],
        header_id=row["header_id"] or "",
        references=tuple(dict.fromkeys((*row["references"], *answered))),
        calendar_ids=tuple(row["conversation_ids"]),
        subject=row["subject"] or "",
        day=row["day"],
        second=row["second"],
        participants=frozenset(row["people"]),
        sender=row["author"],
        own=row["own_marks"],
        quoted=row["quoted_marks"],
    )
