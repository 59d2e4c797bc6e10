"""Electronic invoices in XML, UBL and UN/CEFACT CII, as rows: which element is which column.

Belongs here: the two vocabularies, with the names that older versions (ZUGFeRD 1) have. Does not belong
here: files and PDF (`archive.ledger_invoice`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from archive.gathering import joined
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


class _Vocabulary(NamedTuple):
    """Where things stand in one vocabulary: column -> path."""

    invoice: Mapping[str, str]
    parties: Mapping[str, str]
    """Prefix of the party's columns -> path of the party."""
    party: Mapping[str, str]
    lines: str
    line: Mapping[str, str]
    taxes: str
    tax: Mapping[str, str]
    means: str
    mean: Mapping[str, str]
    allowances: str
    allowance: Mapping[str, str]


_UBL_TAX = "TaxCategory|ClassifiedTaxCategory"
_UBL = _Vocabulary(
    invoice={
        "profile": "CustomizationID",
        "number": "ID",
        "type_code": "InvoiceTypeCode|CreditNoteTypeCode",
        "issue_date": "IssueDate",
        "due_date": "DueDate",
        "delivery_date": "Delivery/ActualDeliveryDate",
        "period_start": "InvoicePeriod/StartDate",
        "period_end": "InvoicePeriod/EndDate",
        "currency": "DocumentCurrencyCode",
        "buyer_reference": "BuyerReference",
        "order_reference": "OrderReference/ID",
        "contract_reference": "ContractDocumentReference/ID",
        "project_reference": "ProjectReference/ID",
        "preceding_invoice": "BillingReference/InvoiceDocumentReference/ID",
        "payee_name": "PayeeParty/PartyName/Name",
        "line_net": "LegalMonetaryTotal/LineExtensionAmount",
        "allowances": "LegalMonetaryTotal/AllowanceTotalAmount",
        "charges": "LegalMonetaryTotal/ChargeTotalAmount",
        "net": "LegalMonetaryTotal/TaxExclusiveAmount",
        "tax": "TaxTotal/TaxAmount",
        "gross": "LegalMonetaryTotal/TaxInclusiveAmount",
        "prepaid": "LegalMonetaryTotal/PrepaidAmount",
        "rounding": "LegalMonetaryTotal/PayableRoundingAmount",
        "payable": "LegalMonetaryTotal/PayableAmount",
    },
    parties={"seller": "AccountingSupplierParty/Party", "buyer": "AccountingCustomerParty/Party"},
    party={
        "name": "PartyLegalEntity/RegistrationName",
        "trading_name": "PartyName/Name",
        "id": "PartyIdentification/ID",
        "street": "PostalAddress/StreetName",
        "address_line": "PostalAddress/AdditionalStreetName",
        "city": "PostalAddress/CityName",
        "postcode": "PostalAddress/PostalZone",
        "country": "PostalAddress/Country/IdentificationCode",
        "contact": "Contact/Name",
        "phone": "Contact/Telephone",
        "email": "Contact/ElectronicMail",
        "endpoint": "EndpointID",
    },
    lines="InvoiceLine|CreditNoteLine",
    line={
        "line": "ID",
        "item_name": "Item/Name",
        "description": "Item/Description",
        "seller_item": "Item/SellersItemIdentification/ID",
        "buyer_item": "Item/BuyersItemIdentification/ID",
        "standard_item": "Item/StandardItemIdentification/ID",
        "quantity": "InvoicedQuantity|CreditedQuantity",
        "unit": "InvoicedQuantity|CreditedQuantity@unitCode",
        "price": "Price/PriceAmount",
        "price_quantity": "Price/BaseQuantity",
        "net": "LineExtensionAmount",
        "tax_category": "Item/ClassifiedTaxCategory/ID",
        "tax_rate": "Item/ClassifiedTaxCategory/Percent",
        "order_line": "OrderLineReference/LineID",
        "period_start": "InvoicePeriod/StartDate",
        "period_end": "InvoicePeriod/EndDate",
        "note": "Note",
    },
    taxes="TaxTotal/TaxSubtotal",
    tax={
        "category": f"{_UBL_TAX}/ID",
        "rate": f"{_UBL_TAX}/Percent",
        "basis": "TaxableAmount",
        "tax": "TaxAmount",
        "exemption_reason": f"{_UBL_TAX}/TaxExemptionReason",
    },
    means="PaymentMeans",
    mean={
        "means_code": "PaymentMeansCode",
        "means_text": "PaymentMeansCode@name",
        "iban": "PayeeFinancialAccount/ID",
        "account_name": "PayeeFinancialAccount/Name",
        "bic": "PayeeFinancialAccount/FinancialInstitutionBranch/ID",
        "payment_reference": "PaymentID",
        "mandate_reference": "PaymentMandate/ID",
        "debited_iban": "PaymentMandate/PayerFinancialAccount/ID",
        "due_date": "PaymentDueDate",
    },
    allowances="AllowanceCharge",
    allowance={
        "charge": "ChargeIndicator",
        "reason": "AllowanceChargeReason",
        "amount": "Amount",
        "basis": "BaseAmount",
        "rate": "MultiplierFactorNumeric",
    },
)
_TRADE = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement"
_DELIVERY = f"{_TRADE}/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery"
_SETTLEMENT = f"{_TRADE}/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement"
_TOTALS = (
    f"{_SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
)
_DOCUMENT = "ExchangedDocument|HeaderExchangedDocument"
_NUMBER = "IssuerAssignedID|ID"
_LINE_AGREEMENT = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement"
_LINE_DELIVERY = "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery"
_LINE_SETTLEMENT = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
_RATE = "RateApplicablePercent|ApplicablePercent"
_CII = _Vocabulary(
    invoice={
        "profile": "ExchangedDocumentContext|SpecifiedExchangedDocumentContext"
        "/GuidelineSpecifiedDocumentContextParameter/ID",
        "number": f"{_DOCUMENT}/ID",
        "type_code": f"{_DOCUMENT}/TypeCode",
        "issue_date": f"{_DOCUMENT}/IssueDateTime/DateTimeString",
        "due_date": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
        "delivery_date": f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
        "period_start": f"{_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
        "period_end": f"{_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
        "currency": f"{_SETTLEMENT}/InvoiceCurrencyCode",
        "buyer_reference": f"{_AGREEMENT}/BuyerReference",
        "order_reference": f"{_AGREEMENT}/BuyerOrderReferencedDocument/{_NUMBER}",
        "contract_reference": f"{_AGREEMENT}/ContractReferencedDocument/{_NUMBER}",
        "project_reference": f"{_AGREEMENT}/SpecifiedProcuringProject/ID",
        "preceding_invoice": f"{_SETTLEMENT}/InvoiceReferencedDocument/{_NUMBER}",
        "payee_name": f"{_SETTLEMENT}/PayeeTradeParty/Name",
        "line_net": f"{_TOTALS}/LineTotalAmount",
        "allowances": f"{_TOTALS}/AllowanceTotalAmount",
        "charges": f"{_TOTALS}/ChargeTotalAmount",
        "net": f"{_TOTALS}/TaxBasisTotalAmount",
        "tax": f"{_TOTALS}/TaxTotalAmount",
        "gross": f"{_TOTALS}/GrandTotalAmount",
        "prepaid": f"{_TOTALS}/TotalPrepaidAmount",
        "rounding": f"{_TOTALS}/RoundingAmount",
        "payable": f"{_TOTALS}/DuePayableAmount",
    },
    parties={"seller": f"{_AGREEMENT}/SellerTradeParty", "buyer": f"{_AGREEMENT}/BuyerTradeParty"},
    party={
        "name": "Name",
        "trading_name": "SpecifiedLegalOrganization/TradingBusinessName",
        "id": "ID|GlobalID",
        "street": "PostalTradeAddress/LineOne",
        "address_line": "PostalTradeAddress/LineTwo",
        "city": "PostalTradeAddress/CityName",
        "postcode": "PostalTradeAddress/PostcodeCode",
        "country": "PostalTradeAddress/CountryID",
        "contact": "DefinedTradeContact/PersonName",
        "phone": "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber",
        "email": "DefinedTradeContact/EmailURIUniversalCommunication/URIID|CompleteNumber",
        "endpoint": "URIUniversalCommunication/URIID",
    },
    lines=f"{_TRADE}/IncludedSupplyChainTradeLineItem",
    line={
        "line": "AssociatedDocumentLineDocument/LineID",
        "item_name": "SpecifiedTradeProduct/Name",
        "description": "SpecifiedTradeProduct/Description",
        "seller_item": "SpecifiedTradeProduct/SellerAssignedID",
        "buyer_item": "SpecifiedTradeProduct/BuyerAssignedID",
        "standard_item": "SpecifiedTradeProduct/GlobalID",
        "quantity": f"{_LINE_DELIVERY}/BilledQuantity",
        "unit": f"{_LINE_DELIVERY}/BilledQuantity@unitCode",
        "price": f"{_LINE_AGREEMENT}/NetPriceProductTradePrice/ChargeAmount",
        "price_quantity": f"{_LINE_AGREEMENT}/NetPriceProductTradePrice/BasisQuantity",
        "net": f"{_LINE_SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation"
        "|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
        "tax_category": f"{_LINE_SETTLEMENT}/ApplicableTradeTax/CategoryCode",
        "tax_rate": f"{_LINE_SETTLEMENT}/ApplicableTradeTax/{_RATE}",
        "order_line": f"{_LINE_AGREEMENT}/BuyerOrderReferencedDocument/LineID",
        "period_start": f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
        "period_end": f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
        "note": "AssociatedDocumentLineDocument/IncludedNote/Content",
    },
    taxes=f"{_SETTLEMENT}/ApplicableTradeTax",
    tax={
        "category": "CategoryCode",
        "rate": _RATE,
        "basis": "BasisAmount",
        "tax": "CalculatedAmount",
        "exemption_reason": "ExemptionReason",
    },
    means=f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans",
    mean={
        "means_code": "TypeCode",
        "means_text": "Information",
        "iban": "PayeePartyCreditorFinancialAccount/IBANID|ProprietaryID",
        "account_name": "PayeePartyCreditorFinancialAccount/AccountName",
        "bic": "PayeeSpecifiedCreditorFinancialInstitution/BICID",
        "payment_reference": "",
        "mandate_reference": "",
        "debited_iban": "PayerPartyDebtorFinancialAccount/IBANID",
        "due_date": "",
    },
    allowances=f"{_SETTLEMENT}/SpecifiedTradeAllowanceCharge",
    allowance={
        "charge": "ChargeIndicator/Indicator",
        "reason": "Reason",
        "amount": "ActualAmount",
        "basis": "BasisAmount",
        "rate": "CalculationPercent",
    },
)
_BY_ROOT = {
    "Invoice": _UBL,
    "CreditNote": _UBL,
    "CrossIndustryInvoice": _CII,
    "CrossIndustryDocument": _CII,
}
_PARTY = (*_UBL.party, "vat_id", "tax_number")
INVOICE_FIELDS = (
    "syntax",
    *_UBL.invoice,
    "payment_terms",
    "notes",
    *(f"{prefix}_{name}" for prefix in _UBL.parties for name in _PARTY),
)
LINE_FIELDS, TAX_FIELDS = tuple(_UBL.line), tuple(_UBL.tax)
MEANS_FIELDS, ALLOWANCE_FIELDS = tuple(_UBL.mean), tuple(_UBL.allowance)
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
    if words is _CII:
        terms = f"{_SETTLEMENT}/SpecifiedTradePaymentTerms"
        invoice["payment_terms"] = _texts(root, f"{terms}/Description")
        invoice["notes"] = _texts(root, f"{_DOCUMENT}/IncludedNote/Content")
        for row in means:
            row["payment_reference"] = text_at(root, f"{_SETTLEMENT}/PaymentReference")
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


def _party(party: _Element | None, words: _Vocabulary) -> Row:
    row: Row = {column: text_at(party, path) for column, path in words.party.items()}
    row |= {"vat_id": None, "tax_number": None}
    for number, is_vat in _registrations(party, words):
        column = "vat_id" if is_vat else "tax_number"
        row[column] = row[column] or number
    row["name"] = row["name"] or row["trading_name"]
    return row


def _registrations(party: _Element | None, words: _Vocabulary) -> Iterator[tuple[str | None, bool]]:
    if party is None:
        return
    if words is _CII:
        for found in each(party, "SpecifiedTaxRegistration/ID"):
            yield (found.text or "").strip() or None, found.get("schemeID", "VA") == "VA"
    else:
        for found in each(party, "PartyTaxScheme"):
            yield text_at(found, "CompanyID"), (text_at(found, "TaxScheme/ID") or "VAT").upper() == "VAT"


def _texts(root: _Element, path: str) -> str | None:
    return joined((found.text for found in each(root, path)), "\n")
