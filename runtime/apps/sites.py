"""The companies' websites: each under its own host name, and below /site/ where there is only one host."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import Site
from runtime.apps.access import Access
from runtime.apps.screens import Screens

LAYOUTS = ("press", "studio", "grid", "banner", "split", "notice")
PALETTES = 6
HOME = ("", "home", "index")


class Design(NamedTuple):
    """How a site looks."""

    layout: str
    palette: str


class SitePages:
    """Answers the requests for websites."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens
        self._sites = {site.domain.lower(): site for site in access.visible.sites}
        names = sorted({site.design for site in access.visible.sites})
        self._designs = {
            name: Design(LAYOUTS[place % len(LAYOUTS)], f"palette-{place % PALETTES}")
            for place, name in enumerate(names)
        }

    def routes(self) -> list[Route]:
        """Returns the websites' addresses on the apps' host."""
        return [Route("/site/{domain}", self.below), Route("/site/{domain}/{path:path}", self.below)]

    def site_of(self, host: str) -> Site | None:
        """Returns the site that a host name serves."""
        host = host.lower()
        return self._sites.get(host) or self._sites.get(host.removeprefix("www."))

    async def below(self, request: Request) -> Response:
        """Opens a page by /site/<domain>/<path>."""
        site = self.site_of(request.path_params["domain"])
        if site is None:
            return self._screens.missing("This website", "/crm")
        return self.page(site, request.path_params.get("path", ""), f"/site/{site.domain}")

    def page(self, site: Site, path: str, base: str) -> Response:
        """Opens a page of a site; its links start with `base`."""
        path = path.strip("/")
        found = [page for page in site.pages if page.path.strip("/") == path]
        if not found and path in HOME:
            found = [page for page in site.pages if page.path.strip("/") in HOME] or site.pages[:1]
        if not found:
            return self._screens.missing("This page", f"{base}/")
        page = found[0]
        self._access.perform(Action.SITE_OPEN, {"domain": site.domain, "path": page.path})
        design = self._designs[site.design]
        values = {"site": site, "page": page, "base": base, **design._asdict()}
        return self._screens.bare(f"sites/{design.layout}.html", values)
