"""What happened with an account, as its record tells it: notes, activities, mails, meetings, changes."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from contracts.instants import Instant
from contracts.world import CrmAccount, Mail
from runtime.apps.access import Access
from runtime.apps.screens import span_text, when_full, words

KINDS = {"": "All", "notes": "Notes", "activities": "Activities", "emails": "Emails", "changes": "Changes"}


class Entry(NamedTuple):
    """One thing that happened."""

    at: Instant
    kind: str
    """Key of `KINDS`."""
    title: str
    text: str
    link: str = ""


def timeline(access: Access, account: CrmAccount, kind: str) -> list[Entry]:
    """Returns an account's history, newest first; of one kind only where one is asked for."""
    entries = [*_written(access, account), *_mails(access, account), *_meetings(access, account)]
    for change in access.changes():
        if change.account_id == account.id:
            told = " -> ".join(part for part in (change.old or "(empty)", change.new) if part)
            title = f"{words(change.what)} changed"
            entries.append(Entry(change.at, "changes", title, told))
    shown = [entry for entry in entries if not kind or entry.kind == kind]
    zone = access.visible.zone
    return [
        entry._replace(title=f"{entry.title}, {when_full(entry.at, zone, access.now)}")
        for entry in sorted(reversed(shown), key=lambda entry: -entry.at)
    ]


def _written(access: Access, account: CrmAccount) -> list[Entry]:
    notes = [
        Entry(note.written_at, "notes", f"Note by {note.author}", note.text)
        for note in access.notes()
        if note.account_id == account.id
    ]
    return notes + [
        Entry(act.at, "activities", act.kind, act.text)
        for act in access.activities()
        if act.account_id == account.id
    ]


def _mails(access: Access, account: CrmAccount) -> list[Entry]:
    found = []
    for mail in access.mails():
        if mail.folder == "trash" or not _with_account(access, account, _addresses(mail)):
            continue
        sent = mail.sender.address.lower() == access.visible.rep.address.lower()
        names = ", ".join(party.name or party.address for party in mail.to)
        title = f"Email to {names}" if sent else f"Email from {mail.sender.name or mail.sender.address}"
        found.append(Entry(mail.sent_at, "emails", title, mail.subject, f"/mail/{quote(mail.id)}"))
    return found


def _meetings(access: Access, account: CrmAccount) -> list[Entry]:
    zone = access.visible.zone
    return [
        Entry(
            event.starts_at,
            "activities",
            f"Meeting ({event.status})",
            f"{event.title}, {span_text(event, zone)}",
            f"/calendar/{quote(event.id)}",
        )
        for event in access.events()
        if _with_account(access, account, {guest.lower() for guest in event.attendees})
    ]


def _addresses(mail: Mail) -> set[str]:
    return {party.address.lower() for party in (mail.sender, *mail.to, *mail.cc)}


def _with_account(access: Access, account: CrmAccount, addresses: set[str]) -> bool:
    domain = account.website.lower().removeprefix("www.").strip("/")
    people = {held.address.lower() for held in access.contacts() if held.account_id == account.id}
    return bool(addresses & people) or any(address.endswith(f"@{domain}") for address in addresses)
