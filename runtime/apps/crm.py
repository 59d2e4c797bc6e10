"""The CRM: the list of accounts and the record page with its forms."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import CrmAccount, CrmContact, Status
from runtime.apps.access import Access
from runtime.apps.hosts import site_link
from runtime.apps.screens import Notice, Screens, when_full

DONE = {
    "status": "The status is saved.",
    "stage": "The stage is saved.",
    "next-step": "The next step is saved.",
    "note": "The note is added.",
    "contact": "The contact is added.",
    "edited": "The contact is saved.",
    "activity": "The activity is logged.",
}
COLUMNS = 4
CONTACT_FIELDS = ("name", "role", "address", "phone")


class Entry(NamedTuple):
    """A note or activity in the record's history."""

    title: str
    text: str


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
        }
        return [
            Route("/crm", self.table),
            Route("/crm/{account_id}", self.record),
            *(Route(f"/crm/{{account_id}}/{name}", post, methods=["POST"]) for name, post in posts.items()),
            Route("/crm/{account_id}/contact/{contact_id}", self.edit_contact, methods=["POST"]),
        ]

    async def table(self, request: Request) -> Response:
        """Lists the accounts, or what a search found among accounts and people."""
        query = request.query_params.get("q", "").strip()
        accounts, people = self._access.accounts(), self._access.contacts()
        names = {account.id: account.name for account in accounts}
        columns = list(dict.fromkeys(key for account in accounts for key in account.fields))[:COLUMNS]
        if query:
            self._access.perform(Action.CRM_SEARCH, {"query": query})
            accounts = [a for a in accounts if account_holds(a, query)]
            people = [p for p in people if contact_holds(p, query)]
        values = {
            "accounts": accounts,
            "people": people if query else [],
            "account_names": names,
            "columns": columns,
            "query": query,
        }
        return self._screens.show("crm_table.html", "CRM", "Accounts", values)

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
        """Sets one field of a contact."""
        form = await typed(request)
        contact_id, field = request.path_params["contact_id"], form.get("field", "")
        owner = request.path_params["account_id"]
        known = any(p.id == contact_id and p.account_id == owner for p in self._access.contacts())
        if not known or field not in CONTACT_FIELDS:
            return self._screens.missing("This contact", "/crm")
        data = {"record_id": contact_id, "field": field, "value": form.get("value", "").strip()}
        return self._perform(request, "edited", Action.CRM_SET_FIELD, data)

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
        draft = {name: (typed or {}).get(name, "") for name in ("name", "role", "address", "text")}
        values = {
            "account": account,
            "reason_label": (visible.problems | visible.disqualifiers).get(account.reason, account.reason),
            "site_link": site_link(request, visible, account.website),
            "contacts": [p for p in self._access.contacts() if p.account_id == account.id],
            "timeline": self._timeline(account),
            "statuses": [status.value for status in Status],
            "problems": visible.problems,
            "disqualifiers": visible.disqualifiers,
            "stages": visible.stages,
            "opened": opened,
            "draft": draft,
        }
        return self._screens.show("crm_record.html", "CRM", account.name, values, notice)

    def _timeline(self, account: CrmAccount) -> list[Entry]:
        zone = self._access.visible.zone
        dated = [
            (note.written_at, Entry(f"Note by {note.author}, {when_full(note.written_at, zone)}", note.text))
            for note in self._access.notes()
            if note.account_id == account.id
        ]
        dated += [
            (act.at, Entry(f"{act.kind}, {when_full(act.at, zone)}", act.text))
            for act in self._access.activities()
            if act.account_id == account.id
        ]
        return [entry for _, entry in sorted(dated, key=lambda pair: pair[0], reverse=True)]


async def typed(request: Request) -> dict[str, str]:
    """Returns the text fields of a form."""
    form = await request.form()
    return {name: str(value).replace("\r\n", "\n") for name, value in form.items()}


def account_holds(account: CrmAccount, query: str) -> bool:
    """Tells whether every word of the query stands in the record."""
    text = " ".join([account.name, account.website, account.status, account.stage, *account.fields.values()])
    return all(word in text.casefold() for word in query.casefold().split())


def contact_holds(contact: CrmContact, query: str) -> bool:
    """Tells whether every word of the query stands in the contact."""
    text = f"{contact.name} {contact.role} {contact.address} {contact.phone}".casefold()
    return all(word in text for word in query.casefold().split())
