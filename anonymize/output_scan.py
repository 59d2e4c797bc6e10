"""The scan of every output of a run, byte by byte: folders of any files, and texts that leave otherwise.

Belongs here: walking, counting, telling finds by file, place and kind, never by what was found. Does not
belong here: deciding about publication (`audit`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from anonymize.coincidences import Shape, met_bounds, stay_bound
from anonymize.keys import DatasetKey
from anonymize.ledger import Ledger
from anonymize.output_files import Piece, pieces
from anonymize.output_finds import OutputSearch, Searched
from anonymize.output_forms import Form, searched_forms
from anonymize.output_views import AS_WRITTEN, PART
from anonymize.pseudonymize import registry_of
from anonymize.registry import Registry
from anonymize.vault import Vault
from anonymize.written_cells import Standing, WrittenCells
from archive.home import DatasetHome
from archive.store import TableStore

MOST_TOLD = 200
"""Places of leaks that are told; all are counted."""
FEW_COINCIDENCES = 10
VALUES_A_COINCIDENCE = 500
"""In so many distinct values one surrogate may equal another's real form by chance."""
LET_PASS = "judged"
"""Part of the vault with the forms that clean cells hold rightly."""
_COLUMN = re.compile(r"column (\d+)")
"""The place of a table's own cells."""


class OutputHit(NamedTuple):
    """A real form in an output: where, never what."""

    file: str
    place: str
    kind: str
    encoding: str


@dataclass
class OutputScan:
    """What a scan of outputs found."""

    files: int = 0
    bytes: int = 0
    values: int = 0
    """Distinct values of columns, texts of other files."""
    forms: int = 0
    short_bound: int = 0
    """So many ids may be others' surrogates besides, as few others have as many digits."""
    leaks: int = 0
    coincidences: int = 0
    """Forms that replacement wrote into clean cells where something else stood, there or made of them."""
    kept: Counter[str] = field(default_factory=Counter)
    """Column, or file that shows it -> real forms that the policy keeps there."""
    ordinary: int = 0
    """Finds of forms that are everyday words or short numbers: they tell nothing alone and are judged in
    their own columns."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Kind of real form -> leaks."""
    hits: list[OutputHit] = field(default_factory=list)
    unread: list[tuple[str, str, str]] = field(default_factory=list)
    """File, place, reason."""

    @property
    def coincidence_bound(self) -> int:
        """More coincidences than these are no chance."""
        return FEW_COINCIDENCES + self.values // VALUES_A_COINCIDENCE + self.short_bound

    @property
    def passed(self) -> bool:
        """Says whether the outputs may leave."""
        return not self.leaks and not self.unread and self.coincidences <= self.coincidence_bound

    def to_json(self) -> dict[str, Any]:
        """Returns the counts and places as JSON content."""
        content = asdict(self)
        content["kinds"] = dict(sorted(self.kinds.items()))
        content["kept"] = dict(sorted(self.kept.items()))
        content["hits"] = [hit._asdict() for hit in self.hits]
        return {**content, "coincidence_bound": self.coincidence_bound, "passed": self.passed}


class LetPass(NamedTuple):
    """Real forms that stand in clean cells rightly, so that what is made of those may hold them."""

    met: frozenset[str] = frozenset()
    """Surrogates of others."""
    kept: frozenset[str] = frozenset()
    """What the policy keeps."""


class _Tally:
    """A scan with the forms that passed, which are counted once each and never told."""

    def __init__(self, search: OutputSearch, short_bound: int) -> None:
        self.scan = OutputScan(forms=len(search.forms), short_bound=short_bound)
        self.met: set[str] = set()
        self.kept: dict[str, set[str]] = {}
        self._counted: set[tuple[str, str, str]] = set()

    def note(self, searched: Searched, file: str) -> None:
        self.scan.values += searched.values
        if searched.unread:
            self.scan.unread.append((file, searched.place, searched.unread))

    def leak(self, hit: OutputHit, form: str) -> None:
        if (hit.file, hit.place, form) not in self._counted:
            self._counted.add((hit.file, hit.place, form))
            self.scan.leaks += 1
            self.scan.kinds[hit.kind] += 1
            if len(self.scan.hits) < MOST_TOLD:
                self.scan.hits.append(hit)

    def done(self) -> OutputScan:
        self.scan.coincidences = len(self.met)
        self.scan.kept = Counter({place: len(forms) for place, forms in self.kept.items()})
        return self.scan


class OutputScanner:
    """All forms of one registry, ready to be looked for in any output."""

    def __init__(self, forms: dict[str, Form], let_pass: LetPass | None = None) -> None:
        """Builds the search once; scans may be many.

        Args:
            forms: what is searched.
            let_pass: what an audit found to stand in clean cells rightly.
        """
        self._search = OutputSearch(forms)
        self.let_pass = let_pass or LetPass()
        self._short_bound = sum(met_bounds(self._shapes()).values())

    def scan_folders(self, folders: Iterable[Path]) -> OutputScan:
        """Returns what stands in all files under some folders: their names and whatever they hold."""
        tally = _Tally(self._search, self._short_bound)
        for folder in folders:
            for number, path in enumerate(sorted(folder.rglob("*"))):
                told = self._name(tally, folder, path, number)
                self._judge(tally, told, self._content(tally, path))
        return tally.done()

    def scan_clean(self, folder: Path, raw: TableStore, ledger: Ledger) -> OutputScan:
        """Returns what stands in clean tables; later scans let pass what their cells hold rightly.

        A form passes where the ledger says that replacement wrote it, and where the raw cell held something
        else there. Whatever else the folder holds may repeat such forms.

        Args:
            folder: with the clean tables.
            raw: the tables before replacement, their rows in the order of the clean ones.
            ledger: what replacement wrote.
        """
        tally = _Tally(self._search, self._short_bound)
        cells = WrittenCells(raw, TableStore(folder), ledger, self._search.texts)
        self.let_pass = LetPass()
        paths = sorted(folder.rglob("*"))
        told = {path: self._name(tally, folder, path, number) for number, path in enumerate(paths)}
        content = {path: self._content(tally, path) for path in paths}
        tables = [path for path in paths if path.suffix == ".parquet" and path.parent == folder]
        fixed: list[tuple[OutputHit, str]] = []
        for path in tables:
            for one in filter(_is_cells, content[path]):
                fixed += self._judge_cells(tally, cells, path.stem, told[path], one)
        if len({form for _, form in fixed}) > stay_bound(self._shapes()):
            for hit, form in fixed:
                tally.leak(hit, form)
        else:
            tally.met |= {form for _, form in fixed}
        kept = frozenset().union(*tally.kept.values())
        self.let_pass = LetPass(frozenset(tally.met), kept)
        columns = dict(tally.kept)
        for path in paths:
            rest = (one for one in content[path] if path not in tables or not _is_cells(one))
            self._judge(tally, told[path], rest)
        tally.kept = columns  # a table's statistics repeat its columns
        return tally.done()

    def scan_text(self, text: str, file: str) -> OutputScan:
        """Returns what stands in one text, such as what a database of runs was given to show."""
        tally = _Tally(self._search, self._short_bound)
        data = text.encode("utf-8", "replace")
        tally.scan.files, tally.scan.bytes = 1, len(data)
        self._judge(tally, file, self._search.pieces(pieces(data)))
        return tally.done()

    def _name(self, tally: _Tally, folder: Path, path: Path, number: int) -> str:
        """Returns how a file is told, after a search of its name."""
        name = path.relative_to(folder).as_posix()
        if self._search.tells(path.name):
            told = f"{folder.name}/ (file {number}, whose name tells)"
            self._judge(tally, told, self._search.pieces([Piece("name of the file", path.name)]))
            return told
        if self._search.tells(name):
            return f"{folder.name}/ (file {number}, in a folder whose name tells)"
        return f"{folder.name}/{name}"

    def _content(self, tally: _Tally, path: Path) -> list[Searched]:
        """Returns what a file holds; nothing of a folder."""
        if not path.is_file():
            return []
        try:
            data = path.read_bytes()
        except OSError:
            return [Searched("", 0, "cannot be read", None, ())]
        tally.scan.files += 1
        tally.scan.bytes += len(data)
        return self._search.file(data)

    def _judge(self, tally: _Tally, file: str, found: Iterable[Searched]) -> None:
        """Counts finds in what is no clean cell: only what clean cells hold rightly passes."""
        for searched in found:
            tally.note(searched, file)
            for find in searched.finds:
                if self._search.tells_nothing(find):
                    tally.scan.ordinary += 1
                elif find.form in self.let_pass.met:
                    tally.met.add(find.form)
                elif find.form in self.let_pass.kept:
                    tally.kept.setdefault(file, set()).add(find.form)
                else:
                    tally.leak(OutputHit(file, searched.told(find), find.kind, find.encoding), find.form)

    def _judge_cells(
        self, tally: _Tally, cells: WrittenCells, table: str, file: str, searched: Searched
    ) -> list[tuple[OutputHit, str]]:
        """Counts finds in one column of a clean table, and returns those that stayed as permutations do."""
        fixed: list[tuple[OutputHit, str]] = []
        tally.note(searched, file)
        if searched.piece is None:
            return fixed
        texts = searched.piece.text.split(PART)
        wanted: dict[str, set[str]] = {}
        at: dict[str, str] = {}
        encoded: dict[str, str] = {}
        for find in searched.finds:
            if self._search.tells_nothing(find):
                tally.scan.ordinary += 1
            elif find.encoding == AS_WRITTEN:
                wanted.setdefault(texts[find.part], set()).add(find.form)
                at.setdefault(texts[find.part], searched.told(find))
            else:
                encoded.setdefault(find.form, find.encoding)
        for form in encoded:
            for text in cells.texts_with(searched.piece.text, form):
                wanted.setdefault(text, set()).add(form)
        number = int(searched.place.removeprefix("column "))
        for text, forms in wanted.items():
            for form, standing in cells.standings(table, number, text, forms).items():
                encoding = encoded.get(form, AS_WRITTEN) if text not in at else AS_WRITTEN
                hit = OutputHit(file, at.get(text, searched.place), self._search.forms[form].kind, encoding)
                if standing is Standing.KEPT:
                    tally.kept.setdefault(f"{table}.{cells.name}", set()).add(form)
                elif standing is Standing.MET:
                    tally.met.add(form)
                elif standing is Standing.FIXED:
                    fixed.append((hit, form))
                else:
                    tally.leak(hit, form)
        return fixed

    def _shapes(self) -> list[Shape]:
        forms = self._search.forms.values()
        return [form.shape for form in forms if form.kind == "identifier" and form.shape is not None]


def _is_cells(searched: Searched) -> bool:
    return _COLUMN.fullmatch(searched.place) is not None


def keep_let_pass(vault: Vault, let_pass: LetPass) -> None:
    """Stores what an audit found to stand in clean cells rightly."""
    vault.save_part(LET_PASS, {"met": sorted(let_pass.met), "kept": sorted(let_pass.kept)})


def dataset_scanner(home: DatasetHome, key: DatasetKey, gone: Registry | None = None) -> OutputScanner:
    """Returns a scanner for the real forms of a dataset; what the last audit let pass in clean cells passes.

    `gone` is whom the stored registry does not know any more and who is searched for nevertheless.

    Raises:
        VaultError: the vault was written with another key, or holds no registry.
    """
    vault = Vault(home.vault, key)
    held = vault.load_part(LET_PASS) or {}
    let_pass = LetPass(frozenset(held.get("met", ())), frozenset(held.get("kept", ())))
    forms = {} if gone is None else searched_forms(gone)
    return OutputScanner(forms | searched_forms(registry_of(vault)), let_pass)
