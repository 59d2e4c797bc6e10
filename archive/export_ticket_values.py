"""Clean values for the fields of ticket exports: each value under which replacement has written it.

Belongs here: the pairs of raw and clean cells, and the forms in which exports write times. A value that no
canonical cell holds was not seen by replacement: it has no clean form and stays behind.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import polars as pl

from archive.export_sides import ExportError
from archive.store import TableStore
from archive.times import ticket_time

_TIMES = (
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M%z",
    "%Y-%m-%d %H:%M:%S %z",
    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%d %H:%M:%S UTC",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
    "%d/%b/%y %I:%M %p",
    "%d/%b/%Y %I:%M %p",
    "%d/%b/%y %H:%M",
    "%d/%b/%Y %H:%M",
    "%d/%b/%y",
    "%d/%b/%Y",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d-%m-%Y %H:%M:%S",
    "%d-%m-%Y %H:%M",
    "%m-%d-%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
    "%Y/%m/%d %H:%M:%S",
)
_LONGEST_TIME = 60
_FRACTION = re.compile(r"(?<=:\d\d)\.(\d{1,9})")


class TicketValues:
    """The pairs of one source: of each ticket, and of all together."""

    def __init__(self, source: str, raw: TableStore, clean: TableStore, zone: ZoneInfo) -> None:
        """Reads the three tables of tickets on both sides.

        Raises:
            ExportError: the sides do not belong together.
        """
        self.zone = zone
        self._own: dict[str, dict[str, str]] = defaultdict(dict)
        """Raw ticket key -> raw value -> clean value."""
        self._all: dict[str, Counter[str]] = defaultdict(Counter)
        self.fields: dict[str, str] = {}
        """Names of fields that events tell of, raw -> clean."""
        self.ids: dict[str, str] = {}
        """Ids by which objects join, raw -> clean: of tickets, and of people where events tell them."""
        self.projects: dict[str, tuple[str, str]] = {}
        """Raw ticket key -> clean project and clean key."""
        keys: dict[str, str] = {}
        for name in ("ticket_events", "comments", "tickets"):
            mine, theirs = raw.read(name), clean.read(name)
            if mine.height != theirs.height:
                raise ExportError(
                    f"the clean table {name!r} is not of the same run: onboard the dataset again"
                )
            if name == "ticket_events":
                held = raw.read("tickets")
                keys = dict(zip(held["ticket_id"], held["ticket_key"], strict=True))
            for at in (mine["source"] == source).arg_true():
                self._take(mine.row(at, named=True), theirs.row(at, named=True), keys)

    def value(self, text: str, ticket: str | None) -> str | None:
        """Returns the clean form of a value, first among those of its ticket; None where there is none."""
        own = self._own.get(ticket or "", {})
        for spelt in dict.fromkeys((text, text.strip(), text.replace("\r\n", "\n").strip())):
            if spelt in own:
                return own[spelt]
            if spelt in self._all:
                return self._usual(spelt)
        for moment in self._moments(text):
            if moment in own or moment in self._all:
                return written_like(text, moment, own.get(moment) or self._usual(moment))
        return None

    def _moments(self, text: str) -> Iterator[str]:
        """What a written time may be read as: the form of a column is not known here."""
        if not 6 <= len(text) <= _LONGEST_TIME or not any(char.isdigit() for char in text):
            return
        moment = ticket_time(text, self.zone)
        if moment is not None:
            yield moment
            return
        for form in _TIMES:
            try:
                at = datetime.strptime(text.strip(), form)  # noqa: DTZ007 (the form says whether there is a zone)
            except ValueError:
                continue
            yield (at if at.tzinfo else at.replace(tzinfo=self.zone)).isoformat(timespec="seconds")

    def knows(self, ticket: str) -> bool:
        """Says whether a raw key is that of a ticket."""
        return ticket in self.projects

    def _usual(self, raw: str) -> str:
        found = self._all[raw]
        return min(found, key=lambda one: (-found[one], one))

    def _take(self, mine: dict[str, object], theirs: dict[str, object], keys: dict[str, str]) -> None:
        ticket = keys.get(str(mine["ticket_id"]), "")
        for column, value in mine.items():
            if column in (
                "ticket_id",
                "comment_id",
                "ticket_event_id",
                "source",
                "path",
                "locator",
                "content_hash",
            ):
                continue
            clean = theirs[column]
            raw_items = value if isinstance(value, list) else [value]
            clean_items = clean if isinstance(clean, list) else [clean]
            for one, other in zip(raw_items, clean_items, strict=False):
                if isinstance(one, str) and isinstance(other, str):
                    self._own[ticket][one] = other
                    self._all[one][other] += 1
                    if column == "field":
                        self.fields[one] = other
                    if column == "new_value" and mine.get("field") == "link":
                        self._take_link(ticket, one, other)
        for name in ("ticket_key", "reporter", "assignee", "creator", "author"):
            if mine.get(name) and theirs.get(name):
                self.ids.setdefault(str(mine[name]), str(theirs[name]))
        if f" {mine.get('field')}".endswith(" id") and mine["new_value"] and theirs["new_value"]:
            self.ids[str(mine["new_value"])] = str(theirs["new_value"])
        if "ticket_key" in mine:
            self.projects[ticket] = (str(theirs["project"] or ""), str(theirs["ticket_key"]))

    def _take_link(self, ticket: str, raw: str, clean: str) -> None:
        """Both parts of a link ("blocks ABC-12"): exports write them apart."""
        for one, other in zip(raw.rpartition(" ")[::2], clean.rpartition(" ")[::2], strict=True):
            if one and other:
                self._own[ticket].setdefault(one, other)
        self.ids.setdefault(raw.rpartition(" ")[2], clean.rpartition(" ")[2])


def written_like(raw: str, moment: str, clean: str) -> str:
    """Returns a clean ISO moment in the form in which a raw one is written; as ISO where it has another.

    Args:
        raw: as the export writes it.
        moment: what it was read as.
        clean: its clean moment.
    """
    fraction = _FRACTION.search(raw)
    plain = _FRACTION.sub("", raw).strip()
    read = datetime.fromisoformat(moment)
    for form in _TIMES:
        try:
            at = datetime.strptime(plain, form)  # noqa: DTZ007 (the form says whether there is a zone)
        except ValueError:
            continue
        if at.replace(tzinfo=None) != read.replace(tzinfo=None) and at.tzinfo is None:
            continue
        new = datetime.fromisoformat(clean)
        if plain.endswith(("Z", "UTC")) and new.tzinfo is not None:
            new = new.astimezone(UTC)
        text = _unpadded(plain, form, new.strftime(form.replace("%z", "")))
        if fraction is not None:
            text += "." + "0" * len(fraction[1])
        return text + (_zone(plain, new) if "%z" in form else "")
    return clean


def _unpadded(plain: str, form: str, text: str) -> str:
    """A written time without the zeros that the raw one would not have, in its date and its hour."""
    mark = "T" if "T" in form else " "
    (raw_day, _, raw_clock), (day, gap, clock) = plain.partition(mark), text.partition(mark)
    single = re.search(r"(?<!\d)\d(?!\d)", raw_day) is not None
    double = re.search(r"(?<!\d)0\d", raw_day) is not None
    if single or ("%b" in form and not double):
        day = re.sub(r"(?<!\d)0(?=\d(?!\d))", "", day)
    if re.match(r"\d:", raw_clock) or ("%I" in form and not raw_clock.startswith("0")):
        clock = clock.removeprefix("0")
    return day + gap + clock


def _zone(plain: str, new: datetime) -> str:
    if plain.endswith("Z"):
        return "Z"
    zone = new.strftime("%z") or "+0000"
    return f"{zone[:3]}:{zone[3:]}" if re.search(r"[+-]\d\d:\d\d$", plain) else zone


def quarantined(source: str, raw: TableStore) -> frozenset[tuple[str, str]]:
    """Returns path and locator of what of a source could not be read."""
    frame = raw.read("quarantine").filter(pl.col("source") == source)
    return frozenset(frame.select("path", "locator").iter_rows())
