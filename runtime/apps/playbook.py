"""The playbook: the company's wiki. Opening a page is an action."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.shift_events import Action
from runtime.apps.access import Access
from runtime.apps.screens import Screens


class PlaybookPages:
    """Answers the requests below /playbook."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the playbook's addresses."""
        return [Route("/playbook", self.page), Route("/playbook/{path:path}", self.page)]

    async def page(self, request: Request) -> Response:
        """Opens a page; without a path, the first one."""
        pages = self._access.visible.playbook
        path = request.path_params.get("path", "").strip("/")
        found = [page for page in pages if page.path.strip("/") == path] or ([] if path else pages[:1])
        if not found:
            return self._screens.missing("This page", "/playbook")
        page = found[0]
        self._access.perform(Action.PLAYBOOK_OPEN, {"path": page.path})
        return self._screens.show("playbook.html", "Playbook", page.title, {"pages": pages, "page": page})
