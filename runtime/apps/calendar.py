"""The calendar: day, week and month in the rep's zone, meetings with guests, blocks of time without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from contracts.instants import Instant, InstantError, Zone, clock_text
from contracts.shift_events import Action
from contracts.world import CalendarEvent
from runtime.apps.access import Access
from runtime.apps.crm import typed
from runtime.apps.screens import Notice, Screens, addresses
from runtime.apps.spans import GONE, VIEWS, Span, conflicts, month_values, span_of
from runtime.apps.week import ClockError, clock_minutes, grid_values

DONE = {
    "invite": "The invitation is sent.",
    "block": "The entry is saved.",
    "reschedule": "The update is sent to the guests.",
    "change": "The entry is saved.",
    "cancel": "The meeting is cancelled; the guests are told.",
    "delete": "The entry is deleted.",
    "respond": "Your answer is sent.",
}
HALF_HOUR = 30
FIELDS = ("title", "day", "start", "end", "zone", "attendees", "text")
Data = dict[str, object]


@dataclass(frozen=True)
class Side:
    """What stands beside the days: a form or an event."""

    panel: str = ""
    kind: str = "meeting"
    event: CalendarEvent | None = None
    draft: Mapping[str, str] | None = None
    notice: Notice | None = None
    moving: bool = False
    """Whether the form holds another time than the entry and nothing is sent yet."""


class CalendarPages:
    """Answers the requests below /calendar."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens
        self._zone = access.visible.zone

    def routes(self) -> list[Route]:
        """Returns the calendar's addresses."""
        return [
            Route("/calendar", self.days),
            Route("/calendar/new", self.blank),
            Route("/calendar/invite", self.invite, methods=["POST"]),
            Route("/calendar/block", self.block, methods=["POST"]),
            Route("/calendar/{event_id}", self.event),
            Route("/calendar/{event_id}/respond", self.respond, methods=["POST"]),
            Route("/calendar/{event_id}/{change}", self.change, methods=["POST"]),
        ]

    async def days(self, request: Request) -> Response:
        """Shows a day, a week or a month."""
        text = DONE.get(request.query_params.get("done", ""))
        return self._show(self._span_of(request), Side(notice=Notice(text) if text else None))

    async def blank(self, request: Request) -> Response:
        """Shows the form for a meeting or a block of time."""
        given = {name: request.query_params.get(name, "") for name in FIELDS}
        kind = "block" if request.query_params.get("kind") == "block" else "meeting"
        if given["start"]:
            given["start"] = clock_or_same(given["start"])
        if given["start"] and not given["end"]:
            given["end"] = half_hour_later(given["start"])
        given["end"] = clock_or_same(given["end"])
        span = self._span_of(request, given["day"])
        return self._show(span, Side("new", kind, draft=given | {"day": given["day"] or span.day}))

    async def event(self, request: Request) -> Response:
        """Shows an entry with what can be done about it; a time in the address stands in the form."""
        event = self._access.event(request.path_params["event_id"])
        if event is None:
            return self._screens.missing("This event", "/calendar")
        text = DONE.get(request.query_params.get("done", ""))
        asked = {name: value for name, value in request.query_params.items() if name in FIELDS}
        return self._show_event(request, event, Notice(text) if text else None, asked)

    async def invite(self, request: Request) -> Response:
        """Sends an invitation."""
        form = await typed(request)
        data: Data = {"text": form.get("text", ""), "attendees": addresses(form.get("attendees", ""))}
        return self._make(request, form, Action.INVITE_SEND, data)

    async def block(self, request: Request) -> Response:
        """Makes an entry without guests."""
        return self._make(request, await typed(request), Action.CALENDAR_CREATE, {})

    async def respond(self, request: Request) -> Response:
        """Accepts or declines an invitation."""
        form = await typed(request)
        data: Data = {
            "event_id": request.path_params["event_id"],
            "answer": form.get("answer", ""),
        }
        answer = self._change(request, "respond", Action.INVITE_RESPOND, data)
        mail = self._access.mail(form.get("mail", ""))
        if mail is not None and answer.status_code == 303:
            return RedirectResponse(f"/mail/{quote(mail.id)}?done=respond", 303)
        return answer

    async def change(self, request: Request) -> Response:
        """Moves, changes, cancels or deletes an entry."""
        event_id, change = request.path_params["event_id"], request.path_params["change"]
        event = self._access.event(event_id)
        actions = {
            "reschedule": Action.INVITE_UPDATE,
            "cancel": Action.INVITE_CANCEL,
            "change": Action.CALENDAR_UPDATE,
            "delete": Action.CALENDAR_DELETE,
        }
        if event is None or change not in actions:
            return self._screens.missing("This event", "/calendar")
        data: Data = {"event_id": event_id}
        form = await typed(request)
        if change in ("reschedule", "change"):
            try:
                data |= self._times(form)
            except (InstantError, ClockError) as error:
                return self._show_event(request, event, Notice(str(error), refused=True), form)
        if change == "change":
            data["title"] = form.get("title", "").strip()
        return self._change(request, change, actions[change], data, form)

    def _make(self, request: Request, form: dict[str, str], action: Action, more: Data) -> Response:
        kind = "meeting" if action is Action.INVITE_SEND else "block"
        span = self._span_of(request, form.get("day", ""))
        refused = ""
        try:
            times = self._times(form)
        except (InstantError, ClockError) as error:
            refused = str(error)
        else:
            data = {"title": form.get("title", "").strip()} | times | more
            outcome = self._access.perform(action, data)
            refused = outcome.refused
        if refused:
            return self._show(span, Side("new", kind, draft=form, notice=Notice(refused, refused=True)))
        done = "invite" if kind == "meeting" else "block"
        return RedirectResponse(f"/calendar/{quote(outcome.event_id)}?view={span.view}&done={done}", 303)

    def _change(
        self, request: Request, done: str, action: Action, data: Data, form: dict[str, str] | None = None
    ) -> Response:
        event_id = request.path_params["event_id"]
        event = self._access.event(event_id)
        if event is None:
            return self._screens.missing("This event", "/calendar")
        outcome = self._access.perform(action, data)
        if outcome.refused:
            return self._show_event(request, event, Notice(outcome.refused, refused=True), form)
        view = self._span_of(request).view
        if self._access.event(event_id) is None:
            day = self._local_day(event.starts_at)
            return RedirectResponse(f"/calendar?view={view}&day={day}&done={done}", 303)
        return RedirectResponse(f"/calendar/{quote(event_id)}?view={view}&done={done}", 303)

    def _times(self, form: Mapping[str, str]) -> Data:
        zone = self._zone_of(form.get("zone", ""))
        midnight = zone.instant(f"{form.get('day', '').strip()} 00:00")
        start, end = clock_minutes(form.get("start", "")), clock_minutes(form.get("end", ""))
        return {"starts_at": midnight + 60 * start, "ends_at": midnight + 60 * end}

    def _zone_of(self, name: str) -> Zone:
        return next((zone for zone in self._access.visible.zones if zone.name == name), self._zone)

    def _span_of(self, request: Request, day: str = "") -> Span:
        asked = request.query_params
        view = asked.get("view", "")
        day = day or asked.get("day", "") or asked.get("week", "")
        return span_of(view if view in VIEWS else "week", day, self._local_day(self._access.now))

    def _local_day(self, instant: Instant) -> str:
        return self._zone.local(instant).date().isoformat()

    def _show_event(
        self,
        request: Request,
        event: CalendarEvent,
        notice: Notice | None,
        form: Mapping[str, str] | None = None,
    ) -> Response:
        start, end = self._zone.local(event.starts_at), self._zone.local(event.ends_at)
        now_typed = {
            "title": event.title,
            "day": start.date().isoformat(),
            "start": clock_text(start),
            "end": clock_text(end),
            "zone": "",
        }
        draft = now_typed | {name: value for name, value in (form or {}).items() if name in now_typed}
        moving = draft != now_typed and notice is None
        span = self._span_of(request, now_typed["day"])
        return self._show(span, Side("event", event=event, draft=draft, notice=notice, moving=moving))

    def _show(self, span: Span, side: Side) -> Response:
        event, now = side.event, self._access.now
        events = self._access.events()
        draft = {name: (side.draft or {}).get(name, "") for name in FIELDS}
        days = {"day": 1, "week": 7}.get(span.view, 0)
        grid = (
            grid_values(events, self._zone, span.first, days, now)
            if days
            else month_values(events, self._zone, span, now)
        )
        names = {party.address.lower(): party.name for party in self._access.people()}
        values = grid | {
            "span": span,
            "views": VIEWS,
            "today": self._local_day(now),
            "clocks": CLOCKS,
            "zones": self._access.visible.zones,
            "panel": side.panel,
            "kind": side.kind,
            "event": event,
            "moving": side.moving,
            "guests": [(names.get(guest.lower(), ""), guest) for guest in event.attendees] if event else [],
            "draft": draft,
            "conflicts": self._conflicts(events, side, draft),
            "answerable": event is not None and self._access.answerable(event),
            "editable": event is not None and self._access.editable(event),
        }
        title = event.title if event else "Calendar"
        return self._screens.show("calendar.html", "Calendar", title, values, side.notice)

    def _conflicts(
        self, events: list[CalendarEvent], side: Side, draft: Mapping[str, str]
    ) -> list[CalendarEvent]:
        """Returns what stands at the time of the form or the entry on show."""
        if not side.panel or (side.event is not None and side.event.status in GONE):
            return []
        try:
            times = self._times(draft)
        except (InstantError, ClockError):
            return []
        but = side.event.id if side.event else ""
        return conflicts(events, int(str(times["starts_at"])), int(str(times["ends_at"])), but)


def clock_or_same(text: str) -> str:
    """Returns a clock as the calendar writes it, a text that is none as it is."""
    try:
        return _clock(clock_minutes(text))
    except ClockError:
        return text


def half_hour_later(start: str) -> str:
    """Returns the clock half an hour after a typed one, nothing where it cannot be read."""
    try:
        end = clock_minutes(start) + HALF_HOUR
    except ClockError:
        return ""
    return _clock(end) if end < 24 * 60 else ""


def _clock(minutes: int) -> str:
    hour = minutes // 60
    return f"{(hour + 11) % 12 + 1}:{minutes % 60:02d} {'AM' if hour < 12 else 'PM'}"


CLOCKS = tuple(_clock(half * HALF_HOUR) for half in range(48))
