"""What a text is: mail, JSON, XML, a bank statement, a ledger export or a table, told by its first bytes.

Belongs here: forms of text and of their records. Does not belong here: signatures and compression
(`archive.sniffing`), reading (the modules named after the formats).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from typing import Any, NamedTuple


class Form(NamedTuple):
    """A recognised form: the reader's name (empty where there is none), the reason, how sure it is."""

    format: str
    why: str
    confidence: float
    header: tuple[str, ...] = ()


_MAIL_HEADERS = frozenset(
    (
        "from to cc bcc subject date message-id received return-path mime-version content-type reply-to "
        "sender delivered-to in-reply-to references content-transfer-encoding x-mailer importance "
        "dkim-signature x-from x-to list-id resent-from envelope-to"
    ).split()
)
_STRONG_HEADERS = frozenset(
    "from message-id received return-path mime-version delivered-to date x-from envelope-to".split()
)
_HEADER = re.compile(rb"([!-9;-~]{1,76}):(?:[ \t]|$|.)")
_MBOX = re.compile(rb"(?:\xef\xbb\xbf)?\s*From [^\n:]*(?:\d\d?:\d\d[^\n]*)?\n(?:>?[A-Za-z][!-9;-~]*:|\r?\n)")
_MT940 = re.compile(rb"^:20:.*?^:25:.*?^:(?:60[FM]|28C?|34F|13D?):", re.MULTILINE | re.DOTALL)
_SWIFT = re.compile(rb"^[^\n]{0,120}\n(?:[^\n]{0,120}\n){0,8}?:20:|^\s*:20:|^\{1:F01")
_SINGLE_MAIL = (".eml", ".emlx", ".mht")
_LABELLED = re.compile(r"#begin document|# (?:newdoc|sent_id|text) ?=")
_DATEV = re.compile(rb"^(?:\xef\xbb\xbf)?\"?(?:EXTF|DTVF)\"?;")
_XML_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_DELIMITERS = ("+|", ",", ";", "\t", "|", "~")
_TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".psv")
_PROSE_SUFFIXES = (".md", ".markdown", ".rst", ".html", ".htm", ".adoc")
_MAX_HEADER = 120


def text_form(head: bytes, name: str, whole: bool) -> Form:
    """Returns the form of text content.

    Args:
        head: the first bytes of the content.
        name: the file's name, which decides only where content leaves it open.
        whole: whether `head` is all of the content.
    """
    suffix = "." + name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if _DATEV.match(head):
        return Form("datev", "the first record of a DATEV export (EXTF)", 1.0)
    if _MBOX.match(head):
        if suffix in _SINGLE_MAIL and b"\n\nFrom " not in head:
            return Form("eml", "one mail with an mbox line before it", 0.8)
        return Form("mbox", 'begins with an mbox line "From ..." and mail headers', 0.98)
    if _MT940.search(head[:65536]) and _SWIFT.match(head):
        return Form("mt940", "fields :20:, :25: and a balance of a bank statement (MT940)", 0.98)
    mail = _mail_form(head, suffix)
    if mail is not None:
        return mail
    if head.startswith(b"BEGIN:VCALENDAR") or head.startswith(b"BEGIN:VCARD"):
        return Form("", "a calendar or address book by itself", 0.9)
    text = _decoded(head, whole)
    if text is None:
        return Form("", "no text in any known encoding", 0.4)
    plain = text.lstrip("\ufeff \t\r\n")
    if suffix in (".conll", ".conllu") or _LABELLED.match(plain):
        return Form("", "words with labels (CoNLL): a label set, no archive", 0.9)
    if plain.startswith("<") and not plain.lower().startswith(("<!doctype html", "<html")):
        form = _xml_form(plain)
        if form is not None:
            return form
    if plain.startswith(("{", "[")):
        form = _json_form(plain, whole)
        if form is not None:
            return form
    if suffix in _PROSE_SUFFIXES or plain.startswith("<"):
        return Form("", "a page or text by itself", 0.6)
    return _table_form(text, suffix, whole)


def _mail_form(head: bytes, suffix: str) -> Form | None:
    """Takes a block of headers at the start for a mail, where enough of them are those of mails."""
    known: Counter[str] = Counter()
    lines = others = 0
    for line in head[:65536].lstrip(b"\xef\xbb\xbf\r\n\t ").splitlines()[:200]:
        if not line.strip():
            break
        if line[:1] in b" \t" and lines:
            continue
        match = _HEADER.match(line)
        if match is None:
            others += 1
            if others > max(1, lines // 4):
                break
            continue
        lines += 1
        header = match[1].decode("ascii").lower()
        if header in _MAIL_HEADERS:
            known[header] += 1
    strong = _STRONG_HEADERS & set(known)
    if len(known) >= 3 and strong:
        return Form("eml", f"{len(known)} mail headers at the start", 0.98 if len(strong) > 1 else 0.85)
    if len(known) == 2 and strong and others == 0:
        return Form("eml", "two mail headers at the start", 0.7)
    if known and suffix in _SINGLE_MAIL:
        return Form("eml", "a mail header at the start and the ending of a mail", 0.7)
    return None


def _decoded(head: bytes, whole: bool) -> str | None:
    """Returns text, the last broken character of a cut head left away; None for what is no text."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head[: len(head) // 2 * 2].decode("utf-16", "replace")
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not whole and error.start > len(head) - 4:
            return head[: error.start].decode("utf-8-sig")
    odd = sum(byte < 32 and byte not in (9, 10, 12, 13) for byte in head[:65536])
    return None if odd > len(head[:65536]) // 100 else head.decode("cp1252", "replace")


def _xml_form(text: str) -> Form | None:
    start = text[:8192]
    body = re.sub(r"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>", "", start, flags=re.DOTALL)
    match = _XML_ROOT.match(body.lstrip())
    if match is None:
        return None
    root = match[1]
    if root == "AuditFile":
        return Form("saft", "the root element of SAF-T (AuditFile)", 1.0)
    if root in ("CrossIndustryInvoice", "CrossIndustryDocument"):
        return Form("einvoice", f"the root element of an electronic invoice ({root})", 1.0)
    if root in ("Invoice", "CreditNote") and "urn:oasis:names:specification:ubl" in start:
        return Form("einvoice", f"the root element of an electronic invoice (UBL {root})", 1.0)
    if root == "log" and ("xes" in start.lower() or "<trace" in start or "concept:name" in start):
        return Form("xes", "the root element of an XES event log", 1.0)
    if root == "log" and ("<object-types" in text or "<objects" in text or "<events" in text):
        return Form("ocel", "an OCEL event log in XML", 0.95)
    return Form("", f"XML of a kind that nothing here reads (root {root})", 0.8)


def _json_form(text: str, whole: bool) -> Form | None:
    """Tells JSON by its first record: one object a line, a list, or a list within an object."""
    decoder = json.JSONDecoder()
    try:
        value, end = decoder.raw_decode(text)
    except ValueError:
        return _cut_json_form(text, decoder)
    except RecursionError:
        return Form("", "JSON nested too deep", 0.9)
    rest = text[end:].lstrip()
    if isinstance(value, dict) and rest.startswith("{"):
        return record_form(value, lines=True)
    if rest:
        return None
    if isinstance(value, list):
        records = [item for item in value[:50] if isinstance(item, dict)]
        return record_form(records[0], lines=False) if records else Form("", "JSON without records", 0.8)
    return _object_form(value) if isinstance(value, dict) else None


def _object_form(value: dict[str, Any]) -> Form:
    if "$schema" in value:
        return Form("", "a JSON schema: it describes data", 0.9)
    if {"eventTypes", "objectTypes"} <= set(value) or any(key.startswith("ocel:") for key in value):
        return Form("ocel", "an OCEL event log in JSON", 1.0)
    for key in value:
        held = value[key]
        if isinstance(held, list) and held and isinstance(held[0], dict):
            return record_form(held[0], lines=False, within=key)
    return record_form(value, lines=True)


def _cut_json_form(text: str, decoder: json.JSONDecoder) -> Form | None:
    """Tells JSON that is longer than the head by the first object that ends within it."""
    if re.match(r"\{\s*\"(?:eventTypes|objectTypes|ocel:)", text):
        return Form("ocel", "an OCEL event log in JSON", 1.0)
    for match in re.finditer(r"(?:^|\"(\w+)\"\s*:\s*)\[\s*(?=\{)", text[:65536]):
        try:
            value, _ = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return record_form(value, lines=False, within=match[1] or "")
    return None


def record_form(record: dict[str, Any], lines: bool, within: str = "") -> Form:
    """Returns the form that the fields of one JSON record tell."""
    keys = set(record)
    header = tuple(str(key) for key in record)
    for name, needed, told in _RECORDS:
        if needed <= keys:
            return Form(name, f"JSON records with {told}", 0.97, header)
    if isinstance(record.get("fields"), dict) and "key" in keys:
        return Form(
            "jira-json", "JSON records with key and fields, as Jira's REST interface gives", 0.97, header
        )
    if "ticket" in within or (within in ("users", "organizations") and "external_id" in keys):
        return Form("zendesk", f"a Zendesk export ({within})", 0.85, header)
    if {"spans", "full_text"} <= keys or {"entities", "text"} <= keys or {"labels", "text"} <= keys:
        return Form("", "texts with labelled spans: a label set, no archive", 0.9)
    place = f" within {within!r}" if within else ""
    return Form(
        "jsonl", f"{'one JSON object a line' if lines else 'a list of JSON objects'}{place}", 0.9, header
    )


_RECORDS: tuple[tuple[str, frozenset[str], str], ...] = (
    (
        "github",
        frozenset(("html_url", "number", "user", "title")),
        "number, title, user and html_url (GitHub)",
    ),
    ("github", frozenset(("repository_url", "number", "user")), "number, user and repository_url (GitHub)"),
    (
        "freshdesk",
        frozenset(("requester_id", "responder_id", "status")),
        "requester_id and responder_id (Freshdesk)",
    ),
    (
        "zendesk",
        frozenset(("requester_id", "submitter_id", "status")),
        "requester_id and submitter_id (Zendesk)",
    ),
    ("servicenow", frozenset(("sys_id", "number", "sys_created_on")), "sys_id and number (ServiceNow)"),
)
_TABLES: tuple[tuple[str, frozenset[str], str], ...] = (
    ("jira-csv", frozenset(("issue key", "summary", "status")), "Issue key, Summary and Status (Jira)"),
    (
        "servicenow",
        frozenset(("number", "incident_state", "sys_created_by")),
        "number and incident_state (ServiceNow)",
    ),
    ("servicenow", frozenset(("number", "sys_id", "sys_created_on")), "number and sys_id (ServiceNow)"),
    (
        "freshdesk",
        frozenset(("ticket id", "subject", "requester email")),
        "Ticket ID and Requester Email (Freshdesk)",
    ),
    ("mail-csv", frozenset(("file", "message")), "file and message, as the Enron dump has them"),
    ("mail-csv", frozenset(("from", "to", "subject", "body")), "From, To, Subject and Body"),
)


def _table_form(text: str, suffix: str, whole: bool) -> Form:
    """Takes text for a table where most of its records are equally wide and the first one names columns."""
    lines = text.splitlines()
    if not whole and len(lines) > 1:
        lines = lines[:-1]
    named = suffix in _TABLE_SUFFIXES
    best = ","
    share, width = 0.0, 1
    for delimiter in _DELIMITERS:
        widths = _widths(lines[:200], delimiter)
        if len(widths) < (1 if named else 3):
            continue
        common, count = Counter(widths).most_common(1)[0]
        agreeing = count / len(widths)
        if common > 1 and (agreeing, common) > (share if width > 1 else 0.0, width):
            best, share, width = delimiter, agreeing, common
    header = tuple(_record(lines[0], best)) if lines else ()
    if width < 2:
        told = named and len(lines) >= 1 and len(lines[0]) <= _MAX_HEADER
        return Form("csv", "the ending of a table, with one column", 0.6, header) if told else _PROSE
    names = [cell.strip() for cell in header]
    plausible = len({*names} - {""}) >= len(names) * 0.6 and all(len(name) <= _MAX_HEADER for name in names)
    if not (named or (share >= 0.9 and plausible and len(lines) >= 3)):
        return _PROSE
    lowered = {name.lower().lstrip("\ufeff") for name in names}
    for reader, needed, columns in _TABLES:
        if needed <= lowered:
            return Form(reader, f"a table with the columns {columns}", 0.95, header)
    shown = "tab" if best == "\t" else best
    return Form(
        "csv", f"{width} columns parted by {shown!r} in {share:.0%} of the lines", min(0.95, share), header
    )


_PROSE = Form("", "text of no form that anything here reads", 0.5)


def _widths(lines: list[str], delimiter: str) -> list[int]:
    if len(delimiter) > 1:
        return [line.count(delimiter) + 1 for line in lines if line.strip()]
    widths = []
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
    try:
        widths = [len(row) for row in reader if row]
    except csv.Error:
        return []
    return widths


def _record(line: str, delimiter: str) -> list[str]:
    if len(delimiter) > 1:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []
