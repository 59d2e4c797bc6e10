"""The mails of a dataset as extraction reads them: who wrote to whom, in which conversation, of what kind.

Belongs here: direction, kind and the records that a mail names. What answers mean is in `outreach`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum

from contracts.names import addresses_in
from extract import phrases
from extract.dataset import Dataset, text_of, texts
from extract.moments import Moment, read_moment
from extract.objects import ObjectGraph
from extract.people import Colleague, Outsiders, Staff

MAIL = "mail"
DOCUMENTS = frozenset({"quote", "order", "invoice", "credit_memo"})
_BULK = re.compile(r"^(?:list-unsubscribe|list-id|precedence:\s*(?:bulk|list))", re.I | re.M)


class MailKind(StrEnum):
    """What a mail is for, as far as its form shows."""

    NEWSLETTER = "newsletter"
    INTERNAL = "internal"
    APPROVAL = "approval"
    AUTO_REPLY = "auto_reply"
    BOUNCE = "bounce"
    INVITE = "invite"
    INVITE_ANSWER = "invite_answer"
    INVITE_CANCELLED = "invite_cancelled"
    DOCUMENT = "document"
    OUTREACH = "outreach"
    SENT = "sent"
    RECEIVED = "received"
    STRANGER = "stranger"


@dataclass
class Mail:
    """One mail."""

    message_id: str
    header_id: str
    system: str
    thread: str
    at: Moment | None
    kind: MailKind
    sender: str
    sender_name: str
    colleague: Colleague | None
    """Who of the company wrote it."""
    inside: bool
    """Written from the company's own domains."""
    readers: tuple[str, ...]
    """Addresses in To and Cc, lower case, in order."""
    outside: tuple[str, ...]
    """Outside addresses among sender and readers."""
    subject: str
    own: str
    quoted: str
    signature: str
    method: str = ""
    """Method of its invite: REQUEST, REPLY, CANCEL."""
    uid: str = ""
    named: set[str] = field(default_factory=set)
    """Objects that subject or own words name by number."""
    quoted_names: set[str] = field(default_factory=set)
    tickets: set[str] = field(default_factory=set)
    accounts: frozenset[str] = frozenset()
    """Accounts of the outside addresses."""

    @property
    def object_id(self) -> str:
        """Id of the mail as an object."""
        return f"{self.system}.{MAIL}.{self.header_id}"

    @property
    def second(self) -> int:
        """Instant; 0 where the mail has no date."""
        return self.at.second if self.at else 0


def read_mails(data: Dataset, graph: ObjectGraph, staff: Staff, outsiders: Outsiders) -> list[Mail]:
    """Returns all mails in the order of time."""
    named, quoted, tickets = _named(data, graph)
    invites = {
        text_of(item["message_id"]): (
            text_of(item["method"]) or "REQUEST",
            text_of(item["uid"]),
        )
        for item in data.rows("calendar_items")
    }
    mails = []
    for row in data.rows("messages"):
        key = text_of(row["message_id"])
        sender = text_of(row["from_address"]).casefold()
        readers = tuple(
            address for box in texts(row["to"]) + texts(row["cc"]) for address in addresses_in(box)[-1:]
        )
        outside = tuple(dict.fromkeys(one for one in (sender, *readers) if one and not staff.is_inside(one)))
        found: set[str] = set()
        found.update(*(outsiders.accounts_of(address) for address in outside))
        method, uid = invites.get(key, ("", ""))
        name = text_of(row["from_name"])
        mail = Mail(
            key,
            text_of(row["header_id"]) or key,
            text_of(row["source"]),
            text_of(row["thread_id"]) or key,
            read_moment(text_of(row["sent_at"]) or None, data.zone),
            MailKind.INTERNAL,
            sender,
            name,
            staff.by_address(sender, name),
            staff.is_inside(sender),
            readers,
            outside,
            text_of(row["subject"]),
            text_of(row["body_own"]),
            text_of(row["body_quoted"]),
            text_of(row["body_signature"]),
            method.upper(),
            uid,
            named.get(key, set()),
            quoted.get(key, set()),
            tickets.get(key, set()),
            frozenset(found),
        )
        mail.kind = _kind(mail, text_of(row["kind"]), text_of(row["other_headers"]), graph)
        mails.append(mail)
    mails.sort(key=lambda mail: (mail.second, mail.message_id))
    return mails


def _kind(mail: Mail, stored: str, headers: str, graph: ObjectGraph) -> MailKind:
    if stored in ("auto_reply", "bounce"):
        return MailKind(stored)
    if mail.method:
        answers = {"REPLY": MailKind.INVITE_ANSWER, "CANCEL": MailKind.INVITE_CANCELLED}
        return answers.get(mail.method, MailKind.INVITE)
    if not mail.inside:
        if _BULK.search(headers):
            return MailKind.NEWSLETTER
        return MailKind.RECEIVED if mail.accounts else MailKind.STRANGER
    types = {graph.objects[name].type for name in mail.named | mail.quoted_names}
    if not mail.outside:
        asked = phrases.asks_approval(f"{mail.subject}\n{mail.own}")
        return MailKind.APPROVAL if asked and "quote" in types else MailKind.INTERNAL
    return MailKind.DOCUMENT if types & DOCUMENTS else MailKind.SENT


def _named(
    data: Dataset, graph: ObjectGraph
) -> tuple[dict[str, set[str]], dict[str, set[str]], dict[str, set[str]]]:
    own: dict[str, set[str]] = defaultdict(set)
    quoted: dict[str, set[str]] = defaultdict(set)
    tickets: dict[str, set[str]] = defaultdict(set)
    letters = {text_of(row["attachment_id"]): text_of(row["message_id"]) for row in data.rows("attachments")}
    for link in data.rows("links"):
        table = link["from_table"]
        if link["kind"] != "identifier" or table not in ("messages", "attachments"):
            continue
        message = text_of(link["from_id"])
        if table == "attachments":
            message = letters.get(message, "")
        if link["to_table"] == "tickets":
            tickets[message].add(text_of(link["to_id"]))
            continue
        where = quoted if link["from_column"] == "body_quoted" else own
        for object_id in graph.by_record.get(text_of(link["to_id"]), []):
            if graph.objects[object_id].type in DOCUMENTS | {
                "opportunity",
                "lead",
                "payment",
            }:
                where[message].add(object_id)
    return own, quoted, tickets
