"""Files on pages: what came with a mail and the company's documents, shown and downloaded.

A file is found only where it lies: below the mail that brought it, or among the documents. Showing it and
downloading it are one action.
"""

from __future__ import annotations

import csv
from datetime import datetime
from io import StringIO
from typing import NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.files import File
from contracts.instants import clock_text, day_text
from contracts.shift_events import Action
from contracts.world import Mail
from runtime.apps.access import Access
from runtime.apps.screens import HEADERS, Screens
from runtime.attached import content_of, size_text

CSV, CALENDAR = "text/csv", "text/calendar"
KINDS = {
    "application/pdf": ("PDF", "PDF document"),
    CALENDAR: ("ICS", "Calendar event"),
    CSV: ("CSV", "Table (CSV)"),
    "text/plain": ("TXT", "Text file"),
}
_DOWNLOAD_POLICY = "default-src 'none'; sandbox"
"""Even a browser that shows the bytes instead of saving them runs nothing in them."""
_EVENT_LINES = {"SUMMARY": "Event", "DTSTART": "Starts", "DTEND": "Ends", "LOCATION": "Where"}


class Card(NamedTuple):
    """A file as lists show it."""

    id: str
    name: str
    icon: str
    kind: str
    size: str
    place: str = ""
    """Address of its page."""
    origin: str = ""
    """Whose mail brought it."""


def card_of(file: File, place: str = "", origin: str = "") -> Card:
    """Returns how lists show a file that lies at a place."""
    icon, kind = KINDS.get(file.media_type, ("FILE", file.media_type))
    address = f"{place}/{quote(file.id)}" if place else ""
    return Card(file.id, file.name, icon, kind, size_text(file), address, origin)


def cards_of(mail: Mail) -> list[Card]:
    """Returns what came with a mail."""
    return [card_of(file, f"/mail/{quote(mail.id)}/attachments") for file in mail.attachments]


def documents_of(access: Access) -> list[Card]:
    """Returns the company's documents."""
    return [card_of(file, "/playbook/documents") for file in access.visible.documents]


def received_of(access: Access) -> list[Card]:
    """Returns what mails brought beside the documents, newest first, each file once."""
    found = {file.id: Card("", "", "", "", "") for file in access.visible.documents}
    others = [mail for mail in access.mails() if mail.sender != access.visible.rep]
    for mail in sorted(reversed(others), key=lambda mail: -mail.sent_at):
        for file in mail.attachments:
            if file.id not in found:
                origin = mail.sender.name or mail.sender.address
                found[file.id] = card_of(file, f"/mail/{quote(mail.id)}/attachments", origin)
    return [card for card in found.values() if card.id]


class FilePages:
    """Answers the requests for files below /mail and /playbook."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the files' addresses."""
        received, documents = "/mail/{mail_id}/attachments/{file_id}", "/playbook/documents/{file_id}"
        return [
            Route(received, self.show),
            Route(f"{received}/download", self.download),
            Route(documents, self.show),
            Route(f"{documents}/download", self.download),
        ]

    async def show(self, request: Request) -> Response:
        """Opens a file on a page."""
        file = self._opened(request)
        if file is None:
            return self._screens.missing("This file", self._back(request))
        mail = self._access.mail(request.path_params.get("mail_id", ""))
        values = {
            "file": card_of(file, request.url.path.rpartition("/")[0]),
            "text": file.text,
            "table": table_rows(file.text) if file.media_type == CSV else [],
            "event": event_rows(file.text) if file.media_type == CALENDAR else [],
            "paper": file.media_type == "application/pdf",
            "mail": mail,
            "back": self._back(request),
        }
        return self._screens.show("file.html", "Mail" if mail else "Playbook", file.name, values)

    async def download(self, request: Request) -> Response:
        """Gives a file's bytes, to be saved and never to be run."""
        file = self._opened(request)
        if file is None:
            return self._screens.missing("This file", self._back(request))
        headers = HEADERS | {
            "content-disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
            "content-security-policy": _DOWNLOAD_POLICY,
        }
        return Response(content_of(file), media_type=file.media_type, headers=headers)

    def _opened(self, request: Request) -> File | None:
        file = self._file(request)
        if file is None or self._access.perform(Action.FILE_OPEN, {"file_id": file.id}).refused:
            return None
        return file

    def _file(self, request: Request) -> File | None:
        held = self._access.visible.documents
        if "mail_id" in request.path_params:
            mail = self._access.mail(request.path_params["mail_id"])
            held = mail.attachments if mail else []
        return next((file for file in held if file.id == request.path_params["file_id"]), None)

    def _back(self, request: Request) -> str:
        if "mail_id" not in request.path_params:
            return "/playbook"
        mail = self._access.mail(request.path_params["mail_id"])
        return f"/mail/{quote(mail.id)}" if mail else "/mail"


def table_rows(text: str) -> list[list[str]]:
    """Returns a table's rows, all of them as wide as the widest."""
    rows = list(csv.reader(StringIO(text)))
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def event_rows(text: str) -> list[tuple[str, str]]:
    """Returns what a calendar file says of its event, as people read it."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return [(label, _moment(lines[key])) for key, label in _EVENT_LINES.items() if key in lines]


def _moment(value: str) -> str:
    try:
        at = datetime.strptime(f"{value}Z", "%Y%m%dT%H%M%S%z")
    except ValueError:
        return value
    return f"{day_text(at)}, {clock_text(at)}"
