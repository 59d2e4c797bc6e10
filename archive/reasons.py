"""Why something is in quarantine or was not read, in words a person can act on.

Belongs here: the closed lists of reasons that readers give. The places of what is in quarantine stand in the
table `quarantine`, attachments that were kept without their text in the column `fault` of `attachments`.
"""

from __future__ import annotations

REASONS: dict[str, str] = {
    # messages
    "empty": "nothing is there: no message to miss",
    "no_headers": "no mail: it has no From, To, Subject, Date or Message-ID",
    "no_content": "headers without subject, text or attachment",
    "not_mail": "a member of a packed export that holds no mail",
    "no_mail_columns": "a table without columns for sender, subject or text: is it a mail dump?",
    "too_large": "larger than one unit may be: deliver it in pieces",
    "too_nested": "parts nested deeper than any mail program writes",
    "too_many_parts": "more parts than any mail program writes",
    "headers_too_long": "more header lines than any mail program writes",
    # tables
    "wrong_width": "another number of cells than the header: look for unquoted separators",
    "repeated_header": "the header again: exports that were joined",
    "unclosed_quote": "a quote that is never closed",
    "unreadable_record": "no record of this dialect",
    "line_too_long": "a line longer than a record may be",
    "too_many_cells": "more cells than a record may have",
    "too_many_columns": "more columns than a table may have",
    "no_header": "a file without the header that its format has",
    # JSON and tickets
    "broken_json": "no complete JSON: often a cut-off download",
    "malformed_json": "no JSON of this format",
    "no_object": "JSON that is no object",
    "too_deep": "nested deeper than is read",
    "no_key": "no key that tells which ticket or record it is",
    "no_issue_key": "a file without the column 'Issue key'",
    "no_fields": "an issue without fields",
    "no_ticket": "stands beside tickets and names none of them",
    # ledgers, invoices, event logs
    "bad_date": "a date that the format does not know",
    "date_outside_period": "a date outside the period that the file states",
    "control_total_mismatch": "rows do not add up to the total that the file states; the rows are kept",
    "malformed_xml": "no well-formed XML",
    "entity_declared": "XML that declares entities, which are never expanded",
    "no_single_document": "several documents in one file",
    "no_datev_header": "no DATEV meta line",
    "no_audit_file": "no SAF-T audit file",
    "no_statement": "no bank statement",
    "not_an_invoice": "no invoice in UBL or CII",
    "no_embedded_invoice": "a PDF without an invoice inside",
    "no_event_log": "no event log",
    # files
    "not_a_plain_file": "a pipe, a device, a missing file, a linked folder, or a link that leads out",
    "unreadable_file": "the file cannot be opened: check permissions and deliver it again",
    "unsupported_format": "a format that is not read: save it as the newer one (.xls as .xlsx)",
    "reader_failed": "the reader gave up on it: report it with the file's hash",
    # withheld
    "erased": "sent by a person who was erased: it stays out of every later batch",
    "retention_ended": "older than its source may be kept",
    # packed files
    "bomb": "expands to far more than it should: never unpacked",
    "encrypted": "protected by a password: deliver it without",
    "unreadable": "damaged: deliver it again",
    "unsafe_path": "a member whose name leads out of the archive",
    "unsupported": "packed in a way that is not read",
    "too_many_members": "more members than are read",
}
"""Reason -> what it means, and what to do where something can be done."""

ATTACHMENT_FAULTS: dict[str, str] = {
    "too_large": "longer than an attachment that is opened",
    "bomb": "expands to far more than it should: never unpacked",
    "encrypted": "protected by a password",
    "unreadable": "damaged, or not what its name says",
    "unsafe_path": "a packed file with a member whose name leads out of it",
    "unsafe_xml": "XML that declares entities, which are never expanded",
    "too_deep": "packed files or mails deeper in one another than is read",
    "too_many_members": "more members than are read",
    "no_text": "pages without text, such as a scan",
    "unsupported": "a format that is not read, such as old binary Office files",
    "cut": "text beyond the bound, marked where it was cut",
}
"""Fault of an attachment -> what it means; the file is kept with its name, size and hash all the same."""
