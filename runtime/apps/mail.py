"""The mailbox: folders, list, reading pane, writing.

Opening, searching and the five ways to act on a mail are actions; showing a folder is none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import Mail
from runtime.apps.access import Access
from runtime.apps.files import Card, cards_of, documents_of, received_of
from runtime.apps.screens import Notice, Screens, addresses, when_short
from runtime.apps.search import Search

FOLDERS = {"inbox": "Inbox", "drafts": "Drafts", "sent": "Sent", "archive": "Archive", "trash": "Trash"}
"""Drafts are what was typed and not sent: the browser keeps them, nothing of a shift knows of them."""
DONE = {
    "sent": "Your mail is on its way.",
    "archive": "The mail is in the archive now.",
    "delete": "The mail is in the trash now.",
    "report": "Thank you: the mail was reported as phishing and is in the trash now.",
    "respond": "Your answer is sent.",
}
FILING = {
    "archive": Action.MAIL_ARCHIVE,
    "delete": Action.MAIL_DELETE,
    "report": Action.MAIL_REPORT,
}
WRITING = ("reply", "reply_all", "forward")


class Row(NamedTuple):
    """A line of a list of mails."""

    mail: Mail
    who: str
    when: str
    unread: bool
    thread: int
    """Mails in its conversation."""
    files: list[Card]


class Folder(NamedTuple):
    """A mailbox and the figure beside it."""

    id: str
    label: str
    unread: int


@dataclass
class Draft:
    """What the rep has typed so far."""

    to: str = ""
    cc: str = ""
    bcc: str = ""
    subject: str = ""
    body: str = ""
    quote: bool = False
    files: list[str] = field(default_factory=list)
    """Ids of what is attached."""


@dataclass
class Pane:
    """What the mailbox shows: a folder or a search, a mail, a form."""

    folder: str = "inbox"
    query: str = ""
    mail: Mail | None = None
    writing: str = ""
    draft: Draft = field(default_factory=Draft)


class MailPages:
    """Answers the requests below /mail."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the mailbox's addresses."""
        return [
            Route("/mail", self.folder),
            Route("/mail/badge", self.badge),
            Route("/mail/new", self.blank),
            Route("/mail/send", self.send, methods=["POST"]),
            Route("/mail/{mail_id}", self.read),
            Route("/mail/{mail_id}/reply", self.reply, methods=["POST"]),
            Route("/mail/{mail_id}/forward", self.forward, methods=["POST"]),
            Route("/mail/{mail_id}/{filing}", self.file, methods=["POST"]),
        ]

    async def folder(self, request: Request) -> Response:
        """Shows a folder, or what a search found."""
        query = request.query_params.get("q", "").strip()
        folder = request.query_params.get("folder", "inbox")
        if query:
            self._access.perform(Action.MAIL_SEARCH, {"query": query})
        pane = Pane(folder=folder if folder in FOLDERS else "inbox", query=query)
        return self._show(pane, self._done(request))

    async def badge(self, _: Request) -> Response:
        """Shows how many mails are unread; the page renews itself."""
        return self._screens.bare("badge.html", {"unread": self._unread()})

    async def blank(self, request: Request) -> Response:
        """Shows the form for a new mail."""
        asked = request.query_params
        draft = Draft(to=asked.get("to", ""), subject=asked.get("subject", ""))
        return self._show(Pane(writing="new", draft=draft))

    async def read(self, request: Request) -> Response:
        """Opens a mail, on request with a form to answer it."""
        mail = self._access.mail(request.path_params["mail_id"])
        if mail is None:
            return self._screens.missing("This mail", "/mail")
        self._access.perform(Action.MAIL_OPEN, {"mail_id": mail.id})
        writing = request.query_params.get("write", "")
        pane = Pane(
            folder=mail.folder,
            query=request.query_params.get("q", "").strip(),
            mail=mail,
            writing=writing if writing in WRITING else "",
            draft=self._answer_draft(mail, writing),
        )
        return self._show(pane, self._done(request))

    async def send(self, request: Request) -> Response:
        """Sends a new mail."""
        draft = await self._typed(request)
        data: dict[str, object] = {
            "to": addresses(draft.to),
            "cc": addresses(draft.cc),
            "bcc": addresses(draft.bcc),
            "subject": draft.subject,
            "body": draft.body,
            "files": draft.files,
        }
        outcome = self._access.perform(Action.MAIL_SEND, data)
        if outcome.refused:
            return self._show(Pane(writing="new", draft=draft), Notice(outcome.refused, refused=True))
        return RedirectResponse("/mail?done=sent", 303)

    async def reply(self, request: Request) -> Response:
        """Sends an answer in the mail's thread."""
        draft = await self._typed(request)
        data: dict[str, object] = {"to": addresses(draft.to), "cc": addresses(draft.cc)}
        return self._answer(request, Action.MAIL_REPLY, data | {"quote": draft.quote}, draft)

    async def forward(self, request: Request) -> Response:
        """Sends the mail on."""
        draft = await self._typed(request)
        data: dict[str, object] = {"to": addresses(draft.to), "cc": addresses(draft.cc)}
        return self._answer(request, Action.MAIL_FORWARD, data, draft)

    async def file(self, request: Request) -> Response:
        """Archives, deletes or reports the mail."""
        mail_id, filing = request.path_params["mail_id"], request.path_params["filing"]
        mail = self._access.mail(mail_id)
        if mail is None or filing not in FILING:
            return self._screens.missing("This mail", "/mail")
        outcome = self._access.perform(FILING[filing], {"mail_id": mail_id})
        if outcome.refused:
            return self._show(Pane(folder=mail.folder, mail=mail), Notice(outcome.refused, refused=True))
        return RedirectResponse(f"/mail?folder={quote(mail.folder)}&done={filing}", 303)

    def _answer(self, request: Request, action: Action, data: dict[str, object], draft: Draft) -> Response:
        mail = self._access.mail(request.path_params["mail_id"])
        if mail is None:
            return self._screens.missing("This mail", "/mail")
        outcome = self._access.perform(
            action, {"mail_id": mail.id, "body": draft.body, "files": draft.files} | data
        )
        if outcome.refused:
            writing = "forward" if action is Action.MAIL_FORWARD else "reply"
            pane = Pane(folder=mail.folder, mail=mail, writing=writing, draft=draft)
            return self._show(pane, Notice(outcome.refused, refused=True))
        return RedirectResponse("/mail?done=sent", 303)

    def _answer_draft(self, mail: Mail, writing: str) -> Draft:
        if writing == "forward":
            return Draft(files=[file.id for file in mail.attachments])
        if writing not in WRITING:
            return Draft()
        own = self._access.visible.rep.address.lower()
        if self._own(mail):
            to, rest = [party.address for party in mail.to], mail.cc
        else:
            to, rest = [mail.sender.address], [*mail.to, *mail.cc]
        cc = [p.address for p in rest if p.address.lower() not in {own, *(a.lower() for a in to)}]
        return Draft(to=", ".join(to), cc=", ".join(cc) if writing == "reply_all" else "")

    async def _typed(self, request: Request) -> Draft:
        form = await request.form()
        text = {
            name: str(form.get(name, "")).replace("\r\n", "\n")
            for name in ("to", "cc", "bcc", "subject", "body")
        }
        files = [str(value) for value in form.getlist("files")]
        return Draft(**text, quote=form.get("quote") == "yes", files=files)

    def _done(self, request: Request) -> Notice | None:
        text = DONE.get(request.query_params.get("done", ""))
        return Notice(text) if text else None

    def _own(self, mail: Mail) -> bool:
        return mail.sender.address.lower() == self._access.visible.rep.address.lower()

    def _unread(self) -> int:
        return sum(mail.folder == "inbox" and self._access.unread(mail) for mail in self._access.mails())

    def _choices(self) -> list[tuple[str, list[Card]]]:
        """Returns what can be attached, under headings."""
        held = {"Documents": documents_of(self._access), "From your mails": received_of(self._access)}
        return [(heading, files) for heading, files in held.items() if files]

    def _row(self, mail: Mail, thread: int = 1) -> Row:
        visible = self._access.visible
        names = ", ".join(party.name or party.address for party in mail.to)
        who = f"To: {names}" if self._own(mail) else mail.sender.name
        when = when_short(mail.sent_at, self._access.now, visible.zone)
        return Row(mail, who or mail.sender.address, when, self._access.unread(mail), thread, cards_of(mail))

    def _show(self, pane: Pane, notice: Notice | None = None) -> Response:
        newest = sorted(reversed(self._access.mails()), key=lambda mail: -mail.sent_at)
        threads = Counter(mail.thread_id for mail in newest)
        if pane.query:
            search = Search.of(pane.query)
            rows = [mail for mail in newest if search.finds(mail, self._access.unread(mail))]
        else:
            rows = [mail for mail in newest if mail.folder == pane.folder]
        mail = pane.mail
        event = self._access.event(mail.invite_id) if mail and mail.invite_id else None
        others = [m for m in newest if mail and m.thread_id == mail.thread_id and m.id != mail.id]
        folders = [
            Folder(box, label, self._unread() if box == "inbox" else 0) for box, label in FOLDERS.items()
        ]
        values = {
            "folders": folders,
            "folder": "" if pane.query else pane.folder,
            "query": pane.query,
            "place": "?" + urlencode({"q": pane.query}) if pane.query else "",
            "listing_title": "Search results"
            if pane.query
            else FOLDERS.get(pane.folder, pane.folder.title()),
            "rows": [self._row(m, threads[m.thread_id]) for m in rows],
            "mail": mail,
            "own": mail is not None and self._own(mail),
            "others": [self._row(m) for m in others],
            "event": event,
            "answerable": event is not None and self._access.answerable(event),
            "writing": pane.writing,
            "draft": pane.draft,
            "files": cards_of(mail) if mail else [],
            "choices": self._choices() if pane.writing else [],
        }
        return self._screens.show("mail.html", "Mail", mail.subject if mail else "Mail", values, notice)
