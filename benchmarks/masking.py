"""How much of the people and companies in an archive's texts was written over, and how much else.

Belongs here: truth against replacement, span by span, on an archive whose answer key is known. Does not
belong here: making the archive (`strange_names`) and printing (`detection`).
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from ahocorasick_rs import AhoCorasick

from anonymize.contexts import Participants
from anonymize.detection import CleanText
from anonymize.findings import Context
from anonymize.forms import parse_company, words_of
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.links import linked_spans
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Assignments
from anonymize.table_shapes import table_specs
from anonymize.tables import TableCleaner
from anonymize.words import ordinary_words
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.resolved import stored_manifest
from archive.store import TableStore
from contracts.names import fold
from contracts.tables import ColumnKind

_TOKEN = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"^(?:Mr|Ms|Herr|Frau|Mrs|Dr)\.? ")
_COUNTED = re.compile(r"\s?(?:%|percent|Prozent|days?|Tage|users?|seats?|hours?|minutes?|weeks?|months?)")
SHORTEST = 3
_DATE_WORDS = frozenset(
    "january february march april may june july august september october november december jan feb mar"
    " apr jun "
    "jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember".split()
)


@dataclass
class Masked:
    """What was found in all texts of an archive."""

    spans: Counter[str] = field(default_factory=Counter)
    """Kind -> mentions that stand in text."""
    masked: Counter[str] = field(default_factory=Counter)
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kind and form -> mentions not written over as a whole; invented names only."""
    tokens: int = 0
    replaced: int = 0
    needless: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kind of finding and token -> replaced tokens that no truth accounts for."""


@dataclass
class _Recorder:
    """Stands before a detector and keeps what it was asked and what it wrote."""

    seen: dict[tuple[str, Context], CleanText] = field(default_factory=dict)

    def around(self, kit: Kit) -> None:
        replace = kit.detector.replace

        def recorded(text: str, context: Context) -> CleanText:
            clean = replace(text, context)
            self.seen[(text, context)] = clean
            return clean

        kit.detector.replace = recorded  # type: ignore[method-assign]


def masked(archive: Path) -> Masked:
    """Returns the figures of one archive of `strange_names`, replaced under a fixed key."""
    truth = json.loads((archive / "truth" / "entities.json").read_text("utf-8"))
    strangers = json.loads((archive / "truth" / "strangers.json").read_text("utf-8"))
    recorder = _Recorder()
    with tempfile.TemporaryDirectory() as folder:
        typed = _replaced(archive, Path(folder), recorder)
    forms = Forms(truth, strangers, typed)
    found = Masked()
    for (text, context), clean in sorted(
        recorder.seen.items(), key=lambda item: (item[0][0], repr(item[0][1]))
    ):
        if not context.filename:
            forms.judge(text, clean, found)
    return found


def _replaced(archive: Path, folder: Path, recorder: _Recorder) -> set[str]:
    """Writes the clean tables; returns the values of all typed columns, which anything in text may equal."""
    loaded = load_manifest(archive / "archive" / "dataset.yaml")
    home = DatasetHome(folder, "strange")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    raw = TableStore(home.raw, private=True)
    key = DatasetKey(b"k" * 32, "strange")
    rewriting = Rewriting(raw, raw.column_specs(), stored_manifest(raw), key)
    registry, _ = rewriting.registry(rewriting.evidence())
    kit = Kit(Plan(key, rewriting.manifest, registry, Assignments()))
    cleaner = TableCleaner(kit, Participants(kit.registry, kit.known, raw), linked_spans(raw))
    typed: set[str] = set()
    for name, (spec, prefix) in sorted(rewriting.tables.items()):
        frame, columns = raw.read(name), table_specs(name, rewriting.specs)
        text = (
            [column for column in frame.columns if columns[column].kind is ColumnKind.TEXT] if columns else []
        )
        for column in frame.columns:
            if column not in text and frame[column].dtype == pl.String:
                typed.update(frame[column].drop_nulls().unique().to_list())
        if name == "links" or not text:
            continue
        recorder_on = _Recorder(recorder.seen)
        recorder_on.around(kit)
        cleaner.clean(name, frame, columns, spec.key, prefix)
    return typed


class Forms:
    """The forms in which the answer key's people and companies stand in text."""

    def __init__(self, truth: dict[str, Any], strangers: list[list[str]], typed: Iterable[str]) -> None:
        """Takes the answer key, the people who stand in text only, and the values of typed columns."""
        self._kinds: dict[str, str] = {}
        for company in truth["companies"].values():
            for form in company["forms"]:
                name = parse_company(form)
                self._add("company", name.core if name is not None else form)
        for name in truth["mentioned_companies"]:
            self._add("company", name)
        for person in truth["persons"].values():
            for form in person["forms"]:
                bare = _TITLE.sub("", form).partition(" (")[0]
                titled = " " not in bare and fold(bare) in ordinary_words()
                self._add("person", form if titled else bare)
            for word in (person["first"], person["last"], *person["short_forms"]):
                if fold(word) not in ordinary_words():
                    self._add("person", word)
        for first, last in strangers:
            for form in (f"{first} {last}", f"{last}, {first}", last):
                if form != last or fold(last) not in ordinary_words():
                    self._add("stranger", form, over=True)
        self._texts = sorted(self._kinds)
        self._automaton = AhoCorasick(self._texts)
        words = {word for form in self._texts for word in words_of(form)}
        for value in typed:
            words.update(words_of(value) if len(value) < 200 else ())
        self._known = words | _DATE_WORDS

    def _add(self, kind: str, form: str, *, over: bool = False) -> None:
        if len(form) >= SHORTEST and (over or form not in self._kinds):
            self._kinds[form] = kind

    def _mentions(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yields the longest mentions in a text, whole words in the letter case of the answer key."""
        taken = 0
        hits = self._automaton.find_matches_as_indexes(text, overlapping=True)
        for index, start, end in sorted(hits, key=lambda hit: (hit[1], -hit[2])):
            inside = (text[start - 1 : start].isalnum() if start else False) or text[end : end + 1].isalnum()
            address = text[start - 1 : start] in tuple("@./\\_-") or text[end : end + 1] in tuple("@_")
            if start >= taken and not inside and not address:
                taken = end
                yield start, end, self._texts[index]

    def judge(self, text: str, clean: CleanText, found: Masked) -> None:
        """Counts the mentions and tokens of one text."""
        spans = [(span.raw_start, span.raw_end, span.kind) for span in clean.spans]
        covered = bytearray(len(text))
        for start, end, _ in spans:
            covered[start:end] = b"\1" * (end - start)
        truth = bytearray(len(text))
        for start, end, form in self._mentions(text):
            truth[start:end] = b"\1" * (end - start)
            kind = self._kinds[form]
            found.spans[kind] += 1
            title = _TITLE.match(form)
            begin = start + (title.end() if title is not None else 0)
            if all(covered[at] or not text[at].isalnum() for at in range(begin, end)):
                found.masked[kind] += 1
            else:
                found.missed[(kind, form)] += 1
        for token in _TOKEN.finditer(text):
            found.tokens += 1
            if not covered[token.start()]:
                continue
            found.replaced += 1
            kind = next(kind for start, end, kind in spans if start <= token.start() < end)
            if not truth[token.start()] and not self._is_due(text, token):
                found.needless[(kind, token.group())] += 1

    def _is_due(self, text: str, token: re.Match[str]) -> bool:
        """Says whether a token had to go: a word of a typed value or name, or digits that count nothing."""
        word = token.group()
        if any(char.isdigit() for char in word):
            return not _COUNTED.match(text, token.end())
        around = text[max(0, token.start() - 40) : token.end() + 40]
        if "@" in around or "://" in around:
            return True  # part of an address or link
        known = fold(word) in self._known
        return known and (fold(word) not in ordinary_words() or word[0].isupper())
