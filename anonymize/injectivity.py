"""Injectivity: whether two real ones became one in typed columns, or one became two.

Belongs here: the comparison of all distinct raw values of a kind with what stands for them, by rules of its
own. Does not belong here: whether a cell is still real (`typed_cells`), rows that share a value
(`consistency`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import polars as pl

from anonymize.clusters import Clusters
from anonymize.constants import bare, digits, is_mark, is_role_local
from anonymize.forms import parse_company, parse_person
from anonymize.registry import Registry, registrable
from anonymize.table_shapes import table_specs
from anonymize.typed_cells import split_mailbox
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

PHONE_DIGITS = 10
"""Last digits by which numbers are told apart with and without their country."""


class Identity(NamedTuple):
    """How far what stands for the values of one kind tells them apart."""

    compared: int = 0
    """Distinct raw values, or persons and companies."""
    merged: int = 0
    """Of them: ones too many for the surrogates that stand for them."""
    split: int = 0
    """Distinct raw values for which several surrogates stand."""


def identity(kind: ColumnKind, values: Mapping[str, Iterable[str]], registry: Registry) -> Identity:
    """Returns the figures of one kind; nothing of a kind whose values have no surrogate of their own.

    Args:
        kind: of the columns.
        values: raw value -> clean ones, of all columns of the kind.
        registry: who is called what.
    """
    if kind is ColumnKind.PERSON or kind is ColumnKind.COMPANY:
        return _entities(kind, values, registry)
    keys = _KEYS.get(kind)
    if keys is None:
        return Identity()
    into: dict[str, set[str]] = {}
    onto: dict[str, set[str]] = {}
    for raw, cleans in values.items():
        before = keys(raw)
        for after in map(keys, cleans) if before else ():
            if after:
                into.setdefault(before, set()).add(after)
                onto.setdefault(after, set()).add(before)
    merged = sum(len(found) - 1 for found in onto.values())
    return Identity(len(into), merged, sum(len(found) > 1 for found in into.values()))


def whole_names(
    raw: TableStore,
    pending: TableStore,
    specs: dict[str, dict[str, ColumnSpec]],
    ruled: Collection[tuple[str, str]],
) -> dict[str, set[str]]:
    """Returns raw full name -> clean ones, of all tables with first and last name in columns of their own.

    Args:
        raw: tables before replacement, their rows in the order of the clean ones.
        pending: clean tables.
        specs: what each column holds.
        ruled: table and column of which the policy says something else.
    """
    found: dict[str, set[str]] = {}
    for name in filter(pending.has, raw.names()):
        before, after = raw.read(name), pending.read(name)
        own = {
            column: spec for column, spec in table_specs(name, specs).items() if (name, column) not in ruled
        }
        for real, clean in joined_names(before, after, own) if before.height == after.height else ():
            found.setdefault(real, set()).add(clean)
    return found


def joined_names(
    before: pl.DataFrame, after: pl.DataFrame, columns: Mapping[str, ColumnSpec]
) -> Iterator[tuple[str, str]]:
    """Yields every raw full name with its clean one where first and last name have columns of their own."""
    groups: dict[str, dict[str, str]] = {}
    for column, spec in columns.items():
        if spec.kind is ColumnKind.PERSON and spec.part in ("first", "last") and column in before.columns:
            groups.setdefault(spec.person or "", {})[spec.part] = column
    for parts in groups.values():
        first, last = parts.get("first"), parts.get("last")
        if first is None or last is None or not {first, last} <= set(after.columns):
            continue
        sides = [frame.select(pl.concat_str(first, last, separator=" "))[:, 0] for frame in (before, after)]
        pairs = pl.DataFrame({"raw": sides[0], "clean": sides[1]}).drop_nulls().unique(maintain_order=True)
        yield from pairs.iter_rows()


def _entities(kind: ColumnKind, values: Mapping[str, Iterable[str]], registry: Registry) -> Identity:
    """Compares by person or company: several names of one are one, and namesakes may be any of them."""
    owners = _persons if kind is ColumnKind.PERSON else _companies
    onto: dict[str, set[frozenset[int]]] = {}
    for raw, cleans in values.items():
        found = owners(raw, registry)
        for clean in cleans if found else ():
            after = _full(clean) if kind is ColumnKind.PERSON else _stem(clean)
            if after:
                onto.setdefault(after, set()).add(found)
    compared = {found for groups in onto.values() for found in groups}
    return Identity(len(compared), sum(_apart(groups) - 1 for groups in onto.values()))


def _apart(groups: set[frozenset[int]]) -> int:
    """Returns how many of several sets of owners have nobody in common, one with another."""
    ordered = sorted(groups, key=sorted)
    clusters, first = Clusters(len(ordered)), dict[int, int]()
    for place, owners in enumerate(ordered):
        for owner in owners:
            clusters.join(first.setdefault(owner, place), place)
    return len({clusters.find(place) for place in range(len(ordered))})


def _persons(raw: str, registry: Registry) -> frozenset[int]:
    name = parse_person(raw)
    whole = name is not None and name.last and len(name.first.strip(".")) > 1  # initials may be anybody's
    return frozenset(registry.by_name.get(name.key, ()) if name is not None and whole else ())


def _companies(raw: str, registry: Registry) -> frozenset[int]:
    name = parse_company(raw)
    found = registry.company_by_name.get(name.key) if name is not None else None
    return frozenset(() if found is None else (found,))


def _full(clean: str) -> str:
    name = parse_person(clean)
    return name.key if name is not None and name.last and len(name.first.strip(".")) > 1 else ""


def _stem(clean: str) -> str:
    name = parse_company(clean)
    return name.key if name is not None else ""


def _address(text: str) -> str:
    address = (split_mailbox(text)[1] or text).strip(" .'<>").lower().removeprefix("mailto:")
    local, at, host = address.rpartition("@")
    return f"{local.partition('+')[0]}@{host}" if at and not is_role_local(local) else ""


def _number(text: str) -> str:
    found = digits(text)
    return found[-PHONE_DIGITS:] if len(found) >= PHONE_DIGITS else ""


def _id(text: str) -> str:
    return "" if is_mark(text) else text.strip(" <>\t").lstrip("0")


def _host(text: str) -> str:
    host = text.strip().lower().removeprefix("www.").strip(".")
    return registrable(host) if "." in host and "/" not in host else ""


_KEYS: dict[ColumnKind, Callable[[str], str]] = {
    ColumnKind.ID: _id,
    ColumnKind.EMAIL: _address,
    ColumnKind.MAILBOX: _address,
    ColumnKind.LOGIN: lambda text: "" if is_mark(text) else text.strip().lower(),
    ColumnKind.PHONE: _number,
    ColumnKind.STREET: bare,
    ColumnKind.CITY: bare,
    ColumnKind.DOMAIN: _host,
}
