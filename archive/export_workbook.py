"""Workbooks built anew: the raw one's sheets, header places and cell types, clean values.

Belongs here: writing. Nothing of the raw file but names of sheets and columns, kinds of cells and their
number formats is carried over: no comments, properties, styles, images, formulas or names.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

_FORMAT = re.compile(r"[0#?.,%/:;\-_ €$£()+@EdmyhsDMYHS]{1,60}")
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|\*.')
_MODIFIED = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,12})?")
_SHEET = re.compile(r"\[([^\[\]:*?/\\]{1,31})\]")
_STAMP = (1980, 1, 1, 0, 0, 0)
TITLE = "Title"


class SheetRows(NamedTuple):
    """What a sheet holds: its columns, and the clean cells by the row in which they stand."""

    columns: tuple[str, ...]
    rows: Mapping[int, Sequence[str | None]]


def write_workbook(raw: Path, path: Path, sheets: Mapping[str, SheetRows], left_out: Counter[str]) -> None:
    """Writes the sheets that were read from a raw workbook, cells typed as there."""
    from openpyxl import Workbook, load_workbook

    source = load_workbook(raw, read_only=True, data_only=True, keep_links=False)
    built = Workbook()
    built.remove(built.worksheets[0])
    built.properties.creator = "rl-dojo"
    try:
        for sheet in source.worksheets:
            if sheet.title not in sheets:
                continue
            target = built.create_sheet(sheet.title)
            if sheet.sheet_state != "visible" and built.worksheets[0] is not target:
                target.sheet_state = sheet.sheet_state
            _fill(sheet, target, sheets[sheet.title], left_out)
    finally:
        source.close()
    if not built.worksheets:
        built.create_sheet("Sheet")
    _count_parts(raw, left_out)
    data = io.BytesIO()
    built.save(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(steady_zip(data.getvalue()))


def workbook_of(text: str) -> bytes:
    """Returns a workbook whose text is this one: "[Sheet]" lines, cells between tabs."""
    from openpyxl import Workbook

    built = Workbook()
    built.properties.creator = "rl-dojo"
    sheet, row = built.worksheets[0], 0
    for line in text.strip("\n").split("\n"):
        named = _SHEET.fullmatch(line)
        if named is not None:
            if row:
                sheet, row = built.create_sheet(), 0
            sheet.title = named[1]
        elif line:
            row += 1
            for column, cell in enumerate(line.split("\t"), start=1):
                if cell:
                    _put(sheet, row, column, cell, None)
    data = io.BytesIO()
    built.save(data)
    return steady_zip(data.getvalue())


def steady_zip(data: bytes) -> bytes:
    """Returns an office file without the times at which its members were written."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            content = old.read(part)
            if part.filename == "docProps/core.xml":
                content = _MODIFIED.sub(rb"\g<1>1980-01-01T00:00:00Z", content)
            new.writestr(zipfile.ZipInfo(part.filename, _STAMP), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _fill(sheet: Any, target: Any, content: SheetRows, left_out: Counter[str]) -> None:
    sheet.reset_dimensions()
    first = min(content.rows, default=1 << 30)
    known = {name.strip() for name in content.columns}
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if number < first:
            for cell in row:
                if cell.value is not None and str(cell.value).strip():
                    text = str(cell.value).strip()
                    named = text in known or any(text in name for name in known)
                    left_out["title cells"] += not named
                    _put(target, number, cell.column, text if named else TITLE, None)
            continue
        clean = content.rows.get(number)
        if clean is None:
            continue
        by_column = {cell.column: cell for cell in row if getattr(cell, "column", None) is not None}
        for column, value in enumerate(clean, start=1):
            if value is not None:
                _put(target, number, column, value, by_column.get(column))


def _put(target: Any, row: int, column: int, text: str, raw: Any) -> None:
    """Fills a cell: of the raw cell's type where the clean text is a value of it."""
    cell = target.cell(row=row, column=column)
    value = _typed(text, raw.value if raw is not None else None)
    if isinstance(value, str):
        cell.value = _legal(value)
        cell.data_type = "s"  # also where it begins with "="
        return
    cell.value = value
    if not isinstance(value, bool):
        cell.number_format = _number_format(str(raw.number_format), value)


def _typed(text: str, raw: object) -> bool | int | float | Decimal | date | time | str:
    if isinstance(raw, bool):
        return text == "true" if text in ("true", "false") else text
    if isinstance(raw, int | float):
        if not _NUMBER.fullmatch(text):
            return text
        return Decimal(text) if "." in text else int(text)
    try:
        if isinstance(raw, datetime):
            return datetime.fromisoformat(text).replace(tzinfo=None)
        if isinstance(raw, date):
            return date.fromisoformat(text)
        if isinstance(raw, time):
            return time.fromisoformat(text)
    except ValueError:
        return text
    return text


def _number_format(written: str, value: object) -> str:
    """A number format without words of its own."""
    plain = _QUOTED.sub("", written).strip()
    if plain == "General" or _FORMAT.fullmatch(plain):
        return plain
    if isinstance(value, datetime):
        return "yyyy-mm-dd hh:mm:ss"
    return "yyyy-mm-dd" if isinstance(value, date) else "hh:mm:ss" if isinstance(value, time) else "General"


def _legal(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", text)[:32_767]


def _count_parts(raw: Path, left_out: Counter[str]) -> None:
    """Counts what a raw workbook holds beside cells."""
    with zipfile.ZipFile(raw) as archive:
        for name in archive.namelist():
            for part in ("comments", "media", "embeddings", "drawings", "charts", "pivotTables", "macros"):
                if f"/{part}" in name and not name.endswith(("/", ".rels")):
                    left_out[f"workbook {part}"] += 1
            left_out["workbook macros"] += name.endswith("vbaProject.bin")
