"""Own mentions: every place of raw tables where replacement writes for one person.

Belongs here: finding them by replacing everything twice, under two surrogates of that person: what comes out
differently is theirs, be it a nickname, initials, a login or a first name that means them in its context.
Does not belong here: marking the places (`tombstones`) and blotting them out (`erasure`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import polars as pl

from anonymize.assignments import Assignments
from anonymize.contexts import Participants
from anonymize.detection import CleanText
from anonymize.findings import LinkedSpan
from anonymize.kit import Kit, Plan
from anonymize.links import linked_spans
from anonymize.people_cells import mentions_in
from anonymize.registry import Registry
from anonymize.rewriting import Rewriting
from anonymize.table_shapes import table_specs
from anonymize.tables import HEADER_IDS, CleanedTable, LinkKey, TableCleaner
from anonymize.tombstones import Mention, Span
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind

_NOT_READ = ("links", "source_counts")
_LEFT = (ColumnKind.ID, ColumnKind.CODE, ColumnKind.PROVENANCE)
"""Kinds of columns that carry joins and places; surrogates of persons stand there only in paths of files."""


class _EveryCell(dict[LinkKey, list[LinkedSpan]]):
    """Spans that links match, which says it has every cell: replacement keeps the outcome of those."""

    def __contains__(self, _: object) -> bool:
        return True


def mentions_of(
    rewriting: Rewriting, registry: Registry, kept: Assignments, person: int
) -> Iterator[Mention]:
    """Yields every cell in which replacement would write for a person of the registry, with the spans.

    A policy of the dataset makes no difference: also columns that it keeps are searched.
    """
    changed = _with_other_surrogate(registry, kept, person)
    cleaners = [_cleaner(rewriting, registry, assigned) for assigned in (deepcopy(kept), changed)]
    for name, (spec, prefix) in rewriting.tables.items():
        if name in _NOT_READ:
            continue
        frame = rewriting.raw.read(name)
        columns = table_specs(name, rewriting.specs)
        one, other = (cleaner.clean(name, frame, columns, spec.key, prefix) for cleaner in cleaners)
        key = FIXED_TABLES[name].key if name in FIXED_TABLES else RECORD_ID.name
        ids = frame[key].to_list() if key in frame.columns else [""] * frame.height
        for column in frame.columns:
            kind = columns.get(column, ColumnSpec(kind=ColumnKind.TEXT)).kind
            if column == "source" or column in HEADER_IDS or (kind in _LEFT and column != "path"):
                continue
            yield from _in_column(name, frame[column], ids, one, other)


def _cleaner(rewriting: Rewriting, registry: Registry, assigned: Assignments) -> TableCleaner:
    kit = Kit(Plan(rewriting.key, rewriting.manifest, registry, assigned))
    participants = Participants(registry, kit.known, rewriting.raw)
    return TableCleaner(kit, participants, _EveryCell(linked_spans(rewriting.raw)))


def _with_other_surrogate(registry: Registry, kept: Assignments, person: int) -> Assignments:
    """Returns assignments in which one person has another name and other handles of the same shape."""
    new = deepcopy(kept)
    one = registry.persons[person]
    known = {f"name:{name.key}" for name in one.names if registry.by_name.get(name.key) == (person,)}
    anchors = known.union(one.anchors)
    for anchor in anchors & new.persons.keys():
        new.persons[anchor] = [_turned(part) for part in new.persons[anchor]]
    for handle in new.handles:
        if handle.rpartition("|")[0] in anchors:
            new.handles[handle] = _turned(new.handles[handle])
    return new


def _turned(text: str) -> str:
    """Returns a text with every letter of the alphabet thirteen places on."""
    return "".join(
        chr((ord(char) - start + 13) % 26 + start)
        if (start := ord("a") if "a" <= char <= "z" else ord("A") if "A" <= char <= "Z" else 0)
        else char
        for char in text
    )


def _in_column(
    table: str, raw: pl.Series, ids: Sequence[str], one: CleanedTable, other: CleanedTable
) -> Iterator[Mention]:
    """Yields the mentions of a column; a text that means somebody else in other rows is bound to its row."""
    if raw.dtype == pl.List(pl.String()):
        yield from _in_lists(table, raw, one.frame[raw.name], other.frame[raw.name])
        return
    if raw.dtype != pl.String:
        return
    rows = one.frame[raw.name].ne_missing(other.frame[raw.name]).arg_true().to_list()
    texts = raw.to_list()
    found: dict[tuple[str, tuple[Span, ...]], list[int]] = {}
    for row in rows:
        at = (table, ids[row], raw.name)
        spans = _differing(texts[row], one.linked.get(at), other.linked.get(at))
        if spans:
            found.setdefault((texts[row], spans), []).append(row)
    wanted = {text for text, _ in found}
    standing = Counter(text for text in texts if text in wanted) if wanted else Counter[str]()
    for (text, spans), at_rows in found.items():
        if standing[text] == len(at_rows):
            yield Mention(table, raw.name, text, spans)
        else:
            for row in at_rows:
                yield Mention(table, raw.name, text, spans, ids[row])


def _in_lists(table: str, raw: pl.Series, one: pl.Series, other: pl.Series) -> Iterator[Mention]:
    """Yields the items of lists that are theirs, each as a whole."""
    found: dict[str, None] = {}
    cells: Iterator[tuple[Any, Any, Any]] = zip(raw.to_list(), one.to_list(), other.to_list(), strict=True)
    for texts, first, second in cells:
        if texts and first != second:
            items = zip(texts, first, second, strict=True)
            found.update(dict.fromkeys(text for text, new, turned in items if text and new != turned))
    for text in found:
        if len(mentions_in(text)) <= 1:
            yield Mention(table, raw.name, text, ((0, len(text)),))


def _differing(text: str, one: CleanText | None, other: CleanText | None) -> tuple[Span, ...]:
    """Returns the spans of a raw text that two replacements wrote differently; all of it if written whole."""
    if one is None or other is None:
        return ((0, len(text)),) if len(mentions_in(text)) <= 1 else ()
    written = {(span.raw_start, span.raw_end): other.text[span.start : span.end] for span in other.spans}
    spans = ((span.raw_start, span.raw_end, one.text[span.start : span.end]) for span in one.spans)
    return tuple((start, end) for start, end, new in spans if written.get((start, end)) != new)
