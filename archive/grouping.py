"""Which files form one source: mailboxes of one folder, a maildir, a tree of mails, the tables of one system.

Belongs here: putting files together and finding the path by which a manifest names exactly those. Does not
belong here: what a file is (`archive.sniffing`), what a source means (`archive.drafting`).
"""

from __future__ import annotations

import csv
import glob
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from archive.document_series import with_documents
from archive.errors import SourceError
from archive.formats import DATABASES, MAIL, TABLES, TICKETS, source_files
from archive.sniffing import FileGuess, Verdict
from archive.ticket_sets import is_kin, with_companions
from contracts.manifest import Source, SourceKind

_WHOLE_TREE = (*MAIL, "mt940", "einvoice", "documents")
"""Formats whose files form one source wherever they lie below the folder; others do so folder by folder."""
ONE_EACH = (*DATABASES, "ocel")
"""Formats of which each file is a source: its tables are its own, though named as those of the next."""
_MAILDIR = ("cur", "new")
_TOLD = 6
"""Companions that are named."""
_LETTERS = 3
"""First letters of names that a path tells files apart by."""
_LABEL_NAME = re.compile(r"label|annot|truth|gold|expected", re.IGNORECASE)
_LABEL_ROWS = 200
_STRAY_SHARE = 0.2


@dataclass(frozen=True)
class Group:
    """Files that one source of the draft covers."""

    format: str
    place: str
    """Folder that holds all of them, relative to the folder of the draft; "." for that itself."""
    path: str
    """What the manifest says: a file, a folder or a pattern."""
    files: tuple[FileGuess, ...]
    beside: tuple[FileGuess, ...] = ()
    """Unplaced files that the path covers as well: they are read with the others or go to quarantine."""

    @property
    def confidence(self) -> float:
        """The least sure verdict of its files."""
        return min(guess.confidence for guess in self.files)

    @property
    def why(self) -> str:
        """The most frequent reason of its files, how many there are, and what stands beside its tickets."""
        reasons: dict[str, int] = defaultdict(int)
        own = [guess for guess in self.files if not guess.companion] or list(self.files)
        for guess in own:
            reasons[re.sub(r"\d+ (?=mail headers|columns)", "", guess.why)] += 1
        first = min(reasons, key=lambda reason: (-reasons[reason], reason))
        told = first if len(own) == 1 else f"{len(own)} files: {first}"
        names = [PurePosixPath(guess.path) for guess in self.files if guess.companion and guess not in own]
        if not names:
            return told
        shown = ", ".join(str(name.relative_to(self.place)) for name in names[:_TOLD])
        more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
        return f"{told}; with {shown}{more} beside the tickets"


def group_files(guesses: Sequence[FileGuess], folder: Path) -> tuple[list[Group], list[FileGuess]]:
    """Returns the sources that a folder's files form, and the verdicts on all files that are in none."""
    guesses = with_documents(_mails_together(with_companions([*_without_labels(guesses)])))
    known = _known_formats()
    placed: dict[tuple[str, str], list[FileGuess]] = defaultdict(list)
    rest: list[FileGuess] = []
    for guess in guesses:
        if guess.verdict is not Verdict.DATA:
            rest.append(guess)
        elif guess.format not in known:
            told = f"{guess.why}: nothing here reads that format ({guess.format}) yet"
            rest.append(replace(guess, verdict=Verdict.UNPLACED, why=told, format=""))
        else:
            placed[_family(guess, known)].append(guess)
    unplaced = [guess for guess in rest if guess.verdict is Verdict.UNPLACED]
    groups: list[Group] = []
    taken: set[str] = set()
    for family, files in sorted(placed.items(), key=lambda entry: (entry[0][0] not in TICKETS, entry[0])):
        left = [guess for guess in files if guess.path not in taken]
        kin = [guess for guess in placed.get(("jsonl", family[1]), ()) if is_kin(guess, family[0])]
        found = _covered(family[0], left, unplaced, folder) if left else []
        if len(found) > 1 and kin:
            found = min(found, _covered(family[0], left, [*unplaced, *kin], folder), key=len)
        taken |= {guess.path for group in found for guess in group.beside}
        groups += found
    groups.sort(key=lambda group: (group.place, group.path, group.format))
    return groups, [guess for guess in rest if guess.path not in taken]


def _known_formats() -> frozenset[str]:
    return frozenset((*MAIL, *TICKETS, *TABLES, *DATABASES, "csv"))


def _family(guess: FileGuess, known: frozenset[str]) -> tuple[str, str]:
    """Returns the format and the folder by which a file finds its like."""
    place = PurePosixPath(guess.path).parent
    if (
        guess.format == "eml"
        and place.name in _MAILDIR
        and "maildir" in known
        and _is_maildir(guess.file.parent)
    ):
        return "maildir", ""
    if guess.format in _WHOLE_TREE:
        return guess.format, ""
    if guess.format in ONE_EACH:
        return guess.format, guess.path
    return guess.format, guess.export or place.as_posix()


def _is_maildir(place: Path) -> bool:
    beside = {name for name in ("cur", "new", "tmp") if (place.parent / name).is_dir()}
    return len(beside) >= 2


def reader_patterns(name: str) -> tuple[str, ...]:
    """Returns the patterns by which a reader finds its files where a manifest names only their folder."""
    for registry in (MAIL, TABLES):
        if name in registry:
            return registry[name].patterns
    return TICKETS.get(name, ("*.csv",))


def covered_files(source: Source, folder: Path) -> list[Path]:
    """Returns the files that a source of a manifest reads; none where its path leads nowhere."""
    try:
        files = source_files(source, folder, reader_patterns(source.format))
    except SourceError:
        return []
    return [file for file in files if not file.is_dir()]


def _covered(
    name: str, files: Sequence[FileGuess], unplaced: Sequence[FileGuess], folder: Path
) -> list[Group]:
    """Returns the groups whose paths cover these files and no file of another kind."""
    place = _common_folder(files)
    wanted = {guess.file for guess in files}
    strays = {guess.file: guess for guess in unplaced}
    for path in _candidates(name, files, place):
        probe = Source(name="probe", kind=SourceKind.MAIL, format=name, path=path)
        found = set(covered_files(probe, folder))
        extra = found - wanted
        few = len(extra) <= max(1, _STRAY_SHARE * len(wanted))
        alike = {file.suffix for file in extra} <= {file.suffix for file in wanted}
        if found >= wanted and extra <= strays.keys() and alike and (few or name in MAIL or name in TICKETS):
            beside = tuple(strays[file] for file in sorted(extra))
            return [Group(name, place, path, tuple(files), beside)]
    if len(files) == 1:
        return [Group(name, place, _pattern(files[0].path), tuple(files))]
    parts: dict[str, list[FileGuess]] = defaultdict(list)
    for guess in files:
        parts[_next_part(guess, place, files)].append(guess)
    if len(parts) == 1:
        parts = {guess.path: [guess] for guess in files}
    return [group for _, part in sorted(parts.items()) for group in _covered(name, part, unplaced, folder)]


def _next_part(guess: FileGuess, place: str, files: Sequence[FileGuess]) -> str:
    """Returns what tells files apart: the next folder, else the ending, else the name without its numbers."""
    inside = PurePosixPath(guess.path).relative_to(place) if place != "." else PurePosixPath(guess.path)
    if any(
        len(PurePosixPath(other.path).parts) != len(PurePosixPath(files[0].path).parts) for other in files
    ) or (len(inside.parts) > 1):
        return inside.parts[0] if len(inside.parts) > 1 else "."
    endings = {PurePosixPath(other.path).suffix for other in files}
    return inside.suffix if len(endings) > 1 else re.sub(r"\d+", "", inside.name)


def _candidates(name: str, files: Sequence[FileGuess], place: str) -> Iterable[str]:
    """Yields paths that may cover the files, the plainest first."""
    if len(files) == 1:
        yield _pattern(files[0].path) if "\ufffd" in files[0].path else files[0].path
        return
    if name == "maildir":
        place = _maildir_root(place)
    yield place
    start = "" if place == "." else f"{glob.escape(place)}/"
    endings = {"".join(PurePosixPath(guess.path).suffixes[-2:]) for guess in files}
    last = {PurePosixPath(guess.path).suffix for guess in files}
    flat = all(PurePosixPath(guess.path).parent.as_posix() == place for guess in files)
    for ending in [*sorted(last), *sorted(endings - last)] if len(last) == 1 else []:
        yield f"{start}*{ending}" if flat else f"{start}**/*{ending}"
    names = [PurePosixPath(guess.path).name for guess in files]
    prefix = _shared(names)
    tail = _shared([name[::-1] for name in names])[::-1]
    if flat and (prefix or tail):
        yield f"{start}{glob.escape(prefix)}*{glob.escape(tail)}".replace("\ufffd", "?")
    if name in TICKETS:
        yield from _by_letters(files, place, start)
    if flat:
        yield f"{start}*"
    else:
        yield f"{start}**/*"


def _by_letters(files: Sequence[FileGuess], place: str, start: str) -> Iterable[str]:
    """Yields patterns of the first letters that files or their folders have: "[ou]*.json", "[tu][is]*/*"."""
    inside = [PurePosixPath(guess.path).relative_to(place).parts for guess in files]
    if len({len(parts) for parts in inside}) > 1 or len(inside[0]) > 2:
        return
    names = [parts[0] for parts in inside]
    endings = {PurePosixPath(guess.path).suffix for guess in files}
    tail = "*/*" if len(inside[0]) == 2 else f"*{endings.pop()}" if len(endings) == 1 else "*"
    prefix = _shared(names)
    rest = [name[len(prefix) :] for name in names]
    for length in range(1, min(_LETTERS, *map(len, rest)) + 1):
        letters = [sorted({name[at] for name in rest}) for at in range(length)]
        if all(letter.isalnum() or letter in "_ " for column in letters for letter in column):
            yield start + glob.escape(prefix) + "".join(f"[{''.join(one)}]" for one in letters) + tail


def _shared(names: Sequence[str]) -> str:
    """Returns the characters with which all names begin."""
    low, high = min(names), max(names)
    length = next((at for at, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    return low[:length]


def _pattern(path: str) -> str:
    """Returns a pattern for one path whose name is no UTF-8, else the path itself."""
    return glob.escape(path).replace("\ufffd", "?") if "\ufffd" in path else path


def _maildir_root(place: str) -> str:
    path = PurePosixPath(place)
    return (path.parent if path.name in _MAILDIR else path).as_posix()


def _common_folder(files: Sequence[FileGuess]) -> str:
    folders = [PurePosixPath(guess.path).parent.as_posix() for guess in files]
    if len(set(folders)) == 1:
        return folders[0]
    return os.path.commonpath(folders) or "." if "." not in folders else "."


def _mails_together(guesses: list[FileGuess]) -> list[FileGuess]:
    """Joins messages saved from Outlook to the mails of their folder: one reader reads both."""
    folders = {guess.file.parent for guess in guesses if guess.format == "eml"}
    return [
        replace(guess, format="eml") if guess.format == "msg" and guess.file.parent in folders else guess
        for guess in guesses
    ]


def _without_labels(guesses: Sequence[FileGuess]) -> Iterable[FileGuess]:
    """Yields the verdicts, tables whose rows only label other files of the folder taken out."""
    names = {PurePosixPath(guess.path).name for guess in guesses}
    for guess in guesses:
        labelled = guess.format == "csv" and len(names) > 2 and _labels(guess, names)
        told = "rows label other files of this folder: a label set, no archive"
        yield replace(guess, verdict=Verdict.UNPLACED, format="", why=told) if labelled else guess


def _labels(guess: FileGuess, names: set[str]) -> bool:
    """Says whether the first column names files and the others are short marks, or the name says labels."""
    if not guess.header or guess.file.suffix.lower() not in (".csv", ".tsv"):
        return False
    try:
        with guess.file.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = [row for row, _ in zip(csv.reader(stream), range(_LABEL_ROWS + 1), strict=False)][1:]
    except (OSError, csv.Error):
        return False
    rows = [row for row in rows if row]
    hits = sum(row[0] in names for row in rows)
    if not rows or hits < 0.4 * len(rows):
        return False
    marks = all(len(cell) <= 12 for row in rows for cell in row[1:])
    return marks or bool(_LABEL_NAME.search(guess.file.stem))
