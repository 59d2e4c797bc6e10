"""Dates: one offset of whole weeks for a whole dataset, in columns and in the many forms of text.

Weekdays, times of day and intervals in days survive. A date without a year is read as the one nearest to
a reference date (when the mail was sent) and written back without a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date as Day
from datetime import timedelta
from typing import NamedTuple

from anonymize.date_cells import like_month, moved_cell, substitute
from anonymize.id_labels import ANNOUNCED, BARE
from archive.date_forms import full_year, month_number
from contracts.money_marks import counts_things, is_other_number

SMALLEST_YEARS, LARGEST_YEARS = 2, 6
DAYS_A_YEAR_BY_10000 = 3_652_425

_M = (
    r"(?P<{0}>January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|"
    r"Januar|Februar|März|Maerz|Mai|Juni|Juli|Oktober|Dezember|Mrz|Okt|Dez)\b\.?"
)
_D = r"(?P<d{0}>0?[1-9]|[12]\d|3[01])(?P<o{0}>st|nd|rd|th)?"
_FULL = r"(?:19|20)\d\d"
_Y = rf"(?P<y{{0}}>{_FULL})"
_SHORT = r"(?:(?<=['’/.-])|(?<=\s['’]))\d\d"
"""A year of two digits, where a mark in front of it says so."""
_NO_DAY = "floor|street|avenue|time|quarter|half|year|party|edition|reminder|notice|invoice|item|day|week"
"""What an ordinal counts when it names no day of a month."""
_DAYS = r"Mo|Di|Mi|Do|Fr|Sa|So|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend|Sonntag"
_GERMAN_DAY = rf"(?:am|vom|zum|bis|ab|seit|den|dem|der|zwischen|und|(?:{_DAYS})[.,]{{0,2}})"
_SEASONS = (
    "in|since|of|from|during|year|by|until|for|end|early|mid|late|summer|spring|fall|autumn|winter|class|"
    "im|seit|ab|bis|von|vor|nach|Jahr|Jahres|Ende|Anfang|Mitte|Sommer|Herbst|Winter|Frühjahr|Frühling"
)
_PLANS = (
    "budget|plan|planning|forecast|fiscal|financial|calendar|season|annual|results|figures|report|roadmap|"
    "pricing|price list|tax|audit|edition|numbers|targets?"
)
_WEEK = "(?:KW|CW|calendar week|Kalenderwoche)"
_PART = r"(?:Q[1-4]|[1-4]Q|H[12]|HJ\s?[12])"
_FISCAL = r"(?:FY|GJ|Geschäftsjahr|fiscal year|financial year)"
TEXT_DATE = re.compile(
    r"(?<![\w/.-])(?:"
    # 2024-09-03, 20240903, 9/3/2024 or 03.09.24
    r"(?P<ya>(?:19|20)\d\d)(?P<sa>[-/.])(?P<ma>\d\d)(?P=sa)(?P<da>\d\d)(?=$|[^\d]|T\d)"
    r"|(?P<yb>(?:19|20)\d\d)(?P<mb>0[1-9]|1[0-2])(?P<db>0[1-9]|[12]\d|3[01])"
    r"(?=$|[^\w.-]|T\d|\.(?!\d)|[._-](?=[A-Za-z]))"
    r"|(?P<n1>\d{1,2})(?P<sc>[/.-])(?P<n2>\d{1,2})(?P=sc)(?P<yc>(?:19|20)\d\d|\d\d)(?![\w/-]|\.\d)"
    # 2024-W36, KW 36/24, CW36 2024, KW 36
    rf"|(?P<yw>{_FULL})-?W(?P<w>\d\d)(?!\w)"
    rf"|(?:{_WEEK}|W)\s?(?P<wk>\d\d?)(?:\s?[/-]\s?|\s['’]?)(?P<yk>{_FULL}|\d\d)(?![\w.]\d|\w)"
    rf"|{_WEEK}\s?(?P<wl>\d\d?)(?![\w/]|[.,-]\d)"
    # 3rd of September 2024, 3-Sep-24, September 3, 2024, also without year
    r"|" + _D.format("d") + r"(?:\s+of)?[\s./-]{1,2}" + _M.format("md")
    + rf"(?:(?:[\s,/.-]{{1,2}}|(?<=\.))['’]?(?P<yd>{_FULL}|{_SHORT}))?(?![\w]|:\d)"
    r"|" + _M.format("me") + r"\s+" + _D.format("e") + r"(?![\d:])"
    rf"(?:,?\s+['’]?(?P<ye>{_FULL}|{_SHORT})(?![\w]))?"
    # Q3 2024, Q3/24, FY24, FY 2024/25, September 2024, Sep '24, Sep-24
    rf"|(?:{_PART}(?:[\s/-]?(?={_FULL})|(?:[/-]|\s?['’])(?=\d\d(?!\d))|(?<=\dQ)(?=\d\d(?!\d)))"
    rf"|{_FISCAL}(?:[\s/-]?|\s?['’]))(?P<yf>{_FULL}|\d\d)(?:[/-](?P<zf>{_FULL}|\d\d))?(?!\w|[.,:]\d|%)"
    r"|" + _M.format("mg") + rf"(?:,?\s+|[-/])['’]?(?P<yg>{_FULL}|{_SHORT})(?!\w)"
    # 09/2024, 2024-09
    rf"|(?P<mn>0?[1-9]|1[0-2])[/.](?P<yn>{_FULL})(?![\w/-]|[.,]\d)"
    rf"|(?P<ym>{_FULL})-(?P<mm>0[1-9]|1[0-2])(?![\w/-]|[.,]\d)"
    # in 2024, Ende 2024, 2024/25, the 2024 budget, summer '24
    rf"|(?:{_SEASONS}|FY)[\s-]" + _Y.format("h") + r"(?:/(?P<zh>\d\d))?(?![\w.,]\d|\w|[-/]\d)"
    rf"|(?P<yr>{_FULL})/(?P<zr>\d\d)(?![\w/-]|[.,]\d)"
    rf"|(?P<yp>{_FULL})(?=\s(?:{_PLANS})\b)"
    rf"|(?:{_SEASONS})\s['’](?P<yq>\d\d)(?![\w'’])"
    # am 3.9., 03.09., the 3rd
    rf"|(?:(?:{_GERMAN_DAY})\s)(?P<dj>0?[1-9]|[12]\d|3[01])\.\s?(?P<mj>0?[1-9]|1[0-2])\.(?!\d)"
    r"|(?P<dk>0[1-9]|[12]\d|3[01])\.(?P<mk>0[1-9]|1[0-2])\.(?!\d)"
    r"|(?P<di>[1-9]|[12]\d|3[01])(?P<oi>st|nd|rd|th)(?!\w)(?!\s+(?:" + _NO_DAY + r"))"
    r")",
    re.IGNORECASE,
)  # fmt: skip
FILE_YEAR = re.compile(
    r"(?<![A-Za-z0-9.])(?P<year>(?:19|20)\d\d)(?=(?:[_ -][\w -]{0,40})?\.(?:pdf|docx?|xls[xmb]?|pptx?|csv|txt"
    r"|zip|od[tsp]|msg|eml|jpe?g|png|tiff?|dwg|dxf|ste?p|xml|json|html?)(?![A-Za-z0-9]))",
    re.IGNORECASE,
)
"""A year alone in the name of a file: "Angebot_2024.pdf"."""
BARE_YEAR = re.compile(
    r"(?<![\w.,:/#§$€£%+&=*'’-])(?P<year>20(?:0[1-9]|[1-3]\d))(?![\w/:%°€$£'’&=*+-]|[.,]\d)"
)
"""A year alone in a text: "Unterlagen 2024"."""
_NUMBERED = re.compile(rf"(?:(?<!\w)(?i:{ANNOUNCED}|{BARE})|[A-Z]{{3}})[ .:#-]{{0,3}}\Z")
_COUNTED = re.compile(
    r"\s?(?:[x×*€$£]|[A-Z]{3}\b|(?i:euro|mal|times|days|tage|hours|stunden|min|sek|sec))(?!\w)"
)
GLUED_DATE = re.compile(r"_\d|\d_")
"""Stands where a date is glued to a word, or its parts to each other, by "_"."""
_UNDERSCORED = re.compile(r"(?<!\d)(?:(?:19|20)\d\d_\d\d_\d\d|\d\d?_\d\d?_(?:19|20)\d\d)(?!\d)")
_DIGIT = re.compile(r"\d")
_NO_YEAR = "f g n m h r p q".split()
"""Marks of the forms that name a year but no day."""


def _is_year(match: re.Match[str]) -> bool:
    """Says whether four digits that may be a year count or number nothing."""
    text, start, end = match.string, match.start(), match.end()
    if is_other_number(text, start, end) or counts_things(text, end) or _COUNTED.match(text, end):
        return False
    return _NUMBERED.search(text, max(0, start - 24), start) is None


class TextDate(NamedTuple):
    """A date in text and what replaces it."""

    start: int
    end: int
    replacement: str


class DateShift:
    """The one offset of a dataset."""

    def __init__(self, key: bytes) -> None:
        """The key decides two to six years, back or ahead."""
        span = LARGEST_YEARS - SMALLEST_YEARS + 1
        number = int.from_bytes(key[:8], "big")
        self.years = (SMALLEST_YEARS + number % span) * (1 if number // span % 2 else -1)
        weeks = (abs(self.years) * DAYS_A_YEAR_BY_10000 + 35_000) // 70_000
        self.days = 7 * weeks * (1 if self.years > 0 else -1)

    def moved(self, day: Day) -> Day:
        """Returns a date moved by the offset."""
        return day + timedelta(days=self.days)

    def cell(self, value: str, date_format: str | None = None) -> str | None:
        """Returns a date or date-time cell moved, its time and layout kept; None where it is no date.

        Marks for no value stay as they are.
        """
        return moved_cell(value, date_format, self.days, self.years)

    def _moved(self, year: int, month: int, day: int) -> Day | None:
        try:
            return Day(year, month, day) + timedelta(days=self.days)
        except (ValueError, OverflowError):
            return None

    def in_text(self, text: str, reference: Day | None, *, day_first: bool = False) -> list[TextDate]:
        """Returns the dates of a text with their replacements, in order."""
        return self.reading(text, reference, day_first=day_first)[0]

    def reading(
        self, text: str, reference: Day | None, *, day_first: bool = False
    ) -> tuple[list[TextDate], bool]:
        """Returns the dates of a text, and whether another reference date could add or change some."""
        dates: list[TextDate] = []
        is_open = False
        for match in self._matches(text) if _DIGIT.search(text) else ():
            new = self._new_groups(match, None, day_first)
            if not new:
                is_open = True
                new = self._new_groups(match, reference, day_first) if reference is not None else {}
            if new:
                written, moved = text[match.start() : match.end()], substitute(match, new)
                if "_" in written and len(written) == len(moved):
                    moved = "".join(
                        "_" if old == "_" else now for old, now in zip(written, moved, strict=True)
                    )
                dates.append(TextDate(match.start(), match.end(), moved))
        for match in (*FILE_YEAR.finditer(text), *filter(_is_year, BARE_YEAR.finditer(text))):
            if not any(one.start < match.end() and match.start() < one.end for one in dates):
                dates.append(TextDate(match.start(), match.end(), self._year(match["year"])))
        return sorted(dates), is_open

    @staticmethod
    def _matches(text: str) -> Iterator[re.Match[str]]:
        """Yields the dates of a text, also those behind the "_" of a file name, a letter to patterns."""
        yield from TEXT_DATE.finditer(text)
        if GLUED_DATE.search(text) is not None:
            parted = _UNDERSCORED.sub(lambda date: date.group().replace("_", "-"), text).replace("_", " ")
            for match in TEXT_DATE.finditer(parted):
                start, end = match.span()
                if "_" in text[start - 1 : start] + text[start : end + 1]:
                    yield match

    def _new_groups(self, match: re.Match[str], reference: Day | None, day_first: bool) -> dict[str, str]:
        get = match.groupdict().get
        for mark in ("a", "b"):
            if get(f"y{mark}"):
                moved = self._moved(*(int(match[f"{part}{mark}"]) for part in "ymd"))
                return (
                    {}
                    if moved is None
                    else {f"y{mark}": f"{moved:%Y}", f"m{mark}": f"{moved:%m}", f"d{mark}": f"{moved:%d}"}
                )
        if get("yc"):
            return self._numeric(match, day_first or match["sc"] == ".")
        if get("w") or get("wk") or get("wl"):
            return self._week(match, reference)
        for mark in ("d", "e"):
            if get(f"m{mark}"):
                return self._worded(match, mark, reference)
        for mark in _NO_YEAR:
            if get(f"y{mark}"):
                second = get(f"z{mark}")
                later = {f"z{mark}": self._year(second)} if second else {}
                return {f"y{mark}": self._year(match[f"y{mark}"])} | later
        for mark in ("j", "k"):
            if get(f"d{mark}"):
                return self._german_day(match, mark, reference)
        return self._ordinal(match, reference)

    def _year(self, written: str) -> str:
        """Returns a year of two or four digits, moved by whole years."""
        return f"{(int(written) if len(written) == 4 else full_year(int(written))) + self.years:04d}"[
            -len(written) :
        ]

    def _week(self, match: re.Match[str], reference: Day | None) -> dict[str, str]:
        """Returns a week of ISO 8601 moved by the offset, its year as it is written."""
        mark = next(mark for mark in ("", "k", "l") if match[f"w{mark}"])
        group = {"": "yw", "k": "yk", "l": ""}[mark]
        written = match[group] if group else ""
        if not written and reference is None:
            return {}
        year = full_year(int(written)) if len(written) == 2 else int(written or 0)
        week = match[f"w{mark}"]
        try:
            monday = (
                Day.fromisocalendar(year, int(week), 1) if written else _nearest_week(int(week), reference)
            )
        except ValueError:
            return {}
        moved = self.moved(monday).isocalendar()
        new = {f"w{mark}": f"{moved.week:0{len(week)}d}"}
        return new | ({group: f"{moved.year:04d}"[-len(written) :]} if written else {})

    def _german_day(self, match: re.Match[str], mark: str, reference: Day | None) -> dict[str, str]:
        """Returns "3.9." moved, each number as wide as it was."""
        day, month = match[f"d{mark}"], match[f"m{mark}"]
        moved = self._moved(_nearest_year(int(month), int(day), reference), int(month), int(day))
        if moved is None:
            return {}
        width = 2 if len(day) == len(month) == 2 else 1
        return {f"d{mark}": f"{moved.day:0{width}d}", f"m{mark}": f"{moved.month:0{width}d}"}

    def _numeric(self, match: re.Match[str], day_first: bool) -> dict[str, str]:
        first, second = int(match["n1"]), int(match["n2"])
        if first > 12 or (day_first and second <= 12):
            day_first = True
            day, month = first, second
        else:
            day_first = False
            month, day = first, second
        year = int(match["yc"]) if len(match["yc"]) == 4 else full_year(int(match["yc"]))
        moved = self._moved(year, month, day)
        if moved is None:
            return {}
        width = 2 if len(match["n1"]) == 2 and len(match["n2"]) == 2 else 1
        new_month, new_day = f"{moved.month:0{width}d}", f"{moved.day:0{width}d}"
        new_year = f"{moved.year:04d}"[-len(match["yc"]) :]
        first_text, second_text = (new_day, new_month) if day_first else (new_month, new_day)
        return {"n1": first_text, "n2": second_text, "yc": new_year}

    def _worded(self, match: re.Match[str], mark: str, reference: Day | None) -> dict[str, str]:
        name, day, year_text = match[f"m{mark}"], int(match[f"d{mark}"]), match[f"y{mark}"]
        if name.islower() and _month(name) in (3, 5):  # "march 3" is rare, "may 3" is a verb more often
            return {}
        month = _month(name)
        short = len(year_text or "") == 2
        year = full_year(int(year_text)) if short else int(year_text or 0)
        year = year or _nearest_year(month, day, reference)
        moved = self._moved(year, month, day)
        if moved is None:
            return {}
        day_text = match[f"d{mark}"]
        new = {f"m{mark}": like_month(name, moved.month)}
        new[f"d{mark}"] = f"{moved.day:02d}" if day_text.startswith("0") else str(moved.day)
        if match[f"o{mark}"]:
            new[f"o{mark}"] = _ordinal_suffix(moved.day)
        if year_text:
            new[f"y{mark}"] = f"{moved.year:04d}"[-len(year_text) :]
        return new

    def _ordinal(self, match: re.Match[str], reference: Day | None) -> dict[str, str]:
        if reference is None:
            return {}
        day = int(match["di"])
        near = [reference + timedelta(days=step) for step in range(-20, 21)]
        same = [candidate for candidate in near if candidate.day == day]
        if not same:
            return {}
        moved = self.moved(min(same, key=lambda candidate: abs(candidate - reference)))
        return {"di": str(moved.day), "oi": _ordinal_suffix(moved.day)}


def _nearest_week(week: int, reference: Day | None) -> Day:
    """Returns the Monday of the week of this number that is nearest to a date.

    Raises:
        ValueError: no year nearby has that week.
    """
    if reference is None:
        raise ValueError("a week without a year needs a reference")
    found = []
    for year in range(reference.year - 1, reference.year + 2):
        try:
            found.append(Day.fromisocalendar(year, week, 1))
        except ValueError:
            continue
    return min(found, key=lambda monday: abs((monday - reference).days))


def _month(name: str) -> int:
    return month_number(name) or 0


def _nearest_year(month: int, day: int, reference: Day | None) -> int:
    if reference is None:
        return 0
    best = 0
    distance = 1000
    for year in (reference.year - 1, reference.year, reference.year + 1):
        try:
            gap = abs((Day(year, month, day) - reference).days)
        except ValueError:
            continue
        if gap < distance:
            best, distance = year, gap
    return best


def _ordinal_suffix(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
