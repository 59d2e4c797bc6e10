"""Turns templates and values into pages: the environment, its filters, and the frame's own values.

What a page is filled with stands in the module of its app.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zlib import crc32

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from contracts.instants import MONTHS, WEEKDAYS, Instant, Zone, clock_text, day_text
from contracts.world import CalendarEvent, Party
from runtime.apps.access import Access

APPS = (("Mail", "/mail"), ("CRM", "/crm"), ("Calendar", "/calendar"), ("Playbook", "/playbook"))
REFUSED = 422
PEEK_CHARACTERS = 90
HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
    ),
}


@dataclass(frozen=True)
class Notice:
    """What a page says about the last action."""

    text: str
    refused: bool = False


class Screens:
    """Renders the pages of one shift; every value is escaped."""

    def __init__(self, access: Access) -> None:
        self._access = access
        zone = access.visible.zone
        self._pages = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
        )
        self._pages.filters |= {
            "initials": initials,
            "tone": lambda text: f"tone-{crc32(text.encode()) % 6}",
            "peek": lambda text: " ".join(text.split())[:PEEK_CHARACTERS],
            "parties_one": party_text,
            "parties": lambda parties: ", ".join(map(party_text, parties)),
            "when_full": lambda instant: when_full(instant, zone, access.now),
            "span_text": lambda event: span_text(event, zone),
            "clock_span": lambda event: clock_span(event, zone),
            "slug": lambda text: str(text).lower().replace(" ", "-"),
            "words": words,
            "long_date": long_date,
            "pagepath": lambda path: path.strip("/"),
        }

    def show(
        self,
        template: str,
        app: str,
        title: str,
        values: Mapping[str, object],
        notice: Notice | None = None,
    ) -> HTMLResponse:
        """Returns a page of a work app; a refusal answers with status 422."""
        visible = self._access.visible
        frame = {
            "app": app,
            "title": title,
            "apps": APPS,
            "company": visible.company,
            "rep": visible.rep,
            "zone": visible.zone,
            "now": self._access.now,
            "now_text": when_full(self._access.now, visible.zone, self._access.now),
            "people_known": self._access.people(),
            "notice": notice,
        }
        return self.bare(template, frame | dict(values), REFUSED if notice and notice.refused else 200)

    def bare(self, template: str, values: Mapping[str, object], status: int = 200) -> HTMLResponse:
        """Returns a page without the work apps' frame."""
        return HTMLResponse(self._pages.get_template(template).render(values), status, HEADERS)

    def missing(self, what: str, back: str) -> HTMLResponse:
        """Returns the page that says that something is not there."""
        values = {"title": "Not found", "text": f"{what} is not here.", "asking": False, "back": back}
        return self.bare("plain.html", values, 404)


def initials(name: str) -> str:
    """Returns at most two first letters of a name."""
    parts = re.findall(r"[^\W\d_]+", name)
    return "".join(part[0] for part in ([parts[0], parts[-1]] if len(parts) > 1 else parts)).upper()


def words(key: str) -> str:
    """Returns a field's key as people write it: "Ledger system"."""
    text = key.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def party_text(party: Party) -> str:
    """Returns "Alex Kim <alex@ledgerline.example>"."""
    return f"{party.name} <{party.address}>" if party.name else party.address


def when_full(instant: Instant, zone: Zone, now: Instant) -> str:
    """Returns "Wed, Oct 14, 9:00 AM PT", with the year where it is another one than now's."""
    local = zone.local(instant)
    day = f"{WEEKDAYS[local.weekday()][:3]}, {MONTHS[local.month - 1][:3]} {local.day}"
    if local.year != zone.local(now).year:
        day += f", {local.year}"
    return f"{day}, {clock_text(local)} {zone.abbreviation}"


def when_short(instant: Instant, now: Instant, zone: Zone) -> str:
    """Returns the clock for today's mails, the day for older ones, with the year for another year's."""
    local, today = zone.local(instant), zone.local(now)
    if local.date() == today.date():
        return clock_text(local)
    if local.year != today.year:
        return f"{MONTHS[local.month - 1][:3]} {local.day}, {local.year}"
    return f"{MONTHS[local.month - 1][:3]} {local.day}"


def long_date(text: str) -> str:
    """Returns "September 2, 2026" for an ISO date, any other text as it is."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def span_text(event: CalendarEvent, zone: Zone) -> str:
    """Returns "Wednesday, October 14, 9:00 AM - 9:30 AM"."""
    return f"{day_text(zone.local(event.starts_at))}, {clock_span(event, zone)}"


def clock_span(event: CalendarEvent, zone: Zone) -> str:
    """Returns "9:00 AM - 9:30 AM"."""
    return f"{clock_text(zone.local(event.starts_at))} - {clock_text(zone.local(event.ends_at))}"


def addresses(text: str) -> list[str]:
    """Returns the addresses of a field like "Ann <ann@a.example>, bob@b.example"."""
    parts: Iterable[str] = (part.strip() for part in re.split(r"[,;]", text))
    return [
        part[part.find("<") + 1 : part.rfind(">")] if part.endswith(">") else part for part in parts if part
    ]
