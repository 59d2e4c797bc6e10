"""Workbooks: every sheet a table, merged cells filled, values exact, hostile files refused."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from openpyxl import Workbook

from archive import tables_xlsx
from archive.batches import TableBatch
from archive.tables_xlsx import read_xlsx


def saved(path: Path, *rows: list[object], change: Callable[[Any], None] | None = None) -> Path:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Orders"
    for row in rows:
        sheet.append(row)
    if change is not None:
        change(workbook)
    workbook.save(path)
    return path


def edited(path: Path, part: str, edit: Callable[[str], str]) -> Path:
    """The workbook with one part rewritten, as other programs would write it."""
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    parts[part] = edit(parts[part].decode()).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def only(path: Path) -> TableBatch:
    (batch,) = read_xlsx(path, path.parent)
    return batch


def test_values_are_exact_strings(tmp_path: Path) -> None:
    values = [
        ("whole", 7, "7"),
        ("float", 12.3, "12.3"),
        ("whole float", 12.0, "12"),
        ("noise", 9.8, "9.8"),
        ("large", 1e22, "10000000000000000000000"),
        ("small", 1e-7, "0.0000001"),
        ("long", 123456789012345, "123456789012345"),
        ("truth", True, "true"),
        ("date", date(2024, 2, 29), "2024-02-29"),
        ("moment", datetime(2024, 2, 29, 10, 20, 30), "2024-02-29T10:20:30"),  # noqa: DTZ001
        ("midnight", datetime(2024, 2, 29), "2024-02-29T00:00:00"),  # noqa: DTZ001
        ("clock", time(10, 20), "10:20:00"),
        ("hours", timedelta(hours=26, minutes=5), "26:05:00"),
        ("error", "#N/A", "#N/A"),
        ("zeros", "0012", "0012"),
        ("formula", "=1+1", "=1+1"),
        ("blank", " ", None),
        ("none", None, None),
    ]
    path = saved(
        tmp_path / "w.xlsx", [name for name, _, _ in values] + ["end"], [v for _, v, _ in values] + ["x"]
    )
    batch = only(path)
    assert (batch.table, batch.place, batch.numbers.to_list()) == ("Orders", "Orders row {}", [2])
    assert batch.frame.columns == [name for name, _, _ in values] + ["end"]
    assert dict(zip(batch.frame.columns, batch.frame.row(0), strict=True)) == {
        **{name: text for name, _, text in values},
        "end": "x",
    }


def test_a_formula_is_its_stored_result(tmp_path: Path) -> None:
    path = saved(tmp_path / "w.xlsx", ["id", "sum"], [1, "=1+1"], [2, "=A2*3"])
    edited(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r"<f>1\+1</f><v\s*/>|<f>1\+1</f><v></v>", "<f>1+1</f><v>2</v>", xml),
    )
    assert only(path).frame["sum"].to_list() == ["2", "=A2*3"]


def test_merged_cells_are_filled_over_their_area(tmp_path: Path) -> None:
    def merge(workbook: Any) -> None:
        sheet = workbook.active
        sheet.merge_cells("A3:A5")
        sheet.merge_cells("B5:C5")
        sheet.merge_cells("A1:C1")

    path = saved(
        tmp_path / "w.xlsx",
        ["Sales by region", None, None],
        ["region", "month", "amount"],
        ["North", "2024-01", 5],
        [None, "2024-02", 6],
        [None, "none", None],
        ["South", "2024-01", 7],
        ["Total", None, 18],
        change=merge,
    )
    batch = only(path)
    assert batch.frame.columns == ["region", "month", "amount"]
    assert list(zip(batch.numbers, batch.frame.rows(), strict=True)) == [
        (3, ("North", "2024-01", "5")),
        (4, ("North", "2024-02", "6")),
        (5, ("North", "none", "none")),
        (6, ("South", "2024-01", "7")),
        (7, ("Total", None, "18")),
    ]


def test_a_header_of_two_rows_becomes_one(tmp_path: Path) -> None:
    def merge(workbook: Any) -> None:
        for area in ("A1:A2", "B1:C1", "D1:E1"):
            workbook.active.merge_cells(area)

    path = saved(
        tmp_path / "w.xlsx",
        ["Customer", "Plan", None, "Actual", None],
        [None, "Q1", "Q2", "Q1", "Q2"],
        ["Ada", 1, 2, 3, 4],
        ["Bob", 5, 6, 7, 8],
        change=merge,
    )
    batch = only(path)
    assert batch.frame.columns == ["Customer", "Plan Q1", "Plan Q2", "Actual Q1", "Actual Q2"]
    assert batch.frame.rows() == [("Ada", "1", "2", "3", "4"), ("Bob", "5", "6", "7", "8")]


def test_titles_blank_rows_and_all_sheets(tmp_path: Path) -> None:
    def sheets(workbook: Any) -> None:
        hidden = workbook.create_sheet("Rates {old}")
        hidden.append(["code", "rate"])
        hidden.append(["EUR", 1.1])
        hidden.sheet_state = "hidden"
        workbook.create_sheet("Empty")
        workbook.create_sheet("Only header").append(["a", "b"])

    path = saved(
        tmp_path / "w.xlsx",
        ["Report"],
        [],
        ["as of", "2024-01-31"],
        [],
        ["id", "name", "amount", "name"],
        [1, "x", 2.5, "p"],
        [],
        [2, "y", 3.5, None],
        change=sheets,
    )
    orders, rates, header = read_xlsx(path, tmp_path)
    assert orders.frame.columns == ["id", "name", "amount", "name.2"]
    assert orders.numbers.to_list() == [6, 8]
    assert (rates.table, rates.place, rates.frame.rows()) == (
        "Rates {old}",
        "Rates (old) (hidden) row {}",
        [("EUR", "1.1")],
    )
    assert (header.table, header.frame.columns, header.read) == ("Only header", ["a", "b"], 0)


def test_rows_come_in_batches_and_wide_ones_are_rejected(tmp_path: Path) -> None:
    rows: list[list[object]] = [[n, f"x{n}"] for n in range(300)]
    with patch.object(tables_xlsx, "BATCH_ROWS", 100):
        path = saved(tmp_path / "w.xlsx", ["id", "name"], *rows, [1, "x", None, "beyond"])
        batches = list(read_xlsx(path, tmp_path))
    assert sum(batch.frame.height for batch in batches) == 300
    assert max(batch.read for batch in batches) <= tables_xlsx._SAMPLE
    rejects = [reject for batch in batches for reject in batch.rejects]
    assert [(reject.locator, reject.reason) for reject in rejects] == [("Orders row 302", "wrong_width")]


def test_texts_that_sheets_share_are_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "w.xlsx", ["id", "name"], [1, "x"])
    edited(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace('t="inlineStr"><is><t>x</t></is>', 't="s"><v>1</v>'),
    )
    edited(
        path,
        "[Content_Types].xml",
        lambda xml: xml.replace(
            "</Types>",
            '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-'
            'officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
        ),
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(
            "xl/sharedStrings.xml",
            '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>no</t></si>'
            "<si><r><t>Zo</t></r><r><t>ë</t></r></si></sst>",
        )
    assert only(path).frame.rows() == [("1", "Zoë")]


def test_a_sheet_with_too_many_cells_is_cut(tmp_path: Path) -> None:
    path = saved(tmp_path / "w.xlsx", ["id", "name"], *[[n, "x"] for n in range(500)])
    with patch.object(tables_xlsx, "MAX_CELLS", 400):
        batches = list(read_xlsx(path, tmp_path))
    assert sum(batch.frame.height for batch in batches) == 199
    assert [(r.locator, r.reason) for b in batches for r in b.rejects] == [
        ("Orders row 201", "too_many_cells")
    ]


def refused(path: Path) -> str:
    batch = only(path)
    assert batch.frame.height == 0
    (reject,) = batch.rejects
    assert (reject.path, reject.locator) == (path.name, "file")
    return reject.reason


def test_what_is_no_workbook_is_one_reject(tmp_path: Path) -> None:
    for name, data, reason in (
        ("a.xlsx", b"", "unreadable_file"),
        ("b.xlsx", b"no zip at all", "unreadable_file"),
        ("c.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, "unsupported_format"),
        ("d.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
    ):
        (tmp_path / name).write_bytes(data)
        assert refused(tmp_path / name) == reason
    assert refused(tmp_path / "none.xlsx") == "unreadable_file"
    with zipfile.ZipFile(tmp_path / "e.xlsx", "w") as archive:
        archive.writestr("x.txt", "a zip, but no workbook")
    assert refused(tmp_path / "e.xlsx") == "unreadable_file"


def test_bombs_and_entities_are_refused(tmp_path: Path) -> None:
    bomb = saved(tmp_path / "bomb.xlsx", ["a"], [1])
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/x.xml", "w") as part:
        for _ in range(80):
            part.write(b" " * (1 << 20))
    assert refused(bomb) == "bomb"
    secret = tmp_path / "secret.txt"
    secret.write_text("do not read")
    for part in ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"):
        path = saved(tmp_path / "xxe.xlsx", ["a", "b"], ["x", "y"])
        entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'
        edited(path, part, lambda xml, entity=entity: entity + re.sub("^<\\?.*?\\?>", "", xml))  # type: ignore[misc]
        assert refused(path) == "entity_declared"
        with patch.object(tables_xlsx, "_HEAD", 0):
            assert "do not read" not in repr(list(read_xlsx(path, tmp_path)))


def test_a_cell_in_the_last_corner_costs_neither_time_nor_memory(tmp_path: Path) -> None:
    def corner(workbook: Any) -> None:
        workbook.active["XFD1048576"] = "far"

    path = saved(tmp_path / "w.xlsx", ["id", "n"], [1, 2], change=corner)
    merged = '</sheetData><mergeCells count="1"><mergeCell ref="A2:XFC1048576"/></mergeCells>'
    edited(path, "xl/worksheets/sheet1.xml", lambda xml: xml.replace("</sheetData>", merged))
    (batch,) = read_xlsx(path, tmp_path)
    assert batch.read == 2
