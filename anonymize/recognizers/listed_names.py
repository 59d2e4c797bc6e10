"""Names under the headings of a table that stands in a text: an attached list, a sheet, a table in a mail.

Belongs here: finding the table, which heading is over people, which of its cells are names. Does not belong
here: tables that the archive knows as such (`table_shapes`), single names in prose (`lone_names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from anonymize.display_names import Named, read_name
from anonymize.forms import PersonName, parse_person
from anonymize.people_cells import mentions_in
from anonymize.words import called_names, family_names, word_list
from contracts.names import fold

MOST_CELLS = 64
"""Of a line: longer ones are no table of people."""
LONGEST_HEADING = 40
LONGEST_NAME = 60
_DELIMITERS = "\t;|,"
_LINE = re.compile(r"[^\r\n]+")
_RULE = re.compile(r"[\s|:+=-]*")
_SURE_WORDS = [
    " ".join(heading.split("_"))
    for heading in word_list(
        """
    ansprechpartner ansprechpartnerin ansprechpartner/in ansprechperson kontaktperson kontakt contact contacts
    contact_person contact_name bearbeiter bearbeiterin sachbearbeiter sachbearbeiterin verantwortlich
    verantwortlicher verantwortliche owner responsible responsible_person assignee assigned_to employee
    employee_name mitarbeiter mitarbeiterin mitarbeitername account_manager sales_rep kundenbetreuer betreuer
    teilnehmer teilnehmerin participant participants attendee attendees vertreter vertretung prepared_by
    erstellt_von approved_by freigegeben_von geprüft_von requester requestor reporter besteller anforderer
    fahrer driver passenger unterzeichner signatory full_name vollständiger_name person personen people
    buyer einkäufer techniker technician visitor besucher manager vorgesetzter supervisor autor author
    benutzer nutzer user_name trainer patient mieter tenant guest gast bewerber candidate
    """
    )
]
_SURE = frozenset(map(fold, _SURE_WORDS))
_FIRST = frozenset(map(fold, ("Vorname", "Rufname", "First name", "Firstname", "Given name", "Forename")))
_LAST = frozenset(
    map(fold, ("Nachname", "Familienname", "Zuname", "Last name", "Lastname", "Surname", "Family name"))
)
_OPEN = frozenset(map(fold, ("Name", "Names", "Namen", "Nom", "Who", "Wer")))
"""Headings over people or things."""
_BESIDE = frozenset(
    map(
        fold,
        word_list(
            """
    phone telephone telefon tel mobile mobil handy email e-mail mail department abteilung position funktion
    function role rolle title titel personalnummer personalnr geburtsdatum birthday birthdate durchwahl
    extension kürzel login gehalt salary eintritt anrede salutation
    """
        ),
    )
)
"""Headings beside which a "name" is somebody's."""
_LABELS = frozenset(
    map(
        fold,
        word_list(
            """
    menge datum date qty quantity adresse address firma company kunde customer projekt project betrag amount
    ort strasse straße street city order auftrag bestellung rechnung invoice preis price artikel item part
    status summe total nummer number lieferant supplier plz zip bemerkung note
    """
        ),
    )
)


SIGN = re.compile(
    r"(?i)(?:"
    + "|".join(sorted({*_SURE_WORDS, *_SURE, *_FIRST, *_LAST, *_OPEN})).replace(" ", "[ _]")
    + r")[ :*#\"_]*(?:[\t;|,\r\n]|$)"
)
"""What stands in every text with such a heading."""


class Heading(StrEnum):
    """What stands under a heading."""

    WHOLE = "whole"
    FIRST = "first"
    LAST = "last"


class Listed(NamedTuple):
    """A cell, or one person of it, under a heading for people."""

    start: int
    end: int
    name: PersonName
    sure: bool
    """Its heading is over people, whatever they are called."""


class _Cell(NamedTuple):
    start: int
    end: int
    text: str


def listed_people(text: str) -> Iterator[Listed]:
    """Yields who stands under headings for people in the tables of a text."""
    if "\n" not in text or not any(sign in text for sign in _DELIMITERS):
        return
    lines = [(match.start(), match.group()) for match in _LINE.finditer(text)]
    place = 0
    while place < len(lines):
        found = _header(*lines[place])
        if found is None:
            place += 1
            continue
        delimiter, headings, open_ = found
        width, rows, place = 1 + max(headings), [], place + 1
        top = lines[place - 1]
        while place < len(lines) and _header(*lines[place]) is None:
            if not _RULE.fullmatch(lines[place][1]):
                cells = _cells(*lines[place], delimiter)
                if len(cells) < max(2, width):
                    break
                rows.append(cells)
            place += 1
        labelled = _cells(*top, delimiter)
        if not open_ and _is_label(labelled, rows):
            yield from _people(labelled[1], Heading.WHOLE)
        else:
            yield from _under(headings, rows, open_=open_)


def _header(start: int, line: str) -> tuple[str, dict[int, Heading], bool] | None:
    """Returns the delimiter of a line of headings, those over people, and whether these may be things."""
    for delimiter in _DELIMITERS if len(line) <= MOST_CELLS * LONGEST_HEADING else "":
        if delimiter not in line:
            continue
        cells = [fold(cell.text) for cell in _cells(start, line, delimiter)]
        if not 2 <= len(cells) <= MOST_CELLS or any(len(cell) > LONGEST_HEADING for cell in cells):
            continue
        named = [cell.strip(" :*#").replace("_", " ") for cell in cells]
        found = {at: heading for at, cell in enumerate(named) for heading in [_heading(cell)] if heading}
        if found:
            sure = any(cell in _BESIDE | _SURE | _FIRST | _LAST for cell in named)
            return delimiter, found, not sure
    return None


def _heading(cell: str) -> Heading | None:
    if cell in _SURE or cell in _OPEN:
        return Heading.WHOLE
    return Heading.FIRST if cell in _FIRST else Heading.LAST if cell in _LAST else None


def _cells(start: int, line: str, delimiter: str) -> list[_Cell]:
    """Returns the cells of a line with their places, quotes left out."""
    cells: list[_Cell] = []
    pattern = re.compile(rf'[ \t]*"((?:[^"]|"")*)"[^{re.escape(delimiter)}]*|([^{re.escape(delimiter)}]*)')
    place = 0
    bordered = delimiter == "|" and line.lstrip().startswith("|")
    if bordered:
        place = line.index("|") + 1
    while place <= len(line):
        match = pattern.match(line, place)
        if match is None:
            break
        group = 1 if match[1] is not None else 2
        text = match[group]
        begin = start + match.start(group) + len(text) - len(text.lstrip())
        cells.append(_Cell(begin, begin + len(text.strip()), text.strip()))
        place = match.end() + 1
    if bordered and cells and not cells[-1].text:
        cells.pop()
    return cells


def _under(headings: dict[int, Heading], rows: Sequence[list[_Cell]], *, open_: bool) -> Iterator[Listed]:
    for at, heading in headings.items():
        found = [one for cells in rows for one in _people(cells[at], heading)]
        named = sum(_is_called(one.name) for one in found)
        for one in found:
            if not open_ or (2 * named >= len(found) and one.name.first and one.name.last):
                yield one._replace(sure=not open_ or _is_called(one.name))
    firsts = [at for at, heading in headings.items() if heading is Heading.FIRST]
    lasts = [at for at, heading in headings.items() if heading is Heading.LAST]
    for first, last in zip(firsts, lasts, strict=False):
        for cells in rows:
            name = parse_person(f"{cells[last].text}, {cells[first].text}")
            if cells[first].text and cells[last].text and name is not None:
                yield Listed(cells[first].start, cells[first].start, name, sure=True)


def _is_label(cells: list[_Cell], rows: Sequence[list[_Cell]]) -> bool:
    """Says whether a line is a label and its value, as those below it are."""
    labels = [fold(row[0].text.strip(": ")) for row in rows if len(row) == 2]
    return (
        len(cells) == 2
        and fold(cells[1].text) not in _LABELS | _BESIDE
        and any(label in _LABELS | _BESIDE for label in labels)
    )


def _people(cell: _Cell, heading: Heading) -> Iterator[Listed]:
    if not cell.text or len(cell.text) > LONGEST_NAME or "@" in cell.text or cell.text.isdigit():
        return
    if heading is not Heading.WHOLE:
        words = cell.text.split()
        if len(words) <= 2 and all(word[0].isupper() for word in words):
            first = heading is Heading.FIRST
            name = PersonName(cell.text, "", "") if first else PersonName("", "", cell.text)
            yield Listed(cell.start, cell.end, name, sure=True)
        return
    for mention in mentions_in(cell.text):
        typed = read_name(mention.text)
        if typed.named is Named.PERSON and typed.name is not None and typed.core[:1].isupper():
            begin = cell.start + mention.start + len(typed.before)
            name = typed.name
            alone = not name.last and fold(name.first) not in called_names()
            name = PersonName("", "", name.first) if alone else name
            yield Listed(begin, begin + len(typed.core), name, sure=True)


def _is_called(name: PersonName) -> bool:
    return fold(name.first) in called_names() or (bool(name.last) and fold(name.last) in family_names())
