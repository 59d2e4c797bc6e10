"""Electronic invoices as files: XRechnung, PEPPOL (UBL), ZUGFeRD, Factur-X (CII), alone or inside a PDF.

Belongs here: finding the invoice of a file and its sums. What its elements mean stands in
`archive.ledger_invoice_xml`. Invoices whose sums do not agree are kept; table "invoice_checks" tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from archive.batches import TableBatch
from archive.gathering import FileFault, Gatherer
from archive.identifiers import derived_id
from archive.ledger_invoice_xml import (
    ALLOWANCE_FIELDS,
    INVOICE_FIELDS,
    LINE_FIELDS,
    MEANS_FIELDS,
    TAX_FIELDS,
    InvoiceRows,
    Row,
    invoice_rows,
    is_invoice,
)
from archive.xml_events import xml_events

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

MAX_FILE = 128 * 1024 * 1024
"""Bytes of one invoice file, which is read whole."""
ATTACHMENTS = (
    "factur-x.xml",
    "zugferd-invoice.xml",
    "xrechnung.xml",
    "cii.xml",
    "ubl.xml",
)
"""Names under which a PDF holds its invoice; of other attachments the first that is an invoice counts."""
_MAX_ATTACHMENTS = 100
_TABLES = {
    "invoices": INVOICE_FIELDS,
    "invoice_lines": LINE_FIELDS,
    "invoice_taxes": TAX_FIELDS,
    "payment_means": MEANS_FIELDS,
    "invoice_allowances": ALLOWANCE_FIELDS,
    "invoice_checks": ("check", "stated", "found", "agrees"),
}


def read_invoice(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of the invoice in an XML or PDF file, one batch per table.

    A file that holds none is one reject: "not_an_invoice", "no_embedded_invoice", or why it cannot be read.
    """
    gatherer = Gatherer(path, base)
    for name, columns in _TABLES.items():
        key = ("invoice_id",) if name == "invoices" else ()
        gatherer.table(name, ("invoice_id", *columns), f"{name} {{}}", key)
    try:
        if path.stat().st_size > MAX_FILE:
            raise FileFault("too_large")
        _add(gatherer, _invoice(path))
    except FileFault as fault:
        gatherer.reject_file("invoices", fault)
    except OSError:
        gatherer.reject_file("invoices", FileFault("unreadable_file"))
    yield from gatherer.rest()


def _invoice(path: Path) -> InvoiceRows:
    with path.open("rb") as stream:
        is_pdf = b"%PDF-" in stream.read(1024)
    if not is_pdf:
        name, root = _document(path)
        if not is_invoice(name):
            raise FileFault("not_an_invoice")
        return invoice_rows(name, root)
    fault = FileFault("no_embedded_invoice")
    for data in _attachments(path):
        try:
            name, root = _document(data)
        except FileFault as broken:
            fault = broken
            continue
        if is_invoice(name):
            return invoice_rows(name, root)
    raise fault


def _document(source: Path | bytes) -> tuple[str, _Element]:
    """The root of a whole document and its local name."""
    name, root = "", None
    for step in xml_events(source):
        name, root = step.name, step.element
    if root is None:
        raise FileFault("malformed_xml")
    return name, root


def _attachments(path: Path) -> list[bytes]:
    """The XML files that a PDF holds, those with the names of the standards first."""
    from pypdf import PdfReader

    found: list[tuple[int, str, bytes]] = []
    try:
        with PdfReader(path) as reader:
            if reader.is_encrypted and not reader.decrypt(""):
                raise FileFault("encrypted")
            for number, (name, contents) in enumerate(reader.attachments.items()):
                if number >= _MAX_ATTACHMENTS or not name.lower().endswith(".xml"):
                    continue
                plain = name.lower()
                rank = ATTACHMENTS.index(plain) if plain in ATTACHMENTS else len(ATTACHMENTS)
                found.extend((rank, name, data) for data in contents)
    except FileFault:
        raise
    except Exception:
        raise FileFault("unreadable_file") from None
    return [data for _, _, data in sorted(found, key=lambda one: one[:2])]


def _add(gatherer: Gatherer, rows: InvoiceRows) -> None:
    head = rows.invoice
    seller = head["seller_vat_id"] or head["seller_tax_number"] or head["seller_id"] or head["seller_name"]
    invoice = derived_id("i", seller or "", head["number"] or "", head["issue_date"] or "")
    gatherer.add("invoices", [invoice, *(head.get(name) for name in INVOICE_FIELDS)])
    listed = {
        "invoice_lines": rows.lines,
        "invoice_taxes": rows.taxes,
        "payment_means": rows.means,
        "invoice_allowances": rows.allowances,
    }
    for table, found in listed.items():
        for row in found:
            gatherer.add(table, [invoice, *(row.get(name) for name in _TABLES[table])])
    for check, told, given in _checks(rows):
        agrees = "true" if told == given else "false"
        gatherer.add("invoice_checks", [invoice, check, format(told, "f"), format(given, "f"), agrees])


def _checks(rows: InvoiceRows) -> Iterator[tuple[str, Decimal, Decimal]]:
    """Yields (check, what the invoice states, what its parts give) for what it states."""
    head = rows.invoice
    sides = {"true": Decimal(0), "false": Decimal(0)}
    for row in rows.allowances:
        sides["true" if (row["charge"] or "").lower() == "true" else "false"] += _number(row["amount"])
    parts = {
        "line_net": _sum(rows.lines, "net"),
        "net": _number(head["line_net"]) - sides["false"] + sides["true"],
        "tax": _sum(rows.taxes, "tax"),
        "gross": _number(head["net"]) + _number(head["tax"]),
        "payable": _number(head["gross"]) - _number(head["prepaid"]) + _number(head["rounding"]),
    }
    for name, found in parts.items():
        if head[name] is not None and not (name == "line_net" and not rows.lines):
            yield name, _number(head[name]), found


def _sum(rows: Iterable[Row], column: str) -> Decimal:
    return sum((_number(row[column]) for row in rows), Decimal(0))


def _number(text: str | None) -> Decimal:
    try:
        number = Decimal(text or "0")
    except InvalidOperation:
        return Decimal(0)
    return number if number.is_finite() and abs(number) < 10**18 else Decimal(0)
