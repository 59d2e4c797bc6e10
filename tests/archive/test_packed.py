"""Packed attachments: members in order, nothing written, every limit kept."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive import packed
from archive.packed import Budget, PackedMember, packing, unpacked, unsafe_name


def zipped(*members: tuple[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)
    return whole.getvalue()


def tarred(*members: tarfile.TarInfo | tuple[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as file:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                file.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                file.addfile(info, io.BytesIO(member[1]))
    return whole.getvalue()


def read(data: bytes, name: str = "file") -> list[PackedMember]:
    return list(unpacked(name, data, Budget()))


FILES = (("a.txt", b"one"), ("folder/b.txt", b"two"))


@pytest.mark.parametrize(
    ("data", "kind", "members"),
    [
        (zipped(*FILES), "zip", FILES),
        (tarred(*FILES), "tar", FILES),
        (gzip.compress(tarred(*FILES), mtime=0), "gzip", FILES),
        (bz2.compress(tarred(*FILES)), "bzip2", FILES),
        (lzma.compress(tarred(*FILES)), "xz", FILES),
        (gzip.compress(b"one", mtime=0), "gzip", (("file", b"one"),)),
        (gzip.compress(b"one", mtime=0) + gzip.compress(b" two", mtime=0), "gzip", (("file", b"one two"),)),
        (bz2.compress(b"one"), "bzip2", (("file", b"one"),)),
        (zipped(), "zip", ()),
    ],
)
def test_members_are_those_that_were_packed(
    data: bytes, kind: str, members: tuple[tuple[str, bytes], ...]
) -> None:
    assert packing(data) == kind
    assert read(data) == [PackedMember(name, content) for name, content in members]


@pytest.mark.parametrize(
    ("filename", "inner"), [("a.csv.gz", "a.csv"), ("a.gz", "a"), (".gz", "content"), ("a", "a")]
)
def test_a_compressed_file_is_named_without_its_ending(filename: str, inner: str) -> None:
    assert [member.name for member in read(gzip.compress(b"x", mtime=0), filename)] == [inner]


@pytest.mark.parametrize(
    ("name", "unsafe"),
    [
        ("a/b.txt", False),
        ("a..b/..c", False),
        ("../a", True),
        ("a/../../b", True),
        ("/etc/passwd", True),
        ("\\\\host\\share", True),
        ("..\\a", True),
        ("C:\\a", True),
        ("c:a", True),
        ("a\0b", True),
    ],
)
def test_names_that_lead_out_are_unsafe(name: str, unsafe: bool) -> None:
    assert unsafe_name(name) is unsafe


def link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_unsafe_members_are_told_by_name_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    links = zipfile.ZipInfo("link")
    links.create_system, links.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr("../../evil", "x")
        file.writestr(links, "/etc/passwd")
        file.writestr("good", "x")
    names = [("../../evil", "unsafe_path"), ("link", "unsafe_path"), ("good", "")]
    assert [(member.name, member.fault) for member in read(whole.getvalue())] == names
    tar = tarred(
        ("../../evil", b"x"),
        link("link", "/etc/passwd", tarfile.SYMTYPE),
        link("hard", "../../evil", tarfile.LNKTYPE),
        link("device", "", tarfile.CHRTYPE),
        link("pipe", "", tarfile.FIFOTYPE),
        ("good", b"x"),
    )
    assert [member.name for member in read(tar) if member.fault == "unsafe_path"] == [
        "../../evil",
        "link",
        "hard",
        "device",
        "pipe",
    ]
    assert read(tar)[-1] == PackedMember("good", b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, lambda data: zipped(("x", data))]
)
def test_what_expands_beyond_all_reason_is_a_bomb(pack: object) -> None:
    assert callable(pack)
    data = pack(b"\0" * 30_000_000)
    budget = Budget()
    assert [member.fault for member in unpacked("x", data, budget)] == ["bomb"]
    assert budget.expanded == packed.MAX_EXPANDED, "a bomb takes nothing from what others may expand to"


def test_many_members_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_EXPANDED", 1_000)
    members = read(zipped(*((str(number), bytes([number]) * 300) for number in range(5))))
    assert [member.fault for member in members] == ["", "", "", "bomb", "bomb"]


def test_members_beyond_the_bound_are_told_once() -> None:
    members = read(zipped(*((str(number), b"") for number in range(packed.MAX_MEMBERS + 50))))
    assert len(members) == packed.MAX_MEMBERS + 1
    assert members[-1].fault == "too_many_members"


def test_a_zip_that_lies_about_a_size_gives_no_more_than_it_says() -> None:
    data = bytearray(zipped(("x", b"\0" * 5_000_000)))
    directory = data.index(b"PK\x01\x02")
    data[22:26] = data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    (member,) = read(bytes(data))
    assert (len(member.data), member.fault) in ((10, ""), (0, "unreadable"))


def test_members_that_share_their_bytes_share_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_EXPANDED", 1_000)
    data = zipped(("x", bytes(range(200))))
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry, tail = data[start:end], bytearray(data[end:])
    tail[8:10] = tail[10:12] = (50).to_bytes(2, "little")
    tail[12:16] = (50 * len(entry)).to_bytes(4, "little")
    members = read(data[:start] + entry * 50 + bytes(tail))
    assert [member.fault for member in members] == [""] * 5 + ["bomb"] * 45


def test_a_tar_with_a_negative_size_ends() -> None:
    info = tarfile.TarInfo("x")
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\xff" * 11 + b"\x00"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert [member.fault for member in read(bytes(header) + b"\0" * 2_048)] in (["unreadable"], [], ["bomb"])


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [zipped(*FILES), tarred(*FILES), gzip.compress(tarred(*FILES), mtime=0), lzma.compress(b"xyz")]
    ),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 20_000),
)
def test_no_damage_raises(data: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    whole = bytes(damaged[: max(cut % (len(damaged) * 2), 1)])
    assert all(isinstance(member.name, str) for member in read(whole)) or packing(whole) == ""
