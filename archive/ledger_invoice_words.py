"""Where UBL and UN/CEFACT CII keep what an electronic invoice says: one table of columns and their paths.

Belongs here: both vocabularies side by side, with the names that older versions (ZUGFeRD 1) have. Does not
belong here: reading documents by them (`archive.ledger_invoice_xml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Vocabulary(NamedTuple):
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


_Table = Mapping[str, tuple[str, str]]
"""Column -> its path in UBL, its path in CII; "" where it stands elsewhere."""

_UBL_TAX = "TaxCategory|ClassifiedTaxCategory"
_TRADE = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement"
_DELIVERY = f"{_TRADE}/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery"
SETTLEMENT = f"{_TRADE}/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement"
_TOTALS = (
    f"{SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
)
DOCUMENT = "ExchangedDocument|HeaderExchangedDocument"
_NUMBER = "IssuerAssignedID|ID"
_LINE_AGREEMENT = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement"
_LINE_DELIVERY = "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery"
_LINE_SETTLEMENT = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
_RATE = "RateApplicablePercent|ApplicablePercent"
_INVOICE: _Table = {
    "profile": (
        "CustomizationID",
        "ExchangedDocumentContext|SpecifiedExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID",
    ),
    "number": ("ID", f"{DOCUMENT}/ID"),
    "type_code": ("InvoiceTypeCode|CreditNoteTypeCode", f"{DOCUMENT}/TypeCode"),
    "issue_date": ("IssueDate", f"{DOCUMENT}/IssueDateTime/DateTimeString"),
    "due_date": ("DueDate", f"{SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString"),
    "delivery_date": (
        "Delivery/ActualDeliveryDate",
        f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
    ),
    "period_start": (
        "InvoicePeriod/StartDate",
        f"{SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
    ),
    "period_end": (
        "InvoicePeriod/EndDate",
        f"{SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
    ),
    "currency": ("DocumentCurrencyCode", f"{SETTLEMENT}/InvoiceCurrencyCode"),
    "buyer_reference": ("BuyerReference", f"{_AGREEMENT}/BuyerReference"),
    "order_reference": ("OrderReference/ID", f"{_AGREEMENT}/BuyerOrderReferencedDocument/{_NUMBER}"),
    "contract_reference": (
        "ContractDocumentReference/ID",
        f"{_AGREEMENT}/ContractReferencedDocument/{_NUMBER}",
    ),
    "project_reference": ("ProjectReference/ID", f"{_AGREEMENT}/SpecifiedProcuringProject/ID"),
    "preceding_invoice": (
        "BillingReference/InvoiceDocumentReference/ID",
        f"{SETTLEMENT}/InvoiceReferencedDocument/{_NUMBER}",
    ),
    "payee_name": ("PayeeParty/PartyName/Name", f"{SETTLEMENT}/PayeeTradeParty/Name"),
    "line_net": ("LegalMonetaryTotal/LineExtensionAmount", f"{_TOTALS}/LineTotalAmount"),
    "allowances": ("LegalMonetaryTotal/AllowanceTotalAmount", f"{_TOTALS}/AllowanceTotalAmount"),
    "charges": ("LegalMonetaryTotal/ChargeTotalAmount", f"{_TOTALS}/ChargeTotalAmount"),
    "net": ("LegalMonetaryTotal/TaxExclusiveAmount", f"{_TOTALS}/TaxBasisTotalAmount"),
    "tax": ("TaxTotal/TaxAmount", f"{_TOTALS}/TaxTotalAmount"),
    "gross": ("LegalMonetaryTotal/TaxInclusiveAmount", f"{_TOTALS}/GrandTotalAmount"),
    "prepaid": ("LegalMonetaryTotal/PrepaidAmount", f"{_TOTALS}/TotalPrepaidAmount"),
    "rounding": ("LegalMonetaryTotal/PayableRoundingAmount", f"{_TOTALS}/RoundingAmount"),
    "payable": ("LegalMonetaryTotal/PayableAmount", f"{_TOTALS}/DuePayableAmount"),
}
_PARTIES: _Table = {
    "seller": ("AccountingSupplierParty/Party", f"{_AGREEMENT}/SellerTradeParty"),
    "buyer": ("AccountingCustomerParty/Party", f"{_AGREEMENT}/BuyerTradeParty"),
}
_PARTY: _Table = {
    "name": ("PartyLegalEntity/RegistrationName", "Name"),
    "trading_name": ("PartyName/Name", "SpecifiedLegalOrganization/TradingBusinessName"),
    "id": ("PartyIdentification/ID", "ID|GlobalID"),
    "street": ("PostalAddress/StreetName", "PostalTradeAddress/LineOne"),
    "address_line": ("PostalAddress/AdditionalStreetName", "PostalTradeAddress/LineTwo"),
    "city": ("PostalAddress/CityName", "PostalTradeAddress/CityName"),
    "postcode": ("PostalAddress/PostalZone", "PostalTradeAddress/PostcodeCode"),
    "country": ("PostalAddress/Country/IdentificationCode", "PostalTradeAddress/CountryID"),
    "contact": ("Contact/Name", "DefinedTradeContact/PersonName"),
    "phone": ("Contact/Telephone", "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber"),
    "email": (
        "Contact/ElectronicMail",
        "DefinedTradeContact/EmailURIUniversalCommunication/URIID|CompleteNumber",
    ),
    "endpoint": ("EndpointID", "URIUniversalCommunication/URIID"),
}
_LINES: _Table = {
    "line": ("ID", "AssociatedDocumentLineDocument/LineID"),
    "item_name": ("Item/Name", "SpecifiedTradeProduct/Name"),
    "description": ("Item/Description", "SpecifiedTradeProduct/Description"),
    "seller_item": ("Item/SellersItemIdentification/ID", "SpecifiedTradeProduct/SellerAssignedID"),
    "buyer_item": ("Item/BuyersItemIdentification/ID", "SpecifiedTradeProduct/BuyerAssignedID"),
    "standard_item": ("Item/StandardItemIdentification/ID", "SpecifiedTradeProduct/GlobalID"),
    "quantity": ("InvoicedQuantity|CreditedQuantity", f"{_LINE_DELIVERY}/BilledQuantity"),
    "unit": ("InvoicedQuantity|CreditedQuantity@unitCode", f"{_LINE_DELIVERY}/BilledQuantity@unitCode"),
    "price": ("Price/PriceAmount", f"{_LINE_AGREEMENT}/NetPriceProductTradePrice/ChargeAmount"),
    "price_quantity": ("Price/BaseQuantity", f"{_LINE_AGREEMENT}/NetPriceProductTradePrice/BasisQuantity"),
    "net": (
        "LineExtensionAmount",
        f"{_LINE_SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation"
        "|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
    ),
    "tax_category": ("Item/ClassifiedTaxCategory/ID", f"{_LINE_SETTLEMENT}/ApplicableTradeTax/CategoryCode"),
    "tax_rate": ("Item/ClassifiedTaxCategory/Percent", f"{_LINE_SETTLEMENT}/ApplicableTradeTax/{_RATE}"),
    "order_line": ("OrderLineReference/LineID", f"{_LINE_AGREEMENT}/BuyerOrderReferencedDocument/LineID"),
    "period_start": (
        "InvoicePeriod/StartDate",
        f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
    ),
    "period_end": (
        "InvoicePeriod/EndDate",
        f"{_LINE_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
    ),
    "note": ("Note", "AssociatedDocumentLineDocument/IncludedNote/Content"),
}
_TAXES: _Table = {
    "category": (f"{_UBL_TAX}/ID", "CategoryCode"),
    "rate": (f"{_UBL_TAX}/Percent", _RATE),
    "basis": ("TaxableAmount", "BasisAmount"),
    "tax": ("TaxAmount", "CalculatedAmount"),
    "exemption_reason": (f"{_UBL_TAX}/TaxExemptionReason", "ExemptionReason"),
}
_MEANS: _Table = {
    "means_code": ("PaymentMeansCode", "TypeCode"),
    "means_text": ("PaymentMeansCode@name", "Information"),
    "iban": ("PayeeFinancialAccount/ID", "PayeePartyCreditorFinancialAccount/IBANID|ProprietaryID"),
    "account_name": ("PayeeFinancialAccount/Name", "PayeePartyCreditorFinancialAccount/AccountName"),
    "bic": (
        "PayeeFinancialAccount/FinancialInstitutionBranch/ID",
        "PayeeSpecifiedCreditorFinancialInstitution/BICID",
    ),
    "payment_reference": ("PaymentID", ""),
    "mandate_reference": ("PaymentMandate/ID", ""),
    "debited_iban": ("PaymentMandate/PayerFinancialAccount/ID", "PayerPartyDebtorFinancialAccount/IBANID"),
    "due_date": ("PaymentDueDate", ""),
}
_ALLOWANCES: _Table = {
    "charge": ("ChargeIndicator", "ChargeIndicator/Indicator"),
    "reason": ("AllowanceChargeReason", "Reason"),
    "amount": ("Amount", "ActualAmount"),
    "basis": ("BaseAmount", "BasisAmount"),
    "rate": ("MultiplierFactorNumeric", "CalculationPercent"),
}
_ROWS: _Table = {
    "lines": ("InvoiceLine|CreditNoteLine", f"{_TRADE}/IncludedSupplyChainTradeLineItem"),
    "taxes": ("TaxTotal/TaxSubtotal", f"{SETTLEMENT}/ApplicableTradeTax"),
    "means": ("PaymentMeans", f"{SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans"),
    "allowances": ("AllowanceCharge", f"{SETTLEMENT}/SpecifiedTradeAllowanceCharge"),
}
"""Rows of an invoice -> the path of each."""


def _vocabulary(at: int) -> Vocabulary:
    def side(table: _Table) -> dict[str, str]:
        return {column: paths[at] for column, paths in table.items()}

    rows = side(_ROWS)
    return Vocabulary(
        invoice=side(_INVOICE),
        parties=side(_PARTIES),
        party=side(_PARTY),
        lines=rows["lines"],
        line=side(_LINES),
        taxes=rows["taxes"],
        tax=side(_TAXES),
        means=rows["means"],
        mean=side(_MEANS),
        allowances=rows["allowances"],
        allowance=side(_ALLOWANCES),
    )


UBL, CII = _vocabulary(0), _vocabulary(1)
