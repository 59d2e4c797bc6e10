"""Where pages live: under real-looking host names, or all on one host.

A browser that asks mail.<company domain> sees sites at their own domains; one that asks an address or
localhost sees them below /site/.
"""

from __future__ import annotations

from starlette.requests import Request

from contracts.world import Visible


def named_host(request: Request, visible: Visible) -> bool:
    """Tells whether the browser uses the company's host names."""
    host = (request.url.hostname or "").lower()
    return host == visible.domain.lower() or host.endswith("." + visible.domain.lower())


def app_of_host(request: Request) -> str:
    """Returns the first label of the host: "crm" for crm.<company domain>."""
    return (request.url.hostname or "").lower().split(".")[0]


def site_link(request: Request, visible: Visible, website: str) -> str:
    """Returns the link to a company's website as this browser reaches it."""
    domain = website.lower().split("://")[-1].split("/")[0].removeprefix("www.")
    if not named_host(request, visible):
        return f"/site/{domain}/"
    port = f":{request.url.port}" if request.url.port else ""
    return f"{request.url.scheme}://{domain}{port}/"
