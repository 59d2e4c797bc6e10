"""What the judges of collateral share: the shift they look at and the item they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from contracts.world import AccountTruth, Mail, Truth
from grader.log_view import LogView
from grader.meetings import Calendar
from grader.people import People


class Item(NamedTuple):
    """A change that no rule explains."""

    seq: int
    kind: str
    text: str


@dataclass(frozen=True)
class Shift:
    """A shift's log, calendar and truth."""

    view: LogView
    calendar: Calendar
    truth: Truth
    people: People

    @cached_property
    def accounts(self) -> dict[str, AccountTruth]:
        """The accounts by id."""
        return {account.account_id: account for account in self.truth.accounts}

    @cached_property
    def mails(self) -> dict[str, Mail]:
        """The mails that lay in the mailbox at the start, by id."""
        return {mail.id: mail for mail in self.truth.mails}

    @cached_property
    def away(self) -> frozenset[str]:
        """Addresses whose out-of-office answer came."""
        lines = self.view.received()
        return frozenset(
            line.data.mail.sender.address for line in lines if line.data.reply == "out_of_office"
        )
