"""The web application over one shift: all pages, the frame around requests, the end."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import ASGIApp, Scope

from contracts.shift_events import Action
from runtime.apps.access import Access, Clock
from runtime.apps.calendar import CalendarPages
from runtime.apps.crm import CrmPages
from runtime.apps.crm_import import ImportPages
from runtime.apps.crm_lists import CrmLists
from runtime.apps.files import FilePages
from runtime.apps.hosts import app_of_host
from runtime.apps.mail import MailPages
from runtime.apps.playbook import PlaybookPages
from runtime.apps.screens import APPS, Screens
from runtime.apps.sites import SitePages
from runtime.core import Shift

STATIC = "/static/"


class _UndatedFiles(StaticFiles):
    """Files without the day on which this machine got them."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        for name in ("last-modified", "etag"):
            del response.headers[name]
        return response


class _Door(BaseHTTPMiddleware):
    """Lets time pass before each request, serves sites by host name, shows the end once it is there."""

    def __init__(self, app: ASGIApp, access: Access, screens: Screens, sites: SitePages) -> None:
        super().__init__(app)
        self._access = access
        self._screens = screens
        self._sites = sites

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Answers a request, or hands it on."""
        if request.url.path.startswith(STATIC):
            return await call_next(request)
        self._access.catch_up()
        if self._access.over:
            return end_page(self._screens)
        site = self._sites.site_of(request.url.hostname or "")
        if site is not None:
            return self._sites.page(site, request.url.path, "")
        return await call_next(request)


class _EndPages:
    """Answers the requests below /shift."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    async def ask(self, _: Request) -> Response:
        """Asks whether the shift shall end."""
        text = "End your shift? Nothing can be sent or changed afterwards."
        return self._screens.bare(
            "plain.html", {"title": "End shift", "text": text, "asking": True, "back": ""}
        )

    async def end(self, _: Request) -> Response:
        """Ends the shift."""
        self._access.perform(Action.SHIFT_END, {})
        return end_page(self._screens)


def create_app(shift: Shift, clock: Clock) -> Starlette:
    """Returns the pages of a shift; `clock` gives the shift's present in milliseconds.

    Each request first lets the shift catch up with the clock. Requests are served one after the other by
    one event loop, so that no two actions meet.
    """
    access = Access(shift, clock)
    screens = Screens(access)
    sites = SitePages(access, screens)
    end = _EndPages(access, screens)
    paths = {path.strip("/"): path for _, path in APPS}

    async def start(request: Request) -> Response:
        return RedirectResponse(paths.get(app_of_host(request), "/mail"), 303)

    async def missing(_: Request, __: Exception) -> Response:
        return screens.missing("This page", "/mail")

    return Starlette(
        routes=[
            Route("/", start),
            Route("/shift/end", end.ask),
            Route("/shift/end", end.end, methods=["POST"]),
            *FilePages(access, screens).routes(),
            *MailPages(access, screens).routes(),
            *CrmLists(access, screens).routes(),
            *ImportPages(access, screens).routes(),
            *CrmPages(access, screens).routes(),
            *CalendarPages(access, screens).routes(),
            *PlaybookPages(access, screens).routes(),
            *sites.routes(),
            Mount(STATIC, _UndatedFiles(directory=Path(__file__).parent / "static")),
        ],
        middleware=[Middleware(_Door, access=access, screens=screens, sites=sites)],
        exception_handlers={404: missing, 405: missing},
    )


def end_page(screens: Screens) -> Response:
    """Returns the page that is all there is after the end."""
    text = "Your shift has ended. Thank you for your work."
    return screens.bare("plain.html", {"title": "Shift ended", "text": text, "asking": False, "back": ""})
