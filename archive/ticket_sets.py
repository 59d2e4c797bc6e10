"""Which files stand beside the tickets of an export: its users, organizations and comments.

Belongs here: telling companions by name and columns, and the folder that holds the whole export. Does not
belong here: paths of sources (`archive.grouping`), what a reader makes of companions
(`archive.tickets_companions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from archive.sniffing import FileGuess, Verdict

_SURE = 0.95
_NUMBERED = re.compile(r"(?:^|[-_ .])(?:page|part)?[-_ .]?\d+$")


class _System(NamedTuple):
    """What stands beside the tickets of one system."""

    title: str
    lists: frozenset[str]
    """Names that the reader knows files and lists by."""
    columns: tuple[frozenset[str], ...]
    """Columns by which it knows what is named otherwise."""


_SYSTEMS: Mapping[str, _System] = {
    "zendesk": _System(
        "Zendesk",
        frozenset(
            "user users organization organizations group groups comments ticket_comment audits ticket_audit "
            "ticket_field ticket_fields ticket_field_history ticket_tag ticket tickets".split()
        ),
        (
            frozenset(("ticket_id",)),
            frozenset(("email", "role", "organization_id")),
            frozenset(("name", "shared_tickets")),
            frozenset(("name", "domain_names")),
        ),
    ),
    "freshdesk": _System(
        "Freshdesk",
        frozenset(("contacts", "agents", "companies", "users", "conversations", "tickets")),
        (frozenset(("ticket_id", "body_text")), frozenset(("email", "company_id", "view_all_tickets"))),
    ),
}
_TICKETS = frozenset(("ticket", "tickets"))
_TICKET_COLUMNS = frozenset(("requester_id", "submitter_id", "status"))
"""Columns of a Zendesk ticket in a connector's table, which is read as a table by its preset."""


def with_companions(guesses: Sequence[FileGuess]) -> list[FileGuess]:
    """Returns the verdicts, those on companions and tickets of one export naming its format and folder."""
    anchors: set[tuple[PurePosixPath, str]] = set()
    for guess in guesses:
        system = _anchor(guess)
        if system is not None:
            place = PurePosixPath(guess.path).parent
            anchors |= {(_root(guess, system), guess.format), (place, guess.format)}
    return [_joined(guess, anchors) for guess in guesses]


def is_kin(guess: FileGuess, name: str) -> bool:
    """Says whether a file is named after a list of the system ("ticket_forms"), though no reader keeps it."""
    system = _SYSTEMS.get(name)
    stem = _stem(guess, name)
    return system is not None and any(stem.startswith(f"{word}_") for word in system.lists)


def _joined(guess: FileGuess, anchors: Set[tuple[PurePosixPath, str]]) -> FileGuess:
    place = PurePosixPath(guess.path).parent
    if guess.verdict is not Verdict.DATA:
        return guess
    for name in _SYSTEMS:
        root = _root(guess, name)
        held = next((at for at in (root, place) if (at, name) in anchors), None)
        told = _anchor(guess) == name
        if held is not None and guess.format in (name, "jsonl", "csv") and (told or _belongs(guess, name)):
            export = held.as_posix()
            if told:
                return replace(guess, export=export)
            why = f"stands beside the tickets of a {_SYSTEMS[name].title} export"
            sure = max(guess.confidence, _SURE)
            return replace(guess, format=name, why=why, confidence=sure, export=export, companion=True)
        if (root, "csv") in anchors and guess.format == "csv" and name == "zendesk" and root != place:
            return replace(guess, export=root.as_posix())
    return guess


def _anchor(guess: FileGuess) -> str | None:
    """Returns the system of a file that holds tickets themselves."""
    if guess.verdict is not Verdict.DATA:
        return None
    columns = _columns(guess.header)
    if guess.format == "csv":
        place = PurePosixPath(guess.path).parent.name.lower()
        return "zendesk" if columns >= _TICKET_COLUMNS and place in _TICKETS else None
    system = _SYSTEMS.get(guess.format)
    if system is None or any(needed <= columns for needed in system.columns):
        return None
    return None if _stem(guess, guess.format) in system.lists - _TICKETS else guess.format


def _belongs(guess: FileGuess, name: str) -> bool:
    """Says whether a file is a companion: by its columns, or its name; both for a table among JSON files."""
    columns = _columns(guess.header)
    told = any(needed <= columns for needed in _SYSTEMS[name].columns)
    if guess.format == "csv":
        return told and "id" in columns and _stem(guess, name) in _SYSTEMS[name].lists
    return told or _named(guess, name)


def _named(guess: FileGuess, name: str) -> bool:
    place = PurePosixPath(guess.path).parent.name.lower()
    return bool({_stem(guess, name), place} & _SYSTEMS[name].lists)


def _root(guess: FileGuess, name: str) -> PurePosixPath:
    """Returns the folder of the export: above folders that are named as its lists are."""
    place = PurePosixPath(guess.path).parent
    return place.parent if place.name.lower() in _SYSTEMS[name].lists else place


def _stem(guess: FileGuess, name: str) -> str:
    """Returns a file's name as the readers compare it, without the number of a page."""
    stem = PurePosixPath(guess.path).name.split(".")[0].lower()
    return _NUMBERED.sub("", stem.removeprefix(f"{name}_").removesuffix("_data"))


def _columns(header: Iterable[str]) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in header)
