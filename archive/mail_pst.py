"""Outlook mailboxes (.pst, .ost) as mails, through libpff.

Belongs here: the walk over folders and the properties of their items. What items become is said in
`archive.mail_outlook`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from archive import mailbox
from archive.identifiers import content_digest
from archive.mail_draft import DraftFile
from archive.mail_outlook import OutlookItem, Recipient, outlook_mail, takes_place
from archive.mailbox import RawMessage, open_plain, relative_path
from archive.outlook_properties import Named, appointment, item_words, named_numbers
from archive.rejects import Reject
from archive.textforms import decode_bytes

MAX_FOLDERS = 100_000
MAX_DEPTH = 8
"""Levels of items attached to one another; deeper ones are left out."""
_FIRST_NAMED = 0x8000
_STRINGS, _TIME = (0x001E, 0x001F), 0x0040
_FAULTS = (OSError, ValueError, TypeError, AttributeError, LookupError, OverflowError, MemoryError)
"""What libpff's binding raises on broken items; its own errors are OSErrors."""


def read_pst(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the mails of an Outlook mailbox, folder by folder; the mailbox is the folder's path.

    A file that cannot be opened, or whose encryption libpff does not know, is one reject; an item that
    cannot be read is one reject of its own and the others are read.
    """
    import pypff

    opened = open_plain(path, base)
    if isinstance(opened, Reject):
        yield opened
        return
    relative = relative_path(path, base)
    with opened as stream:
        store = pypff.file()
        try:
            store.open_file_object(stream)
            root = store.get_root_folder()
        except _FAULTS:
            stream.seek(0)
            size = path.stat().st_size
            digest = hashlib.sha256()
            while block := stream.read(1024 * 1024):
                digest.update(block)
            yield Reject(relative, "file", digest.hexdigest(), "unreadable_file", size)
            return
        try:
            reader = _Reader(relative, _names(store))
            yield from reader.folders(root)
            yield from reader.orphans(store)
        finally:
            store.close()


class _TooLarge(ValueError):
    """An item with files that are larger than a message may be."""


class _Reader:
    """Reads the items of one mailbox."""

    def __init__(self, relative: str, names: dict[int, int]) -> None:
        self._relative = relative
        self._names = names

    def folders(self, root: Any) -> Iterator[RawMessage | Reject]:  # libpff's objects have no types
        """The items of a folder and all below it, each folder's own items first."""
        waiting = [(root, "")]
        seen: set[int] = set()
        while waiting:
            folder, place = waiting.pop()
            identifier = _value(getattr, 0, folder, "identifier")
            if folder is None or identifier in seen or len(seen) > MAX_FOLDERS:
                continue
            seen.add(identifier)
            for number in range(_value(folder.get_number_of_sub_messages, 0)):
                locator = f"folder {identifier} item {number}"
                yield self._message(_value(folder.get_sub_message, None, number), place, locator)
            below = []
            for number in range(_value(folder.get_number_of_sub_folders, 0)):
                child = _value(folder.get_sub_folder, None, number)
                if child is None:
                    locator = f"folder {identifier} folder {number}"
                    yield Reject(self._relative, locator, content_digest(b""), "unreadable_record", 0)
                else:
                    name = str(_value(child.get_name, "") or "")
                    below.append((child, f"{place}/{name}".strip("/")))
            waiting.extend(reversed(below))

    def orphans(self, store: Any) -> Iterator[RawMessage | Reject]:
        """Items that no folder names any more: deleted ones whose bytes are still there."""
        for number in range(_value(store.get_number_of_orphan_items, 0)):
            item = _value(store.get_orphan_item, None, number)
            if hasattr(item, "get_transport_headers"):
                yield self._message(item, "", f"orphan {number}")

    def _message(self, item: Any, place: str, locator: str) -> RawMessage | Reject:
        try:
            data = self._mail(item, 0) if item is not None else None
        except _TooLarge:
            return Reject(self._relative, locator, content_digest(b""), "too_large", 0)
        except _FAULTS:
            data = None
        if data is None:
            return Reject(self._relative, locator, content_digest(b""), "unreadable_record", 0)
        if len(data) > mailbox.MAX_MESSAGE:
            return Reject(self._relative, locator, content_digest(data), "too_large", len(data))
        return RawMessage(self._relative, locator, place, data, "", len(data))

    def _mail(self, item: Any, depth: int) -> bytes:
        values = _Values(item)
        own = Named(values, self._names)
        message_class = values.text(0x001A)
        sender = [values.text(number) for number in (0x5D02, 0x5D01, 0x0065, 0x0C1F)]
        return outlook_mail(
            OutlookItem(
                message_class=message_class,
                transport=values.text(0x007D),
                subject=_subject(values.text(0x0037)),
                sender_name=values.text(0x0042, 0x0C1A),
                sender_address=next((t for t in sender if "@" in t), next((t for t in sender if t), "")),
                recipients=tuple(_recipients(item)),
                sent_at=values.moment(0x0039, 0x0E06),
                created_at=values.moment(0x3007),
                message_id=values.text(0x1035),
                in_reply_to=values.text(0x1042),
                references=values.text(0x1039),
                text=_body(item, "get_plain_text_body"),
                html=_body(item, "get_html_body"),
                compressed_rtf=_called(item, "get_rtf_body", b"") or b"",
                files=tuple(self._files(item, depth)),
                appointment=appointment(own) if takes_place(message_class) else None,
                words=item_words(message_class, own),
            )
        )

    def _files(self, item: Any, depth: int) -> Iterator[DraftFile]:
        left = mailbox.MAX_MESSAGE
        for position in range(_called(item, "get_number_of_attachments", 0)):
            attachment = _value(item.get_attachment, None, position)
            if attachment is None:
                continue
            values = _Values(attachment)
            name = str(_value(attachment.get_long_filename, "") or values.text(0x3704))
            kind = values.text(0x370E) or "application/octet-stream"
            inner = _value(attachment.get_sub_item, None, 0)
            if hasattr(inner, "get_transport_headers") and depth < MAX_DEPTH:
                yield DraftFile(name, "message/rfc822", self._mail(inner, depth + 1))
                continue
            size = max(0, _value(attachment.get_size, 0) or 0)
            left -= size
            if left < 0:
                raise _TooLarge
            data = _value(attachment.read_buffer, b"", size) if size else b""
            yield DraftFile(name, kind, data, values.text(0x3712))


def _value(get: Callable[..., Any], default: Any, *arguments: Any) -> Any:
    try:
        return get(*arguments)
    except _FAULTS:
        return default


def _called(item: Any, name: str, default: Any) -> Any:
    """What a method gives; some kinds of items have none of that name."""
    method = _value(getattr, None, item, name)
    return default if method is None else _value(method, default)


class _Values:
    """Properties of an item by number; one that cannot be read is as good as none."""

    def __init__(self, holder: Any) -> None:
        self._sets = [
            _value(holder.get_record_set, None, position)
            for position in range(_called(holder, "get_number_of_record_sets", 0))
        ]

    def _entry(self, number: int) -> Any:
        if number >= _FIRST_NAMED:
            return self._named.get(number)
        found = (_value(s.get_entry_by_type, None, number) for s in self._sets if s is not None and number)
        return next((entry for entry in found if entry is not None), None)

    @cached_property
    def _named(self) -> dict[int, Any]:
        """Entries by their number in this file: libpff looks for one by the number of its name."""
        found: dict[int, Any] = {}
        for records in self._sets:
            for position in range(_called(records, "get_number_of_entries", 0)):
                entry = _value(records.get_entry, None, position)
                number = _called(entry, "get_entry_type", 0)
                if number >= _FIRST_NAMED:
                    found.setdefault(number, entry)
        return found

    def text(self, *numbers: int) -> str:
        """The first of some strings that is there and not empty."""
        for number in numbers:
            entry = self._entry(number)
            if entry is not None and _value(entry.get_value_type, 0) in _STRINGS:
                text = str(_value(entry.get_data_as_string, "") or "").rstrip("\0")
                if text.strip():
                    return text
        return ""

    def binary(self, number: int) -> bytes:
        """Bytes, as they are stored."""
        entry = self._entry(number)
        return _value(entry.get_data, b"") or b"" if entry is not None else b""

    def number(self, number: int, default: int) -> int:
        """A whole number, or a flag."""
        data = self.binary(number)
        return int.from_bytes(data, "little", signed=len(data) > 1) if 0 < len(data) <= 8 else default

    def moment(self, *numbers: int) -> datetime | None:
        """The first of some times that is there and between 1970 and 2100."""
        for number in numbers:
            entry = self._entry(number)
            if entry is not None and _value(entry.get_value_type, 0) == _TIME:
                moment = _value(entry.get_data_as_datetime, None)
                if isinstance(moment, datetime) and 1970 <= moment.year <= 2100:
                    return moment
        return None


def _names(store: Any) -> dict[int, int]:
    """Numeric names of properties -> the numbers they have in this file."""
    values = _Values(_called(store, "get_name_to_id_map", None))
    return named_numbers(values.binary(0x0003), values.binary(0x0002))


def _subject(text: str) -> str:
    """A subject without the two characters in which Outlook stores the length of its prefix."""
    return text[2:] if text.startswith("\x01") else text


def _body(item: Any, name: str) -> str:
    body = _called(item, name, None)
    return decode_bytes(body, None).rstrip("\0") if isinstance(body, bytes) else str(body or "")


def _recipients(item: Any) -> Iterator[Recipient]:
    """The recipients' table: one set of records for each."""
    table = _value(getattr, None, item, "recipients")
    for position in range(_value(table.get_number_of_record_sets, 0) if table is not None else 0):
        records = _value(table.get_record_set, None, position)
        if records is None:
            continue
        found: dict[int, Any] = {}
        for number in (0x0C15, 0x3001, 0x3003, 0x39FE):
            entry = _value(records.get_entry_by_type, None, number)
            if entry is not None:
                found[number] = _value(
                    entry.get_data_as_integer if number == 0x0C15 else entry.get_data_as_string, ""
                )
        address = str(found.get(0x39FE) or found.get(0x3003) or "")
        yield Recipient(int(found.get(0x0C15) or 1), str(found.get(0x3001) or ""), address)
