"""The ticket export: one row per ticket, repeated Labels and Comment columns as the tracker writes them."""

from __future__ import annotations

import csv
import io
from datetime import datetime

from data_samples.clock import Zone, local
from data_samples.history import History, Ticket

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAMES = {"DD": "Deal Desk", "SUP": "Customer Support", "ENG": "Site Engineering"}
_FIXED = (
    "Summary",
    "Issue key",
    "Issue id",
    "Issue Type",
    "Status",
    "Project key",
    "Project name",
    "Priority",
    "Resolution",
    "Assignee",
    "Reporter",
    "Creator",
    "Created",
    "Updated",
    "Resolved",
    "Due Date",
    "Description",
)


def export(h: History) -> bytes:
    """The tickets as CSV, oldest first."""
    tickets = [ticket for ticket in h.tickets if ticket.system == "jira"]
    labels = max(len(ticket.labels) for ticket in tickets)
    comments = max(len(ticket.comments) for ticket in tickets)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_FIXED, *["Labels"] * labels, "Attachment", *["Comment"] * comments])
    for ticket in tickets:
        notes = [f"{stamp(at)};{author.login};{text}" for at, author, text in ticket.comments]
        writer.writerow(
            [
                ticket.summary,
                ticket.key,
                ticket.number,
                ticket.kind,
                ticket.status,
                ticket.project,
                _NAMES[ticket.project],
                ticket.priority,
                ticket.resolution,
                ticket.assignee.login if ticket.assignee else "",
                ticket.reporter.login,
                ticket.reporter.login,
                stamp(ticket.created),
                stamp(ticket.updated),
                stamp(ticket.resolved),
                "",
                ticket.description,
                *ticket.labels,
                *[""] * (labels - len(ticket.labels)),
                _attachment(ticket),
                *notes,
                *[""] * (comments - len(notes)),
            ]
        )
    return out.getvalue().encode()


def stamp(at: datetime | None) -> str:
    """The time as the tracker shows it, Eastern time."""
    if at is None:
        return ""
    wall = local(at, Zone.EASTERN)
    hour, half = (wall.hour - 1) % 12 + 1, "AM" if wall.hour < 12 else "PM"
    return f"{wall.day:02d}/{_MONTHS[wall.month - 1]}/{wall:%y} {hour}:{wall.minute:02d} {half}"


def _attachment(ticket: Ticket) -> str:
    """Time, uploader, name and address of the file, as the tracker lists it."""
    if not ticket.attachment:
        return ""
    place = f"https://tarnwick.example/secure/attachment/{ticket.number + 9000}/{ticket.attachment}"
    return f"{stamp(ticket.created)};{ticket.reporter.login};{ticket.attachment};{place}"
