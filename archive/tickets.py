"""Ticket exports of all systems: which reader reads a format.

Belongs here: the dispatch. Rows are built in `archive.tickets_rows`, formats are read by the modules named
after them. A source's files are read together, because users and comments may stand in files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from archive.formats import TICKETS, source_files
from archive.portions import is_readable_file
from archive.rejects import Reject
from archive.tickets_freshdesk import read_freshdesk
from archive.tickets_github import read_github
from archive.tickets_jira_csv import read_jira_csv
from archive.tickets_jira_json import read_jira_json
from archive.tickets_rows import Ticket
from archive.tickets_servicenow import read_servicenow
from archive.tickets_zendesk import read_zendesk
from contracts.manifest import Source

__all__ = ["TICKET_READERS", "Ticket", "TicketReader", "read_tickets"]


class TicketReader(NamedTuple):
    """Who reads a ticket format, and the zone of its times without offset."""

    read: Callable[[str, Sequence[Path], Path, ZoneInfo], Iterator[Ticket | Reject]]
    in_utc: bool = False
    """Times without offset are UTC unless the manifest states a zone for the source."""


TICKET_READERS: dict[str, TicketReader] = {
    "jira-csv": TicketReader(read_jira_csv),
    "jira-json": TicketReader(read_jira_json),
    "zendesk": TicketReader(read_zendesk, in_utc=True),
    "servicenow": TicketReader(read_servicenow),
    "freshdesk": TicketReader(read_freshdesk),
    "github": TicketReader(read_github, in_utc=True),
}


def read_tickets(
    source: Source, base: Path, zone: ZoneInfo, left_out: Collection[Path] = ()
) -> Iterator[Ticket | Reject]:
    """Yields the tickets of a source in order of its files; what cannot be read as rejects.

    The same ticket may come more than once; `archive.ticket_assembly` keeps its latest state.

    Links out of the base folder, pipes and the like are passed over, as is what is left out: whoever lists
    the files tells of them.

    Raises:
        SourceError: there is no such file.
    """
    reader = TICKET_READERS[source.format]
    stated = zone if source.zone is not None or not reader.in_utc else ZoneInfo("UTC")
    files = source_files(source, base, TICKETS[source.format])
    plain = [file for file in files if file not in left_out and is_readable_file(file, base)]
    yield from reader.read(source.name, plain, base, stated)
