"""Electronic invoices in XML, UBL and UN/CEFACT CII, as rows.

Belongs here: what is read beyond single elements: parties, tax numbers, notes. Does not belong here: which
element is which column (`archive.ledger_invoice_words`), files and PDF (`archive.ledger_invoice`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from archive.gathering import joined
from archive.ledger_invoice_words import CII, DOCUMENT, SETTLEMENT, UBL, Vocabulary
from archive.xml_events import each, text_at

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

Row = dict[str, str | None]


class InvoiceRows(NamedTuple):
    """One invoice as rows of tables."""

    invoice: Row
    lines: list[Row]
    taxes: list[Row]
    means: list[Row]
    allowances: list[Row]


_BY_ROOT = {
    "Invoice": UBL,
    "CreditNote": UBL,
    "CrossIndustryInvoice": CII,
    "CrossIndustryDocument": CII,
}
_PARTY = (*UBL.party, "vat_id", "tax_number")
INVOICE_FIELDS = (
    "syntax",
    *UBL.invoice,
    "payment_terms",
    "notes",
    *(f"{prefix}_{name}" for prefix in UBL.parties for name in _PARTY),
)
LINE_FIELDS, TAX_FIELDS = tuple(UBL.line), tuple(UBL.tax)
MEANS_FIELDS, ALLOWANCE_FIELDS = tuple(UBL.mean), tuple(UBL.allowance)
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
_DATES = ("issue_date", "due_date", "delivery_date", "period_start", "period_end")


def is_invoice(root: str) -> bool:
    """Says whether a document with a root element of that local name is an electronic invoice."""
    return root in _BY_ROOT


def invoice_rows(name: str, root: _Element) -> InvoiceRows:
    """Returns the rows of an invoice document; `name` is its root's local name, one of `is_invoice`."""
    words = _BY_ROOT[name]
    invoice = _row(root, words.invoice)
    invoice["syntax"] = {"Invoice": "ubl", "CreditNote": "ubl-credit-note"}.get(name, "cii")
    for prefix, path in words.parties.items():
        party = next(each(root, path), None)
        invoice |= {f"{prefix}_{column}": value for column, value in _party(party, words).items()}
    means = [_row(found, words.mean) for found in each(root, words.means)]
    if words is CII:
        terms = f"{SETTLEMENT}/SpecifiedTradePaymentTerms"
        invoice["payment_terms"] = _texts(root, f"{terms}/Description")
        invoice["notes"] = _texts(root, f"{DOCUMENT}/IncludedNote/Content")
        for row in means:
            row["payment_reference"] = text_at(root, f"{SETTLEMENT}/PaymentReference")
            row["mandate_reference"] = text_at(root, f"{terms}/DirectDebitMandateID")
    else:
        invoice["payment_terms"] = _texts(root, "PaymentTerms/Note")
        invoice["notes"] = _texts(root, "Note")
        invoice["due_date"] = invoice["due_date"] or next((row["due_date"] for row in means), None)
    return InvoiceRows(
        invoice,
        [_row(found, words.line) for found in each(root, words.lines)],
        [_row(found, words.tax) for found in each(root, words.taxes)],
        means,
        [_row(found, words.allowance) for found in each(root, words.allowances)],
    )


def _row(element: _Element, paths: Mapping[str, str]) -> Row:
    row = {column: text_at(element, path) if path else None for column, path in paths.items()}
    for column in _DATES:
        match = _DAY.match(row.get(column) or "")
        if match:
            row[column] = "-".join(match.groups())
    return row


def _party(party: _Element | None, words: Vocabulary) -> Row:
    row: Row = {column: text_at(party, path) for column, path in words.party.items()}
    row |= {"vat_id": None, "tax_number": None}
    for number, is_vat in _registrations(party, words):
        column = "vat_id" if is_vat else "tax_number"
        row[column] = row[column] or number
    row["name"] = row["name"] or row["trading_name"]
    return row


def _registrations(party: _Element | None, words: Vocabulary) -> Iterator[tuple[str | None, bool]]:
    if party is None:
        return
    if words is CII:
        for found in each(party, "SpecifiedTaxRegistration/ID"):
            yield (found.text or "").strip() or None, found.get("schemeID", "VA") == "VA"
    else:
        for found in each(party, "PartyTaxScheme"):
            yield text_at(found, "CompanyID"), (text_at(found, "TaxScheme/ID") or "VAT").upper() == "VAT"


def _texts(root: _Element, path: str) -> str | None:
    return joined((found.text for found in each(root, path)), "\n")
