"""Canonical tables: the schemas in which every archive is stored, raw and clean alike.

Fixed tables have the columns listed here. A company's own CRM and ERP tables are kept wide, one table
per source table (`record_table_name`), with the provenance columns of every table before their own.
Every column says what kind of content it holds, because pseudonymisation and extraction act by kind.
"""

from __future__ import annotations

import re
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple


class DataType(StrEnum):
    """How a column is stored in Parquet."""

    STRING = "string"
    INTEGER = "integer"
    """64 bits."""
    DECIMAL = "decimal"
    """Decimal with the column's own scale; never a float for money."""
    FLOAT = "float"
    BOOLEAN = "boolean"
    STRINGS = "strings"
    """List of strings."""


class ColumnKind(StrEnum):
    """What a column's values are, hence what pseudonymisation does to them."""

    # numbers
    MONEY = "money"
    QUANTITY = "quantity"
    RATE = "rate"
    ID = "id"
    CODE = "code"
    MEASURE = "measure"
    # who and where
    PERSON = "person"
    COMPANY = "company"
    LOGIN = "login"
    EMAIL = "email"
    DOMAIN = "domain"
    PHONE = "phone"
    STREET = "street"
    CITY = "city"
    POSTCODE = "postcode"
    URL = "url"
    MAILBOX = "mailbox"
    """A name with an address: "Ann Lee <ann@x.com>"."""
    # when
    DATE = "date"
    """Local date, ISO 8601."""
    DATETIME = "datetime"
    """Local wall-clock date and time, ISO 8601, with offset where known."""
    # rest
    TEXT = "text"
    """Free text in which anything may stand."""
    FILENAME = "filename"
    CATEGORY = "category"
    """A value of a small closed list that names nobody."""
    FLAG = "flag"
    PROVENANCE = "provenance"
    """Where the row came from; paths are pseudonymised, hashes become HMACs."""


class Column(NamedTuple):
    """One column of a canonical table."""

    name: str
    type: DataType
    kind: ColumnKind


class Table(NamedTuple):
    """A canonical table: its name, its key column and its columns in order."""

    name: str
    key: str
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column:
        """Returns the column of that name; KeyError where the table has none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"table {self.name} has no column {name}")


_S, _I, _B, _L = DataType.STRING, DataType.INTEGER, DataType.BOOLEAN, DataType.STRINGS
_K = ColumnKind

PROVENANCE = (
    Column("source", _S, _K.CATEGORY),
    Column("path", _S, _K.PROVENANCE),
    Column("locator", _S, _K.PROVENANCE),
    Column("content_hash", _S, _K.PROVENANCE),
)
"""First columns of every table: source name, path inside it, place in the file, SHA-256 of the raw bytes.

Where somebody was erased from these bytes, a keyed mark stands in place of the hash.
"""

MESSAGES = Table(
    "messages",
    "message_id",
    (
        Column("message_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("header_id", _S, _K.ID),
        Column("in_reply_to", _S, _K.ID),
        Column("references", _L, _K.ID),
        Column("thread_id", _S, _K.PROVENANCE),
        Column("mailboxes", _L, _K.FILENAME),
        Column("sent_at", _S, _K.DATETIME),
        Column("kind", _S, _K.CATEGORY),
        Column("from_name", _S, _K.PERSON),
        Column("from_address", _S, _K.EMAIL),
        Column("to", _L, _K.MAILBOX),
        Column("cc", _L, _K.MAILBOX),
        Column("bcc", _L, _K.MAILBOX),
        Column("reply_to", _L, _K.MAILBOX),
        Column("subject", _S, _K.TEXT),
        Column("body_own", _S, _K.TEXT),
        Column("body_quoted", _S, _K.TEXT),
        Column("body_signature", _S, _K.TEXT),
        Column("other_headers", _S, _K.TEXT),
    ),
)
"""Mails. `kind`: mail, invite, auto_reply, bounce. Mailboxes: "Name <address>". `sent_at` with offset."""

ATTACHMENTS = Table(
    "attachments",
    "attachment_id",
    (
        Column("attachment_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("message_id", _S, _K.PROVENANCE),
        Column("filename", _S, _K.FILENAME),
        Column("content_type", _S, _K.CATEGORY),
        Column("size_bytes", _I, _K.MEASURE),
        Column("text", _S, _K.TEXT),
        Column("fault", _S, _K.CATEGORY),
    ),
)
"""Files that travel with mails. `fault`: why the text is missing or not whole, one of
`archive.reasons.ATTACHMENT_FAULTS`; empty where nothing is missing."""

CALENDAR_ITEMS = Table(
    "calendar_items",
    "item_id",
    (
        Column("item_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("message_id", _S, _K.PROVENANCE),
        Column("uid", _S, _K.ID),
        Column("method", _S, _K.CATEGORY),
        Column("sequence", _I, _K.MEASURE),
        Column("starts_at", _S, _K.DATETIME),
        Column("ends_at", _S, _K.DATETIME),
        Column("zone", _S, _K.CATEGORY),
        Column("organizer", _S, _K.MAILBOX),
        Column("attendees", _L, _K.MAILBOX),
        Column("summary", _S, _K.TEXT),
        Column("description", _S, _K.TEXT),
        Column("location", _S, _K.TEXT),
        Column("answer", _S, _K.CATEGORY),
    ),
)

TICKETS = Table(
    "tickets",
    "ticket_id",
    (
        Column("ticket_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("ticket_key", _S, _K.ID),
        Column("project", _S, _K.CATEGORY),
        Column("type", _S, _K.CATEGORY),
        Column("status", _S, _K.CATEGORY),
        Column("priority", _S, _K.CATEGORY),
        Column("resolution", _S, _K.CATEGORY),
        Column("labels", _L, _K.CATEGORY),
        Column("reporter", _S, _K.LOGIN),
        Column("assignee", _S, _K.LOGIN),
        Column("creator", _S, _K.LOGIN),
        Column("created_at", _S, _K.DATETIME),
        Column("updated_at", _S, _K.DATETIME),
        Column("resolved_at", _S, _K.DATETIME),
        Column("due_at", _S, _K.DATETIME),
        Column("summary", _S, _K.TEXT),
        Column("description", _S, _K.TEXT),
    ),
)

TICKET_EVENTS = Table(
    "ticket_events",
    "ticket_event_id",
    (
        Column("ticket_event_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("ticket_id", _S, _K.PROVENANCE),
        Column("at", _S, _K.DATETIME),
        Column("author", _S, _K.LOGIN),
        Column("field", _S, _K.CATEGORY),
        Column("old_value", _S, _K.TEXT),
        Column("new_value", _S, _K.TEXT),
    ),
)

COMMENTS = Table(
    "comments",
    "comment_id",
    (
        Column("comment_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("ticket_id", _S, _K.PROVENANCE),
        Column("at", _S, _K.DATETIME),
        Column("author", _S, _K.LOGIN),
        Column("body", _S, _K.TEXT),
    ),
)

DOCUMENTS = Table(
    "documents",
    "document_id",
    (
        Column("document_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("document_key", _S, _K.ID),
        Column("type", _S, _K.CATEGORY),
        Column("title", _S, _K.TEXT),
        Column("status", _S, _K.CATEGORY),
        Column("revision", _S, _K.CODE),
        Column("owner", _S, _K.PERSON),
        Column("created_at", _S, _K.DATETIME),
        Column("updated_at", _S, _K.DATETIME),
    ),
)
"""Drawings, plans, policies, change orders. `type`: drawing, plan, policy, change_order, document;
`revision`: the one in force."""

REVISIONS = Table(
    "revisions",
    "revision_id",
    (
        Column("revision_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("document_id", _S, _K.PROVENANCE),
        Column("revision", _S, _K.CODE),
        Column("seq", _I, _K.MEASURE),
        Column("at", _S, _K.DATETIME),
        Column("authors", _L, _K.PERSON),
        Column("checkers", _L, _K.PERSON),
        Column("approvers", _L, _K.PERSON),
        Column("verdict", _S, _K.CATEGORY),
        Column("status", _S, _K.CATEGORY),
        Column("title", _S, _K.TEXT),
        Column("text", _S, _K.TEXT),
    ),
)
"""States of a document in order (`seq` from 1). `verdict`: approved, approved_with_comments, rejected,
withdrawn, or null where nobody decided."""

REVISION_EVENTS = Table(
    "revision_events",
    "revision_event_id",
    (
        Column("revision_event_id", _S, _K.PROVENANCE),
        *PROVENANCE,
        Column("document_id", _S, _K.PROVENANCE),
        Column("revision_id", _S, _K.PROVENANCE),
        Column("at", _S, _K.DATETIME),
        Column("actor", _S, _K.PERSON),
        Column("action", _S, _K.CATEGORY),
        Column("field", _S, _K.CATEGORY),
        Column("change", _S, _K.CATEGORY),
        Column("old_value", _S, _K.TEXT),
        Column("new_value", _S, _K.TEXT),
        Column("old_amount", _S, _K.MONEY),
        Column("new_amount", _S, _K.MONEY),
    ),
)
"""What was done to a revision and how it differs from the one before. `action`: issued, checked, approved,
rejected, commented, changed; `change`, for changed fields: added, removed, increased, decreased, replaced,
text. Money stands in the amount columns, every other value in the value columns."""

LINKS = Table(
    "links",
    "link_id",
    (
        Column("link_id", _S, _K.PROVENANCE),
        Column("kind", _S, _K.CATEGORY),
        Column("from_table", _S, _K.CATEGORY),
        Column("from_id", _S, _K.PROVENANCE),
        Column("from_column", _S, _K.CATEGORY),
        Column("start", _I, _K.MEASURE),
        Column("end", _I, _K.MEASURE),
        Column("to_table", _S, _K.CATEGORY),
        Column("to_column", _S, _K.CATEGORY),
        Column("to_id", _S, _K.PROVENANCE),
        Column("method", _S, _K.CATEGORY),
        Column("confidence", DataType.FLOAT, _K.RATE),
    ),
)
"""Matches of text and columns with records. `kind`: identifier, amount, participant. Offsets are in the
raw text of `from_column` and are recomputed for the clean text (-1 for whole cells)."""

QUARANTINE = Table(
    "quarantine",
    "locator",
    (
        *PROVENANCE,
        Column("reason", _S, _K.CATEGORY),
        Column("size_bytes", _I, _K.MEASURE),
    ),
)

SOURCE_COUNTS = Table(
    "source_counts",
    "source",
    (
        Column("source", _S, _K.CATEGORY),
        Column("read", _I, _K.MEASURE),
        Column("kept", _I, _K.MEASURE),
        Column("duplicates", _I, _K.MEASURE),
        Column("quarantined", _I, _K.MEASURE),
    ),
)

FIXED_TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        MESSAGES,
        ATTACHMENTS,
        CALENDAR_ITEMS,
        TICKETS,
        TICKET_EVENTS,
        COMMENTS,
        DOCUMENTS,
        REVISIONS,
        REVISION_EVENTS,
        LINKS,
        QUARANTINE,
        SOURCE_COUNTS,
    )
}

CALENDAR_FACTS = Table(
    "calendar_facts",
    "day",
    (
        Column("day", _S, _K.DATE),
        Column("weekday", _I, _K.MEASURE),
        Column("is_weekend", _B, _K.FLAG),
        Column("is_holiday", _B, _K.FLAG),
        Column("is_month_end", _B, _K.FLAG),
        Column("fiscal_period", _S, _K.CATEGORY),
    ),
)
"""What the real date behind a clean one was, for every date of dated columns: clean tables only.

`weekday` is 1 for Monday to 7, `is_holiday` tells a national holiday of the company's country,
`fiscal_period` "P01" to "P12" by calendar month. The offset of whole weeks
moves a day of the year by up to three days, so that a clean date alone does not tell a month's end."""

RECORD_ID = Column("record_id", _S, _K.PROVENANCE)
"""Key column of every record table, before the provenance columns and the company's own columns."""


def record_table_name(source: str, table: str) -> str:
    """Returns the canonical name of a company's own table: "records-crm-opportunity"."""
    return f"records-{_slug(source)}-{_slug(table)}"


def is_record_table(name: str) -> bool:
    """Says whether a canonical table holds a company's own records."""
    return name.startswith("records-")


def _slug(text: str) -> str:
    """A text as part of a file name; where little of it is left, or it is too long, with a hash of it."""
    slug = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    foreign = sum(char.isalpha() and not char.isascii() for char in text)
    if len(slug) <= _LONGEST_SLUG and 4 * foreign <= len(text):
        return slug
    told = sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{slug[:_LONGEST_SLUG]}_{told}".strip("_")


_LONGEST_SLUG = 80
