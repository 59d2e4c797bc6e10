"""The engineers' registers: drawings, revisions and change orders as CSV, some plans as text documents."""

from __future__ import annotations

import csv
import io
from datetime import date

from data_samples.history import History
from data_samples.ledger import short_number
from data_samples.sites import ChangeOrder, Drawing, Revision, plan_lines

DOCUMENTS_EVERY = 3
DRAWING_COLUMNS = (
    "Drawing No",
    "Title",
    "Customer",
    "Customer No",
    "Site",
    "Order No",
    "Discipline",
    "Current Revision",
    "Status",
    "Drawn By",
    "Checked By",
    "Approved By",
    "Created",
    "Last Issue",
)
REVISION_COLUMNS = (
    "Drawing No",
    "Revision",
    "Issued",
    "Author",
    "Checked By",
    "Checked On",
    "Approver",
    "Decided On",
    "Verdict",
    "Comment",
    "Room",
    "Width mm",
    "Length mm",
    "Stations",
    "Cable m",
    "Power kW",
    "Cost Estimate USD",
)
CHANGE_COLUMNS = (
    "CO No",
    "Drawing No",
    "Order No",
    "Description",
    "Cost USD",
    "Requested By",
    "Requested On",
    "Approved By",
    "Approved On",
    "Work Started",
    "Status",
    "Closed On",
)


def export(h: History) -> dict[str, bytes]:
    """The files by their paths below `engineering/`."""
    revisions = [revision for drawing in h.drawings for revision in drawing.revisions]
    drawings = [drawing for drawing in h.drawings if drawing.revisions]
    files = {
        "drawing_register.csv": _csv(DRAWING_COLUMNS, [_drawing(h, drawing) for drawing in drawings]),
        "revisions.csv": _csv(REVISION_COLUMNS, [_revision(revision) for revision in revisions]),
        "change_orders.csv": _csv(CHANGE_COLUMNS, [_change(h, change) for change in h.changes]),
    }
    for drawing in drawings[::DOCUMENTS_EVERY]:
        for revision in drawing.revisions:
            lines = [*plan_lines(revision), *_verdict(revision)]
            files[f"plans/{drawing.number}_{revision.letter}.txt"] = "\n".join([*lines, ""]).encode()
    return files


def _csv(head: tuple[str, ...], rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n", delimiter=";").writerows([head, *rows])
    return out.getvalue().encode("utf-8-sig")


def _day(day: date | None) -> str:
    return f"{day:%d.%m.%Y}" if day else ""


def _verdict(revision: Revision) -> list[str]:
    if revision.decided is None:
        return []
    lines = [f"Decision: {revision.verdict}, {_day(revision.decided)}, {revision.approver}"]
    return [*lines, f"Remark: {revision.remark}"] if revision.remark else lines


def _drawing(h: History, drawing: Drawing) -> list[str]:
    last = drawing.revisions[-1]
    company = drawing.case.company
    shown = h.stale_registers.get(drawing.number, last.letter)
    return [
        drawing.number,
        drawing.title,
        company.name,
        company.kunnr.lstrip("0"),
        f"{company.street}, {company.place.city}",
        short_number(drawing.order),
        drawing.discipline,
        shown,
        "released" if last.verdict == "approved" else "in work",
        last.author.name,
        last.checker.name,
        last.approver,
        _day(drawing.created),
        _day(last.issued),
    ]


def _revision(revision: Revision) -> list[str]:
    return [
        revision.drawing.number,
        revision.letter,
        _day(revision.issued),
        revision.author.name,
        revision.checker.name,
        _day(revision.checked),
        revision.approver,
        _day(revision.decided),
        revision.verdict,
        revision.remark,
        revision.room,
        str(revision.width),
        str(revision.length),
        str(revision.stations),
        str(revision.cable),
        f"{revision.power:.2f}",
        f"{revision.cost / 100:.2f}",
    ]


def _change(h: History, change: ChangeOrder) -> list[str]:
    status = "closed" if change.closed else "in work" if change.started else "requested"
    return [
        change.number,
        change.drawing.number,
        short_number(change.drawing.order),
        change.what,
        f"{change.cost / 100:.2f}",
        change.by,
        _day(change.requested),
        h.staff.engineering.name if change.started else "",
        _day(change.started and change.requested),
        _day(change.started),
        h.stale_registers.get(change.number, status),
        _day(change.closed if change.number not in h.stale_registers else None),
    ]
