"""All mails of an archive together: copies found, conversations named, rows streamed into the tables.

Belongs here: what needs every message at once, held as light columns only. Does not belong here: what a
message says (`archive.message`), how conversations are told (`archive.threads`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

import polars as pl

from archive.addresses import parse_mailboxes
from archive.mail_rows import CALENDAR_IDS, DUPLICATE_KEY
from archive.parts import Part
from archive.store import polars_schema
from archive.threads import Threaded, assign_threads
from contracts.tables import FIXED_TABLES, MESSAGES

_LIGHT = [
    "message_id",
    DUPLICATE_KEY,
    CALENDAR_IDS,
    "mailboxes",
    "header_id",
    "in_reply_to",
    "references",
    "subject",
    "sent_at",
    "from_address",
    "to",
    "cc",
    "bcc",
    "reply_to",
]
_BOXES = ("to", "cc", "bcc", "reply_to")


class Mails:
    """The messages of all mail sources: copies of one message count for its first place only."""

    def __init__(self, parts: Sequence[tuple[str, Part]]) -> None:
        """Finds copies and conversations; reads no body.

        Args:
            parts: (source name, part) in the order in which rows are stored.
        """
        self._parts = parts
        self._mailboxes: dict[str, list[str]] = {}
        self._kept: list[list[bool]] = [[] for _ in parts]
        self.duplicates: Counter[str] = Counter()
        self._threads = assign_threads(list(self._light()))

    def messages(self) -> Iterator[pl.DataFrame]:
        """Yields the table `messages` in order, one frame per row group of a part."""
        names = list(polars_schema(MESSAGES))
        for number, (_, part) in enumerate(self._parts):
            for own in self._own(number, part.frames("messages")):
                boxes = [sorted(self._mailboxes[key]) for key in own[DUPLICATE_KEY]]
                threads = [self._threads[name] for name in own["message_id"]]
                yield own.with_columns(
                    pl.Series("mailboxes", boxes, dtype=pl.List(pl.String)),
                    pl.Series("thread_id", threads, dtype=pl.String),
                ).select(names)

    def belongings(self, table: str) -> Iterator[pl.DataFrame]:
        """Yields the rows of attachments or calendar items whose message is kept."""
        key = FIXED_TABLES[table].key
        for number, (_, part) in enumerate(self._parts):
            light = part.frames("messages", ["message_id"])
            kept = [name for frame in self._own(number, light) for name in frame["message_id"]]
            for frame in part.frames(table):
                own = frame.filter(pl.col("message_id").is_in(kept))
                yield own.unique(subset=key, keep="first", maintain_order=True)

    def _own(self, number: int, frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """The rows of a part that are the first of their copies."""
        done = 0
        for frame in frames:
            mask = self._kept[number][done : done + frame.height]
            done += frame.height
            yield frame.filter(pl.Series(mask, dtype=pl.Boolean))

    def _light(self) -> Iterator[Threaded]:
        for number, (source, part) in enumerate(self._parts):
            for frame in part.frames("messages", _LIGHT):
                for row in frame.iter_rows(named=True):
                    holders = self._mailboxes.get(row[DUPLICATE_KEY])
                    self._kept[number].append(holders is None)
                    if holders is None:
                        self._mailboxes[row[DUPLICATE_KEY]] = list(row["mailboxes"])
                        yield _threaded(row)
                    else:
                        self.duplicates[source] += 1
                        holders.extend(name for name in row["mailboxes"] if name not in holders)


def _threaded(row: dict[str, object]) -> Threaded:
    moment = str(row["sent_at"] or "")
    addresses = [row["from_address"]]
    for header in _BOXES:
        boxes = row[header]
        assert isinstance(boxes, list)
        addresses += [box.address for text in boxes for box in parse_mailboxes(text)]
    references = row["references"]
    calendar = row[CALENDAR_IDS]
    assert isinstance(references, list)
    assert isinstance(calendar, list)
    answered: list[object] = [row["in_reply_to"]] if row["in_reply_to"] else []
    return Threaded(
        message_id=str(row["message_id"]),
        header_id=str(row["header_id"] or ""),
        references=tuple(dict.fromkeys(str(name) for name in (*references, *answered))),
        calendar_ids=tuple(calendar),
        subject=str(row["subject"] or ""),
        day=date.fromisoformat(moment[:10]).toordinal() if moment else 0,
        second=_utc_second(moment) if moment else 0,
        participants=frozenset(str(address) for address in addresses if address),
    )


def _utc_second(moment: str) -> int:
    hour, minute, second = (int(part) for part in moment[11:19].split(":"))
    sign = -1 if moment[19] == "-" else 1
    return hour * 3600 + minute * 60 + second - sign * (int(moment[20:22]) * 3600 + int(moment[23:25]) * 60)
