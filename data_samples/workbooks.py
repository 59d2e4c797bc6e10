"""Excel workbooks from cells, with merged areas, fills, formulas and number forms; always the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple
from xml.sax.saxutils import escape

from data_samples.papers import archive_of, content_types, relations

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STYLES = {"": 0, "bold": 1, "yellow": 2, "date": 3, "money": 4, "title": 5, "red": 6, "percent": 7}
_EPOCH = date(1899, 12, 30)


class Formula(NamedTuple):
    """A cell that is calculated, with the value that the program had shown last."""

    text: str
    value: float


Value = str | int | float | date | Formula | None


class Cell(NamedTuple):
    """A value and how it is shown."""

    value: Value
    style: str = ""


@dataclass
class Sheet:
    """One sheet: rows of cells from row 1 on, areas that are merged, widths by column."""

    name: str
    rows: list[list[Cell]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)

    def add(self, *values: Value | Cell, style: str = "") -> int:
        """Append a row and return its number."""
        self.rows.append([value if isinstance(value, Cell) else Cell(value, style) for value in values])
        return len(self.rows)


def column_name(number: int) -> str:
    """The letters of a column, counted from zero."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """The file; texts are shared between cells as Excel does it."""
    shared: dict[str, int] = {}
    pages = [_page(sheet, shared) for sheet in sheets]
    texts = "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in shared)
    names = "".join(
        f'<sheet name="{escape(sheet.name)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, sheet in enumerate(sheets, 1)
    )
    book = f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>'
    kinds = [("/xl/workbook.xml", f"{_SHEET}.sheet.main+xml")]
    kinds += [
        (f"/xl/worksheets/sheet{number}.xml", f"{_SHEET}.worksheet+xml")
        for number in range(1, len(pages) + 1)
    ]
    kinds += [
        ("/xl/styles.xml", f"{_SHEET}.styles+xml"),
        ("/xl/sharedStrings.xml", f"{_SHEET}.sharedStrings+xml"),
    ]
    links = [("worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(pages) + 1)]
    links += [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
    return archive_of(
        [
            ("[Content_Types].xml", content_types(kinds)),
            ("_rels/.rels", relations([("officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", book.encode()),
            ("xl/_rels/workbook.xml.rels", relations(links)),
            *((f"xl/worksheets/sheet{number}.xml", page) for number, page in enumerate(pages, 1)),
            ("xl/styles.xml", _styles()),
            ("xl/sharedStrings.xml", f'{_XML}<sst xmlns="{_MAIN}">{texts}</sst>'.encode()),
        ]
    )


def _page(sheet: Sheet, shared: dict[str, int]) -> bytes:
    rows = []
    for number, cells in enumerate(sheet.rows, 1):
        shown = "".join(
            _cell(f"{column_name(place)}{number}", cell, shared)
            for place, cell in enumerate(cells)
            if cell.value is not None or cell.style
        )
        rows.append(f'<row r="{number}">{shown}</row>')
    areas = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
    merged = f'<mergeCells count="{len(sheet.merged)}">{areas}</mergeCells>' if areas else ""
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>{"".join(rows)}</sheetData>{merged}</worksheet>'
    ).encode()


def _cell(place: str, cell: Cell, shared: dict[str, int]) -> str:
    value, style = cell.value, f' s="{STYLES[cell.style]}"' if cell.style else ""
    if value is None:
        return f'<c r="{place}"{style}/>'
    if isinstance(value, Formula):
        return f'<c r="{place}"{style}><f>{escape(value.text)}</f><v>{value.value}</v></c>'
    if isinstance(value, date):
        return f'<c r="{place}"{style}><v>{(value - _EPOCH).days}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}"{style} t="s"><v>{shared.setdefault(value, len(shared))}</v></c>'
    return f'<c r="{place}"{style}><v>{value}</v></c>'


def _styles() -> bytes:
    fills = "".join(
        f'<fill><patternFill patternType="solid"><fgColor rgb="FF{colour}"/></patternFill></fill>'
        for colour in ("FFF2A8", "F4B6B6")
    )
    forms = (
        (0, 0, 0),
        (0, 1, 0),
        (0, 0, 2),
        (14, 0, 0),
        (4, 0, 0),
        (0, 2, 0),
        (0, 0, 3),
        (9, 0, 0),
    )
    formats = "".join(
        f'<xf numFmtId="{number}" fontId="{font}" fillId="{fill}" borderId="0" xfId="0" '
        'applyNumberFormat="1" applyFont="1" applyFill="1"/>'
        for number, font, fill in forms
    )
    return (
        f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="15"/><name val="Calibri"/></font></fonts>'
        '<fills count="4"><fill><patternFill patternType="none"/></fill>'
        f'<fill><patternFill patternType="gray125"/></fill>{fills}</fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(forms)}">{formats}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    ).encode()
