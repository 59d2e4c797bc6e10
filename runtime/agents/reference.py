"""The reference: does everything right, from knowledge that worldgen writes beside the truth.

It reads offers, asks and delegates from the log's structure, never from wording, so a full score tests
world and grader. Personas override single steps.
"""

from __future__ import annotations

from contracts.instants import Instant, slot_text
from contracts.plan import ContactToAdd, Pitch, ReferenceAccount, ReferenceKnowledge
from contracts.shift_events import Action, WorldEvent
from contracts.world import Status
from runtime.api import ApiDriver, ReferenceView, View

STEP_MS = 5_000
"""How long it waits between looks at the mailbox."""
_READ = ("/", "/news", "/about")


class Reference:
    """Works one shift by the book."""

    def __init__(self, knowledge: ReferenceKnowledge) -> None:
        self._knowledge = knowledge
        self._to_mark = list(knowledge.accounts)
        self._by_address: dict[str, ReferenceAccount] = {}
        for account in knowledge.accounts:
            for pitch in (account.pitch, account.delegate_pitch):
                if pitch is not None:
                    self._by_address[pitch.to.address.lower()] = account
        self._meetings: dict[str, str] = {}
        """Account -> calendar event of its meeting."""
        self._delegates_mailed: set[str] = set()

    def work(self, driver: ApiDriver, view: ReferenceView) -> None:
        """Works until nothing is outstanding, then ends the shift."""
        for line in driver.mails("inbox"):
            driver.open_mail(line["id"])
        while not driver.over:
            busy = self._react(driver, view) or self._start_next(driver)
            if busy:
                continue
            if not self._to_mark and self._done(driver, view):
                self.finish(driver)
                return
            driver.wait(STEP_MS)

    def start_account(self, driver: ApiDriver, account: ReferenceAccount) -> None:
        """Researches and marks an account and writes the first mail."""
        record = driver.open_account(account.account_id)
        for path in _READ:
            driver.site(record.get("website", ""), path)
        data = {"record_id": account.account_id, "field": "status", "value": str(account.status)}
        driver.perform(Action.CRM_SET_FIELD, {**data, "reason": account.reason})
        if account.pitch is not None:
            self.add_contact(driver, account, account.add_before_pitch)
            self.send_pitch(driver, account, account.pitch)

    def add_contact(self, driver: ApiDriver, account: ReferenceAccount, contact: ContactToAdd | None) -> None:
        """Adds a contact whom the CRM lacks."""
        if contact is not None:
            data = {"account_id": account.account_id, **contact.model_dump()}
            driver.perform(Action.CRM_ADD_CONTACT, data)

    def send_pitch(self, driver: ApiDriver, account: ReferenceAccount, pitch: Pitch) -> None:
        """Sends a pitch."""
        data = {"to": [pitch.to.address], "subject": pitch.subject, "body": pitch.body}
        driver.perform(Action.MAIL_SEND, data)

    def book(self, driver: ApiDriver, account: ReferenceAccount, offers: list[Instant], address: str) -> None:
        """Sends an invite at the first offered time that is free."""
        length = 60 * self._knowledge.meeting_minutes
        for start in offers:
            if start not in account.wrong_slots and _is_free(driver, start, start + length):
                data = {"title": account.invite_title, "starts_at": start, "ends_at": start + length}
                driver.perform(Action.INVITE_SEND, {**data, "attendees": [address]})
                return

    def rebook(self, driver: ApiDriver, account: ReferenceAccount, asked: Instant, address: str) -> None:
        """Moves the meeting to the time that the buyer asks for."""
        data = {"starts_at": asked, "ends_at": asked + 60 * self._knowledge.meeting_minutes}
        driver.perform(Action.INVITE_UPDATE, {"event_id": self._meetings[account.account_id], **data})

    def keep_record(self, driver: ApiDriver, account: ReferenceAccount, start: Instant) -> None:
        """Writes note, stage and next step of an agreed meeting."""
        self.write_note(driver, account, start)
        self.set_stage(driver, account)
        self.set_next_step(driver, account, start)

    def write_note(self, driver: ApiDriver, account: ReferenceAccount, start: Instant) -> None:
        """Writes down the agreed time."""
        text = account.note.replace("{time}", _time_text(driver, start))
        driver.perform(Action.CRM_ADD_NOTE, {"account_id": account.account_id, "text": text})

    def set_stage(self, driver: ApiDriver, account: ReferenceAccount) -> None:
        """Moves the account to the stage of an agreed meeting."""
        if driver.open_account(account.account_id)["stage"] != account.stage:
            data = {"record_id": account.account_id, "field": "stage", "value": account.stage}
            driver.perform(Action.CRM_SET_FIELD, data)

    def set_next_step(self, driver: ApiDriver, account: ReferenceAccount, start: Instant) -> None:
        """Enters the meeting as next step with its day."""
        text = account.next_step.replace("{time}", _time_text(driver, start))
        data = {"record_id": account.account_id, "field": "next_step", "value": text}
        day = driver.zone.local(start).date().isoformat()
        driver.perform(Action.CRM_SET_FIELD, {**data, "on": day})

    def finish(self, driver: ApiDriver) -> None:
        """Clicks End shift."""
        driver.perform(Action.SHIFT_END)

    def _start_next(self, driver: ApiDriver) -> bool:
        ready = (account for account in self._to_mark if account.known_at_ms <= driver.now_ms)
        account = next(ready, None)
        if account is None:
            return False
        self._to_mark.remove(account)
        self.start_account(driver, account)
        return True

    def _react(self, driver: ApiDriver, view: ReferenceView) -> bool:
        fresh = view.news()
        for data in fresh:
            if data["type"] == WorldEvent.DELIVER:
                self._read(driver, data)
            elif data["type"] == WorldEvent.ACCEPTED:
                account = self._by_address.get(data["by"])
                if account is not None:
                    self._meetings[account.account_id] = data["event_id"]
                    self.keep_record(driver, account, data["starts_at"])
        return bool(fresh)

    def _read(self, driver: ApiDriver, data: View) -> None:
        driver.open_mail(data["mail"]["id"])
        address = data["mail"]["sender"]["address"].lower()
        account = self._by_address.get(address)
        if account is None or account.status is not Status.QUALIFIED:
            return
        if data.get("offers"):
            self.book(driver, account, data["offers"], address)
        elif data.get("asks") is not None and account.account_id in self._meetings:
            self.rebook(driver, account, data["asks"], address)
        elif data.get("reply") == "out_of_office":
            self._write_to_delegate(driver, account)

    def _write_to_delegate(self, driver: ApiDriver, account: ReferenceAccount) -> None:
        pitch = account.delegate_pitch
        if pitch is not None and account.account_id not in self._delegates_mailed:
            self._delegates_mailed.add(account.account_id)
            self.add_contact(driver, account, account.add_before_delegate)
            self.send_pitch(driver, account, pitch)

    def _done(self, driver: ApiDriver, view: ReferenceView) -> bool:
        return not view.replies_outstanding and driver.now_ms >= self._knowledge.stay_until_ms


def _time_text(driver: ApiDriver, start: Instant) -> str:
    return slot_text(driver.zone.local(start), driver.zone)


def _is_free(driver: ApiDriver, start: Instant, end: Instant) -> bool:
    gone = {"declined", "cancelled"}
    entries = (entry for entry in driver.calendar() if entry["status"] not in gone)
    return not any(entry["starts_at"] < end and start < entry["ends_at"] for entry in entries)
