"""Contacts imported from a list that was pasted: each row that can be read is one new contact."""

from __future__ import annotations

import csv
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.shift_events import Action
from contracts.world import CrmAccount
from runtime.apps.access import Access
from runtime.apps.crm_lists import TABS
from runtime.apps.screens import Notice, Screens

COLUMNS = ("account", "name", "role", "email", "phone")
_SPELLINGS = {
    "company": "account",
    "title": "role",
    "address": "email",
    "e-mail": "email",
    "job title": "role",
}
MOST_ROWS = 200
LONGEST_LIST = 60_000


class Row(NamedTuple):
    """A line of the list as it was understood."""

    cells: dict[str, str]
    account_id: str
    fault: str
    """Why it cannot become a contact; empty where it can."""


class ImportPages:
    """Answers the requests below /crm/import."""

    def __init__(self, access: Access, screens: Screens) -> None:
        self._access = access
        self._screens = screens

    def routes(self) -> list[Route]:
        """Returns the import's addresses."""
        return [Route("/crm/import", self.blank), Route("/crm/import", self.read, methods=["POST"])]

    async def blank(self, _: Request) -> Response:
        """Shows the form."""
        return self._show("", [])

    async def read(self, request: Request) -> Response:
        """Shows what a list holds; once that was confirmed, adds its contacts."""
        form = await request.form()
        text = str(form.get("list", ""))
        if len(text) > LONGEST_LIST:
            notice = Notice(
                f"The list is longer than {LONGEST_LIST} characters: paste it in parts.", refused=True
            )
            return self._show("", [], notice)
        rows = read_rows(text, self._access.accounts())
        if form.get("confirmed") != "yes":
            return self._show(text, rows)
        left: list[Row] = []
        for row in rows:
            fault = row.fault or self._add(row)
            if fault:
                left.append(row._replace(fault=fault))
        added = len(rows) - len(left)
        plural = "contact was" if added == 1 else "contacts were"
        said = f"{added} {plural} added" + (f"; {len(left)} could not be." if left else ".")
        return self._show("", left, Notice(said, refused=bool(left)))

    def _add(self, row: Row) -> str:
        cells = row.cells
        data = {"account_id": row.account_id, "name": cells["name"], "role": cells["role"]}
        return self._access.perform(
            Action.CRM_ADD_CONTACT, data | {"address": cells["email"], "phone": cells["phone"]}
        ).refused

    def _show(self, text: str, rows: list[Row], notice: Notice | None = None) -> Response:
        values = {
            "tabs": TABS,
            "tab": "Import",
            "text": text,
            "rows": rows,
            "good": sum(not row.fault for row in rows),
            "columns": COLUMNS,
            "asking": notice is None,
        }
        return self._screens.show("crm_import.html", "CRM", "Import contacts", values, notice)


def read_rows(text: str, accounts: list[CrmAccount]) -> list[Row]:
    """Returns a list's lines, cells parted by tab, semicolon or comma; a first line may name the columns."""
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
    if not lines:
        return []
    mark = next((mark for mark in "\t;," if mark in lines[0]), ",")
    try:
        table = [[cell.strip() for cell in cells] for cells in csv.reader(lines, delimiter=mark)]
    except csv.Error as error:
        return [Row(dict.fromkeys(COLUMNS, ""), "", f"this is no list: {error}")]
    head = [_SPELLINGS.get(cell.casefold(), cell.casefold()) for cell in table[0]]
    columns = head if {"name", "email"} <= set(head) else list(COLUMNS)
    body = table[1:] if columns is head else table
    rows = [_row(dict(zip(columns, cells, strict=False)), accounts) for cells in body[:MOST_ROWS]]
    if len(body) > MOST_ROWS:
        rows.append(
            Row(dict.fromkeys(COLUMNS, ""), "", f"{len(body) - MOST_ROWS} more lines: {MOST_ROWS} at once")
        )
    return rows


def _row(given: dict[str, str], accounts: list[CrmAccount]) -> Row:
    cells = {column: given.get(column, "") for column in COLUMNS}
    wanted = cells["account"].casefold()
    domain = cells["email"].casefold().rpartition("@")[2]
    found = [a for a in accounts if wanted in (a.name.casefold(), a.id.casefold())]
    if not wanted and domain:
        found = [a for a in accounts if a.website.casefold().removeprefix("www.") == domain]
    if not found:
        return Row(cells, "", f"no account {cells['account']!r}" if wanted else "no account given")
    if not cells["name"] or "@" not in cells["email"]:
        return Row(cells, found[0].id, "name or email is missing")
    return Row(cells, found[0].id, "")
