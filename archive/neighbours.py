"""What columns hold by those beside them: a contact's family name, prices that are percentages in some rows.

Belongs here: what one column alone does not tell, by fields of one table. Does not belong here: single
columns (`archive.columns`), people whom several tables share (`archive.people_columns`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind


class Corrected(NamedTuple):
    """Another reading of a column, and why."""

    spec: ColumnSpec
    confident: bool
    reason: str


_CONTACT = "contact"
_PERCENT = ("%", "%%")
_CURRENCIES = ("WAERS", "KONWA", "KOEIN")
"""SAP's columns that hold a currency, or a sign of percent."""
_DISCOUNTS = ("rabatt", "discount", "skonto", "nachlass", "remise")
_LARGEST_SHARE = 100.0


def corrected(columns: Mapping[str, Sequence[str]], specs: Mapping[str, ColumnSpec]) -> dict[str, Corrected]:
    """Returns the columns of one table that others of it show to hold something else, or both of two things.

    Args:
        columns: column name -> its values that are not empty.
        specs: what each was read as; stated ones are left out.
    """
    upper = {name.upper(): name for name in specs}
    found: dict[str, Corrected] = {}
    if "NAMEV" in upper and "NAME1" in upper:
        for field, part in (("NAMEV", "first"), ("NAME1", "last")):
            spec = specs[upper[field]].model_copy(
                update={"kind": ColumnKind.PERSON, "person": _CONTACT, "part": part}
            )
            found[upper[field]] = Corrected(spec, True, "NAMEV beside NAME1: SAP's contacts")
    signs = [upper[field] for field in _CURRENCIES if field in upper]
    if "KBETR" in upper and any(value.strip() in _PERCENT for name in signs for value in columns[name]):
        name = upper["KBETR"]
        told = "amounts, and percentages where the currency is a percent sign: those are multiplied as well"
        found[name] = Corrected(specs[name], False, told)
    for name, spec in specs.items():
        word = name.lower()
        is_discount = any(one in word for one in _DISCOUNTS) and spec.kind is ColumnKind.MONEY
        if is_discount and _may_be_percent(columns[name], spec):
            told = "amounts or percentages, no value is above 100: say rate if these are percentages"
            found.setdefault(name, Corrected(spec, False, told))
    return found


def _may_be_percent(values: Sequence[str], spec: ColumnSpec) -> bool:
    """Says whether no value is above 100, or has a sign of a currency."""
    group = "." if spec.decimal_mark == "," else ","
    try:
        numbers = [float(value.replace(group, "").replace(spec.decimal_mark, ".")) for value in values]
    except ValueError:
        return False
    return bool(numbers) and max(map(abs, numbers)) <= _LARGEST_SHARE
