"""An account's record in the CRM: details, people, history, and the forms that change them."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import CrmAccount, Status
from runtime.apps.access import Access
from runtime.apps.crm_history import KINDS, timeline
from runtime.apps.crm_lists import TABS
from runtime.apps.hosts import site_link
from runtime.apps.screens import Notice, Screens

DONE = {
    "status": "The status is saved.",
    "stage": "The stage is saved.",
    "next-step": "The next step is saved.",
    "note": "The note is added.",
    "contact": "The contact is added.",
    "edited": "The contact is saved.",
    "activity": "The activity is logged.",
    "merge": "The contacts are merged.",
    "same": "Nothing was changed.",
}
CONTACT_FIELDS = ("name", "role", "address", "phone")


class CrmPages:
    """Answers the requests below /crm."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the CRM's addresses."""
        posts = {
            "status": self.status,
            "stage": self.stage,
            "next-step": self.next_step,
            "note": self.note,
            "contact": self.contact,
            "activity": self.activity,
            "merge": self.merge,
        }
        return [
            Route("/crm/{account_id}", self.record),
            *(Route(f"/crm/{{account_id}}/{name}", post, methods=["POST"]) for name, post in posts.items()),
            Route("/crm/{account_id}/contact/{contact_id}", self.edit_contact, methods=["POST"]),
        ]

    async def record(self, request: Request) -> Response:
        """Opens an account's record."""
        account = self._access.account(request.path_params["account_id"])
        if account is None:
            return self._screens.missing("This account", "/crm")
        self._access.perform(Action.CRM_OPEN, {"record_id": account.id})
        text = DONE.get(request.query_params.get("done", ""))
        return self._show(request, account, Notice(text) if text else None)

    async def status(self, request: Request) -> Response:
        """Sets the status with its reason."""
        form = await typed(request)
        data = {"field": "status", "value": form.get("value", ""), "reason": form.get("reason", "")}
        return self._set(request, "status", data)

    async def stage(self, request: Request) -> Response:
        """Sets the stage."""
        form = await typed(request)
        return self._set(request, "stage", {"field": "stage", "value": form.get("value", "")})

    async def next_step(self, request: Request) -> Response:
        """Sets the next step and its date."""
        form = await typed(request)
        data = {"field": "next_step", "value": form.get("value", ""), "on": form.get("on", "").strip()}
        return self._set(request, "next-step", data)

    async def note(self, request: Request) -> Response:
        """Adds a note."""
        form = await typed(request)
        data = {"account_id": request.path_params["account_id"], "text": form.get("text", "")}
        return self._perform(request, "note", Action.CRM_ADD_NOTE, data)

    async def contact(self, request: Request) -> Response:
        """Adds a contact."""
        form = await typed(request)
        data = {"account_id": request.path_params["account_id"]}
        data |= {name: form.get(name, "").strip() for name in ("name", "role", "address")}
        return self._perform(request, "contact", Action.CRM_ADD_CONTACT, data)

    async def edit_contact(self, request: Request) -> Response:
        """Sets the fields of a contact that differ from what the record holds."""
        form = await typed(request)
        contact_id, owner = request.path_params["contact_id"], request.path_params["account_id"]
        found = [p for p in self._access.contacts() if p.id == contact_id and p.account_id == owner]
        given = {form["field"]: form.get("value", "")} if "field" in form else form
        if not found or not given or not set(given) <= set(CONTACT_FIELDS):
            return self._screens.missing("This contact", "/crm")
        held = found[0].model_dump()
        changed = {name: value.strip() for name, value in given.items() if value.strip() != held[name]}
        answer: Response = RedirectResponse(f"/crm/{quote(owner)}?done=same", 303)
        for name, value in changed.items():
            data = {"record_id": contact_id, "field": name, "value": value}
            answer = self._perform(request, "edited", Action.CRM_SET_FIELD, data)
            if answer.status_code != 303:
                break
        return answer

    async def merge(self, request: Request) -> Response:
        """Merges a contact into another one of the account."""
        form = await typed(request)
        data = {"record_id": form.get("record_id", ""), "into": form.get("into", "")}
        return self._perform(request, "merge", Action.CRM_MERGE, data)

    async def activity(self, request: Request) -> Response:
        """Logs an activity."""
        form = await typed(request)
        data = {"account_id": request.path_params["account_id"]}
        data |= {"kind": form.get("kind", ""), "text": form.get("text", "")}
        return self._perform(request, "activity", Action.CRM_ADD_ACTIVITY, data)

    def _set(self, request: Request, done: str, data: dict[str, str]) -> Response:
        record = {"record_id": request.path_params["account_id"]}
        return self._perform(request, done, Action.CRM_SET_FIELD, record | data)

    def _perform(self, request: Request, done: str, action: Action, data: dict[str, str]) -> Response:
        account = self._access.account(request.path_params["account_id"])
        if account is None:
            return self._screens.missing("This account", "/crm")
        outcome = self._access.perform(action, data)
        if outcome.refused:
            return self._show(request, account, Notice(outcome.refused, refused=True), done, data)
        if request.query_params.get("back") == "deals":
            return RedirectResponse("/crm/deals", 303)
        return RedirectResponse(f"/crm/{quote(account.id)}?done={done}", 303)

    def _show(
        self,
        request: Request,
        account: CrmAccount,
        notice: Notice | None,
        opened: str = "",
        typed: dict[str, str] | None = None,
    ) -> Response:
        visible = self._access.visible
        kind = request.query_params.get("show", "")
        kind = kind if kind in KINDS else ""
        draft = {name: (typed or {}).get(name, "") for name in ("name", "role", "address", "text")}
        values = {
            "account": account,
            "reason_label": (visible.problems | visible.disqualifiers).get(account.reason, account.reason),
            "site_link": site_link(request, visible, account.website),
            "contacts": [p for p in self._access.contacts() if p.account_id == account.id],
            "timeline": timeline(self._access, account, kind),
            "kinds": KINDS,
            "kind": kind,
            "tabs": TABS,
            "tab": "Accounts",
            "statuses": [status.value for status in Status],
            "problems": visible.problems,
            "disqualifiers": visible.disqualifiers,
            "stages": visible.stages,
            "opened": opened,
            "draft": draft,
        }
        return self._screens.show("crm_record.html", "CRM", account.name, values, notice)


async def typed(request: Request) -> dict[str, str]:
    """Returns the text fields of a form."""
    form = await request.form()
    return {name: str(value).replace("\r\n", "\n") for name, value in form.items()}
