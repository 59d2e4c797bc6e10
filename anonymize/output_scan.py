"""The scan of every output of a run, byte by byte: folders of any files, and texts that leave otherwise.

Belongs here: walking, counting, telling finds by file, place and kind, never by what was found. Does not
belong here: deciding about publication (`audit`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from anonymize.keys import DatasetKey
from anonymize.output_files import Piece, Unread, pieces
from anonymize.output_forms import RealForms, assigned_forms, searched_forms
from anonymize.output_search import FormSearch
from anonymize.output_views import LONGEST, PART, views
from anonymize.pseudonymize import registry_of
from anonymize.table_shapes import table_specs
from anonymize.vault import Vault, raw_tables
from archive.home import DatasetHome
from archive.store import TableStore

MOST_TOLD = 200
"""Places of leaks that are told; all are counted."""
FEW_COINCIDENCES = 10
VALUES_A_COINCIDENCE = 500
"""In so many distinct values one surrogate may equal another's real form by chance."""


JUDGED = "judged"
"""Part of the vault with the forms that the audit let pass in clean cells."""
COLUMN = "column "
"""How the place of a table's cells begins."""
SHORTEST_PHONE = 9
"""Digits of a phone number that is no date and no counter besides."""
JUDGED_IN_CELLS = frozenset({"person", "company", "domain", "login", "address", "email", "identifier"})
"""Kinds of form for which the scan of clean cells knows what replacement wrote."""


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
    leaks: int = 0
    coincidences: int = 0
    """Finds that equal a surrogate which replacement has assigned."""
    judged: int = 0
    """Finds in clean cells, about which the scan that knows what replacement wrote decides (`leaks`), and the
    same forms where other outputs hold them too."""
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
        return FEW_COINCIDENCES + self.values // VALUES_A_COINCIDENCE

    @property
    def passed(self) -> bool:
        """Says whether the outputs may leave."""
        return not self.leaks and not self.unread and self.coincidences <= self.coincidence_bound

    def to_json(self) -> dict[str, Any]:
        """Returns the counts and places as JSON content."""
        content = asdict(self)
        content["kinds"] = dict(sorted(self.kinds.items()))
        content["hits"] = [hit._asdict() for hit in self.hits]
        return {**content, "coincidence_bound": self.coincidence_bound, "passed": self.passed}


class OutputScanner:
    """All forms of one registry, ready to be looked for in any output."""

    def __init__(self, real: RealForms, judged: Iterable[str] = ()) -> None:
        """Builds the search once; scans may be many.

        Args:
            real: what is searched.
            judged: forms that an audit let pass in clean cells.
        """
        self._search = FormSearch(real)
        self._assigned = real.assigned
        self._forms_of = real.forms
        self._forms = len(real.forms)
        self.judged: set[str] = set(judged)
        self._written: frozenset[tuple[str, str]] = frozenset()

    def scan_folders(self, folders: Iterable[Path]) -> OutputScan:
        """Returns what stands in all files under some folders: their names and whatever they hold."""
        scan = OutputScan(forms=self._forms)
        for folder in folders:
            for number, path in enumerate(sorted(folder.rglob("*"))):
                self._scan_path(scan, folder, path, number)
        return scan

    def scan_clean(self, folder: Path, ledger: pl.DataFrame) -> OutputScan:
        """Returns what stands in clean tables; later scans let pass what their cells were judged to hold.

        A phone number in a text where replacement wrote is a coincidence: no plan of numbers is so roomy that
        none equals another's.
        """
        self._written = _written_cells(folder, ledger)
        scan = OutputScan(forms=self._forms)
        for number, path in enumerate(sorted(folder.rglob("*"))):
            self._scan_path(scan, folder, path, number, clean=path.suffix == ".parquet")
        return scan

    def scan_text(self, text: str, file: str) -> OutputScan:
        """Returns what stands in one text, such as what a database of runs was given to show."""
        scan = OutputScan(files=1, bytes=len(text.encode("utf-8", "replace")), forms=self._forms)
        self._judge(scan, file, pieces(text.encode("utf-8", "replace")))
        return scan

    def _scan_path(
        self, scan: OutputScan, folder: Path, path: Path, number: int, *, clean: bool = False
    ) -> None:
        name = path.relative_to(folder).as_posix()
        told = f"{folder.name}/{name}"
        if self._tells(path.name):
            told = f"{folder.name}/ (file {number}, whose name tells)"
            self._judge(scan, told, [Piece("name of the file", path.name)])
        elif self._tells(name):
            told = f"{folder.name}/ (file {number}, in a folder whose name tells)"
        if not path.is_file():
            return
        try:
            data = path.read_bytes()
        except OSError:
            scan.unread.append((told, "", "cannot be read"))
            return
        scan.files += 1
        scan.bytes += len(data)
        self._judge(scan, told, pieces(data), clean=clean)

    def _judge(
        self, scan: OutputScan, file: str, found: Iterable[Piece | Unread], *, clean: bool = False
    ) -> None:
        counted: set[tuple[str, str]] = set()
        met: set[tuple[str, str]] = set()
        for piece in found:
            if isinstance(piece, Unread):
                scan.unread.append((file, piece.place, piece.reason))
                continue
            if len(piece.text) > LONGEST:
                scan.unread.append((file, piece.place, "is longer than what is searched"))
            scan.values += 1 + piece.text.count(PART) if piece.unit else 1
            written: set[str] = set()
            for form, kind, part, encoding in self._found(piece.text):
                if encoding == "as written":
                    written.add(form)
                    in_cell = clean and piece.place.startswith(COLUMN)
                    if in_cell and kind in JUDGED_IN_CELLS and form not in self._assigned:
                        self.judged.add(form)
                elif form in written:
                    continue  # a decoded view holds what was not encoded as well
                if self._tells_nothing(form, kind):
                    scan.ordinary += 1
                    continue
                if form in self.judged:
                    scan.judged += 1
                    continue
                place = piece.told(part) if encoding == "as written" else piece.place
                by_chance = clean and kind == "phone" and (Path(file).stem, place) in self._written
                if form in self._assigned or by_chance:
                    met.add((place, form))
                elif (place, form) not in counted:
                    counted.add((place, form))
                    scan.kinds[kind] += 1
                    if len(scan.hits) < MOST_TOLD:
                        scan.hits.append(OutputHit(file, place, kind, encoding))
        scan.leaks += len(counted)
        scan.coincidences += len({form for _, form in met})

    def _tells_nothing(self, form: str, kind: str) -> bool:
        return self._forms_of[form].is_ordinary or (kind == "phone" and len(form) < SHORTEST_PHONE)

    def _tells(self, name: str) -> bool:
        return any(not self._forms_of[form].is_ordinary for form, *_ in self._found(name))

    def _found(self, text: str) -> Iterator[tuple[str, str, int, str]]:
        for view in views(text):
            for find in self._search.finds(view.text):
                yield find.form, find.kind, find.part, view.encoding


def _written_cells(folder: Path, ledger: pl.DataFrame) -> frozenset[tuple[str, str]]:
    """Returns table and place ("column 3, row 7") of every text in which replacement wrote something."""
    spans = ledger.filter((pl.col("start") >= 0) & pl.col("kind").str.to_uppercase().eq(pl.col("kind")))
    cells = spans.select("table", "column", "row").unique()
    columns = {path.stem: list(pl.read_parquet_schema(path)) for path in folder.glob("*.parquet")}
    return frozenset(
        (table, f"{COLUMN}{columns[table].index(column)}, row {row}")
        for table, column, row in cells.iter_rows()
        if column in columns.get(table, ())
    )


def judged_forms(vault: Vault) -> frozenset[str]:
    """Returns the forms that the last audit let pass in clean cells."""
    content = vault.load_part(JUDGED)
    return frozenset(content["forms"]) if content is not None else frozenset()


def dataset_forms(home: DatasetHome, key: DatasetKey, clean: TableStore) -> RealForms:
    """Returns the real forms of a dataset, with the surrogates that may equal one.

    Raises:
        VaultError: the vault was written with another key.
    """
    vault = Vault(home.vault, key)
    raw = raw_tables(home, key)
    kept = vault.load()
    specs = raw.column_specs()
    assigned = (
        assigned_forms(kept, raw, clean, {name: table_specs(name, specs) for name in raw.names()})
        if kept is not None
        else set()
    )
    return searched_forms(registry_of(vault), assigned)
