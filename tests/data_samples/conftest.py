"""The sample archive of seed 7, built once and read with the standard library only."""

from __future__ import annotations

import csv
import email
import email.policy
import html
import io
import json
import re
import sqlite3
from email.message import EmailMessage
from functools import cached_property
from typing import Any, cast

import pytest

from data_samples.make import build

SEED = 7


class Archive:
    """The built files with look-ups into each system."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self._truth: dict[str, Any] = {}

    def truth(self, name: str) -> Any:
        """One file of the answer key."""
        if name not in self._truth:
            self._truth[name] = json.loads(self.files[f"truth/{name}.json"])
        return self._truth[name]

    @cached_property
    def erp(self) -> sqlite3.Connection:
        """The ledger."""
        base = sqlite3.connect(":memory:")
        base.deserialize(self.files["archive/erp/erp.sqlite"])
        return base

    def column(self, table: str, name: str) -> list[Any]:
        """A column of the ledger."""
        return [row[0] for row in self.erp.execute(f"SELECT {name} FROM {table}")]

    @cached_property
    def net(self) -> dict[str, int]:
        """Document -> total in cents."""
        rows = [
            *self.erp.execute("SELECT VBELN, NETWR FROM VBAK"),
            *self.erp.execute("SELECT VBELN, NETWR FROM VBRK"),
        ]
        return {number: round(value * 100) for number, value in rows}

    def crm(self, table: str) -> list[dict[str, str]]:
        """Rows of a CRM table."""
        return list(csv.DictReader(io.StringIO(self.files[f"archive/crm/{table}.csv"].decode())))

    def register(self, name: str) -> list[dict[str, str]]:
        """Rows of an engineering register."""
        text = self.files[f"archive/engineering/{name}.csv"].decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text), delimiter=";"))

    @cached_property
    def jira(self) -> dict[str, list[str]]:
        """Rows of the old tracker by issue key; comments from column 20 on."""
        text = self.files["archive/tickets/jira_export.csv"].decode()
        rows = list(csv.reader(io.StringIO(text)))
        self.jira_head = rows[0]
        return {row[1]: row for row in rows[1:]}

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Objects of a help desk file."""
        content = self.files[f"archive/tickets/zendesk_{name}.ndjson"].decode()
        return [json.loads(line) for line in content.splitlines()]

    @cached_property
    def zendesk(self) -> dict[str, dict[str, Any]]:
        """Tickets of the help desk by number."""
        return {str(row["id"]): row for row in self.lines("tickets")}

    @cached_property
    def tickets(self) -> set[str]:
        """Keys of all tickets."""
        return {*self.jira, *self.zendesk}

    @cached_property
    def raw(self) -> list[tuple[str, bytes]]:
        """Every stored message as mailbox and bytes."""
        found: list[tuple[str, bytes]] = []
        for name, content in self.files.items():
            if name.endswith(".mbox"):
                login = name.rpartition("/")[2].removesuffix(".mbox")
                for part in re.split(rb"(?m)^From .*\n", content)[1:]:
                    found.append((login, re.sub(rb"(?m)^>(>*From )", rb"\1", part)))
            elif name.startswith(("archive/mail/maildir/", "archive/mail/eml/")):
                found.append((name.split("/")[3], content))
        return found

    @cached_property
    def stored(self) -> dict[str, list[EmailMessage]]:
        """Messages by Message-ID over all mailboxes; those without an id stand under the empty one."""
        found: dict[str, list[EmailMessage]] = {}
        for _, raw in self.raw:
            message = email.message_from_bytes(raw, policy=email.policy.default)
            key = str(message.get("Message-ID", "")).strip("<>")
            found.setdefault(key, []).append(message)
        return found

    @cached_property
    def texts(self) -> dict[str, str]:
        """What each whole mail shows, by its id."""
        return {key: self.text_of(self.stored[key][0]) for key in self.truth("messages")}

    @cached_property
    def whole(self) -> list[EmailMessage]:
        """All stored messages that no program broke."""
        known = self.truth("messages")
        return [message for key, found in self.stored.items() if key in known for message in found]

    @cached_property
    def logins(self) -> dict[str, str]:
        """Address of a colleague -> login."""
        found = {row["Email"]: row["Username"].split("@")[0] for row in self.crm("User")}
        renamed = [person for person in self.truth("entities")["persons"].values() if person["login"]]
        return found | {mail: person["login"] for person in renamed for mail in person["mails"]}

    def writer(self, message_id: str) -> str:
        """Login of the colleague who wrote a mail."""
        line = str(self.stored[message_id][0]["From"])
        return self.logins[line.rpartition("<")[2].rstrip(">")]

    @staticmethod
    def text_of(message: EmailMessage) -> str:
        """What the mail shows."""
        part = message.get_body(("plain", "html"))
        assert part is not None
        content = cast(str, part.get_content())
        if part.get_content_type() == "text/html":
            return html.unescape(re.sub(r"<br>|</p>", "\n", content))
        return content

    @staticmethod
    def cents(text: str) -> int:
        """The amount that a written form stands for."""
        digits = re.sub(r"[^0-9.,k]", "", text)
        if digits.endswith("k"):
            return round(float(digits[:-1]) * 100_000)
        if re.search(r",\d\d$", digits):
            digits = digits.replace(".", "").replace(",", ".")
        return round(float(digits.replace(",", "")) * 100)


@pytest.fixture(scope="session")
def archive() -> Archive:
    return Archive(build(SEED, 1))
