"""The pages' only way into a shift: what they may read, and how an action gets in.

Log, schedule, buyers and the end reason stay behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contracts.instants import Instant
from contracts.shift_events import Action
from contracts.world import CalendarEvent, CrmAccount, CrmContact, CrmNote, Mail, Visible
from runtime.core import Shift
from runtime.state import Activity

Clock = Callable[[], int]
"""Gives the shift's present in milliseconds since its start."""


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

    def events(self) -> list[CalendarEvent]:
        """Returns the calendar's entries."""
        return list(self._shift.office.calendar.values())

    def event(self, event_id: str) -> CalendarEvent | None:
        """Returns a calendar entry."""
        return self._shift.office.calendar.get(event_id)

    def answerable(self, event: CalendarEvent) -> bool:
        """Tells whether an entry is somebody's invitation that waits for the rep's answer."""
        return event.status == "invited" and any(event.id == held.id for held in self.visible.calendar)

    def editable(self, event: CalendarEvent) -> bool:
        """Tells whether the rep may still move or cancel an entry."""
        return event.status != "cancelled" and not self.answerable(event)
