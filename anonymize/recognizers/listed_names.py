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
from anonymize.text_tables import (
    DELIMITERS,
    TextCell,
    cells_of,
    headings_of,
    lines_of,
    may_hold_table,
    rows_below,
)
from anonymize.words import called_names, family_names, word_list
from contracts.names import fold

LONGEST_NAME = 60
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


def listed_people(text: str) -> Iterator[Listed]:
    """Yields who stands under headings for people in the tables of a text."""
    lines = lines_of(text) if may_hold_table(text) else []
    place = 0
    while place < len(lines):
        found = _header(*lines[place])
        if found is None:
            place += 1
            continue
        delimiter, headings, open_ = found
        labelled = cells_of(*lines[place], delimiter)
        rows, place = rows_below(
            lines, place + 1, delimiter, max(2, 1 + max(headings)), lambda *line: _header(*line) is not None
        )
        if not open_ and _is_label(labelled, rows):
            yield from _people(labelled[1], Heading.WHOLE)
        else:
            yield from _under(headings, rows, open_=open_)


def _header(start: int, line: str) -> tuple[str, dict[int, Heading], bool] | None:
    """Returns the delimiter of a line of headings, those over people, and whether these may be things."""
    for delimiter in DELIMITERS:
        cells = [fold(cell.text) for cell in headings_of(start, line, delimiter)]
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


def _under(headings: dict[int, Heading], rows: Sequence[list[TextCell]], *, open_: bool) -> Iterator[Listed]:
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


def _is_label(cells: list[TextCell], rows: Sequence[list[TextCell]]) -> bool:
    """Says whether a line is a label and its value, as those below it are."""
    labels = [fold(row[0].text.strip(": ")) for row in rows if len(row) == 2]
    return (
        len(cells) == 2
        and fold(cells[1].text) not in _LABELS | _BESIDE
        and any(label in _LABELS | _BESIDE for label in labels)
    )


def _people(cell: TextCell, heading: Heading) -> Iterator[Listed]:
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
