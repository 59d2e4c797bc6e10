"""Written dates as forms: strptime directives and what they match, in any language and locale of the machine.

Belongs here: the pattern of a form, month names, reading one cell by a known form. Does not belong here:
deciding which form a column has (`archive.times`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache

EXCEL = "excel"
"""Form of day numbers as spreadsheets count them: 1 is the first of January 1900; a fraction is the time."""
EPOCH = "epoch"
"""Form of seconds since 1970 in UTC."""
EPOCH_MS = "epoch_ms"
"""Form of milliseconds since 1970 in UTC."""

_EXCEL_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - spreadsheets have no zones
_EPOCH_ZERO = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = (
    ("january", "jan", "januar", "jaenner", "janner", "janvier", "janv", "enero", "ene"),
    ("february", "feb", "februar", "feber", "fevrier", "fevr", "fev", "febrero"),
    ("march", "mar", "maerz", "marz", "mrz", "mars", "marzo"),
    ("april", "apr", "avril", "avr", "abril", "abr"),
    ("may", "mai", "mayo"),
    ("june", "jun", "juni", "juin", "junio"),
    ("july", "jul", "juli", "juillet", "juil", "julio"),
    ("august", "aug", "aout", "agosto", "ago"),
    ("september", "sep", "sept", "septembre", "septiembre", "setiembre"),
    ("october", "oct", "oktober", "okt", "octobre", "octubre"),
    ("november", "nov", "novembre", "noviembre"),
    ("december", "dec", "dezember", "dez", "decembre", "diciembre", "dic"),
)
_NUMBERS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}

_DIRECTIVE = re.compile(r"%[-#]?([A-Za-z%])")
_TWO_DIGITS = frozenset("mdHIMS")
_GROUPS = {
    "Y": r"\d{4}",
    "y": r"\d{2}",
    "b": r"[^\W\d_]{3,5}\.?",
    "B": r"[^\W\d_]{3,12}",
    "a": r"[^\W\d_]{2,4}\.?",
    "A": r"[^\W\d_]{3,12}",
    "f": r"\d{1,9}",
    "p": r"[AaPp]\.?\s?[Mm]\.?",
    "z": r"Z|[+-]\d{2}:?\d{2}",
    "Z": r"[A-Z]{1,5}",
}
_ISO = re.compile(
    r"(?P<Y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
    r"(?:[T ](?P<H>\d\d):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<f>\d{1,9}))?)?\s?(?P<z>Z|[+-]\d\d:?\d\d)?)?"
)
_CLOCK = re.compile(
    r"(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<f>\d{1,9}))?)?(?:\s?(?P<p>[AaPp])\.?\s?[Mm]\.?)?"
    r"|(?P<H2>[0-2]\d)(?P<M2>[0-5]\d)(?P<S2>[0-5]\d)"
)


def month_number(word: str) -> int | None:
    """Returns the month that a name or abbreviation means (English, German, French, Spanish), else None."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("ä", "ae")).encode("ascii", "ignore")
    return _NUMBERS.get(plain.decode().rstrip("."))


@lru_cache(maxsize=256)
def form_pattern(form: str) -> re.Pattern[str]:
    """Returns the pattern of cells of a form, one group per directive (Y, y, m, d, b, B, H, I, M, S, f, p).

    Numbers may lack their leading zero; a time after a date, seconds and their fraction may be absent.
    """
    pieces: list[str] = []
    open_groups = 0
    last = 0
    seen: set[str] = set()
    for match in _DIRECTIVE.finditer(form):
        literal, code = form[last : match.start()], match[1]
        last = match.end()
        if code == "%":
            pieces.append(_literal(literal) + "%")
            continue
        optional = (code in "HI" and seen & {"d", "Y", "y"}) or (code in "Sf" and seen & {"M"})
        if optional and literal:
            pieces.append("(?:")
            open_groups += 1
        elif code in "pzZ" and open_groups and "M" in seen:
            # seconds end before the half of the day or the zone; the time as a whole stays open
            inner = open_groups - (1 if seen & {"d", "Y", "y"} else 0)
            pieces.append(")?" * inner)
            open_groups -= inner
        pieces.append(_literal(literal))
        pieces.append(f"(?P<{code}>{_digits(form, match, code)})")
        seen.add(code)
    pieces.append(")?" * open_groups)
    pieces.append(_literal(form[last:]))
    return re.compile("".join(pieces))


def _literal(text: str) -> str:
    return re.sub(r"(?:\\ )+", r"[ \\u00a0\\u202f]+", re.escape(text))


def _digits(form: str, match: re.Match[str], code: str) -> str:
    if code not in _TWO_DIGITS:
        return _GROUPS.get(code, r".+?")
    before = match.start() - 2
    beside = form[match.end() : match.end() + 1] == "%" or (before >= 0 and form[before] == "%")
    return r"\d{2}" if beside or code in "MS" else r"\d{1,2}"


def parse_written(value: str, form: str | None, missing: Collection[str] = ()) -> datetime | date | None:
    """Returns the date (a date alone) or the date and time that a cell states, or None where it states none.

    Times keep the offset they are written with and have none otherwise. No locale is asked.

    Args:
        value: the cell as the system wrote it.
        form: strptime form of the column, None for ISO 8601, or EXCEL, EPOCH, EPOCH_MS.
        missing: written values that stand for no value.
    """
    text = value.strip()
    if not text or text in missing:
        return None
    if form in (EXCEL, EPOCH, EPOCH_MS):
        return _counted(text, form)
    match = (_ISO if form is None else form_pattern(form)).fullmatch(text)
    return None if match is None else _moment(match.groupdict())


def parse_clock(value: str) -> time | None:
    """Returns the time of day of a cell ("13:05", "1:05:33 PM", "130533"), or None where it is none."""
    match = _CLOCK.fullmatch(value.strip())
    if match is None:
        return None
    parts = match.groupdict()
    try:
        if parts["H2"]:
            return time(int(parts["H2"]), int(parts["M2"]), int(parts["S2"]))
        return time(_hour(parts), int(parts["M"]), int(parts["S"] or 0), _micros(parts["f"]))
    except ValueError:
        return None


def _counted(text: str, form: str | None) -> datetime | date | None:
    try:
        number = float(text.replace(",", "."))
        if form == EXCEL:
            if not 1 <= number < 2_958_466:
                return None
            moment = _EXCEL_ZERO + timedelta(seconds=round(number * 86_400))
            return moment.date() if number == int(number) else moment
        return _EPOCH_ZERO + timedelta(milliseconds=number if form == EPOCH_MS else number * 1000)
    except (ValueError, OverflowError):
        return None


def _moment(parts: dict[str, str | None]) -> datetime | date | None:
    try:
        year = int(parts.get("Y") or full_year(int(parts.get("y") or "")))
        name = parts.get("b") or parts.get("B")
        month = month_number(name) if name else int(parts.get("m") or 1)
        day = date(year, month or 0, int(parts.get("d") or 1))
        if not (parts.get("H") or parts.get("I")):
            return day
        clock = time(
            _hour(parts), int(parts.get("M") or 0), int(parts.get("S") or 0), _micros(parts.get("f"))
        )
        moment = datetime.combine(day, clock)
        zone = _offset(parts.get("z") or parts.get("Z"))
        return moment if zone is None else moment.replace(tzinfo=zone)
    except ValueError:
        return None


def full_year(two_digits: int) -> int:
    """Returns the year that two digits stand for: 69 to 99 are of the last century."""
    return two_digits + (1900 if two_digits >= 69 else 2000)


def _hour(parts: dict[str, str | None]) -> int:
    hour = int(parts.get("H") or parts.get("I") or 0)
    half = (parts.get("p") or "").lower()
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of half a day")
    return hour % 12 + (12 if half.startswith("p") else 0)


def _micros(fraction: str | None) -> int:
    return int((fraction or "0")[:6].ljust(6, "0"))


def _offset(zone: str | None) -> timezone | None:
    if not zone:
        return None
    if zone in ("Z", "UTC", "GMT"):
        return UTC
    if zone[0] not in "+-":
        return None
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return timezone(timedelta(minutes=-minutes if zone[0] == "-" else minutes))
