"""Outlook .msg files as mails, through python-oxmsg.

Belongs here: the properties of a stored item, attached items included. What they become is said in
`archive.mail_outlook`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from archive import mailbox
from archive.identifiers import content_digest
from archive.mail_draft import DraftFile
from archive.mail_outlook import OutlookItem, Recipient, outlook_mail
from archive.mailbox import RawMessage, read_file
from archive.outlook_properties import Named, appointment, item_words, named_numbers
from archive.rejects import Reject
from archive.textforms import decode_bytes

if TYPE_CHECKING:
    from oxmsg.properties import Properties
    from oxmsg.storage import Storage

MAX_DEPTH = 8
"""Levels of items attached to one another; deeper ones are left out."""
MAX_STREAMS = 20_000
"""Streams and folders in one file."""
MAX_SIBLINGS = 2_500
"""Streams and folders in one folder: the library looks for each among all of them."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ROOT_HEADER, _INNER_HEADER, _PART_HEADER = 32, 24, 8
_TEXT, _TEXT8, _BINARY, _TIME = 0x001F, 0x001E, 0x0102, 0x0040
_EMBEDDED = "__substg1.0_3701000D"
_NAMED = "__nameid_version1.0"
_HTML, _RTF = 0x1013, 0x1009


def read_msg(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the one mail that a .msg file is, as RFC 5322 bytes; the mailbox is the file's folder.

    A file that is no Outlook item but a mail as text, which some programs name so too, is that mail.
    """
    for raw in read_file(path, base):
        if isinstance(raw, Reject) or not raw.data.startswith(_OLE):
            yield raw
            continue
        built = msg_to_mail(raw.data)
        if isinstance(built, str):
            yield Reject(raw.path, raw.locator, content_digest(raw.data), built, raw.size)
        else:
            yield raw._replace(data=built)


def msg_to_mail(data: bytes) -> bytes | str:
    """Returns an Outlook item as RFC 5322 bytes, or the fault that keeps it from being read; never raises."""
    from olefile import OleFileIO  # type: ignore[import-untyped,unused-ignore]
    from oxmsg.storage import Storage

    if len(data) > mailbox.MAX_MESSAGE:
        return "too_large"
    try:
        with OleFileIO(data) as ole:
            entries = [entry for entry in ole.direntries if entry is not None]
            if len(entries) > MAX_STREAMS or max(len(entry.kids) for entry in entries) > MAX_SIBLINGS:
                return "too_many_members"
            # Streams may share their bytes, so that a small file could hold any number of large ones.
            if sum(entry.size for entry in entries) > 2 * len(data):
                return "bomb"
            root = Storage.from_ole(ole)
        return _item_mail(root, _ROOT_HEADER, _named(root), 0)
    except RecursionError:
        return "too_deep"
    except (OSError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, struct.error):
        # Compound files break in as many ways as their reader has lines.
        return "unreadable"


class _Values:
    """Properties by number; one that cannot be read is as good as none."""

    def __init__(self, storage: Storage, header: int) -> None:
        from oxmsg.properties import Properties

        self._properties: Properties = Properties(storage, properties_header_offset=header)
        self._streams = {stream.name: stream.bytes_ for stream in storage.streams}
        self._fixed: dict[int, bytes] = {}
        table = self._streams.get("__properties_version1.0", b"")
        for at in range(header, len(table) - 15, 16):
            kind, number = struct.unpack_from("<HH", table, at)
            if kind not in (_TEXT, _TEXT8, _BINARY):
                self._fixed.setdefault(number, table[at + 8 : at + 16])

    def text(self, *numbers: int) -> str:
        """The first of some strings that is there and not empty."""
        for number in numbers:
            wide = self._streams.get(f"__substg1.0_{number:04X}{_TEXT:04X}")
            narrow = self._streams.get(f"__substg1.0_{number:04X}{_TEXT8:04X}")
            if wide is not None:
                value = wide.decode("utf-16-le", "replace")
            else:
                value = decode_bytes(narrow, self._encoding()) if narrow is not None else ""
            if value.strip("\0 \r\n\t"):
                return value.rstrip("\0")
        return ""

    def binary(self, number: int) -> bytes:
        return self._streams.get(f"__substg1.0_{number:04X}{_BINARY:04X}", b"")

    def html(self) -> str:
        data = self.binary(_HTML)
        return decode_bytes(data, self._encoding()).rstrip("\0") if data else self.text(_HTML)

    def number(self, number: int, default: int) -> int:
        value = self._fixed.get(number)
        return int(struct.unpack_from("<i", value)[0]) if value is not None else default

    def moment(self, *numbers: int) -> datetime | None:
        """The first of some times that is there and between 1970 and 2100."""
        for number in numbers:
            value = self._fixed.get(number)
            seconds = struct.unpack("<Q", value)[0] // 10_000_000 - 11_644_473_600 if value is not None else 0
            if 0 < seconds < 4_102_444_800:
                return datetime.fromtimestamp(seconds, UTC)
        return None

    def _encoding(self) -> str | None:
        try:
            return self._properties.body_encoding
        except (
            Exception
        ):  # the library has exceptions of its own for code pages, all of them plain Exceptions
            return None


def _item_mail(storage: Storage, header: int, named: dict[int, int], depth: int) -> bytes:
    values = _Values(storage, header)
    own = Named(values, named)
    message_class = values.text(0x001A)
    return outlook_mail(
        OutlookItem(
            message_class=message_class,
            transport=values.text(0x007D),
            subject=values.text(0x0037, 0x0E1D),
            sender_name=values.text(0x0042, 0x0C1A),
            sender_address=_sender(values),
            recipients=tuple(_recipients(storage)),
            sent_at=values.moment(0x0039, 0x0E06),
            created_at=values.moment(0x3007),
            message_id=values.text(0x1035),
            in_reply_to=values.text(0x1042),
            references=values.text(0x1039),
            text=values.text(0x1000),
            html=values.html(),
            compressed_rtf=values.binary(_RTF),
            files=tuple(_files(storage, named, depth)),
            appointment=appointment(own),
            words=item_words(message_class, own),
        )
    )


def _sender(values: _Values) -> str:
    """The SMTP address where any property has one, else the Exchange address."""
    found = [values.text(number) for number in (0x5D02, 0x5D01, 0x0065, 0x0C1F)]
    return next((text for text in found if "@" in text), next((text for text in found if text), ""))


def _recipients(storage: Storage) -> Iterator[Recipient]:
    for part in storage.iter_recipient_storages():
        values = _Values(part, _PART_HEADER)
        yield Recipient(values.number(0x0C15, 1), values.text(0x3001), values.text(0x39FE, 0x3003))


def _files(storage: Storage, named: dict[int, int], depth: int) -> Iterator[DraftFile]:
    for part in storage.iter_attachment_storages():
        values = _Values(part, _PART_HEADER)
        name = values.text(0x3707, 0x3704, 0x3001)
        inner = next((child for child in part.storages if child.name == _EMBEDDED), None)
        item = inner is not None and any(s.name == "__properties_version1.0" for s in inner.streams)
        if inner is not None and item and depth < MAX_DEPTH:
            yield DraftFile(name, "message/rfc822", _item_mail(inner, _INNER_HEADER, named, depth + 1))
        else:
            kind = values.text(0x370E) or "application/octet-stream"
            yield DraftFile(name, kind, values.binary(0x3701), values.text(0x3712))


def _named(root: Storage) -> dict[int, int]:
    """Numeric names of properties -> the numbers they have in this file."""
    names = next((child for child in root.storages if child.name == _NAMED), None)
    streams = {stream.name: stream.bytes_ for stream in names.streams} if names is not None else {}
    return named_numbers(streams.get("__substg1.0_00030102", b""), streams.get("__substg1.0_00020102", b""))
