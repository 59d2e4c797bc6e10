"""What the apps hold while a shift lasts: mailbox, CRM and calendar.

Changes come from the core only; whoever shows the state reads it. Values are the models of the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from contracts.files import File
from contracts.instants import Instant
from contracts.world import CalendarEvent, CrmAccount, CrmContact, CrmNote, Mail, Visible


class Activity(NamedTuple):
    """A logged activity on an account."""

    id: str
    account_id: str
    kind: str
    text: str
    at: Instant


@dataclass
class Office:
    """The state behind the apps of one rep."""

    mails: dict[str, Mail]
    opened: set[str]
    """Ids of mails that were read."""
    accounts: dict[str, CrmAccount]
    contacts: dict[str, CrmContact]
    notes: dict[str, CrmNote]
    calendar: dict[str, CalendarEvent]
    documents: dict[str, File] = field(default_factory=dict)
    activities: dict[str, Activity] = field(default_factory=dict)

    @classmethod
    def of(cls, visible: Visible) -> Office:
        """Returns the state at the start of a shift."""
        return cls(
            mails={mail.id: mail for mail in visible.mails},
            opened=set(),
            accounts={account.id: account for account in visible.accounts},
            contacts={contact.id: contact for contact in visible.contacts},
            notes={note.id: note for note in visible.notes},
            calendar={event.id: event for event in visible.calendar},
            documents={file.id: file for file in visible.documents},
        )

    def folder(self, name: str) -> list[Mail]:
        """Returns the mails of a folder, newest first."""
        held = [mail for mail in self.mails.values() if mail.folder == name]
        return sorted(reversed(held), key=lambda mail: -mail.sent_at)

    def files(self) -> dict[str, File]:
        """Returns what can be opened and attached by id: the documents, then what mails brought."""
        brought = (file for mail in self.mails.values() for file in mail.attachments)
        return self.documents | {file.id: file for file in brought}

    def thread(self, thread_id: str) -> list[Mail]:
        """Returns a thread's mails in order of arrival."""
        return [mail for mail in self.mails.values() if mail.thread_id == thread_id]

    def people_of(self, account_id: str) -> list[CrmContact]:
        """Returns an account's contacts."""
        return [contact for contact in self.contacts.values() if contact.account_id == account_id]

    def notes_of(self, account_id: str) -> list[CrmNote]:
        """Returns an account's notes."""
        return [note for note in self.notes.values() if note.account_id == account_id]
