"""What one file is, told by its content first and its name second; nothing is run, written or unpacked.

Belongs here: walking a folder, file signatures, compression and the verdict on a file. What text looks like
is in `archive.sniffing_text`; which files form one source is in `archive.grouping`.
"""

from __future__ import annotations

import os
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from archive.sniffing_text import Form, text_form

HEAD = 256 * 1024
"""Bytes of a file that are looked at."""
MAX_FILES = 200_000
"""Files of a folder that are looked at; the rest is told as one finding."""
_ALIKE = 400
"""Files of one ending in one folder after which only every 25th is opened, as long as all were alike."""
_EVERY = 25
_LAYERS = 2
"""Compressions within one another that are looked through."""
_MEMBERS = 5
_MEMBER_HEAD = 16 * 1024
"""Files of a zip archive that are looked at, and bytes of each."""

_NOT_DATA = re.compile(
    r"^(?:readme|licen[cs]e|copying|notice|source\.txt|changelog|contributing|authors|citation|index\.md"
    r"|upstream_readme|manifest\.in|makefile|dockerfile|requirements.*\.txt|thumbs\.db|desktop\.ini)",
    re.IGNORECASE,
)
_NOT_DATA_SUFFIXES = frozenset(
    (
        ".py",
        ".js",
        ".ts",
        ".sh",
        ".rb",
        ".java",
        ".go",
        ".rs",
        ".c",
        ".h",
        ".css",
        ".pyc",
        ".tmp",
        ".bak",
        ".lock",
    )
)
_CACHES = frozenset(("__pycache__", "__macosx", "node_modules", "venv", "cache", "caches"))
_FIXTURES = re.compile(
    r"^(?:expected|expectations?|golden|fixtures?|labels?|annotations?|truth)\b|^expected[-_]", re.IGNORECASE
)
_MANIFESTS = ("dataset.yaml", "dataset.yml", "topics.yaml")


class Verdict(StrEnum):
    """What becomes of a file in the draft."""

    DATA = "data"
    """It belongs to a source."""
    NOT_DATA = "not_data"
    """It speaks of the data (licence, notes, code) or is hidden: left out, and told."""
    UNPLACED = "unplaced"
    """It may hold data, but nothing here reads it."""


@dataclass(frozen=True)
class FileGuess:
    """What one file was taken for, and why."""

    file: Path
    path: str
    """Relative to the folder, with forward slashes."""
    size: int
    verdict: Verdict
    why: str
    format: str = ""
    """Name of a reader, where the verdict is DATA."""
    confidence: float = 1.0
    header: tuple[str, ...] = ()
    """Column names of a table."""
    export: str = ""
    """Folder of the ticket export that the file belongs to (`archive.ticket_sets`)."""
    companion: bool = False
    """Whether it only stands beside the tickets of that export."""


def sniff_folder(
    folder: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[FileGuess]:
    """Returns a verdict on every file below a folder, by path; links that lead out of it are not followed."""
    files = list(_walk(folder))
    guesses: list[FileGuess] = []
    alike: dict[tuple[str, str], list[FileGuess]] = {}
    for number, file in enumerate(files[:MAX_FILES]):
        family = alike.setdefault((str(file.parent), file.suffix.lower()), [])
        guess = _assumed(file, folder, family) or sniff_file(file, folder)
        family.append(guess)
        guesses.append(guess)
        if number % 50 == 0:
            progress(number, len(files))
    if len(files) > MAX_FILES:
        rest = len(files) - MAX_FILES
        guesses.append(
            FileGuess(
                folder, ".", 0, Verdict.UNPLACED, f"{rest} further files: draft parts of the folder apart"
            )
        )
    return guesses


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        linked = [name for name in folders if Path(place, name).is_symlink()]
        yield from (Path(place, name) for name in sorted([*names, *linked]))


def _assumed(file: Path, folder: Path, family: list[FileGuess]) -> FileGuess | None:
    """Returns the verdict of a file's many siblings for most of the files that come after them."""
    if len(family) < _ALIKE or len(family) % _EVERY == 0:
        return None
    first = family[0]
    told = {(guess.format, guess.verdict) for guess in family[:_ALIKE]}
    if len(told) > 1 or first.verdict is not Verdict.DATA or file.is_symlink() or file.name.startswith("."):
        return None
    try:
        size = file.stat().st_size
    except OSError:
        return None
    return None if size == 0 else replace(first, file=file, path=shown_path(file, folder), size=size)


def sniff_file(file: Path, folder: Path) -> FileGuess:
    """Returns what a file is; one that cannot be read or recognised is unplaced with the reason."""
    path = shown_path(file, folder)
    told = _by_place(file, folder)
    if told is not None:
        return FileGuess(file, path, 0, *told)
    try:
        size = file.stat().st_size
        if not file.is_file():
            return FileGuess(file, path, 0, Verdict.UNPLACED, "no ordinary file")
        with file.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        return FileGuess(file, path, 0, Verdict.UNPLACED, f"cannot be read ({type(error).__name__})")
    if not head:
        return FileGuess(file, path, 0, Verdict.UNPLACED, "empty file")
    form = _form(file, head, size)
    by_name = _by_name(file, form)
    if by_name is not None:
        return FileGuess(file, path, size, *by_name)
    verdict = Verdict.DATA if form.format else Verdict.UNPLACED
    return FileGuess(file, path, size, verdict, form.why, form.format, form.confidence, form.header)


def shown_path(file: Path, folder: Path) -> str:
    """Returns a file's place below the folder for people and manifests; "\ufffd" for bytes of no UTF-8."""
    return os.fsencode(file.relative_to(folder).as_posix()).decode("utf-8", "replace")


def _by_place(file: Path, folder: Path) -> tuple[Verdict, str] | None:
    if file.is_symlink() and (file.is_dir() or not file.resolve().is_relative_to(folder.resolve())):
        return Verdict.NOT_DATA, "a link that leads elsewhere: not followed"
    parts = file.relative_to(folder).parts
    if any(part.startswith(".") for part in parts):
        return Verdict.NOT_DATA, "hidden"
    if any(part.lower() in _CACHES for part in parts[:-1]):
        return Verdict.NOT_DATA, "in a cache"
    return None


def _by_name(file: Path, form: Form) -> tuple[Verdict, str] | None:
    """Returns a verdict that only the name gives: notes about the data, code, expected results."""
    name = file.name.lower()
    strong = form.format and form.confidence >= 0.9
    if name in _MANIFESTS:
        return Verdict.NOT_DATA, "a manifest of this program"
    if not strong and (_NOT_DATA.match(name) or file.suffix.lower() in _NOT_DATA_SUFFIXES):
        return Verdict.NOT_DATA, "notes or code about the data"
    expected = next((part for part in file.parts[-3:-1] if _FIXTURES.match(part)), None)
    if expected is not None:
        return Verdict.UNPLACED, "lies in a folder of expected results or labels"
    if file.suffix.lower() in (".yml", ".yaml"):
        beside = [
            other for other in _siblings(file) if other.stem == file.stem and other.suffix != file.suffix
        ]
        if beside:
            return Verdict.UNPLACED, f"an expectation or description beside {beside[0].name}"
    return None


def _siblings(file: Path) -> list[Path]:
    endings = (".sta", ".txt", ".csv", ".xml", ".json", ".eml", ".msg")
    return [file.with_suffix(ending) for ending in endings if file.with_suffix(ending).is_file()]


def _form(file: Path, head: bytes, size: int) -> Form:
    """Returns the form of a file's content, seen through up to two compressions."""
    layers, name, whole = 0, file.name, size <= len(head)
    while head.startswith(b"\x1f\x8b"):
        layers += 1
        if layers > _LAYERS:
            return Form("", f"compressed more than {_LAYERS} times: unpack it", 0.9)
        head, whole = _gunzipped(head, whole)
        name = name[:-3] if name.lower().endswith(".gz") else name
        if not head:
            return Form("", "a damaged or empty gzip file", 0.9)
    form = _binary_form(file, head, layers) or text_form(head, name, whole)
    if layers == 1:
        return form._replace(why=f"{form.why}, compressed")
    if layers > 1 and form.format:
        return Form("", f"{form.why}, but compressed {layers} times: unpack it once", 0.9)
    return form


def _gunzipped(data: bytes, whole: bool) -> tuple[bytes, bool]:
    """Returns the first bytes of gzip content, never more than the bound, and whether that is all of it."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(data, HEAD)
    except zlib.error:
        return b"", False
    return content, whole and unpacker.eof and not unpacker.unconsumed_tail


def _binary_form(file: Path, head: bytes, layers: int) -> Form | None:
    """Returns the form that a signature tells, or None for what may be text."""
    if head.startswith(b"!BDN"):
        return Form("pst", "the signature of an Outlook data file", 1.0)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _compound_form(file, head)
    if head.startswith(b"SQLite format 3\x00"):
        return _sqlite_form(file) if not layers else Form("", "a compressed SQLite database: unpack it", 0.9)
    if head.startswith(b"PAR1"):
        return Form("parquet", "the signature of Parquet", 1.0)
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _zip_form(file) if not layers else Form("", "a zip archive within gzip: unpack it", 0.9)
    for signature, told in _SIGNATURES:
        if head.startswith(signature):
            return Form("", told, 0.9)
    if b"\x00" in head[:4096] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Form("", "binary content of no known form", 0.5)
    return None


_SIGNATURES = (
    (b"%PDF", "a PDF by itself: no mail, ticket or register refers to it here"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"),
    (b"Rar!", "a RAR archive: unpack it"),
    (b"BZh", "bzip2: unpack it"),
    (b"\xfd7zXZ\x00", "xz: unpack it"),
    (b"\x28\xb5\x2f\xfd", "zstd: unpack it"),
    (b"{\\rtf", "a text in RTF by itself"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)


def _compound_form(file: Path, head: bytes) -> Form:
    """Tells an Outlook message from other files of the same container by the names in its directory."""
    directory = head
    with file.open("rb") as stream:
        sector = 1 << int.from_bytes(head[30:32], "little") if len(head) >= 512 else 512
        start = int.from_bytes(head[48:52], "little")
        if sector in (512, 4096) and start < 1 << 24:
            stream.seek((start + 1) * sector)
            directory += stream.read(HEAD)
    if (
        "__substg1.0_".encode("utf-16-le") in directory
        or "__properties_version1.0".encode("utf-16-le") in directory
    ):
        return Form("msg", "an Outlook message (compound file with message properties)", 1.0)
    if "Workbook".encode("utf-16-le") in directory:
        return Form("", "an Excel workbook of before 2007: save it as .xlsx", 0.9)
    return Form("", "a compound file (an Office document of before 2007)", 0.8)


def _sqlite_form(file: Path) -> Form:
    """Tells an object-centric event log from any other database by its tables; opened without a trace."""
    address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            query = "select name from sqlite_master where type = 'table' order by name"
            names = tuple(str(row[0]) for row in database.execute(query))
    except sqlite3.Error:
        return Form("", "a damaged SQLite database", 0.9)
    if {"event", "object", "event_object"} <= {name.lower() for name in names}:
        return Form("ocel", "a SQLite database with the tables of OCEL 2.0", 1.0, names)
    if not names:
        return Form("", "a SQLite database without tables", 0.9)
    return Form("sqlite", f"a SQLite database of {len(names)} tables", 1.0, names)


def _zip_form(file: Path) -> Form:
    try:
        with zipfile.ZipFile(file) as archive:
            names = [entry.filename for entry in archive.infolist()[:10_000]]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return Form("", "a damaged zip archive", 0.9)
    if "xl/workbook.xml" in names:
        return Form("xlsx", "a zip with an Excel workbook inside", 1.0)
    if "word/document.xml" in names:
        return Form("", "a Word document by itself: no mail, ticket or register refers to it here", 0.9)
    if any(name.startswith("ppt/") for name in names):
        return Form("", "a presentation", 0.9)
    if _holds_mail(file, names):
        return Form("mbox", f"a zip archive of {len(names)} files, mails by the first of them", 0.9)
    endings = sorted({Path(name).suffix.lower() or "(none)" for name in names if not name.endswith("/")})
    shown = ", ".join(endings[:5])
    return Form("", f"a zip archive of {len(names)} files ({shown}): unpack it beside the others", 0.9)


def _holds_mail(file: Path, names: list[str]) -> bool:
    """Says whether the first files of a zip archive are mails or mailboxes, by their first bytes alone."""
    looked = [name for name in names if not name.endswith("/") and not Path(name).name.startswith(".")]
    try:
        with zipfile.ZipFile(file) as archive:
            for name in looked[:_MEMBERS]:
                with archive.open(name) as member:
                    if text_form(member.read(_MEMBER_HEAD), name, False).format in ("mbox", "eml"):
                        return True
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError):
        return False
    return False
