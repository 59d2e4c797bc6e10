"""SAF-T files: small invented ones in the shapes of three countries."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.batches import TableBatch
from archive.ledger_saft import read_saft

PT = """<?xml version="1.0" encoding="UTF-8"?>
<AuditFile xmlns="urn:OECD:StandardAuditFile-Tax:PT_1.04_01">
 <Header><CompanyID>PT1</CompanyID><CompanyAddress><City>Porto</City></CompanyAddress></Header>
 <MasterFiles>
  <GeneralLedgerAccounts><TaxonomyReference>S</TaxonomyReference>
   <Account><AccountID>11</AccountID><AccountDescription>Caixa</AccountDescription></Account>
   <Account><AccountID>21</AccountID><AccountDescription>Clientes</AccountDescription></Account>
  </GeneralLedgerAccounts>
  <Customer><CustomerID>C1</CustomerID><CompanyName>Invented Lda</CompanyName>
   <BillingAddress><City>Faro</City></BillingAddress><Telephone>1</Telephone></Customer>
  <Supplier><SupplierID>S1</SupplierID><CompanyName>Made Up SA</CompanyName></Supplier>
  <Product><ProductCode>P1</ProductCode></Product>
  <Assets><Asset><AssetID>A1</AssetID></Asset><Asset><AssetID>A2</AssetID></Asset></Assets>
  <TaxTable><TaxTableEntry><TaxType>IVA</TaxType><TaxPercentage>23</TaxPercentage></TaxTableEntry></TaxTable>
 </MasterFiles>
 <GeneralLedgerEntries>
  <NumberOfEntries>2</NumberOfEntries><TotalDebit>{debit}</TotalDebit><TotalCredit>15.00</TotalCredit>
  <Journal><JournalID>J1</JournalID><Description>Sales</Description>
   <Transaction><TransactionID>T1</TransactionID><Period>1</Period><TransactionDate>2024-01-02</TransactionDate>
    <Lines><DebitLine><RecordID>1</RecordID><AccountID>21</AccountID><DebitAmount>10.00</DebitAmount></DebitLine>
    <CreditLine><RecordID>2</RecordID><AccountID>11</AccountID><CreditAmount>10.00</CreditAmount></CreditLine></Lines>
   </Transaction>
   <Transaction><TransactionID>T2</TransactionID>
    <Lines><DebitLine><RecordID>1</RecordID><DebitAmount>5</DebitAmount></DebitLine>
    <CreditLine><RecordID>2</RecordID><CreditAmount>5</CreditAmount></CreditLine></Lines>
   </Transaction>
  </Journal>
 </GeneralLedgerEntries>
 <SourceDocuments>
  <SalesInvoices><NumberOfEntries>2</NumberOfEntries><TotalDebit>0</TotalDebit><TotalCredit>7.50</TotalCredit>
   <Invoice><InvoiceNo>FT 1/1</InvoiceNo><DocumentStatus><InvoiceStatus>N</InvoiceStatus></DocumentStatus>
    <CustomerID>C1</CustomerID>
    <Line><LineNumber>1</LineNumber><CreditAmount>7.50</CreditAmount></Line>
    <DocumentTotals><GrossTotal>9.22</GrossTotal></DocumentTotals></Invoice>
   <Invoice><InvoiceNo>FT 1/2</InvoiceNo><DocumentStatus><InvoiceStatus>A</InvoiceStatus></DocumentStatus>
    <Line><LineNumber>1</LineNumber><CreditAmount>99</CreditAmount></Line></Invoice>
  </SalesInvoices>
  <Payments><NumberOfEntries>1</NumberOfEntries>
   <Payment><PaymentRefNo>RC 1</PaymentRefNo><Line><LineNumber>1</LineNumber></Line></Payment></Payments>
 </SourceDocuments>
</AuditFile>"""

NO = """<n1:AuditFile xmlns:n1="urn:StandardAuditFile-Taxation-Financial:NO">
 <n1:Header><n1:AuditFileCountry>NO</n1:AuditFileCountry></n1:Header>
 <n1:MasterFiles>
  <n1:Customers><n1:Customer><n1:Name>Invented AS</n1:Name>
   <n1:Contact><n1:ContactPerson><n1:FirstName>Ada</n1:FirstName></n1:ContactPerson></n1:Contact>
   <n1:BankAccount><n1:IBANNumber>NO1</n1:IBANNumber></n1:BankAccount>
   <n1:BankAccount><n1:IBANNumber>NO2</n1:IBANNumber></n1:BankAccount>
   <n1:CustomerID>7</n1:CustomerID></n1:Customer></n1:Customers>
  <n1:AnalysisTypeTable><n1:AnalysisTypeTableEntry><n1:AnalysisID>X</n1:AnalysisID></n1:AnalysisTypeTableEntry>
  </n1:AnalysisTypeTable>
 </n1:MasterFiles>
 <n1:GeneralLedgerEntries><n1:NumberOfEntries>2</n1:NumberOfEntries><n1:TotalDebit>3.50</n1:TotalDebit>
  <n1:Journal><n1:JournalID>G</n1:JournalID><n1:Transaction><n1:TransactionID>1</n1:TransactionID>
   <n1:Line><n1:RecordID>1</n1:RecordID><n1:DebitAmount><n1:Amount>3.50</n1:Amount></n1:DebitAmount></n1:Line>
   <n1:Line><n1:RecordID>2</n1:RecordID><n1:CreditAmount><n1:Amount>3.50</n1:Amount></n1:CreditAmount></n1:Line>
  </n1:Transaction></n1:Journal></n1:GeneralLedgerEntries>
</n1:AuditFile>"""


def read(tmp_path: Path, text: str) -> dict[str, TableBatch]:
    path = tmp_path / "saft.xml"
    path.write_text(text, encoding="utf-8")
    return {batch.table: batch for batch in read_saft(path, tmp_path)}


def test_a_portuguese_file_gives_its_tables(tmp_path: Path) -> None:
    tables = read(tmp_path, PT.replace("{debit}", "15.00"))
    heights = {name: batch.frame.height for name, batch in tables.items()}
    assert heights == {
        "header": 1,
        "accounts": 2,
        "customers": 1,
        "suppliers": 1,
        "products": 1,
        "asset": 2,
        "tax_table": 1,
        "journals": 1,
        "transactions": 2,
        "journal_lines": 4,
        "sales_invoices": 2,
        "sales_invoice_lines": 2,
        "payments": 1,
        "payment_lines": 1,
        "control_checks": 6 + 1,
    }
    assert tables["customers"].frame["BillingAddress.City"].to_list() == ["Faro"]
    lines = tables["journal_lines"].frame
    assert lines["TransactionID"].to_list() == ["T1", "T1", "T2", "T2"]
    assert lines["DebitAmount"].to_list() == ["10.00", None, "5", None]
    assert tables["sales_invoice_lines"].frame["InvoiceNo"].to_list() == ["FT 1/1", "FT 1/2"]
    assert "Line" not in " ".join(tables["sales_invoices"].frame.columns)
    assert tables["transactions"].key == ("JournalID", "TransactionID")


def test_totals_are_compared_and_cancelled_documents_left_out(tmp_path: Path) -> None:
    checks = read(tmp_path, PT.replace("{debit}", "15.00"))["control_checks"]
    assert set(checks.frame["agrees"]) == {"true"}
    assert checks.rejects == ()


def test_a_total_that_differs_is_one_reject_and_no_loss(tmp_path: Path) -> None:
    tables = read(tmp_path, PT.replace("{debit}", "16.00"))
    (reject,) = tables["control_checks"].rejects
    assert (reject.locator, reject.reason) == ("GeneralLedgerEntries", "control_total_mismatch")
    assert tables["journal_lines"].frame.height == 4


def test_a_norwegian_file_reads_alike(tmp_path: Path) -> None:
    tables = read(tmp_path, NO)
    customer = tables["customers"].frame.row(0, named=True)
    assert customer["Contact.ContactPerson.FirstName"] == "Ada"
    assert (customer["BankAccount.IBANNumber"], customer["BankAccount.IBANNumber.2"]) == ("NO1", "NO2")
    assert tables["analysis_types"].frame["AnalysisID"].to_list() == ["X"]
    assert tables["journal_lines"].frame["DebitAmount.Amount"].to_list() == ["3.50", None]
    assert set(tables["control_checks"].frame["agrees"]) == {"true"}


def test_what_stands_before_a_break_is_kept(tmp_path: Path) -> None:
    tables = read(tmp_path, PT.replace("{debit}", "15.00").split("<SourceDocuments>")[0])
    assert tables["journal_lines"].frame.height == 4
    assert [one.reason for one in tables["control_checks"].rejects] == ["malformed_xml"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<other><a/></other>", "no_audit_file"),
        ("not xml", "malformed_xml"),
        ("", "malformed_xml"),
        (
            '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><AuditFile>&x;</AuditFile>',
            "entity_declared",
        ),
        ('<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><AuditFile>&y;</AuditFile>', "entity_declared"),
        ("<a>" * 100_000, "malformed_xml"),
    ],
)
def test_hostile_or_foreign_xml_is_one_reject(tmp_path: Path, text: str, reason: str) -> None:
    tables = read(tmp_path, text)
    assert [one.reason for batch in tables.values() for one in batch.rejects] == [reason]
    assert sum(batch.read for batch in tables.values()) == 1
