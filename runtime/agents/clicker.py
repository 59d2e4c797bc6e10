"""The random clicker: any action of the vocabulary with arguments that the apps show, by a fixed stream.

Belongs here: chance without understanding. Its draws hang on what the apps show at the start, so that the
same world always sees the same clicks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from contracts.shift_events import Action
from runtime.api import ApiDriver, View

_HALF_HOUR = 1_800
_LONGEST_WAIT_MS = 60_000
_DAYS_AHEAD = 14
_CONTACT_FIELDS = ("name", "role", "phone")

T = TypeVar("T")


class Dice:
    """Whole numbers from a text: SHA-256 over the text and a counter."""

    def __init__(self, text: str) -> None:
        self._start = sha256(text.encode())
        self._drawn = 0

    def below(self, count: int) -> int:
        """Returns a number from 0 to one less than a count."""
        self._drawn += 1
        drawn = self._start.copy()
        drawn.update(self._drawn.to_bytes(8, "big"))
        return int.from_bytes(drawn.digest()[:8], "big") % count

    def pick(self, options: Sequence[T]) -> T:
        """Returns one of at least one option."""
        return options[self.below(len(options))]


class Clicker:
    """Clicks at random on what it has seen until the shift is over."""

    def __init__(self, driver: ApiDriver) -> None:
        self._driver = driver
        briefing = driver.briefing()
        self._now: int = briefing["now"]
        self._choices = driver.choices()
        seen = [briefing, driver.accounts(), driver.mails(), driver.calendar(), self._choices]
        self._dice = Dice(json.dumps(seen, sort_keys=True))
        self._people: dict[str, View] = {}
        self._asked_to_end = False
        self._paths: dict[str, list[str]] = {}
        """Website, or "" for the playbook -> its pages."""
        self._makers: dict[Action, Callable[[], dict[str, Any] | None]] = {
            Action.MAIL_OPEN: self._mail,
            Action.MAIL_SEARCH: lambda: {"query": self._label().split()[0]},
            Action.MAIL_SEND: lambda: self._letter({"subject": self._label()}),
            Action.MAIL_REPLY: lambda: self._mail({"body": self._text()}),
            Action.MAIL_FORWARD: self._forward,
            Action.MAIL_ARCHIVE: self._mail,
            Action.MAIL_DELETE: self._mail,
            Action.MAIL_REPORT: self._mail,
            Action.FILE_OPEN: self._file,
            Action.INVITE_SEND: lambda: self._letter({"title": "Meeting", **self._times()}, "attendees"),
            Action.INVITE_UPDATE: lambda: self._event(self._times()),
            Action.INVITE_CANCEL: self._event,
            Action.INVITE_RESPOND: lambda: self._event({"answer": self._dice.pick(("accept", "decline"))}),
            Action.CALENDAR_CREATE: lambda: {"title": "Busy", **self._times()},
            Action.CALENDAR_UPDATE: lambda: self._event(self._times()),
            Action.CALENDAR_DELETE: self._event,
            Action.CRM_SEARCH: lambda: {"query": self._account()["name"]},
            Action.CRM_SET_FIELD: self._field,
            Action.CRM_ADD_NOTE: lambda: {"account_id": self._account()["id"], "text": self._text()},
            Action.CRM_ADD_CONTACT: self._contact,
            Action.CRM_ADD_ACTIVITY: lambda: {"account_id": self._account()["id"], "text": self._text()},
            Action.CRM_MERGE: self._merge,
            Action.WAIT: lambda: {"ms": 1 + self._dice.below(_LONGEST_WAIT_MS)},
        }

    def work(self) -> None:
        """Clicks until the time limit, or until it ends the shift by chance."""
        while not self._driver.over:
            self.click(self._dice.pick(list(Action)))

    def click(self, action: Action) -> None:
        """Does one thing of a kind; waits where it has seen nothing yet to do it to."""
        driver = self._driver
        # The apps ask before a shift ends: only who clicks on it twice in a row ends it.
        confirmed, self._asked_to_end = self._asked_to_end, action is Action.SHIFT_END
        if action is Action.SHIFT_END:
            if confirmed:
                driver.perform(action)
        elif action is Action.CRM_OPEN:
            opened = driver.open_account(self._account()["id"])
            self._people |= {person["id"]: person for person in opened["contacts"]}
        elif action is Action.SITE_OPEN:
            website = self._account()["website"]
            self._read(website, lambda path: driver.site(website, path))
        elif action is Action.PLAYBOOK_OPEN:
            self._read("", driver.playbook)
        else:
            data = self._makers[action]()
            driver.perform(*((Action.WAIT, {"ms": 1_000}) if data is None else (action, data)))

    def _read(self, place: str, opened: Callable[[str], View]) -> None:
        if place in self._paths:
            opened(self._dice.pick(self._paths[place]))
        else:
            self._paths[place] = opened("")["pages"]

    def _account(self) -> View:
        return self._dice.pick(self._driver.accounts())

    def _label(self) -> str:
        labels: list[str] = list(self._choices["problems"].values())
        return self._dice.pick(labels)

    def _text(self) -> str:
        return f"You have a problem with {self._label().lower()}. Could we meet for 30 minutes?"

    def _times(self) -> dict[str, int]:
        hours = 1 + self._dice.below(24 * _DAYS_AHEAD)
        start = self._now // _HALF_HOUR * _HALF_HOUR + hours * 2 * _HALF_HOUR
        return {"starts_at": start, "ends_at": start + _HALF_HOUR}

    def _mail(self, more: dict[str, Any] | None = None) -> dict[str, Any] | None:
        mails = self._driver.mails()
        return {"mail_id": self._dice.pick(mails)["id"], **(more or {})} if mails else None

    def _file(self) -> dict[str, Any] | None:
        files = self._driver.files()
        return {"file_id": self._dice.pick(files)["id"]} if files else None

    def _forward(self) -> dict[str, Any] | None:
        letter = self._letter({})
        return None if letter is None else self._mail(letter)

    def _letter(self, more: dict[str, Any], field: str = "to") -> dict[str, Any] | None:
        if not self._people:
            return None
        written = {} if field == "attendees" else {"body": self._text()}
        return {field: [self._person()["address"]], **written, **more}

    def _person(self) -> View:
        return self._dice.pick(list(self._people.values()))

    def _event(self, more: dict[str, Any] | None = None) -> dict[str, Any] | None:
        entries = self._driver.calendar()
        return {"event_id": self._dice.pick(entries)["id"], **(more or {})} if entries else None

    def _field(self) -> dict[str, Any] | None:
        account = {"record_id": self._account()["id"]}
        kind = self._dice.pick(("status", "status", "stage", "next_step", "contact"))
        if kind == "status":
            status, reasons = self._dice.pick((("Qualified", "problems"), ("Not a fit", "disqualifiers")))
            reason = self._dice.pick(list(self._choices[reasons]))
            return {**account, "field": kind, "value": status, "reason": reason}
        if kind == "stage":
            return {**account, "field": kind, "value": self._dice.pick(self._choices["stages"])}
        if kind == "next_step":
            return {**account, "field": kind, "value": self._text()}
        if not self._people:
            return None
        field = self._dice.pick(_CONTACT_FIELDS)
        return {"record_id": self._person()["id"], "field": field, "value": self._person()[field] or "-"}

    def _contact(self) -> dict[str, Any] | None:
        if not self._people:
            return None
        person = self._person()
        kept = {name: person[name] for name in ("name", "role", "address")}
        return {"account_id": self._account()["id"], **kept}

    def _merge(self) -> dict[str, Any] | None:
        pairs = [
            (gone, kept)
            for gone in self._people.values()
            for kept in self._people.values()
            if gone is not kept and gone["account_id"] == kept["account_id"]
        ]
        if not pairs:
            return None
        gone, kept = self._dice.pick(pairs)
        return {"record_id": gone["id"], "into": kept["id"]}


def click_at_random(driver: ApiDriver) -> None:
    """Clicks at random until the shift is over."""
    Clicker(driver).work()
