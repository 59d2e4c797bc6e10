"""Outlook mailboxes (.pst, .ost) as mails, through libpff.

Belongs here: the walk over folders and the properties of their items. What items become is said in
`archive.mail_outlook`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from archive import mailbox
from archive.identifiers import content_digest
from archive.mail_draft import DraftFile
from archive.mail_outlook import Appointment, OutlookItem, Recipient, outlook_mail
from archive.mailbox import RawMessage, open_plain, relative_path
from archive.rejects import Reject
from archive.textforms import decode_bytes

MAX_FOLDERS = 100_000
MAX_DEPTH = 8
"""Levels of items attached to one another; deeper ones are left out."""
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
            yield from _folders(root, relative)
            yield from _orphans(store, relative)
        finally:
            store.close()


def _folders(root: Any, relative: str) -> Iterator[RawMessage | Reject]:  # libpff's objects have no types
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
            yield _message(_value(folder.get_sub_message, None, number), relative, place, locator)
        below = []
        for number in range(_value(folder.get_number_of_sub_folders, 0)):
            child = _value(folder.get_sub_folder, None, number)
            if child is None:
                locator = f"folder {identifier} folder {number}"
                yield Reject(relative, locator, content_digest(b""), "unreadable_record", 0)
            else:
                name = str(_value(child.get_name, "") or "")
                below.append((child, f"{place}/{name}".strip("/")))
        waiting.extend(reversed(below))


def _orphans(store: Any, relative: str) -> Iterator[RawMessage | Reject]:
    """Items that no folder names any more: deleted ones whose bytes are still there."""
    for number in range(_value(store.get_number_of_orphan_items, 0)):
        item = _value(store.get_orphan_item, None, number)
        if hasattr(item, "get_transport_headers"):
            yield _message(item, relative, "", f"orphan {number}")


def _message(item: Any, relative: str, place: str, locator: str) -> RawMessage | Reject:
    try:
        data = _item_mail(item, 0)
    except _FAULTS:
        return Reject(relative, locator, content_digest(b""), "unreadable_record", 0)
    if len(data) > mailbox.MAX_MESSAGE:
        return Reject(relative, locator, content_digest(data), "too_large", len(data))
    return RawMessage(relative, locator, place, data, "", len(data))


def _item_mail(item: Any, depth: int) -> bytes:
    text = {number: _text(item, number) for number in _TEXTS}
    sender = [text[number] for number in (0x5D02, 0x5D01, 0x0065, 0x0C1F)]
    return outlook_mail(
        OutlookItem(
            message_class=text[0x001A],
            transport=str(_value(item.get_transport_headers, "") or ""),
            subject=_subject(str(_value(item.get_subject, "") or text[0x0037])),
            sender_name=str(_value(item.get_sender_name, "") or text[0x0C1A]),
            sender_address=next((t for t in sender if "@" in t), next((t for t in sender if t), "")),
            recipients=tuple(_recipients(item)),
            sent_at=_moment(item.get_client_submit_time, item.get_delivery_time),
            created_at=_moment(item.get_creation_time),
            message_id=text[0x1035],
            in_reply_to=text[0x1042],
            references=text[0x1039],
            text=_body(item.get_plain_text_body),
            html=_body(item.get_html_body),
            compressed_rtf=_value(item.get_rtf_body, b"") or b"",
            files=tuple(_files(item, depth)),
            appointment=Appointment("", _time(item, 0x0060), _time(item, 0x0061), ""),
        )
    )


_TEXTS = (0x001A, 0x0037, 0x0065, 0x0C1A, 0x0C1F, 0x5D01, 0x5D02, 0x1035, 0x1039, 0x1042)


def _value(get: Callable[..., Any], default: Any, *arguments: Any) -> Any:
    try:
        return get(*arguments)
    except _FAULTS:
        return default


def _entry(holder: Any, number: int) -> Any:
    for position in range(_value(holder.get_number_of_record_sets, 0)):
        records = _value(holder.get_record_set, None, position)
        entry = _value(records.get_entry_by_type, None, number) if records is not None else None
        if entry is not None:
            return entry
    return None


def _text(holder: Any, number: int) -> str:
    entry = _entry(holder, number)
    return str(_value(entry.get_data_as_string, "") or "").rstrip("\0") if entry is not None else ""


def _time(holder: Any, number: int) -> datetime | None:
    entry = _entry(holder, number)
    return _moment(entry.get_data_as_datetime) if entry is not None else None


def _subject(text: str) -> str:
    """A subject without the two characters in which Outlook stores the length of its prefix."""
    return text[2:] if text.startswith("\x01") else text


def _moment(*getters: Callable[[], Any]) -> datetime | None:
    for get in getters:
        moment = _value(get, None)
        if isinstance(moment, datetime) and 1970 <= moment.year <= 2100:
            return moment
    return None


def _body(get: Callable[[], Any]) -> str:
    body = _value(get, None)
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


def _files(item: Any, depth: int) -> Iterator[DraftFile]:
    left = mailbox.MAX_MESSAGE
    for position in range(_value(item.get_number_of_attachments, 0)):
        attachment = _value(item.get_attachment, None, position)
        if attachment is None:
            continue
        name = str(_value(attachment.get_long_filename, "") or _text(attachment, 0x3704))
        kind = _text(attachment, 0x370E) or "application/octet-stream"
        inner = _value(attachment.get_sub_item, None, 0)
        if hasattr(inner, "get_transport_headers") and depth < MAX_DEPTH:
            yield DraftFile(name, "message/rfc822", _item_mail(inner, depth + 1))
            continue
        size = _value(attachment.get_size, 0) or 0
        data = b""
        if 0 < size <= left:
            data = _value(attachment.read_buffer, b"", size)
            left -= size
        yield DraftFile(name, kind, data, _text(attachment, 0x3712))
