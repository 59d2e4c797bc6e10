"""Canaries: invented persons and a company that go the whole road in rows of their own, never to come out.

Belongs here: making them from the key, planting them in a copy of every table's layout, looking for them in
what comes out. They share code, columns and key with the dataset, but neither registry nor figures.
"""

from __future__ import annotations

import hmac
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from anonymize.event_cells import VALUES, EventKind
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.leaks import cells_of
from anonymize.output_forms import Form, pressed
from anonymize.output_search import FormSearch
from anonymize.output_views import views
from anonymize.real_forms import forms_of_name
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Assignments
from anonymize.table_shapes import table_specs
from anonymize.tables import HEADER_IDS, NAMELESS
from anonymize.words import word_list
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind, is_record_table

FOLDER = ".canaries"
UNPLANTED = frozenset({"links", "quarantine", "source_counts"})
"""Tables that hold places and counts only."""
_TEXT = ColumnSpec(kind=ColumnKind.TEXT)
_FIRSTS = word_list("Margaret Deborah Stephanie Rebecca Kathleen Cynthia Barbara Elizabeth")
"""First names that are no words besides: the stranger is known by hers alone."""
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_SYLLABLES = 4


@dataclass(frozen=True)
class CanaryCount:
    """How many forms of canaries were looked for, and how many came out."""

    planted: int
    leaked: int
    by_kind: dict[str, list[int]] = field(default_factory=dict)
    """Kind -> forms planted, forms that came out."""
    by_place: dict[str, int] = field(default_factory=dict)
    """Kind of column, or of ticket event -> cells in which they were planted."""


@dataclass(frozen=True)
class Canaries:
    """One person of the columns, one of the text only, one company, one of each number and place."""

    person: PersonName
    stranger: PersonName
    company: str
    phone: str
    street: str
    city: str
    number: str
    account: str
    """An IBAN with right check digits."""
    amount: int
    """In hundredths."""
    signer: str
    """Known by one name under a text only."""
    listed: str
    """Known by one name in a table in a text only."""

    @property
    def domain(self) -> str:
        """The company's domain."""
        return f"{self.company.lower()}.com"

    @property
    def login(self) -> str:
        """The first person's login."""
        return f"{self.person.first[0]}{self.person.last}".lower()

    @property
    def address(self) -> str:
        """The first person's mail address."""
        return f"{self.person.first}.{self.person.last}@{self.domain}".lower()

    def forms(self) -> dict[str, str]:
        """Returns search text -> kind; the coined words are telling enough alone."""
        found: dict[str, str] = {}
        for name in (self.person, self.stranger):
            found.update(dict.fromkeys(forms_of_name(name), "person"))
            found[name.last.lower()] = "person"
        found |= {self.signer.lower(): "person", self.listed.lower(): "person"}
        found |= {self.address: "address", self.domain: "domain", self.login: "login"}
        found |= {self.company.lower(): "company", self.number: "identifier", self.phone: "phone"}
        found |= {self.account: "account", str(self.amount): "amount"}
        return found | {self.street.lower(): "street", self.city.lower(): "city"}

    def text(self, *, login: bool) -> str:
        """Returns a text that names all of them, the login only where a column may have told of it."""
        person, stranger = self.person, self.stranger
        account = f"\nLogin: {self.login}" if login else ""
        return (
            f"Please ask {person.full} <{self.address}> of {self.company} GmbH, see www.{self.domain}/.\n"
            f"{person.last}, {person.first} met {stranger.full} about order {self.number}.{account}\n"
            f"{self.street}, {self.city}\nTel. {self.phone}\nIBAN {self.account}\n"
            f"The offer was USD {self.amount // 100:,}.{self.amount % 100:02d} in total.\n"
            f'<p><a href="mailto:{self.address}">{person.full}</a>, <b>{self.company} GmbH</b></p>\n'
            f"See file {person.last}_{person.first}_{self.company}.pdf\n\nThanks,\n{person.first}\n\n"
            f"Item;Ansprechpartner\n17;{self.listed}\n\nViele Grüße\n{self.signer}"
        )


def make_canaries(key: DatasetKey) -> Canaries:
    """Returns the canaries of one key: coined names, so that no real one is among them."""
    stream = _stream(key.derive("canaries"))
    person, stranger = (PersonName(_FIRSTS[next(stream) % len(_FIRSTS)], "", _coined(stream)) for _ in "ab")
    digits = "".join(str(next(stream) % 10) for _ in range(9))
    return Canaries(
        person,
        stranger,
        _coined(stream),
        f"+1 508 23{next(stream) % 10}-{digits[:4]}",
        f"{17 + next(stream) % 80} {_coined(stream)} Street",
        _coined(stream),
        f"4{digits}",
        _account(f"{next(stream) % 10**8:08d}{next(stream) % 10**9:010d}"),
        10**6 + next(stream) % (9 * 10**6),
        _coined(stream),
        _coined(stream),
    )


def _account(digits: str) -> str:
    """Returns a German IBAN with its check digits (ISO 13616): D is 13, E is 14."""
    return f"DE{98 - int(f'{digits}131400') % 97:02d}{digits}"


def _stream(key: bytes) -> Iterator[int]:
    number = 0
    while True:
        yield int.from_bytes(hmac.digest(key, number.to_bytes(4, "big"), "sha256")[:4], "big")
        number += 1


def _coined(stream: Iterator[int]) -> str:
    pairs = ((_CONSONANTS, _VOWELS)[place % 2] for place in range(2 * _SYLLABLES))
    return ("".join(letters[next(stream) % len(letters)] for letters in pairs) + "x").title()


def replace_canaries(rewriting: Rewriting, private: Path) -> CanaryCount:
    """Sends the canaries through a dataset's own rewriting and returns how many forms came out.

    `private` is a folder in which they lie for that long.
    """
    canaries = make_canaries(rewriting.key)
    folder = private / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    try:
        sealing = rewriting.key.raw_sealing
        raw = TableStore(folder / "raw", private=True, sealing=sealing)
        clean = TableStore(folder / "clean", private=True, sealing=sealing)
        places = plant(rewriting, raw, canaries)
        planted = Rewriting(raw, rewriting.specs, rewriting.manifest, rewriting.key)
        registry, _ = planted.registry(planted.evidence())
        planted.write(Kit(Plan(rewriting.key, rewriting.manifest, registry, Assignments())), clean, _silent)
        return replace(count_canaries(clean, canaries), by_place=dict(sorted(places.items())))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _silent(name: str, done: int) -> None:
    """Reports nothing: canaries are one step of the run."""


EVENT_FIELDS = {
    EventKind.NAME: "assignee",
    EventKind.ADDRESS: "Reporter e-mail",
    EventKind.COMPANY: "organization",
    EventKind.LOGIN: "mention",
    EventKind.FILE: "attachment",
    EventKind.ID: "Issue id",
    EventKind.TEXT: "description",
}
"""Kind of values -> a field of ticket events that has such values."""


def plant(rewriting: Rewriting, raw: TableStore, canaries: Canaries) -> Counter[str]:
    """Writes rows into a copy of every table that has rows, and returns in which kinds of places.

    Every column of strings holds canaries after its kind, once in each of two ways of writing; ticket events
    have a row for every kind of values.
    """
    firsts = {name: rewriting.raw.read(name).head(1) for name in rewriting.tables if name not in UNPLANTED}
    specs = {name: table_specs(name, rewriting.specs) for name in firsts}
    login = any(
        specs[name].get(column, _TEXT).kind is ColumnKind.LOGIN
        for name, frame in firsts.items()
        for column in (frame.columns if frame.height else ())
    )
    places: Counter[str] = Counter()
    for name, frame in firsts.items():
        if not frame.height:
            continue
        rows = [_row(canaries, name, frame, specs[name], places, login=login, turned=turned)
                for turned in (False, True)]  # fmt: skip
        if name == "ticket_events":
            rows = [_event(row, kind, canaries, places) for row in rows[:1] for kind in EVENT_FIELDS]
        raw.write(name, pl.DataFrame(rows, schema=frame.schema))
    return places


def _row(
    canaries: Canaries,
    name: str,
    frame: pl.DataFrame,
    specs: dict[str, ColumnSpec],
    places: Counter[str],
    *,
    login: bool,
    turned: bool,
) -> dict[str, Any]:
    row = frame.row(0, named=True)
    for column, dtype in frame.schema.items():
        if column in NAMELESS and not is_record_table(name):
            continue
        spec = specs.get(column, _TEXT)
        value = _value(canaries, column, spec, login=login)
        if turned:
            value = _turned(canaries, column, spec) or value
        if value is None or not (dtype == pl.String or isinstance(dtype, pl.List)):
            continue
        row[column] = [value] if isinstance(dtype, pl.List) else value
        places[spec.kind.value] += 1
    return row


def _event(row: dict[str, Any], kind: EventKind, canaries: Canaries, places: Counter[str]) -> dict[str, Any]:
    """Returns a row of an event with values of one kind; facts about people stand without a time."""
    person = canaries.person
    values = {
        EventKind.NAME: person.full,
        EventKind.ADDRESS: canaries.address,
        EventKind.COMPANY: f"{canaries.company} GmbH",
        EventKind.LOGIN: canaries.login,
        EventKind.FILE: f"{person.last}_{person.first}_{canaries.company}.pdf",
        EventKind.ID: canaries.number,
    }
    told = {"at": None} if kind is EventKind.ADDRESS and "at" in row else {}
    value = values.get(kind)
    places[f"event: {kind.value}"] += len(VALUES)
    return {
        **row,
        **told,
        "field": EVENT_FIELDS[kind],
        **({} if value is None else dict.fromkeys(VALUES, value)),
    }


def _value(canaries: Canaries, column: str, spec: ColumnSpec, *, login: bool) -> str | None:
    person = canaries.person
    values: dict[ColumnKind, Any] = {
        ColumnKind.PERSON: {"first": person.first, "last": person.last}.get(spec.part, person.full),
        ColumnKind.EMAIL: canaries.address,
        ColumnKind.MAILBOX: f"{person.full} <{canaries.address}>",
        ColumnKind.LOGIN: canaries.login,
        ColumnKind.COMPANY: f"{canaries.company} GmbH",
        ColumnKind.DOMAIN: canaries.domain,
        ColumnKind.URL: f"https://www.{canaries.domain}/start",
        ColumnKind.PHONE: canaries.phone,
        ColumnKind.STREET: canaries.street,
        ColumnKind.CITY: canaries.city,
        ColumnKind.ID: f"<{canaries.number}@{canaries.domain}>" if column in HEADER_IDS else canaries.number,
        ColumnKind.TEXT: canaries.text(login=login),
        ColumnKind.MONEY: f"{canaries.amount // 100}{spec.decimal_mark}{canaries.amount % 100:02d}",
        ColumnKind.FILENAME: f"{person.last}_{person.first}_{canaries.company}.pdf",
    }
    return values.get(spec.kind)


def _turned(canaries: Canaries, column: str, spec: ColumnSpec) -> str | None:
    """Returns another way of writing, for the kinds that have one."""
    person = canaries.person
    whole = spec.part not in ("first", "last")
    values: dict[ColumnKind, str | None] = {
        ColumnKind.PERSON: f"{person.last}, {person.first}" if whole else None,
        ColumnKind.EMAIL: canaries.address.upper(),
        ColumnKind.MAILBOX: f'"{person.last}, {person.first}" <{canaries.address}>',
        ColumnKind.COMPANY: canaries.company,
        ColumnKind.ID: None if column in HEADER_IDS else canaries.account,
        ColumnKind.CATEGORY: f"{person.last.lower()}-{canaries.company.lower()}",
        ColumnKind.FILENAME: f"{canaries.company} {person.first} {person.last} {canaries.number}.xlsx",
    }
    return values.get(spec.kind)


def count_canaries(clean: TableStore, canaries: Canaries) -> CanaryCount:
    """Returns how many distinct forms of canaries stand in a store."""
    kinds = {pressed(text): kind for text, kind in canaries.forms().items()}
    forms = {text: Form(kind, is_number=False) for text, kind in kinds.items()}
    search = FormSearch(forms)
    found = {
        find.form
        for name in clean.names()
        for series in clean.read(name)
        for text in {text for _, _, text in cells_of(series)}
        for view in views(text)
        for find in search.finds(view.text)
    }
    planted, leaked = Counter(kinds.values()), Counter(kinds[form] for form in found)
    by_kind = {kind: [count, leaked[kind]] for kind, count in sorted(planted.items())}
    return CanaryCount(len(kinds), len(found), by_kind)
