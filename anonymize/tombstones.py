"""Tombstones: keyed marks of erased persons, by which they are recognised without being known.

Belongs here: the marks of a person's forms, and blotting out in a cell or text what bears one. Does not
belong here: tables (`erasure`) and where the marks are kept (`withheld`). A mark is an HMAC: without the key
it says nothing, with it one must still guess the form.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anonymize.display_names import read_name
from anonymize.forms import PersonName, german_text, words_of
from anonymize.initials import initials_in
from anonymize.people_cells import mentions_in
from anonymize.phones import (
    CANDIDATE,
    MOST_DIGITS,
    SHORTEST_NATIONAL,
    countries_of,
    grouped_digits,
    number_key,
    spellings,
    without_extension,
)
from anonymize.registry import Person, Registry
from anonymize.text_mentions import EMAIL
from anonymize.typed_cells import split_mailbox
from anonymize.words import called_names, is_role
from anonymize.written_days import days_in
from contracts.names import fold

BLOT = "\u2588"
"""Stands for every blotted character, so that offsets into the text stay right."""
_MARK_BYTES = 16
_WORD = re.compile(r"[^\W_]+")
_HANDLE = re.compile(r"\w[\w.-]*\w")
_PIECE = re.compile(r"[^\W_]+")
_MOST_PIECES = 12
"""Pieces of a handle whose runs are tested: bounds the work on a line of dots."""
_BETWEEN = 2
"""Words between first and family name at most: middle names and particles."""
_VALUE = re.compile(r"(?<!\w)(?:[A-Za-z]{1,3}[ -]?)?(?P<digits>\d(?:[\w.,/-]| (?=\d))*)")
"""A number or day, perhaps with letters in front that belong to it, or are a word: "am 17.05.1987"."""
_NO_YEAR = re.compile(r"--\d\d-\d\d")
_FRACTION = re.compile(r"[.,]0{1,2}$")
_LONG_VALUE = 12
"""Letters and digits of a value that is nobody else's wherever it stands, as an account number is."""
_SHORTEST_VALUE = 4
_SHORTEST_LOGIN = 3
_SHORTEST_ALONE = 4
_SHORTEST_GLUED = 7
_SIBILANTS = "sxz"
"""Behind these no "s" is put for a genitive."""


Span = tuple[int, int]
"""Start and end in a text."""
_CELL = re.compile(r"([0-9a-f]{32}):(\d+)-(\d+)")
"""The mark of a cell with a span that is an erased person's."""


class Mention(NamedTuple):
    """A cell in which replacement wrote for a person."""

    table: str
    column: str
    text: str
    spans: tuple[Span, ...]
    row: str | None = None
    """Where the same text means somebody else in other rows: the row's id."""


class _Word(NamedTuple):
    folded: str
    start: int
    end: int


class Tombstones:
    """The marks of all erased persons of a dataset."""

    def __init__(self, key: bytes, marks: Iterable[str] = ()) -> None:
        """Takes the key of this purpose and the marks so far."""
        self._key = key
        self.marks = frozenset(marks)
        self._known: dict[tuple[str, str], bool] = {}
        self._cells: dict[str, list[Span]] = {}
        for found in filter(None, map(_CELL.fullmatch, sorted(self.marks))):
            self._cells.setdefault(found[1], []).append((int(found[2]), int(found[3])))

    def mark(self, kind: str, form: str) -> str:
        """Returns the mark of a form."""
        text = f"{kind}|{form}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, text, "sha256")[:_MARK_BYTES].hex()

    def has(self, kind: str, form: str) -> bool:
        """Says whether a form is an erased person's."""
        known = self._known.get((kind, form))
        if known is None:
            known = self._known[kind, form] = self.mark(kind, form) in self.marks
        return known

    def of_person(self, person: Person, registry: Registry, phones: Iterable[str]) -> frozenset[str]:
        """Returns the marks of a person's forms; a name that others bear too is marked near them only.

        A first name that nobody else of the archive bears is theirs wherever it stands: once they are erased,
        nothing else would replace it.
        """
        own_phones = sorted(phones)
        countries = countries_of((*own_phones, *registry.phones))
        forms: set[tuple[str, str]] = {("phone", phone) for phone in own_phones}
        forms |= {("digits", digits) for phone in own_phones for digits in spellings(phone, countries)}
        forms |= {("mail", address) for address in person.addresses}
        forms |= {("login", login.lower()) for login in person.logins}
        forms |= {("record", key) for key in person.records}
        others = [other for other in registry.persons if other is not person]
        theirs = {local for other in others for local in _locals(other)}
        own = _locals(person) - theirs
        forms |= {("handle", local) for local in own}
        forms |= {("local", local) for local in own if _tells(local, registry)}
        full = {_name_key(name) for other in others for name in other.names}
        called = {word for other in others for name in other.names for word in words_of(name.first)}
        family = {word for other in others for name in other.names for word in words_of(name.last)[-1:]}
        taken = called | family | registry.vocabulary

        def cases(word: str) -> list[str]:
            """The word and its genitive, unless that is another's name or a word."""
            return [word, word + "s"] if word[-1] not in _SIBILANTS and word + "s" not in taken else [word]

        for name in dict.fromkeys((*person.names, *map(_in_ascii, person.names))):
            first, last = words_of(name.first)[:1], words_of(name.last)[-1:]
            forms |= {("first", form) for word in first for form in cases(word)}
            forms |= {("last", form) for word in last for form in cases(word)}
            if first and last and _name_key(name) not in full:
                forms |= {("name", f"{first[0]} {form}") for form in cases(last[0])}
                forms |= {("glued", "".join(order)) for order in (first + last, last + first)}
            for word in last:
                if word not in family | registry.vocabulary and len(word) >= _SHORTEST_ALONE:
                    forms |= {("alone", form) for form in cases(word)}
            for word in first:
                if word not in called | registry.vocabulary and len(word) >= _SHORTEST_ALONE:
                    forms |= {("only", form) for form in cases(word)}
        return frozenset(self.mark(kind, form) for kind, form in forms)

    def of_values(self, values: Iterable[object]) -> frozenset[str]:
        """Returns marks of numbers and days of a person's own rows, too short ones left out.

        A day without a year is written "--05-17".
        """
        texts = set(map(str, values))
        days = {text for text in texts if _NO_YEAR.fullmatch(text)}
        plain = {value_key(text) for text in texts - days}
        found = {("value", one) for one in plain if len(one) >= _SHORTEST_VALUE} | {("day", d) for d in days}
        return frozenset(self.mark(kind, form) for kind, form in found)

    def of_mentions(self, mentions: Iterable[Mention]) -> frozenset[str]:
        """Returns marks of cells with the spans in them, so that they are found again, read anew or not."""
        marks: set[str] = set()
        for table, column, text, spans, row in mentions:
            if row is not None:
                marks.add(self.mark("apart", f"{table}|{column}|{text}"))
            cell = self.mark("cell", f"{table}|{column}|{'' if row is None else row}|{text}")
            marks |= {f"{cell}:{start}-{end}" for start, end in spans}
        return frozenset(marks)

    def told_apart(self, place: str, text: str) -> bool:
        """Says whether a text of a column ("table|column") means an erased person in some rows only."""
        return bool(self._cells) and self.mark("apart", f"{place}|{text}") in self.marks

    def cleared(self, place: str, text: str, row: str = "", *, typed: bool = False) -> str | None:
        """Returns a cell with its marked spans blotted out; None where a typed one is marked whole."""
        if not self._cells:
            return text
        chars = list(text)
        for start, end in self._cells.get(self.mark("cell", f"{place}|{row}|{text}"), ()):
            if typed and text[:start].strip() == text[end:].strip() == "":
                return None
            chars[start:end] = BLOT * (min(end, len(chars)) - start)
        return "".join(chars)

    def names(self, text: str) -> bool:
        """Says whether a cell that holds one name, login, address or mailbox means an erased person."""
        name, address = split_mailbox(text)
        if address:
            return self.has("mail", address.lower())
        if self.has("login", text.strip().lower()):
            return True
        typed = read_name(name or text)
        return typed.name is not None and self.has("name", _name_key(typed.name))

    def anchors(self, anchor: str) -> bool:
        """Says whether an anchor of the vault is an erased person's."""
        kind, _, form = anchor.partition(":")
        if kind == "name":
            words = words_of(form)
            return len(words) > 1 and self.has("name", f"{words[0]} {words[-1]}")
        return self.has({"key": "record"}.get(kind, kind), form)

    def has_handle(self, handle: str) -> bool:
        """Says whether a login, or a local part that no other person has, is an erased person's."""
        return self.has("login", handle) or self.has("handle", handle)

    def is_phone(self, text: str) -> bool:
        """Says whether a phone cell holds an erased person's number."""
        number = number_key(text)
        if number is None:
            return False
        return self.has("phone", number) or self._spells(re.sub(r"\D", "", without_extension(text)))

    def _spells(self, digits: str) -> bool:
        """Says whether digits alone spell an erased person's number."""
        return SHORTEST_NATIONAL <= len(digits) <= MOST_DIGITS and self.has("digits", digits)

    def typed(self, text: str) -> str | None:
        """Returns a typed cell without erased persons: None where it names one of them alone."""
        if self.names(text) or self.is_phone(text):
            return None
        return self.blotted(text, near=len(mentions_in(text)) > 1)

    def blotted(self, text: str, *, near: bool = False) -> str:
        """Returns a text with every mention of an erased person blotted out, at the same length.

        `near` texts stand beside cells of theirs: there first and family name count alone too.
        """
        chars: list[str] | None = None
        spans = list(self._spans(text, near))
        spans += self._values(text, beside=near or bool(spans) or BLOT in text)
        for start, end in spans:
            chars = chars or list(text)
            chars[start:end] = BLOT * (end - start)
        return text if chars is None else "".join(chars)

    def _spans(self, text: str, near: bool) -> Iterator[tuple[int, int]]:
        if "@" in text:
            for match in EMAIL.finditer(text):
                if self.has("mail", match.group().lower().strip(".'")):
                    yield match.span()
        for match in CANDIDATE.finditer(text):
            if self.is_phone(match.group()):
                yield match.span()
        for start, end, digits in grouped_digits(text, MOST_DIGITS):
            if self._spells(digits):
                yield start, end
        for match in _HANDLE.finditer(text):
            yield from self._in_handle(text, *match.span())
        for one in initials_in(text):
            if (one.labelled or (near and one.plain)) and self.has("login", one.letters.lower()):
                yield one.start, one.end
        words = [_Word(fold(match.group()), *match.span()) for match in _WORD.finditer(text)]
        for place, word in enumerate(words):
            if self.has("first", word.folded):
                yield from self._behind(words, place)
                if text[word.start].isupper() and (near or self.has("only", word.folded)):
                    yield word.start, word.end
            if self.has("last", word.folded):
                yield from self._turned(text, words, place)
                if near or self.has("alone", word.folded):
                    yield word.start, word.end

    def _values(self, text: str, *, beside: bool) -> Iterator[tuple[int, int]]:
        """Numbers and days of their own rows: long ones anywhere, all beside a mention of them."""
        for match in _VALUE.finditer(text):
            end = match.start() + len(match.group().rstrip(".,/-"))
            for start in {match.start(), match.start("digits")}:
                value = value_key(text[start:end])
                if len(value) >= (_SHORTEST_VALUE if beside else _LONG_VALUE) and self.has("value", value):
                    yield start, end
        for day in days_in(text) if beside else ():
            if any(self.has("value", value_key(one)) or self.has("day", one) for one in day.readings):
                yield day.start, day.end

    def _in_handle(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A login or glued name, also in a longer handle such as a file name; addresses are tested whole."""
        handle = text[start:end].lower()
        if len(handle) >= _SHORTEST_LOGIN and self.has("login", handle):
            yield start, end
            return
        if "@" in text[max(0, start - 1) : start] + text[end : end + 1]:
            return
        pieces = [match.span() for match in _PIECE.finditer(handle)][:_MOST_PIECES]
        for at, (first, _) in enumerate(pieces):
            for _, last in pieces[at:]:
                part = handle[first:last]
                glued = part.rstrip("0123456789")
                if len(part) < _SHORTEST_ALONE:
                    continue
                if self.has("login", part) or self.has("local", part):
                    yield start + first, start + last
                elif len(glued) >= _SHORTEST_GLUED and self.has("glued", fold(glued)):
                    yield start + first, start + first + len(glued)

    def _behind(self, words: list[_Word], place: int) -> Iterator[tuple[int, int]]:
        """First, perhaps a middle, and family name."""
        for last in words[place + 1 : place + 2 + _BETWEEN]:
            if self.has("last", last.folded) and self.has("name", f"{words[place].folded} {last.folded}"):
                yield words[place].start, last.end

    def _turned(self, text: str, words: list[_Word], place: int) -> Iterator[tuple[int, int]]:
        """Family name, comma or not, first name."""
        for first in words[place + 1 : place + 2]:
            if text[words[place].end : first.start].strip(" \t,") == "" and self.has(
                "name", f"{first.folded} {words[place].folded}"
            ):
                yield words[place].start, first.end


def value_key(text: str) -> str:
    """Returns the letters and digits of a number or day, without a fraction that is zero."""
    return "".join(char for char in _FRACTION.sub("", text.strip()) if char.isalnum()).lower()


def _locals(person: Person) -> set[str]:
    return {address.rpartition("@")[0].partition("+")[0] for address in person.addresses}


def _tells(local: str, registry: Registry) -> bool:
    """Says whether a local part means its owner wherever it stands: no first name, word or role does."""
    return (
        len(local) >= _SHORTEST_ALONE
        and not is_role(local)
        and fold(local) not in called_names()
        and fold(local) not in registry.vocabulary
    )


def _in_ascii(name: PersonName) -> PersonName:
    """Returns a name as German umlauts are written out: "Müller" as "Mueller"."""
    return PersonName(*(german_text(part) for part in name))


def _name_key(name: PersonName) -> str:
    return " ".join([*words_of(name.first)[:1], *words_of(name.last)[-1:]])
