"""The playbook: the company's wiki. Opening a page and searching all of them are its one action."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import Page
from runtime.apps.access import Access
from runtime.apps.files import documents_of
from runtime.apps.screens import Screens
from runtime.apps.search import has_words

LONGEST_QUERY = 200
AROUND = 90
"""Characters shown on either side of what a search found."""


class Hit(NamedTuple):
    """A page that a search found, with the place."""

    page: Page
    before: str
    word: str
    after: str


class PlaybookPages:
    """Answers the requests below /playbook."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the playbook's addresses."""
        return [Route("/playbook", self.page), Route("/playbook/{path:path}", self.page)]

    async def page(self, request: Request) -> Response:
        """Opens a page; without a path, the first one, or what a search found."""
        pages = self._access.visible.playbook
        query = request.query_params.get("q", "").strip()[:LONGEST_QUERY]
        path = request.path_params.get("path", "").strip("/")
        if query and not path:
            return self._search(pages, query)
        places = [place for place, page in enumerate(pages) if page.path.strip("/") == path]
        places = places or ([] if path else list(range(len(pages)))[:1])
        if not places:
            return self._screens.missing("This page", "/playbook")
        place = places[0]
        page = pages[place]
        self._access.perform(Action.PLAYBOOK_OPEN, {"path": page.path})
        before = pages[place - 1] if place else None
        after = pages[place + 1] if place + 1 < len(pages) else None
        values: dict[str, object] = {"page": page, "before": before, "after": after, "query": "", "hits": []}
        return self._show(page.title, values)

    def _search(self, pages: list[Page], query: str) -> Response:
        self._access.perform(Action.PLAYBOOK_OPEN, {"path": f"?q={query}"})
        hits = [hit for page in pages if (hit := find(page, query))]
        found = {"page": None, "before": None, "after": None, "query": query, "hits": hits}
        return self._show(f"Search: {query}", found)

    def _show(self, title: str, values: Mapping[str, object]) -> Response:
        held = {"pages": self._access.visible.playbook, "documents": documents_of(self._access)}
        return self._screens.show("playbook.html", "Playbook", title, held | dict(values))


def find(page: Page, query: str) -> Hit | None:
    """Returns the place of a query's first word in a page that holds all its words."""
    parts = [" ".join(filter(None, [item.heading, item.text])) for item in page.items]
    text = " ".join(" ".join([page.title, *parts]).split())
    if not has_words(text, query):
        return None
    found = re.search(re.escape(query.split()[0]), text, re.IGNORECASE)
    if found is None:
        return Hit(page, "", "", text[: 2 * AROUND])
    start, end = found.span()
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    if start > AROUND:
        before = "... " + before.partition(" ")[2]
    if end + AROUND < len(text):
        after = after.rpartition(" ")[0] + " ..."
    return Hit(page, before, text[start:end], after)
