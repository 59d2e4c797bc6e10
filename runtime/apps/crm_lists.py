"""The CRM's lists: accounts, contacts, deals by stage, tasks by due date, activities. A record stands apart.

Searching and filtering are the search action; showing a list is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import CrmAccount, CrmContact, Status
from runtime.apps.access import Access
from runtime.apps.screens import Screens, when_full
from runtime.apps.search import has_words

Row = TypeVar("Row")
TABS = (
    ("Accounts", "/crm"),
    ("Contacts", "/crm/contacts"),
    ("Deals", "/crm/deals"),
    ("Tasks", "/crm/tasks"),
    ("Activities", "/crm/activities"),
    ("Import", "/crm/import"),
)
COLUMNS = 4
MOST_CHOICES = 30
"""A field with more different values than this is no filter."""


class Filter(NamedTuple):
    """A field by which a list can be narrowed, with its values."""

    key: str
    chosen: str
    choices: list[str]


class Group(NamedTuple):
    """Accounts under one heading."""

    label: str
    accounts: list[CrmAccount]


class Heading(NamedTuple):
    """A column's head: its text, and the address that sorts by it."""

    label: str
    address: str
    sorted: str
    """ascending, descending or none."""


class CrmLists:
    """Answers the requests for the CRM's lists."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the lists' addresses."""
        return [
            Route("/crm", self.accounts),
            Route("/crm/contacts", self.contacts),
            Route("/crm/deals", self.deals),
            Route("/crm/tasks", self.tasks),
            Route("/crm/activities", self.activities),
        ]

    async def accounts(self, request: Request) -> Response:
        """Lists the accounts, or what a search and filters leave of accounts and people."""
        everyone, people = self._access.accounts(), self._access.contacts()
        columns = list(dict.fromkeys(key for account in everyone for key in account.fields))[:COLUMNS]
        query = request.query_params.get("q", "").strip()
        values: dict[str, Callable[[CrmAccount], str]] = {"status": lambda a: str(a.status)}
        values["stage"] = lambda a: a.stage
        values |= {key: lambda a, key=key: a.fields.get(key, "") for key in columns}  # type: ignore[misc]
        lists = {"status": [str(status) for status in Status], "stage": self._access.visible.stages}
        filters = _filters(request, everyone, values, lists)
        found = [a for a in everyone if account_holds(a, query) and _passes(a, filters, values)]
        self._log_search(query, filters)
        shown = {"name": lambda a: a.name, **values, "next_step_on": lambda a: a.next_step_on}
        order = _order(request, shown)
        found = _sorted(found, shown, order)
        labels = {"name": "Account", "next_step_on": "Next step"}
        keys = ["name", *columns, "status", "stage", "next_step_on"]
        return self._show(
            "crm_table.html",
            "Accounts",
            {
                "accounts": found,
                "people": [p for p in people if contact_holds(p, query)] if query else [],
                "account_names": {account.id: account.name for account in everyone},
                "columns": columns,
                "headings": [_heading(request, key, labels.get(key, ""), order) for key in keys],
                "filters": filters,
                "filtered": any(one.chosen for one in filters),
                "query": query,
            },
        )

    async def contacts(self, request: Request) -> Response:
        """Lists the people of all accounts."""
        names = {account.id: account.name for account in self._access.accounts()}
        people = self._access.contacts()
        query = request.query_params.get("q", "").strip()
        values: dict[str, Callable[[CrmContact], str]] = {
            "account": lambda p: names.get(p.account_id, ""),
            "role": lambda p: p.role,
        }
        filters = _filters(request, people, values)
        self._log_search(query, filters)
        found = [p for p in people if contact_holds(p, query) and _passes(p, filters, values)]
        shown = {"name": lambda p: p.name, **values, "email": lambda p: p.address, "phone": lambda p: p.phone}
        order = _order(request, shown)
        found = _sorted(found, shown, order)
        headings = [
            _heading(request, key, "", order) for key in ("name", "account", "role", "email", "phone")
        ]
        values_shown = {"people": found, "account_names": names, "query": query, "headings": headings}
        return self._show("crm_contacts.html", "Contacts", values_shown | {"filters": filters})

    async def deals(self, _: Request) -> Response:
        """Shows the accounts in the columns of their stages."""
        accounts = self._access.accounts()
        stages = self._access.visible.stages
        groups = [Group(stage, [a for a in accounts if a.stage == stage]) for stage in stages]
        rest = [a for a in accounts if a.stage not in stages]
        groups = [Group("No stage", rest), *groups] if rest else groups
        return self._show("crm_deals.html", "Deals", {"groups": groups, "stages": stages})

    async def tasks(self, _: Request) -> Response:
        """Lists the next steps by the day on which they are due."""
        today = self._access.visible.zone.local(self._access.now).date()
        groups: dict[str, list[CrmAccount]] = {
            label: [] for label in ("Overdue", "Today", "Next 7 days", "Later", "No date")
        }
        accounts = sorted(self._access.accounts(), key=lambda a: (a.next_step_on, a.name))
        for account in accounts:
            if account.next_step:
                groups[due(account.next_step_on, today)].append(account)
        values = {
            "groups": [Group(label, held) for label, held in groups.items() if held],
            "without": [account for account in accounts if not account.next_step],
        }
        return self._show("crm_tasks.html", "Tasks", values)

    async def activities(self, _: Request) -> Response:
        """Lists notes and activities of all accounts, newest first."""
        zone, now = self._access.visible.zone, self._access.now
        names = {account.id: account.name for account in self._access.accounts()}
        dated = [(note.written_at, note.account_id, "Note", note.text) for note in self._access.notes()]
        dated += [(act.at, act.account_id, act.kind, act.text) for act in self._access.activities()]
        rows = [
            {
                "when": when_full(at, zone, now),
                "id": held,
                "name": names.get(held, ""),
                "kind": kind,
                "text": text,
            }
            for at, held, kind, text in sorted(dated, key=lambda row: row[0], reverse=True)
        ]
        return self._show("crm_activities.html", "Activities", {"rows": rows})

    def _log_search(self, query: str, filters: Iterable[Filter]) -> None:
        words = [query, *(f"{one.key}:{one.chosen}" for one in filters if one.chosen)]
        text = " ".join(filter(None, words))
        if text:
            self._access.perform(Action.CRM_SEARCH, {"query": text})

    def _show(self, template: str, title: str, values: Mapping[str, object]) -> Response:
        return self._screens.show(template, "CRM", title, {"tabs": TABS, "tab": title, **values})


def due(day: str, today: date) -> str:
    """Returns when an ISO date is due, seen from today."""
    if not day:
        return "No date"
    on = date.fromisoformat(day)
    if on <= today:
        return "Today" if on == today else "Overdue"
    return "Next 7 days" if on <= today + timedelta(days=7) else "Later"


def account_holds(account: CrmAccount, query: str) -> bool:
    """Tells whether every word of the query stands in the record."""
    facts = [account.name, account.website, account.status, account.stage, account.next_step]
    return has_words(" ".join([*facts, *account.fields.values()]), query)


def contact_holds(contact: CrmContact, query: str) -> bool:
    """Tells whether every word of the query stands in the contact."""
    return has_words(f"{contact.name} {contact.role} {contact.address} {contact.phone}", query)


def _filters(
    request: Request,
    rows: list[Row],
    values: Mapping[str, Callable[[Row], str]],
    lists: Mapping[str, list[str]] | None = None,
) -> list[Filter]:
    """Returns the filters of a list: closed lists in full, other fields by what they hold, never figures."""
    closed = lists or {}
    found = []
    for key, value in values.items():
        choices = closed.get(key) or sorted({value(row) for row in rows} - {""}, key=_sort_key)
        if 1 < len(choices) <= MOST_CHOICES and not all(map(_is_figure, choices)):
            asked = request.query_params.get(key, "")
            found.append(Filter(key, asked if asked in choices else "", choices))
    return found


def _passes(row: Row, filters: Iterable[Filter], values: Mapping[str, Callable[[Row], str]]) -> bool:
    return all(not one.chosen or values[one.key](row) == one.chosen for one in filters)


def _order(request: Request, shown: Mapping[str, object]) -> str:
    order = request.query_params.get("sort", "")
    return order if order.removeprefix("-") in shown else ""


def _sorted(rows: list[Row], shown: Mapping[str, Callable[[Row], str]], order: str) -> list[Row]:
    if not order:
        return rows
    value = shown[order.removeprefix("-")]
    return sorted(rows, key=lambda row: _sort_key(value(row)), reverse=order.startswith("-"))


def _sort_key(text: str) -> tuple[bool, int, str]:
    return (True, int(text.replace(",", "")), "") if _is_figure(text) else (False, 0, text.casefold())


def _is_figure(text: str) -> bool:
    plain = text.replace(",", "")
    return plain.isdecimal() and plain.isascii() and len(plain) < 20


def _heading(request: Request, key: str, label: str, order: str) -> Heading:
    down = order == key
    asked = {name: value for name, value in request.query_params.items() if name != "sort" and value}
    address = f"{request.url.path}?{urlencode(asked | {'sort': f'-{key}' if down else key})}"
    way = "ascending" if down else "descending" if order == f"-{key}" else "none"
    return Heading(label or key.replace("_", " ").capitalize(), address, way)
