"""The pages' only way into a shift: what they may read, and how an action gets in.

Log, schedule, buyers and the end reason stay behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contracts.instants import Instant
from contracts.shift_events import Action
from contracts.world import CalendarEvent, CrmAccount, CrmContact, CrmNote, Mail, Party, Visible
from runtime.core import AGENT, Shift
from runtime.state import Activity

_RECORD_CHANGES = frozenset({Action.CRM_SET_FIELD, Action.CRM_ADD_CONTACT, Action.CRM_MERGE})
Clock = Callable[[], int]
"""Gives the shift's present in milliseconds since its start."""


@dataclass(frozen=True)
class Change:
    """What the rep changed in the CRM: a field's value before and after."""

    at: Instant
    account_id: str
    what: str
    old: str
    new: str


@dataclass(frozen=True)
class Outcome:
    """What became of an action: why it was refused, or the calendar entry it was about."""

    refused: str = ""
    event_id: str = ""


class Access:
    """A shift as its pages know it."""

    def __init__(self, shift: Shift, clock: Clock) -> None:
        self._shift = shift
        self._clock = clock
        self._held_at_start = {event.id: event for event in shift.visible.calendar}

    @property
    def visible(self) -> Visible:
        """What the apps show at the start; for all that never changes."""
        return self._shift.visible

    @property
    def now(self) -> Instant:
        """What the apps' clock shows."""
        return self._shift.now

    @property
    def over(self) -> bool:
        """Whether the shift has ended."""
        return self._shift.locked

    def catch_up(self) -> None:
        """Lets everything happen that is due by now; a clock that fell behind changes nothing."""
        self._shift.tick_to(self._present())

    def perform(self, action: Action, data: Mapping[str, object]) -> Outcome:
        """Carries out an action now."""
        result = self._shift.apply(action, data, self._present())
        made = result.event.data if result.event is not None and result.done else {}
        return Outcome(result.refused, str(made.get("event_id", "")))

    def _present(self) -> int:
        return max(self._clock(), self._shift.now_ms)

    def mails(self) -> list[Mail]:
        """Returns all mails that are there by now."""
        return list(self._shift.office.mails.values())

    def people(self) -> list[Party]:
        """Returns whom the rep may mean by a few letters: the CRM's people and all who stand in mails."""
        mails = self._shift.office.mails.values()
        parties = [self.visible.manager]
        parties += [Party(name=held.name, address=held.address) for held in self.contacts()]
        parties += [party for mail in mails for party in (mail.sender, *mail.to, *mail.cc)]
        known: dict[str, Party] = {}
        for party in parties:
            address = party.address.lower()
            if address != self.visible.rep.address.lower() and not (address in known and known[address].name):
                known[address] = party
        return sorted(known.values(), key=lambda party: (party.name.casefold(), party.address))

    def mail(self, mail_id: str) -> Mail | None:
        """Returns a mail."""
        return self._shift.office.mails.get(mail_id)

    def unread(self, mail: Mail) -> bool:
        """Tells whether a received mail was never opened."""
        own = mail.sender.address.lower() == self.visible.rep.address.lower()
        return not own and mail.id not in self._shift.office.opened

    def accounts(self) -> list[CrmAccount]:
        """Returns the CRM's accounts."""
        return list(self._shift.office.accounts.values())

    def account(self, account_id: str) -> CrmAccount | None:
        """Returns an account."""
        return self._shift.office.accounts.get(account_id)

    def contacts(self) -> list[CrmContact]:
        """Returns the CRM's people."""
        return list(self._shift.office.contacts.values())

    def notes(self) -> list[CrmNote]:
        """Returns the CRM's notes."""
        return list(self._shift.office.notes.values())

    def activities(self) -> list[Activity]:
        """Returns the CRM's logged activities."""
        return list(self._shift.office.activities.values())

    def changes(self) -> list[Change]:
        """Returns the rep's own changes of CRM records, oldest first."""
        found = []
        for event in self._shift.events:
            data = event.data
            if event.actor != AGENT or event.type not in _RECORD_CHANGES:
                continue
            at = self.visible.starts_at + event.at_ms // 1000
            named = self._shift.office.contacts.get(str(data.get("record_id", "")))
            what, old, new = str(data.get("field", "")), data.get("old", ""), str(data.get("value", ""))
            if event.type == Action.CRM_ADD_CONTACT:
                what, new = "contact", f"{data['name']} <{data['address']}>"
            elif event.type == Action.CRM_MERGE:
                what, old, new = "merged contact", data["old"]["name"], ""
            elif named is not None:
                what = f"{what} of {named.name}"
            reasons = self.visible.problems | self.visible.disqualifiers
            old, new = (
                " - ".join(
                    filter(None, [value, reasons.get(str(data.get(key, "")), ""), str(data.get(on, ""))])
                )
                for value, key, on in ((str(old), "old_reason", "old_on"), (new, "reason", "on"))
            )
            found.append(Change(at, str(data["account_id"]), what, old, new))
        return found

    def events(self) -> list[CalendarEvent]:
        """Returns the calendar's entries."""
        return list(self._shift.office.calendar.values())

    def event(self, event_id: str) -> CalendarEvent | None:
        """Returns a calendar entry."""
        return self._shift.office.calendar.get(event_id)

    def answerable(self, event: CalendarEvent) -> bool:
        """Tells whether an entry is somebody's invitation that waits for the rep's answer."""
        held = self._held_at_start.get(event.id)
        return event.status == "invited" and held is not None and held.status == "invited"

    def editable(self, event: CalendarEvent) -> bool:
        """Tells whether the rep may still move or cancel an entry."""
        return event.status != "cancelled" and not self.answerable(event)
