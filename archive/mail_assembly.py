"""All mails of an archive together: copies found, conversations named, rows streamed into the tables.

Belongs here: what needs every message at once, held as light columns only. Does not belong here: what a
message says (`archive.message`), how conversations are told (`archive.threads`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from archive.mail_rows import DUPLICATE_KEY
from archive.parts import Part
from archive.quotes import BodyParts
from archive.signatures import SignatureBook
from archive.store import polars_schema
from archive.thread_columns import THREAD_COLUMNS, threaded_row
from archive.threads import Threaded, assign_threads
from contracts.tables import FIXED_TABLES, MESSAGES

_LIGHT = list(dict.fromkeys((DUPLICATE_KEY, "mailboxes", *THREAD_COLUMNS)))


class Mails:
    """The messages of all mail sources: copies of one message count for its first place only."""

    def __init__(self, parts: Sequence[tuple[str, Part]]) -> None:
        """Finds copies and conversations, and learns what each sender writes below most mails.

        Args:
            parts: (source name, part) in the order in which rows are stored.
        """
        self._parts = parts
        self._mailboxes: dict[str, list[str]] = {}
        self._kept: list[list[bool]] = [[] for _ in parts]
        self.duplicates: Counter[str] = Counter()
        self._threads = assign_threads(list(self._light()))
        self._signatures = SignatureBook.learned(self._own_words())

    def messages(self) -> Iterator[pl.DataFrame]:
        """Yields the table `messages` in order, one frame per row group of a part."""
        names = list(polars_schema(MESSAGES))
        for number, (_, part) in enumerate(self._parts):
            for own in self._own(number, part.frames("messages")):
                boxes = [sorted(self._mailboxes[key]) for key in own[DUPLICATE_KEY]]
                threads = [self._threads[name] for name in own["message_id"]]
                yield (
                    self._signed(own)
                    .with_columns(
                        pl.Series("mailboxes", boxes, dtype=pl.List(pl.String)),
                        pl.Series("thread_id", threads, dtype=pl.String),
                    )
                    .select(names)
                )

    def belongings(self, table: str) -> Iterator[pl.DataFrame]:
        """Yields the rows of attachments or calendar items whose message is kept."""
        key = FIXED_TABLES[table].key
        for number, (_, part) in enumerate(self._parts):
            light = part.frames("messages", ["message_id"])
            kept = [name for frame in self._own(number, light) for name in frame["message_id"]]
            for frame in part.frames(table):
                own = frame.filter(pl.col("message_id").is_in(kept))
                yield own.unique(subset=key, keep="first", maintain_order=True)

    def _own_words(self) -> Iterator[tuple[str, str]]:
        for number, (_, part) in enumerate(self._parts):
            for own in self._own(number, part.frames("messages", ["author", "body_own"])):
                yield from own.iter_rows()

    def _signed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Messages with learned signatures taken off their own words."""
        columns = ("body_own", "body_quoted", "body_signature")
        parts = [
            self._signatures.apply(sender, BodyParts(*bodies))
            for sender, *bodies in frame.select("author", *columns).iter_rows()
        ]
        return frame.with_columns(
            pl.Series(name, [part[at] for part in parts], dtype=pl.String) for at, name in enumerate(columns)
        )

    def _own(self, number: int, frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """The rows of a part that are the first of their copies."""
        done = 0
        for frame in frames:
            mask = self._kept[number][done : done + frame.height]
            done += frame.height
            yield frame.filter(pl.Series(mask, dtype=pl.Boolean))

    def _light(self) -> Iterator[Threaded]:
        texts: dict[str, str] = {}
        people: dict[frozenset[str], frozenset[str]] = {}
        for number, (source, part) in enumerate(self._parts):
            for frame in part.frames("messages", _LIGHT):
                for row in frame.iter_rows(named=True):
                    holders = self._mailboxes.get(row[DUPLICATE_KEY])
                    self._kept[number].append(holders is None)
                    if holders is None:
                        self._mailboxes[row[DUPLICATE_KEY]] = list(row["mailboxes"])
                        yield _sharing(threaded_row(row), texts, people)
                    else:
                        self.duplicates[source] += 1
                        holders.extend(name for name in row["mailboxes"] if name not in holders)


def _sharing(mail: Threaded, texts: dict[str, str], people: dict[frozenset[str], frozenset[str]]) -> Threaded:
    """A mail that holds what others hold too, as references and recipients, but once for all of them."""
    return mail._replace(
        header_id=texts.setdefault(mail.header_id, mail.header_id),
        references=tuple([texts.setdefault(name, name) for name in mail.references]),
        calendar_ids=tuple([texts.setdefault(name, name) for name in mail.calendar_ids]),
        subject=texts.setdefault(mail.subject, mail.subject),
        participants=people.setdefault(mail.participants, mail.participants),
        sender=texts.setdefault(mail.sender, mail.sender),
    )
