"""Business objects and their relations, read from the company's own tables through `ObjectSpec`s.

A table whose key is the object's id is its home; other tables only add to objects that exist. An id that a
parent column holds joins the type that has it, in the same system first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from contracts.manifest import ObjectSpec
from contracts.names import fold
from contracts.tables import record_table_name
from extract.dataset import Dataset, RecordTable, Row, same_writing


@dataclass
class BusinessObject:
    """A lead, deal, quote, invoice ... with everything its rows say."""

    object_id: str
    type: str
    system: str
    table: str
    record: str
    """Row id of its first row."""
    ident: str
    """Id as the source writes it."""
    number: str = ""
    amount: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)


class Relation(NamedTuple):
    """One object names another."""

    source: str
    target: str
    qualifier: str
    method: str
    confidence: float


class ObjectGraph:
    """All objects of a dataset, with look-up by type, row and relation."""

    def __init__(self) -> None:
        """Starts without objects."""
        self.objects: dict[str, BusinessObject] = {}
        self.relations: dict[tuple[str, str, str], Relation] = {}
        self.by_record: dict[str, list[str]] = defaultdict(list)
        self._types: dict[str, list[BusinessObject]] = defaultdict(list)
        self._targets: dict[str, list[str]] = defaultdict(list)
        self._sources: dict[str, list[str]] = defaultdict(list)

    def add(self, found: BusinessObject) -> BusinessObject:
        """Returns the object of that id, added where it is new."""
        known = self.objects.get(found.object_id)
        if known is None:
            self.objects[found.object_id] = known = found
            self._types[found.type].append(found)
        return known

    def relate(
        self,
        source: str,
        target: str,
        qualifier: str,
        method: str,
        confidence: float = 1.0,
    ) -> None:
        """Notes a relation; of two equal ones the surer stays."""
        key = (source, target, qualifier)
        if source == target or source not in self.objects or target not in self.objects:
            return
        known = self.relations.get(key)
        if known is None:
            self._targets[source].append(target)
            self._sources[target].append(source)
        if known is None or known.confidence < confidence:
            self.relations[key] = Relation(source, target, qualifier, method, confidence)

    def of_type(self, *types: str) -> list[BusinessObject]:
        """Returns the objects of some types, by id."""
        found = [item for name in types for item in self._types.get(name, [])]
        return sorted(found, key=lambda item: item.object_id)

    def targets(self, object_id: str, object_type: str) -> list[BusinessObject]:
        """Returns the objects of a type that an object names."""
        return self._related(self._targets, object_id, object_type)

    def relations_of(self, object_id: str) -> list[Relation]:
        """Returns the relations of an object to what it names."""
        named = dict.fromkeys(self._targets.get(object_id, []))
        types = sorted({(name, self.objects[name].type) for name in named})
        return [self.relations[object_id, *key] for key in types if (object_id, *key) in self.relations]

    def sources(self, object_id: str, object_type: str) -> list[BusinessObject]:
        """Returns the objects of a type that name an object."""
        return self._related(self._sources, object_id, object_type)

    def _related(self, index: dict[str, list[str]], object_id: str, object_type: str) -> list[BusinessObject]:
        found = dict.fromkeys(index.get(object_id, []))
        return [self.objects[other] for other in sorted(found) if self.objects[other].type == object_type]


def build_objects(data: Dataset) -> ObjectGraph:
    """Returns the objects of all record tables with their relations."""
    graph = ObjectGraph()
    homes = _homes(data)
    for is_home in (True, False):
        for table in data.records:
            for position, spec in enumerate(table.spec.objects):
                if ((table.name, position) in homes) is is_home:
                    _read_rows(graph, table, spec, is_home)
    _Parents(graph, data).join()
    _join_accounts(graph)
    return graph


def spec_rows(table: RecordTable, where: dict[str, list[str]]) -> Iterator[Row]:
    """Yields the rows whose columns hold one of the wanted values."""
    for row in table.rows:
        if all((row.get(column) or "") in wanted for column, wanted in where.items()):
            yield row


def object_id(table: RecordTable, spec: ObjectSpec, value: str) -> str:
    """Returns the id of the object that a cell names: system.type.id."""
    return f"{table.source.name}.{spec.type}.{value}"


def _homes(data: Dataset) -> set[tuple[str, int]]:
    """Returns which object specs create objects: those of home tables, or all where a type has no home."""
    homes: set[tuple[str, int]] = set()
    by_type: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for source in data.manifest.sources:
        for table in source.tables:
            for position, spec in enumerate(table.objects):
                place = (record_table_name(source.name, table.name), position)
                by_type[source.name, spec.type].append(place)
                if not table.key or table.key == [spec.id_column]:
                    homes.add(place)
    for places in by_type.values():
        if not any(place in homes for place in places):
            homes.update(places)
    return homes


def _read_rows(graph: ObjectGraph, table: RecordTable, spec: ObjectSpec, is_home: bool) -> None:
    for row in spec_rows(table, spec.where):
        value = (row.get(spec.id_column) or "").strip()
        found_id = object_id(table, spec, value)
        if not value or (not is_home and found_id not in graph.objects):
            continue
        record = row["record_id"] or ""
        found = graph.add(BusinessObject(found_id, spec.type, table.source.name, table.name, record, value))
        if found_id not in graph.by_record[record]:
            graph.by_record[record].append(found_id)
        if spec.number_column and row.get(spec.number_column):
            found.number = row[spec.number_column] or ""
        if spec.amount_column and found.amount is None:
            found.amount = table.minor(row, spec.amount_column)
        for name, column in spec.attributes.items():
            if row.get(column):
                found.attributes.setdefault(name, row[column] or "")
        for name, column in spec.outcome_columns.items():
            if row.get(column):
                found.outcomes.setdefault(name, row[column] or "")


class _Parents:
    """Parent columns joined with the objects they name."""

    def __init__(self, graph: ObjectGraph, data: Dataset) -> None:
        self.graph = graph
        self.data = data
        self.exact: dict[tuple[str, str, str], str] = {}
        self.loose: dict[tuple[str, str], set[str]] = defaultdict(set)
        for found in graph.objects.values():
            for value in filter(None, (found.ident, found.number)):
                self.exact.setdefault((found.system, found.type, value), found.object_id)
                self.loose[found.type, same_writing(value)].add(found.object_id)

    def join(self) -> None:
        """Relates every object with its parents."""
        for table in self.data.records:
            for spec in table.spec.objects:
                if spec.parents:
                    for row in spec_rows(table, spec.where):
                        self._row(table, spec, row)

    def _row(self, table: RecordTable, spec: ObjectSpec, row: Row) -> None:
        child = object_id(table, spec, (row.get(spec.id_column) or "").strip())
        for parent_type, column in spec.parents.items():
            value = (row.get(column) or "").strip()
            if not value:
                continue
            target = self.exact.get((table.source.name, parent_type, value))
            if target is not None:
                self.graph.relate(child, target, parent_type, "reference")
                continue
            candidates = self.loose.get((parent_type, same_writing(value)), set())
            if len(candidates) == 1:
                self.graph.relate(child, next(iter(candidates)), parent_type, "writing", 0.95)


def _join_accounts(graph: ObjectGraph) -> None:
    """Relates ledger customers with CRM accounts: by number, by a contact's address, by name."""
    numbers: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    mails: dict[str, set[str]] = defaultdict(set)
    for account in graph.of_type("account"):
        if account.number:
            numbers[same_writing(account.number)].add(account.object_id)
        if account.attributes.get("name"):
            names[fold(account.attributes["name"])].add(account.object_id)
    for contact in graph.of_type("contact"):
        for account in graph.targets(contact.object_id, "account"):
            if contact.attributes.get("email"):
                mails[contact.attributes["email"].casefold()].add(account.object_id)
    for customer in graph.of_type("customer"):
        written = [
            contact.attributes.get("email", "").casefold()
            for contact in graph.sources(customer.object_id, "customer_contact")
        ]
        by_mail = {found for mail in written for found in mails.get(mail, set())}
        for method, found, confidence in (
            ("number", numbers.get(same_writing(customer.ident), set()), 1.0),
            ("contact", by_mail, 0.95),
            ("name", names.get(fold(customer.attributes.get("name", "")), set()), 0.9),
        ):
            if len(found) == 1:
                graph.relate(customer.object_id, next(iter(found)), "account", method, confidence)
                break
