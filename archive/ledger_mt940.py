"""Bank statements in MT940 and MT942: statements, their entries, and what the statements' own sums say.

Belongs here: messages and their fields in the dialects of banks. What stands in field 86 of an entry (who
paid what for) is read in `archive.ledger_mt940_details`. Amounts get a decimal point and a sign: money that
leaves the account is negative. Rows whose sums do not agree are kept; table "statement_checks" tells.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from archive.batches import TableBatch
from archive.gathering import FileFault, Gatherer, bounded_lines, decoded_text, point_decimal
from archive.identifiers import content_digest, row_id
from archive.ledger_mt940_details import DETAIL_COLUMNS, entry_details
from contracts.canonical import canonical_bytes

MAX_STATEMENT = 32 * 1024 * 1024
"""Bytes of one statement; a longer one is rejected."""
MAX_FIELD = 64 * 1024
STATEMENT_COLUMNS = (
    "statement_id",
    "reference",
    "related_reference",
    "account",
    "statement_number",
    "sequence_number",
    "currency",
    "opening_date",
    "opening_balance",
    "closing_date",
    "closing_balance",
    "available_balance",
    "created_at",
    "entries",
    "details",
)
ENTRY_COLUMNS = (
    "entry_id",
    "statement_id",
    "account",
    "value_date",
    "entry_date",
    "mark",
    "amount",
    "currency",
    "type",
    "customer_reference",
    "bank_reference",
    "supplement",
    "details",
    *DETAIL_COLUMNS,
)
CHECK_COLUMNS = ("statement_id", "account", "check", "stated", "found", "agrees")
_BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?[\x00-\x1f]*(?:[^\r\n]{0,400}\{4:)?:20:")
"""Where a statement begins: perhaps behind control characters or its envelope."""
_ENVELOPE = re.compile(r"[\x00-\x1f]*(?:.{0,400}\{4:)?(?=:\d\d)")
_BROKEN_TAG = re.compile(r"^:(?:\r\n|\r|\n)(?=\d\d[A-Z]?:)", re.MULTILINE)
_TAG = re.compile(r":(13D?|20|21|25P?|28C?|34F?|60[FM]?|61|62[FM]?|64|65|86|90[CD]?|NS):(.*)", re.DOTALL)
_ANY_TAG = re.compile(r":(\d\d[A-Z]?):(.*)", re.DOTALL)
"""A field that is not known here; inside details, which may hold anything, only known fields are."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_END = re.compile(r"-(?:\}.*|X*|\s*)$")
_BALANCE = re.compile(r"\s*([DC])(\d{6})([A-Z]{3})\s*([\d.,]*)", re.IGNORECASE)
_SUM = re.compile(r"\s*(\d*)([A-Z]{3})([\d.,]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d+)(?:/(\d+))?")
_LENIENT = re.compile(
    r"(?P<year>\d\d)(?P<month>\d\d)(?P<day>\d\d)(?:(?P<entry_month>\d\d)(?P<entry_day>\d\d)|\s{4})?"
    r"(?P<status>[A-Z]?[DC])(?P<funds_code>[A-Z])?\s?(?P<amount>[\d.,]{1,24})(?P<id>[A-Z][A-Z0-9 ]{3})?"
    r"(?P<customer_reference>[^\n]*?)(?://(?P<bank_reference>[^\n]*))?(?:\n(?P<extra_details>.*))?$",
    re.DOTALL,
)
_LEAVING = frozenset(("D", "RC", "ED"))
"""Marks of money that leaves the account: debit, reversed credit, expected debit."""


class _Block(NamedTuple):
    number: int
    data: bytes
    whole: bool


@dataclass
class _Entry:
    line: str
    details: list[str] = field(default_factory=list)


@dataclass
class _Message:
    """A statement's fields in their order; entries with the details that follow them."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    entries: list[_Entry] = field(default_factory=list)
    closed: bool = False
    """Whether a closing balance came after the last entry: details then speak of the statement."""

    def first(self, *tags: str) -> str:
        return next((self.fields[tag][0].strip() for tag in tags if tag in self.fields), "")

    def last(self, *tags: str) -> str:
        return next((self.fields[tag][-1].strip() for tag in tags if tag in self.fields), "")


class _Balance(NamedTuple):
    on: str
    currency: str
    amount: Decimal


def read_mt940(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the batches of "statements", "entries" and "statement_checks" of a file of statements.

    A statement is named by its fields, so that the same one in two deliveries is one. An entry whose field
    61 is not readable is rejected alone.
    """
    gatherer = Gatherer(path, base)
    gatherer.table("statements", STATEMENT_COLUMNS, "statement {}", ("statement_id",))
    gatherer.table("entries", ENTRY_COLUMNS, "entry {}", ("entry_id",))
    gatherer.table("statement_checks", CHECK_COLUMNS, "check {}", ("statement_id", "check"))
    count = 0
    try:
        with path.open("rb") as stream:
            for block in _blocks(stream):
                count += 1
                if block.whole:
                    _add(gatherer, block)
                else:
                    gatherer.reject("statements", f"statement {block.number}", block.data, "too_large")
                yield from gatherer.full()
        if not count:
            gatherer.reject_file("statements", FileFault("no_statement"))
    except OSError:
        gatherer.reject_file("statements", FileFault("unreadable_file"))
    yield from gatherer.rest()


def _blocks(stream: IO[bytes]) -> Iterator[_Block]:
    """Yields statements: each begins with a field 20; what stands before the first one is an envelope."""
    kept, number, whole = bytearray(), 0, True
    started = False
    for line in bounded_lines(stream, MAX_STATEMENT):
        begins = _BEGIN.match(line) is not None
        if begins and started:
            number += 1
            yield _Block(number, bytes(kept), whole)
            kept, whole = bytearray(), True
        started = started or begins or line.startswith((b":25:", b":61:"))
        if not started:
            continue
        if len(kept) + len(line) <= MAX_STATEMENT:
            kept += line
        else:
            whole = False
    if started:
        yield _Block(number + 1, bytes(kept), whole)


def _message(data: bytes) -> _Message:
    found = _Message()
    tag, value = "", [""]
    for whole in [*_LINE_END.split(_BROKEN_TAG.sub(":", decoded_text(data))), ":20:"]:
        line = _ENVELOPE.sub("", whole, count=1)
        match = _TAG.match(line) or (_ANY_TAG.match(line) if tag != "86" else None)
        if match is None:
            if tag and _END.match(line):
                _file(found, tag, value)
                tag = ""
            elif tag and sum(map(len, value)) < MAX_FIELD:
                value.append(line)
            continue
        if tag:
            _file(found, tag, value)
        tag, value = match[1], [match[2]]
    return found


def _file(found: _Message, tag: str, value: list[str]) -> None:
    text = "\n".join(value).strip("\n")
    found.closed = tag.startswith("62") or (found.closed and tag != "61" and not tag.startswith("60"))
    if tag == "61":
        found.entries.append(_Entry(text))
    elif tag in ("86", "NS") and found.entries and not found.closed:
        found.entries[-1].details.append(text)
    else:
        found.fields.setdefault(tag, []).append(text)


def _add(gatherer: Gatherer, block: _Block) -> None:
    message = _message(block.data)
    said = [message.fields, [[entry.line, *entry.details] for entry in message.entries]]
    statement = row_id("s", content_digest(canonical_bytes(said)))
    opening = _balance(message.first("60F", "60M", "60"))
    closing = _balance(message.last("62F", "62M", "62"))
    available = _balance(message.first("64"))
    account = message.first("25", "25P")
    stated = opening or closing
    currency = stated.currency if stated else message.first("34F", "34")[:3] or None
    amounts: list[Decimal] = []
    for place, entry in enumerate(message.entries, start=1):
        row = _entry_row(entry)
        if isinstance(row, str):
            locator = f"statement {block.number} entry {place}"
            gatherer.reject("entries", locator, entry.line.encode(), row)
            continue
        amounts.append(Decimal(row["amount"] or "0"))
        row |= {"entry_id": f"{statement}-{place}", "statement_id": statement}
        row |= {"account": account, "currency": currency}
        gatherer.add("entries", [row.get(name) for name in ENTRY_COLUMNS])
    number = _NUMBER.match(message.first("28C", "28"))
    gatherer.add(
        "statements",
        [
            statement,
            message.first("20"),
            message.first("21"),
            account,
            number[1] if number else message.first("28C", "28"),
            number[2] if number else None,
            currency,
            opening.on if opening else None,
            format(opening.amount, "f") if opening else None,
            closing.on if closing else None,
            format(closing.amount, "f") if closing else None,
            format(available.amount, "f") if available else None,
            _instant(message.first("13D", "13")),
            str(len(message.entries)),
            "\n".join(text for tag in ("86", "NS") for text in message.fields.get(tag, [])),
        ],
        block.number,
    )
    for name, told, found in _checks(message, opening, closing, amounts):
        agrees = "true" if told == found else "false"
        gatherer.add(
            "statement_checks", [statement, account, name, format(told, "f"), format(found, "f"), agrees]
        )


def _checks(
    message: _Message, opening: _Balance | None, closing: _Balance | None, amounts: list[Decimal]
) -> Iterator[tuple[str, Decimal, Decimal]]:
    """Yields (check, what the statement says, what its entries give)."""
    if opening and closing:
        yield "closing_balance", closing.amount, opening.amount + sum(amounts, Decimal(0))
    for tag, name in (("90D", "debit"), ("90C", "credit")):
        match = _SUM.match(message.first(tag))
        if match:
            side = [-amount if tag == "90D" else amount for amount in amounts]
            taken = [amount for amount in side if amount > 0]
            if match[1]:
                yield f"{name}_entries", Decimal(match[1]), Decimal(len(taken))
            yield f"{name}_sum", _amount(match[3]), sum(taken, Decimal(0))


def _entry_row(entry: _Entry) -> dict[str, str | None] | str:
    line = entry.line.strip()
    match = next(
        (found for pattern in _patterns() if (found := pattern.match(line)) and _is_whole(found)), None
    )
    if match is None or len(line) > MAX_FIELD:
        return "unreadable_record"
    parts = match.groupdict()
    value_date = _day(parts["year"] + parts["month"] + parts["day"])
    if value_date is None:
        return "bad_date"
    mark = parts["status"].upper()
    amount = _amount(parts["amount"])
    details = "\n".join(text.rstrip() for text in entry.details).strip()
    return {
        "value_date": value_date.isoformat(),
        "entry_date": _entry_day(value_date, parts.get("entry_month"), parts.get("entry_day")),
        "mark": mark,
        "amount": format(-amount if mark in _LEAVING and amount else amount, "f"),
        "type": parts.get("id"),
        "customer_reference": (parts.get("customer_reference") or "").strip(),
        "bank_reference": (parts.get("bank_reference") or "").strip(),
        "supplement": (parts.get("extra_details") or "").strip(),
        "details": details,
        **entry_details(details),
    }


def _is_whole(match: re.Match[str]) -> bool:
    """Says whether the amount was taken to its end: "1.234,56" must not be read as 1."""
    end = match.end("amount")
    return match.string[end : end + 1] not in (".", ",") and not match.string[end : end + 1].isdecimal()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Field 61 as the standard has it, as some banks write it, and as whatever still has date and amount."""
    from mt940 import tags

    return tags.Statement().re, tags.StatementASNB().re, _LENIENT


def _amount(text: str) -> Decimal:
    """A written amount; what is more than one comma or point apart is a thousands mark."""
    plain = point_decimal(text if "," in text else text.replace(".", ",", 1))
    head, point, tail = plain.rpartition(".")
    digits = re.sub(r"\D", "", head if point else plain) or "0"
    return Decimal(f"{digits}.{tail}" if point and tail else digits)


def _balance(text: str) -> _Balance | None:
    match = _BALANCE.match(text)
    day = _day(match[2]) if match else None
    if match is None or day is None:
        return None
    amount = _amount(match[4] or "0")
    signed = -amount if match[1].upper() == "D" and amount else amount
    return _Balance(day.isoformat(), match[3].upper(), signed)


def _day(text: str) -> date | None:
    """A day YYMMDD; years from 80 are of the last century, a 30 February is the month's last day."""
    year, month, day = int(text[:2]), int(text[2:4]), int(text[4:6])
    year += 1900 if year >= 80 else 2000
    if month == 2 and day in (29, 30):
        day = min(day, calendar.monthrange(year, 2)[1])
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _entry_day(value_date: date, month: str | None, day: str | None) -> str | None:
    """The booking day MMDD in the year that brings it nearest to the value date."""
    if not month or not day or not (month + day).isdecimal():
        return None
    years = (value_date.year, value_date.year - 1, value_date.year + 1)
    days = [found for year in years if (found := _day(f"{year % 100:02}{month}{day}"))]
    return min(days, key=lambda found: abs((found - value_date).days)).isoformat() if days else None


def _instant(text: str) -> str | None:
    match = re.match(r"(\d{6})(\d\d)(\d\d)(?:([+-]\d\d)(\d\d))?", text)
    day = _day(match[1]) if match else None
    if match is None or day is None:
        return None
    zone = f"{match[4]}:{match[5]}" if match[4] else ""
    return f"{day.isoformat()}T{match[2]}:{match[3]}:00{zone}"
