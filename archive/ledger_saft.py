"""SAF-T audit files of any country: master data, general ledger and source documents, wide, names as written.

Elements are told by their local names and places, so that OECD, Portuguese, Norwegian and Luxembourgish files
read alike; a column is the path of an element below its record ("BillingAddress.City"). A file is read twice,
first for its columns. The totals that a file states of itself are compared with what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from archive.batches import TableBatch
from archive.gathering import FileFault, FoundColumns, Gatherer, Pairs
from archive.xml_events import children, flattened, forget, local_name, text_at, xml_events

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

_NAMES = {
    "Account": "accounts",
    "GeneralLedger": "accounts",
    "Customer": "customers",
    "Supplier": "suppliers",
    "TaxTableEntry": "tax_table",
    "Product": "products",
    "UOMTableEntry": "units",
    "AnalysisTypeTableEntry": "analysis_types",
    "MovementTypeTableEntry": "movement_types",
    "Owner": "owners",
    "PhysicalStockEntry": "physical_stock",
}
_DOCUMENTS = {
    "SalesInvoices": ("Invoice", "sales_invoice", "InvoiceNo"),
    "PurchaseInvoices": ("Invoice", "purchase_invoice", "InvoiceNo"),
    "Payments": ("Payment", "payment", "PaymentRefNo"),
    "MovementOfGoods": ("StockMovement", "stock_movement", "DocumentNumber"),
    "WorkingDocuments": ("WorkDocument", "work_document", "DocumentNumber"),
    "AssetTransactions": ("AssetTransaction", "asset_transaction", "AssetTransactionID"),
}
"""Section -> element of a document, its name here, its number."""
_LINES = frozenset(("Line", "DebitLine", "CreditLine", "TransactionLine"))
_LEFT = _LINES | {"Lines"}
_CANCELLED = frozenset(("A", "F"))
"""States of documents (cancelled, billed by another one) that the stated totals leave out."""
_TOLD = (
    *(
        "AuditFile",
        "Header",
        "MasterFiles",
        *_NAMES,
        "GeneralLedgerEntries",
        "Journal",
        "Transaction",
        *sorted(_LINES),
    ),
    *_DOCUMENTS,
    *sorted({document for document, _, _ in _DOCUMENTS.values()}),
)
"""Elements at whose end something is done; all others are read as parts of these."""
_STATES = "DocumentStatus/InvoiceStatus|PaymentStatus|MovementStatus|WorkStatus"
_KEYS = {
    "accounts": ("AccountID",),
    "customers": ("CustomerID",),
    "suppliers": ("SupplierID",),
    "transactions": ("JournalID", "TransactionID"),
    **{f"{name}s": (number,) for _, name, number in _DOCUMENTS.values()},
}
CHECK_COLUMNS = ("section", "check", "stated", "found", "agrees")


class _Row(NamedTuple):
    table: str
    pairs: Pairs


class _Check(NamedTuple):
    section: str
    name: str
    stated: Decimal
    found: Decimal
    agrees: bool


@dataclass
class _Totals:
    """What was read of a section."""

    records: int = 0
    lines: int = 0
    debit: Decimal = Decimal(0)
    credit: Decimal = Decimal(0)


def read_saft(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the batches of all tables of a SAF-T file; "control_checks" compares its totals.

    Where a total differs, one reject "control_total_mismatch" tells the section; its rows are kept.
    """
    found: dict[str, FoundColumns] = {}
    gatherer = Gatherer(path, base)
    try:
        for row in _rows(path):
            if isinstance(row, _Row):
                found.setdefault(row.table, FoundColumns()).see(row.pairs)
    except FileFault as fault:
        broken: FileFault | None = fault
    else:
        broken = None if found else FileFault("no_audit_file")
    for table, columns in found.items():
        key = _KEYS.get(table, ())
        gatherer.table(table, columns.names, f"{table} {{}}", key if set(key) <= set(columns.names) else ())
    gatherer.table("control_checks", CHECK_COLUMNS, "check {}", ("section", "check"))
    try:
        for row in _rows(path):
            if isinstance(row, _Row):
                gatherer.add(row.table, found[row.table].cells(row.pairs))
            else:
                _add_checks(gatherer, row)
            yield from gatherer.full()
    except FileFault as fault:
        broken = fault
    if broken is not None:
        gatherer.reject_file("control_checks", broken)
    yield from gatherer.rest()


def _add_checks(gatherer: Gatherer, checks: list[_Check]) -> None:
    wrong = [check for check in checks if not check.agrees]
    for check in checks:
        agrees = "true" if check.agrees else "false"
        cells = [check.section, check.name, format(check.stated, "f"), format(check.found, "f"), agrees]
        gatherer.add("control_checks", cells)
    if wrong:
        data = "".join(f"{check.name} {check.stated} {check.found}\n" for check in wrong).encode()
        gatherer.reject("control_checks", wrong[0].section, data, "control_total_mismatch")


def _rows(path: Path) -> Iterator[_Row | list[_Check]]:
    """Yields records as they end, and the checks of a section as it ends; memory holds one record."""
    totals = _Totals()
    for step in xml_events(path, _TOLD):
        if not step.ends:
            continue
        element = step.element
        stack = [local_name(above) for above in (element, *element.iterancestors())][::-1]
        section = stack[1] if len(stack) > 1 else ""
        if section == "Header" and len(stack) == 2:
            yield _Row("header", flattened(element))
            forget(element)
        elif section == "MasterFiles":
            yield from _masters(stack, element)
        elif section == "GeneralLedgerEntries":
            yield from _ledger(stack, element, totals)
        elif section == "SourceDocuments" and len(stack) > 2 and stack[2] in _DOCUMENTS:
            yield from _documents(stack, element, totals)
        if stack[1:] == ["GeneralLedgerEntries"] or (section == "SourceDocuments" and len(stack) == 3):
            checks = _checks(step.name, element, totals)
            if checks:
                yield checks
            totals = _Totals()
            forget(element)


def _masters(stack: list[str], element: _Element) -> Iterator[_Row]:
    """Yields a record of master data, and at their end those whose elements have no known name."""
    if len(stack) == 2:
        for name, child in children(element):
            records = children(child) if _is_list(name) else [(name, child)]
            yield from (_master(found, record) for found, record in records if len(record))
        forget(element)
    elif len(stack) == (4 if _is_list(stack[2]) else 3):
        if len(element):
            yield _master(stack[-1], element)
        forget(element)


def _master(name: str, element: _Element) -> _Row:
    return _Row(_NAMES.get(name, _snake(name)), flattened(element))


def _is_list(name: str) -> bool:
    """Says whether an element of master data holds records: Customers, TaxTable."""
    return name.endswith(("s", "Table")) or name == "PhysicalStock"


def _ledger(stack: list[str], element: _Element, totals: _Totals) -> Iterator[_Row]:
    if stack[2:4] == ["Journal", "Transaction"] and _is_line(stack, 5):
        head = [("JournalID", _above(element, "Journal", "JournalID"))]
        head.append(("TransactionID", _above(element, "Transaction", "TransactionID")))
        _count(element, totals, counted=True)
        yield _Row("journal_lines", [*head, *_others(element, ("JournalID", "TransactionID"))])
        forget(element)
    elif stack[2:] == ["Journal", "Transaction"]:
        totals.records += 1
        journal = ("JournalID", _above(element, "Journal", "JournalID"))
        yield _Row("transactions", [journal, *_others(element, ("JournalID",))])
        forget(element)
    elif stack[2:] == ["Journal"]:
        yield _Row("journals", flattened(element))
        forget(element)


def _documents(stack: list[str], element: _Element, totals: _Totals) -> Iterator[_Row]:
    document, name, number = _DOCUMENTS[stack[2]]
    if stack[3:4] == [document] and _is_line(stack, 5):
        owner = next(found for found in element.iterancestors() if local_name(found) == document)
        _count(element, totals, counted=text_at(owner, _STATES) not in _CANCELLED)
        yield _Row(f"{name}_lines", [(number, text_at(owner, number)), *_others(element, (number,))])
        forget(element)
    elif stack[3:] == [document]:
        totals.records += 1
        yield _Row(f"{name}s", flattened(element, _LEFT))
        forget(element)


def _is_line(stack: list[str], depth: int) -> bool:
    """Says whether the element is a line of the record above, directly or inside a list of lines."""
    if stack[-1] not in _LINES:
        return False
    return len(stack) == depth or (len(stack) == depth + 1 and stack[-2] == "Lines")


def _above(element: _Element, name: str, number: str) -> str | None:
    for found in element.iterancestors():
        if local_name(found) == name:
            return text_at(found, number)
    return None


def _others(element: _Element, taken: tuple[str, ...]) -> list[tuple[str, str | None]]:
    return [pair for pair in flattened(element, _LEFT) if pair[0] not in taken]


def _count(element: _Element, totals: _Totals, *, counted: bool) -> None:
    totals.lines += 1
    if not counted:
        return
    debit, credit = (_amount(element, f"{side}Amount") for side in ("Debit", "Credit"))
    if debit is None and credit is None:
        plain = _amount(element, "InvoiceLineAmount") or Decimal(0)
        credited = (text_at(element, "DebitCreditIndicator") or "").upper().startswith("C")
        debit, credit = (None, plain) if credited else (plain, None)
    totals.debit += debit or 0
    totals.credit += credit or 0


def _amount(element: _Element, name: str) -> Decimal | None:
    return _number(text_at(element, name) or text_at(element, f"{name}/Amount"))


def _number(text: str | None) -> Decimal | None:
    try:
        number = Decimal(text or "")
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < 10**20 else None


def _checks(section: str, element: _Element, totals: _Totals) -> list[_Check]:
    """The totals that a section states; entries may count records or lines, as countries differ."""
    stated = {name: _number(child.text) for name, child in children(element) if not len(child)}
    checks = []
    for name, found in (
        ("NumberOfEntries", (totals.records, totals.lines)),
        ("NumberOfMovementLines", (totals.lines,)),
        ("TotalDebit", (totals.debit,)),
        ("TotalCredit", (totals.credit,)),
    ):
        told = stated.get(name)
        if told is not None:
            checks.append(_Check(section, name, told, Decimal(found[0]), told in found))
    return checks


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
