"""The shift through calls: simulated time, every action costs what the template says.

Agents see views as plain dicts; what only the server or the truth knows cannot be asked for here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contracts.files import File
from contracts.instants import Zone
from contracts.shift_events import Action, EndReason, WorldEvent
from contracts.world import Mail
from runtime.attached import size_text
from runtime.core import ActionResult, Shift

DEFAULT_COST_MS = 1_000
"""Cost of an action that the template does not price."""

View = dict[str, Any]


class ApiDriver:
    """Drives a shift in simulated time: views, actions, waiting, charged thinking time."""

    def __init__(self, shift: Shift) -> None:
        self._shift = shift

    @property
    def now_ms(self) -> int:
        """Milliseconds since the start."""
        return self._shift.now_ms

    @property
    def length_ms(self) -> int:
        """Milliseconds until the time limit."""
        return self._shift.visible.length_ms

    @property
    def over(self) -> bool:
        """Whether the shift is locked."""
        return self._shift.locked

    @property
    def zone(self) -> Zone:
        """The zone that the rep's calendar shows."""
        return self._shift.visible.zone

    def perform(self, action: Action, data: Mapping[str, Any] | None = None) -> ActionResult:
        """Charges an action's cost, then carries it out; a wait takes its own time."""
        given = dict(data or {})
        cost = 0 if action is Action.WAIT else self._cost(action)
        result = self._shift.apply(action, given, self.now_ms + cost)
        if action is Action.WAIT and result.done:
            self.charge(int(given["ms"]))
        return result

    def charge(self, ms: int) -> None:
        """Lets time pass that the agent spent outside the apps, such as a model's latency."""
        if not self.over:
            self._shift.tick_to(self.now_ms + max(0, ms))

    def wait(self, ms: int) -> ActionResult:
        """Waits."""
        return self.perform(Action.WAIT, {"ms": ms})

    def wait_for_mail(self, longest_ms: int, step_ms: int = 5_000) -> bool:
        """Waits until a mail arrives, at most a time; says whether one arrived."""
        before = len(self.mails("inbox"))
        until = self.now_ms + longest_ms
        while not self.over and self.now_ms < until:
            self.wait(min(step_ms, until - self.now_ms))
            if len(self.mails("inbox")) > before:
                return True
        return False

    def stop(self) -> None:
        """Ends the shift for an agent that stopped without clicking End shift."""
        self._shift.lock(EndReason.AGENT_STOPPED)

    # ------------------------------------------------------------ views

    def briefing(self) -> View:
        """Returns who the rep is, for whom, and the clock."""
        visible = self._shift.visible
        return {
            "company": visible.company,
            "domain": visible.domain,
            "rep": visible.rep.model_dump(),
            "manager": visible.manager.model_dump(),
            "zone": visible.zone.model_dump(),
            "now": self._shift.now,
            "left_ms": self.length_ms - self.now_ms,
        }

    def mails(self, folder: str = "inbox") -> list[View]:
        """Returns a folder's mails, newest first, without their texts."""
        office = self._shift.office
        return [self._line(mail) for mail in office.folder(folder)]

    def open_mail(self, mail_id: str) -> View:
        """Opens a mail; empty where there is none."""
        if not self.perform(Action.MAIL_OPEN, {"mail_id": mail_id}).done:
            return {}
        mail = self._shift.office.mails[mail_id]
        return mail.model_dump(mode="json") | {"attachments": [_card(file) for file in mail.attachments]}

    def files(self) -> list[View]:
        """Returns what can be opened and attached: documents, and what came with mails."""
        return [_card(file) for file in self._shift.office.files().values()]

    def open_file(self, file_id: str) -> View:
        """Opens a file with what it says; empty where there is none."""
        if not self.perform(Action.FILE_OPEN, {"file_id": file_id}).done:
            return {}
        file = self._shift.office.files()[file_id]
        return _card(file) | {"text": file.text}

    def search_mail(self, query: str) -> list[View]:
        """Returns the mails that hold every word of a query."""
        self.perform(Action.MAIL_SEARCH, {"query": query})
        words = query.casefold().split()
        held = self._shift.office.mails.values()
        texts = {mail.id: " ".join([mail.subject, mail.body, *_names(mail)]).casefold() for mail in held}
        return [self._line(mail) for mail in held if all(word in texts[mail.id] for word in words)]

    def accounts(self) -> list[View]:
        """Returns the CRM's list of accounts."""
        return [account.model_dump(mode="json") for account in self._shift.office.accounts.values()]

    def open_account(self, account_id: str) -> View:
        """Opens an account with its contacts, notes and activities; empty where there is none."""
        office = self._shift.office
        self.perform(Action.CRM_OPEN, {"record_id": account_id})
        account = office.accounts.get(account_id)
        if account is None:
            return {}
        return {
            **account.model_dump(mode="json"),
            "contacts": [person.model_dump() for person in office.people_of(account_id)],
            "notes": [note.model_dump() for note in office.notes_of(account_id)],
            "activities": [a._asdict() for a in office.activities.values() if a.account_id == account_id],
        }

    def choices(self) -> View:
        """Returns the closed lists of the CRM: problems, disqualifiers, stages."""
        visible = self._shift.visible
        return {
            "problems": dict(visible.problems),
            "disqualifiers": dict(visible.disqualifiers),
            "stages": list(visible.stages),
        }

    def calendar(self) -> list[View]:
        """Returns the calendar's entries in order of time."""
        entries = sorted(self._shift.office.calendar.values(), key=lambda e: (e.starts_at, e.id))
        return [entry.model_dump(mode="json") for entry in entries]

    def playbook(self, path: str = "") -> View:
        """Opens a page of the playbook, or the list of pages where none is named."""
        self.perform(Action.PLAYBOOK_OPEN, {"path": path})
        pages = self._shift.visible.playbook
        found = next((page for page in pages if page.path == path), None)
        return found.model_dump() if found else {"pages": [page.path for page in pages]}

    def site(self, domain: str, path: str = "/") -> View:
        """Opens a page of a company's website, or the list of pages where the path has none."""
        self.perform(Action.SITE_OPEN, {"domain": domain, "path": path})
        site = next((site for site in self._shift.visible.sites if site.domain == domain), None)
        if site is None:
            return {}
        page = next((page for page in site.pages if page.path == path), None)
        return page.model_dump() if page else {"name": site.name, "pages": [p.path for p in site.pages]}

    def _line(self, mail: Mail) -> View:
        view = mail.model_dump(mode="json", exclude={"body", "attachments"})
        return {
            **view,
            "attachments": _names(mail),
            "unread": mail.folder == "inbox" and mail.id not in self._shift.office.opened,
        }

    def _cost(self, action: Action) -> int:
        return self._shift.server.action_cost_ms.get(str(action), DEFAULT_COST_MS)


def _names(mail: Mail) -> list[str]:
    return [file.name for file in mail.attachments]


def _card(file: File) -> View:
    return {"id": file.id, "name": file.name, "media_type": file.media_type, "size": size_text(file)}


class ReferenceView:
    """What the reference may know beside the apps: how each mail was structured.

    It reads offers, asks and delegates from the log instead of from wording, so that a full score tests
    the world and the grader and not a reading of times.
    """

    def __init__(self, shift: Shift) -> None:
        self._shift = shift
        self._read = 0

    def news(self) -> list[View]:
        """Returns the deliveries and answers since the last call, each as its event's data with `type`."""
        fresh = self._shift.events[self._read :]
        self._read += len(fresh)
        wanted = {WorldEvent.DELIVER, WorldEvent.ACCEPTED, WorldEvent.DECLINED, WorldEvent.NOTICE}
        return [{**event.data, "type": event.type} for event in fresh if event.type in wanted]

    @property
    def replies_outstanding(self) -> bool:
        """Whether a buyer still has a turn coming."""
        return self._shift.replies_outstanding
