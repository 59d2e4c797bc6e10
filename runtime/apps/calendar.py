"""The calendar: the week in the rep's zone, meetings with guests, blocks of time without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from contracts.instants import Instant, InstantError, clock_text
from contracts.shift_events import Action
from contracts.world import CalendarEvent
from runtime.apps.access import Access
from runtime.apps.crm import typed
from runtime.apps.screens import Notice, Screens, addresses
from runtime.apps.week import ClockError, clock_minutes, monday_of, week_values

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
FIELDS = ("title", "day", "start", "end", "attendees", "text")


@dataclass(frozen=True)
class Side:
    """What stands beside the week: a form or an event."""

    panel: str = ""
    kind: str = "meeting"
    event: CalendarEvent | None = None
    draft: Mapping[str, str] | None = None
    notice: Notice | None = None


class CalendarPages:
    """Answers the requests below /calendar."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens
        self._zone = access.visible.zone

    def routes(self) -> list[Route]:
        """Returns the calendar's addresses."""
        return [
            Route("/calendar", self.week),
            Route("/calendar/new", self.blank),
            Route("/calendar/invite", self.invite, methods=["POST"]),
            Route("/calendar/block", self.block, methods=["POST"]),
            Route("/calendar/{event_id}", self.event),
            Route("/calendar/{event_id}/respond", self.respond, methods=["POST"]),
            Route("/calendar/{event_id}/{change}", self.change, methods=["POST"]),
        ]

    async def week(self, request: Request) -> Response:
        """Shows a week."""
        return self._show(monday_of(request.query_params.get("week", ""), self._today()), Side())

    async def blank(self, request: Request) -> Response:
        """Shows the form for a meeting or a block of time."""
        given = {name: request.query_params.get(name, "") for name in FIELDS}
        kind = "block" if request.query_params.get("kind") == "block" else "meeting"
        if given["start"] and not given["end"]:
            given["end"] = half_hour_later(given["start"])
        monday = monday_of(given["day"] or request.query_params.get("week", ""), self._today())
        return self._show(monday, Side("new", kind, draft=given))

    async def event(self, request: Request) -> Response:
        """Shows an entry with what can be done about it."""
        event = self._access.event(request.path_params["event_id"])
        if event is None:
            return self._screens.missing("This event", "/calendar")
        text = DONE.get(request.query_params.get("done", ""))
        return self._show_event(event, Notice(text) if text else None)

    async def invite(self, request: Request) -> Response:
        """Sends an invitation."""
        form = await typed(request)
        data: dict[str, object] = {"text": form.get("text", "")}
        data["attendees"] = addresses(form.get("attendees", ""))
        return self._make(form, "meeting", Action.INVITE_SEND, data)

    async def block(self, request: Request) -> Response:
        """Makes an entry without guests."""
        return self._make(await typed(request), "block", Action.CALENDAR_CREATE, {})

    async def respond(self, request: Request) -> Response:
        """Accepts or declines an invitation."""
        form = await typed(request)
        data: dict[str, object] = {
            "event_id": request.path_params["event_id"],
            "answer": form.get("answer", ""),
        }
        return self._change(request, "respond", Action.INVITE_RESPOND, data)

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
        data: dict[str, object] = {"event_id": event_id}
        form = await typed(request)
        if change in ("reschedule", "change"):
            try:
                data |= self._span(form)
            except (InstantError, ClockError) as error:
                return self._show_event(event, Notice(str(error), refused=True), form)
        if change == "change":
            data["title"] = form.get("title", "").strip()
        return self._change(request, change, actions[change], data, form)

    def _make(self, form: dict[str, str], kind: str, action: Action, data: dict[str, object]) -> Response:
        monday = monday_of(form.get("day", ""), self._today())
        try:
            data |= {"title": form.get("title", "").strip()} | self._span(form)
        except (InstantError, ClockError) as error:
            return self._show(monday, Side("new", kind, draft=form, notice=Notice(str(error), refused=True)))
        outcome = self._access.perform(action, data)
        if outcome.refused:
            return self._show(
                monday, Side("new", kind, draft=form, notice=Notice(outcome.refused, refused=True))
            )
        done = "invite" if action is Action.INVITE_SEND else "block"
        return RedirectResponse(f"/calendar/{quote(outcome.event_id)}?done={done}", 303)

    def _change(
        self,
        request: Request,
        done: str,
        action: Action,
        data: dict[str, object],
        form: dict[str, str] | None = None,
    ) -> Response:
        event_id = request.path_params["event_id"]
        event = self._access.event(event_id)
        if event is None:
            return self._screens.missing("This event", "/calendar")
        outcome = self._access.perform(action, data)
        if outcome.refused:
            return self._show_event(event, Notice(outcome.refused, refused=True), form)
        if self._access.event(event_id) is None:
            return RedirectResponse(f"/calendar?week={self._local_day(event.starts_at)}", 303)
        return RedirectResponse(f"/calendar/{quote(event_id)}?done={done}", 303)

    def _span(self, form: Mapping[str, str]) -> dict[str, object]:
        day = form.get("day", "").strip()
        midnight = self._zone.instant(f"{day} 00:00")
        start, end = clock_minutes(form.get("start", "")), clock_minutes(form.get("end", ""))
        return {"starts_at": midnight + 60 * start, "ends_at": midnight + 60 * end}

    def _today(self) -> str:
        return self._local_day(self._access.now)

    def _local_day(self, instant: Instant) -> str:
        return self._zone.local(instant).date().isoformat()

    def _show_event(
        self, event: CalendarEvent, notice: Notice | None, form: Mapping[str, str] | None = None
    ) -> Response:
        start, end = self._zone.local(event.starts_at), self._zone.local(event.ends_at)
        now_typed = {
            "title": event.title,
            "day": start.date().isoformat(),
            "start": clock_text(start),
            "end": clock_text(end),
        }
        draft = now_typed | {name: value for name, value in (form or {}).items() if name in now_typed}
        monday = monday_of(now_typed["day"], self._today())
        return self._show(monday, Side("event", event=event, draft=draft, notice=notice))

    def _show(self, monday: str, side: Side) -> Response:
        event = side.event
        values = week_values(self._access.events(), self._zone, monday, self._access.now) | {
            "panel": side.panel,
            "kind": side.kind,
            "event": event,
            "draft": {name: (side.draft or {}).get(name, "") for name in FIELDS},
            "answerable": event is not None and self._access.answerable(event),
            "editable": event is not None and self._access.editable(event),
        }
        title = event.title if event else "Calendar"
        return self._screens.show("calendar.html", "Calendar", title, values, side.notice)


def half_hour_later(start: str) -> str:
    """Returns the clock half an hour after a typed one, nothing where it cannot be read."""
    try:
        end = clock_minutes(start) + HALF_HOUR
    except ClockError:
        return ""
    return f"{end // 60}:{end % 60:02d}" if end < 24 * 60 else ""
