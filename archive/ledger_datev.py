"""DATEV exports (EXTF, DTVF): bookings, customers and suppliers, account names, terms of payment.

A file has a line about itself, a header and rows; each category is a table of its own, and table "vorlauf"
holds one row per file. Amounts get a decimal point, since what reads money later reads no comma, and
document dates (day and month only) the year that the file's period gives them; all else stays as written.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import IO, NamedTuple

from archive.batches import TableBatch
from archive.gathering import FileFault, Gatherer, bounded_lines, decoded_text, point_decimal

MAX_RECORD = 4 * 1024 * 1024
"""Bytes of one record; a longer one is rejected without being held."""
TABLE_NAMES = {
    "16": "debitoren_kreditoren",
    "20": "kontenbeschriftungen",
    "21": "buchungsstapel",
    "46": "zahlungsbedingungen",
    "48": "diverse_adressen",
    "65": "wiederkehrende_buchungen",
}
"""Format category of the file -> table."""
VORLAUF = (
    "Kennzeichen",
    "Versionsnummer",
    "Formatkategorie",
    "Formatname",
    "Formatversion",
    "Erzeugt am",
    "Importiert",
    "Herkunft",
    "Exportiert von",
    "Importiert von",
    "Berater",
    "Mandant",
    "WJ-Beginn",
    "Sachkontenlänge",
    "Datum von",
    "Datum bis",
    "Bezeichnung",
    "Diktatkürzel",
    "Buchungstyp",
    "Rechnungslegungszweck",
    "Festschreibung",
    "WKZ",
    "Reserviert 1",
    "Derivatskennzeichen",
    "Reserviert 2",
    "Reserviert 3",
    "Sachkontenrahmen",
    "ID der Branchenlösung",
    "Reserviert 4",
    "Reserviert 5",
    "Anwendungsinformation",
)
"""Fields of the first line, in its order."""
SUMS = ("Zeilen", "Summe Soll", "Summe Haben")
"""What was read of the file: rows kept, and the debit and credit side of its bookings."""
_META_DATES = ("WJ-Beginn", "Datum von", "Datum bis")
_DECIMALS = frozenset(
    (
        "umsatz",
        "umsatz (ohne soll/haben-kz)",
        "kurs",
        "basisumsatz",
        "basis-umsatz",
        "skonto",
        "skontobetrag",
        "kost menge",
        "kost-menge",
        "eu-steuersatz",
        "eu-steuersatz (anzahlungen)",
        "eu-steuersatz (bestimmung)",
        "eu-steuersatz (ursprung)",
        "stück",
        "gewicht",
        "kreditlimit (debitor)",
        "kreditlimit (betrag)",
        "mahnlimit betrag",
        "lastschrift betrag",
    )
)
_PERCENT = re.compile(r"(?i)%|prozent|zinssatz")
_FULL_DATE = re.compile(r"(?i)gültig (?:von|bis)|fälligkeit$|datum|postensperre bis|skontosperre bis")
_PLAIN_DATE = re.compile(r"\d{7,8}")
_SIGN = "soll/haben-kennzeichen"


class _Record(NamedTuple):
    number: int
    """Record number, the first line of the file being 1."""
    data: bytes
    whole: bool


class _Period(NamedTuple):
    """Where a document date can lie: the file's period, else its fiscal year."""

    first: date | None
    last: date | None


def read_datev(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of a DATEV file as a batch of its category's table, then its row of "vorlauf".

    Rows of another width than the header are rejected as "wrong_width", dates that are none as "bad_date",
    dates that no year brings into the file's period as "date_outside_period".
    """
    gatherer = Gatherer(path, base)
    table = "vorlauf"
    try:
        with path.open("rb") as stream:
            records = _records(stream)
            meta = _meta(next(records, None))
            table = TABLE_NAMES.get(meta["Formatkategorie"], _plain_name(meta["Formatname"]))
            header = next(records, None)
            columns = [name.strip() for name in _cells(header.data)] if header and header.whole else []
            if not columns:
                raise FileFault("no_header")
            gatherer.table(table, columns, "row {}")
            sums = _Sums(columns)
            reading = _Row(columns, _period(meta))
            for record in records:
                cells = _cells(record.data) if record.whole else []
                reason = "too_large" if not record.whole else reading.settle(cells)
                if reason:
                    gatherer.reject(table, f"row {record.number}", record.data, reason)
                else:
                    sums.take(cells)
                    gatherer.add(table, cells, record.number)
                yield from gatherer.full()
            gatherer.table("vorlauf", (*VORLAUF, *SUMS), "row {}")
            gatherer.add("vorlauf", [*meta.values(), *sums.texts()], 1)
    except FileFault as fault:
        gatherer.reject_file(table, fault)
    except OSError:
        gatherer.reject_file(table, FileFault("unreadable_file"))
    yield from gatherer.rest()


def is_datev(first: bytes) -> bool:
    """Says whether a file that begins with these bytes is a DATEV export."""
    return re.match(rb'(?:\xef\xbb\xbf)?"?(?:EXTF|DTVF)"?;', first) is not None


class _Row:
    """How the cells of one file's rows are settled."""

    def __init__(self, columns: Sequence[str], period: _Period) -> None:
        names = [name.lower() for name in columns]
        self._width = len(columns)
        self._period = period
        self._decimals = [n for n, name in enumerate(names) if name in _DECIMALS or _PERCENT.search(name)]
        self._short = [n for n, name in enumerate(names) if name == "belegdatum"]
        self._full = [n for n, name in enumerate(names) if n not in self._short and _FULL_DATE.search(name)]

    def settle(self, cells: list[str]) -> str:
        """Brings amounts and dates into plain forms in place; returns why the row cannot be used, or ""."""
        while len(cells) > self._width and not cells[-1]:
            cells.pop()
        if len(cells) != self._width:
            return "wrong_width"
        for place in self._decimals:
            cells[place] = point_decimal(cells[place])
        for place in self._full:
            if _PLAIN_DATE.fullmatch(cells[place]):
                text = cells[place].zfill(8)
                moment = _date(int(text[4:]), int(text[2:4]), int(text[:2]))
                if moment is None and int(text):
                    return "bad_date"
                cells[place] = moment.isoformat() if moment else ""
        for place in self._short:
            text = cells[place].strip()
            if text and self._period.first and self._period.last:
                found = _placed(text, self._period)
                if isinstance(found, str):
                    return found
                cells[place] = found.isoformat()
        return ""


class _Sums:
    """The debit and credit sides of bookings: account and counter account take opposite ones."""

    def __init__(self, columns: Sequence[str]) -> None:
        names = [name.lower() for name in columns]
        self._sign = names.index(_SIGN) if _SIGN in names else -1
        self._amount = next((n for n, name in enumerate(names) if name.startswith("umsatz")), -1)
        self._account = names.index("konto") if "konto" in names else -1
        self._counter = next((n for n, name in enumerate(names) if name.startswith("gegenkonto")), -1)
        self._rows = 0
        self._sides = {"S": Decimal(0), "H": Decimal(0)}

    def take(self, cells: Sequence[str]) -> None:
        self._rows += 1
        if self._sign < 0 or self._amount < 0:
            return
        try:
            amount = Decimal(cells[self._amount].strip() or "0")
        except InvalidOperation:
            return
        side = cells[self._sign].strip().upper()
        if side in self._sides and amount.is_finite():
            other = "H" if side == "S" else "S"
            self._sides[side] += amount if self._account >= 0 and cells[self._account].strip() else 0
            self._sides[other] += amount if self._counter >= 0 and cells[self._counter].strip() else 0

    def texts(self) -> list[str | None]:
        sides = [format(self._sides[side], "f") if self._sign >= 0 else None for side in ("S", "H")]
        return [str(self._rows), *sides]


def _records(stream: IO[bytes]) -> Iterator[_Record]:
    """Yields records of bytes: lines, joined while a quote is open; bounded in memory."""
    number, kept, whole, quotes = 0, bytearray(), True, 0
    for line in bounded_lines(stream, MAX_RECORD):
        quotes += line.count(b'"')
        whole = whole and len(kept) + len(line) <= MAX_RECORD
        kept += line[: MAX_RECORD - len(kept)]
        if line.endswith((b"\n", b"\r")) and (quotes % 2 == 0 or not whole):
            if kept.strip():
                number += 1
                yield _Record(number, bytes(kept), whole)
            kept, whole, quotes = bytearray(), True, 0
    if kept.strip():
        yield _Record(number + 1, bytes(kept), whole)


def _cells(data: bytes) -> list[str]:
    csv.field_size_limit(MAX_RECORD)
    try:
        return next(csv.reader([decoded_text(data).strip("\r\n")], delimiter=";"), [])
    except csv.Error:
        return []


def _meta(record: _Record | None) -> dict[str, str]:
    cells = _cells(record.data) if record and record.whole else []
    if not cells or cells[0] not in ("EXTF", "DTVF"):
        raise FileFault("no_datev_header")
    meta = dict.fromkeys(VORLAUF, "")
    meta.update(zip(VORLAUF, cells, strict=False))
    for name in _META_DATES:
        text = meta[name].strip()
        if len(text) == 8 and text.isdecimal():
            moment = _date(int(text[:4]), int(text[4:6]), int(text[6:]))
            meta[name] = moment.isoformat() if moment else text
    return meta


def _period(meta: dict[str, str]) -> _Period:
    year, first, last = (_iso(meta[name]) for name in _META_DATES)
    if year is not None:
        end = _date(year.year + 1, year.month, min(year.day, 28))
        first = first or year
        last = last or (date.fromordinal(end.toordinal() - 1) if end else None)
    return _Period(first, last)


def _placed(text: str, period: _Period) -> date | str:
    """The date within the period that a day and month mean; a whole date (DDMMYYYY) must lie there too."""
    assert period.first is not None
    assert period.last is not None
    if not text.isdecimal() or len(text) not in (3, 4, 7, 8):
        return "bad_date"
    padded = text.zfill(4 if len(text) < 5 else 8)
    day, month = int(padded[:2]), int(padded[2:4])
    written = int(padded[4:]) if len(padded) == 8 else None
    years = (written,) if written else range(period.first.year, period.last.year + 1)
    found = [moment for year in years if (moment := _date(year, month, day))]
    if not found:
        return "bad_date"
    inside = [moment for moment in found if period.first <= moment <= period.last]
    return inside[0] if inside else "date_outside_period"


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _plain_name(name: str) -> str:
    plain = re.sub(r"[^a-z0-9äöüß]+", "_", name.lower()).strip("_")
    return plain or "datev"
