"""Properties of Outlook items by number: which ones people read, and their words for items that are no mails.

Belongs here: contacts, distribution lists, tasks, journal entries as lines of text, and when and where an
appointment takes place. Does not belong here: stored properties (`archive.mail_msg`, `archive.mail_pst`),
mails made of items (`archive.mail_outlook`), rules of repetition (`archive.outlook_recurrence`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from archive.outlook_recurrence import recurrence_rule

_SETS = frozenset(
    bytes.fromhex(f"{first}0600 0000 0000 c000 0000 0000 0046".replace(" ", ""))
    for first in ("0220", "0320", "0420", "0820", "0a20", "0e20")
) | {bytes.fromhex("90dad86e0b451b1098da00aa003f1305")}
"""Property sets of Outlook itself: appointments, tasks, contacts, common, journal, notes; meetings."""
_START, _END, _PLACE, _WHOLE_DAY = 0x820D, 0x820E, 0x8208, 0x8215
_RULE, _RULE_TEXT, _MEETING = 0x8216, 0x8232, 0x0023
_FOREIGN = b"vCal-Uid\x01\0\0\0"
"""Stands in the id of a meeting before the UID that another program gave it."""
_MEMBERS = 0x8054
_ONE_OFF = bytes.fromhex("812b1fa4bea310199d6e00dd010f5402")
"""Begins the entry of a list's member that stands in no address book."""
_MAX_MEMBERS = 2_000
_MAX_NAME = 1_000

_CONTACT = (
    ("Name", 0x3001),
    ("Company", 0x3A16),
    ("Title", 0x3A17),
    ("Department", 0x3A18),
    ("E-mail", 0x8083),
    ("E-mail", 0x8093),
    ("E-mail", 0x80A3),
    ("Business phone", 0x3A08),
    ("Home phone", 0x3A09),
    ("Mobile phone", 0x3A1C),
    ("Fax", 0x3A24),
    ("Business address", 0x801B),
    ("Home address", 0x801A),
    ("Web page", 0x802B),
)
_TASK = (("Owner", 0x811F), ("Start", 0x8104), ("Due", 0x8105), ("Completed", 0x810F))
_JOURNAL = (("Type", 0x8700), ("Start", 0x8706), ("End", 0x8708))
_LIST = (("Name", 0x8053),)
_LINES = {
    "ipm.contact": _CONTACT,
    "ipm.distlist": _LIST,
    "ipm.task": _TASK,
    "ipm.activity": _JOURNAL,
}
_STATES = ("not started", "in progress", "complete", "waiting on someone else", "deferred")
_STATE = 0x8101


class Properties(Protocol):
    """Values of an item by number; named ones by the number of their name. What is not there is empty."""

    def text(self, *numbers: int) -> str:
        """The first of some strings that is there and not empty."""

    def binary(self, number: int) -> bytes:
        """Bytes."""

    def number(self, number: int, default: int) -> int:
        """A whole number."""

    def moment(self, *numbers: int) -> datetime | None:
        """The first of some times that is there."""


class Appointment(NamedTuple):
    """When and where something takes place, and how it is repeated."""

    uid: str
    starts_at: datetime | None
    ends_at: datetime | None
    location: str
    whole_days: bool = False
    rule: str = ""
    """A recurrence rule of RFC 5545."""
    rule_text: str = ""
    """The rule in the words of Outlook."""


def named_numbers(entries: bytes, sets: bytes = b"") -> dict[int, int]:
    """Returns names that are numbers -> the numbers their properties have in a file.

    Args:
        entries: the stream of names, eight bytes for each.
        sets: the stream of property sets; names of sets that are not Outlook's own are left out.
    """
    found: dict[int, int] = {}
    for at in range(0, len(entries) - 7, 8):
        name, kind, index = struct.unpack_from("<IHH", entries, at)
        place = 16 * ((kind >> 1) - 3)
        own = place < 0 or place >= len(sets) or sets[place : place + 16] in _SETS
        if not kind & 1 and own:
            found.setdefault(name, 0x8000 + index)
    return found


def appointment(values: Properties) -> Appointment:
    """Returns when an item takes place; without a start where it does not."""
    return Appointment(
        uid=_uid(values.binary(_MEETING)),
        starts_at=values.moment(_START, 0x0060),
        ends_at=values.moment(_END, 0x0061),
        location=values.text(_PLACE),
        whole_days=bool(values.number(_WHOLE_DAY, 0) & 1),
        rule=recurrence_rule(values.binary(_RULE)),
        rule_text=values.text(_RULE_TEXT),
    )


def _uid(data: bytes) -> str:
    """The UID by which calendars of other programs know the meeting."""
    _, foreign, uid = data.partition(_FOREIGN)
    return uid.rstrip(b"\0").decode("utf-8", "replace") if foreign else data.hex().upper()


def item_words(message_class: str, values: Properties) -> str:
    """Returns what an item that is no mail says in its fields, a line for each; "" for mails and notes."""
    kind = message_class.lower()
    lines = next((lines for start, lines in _LINES.items() if kind.startswith(start)), ())
    told = []
    for label, number in lines:
        value = values.text(number) or _day(values.moment(number))
        if value.strip():
            told.append(f"{label}: {' '.join(value.split())}")
    if lines is _TASK:
        state = values.number(_STATE, -1)
        told += [f"Status: {_STATES[state]}"] if 0 <= state < len(_STATES) else []
    if lines is _LIST:
        told += [f"Member: {name}" for name in _members(values.binary(_MEMBERS))]
    return "\n".join(dict.fromkeys(told))


def _day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"


def _members(data: bytes) -> Iterator[str]:
    """Names and addresses of a distribution list's members."""
    at = data.find(_ONE_OFF)
    count = 0
    while at >= 0 and count < _MAX_MEMBERS:
        texts = []
        place = at + len(_ONE_OFF) + 4
        for _ in range(3):
            end = place
            while data[end : end + 2] not in (b"\0\0", b"", data[-1:]) and end - place < 2 * _MAX_NAME:
                end += 2
            texts.append(data[place:end].decode("utf-16-le", "replace"))
            place = end + 2
        name, _, address = texts
        yield f"{name} <{address}>" if address and address != name else name
        count += 1
        at = data.find(_ONE_OFF, at + len(_ONE_OFF))


class Named:
    """Properties of which the names that are numbers are looked up first."""

    def __init__(self, values: Properties, names: Mapping[int, int]) -> None:
        """Wraps stored properties; numbers from 0x8000 on, and that of a meeting, are names."""
        self._values = values
        self._names = names

    def _stored(self, number: int) -> int:
        return self._names.get(number, 0) if number >= 0x8000 or number == _MEETING else number

    def text(self, *numbers: int) -> str:
        """The first of some strings that is there and not empty."""
        return self._values.text(*map(self._stored, numbers))

    def binary(self, number: int) -> bytes:
        """Bytes."""
        return self._values.binary(self._stored(number))

    def number(self, number: int, default: int) -> int:
        """A whole number."""
        return self._values.number(self._stored(number), default)

    def moment(self, *numbers: int) -> datetime | None:
        """The first of some times that is there."""
        return self._values.moment(*map(self._stored, numbers))
