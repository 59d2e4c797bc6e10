"""Columns of people whom no known word announces: by the people they share, or by a name for a doer; and
columns that are called "name" in tables of companies.

Belongs here: what is seen only over several columns of a draft. Does not belong here: single columns
(`archive.columns`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from archive.column_words import NAME, NAMES
from archive.columns import ColumnReading, column_words, guess_spec
from archive.keys import singular
from archive.table_samples import TableSample
from contracts.tables import ColumnKind

OBJECT_TABLE = "object_"
"""Tables of one object type in OCEL 2.0; a changed object stands in several rows, so its id is no key."""
OBJECT_ID = "ocel_id"
_MOST = 2_000
"""Distinct values above which a column is text, whatever stands in it."""
_SHARED = 0.6
_NAMES = 0.8
_NAME = re.compile(r"[^\W\d_][^\W\d_.'\u2019-]{1,24}(?: [^\W\d_][^\W\d_.'\u2019-]{0,24}){0,3}")
_DOER = re.compile(r"[a-z]{3,}(?:er|(?<!i)or|ee)")
_THINGS = frozenset(
    "order number letter quarter folder offer barrier carrier ledger register transfer paper header footer "
    "counter factor floor color colour door sector error center other filter layer matter power printer "
    "computer container trailer server router browser newsletter voucher water weather chapter character "
    "disclaimer indicator monitor motor vector tier over under after refer committee degree fee guarantee "
    "coffee employer customer supplier vendor retailer dealer partner insurer lender competitor distributor "
    "contractor manufacturer provider minor major prior error identifier modifier qualifier".split()
)
"""Words that end as doers do and are things, or companies."""
_COMPANIES = NAMES[ColumnKind.COMPANY] | frozenset(
    "kunden lieferanten firmen gesellschaften kreditoren debitoren entreprises societes empresas clientes"
    " proveedores debtor creditor prospect reseller distributor retailer manufacturer competitor".split()
)
"""Last words of the names of tables in which every row is a company."""


def with_people(
    samples: Mapping[tuple[str, str], TableSample],
    readings: Mapping[tuple[str, str], Mapping[str, ColumnReading]],
) -> dict[tuple[str, str], dict[str, ColumnReading]]:
    """Returns the readings, columns of text that hold people read as such; each of them is told as unsure.

    Args:
        samples: source and table -> rows.
        readings: source and table -> what its columns seem to hold.
    """
    people: dict[str, set[str]] = {}
    for place, columns in readings.items():
        for column, reading in columns.items():
            if reading.spec.kind is ColumnKind.PERSON and reading.spec.part == "full":
                people.setdefault(place[0], set()).update(_distinct(samples[place], column))
    return {
        place: {
            column: _of_type(place[1], column, reading, samples[place])
            or _of_companies(place[1], column, reading)
            or _judged(reading, column, samples[place], people.get(place[0], set()))
            for column, reading in columns.items()
        }
        for place, columns in readings.items()
    }


def _of_type(table: str, column: str, reading: ColumnReading, sample: TableSample) -> ColumnReading | None:
    """Reads the ids of an object type under the type's name: logs call employees and customers by theirs."""
    if column != OBJECT_ID or not table.startswith(OBJECT_TABLE):
        return None
    values = _distinct(sample, column)
    guess = guess_spec(singular(table.removeprefix(OBJECT_TABLE).lower()), values)
    if guess.kind not in (ColumnKind.PERSON, ColumnKind.COMPANY) or any(
        character.isdigit() for value in values for character in value
    ):
        return None
    told = f"objects of the type {table.removeprefix(OBJECT_TABLE)}, called by name"
    return ColumnReading(reading.spec.model_copy(update={"kind": guess.kind}), False, told)


def _of_companies(table: str, column: str, reading: ColumnReading) -> ColumnReading | None:
    """Reads the names in a table of companies as theirs: a table "accounts" with a column "name"."""
    words, of_table = column_words(column), column_words(table)[-1:]
    if reading.spec.kind is not ColumnKind.TEXT or reading.reason == "stated" or not words:
        return None
    if not set(words) <= NAME or not {*of_table, *map(singular, of_table)} & _COMPANIES:
        return None
    told = f"the name in a table of companies ({of_table[0]})"
    return ColumnReading(reading.spec.model_copy(update={"kind": ColumnKind.COMPANY}), False, told)


def _judged(reading: ColumnReading, column: str, sample: TableSample, people: set[str]) -> ColumnReading:
    if reading.spec.kind is not ColumnKind.TEXT or reading.reason == "stated":
        return reading
    values = _distinct(sample, column)
    if not 0 < len(values) <= _MOST:
        return reading
    named = sum(_NAME.fullmatch(value) is not None for value in values)
    if named < _NAMES * len(values):
        return reading
    shared = sum(value in people for value in values)
    words = column_words(column)
    told = ""
    if shared >= _SHARED * len(values):
        told = f"{shared} of {len(values)} values stand in columns of people"
    elif words and _DOER.fullmatch(words[-1]) and words[-1] not in _THINGS:
        told = f"its name ends in a word for somebody who does ({words[-1]})"
    if not told:
        return reading
    spec = reading.spec.model_copy(update={"kind": ColumnKind.PERSON})
    return reading._replace(spec=spec, confident=False, reason=told)


def _distinct(sample: TableSample, column: str) -> list[str]:
    if column not in sample.frame.columns:
        return []
    return sample.frame[column].drop_nulls().unique(maintain_order=True).to_list()
