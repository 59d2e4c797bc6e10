"""Electronic invoices: invented ones in UBL and CII, alone and inside PDFs that the test builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.batches import TableBatch
from archive.ledger_invoice import read_invoice

UBL = """<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#xrechnung_3.0</cbc:CustomizationID>
 <cbc:ID>RE-7</cbc:ID><cbc:IssueDate>2024-03-01</cbc:IssueDate><cbc:DueDate>2024-03-31</cbc:DueDate>
 <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>first</cbc:Note><cbc:Note>second</cbc:Note>
 <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:BuyerReference>04011000-1-2</cbc:BuyerReference>
 <cac:OrderReference><cbc:ID>PO-9</cbc:ID></cac:OrderReference>
 <cac:ContractDocumentReference><cbc:ID>V-1</cbc:ID></cac:ContractDocumentReference>
 <cac:AccountingSupplierParty><cac:Party>
  <cbc:EndpointID schemeID="EM">ar@maker.example</cbc:EndpointID>
  <cac:PostalAddress><cbc:StreetName>Weg 1</cbc:StreetName><cbc:CityName>Bonn</cbc:CityName>
   <cbc:PostalZone>53111</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode>
   </cac:Country>
  </cac:PostalAddress>
  <cac:PartyTaxScheme><cbc:CompanyID>201/1</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>
  </cac:PartyTaxScheme>
  <cac:PartyTaxScheme><cbc:CompanyID>DE1</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
  </cac:PartyTaxScheme>
  <cac:PartyLegalEntity><cbc:RegistrationName>Maker GmbH</cbc:RegistrationName></cac:PartyLegalEntity>
  <cac:Contact><cbc:Name>Ada Beispiel</cbc:Name><cbc:Telephone>+49 228 1</cbc:Telephone></cac:Contact>
 </cac:Party></cac:AccountingSupplierParty>
 <cac:AccountingCustomerParty><cac:Party><cac:PartyName><cbc:Name>Buyer AG</cbc:Name></cac:PartyName>
  </cac:Party>
 </cac:AccountingCustomerParty>
 <cac:PaymentMeans><cbc:PaymentMeansCode name="SEPA">58</cbc:PaymentMeansCode>
    <cbc:PaymentID>RE-7</cbc:PaymentID>
  <cac:PayeeFinancialAccount><cbc:ID>DE02120300000000202051</cbc:ID></cac:PayeeFinancialAccount>
    </cac:PaymentMeans>
 <cac:PaymentTerms><cbc:Note>30 days</cbc:Note></cac:PaymentTerms>
 <cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>10.00</cbc:Amount>
 </cac:AllowanceCharge>
 <cac:TaxTotal><cbc:TaxAmount>36.10</cbc:TaxAmount>
  <cac:TaxSubtotal><cbc:TaxableAmount>190.00</cbc:TaxableAmount><cbc:TaxAmount>36.10</cbc:TaxAmount>
   <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>
    </cac:TaxTotal>
 <cac:LegalMonetaryTotal><cbc:LineExtensionAmount>200.00</cbc:LineExtensionAmount>
  <cbc:TaxExclusiveAmount>190.00</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount>226.10</cbc:TaxInclusiveAmount>
  <cbc:PayableAmount>226.10</cbc:PayableAmount></cac:LegalMonetaryTotal>
 <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="HUR">2</cbc:InvoicedQuantity>
  <cbc:LineExtensionAmount>120.00</cbc:LineExtensionAmount>
  <cac:Item><cbc:Name>Work</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID>
    <cbc:Percent>19</cbc:Percent>
  </cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount>60.00</cbc:PriceAmount></cac:Price>
 </cac:InvoiceLine>
 <cac:InvoiceLine><cbc:ID>2</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>
  <cbc:LineExtensionAmount>80.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Part</cbc:Name></cac:Item>
 </cac:InvoiceLine>
</ubl:Invoice>"""

CII = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:r" xmlns:ram="urn:a" xmlns:udt="urn:u">
 <rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>
    <ram:ID>urn:factur-x:en16931</ram:ID>
 </ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
 <rsm:ExchangedDocument><ram:ID>F-1</ram:ID><ram:TypeCode>380</ram:TypeCode>
  <ram:IssueDateTime><udt:DateTimeString format="102">20240301</udt:DateTimeString></ram:IssueDateTime>
 </rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID>
   </ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>Chair</ram:Name>
    </ram:SpecifiedTradeProduct>
   <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>50.00</ram:ChargeAmount>
   </ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
   <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">2</ram:BilledQuantity>
   </ram:SpecifiedLineTradeDelivery>
   <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:CategoryCode>S</ram:CategoryCode>
    <ram:RateApplicablePercent>20</ram:RateApplicablePercent></ram:ApplicableTradeTax>
    <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount>
    </ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Vendeur SA</ram:Name>
    <ram:DefinedTradeContact><ram:PersonName>Zoe Exemple</ram:PersonName><ram:EmailURIUniversalCommunication>
     <ram:URIID>zoe@vendeur.example</ram:URIID></ram:EmailURIUniversalCommunication></ram:DefinedTradeContact>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">FR1</ram:ID></ram:SpecifiedTaxRegistration>
   </ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Acheteur SA</ram:Name></ram:BuyerTradeParty>
   <ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO-1</ram:IssuerAssignedID>
    </ram:BuyerOrderReferencedDocument>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeDelivery/>
  <ram:ApplicableHeaderTradeSettlement>
   <ram:PaymentReference>F-1</ram:PaymentReference><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>
    <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>FR76</ram:IBANID>
    </ram:PayeePartyCreditorFinancialAccount>
   </ram:SpecifiedTradeSettlementPaymentMeans>
   <ram:ApplicableTradeTax><ram:CalculatedAmount>20.00</ram:CalculatedAmount>
    <ram:BasisAmount>100.00</ram:BasisAmount>
    <ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>20</ram:RateApplicablePercent>
   </ram:ApplicableTradeTax>
   <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>
    <udt:DateTimeString format="102">20240401</udt:DateTimeString>
   </ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount>
    <ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount>
    <ram:TaxTotalAmount currencyID="EUR">20.00</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>120.00</ram:GrandTotalAmount><ram:TotalPrepaidAmount>20.00</ram:TotalPrepaidAmount>
    <ram:DuePayableAmount>{payable}</ram:DuePayableAmount>
    </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>""".replace("{payable}", "100.00")

ZUGFERD_1 = (
    CII.replace("CrossIndustryInvoice", "CrossIndustryDocument")
    .replace("rsm:ExchangedDocumentContext", "rsm:SpecifiedExchangedDocumentContext")
    .replace("rsm:ExchangedDocument>", "rsm:HeaderExchangedDocument>")
    .replace("rsm:SupplyChainTradeTransaction", "rsm:SpecifiedSupplyChainTradeTransaction")
    .replace("ApplicableHeaderTrade", "ApplicableSupplyChainTrade")
    .replace("SpecifiedLineTrade", "SpecifiedSupplyChainTrade")
    .replace("HeaderMonetarySummation", "MonetarySummation")
    .replace("LineMonetarySummation", "MonetarySummation")
    .replace("RateApplicablePercent", "ApplicablePercent")
    .replace("IssuerAssignedID", "ID")
)


def pdf(path: Path, attachments: dict[str, bytes], password: str = "") -> Path:
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(width=100, height=100)
    for name, data in attachments.items():
        writer.add_attachment(name, data)
    if password:
        writer.encrypt(password)
    with path.open("wb") as file:
        writer.write(file)
    return path


def read(path: Path) -> dict[str, TableBatch]:
    return {batch.table: batch for batch in read_invoice(path, path.parent)}


def written(tmp_path: Path, text: str | bytes) -> dict[str, TableBatch]:
    path = tmp_path / "invoice.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path)


def test_a_ubl_invoice_gives_its_rows(tmp_path: Path) -> None:
    tables = written(tmp_path, UBL)
    row = tables["invoices"].frame.row(0, named=True)
    wanted = {
        "syntax": "ubl",
        "number": "RE-7",
        "type_code": "380",
        "issue_date": "2024-03-01",
        "due_date": "2024-03-31",
        "order_reference": "PO-9",
        "contract_reference": "V-1",
        "buyer_reference": "04011000-1-2",
        "notes": "first\nsecond",
        "payment_terms": "30 days",
        "seller_name": "Maker GmbH",
        "seller_vat_id": "DE1",
        "seller_tax_number": "201/1",
        "seller_city": "Bonn",
        "seller_country": "DE",
        "seller_contact": "Ada Beispiel",
        "seller_endpoint": "ar@maker.example",
        "buyer_name": "Buyer AG",
        "net": "190.00",
        "tax": "36.10",
        "gross": "226.10",
        "payable": "226.10",
    }
    assert {name: row[name] for name in wanted} == wanted
    assert tables["invoice_lines"].frame.select("line", "item_name", "quantity", "unit", "net").rows() == [
        ("1", "Work", "2", "HUR", "120.00"),
        ("2", "Part", "1", "C62", "80.00"),
    ]
    assert tables["payment_means"].frame["iban"].to_list() == ["DE02120300000000202051"]
    assert tables["invoice_taxes"].frame.select("category", "rate", "tax").rows() == [("S", "19", "36.10")]
    assert set(tables["invoice_checks"].frame["agrees"]) == {"true"}
    assert tables["invoice_checks"].frame["check"].to_list() == ["line_net", "net", "tax", "gross", "payable"]


@pytest.mark.parametrize("text", [CII, ZUGFERD_1], ids=["factur-x", "zugferd 1"])
def test_a_cii_invoice_gives_its_rows(tmp_path: Path, text: str) -> None:
    tables = written(tmp_path, text)
    row = tables["invoices"].frame.row(0, named=True)
    wanted = {
        "profile": "urn:factur-x:en16931",
        "number": "F-1",
        "issue_date": "2024-03-01",
        "due_date": "2024-04-01",
        "currency": "EUR",
        "order_reference": "PO-1",
        "seller_name": "Vendeur SA",
        "seller_vat_id": "FR1",
        "seller_contact": "Zoe Exemple",
        "seller_email": "zoe@vendeur.example",
        "gross": "120.00",
        "prepaid": "20.00",
        "payable": "100.00",
    }
    assert {name: row[name] for name in wanted} == wanted
    line = tables["invoice_lines"].frame.row(0, named=True)
    assert (line["item_name"], line["price"], line["net"], line["tax_rate"]) == (
        "Chair",
        "50.00",
        "100.00",
        "20",
    )
    means = tables["payment_means"].frame.row(0, named=True)
    assert (means["iban"], means["payment_reference"]) == ("FR76", "F-1")
    assert set(tables["invoice_checks"].frame["agrees"]) == {"true"}


def test_a_credit_note_is_an_invoice_too(tmp_path: Path) -> None:
    text = (
        UBL.replace("ubl:Invoice", "ubl:CreditNote")
        .replace("InvoiceTypeCode>380", "CreditNoteTypeCode>381")
        .replace("InvoiceTypeCode", "CreditNoteTypeCode")
        .replace("cac:InvoiceLine", "cac:CreditNoteLine")
        .replace("InvoicedQuantity", "CreditedQuantity")
    )
    tables = written(tmp_path, text)
    assert tables["invoices"].frame.select("syntax", "type_code").rows() == [("ubl-credit-note", "381")]
    assert tables["invoice_lines"].frame["quantity"].to_list() == ["2", "1"]


def test_sums_that_do_not_agree_are_told(tmp_path: Path) -> None:
    checks = written(tmp_path, UBL.replace(">80.00<", ">81.00<"))["invoice_checks"].frame
    wrong = checks.filter(checks["agrees"] == "false")
    assert wrong.select("check", "stated", "found").rows() == [("line_net", "200.00", "201.00")]


@pytest.mark.parametrize("name", ["factur-x.xml", "ZUGFeRD-invoice.xml", "xrechnung.xml", "other.xml"])
def test_the_invoice_inside_a_pdf_is_the_same_as_alone(tmp_path: Path, name: str) -> None:
    inside = read(pdf(tmp_path / "a.pdf", {"terms.txt": b"x", "more.xml": b"<a/>", name: CII.encode()}))
    alone = written(tmp_path, CII)
    assert inside["invoices"].frame.equals(alone["invoices"].frame)
    assert inside["invoice_lines"].frame.equals(alone["invoice_lines"].frame)


def test_pdfs_without_a_readable_invoice_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"\x00" * 500)
    files = {
        pdf(tmp_path / "none.pdf", {}): "no_embedded_invoice",
        pdf(tmp_path / "foreign.pdf", {"a.xml": b"<a/>"}): "no_embedded_invoice",
        pdf(tmp_path / "damaged.pdf", {"factur-x.xml": CII.encode()[:900]}): "malformed_xml",
        pdf(tmp_path / "locked.pdf", {"factur-x.xml": CII.encode()}, "secret"): "encrypted",
        tmp_path / "broken.pdf": "unreadable_file",
    }
    for path, reason in files.items():
        tables = read(path)
        assert [one.reason for batch in tables.values() for one in batch.rejects] == [reason], path.name
        assert sum(batch.read for batch in tables.values()) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a/>", "not_an_invoice"),
        ("", "malformed_xml"),
        (UBL[:400], "malformed_xml"),
        (
            '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]><Invoice><ID>&x;</ID></Invoice>',
            "entity_declared",
        ),
    ],
)
def test_what_is_no_invoice_is_one_reject(tmp_path: Path, text: str, reason: str) -> None:
    tables = written(tmp_path, text)
    (reject,) = [one for batch in tables.values() for one in batch.rejects]
    assert (reject.locator.split()[0] in ("file", "line"), reject.reason) == (True, reason)


def test_one_invoice_in_two_files_has_one_id(tmp_path: Path) -> None:
    names = {
        written(tmp_path, CII)["invoices"].frame["invoice_id"][0],
        read(pdf(tmp_path / "b.pdf", {"factur-x.xml": CII.encode()}))["invoices"].frame["invoice_id"][0],
    }
    assert len(names) == 1
