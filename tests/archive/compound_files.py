"""Writes compound files (OLE), so that tests have Outlook items with any properties."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

Tree = Mapping[str, "bytes | Tree"]
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


@dataclass
class _Entry:
    """A stream or storage and its neighbours in the directory."""

    name: str
    kind: int
    data: bytes
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE


def compound_file(tree: Tree) -> bytes:
    """Returns a compound file with these streams and storages."""
    entries: list[_Entry] = [_Entry("Root Entry", 5, b"")]

    def add(children: Tree) -> int:
        numbers = []
        for name, content in children.items():
            numbers.append(len(entries))
            if isinstance(content, bytes):
                entries.append(_Entry(name, 2, content))
            else:
                entry = _Entry(name, 1, b"")
                entries.append(entry)
                entry.child = add(content)
        return balanced(numbers)

    def balanced(numbers: list[int]) -> int:
        if not numbers:
            return _FREE
        middle = len(numbers) // 2
        entry = entries[numbers[middle]]
        entry.left, entry.right = balanced(numbers[:middle]), balanced(numbers[middle + 1 :])
        return numbers[middle]

    entries[0].child = add(tree)
    mini, mini_table = bytearray(), []
    sectors: list[bytes] = []
    table: list[int] = []

    def chain(data: bytes) -> int:
        start = len(sectors)
        pieces = [data[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(data), _SECTOR)]
        sectors.extend(pieces)
        table.extend([*range(start + 1, start + len(pieces)), _END])
        return start

    places = []
    for data in (entry.data for entry in entries):
        if not data:
            places.append(_END)
        elif len(data) < _CUTOFF:
            places.append(len(mini_table))
            count = -(-len(data) // _MINI)
            mini_table.extend([*range(len(mini_table) + 1, len(mini_table) + count), _END])
            mini += data.ljust(count * _MINI, b"\0")
        else:
            places.append(chain(data))
    if mini:
        places[0] = chain(bytes(mini))
    mini_start = chain(struct.pack(f"<{len(mini_table)}I", *mini_table)) if mini_table else _END
    mini_count = -(-len(mini_table) * 4 // _SECTOR)
    listing = bytearray()
    for number, entry in enumerate(entries):
        wide = entry.name.encode("utf-16-le")
        size = len(mini) if number == 0 else len(entry.data)
        head = struct.pack("<64sHBB", wide, len(wide) + 2, entry.kind, 1)
        links = struct.pack("<III", entry.left, entry.right, entry.child)
        listing += head + links + bytes(36) + struct.pack("<IQ", places[number], size)
    listing_start = chain(bytes(listing))
    fat_count = 1
    while (len(table) + fat_count) * 4 > fat_count * _SECTOR:
        fat_count += 1
    fat_start = len(sectors)
    table.extend([_FAT] * fat_count)
    fat = struct.pack(f"<{len(table)}I", *table).ljust(fat_count * _SECTOR, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
        0, fat_count, listing_start, 0, _CUTOFF, mini_start, mini_count, _END, 0, fat_start,
    )  # fmt: skip
    more = struct.pack("<108I", *(fat_start + n if n < fat_count else _FREE for n in range(1, 109)))
    return header + more + b"".join(sectors) + fat


def item(
    texts: Mapping[int, str],
    *,
    binaries: Mapping[int, bytes] | None = None,
    numbers: Mapping[int, int] | None = None,
    times: Mapping[int, datetime] | None = None,
    header: int = 32,
) -> dict[str, bytes | Tree]:
    """Returns the streams of an item, recipient or attachment (header of 32 or 24, 8, 8 bytes)."""
    streams: dict[str, bytes | Tree] = {}
    table = bytearray(header)
    for number, text in texts.items():
        streams[f"__substg1.0_{number:04X}001F"] = text.encode("utf-16-le")
        table += struct.pack("<HHIII", 0x1F, number, 6, 2 * len(text) + 2, 0)
    for number, data in (binaries or {}).items():
        streams[f"__substg1.0_{number:04X}0102"] = data
        table += struct.pack("<HHIII", 0x102, number, 6, len(data), 0)
    for number, value in (numbers or {}).items():
        table += struct.pack("<HHIII", 0x3, number, 6, value, 0)
    for number, moment in (times or {}).items():
        ticks = (int(moment.astimezone(UTC).timestamp()) + 11_644_473_600) * 10_000_000
        table += struct.pack("<HHIQ", 0x40, number, 6, ticks)
    streams["__properties_version1.0"] = bytes(table)
    return streams
