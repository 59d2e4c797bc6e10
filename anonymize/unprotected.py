"""What pseudonymisation does not protect against, with figures of the dataset at hand.

Belongs here: plain statements and the counts behind them. Does not belong here: quasi-identifiers, which have
figures of their own (`quasi_identifiers`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from anonymize.table_shapes import table_specs
from anonymize.words import word_set
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.names import fold
from contracts.tables import ColumnKind

RARE = 3
"""Rows of a value that few share."""
WORDS_OF_A_STYLE = 1_000
"""Words of one writer from which a style is told."""
WORDS_OF_A_QUOTE = 8
"""Words by which a sentence is found again."""
SHORTEST_SERIES = 10
MOSTLY = 80
"""Hundredths of a series that rise with time."""
_DAYS = (ColumnKind.DATE, ColumnKind.DATETIME)
_OURS = frozenset({"links", "quarantine", "source_counts", "calendar_facts"})


@dataclass(frozen=True)
class Statement:
    """One thing that stays possible."""

    title: str
    says: str
    figures: dict[str, int]


def unprotected(
    clean: TableStore, specs: dict[str, dict[str, ColumnSpec]], raw: TableStore
) -> list[Statement]:
    """Returns what stays possible with the clean tables in hand, most revealing first.

    Of the raw tables only counts are told: how many series of numbers follow time.
    """
    columns = list(_columns(clean, specs))
    return [
        _money([series for spec, series in columns if spec.kind is ColumnKind.MONEY]),
        _dates([series for spec, series in columns if spec.kind in _DAYS]),
        _style(clean),
        _rare([series for spec, series in columns if spec.kind is ColumnKind.CATEGORY]),
        _frequency(clean),
        _ids([series for spec, series in columns if spec.kind is ColumnKind.ID]),
        _series(raw, specs),
        _published(clean, specs),
        Statement(
            "Companies and staff by what they are",
            "Industry, region, size, founding year, legal form and job titles are kept, since rules rest on "
            "them. Together they can single out a company in a public register, and a title the one person "
            "who has it; the tables of quasi-identifiers say how many rows are alone.",
            {},
        ),
        _zone_cities(raw, specs),
        Statement(
            "People whom only texts name",
            "Whoever no header, column or address tells is looked for under closings, in greetings, behind "
            'words that announce a person, jobs, marks of a birth name, sources ("lt.", "according to") and '
            "an initial, and under headings of tables, attachments included; elsewhere only where lists of "
            "first names have the name. So names and nicknames that no list has stay where they stand alone "
            "in a sentence, unless they stand in one of those places too, and one that is an ordinary word, "
            "a city or a company besides may stay anywhere. These words and headings are known in English "
            "and German. Full names with blanks between their letters stay.",
            {},
        ),
        Statement(
            "Initials in text",
            "Initials are replaced behind words that tell of a person, under closings and where they are a "
            "login of somebody around; other capitals may mean anything and stay. Initials that several "
            "have, none of them in the thread, are undecided: the same other letters stand for all of them.",
            {},
        ),
        Statement(
            "Companies, amounts, numbers and secrets in text",
            "Companies that only a text names are found by their legal form and by words like Firma or Sons. "
            "Amounts without a currency are found beside and under words for money, account numbers and "
            "national ids by a word before them or their own form; elsewhere they stay. Postcodes stay where "
            "neither a city of the archive, a word for an address, a house number before them nor their form "
            "tells, towns that no column lists stay, and the second half of coordinates may stay. "
            "Passwords, keys of interfaces (API keys), PINs and tracking codes stay, but for those that are "
            "registered: change them where they are in use.",
            {},
        ),
        Statement(
            "Health, faith, politics, unions, origin, sexual life",
            "What texts and columns say of these special categories stays, with a surrogate for its name. "
            "Only texts with words that the policy names (`special_categories` in policy.yaml) are withheld, "
            "and columns that it drops.",
            {},
        ),
        Statement(
            "Order within one thing, and the exported archive",
            "Clean tables are sorted by their own keyed ids, and places in files are keyed tokens, so "
            "that neither tells where a row stood. What belongs to one mail, ticket or document stays in "
            "its order, moments order rows by themselves, numbers in names of files keep their order, "
            "names of folders stay where they name nobody, and sizes of files are powers of two. The "
            "archive that `export` writes has the files and the order of the raw one: whoever has both "
            "joins them line by line.",
            {},
        ),
        Statement(
            "Gender, language and nicknames",
            "A surrogate is drawn from names of the same gender, and of the same language where the real "
            "one or the address tells it, has a nickname where the real one is called by one, and makes "
            "addresses and logins in the same way. Together with a title or a place this narrows down "
            "who stands behind it, and the language of a name hints at an origin.",
            {},
        ),
        _offsets(clean),
        Statement(
            "Providers of mail, prefixes of numbers",
            "Mail providers open to all (gmail.com) keep their name, as who writes from one is a fact "
            "that rules rest on: a surrogate address there may be somebody's, and must never be written "
            "to. A number has the same digits under every prefix and without one, since people quote "
            "it so: which orders, invoices and tickets share a number can be seen, and a number that is "
            "found out in one series is found out in all. Prefixes stay, but for those that abbreviate "
            "the company.",
            {},
        ),
        _unread(clean),
        Statement(
            "The key",
            "While the key and the vault exist, clean tables are personal data: surrogates can be "
            "traced back by whoever holds both. Destroying the key ends that; what is listed "
            "above stays possible.",
            {},
        ),
    ]


def _columns(
    clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]
) -> Iterator[tuple[ColumnSpec, pl.Series]]:
    for name in clean.names():
        frame = clean.read(name) if name not in _OURS else pl.DataFrame()
        for column, spec in table_specs(name, specs).items():
            if (
                column in frame.columns
                and column != "source"
                and not isinstance(frame[column].dtype, pl.List)
            ):
                yield spec, frame[column].cast(pl.String).drop_nulls()


def _counted(columns: list[pl.Series], cut: int | None = None) -> Counter[str]:
    found: Counter[str] = Counter()
    for series in columns:
        values = series.str.slice(0, cut).value_counts() if cut else series.value_counts()
        found.update(dict(values.iter_rows()))
    return found


def _money(columns: list[pl.Series]) -> Statement:
    amounts = _counted(columns)
    return Statement(
        "The amounts alone reveal their factor",
        "Amounts of columns, and those that texts show as such, are multiplied by one whole number from 2 to "
        "12. Whoever knows one real amount knows the number, and so does whoever looks which number divides "
        "all amounts, or finds beside one an amount that nothing in its text shows to be money: money is "
        "masked, not secret. Columns that must be secret need another policy.",
        {
            "amounts": amounts.total(),
            "distinct": len(amounts),
            "that stand once": sum(n == 1 for n in amounts.values()),
        },
    )


def _dates(columns: list[pl.Series]) -> Statement:
    days = _counted(columns, 10)
    return Statement(
        "One known event reveals every date",
        "Dates are moved by one offset of whole weeks near 2 to 6 years, one of ten, so that birthdays stay "
        "within days of their day and month. Years and days glued to letters or written as seconds are not "
        "recognised and stay, which gives the offset away. The ten are "
        "quickly tried: days of holidays and month ends (calendar_facts), changes of daylight saving "
        "time, or one event that the public knows tell which it is. Times of day stay to the second, "
        "so that whoever has one mail finds it again. Dates are masked, not secret.",
        {
            "dates": days.total(),
            "distinct days": len(days),
            "days on which one thing happened": sum(n == 1 for n in days.values()),
        },
    )


def _zone_cities(raw: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Statement:
    cities = _counted([series for spec, series in _columns(raw, specs) if spec.kind is ColumnKind.CITY])
    zones = word_set("zone_cities")
    stay = {city: n for city, n in cities.items() if fold(city) in zones}
    return Statement(
        "Cities that name a time zone",
        f"{len(zones)} cities that name a time zone (Berlin, New York) stay real in columns of cities and in "
        "text; all others have surrogates. Beside industry, size and founding year such a city can single "
        "out a company. A policy that drops the column ends that for the column.",
        {
            "cells of cities": cities.total(),
            "that stay": sum(stay.values()),
            "that stay, distinct": len({*map(fold, stay)}),
        },
    )


def _offsets(clean: TableStore) -> Statement:
    counts: Counter[str] = Counter()
    if clean.has("messages"):
        offset = pl.col("sent_at").str.extract(r"\d\d:\d\d\S*?(Z|[+-]\d\d:?\d\d)$").alias("offset")
        found = clean.read("messages").select(offset, "from_address").drop_nulls()
        senders = found.group_by("offset").agg(pl.col("from_address").n_unique())
        counts.update(dict(senders.iter_rows()))
    return Statement(
        "The time zone in which somebody sits",
        "Offsets from UTC that fewer than three senders write with give way to the nearest one that "
        "more use; the instant stays. The others stay, and tell a region. Times with an offset that "
        "stand in texts, and those of ticket systems and records, stay as they are.",
        {"offsets": len(counts), "of the fewest senders": min(counts.values(), default=0)},
    )


def _style(clean: TableStore) -> Statement:
    words: Counter[str] = Counter()
    if clean.has("messages"):
        mails = clean.read("messages").select("from_address", pl.col("body_own").str.count_matches(r"\S+"))
        words.update({a: n or 0 for a, n in mails.group_by("from_address").sum().iter_rows() if a})
    return Statement(
        "The way somebody writes",
        "Text is kept as it was written, except for names, numbers and dates in it. Whoever has "
        "other texts of a writer can compare habits of spelling, greeting and punctuation.",
        {
            "writers of mail": len(words),
            f"with {WORDS_OF_A_STYLE:,} own words or more": sum(
                n >= WORDS_OF_A_STYLE for n in words.values()
            ),
        },
    )


def _rare(columns: list[pl.Series]) -> Statement:
    counts = [count for series in columns for count in series.value_counts()["count"].to_list()]
    return Statement(
        "Rare events",
        "Rare values, extremes and exceptions are kept on purpose, since rules are learned from "
        "them. Who knows that something unusual happened, can find it and whom it befell.",
        {
            "values of closed lists": len(counts),
            f"in {RARE} rows or fewer": sum(count <= RARE for count in counts),
        },
    )


def _frequency(clean: TableStore) -> Statement:
    senders: list[int] = []
    if clean.has("messages"):
        counts = clean.read("messages")["from_address"].drop_nulls().value_counts()["count"]
        senders = sorted(counts.to_list(), reverse=True)
    return Statement(
        "Who is busiest",
        "Whoever is recognised as one person has one surrogate everywhere, so that counts are real counts; "
        "who is not, as records without a login, address or number in common, has several. Whoever knows "
        "who wrote most mails, or which customer ordered most, can rank surrogates likewise.",
        {
            "mails": sum(senders),
            "of the busiest sender": senders[0] if senders else 0,
            "senders with a count that no other has": sum(n == 1 for n in Counter(senders).values()),
        },
    )


def _ids(columns: list[pl.Series]) -> Statement:
    shapes = Counter(_shape(text) for series in columns for text in series.unique().to_list())
    return Statement(
        "Numbers of orders, tickets and customers",
        "Numbers are replaced one by one and keep prefix and length, so a kind of number stays "
        "recognisable. Lengths and prefixes that few numbers have single these out. Numbers of one or two "
        "digits, zeros before them or not, are exchanged among few: some become another's real one. None "
        "of up to a million possible ones stays what it is, but for zeros alone; of more, one in as many.",
        {
            "numbers": shapes.total(),
            f"of a form that {RARE} or fewer have": sum(n for n in shapes.values() if n <= RARE),
        },
    )


def _series(raw: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Statement:
    series, dealt = 0, 0
    for name in sorted(set(raw.names()) - _OURS):
        frame = raw.read(name)
        kinds = {c: spec.kind for c, spec in table_specs(name, specs).items() if c in frame.columns}
        moments = [c for c, kind in kinds.items() if kind in _DAYS and frame[c].dtype == pl.String]
        for column in (c for c, kind in kinds.items() if kind is ColumnKind.ID):
            for group in _numbered(frame, column, moments):
                series += 1
                dealt += any(_follows(group, moment) for moment in moments)
    return Statement(
        "Numbers that were dealt one after the other",
        "Moments stay in their order, and most systems deal numbers in that order: who sorts the rows of "
        "such a series by time and knows one or two of its real numbers knows nearly all, and with a "
        "number that stands on somebody's paper finds the row. Only coarser dates hide that "
        "(`generalise` in policy.yaml).",
        {"series of numbers": series, "that follow time": dealt},
    )


def _numbered(frame: pl.DataFrame, column: str, moments: list[str]) -> Iterator[pl.DataFrame]:
    """Yields the rows of each prefix of an id column whose values are a prefix and a number, each once."""
    if frame[column].dtype != pl.String or not moments:
        return
    rows = frame.select(
        pl.col(column).str.extract(r"^(\D*)\d+$").alias("prefix"),
        pl.col(column).str.extract(r"^\D*(\d{1,18})$").cast(pl.Int64, strict=False).alias("number"),
        *[pl.col(moment) for moment in moments if moment != column],
    ).drop_nulls(["prefix", "number"])
    for group in rows.partition_by("prefix", maintain_order=True):
        if group.height >= SHORTEST_SERIES and group["number"].n_unique() == group.height:
            yield group


def _follows(group: pl.DataFrame, moment: str) -> bool:
    """Says whether most numbers of a series stand higher than the one before them in time."""
    ordered = group.drop_nulls(moment).sort(moment, "number")["number"].to_list()
    rising = sum(one < other for one, other in pairwise(ordered))
    return len(ordered) >= SHORTEST_SERIES and 100 * rising >= MOSTLY * (len(ordered) - 1)


def _published(clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Statement:
    texts = [
        series
        for spec, series in _columns(clean, specs)
        if spec.kind is ColumnKind.TEXT and series.dtype == pl.String
    ]
    long = [series.filter(series.str.count_matches(r"\S+") >= WORDS_OF_A_QUOTE).unique() for series in texts]
    return Statement(
        "Text that was published elsewhere, and the company itself",
        "A sentence that also stands in the press, on a website or in a tender is found there by its other "
        "words, and tells the real names that were replaced in it; columns that quote such sources are "
        "better dropped by policy.yaml. Names of products, terms and prices of the company that owns the "
        "archive are its own words: whoever knows its price list knows whose archive this is.",
        {
            "columns of text": len(texts),
            f"distinct texts of {WORDS_OF_A_QUOTE} words or more": sum(series.len() for series in long),
        },
    )


def _shape(text: str) -> str:
    """Returns an id with its digits alike, and its letters alike behind the first digit."""
    head = text[: next((at for at, char in enumerate(text) if char.isdigit()), len(text))]
    rest = text[len(head) :]
    return head + "".join("9" if char.isdigit() else "a" if char.isalpha() else char for char in rest)


def _unread(clean: TableStore) -> Statement:
    files = clean.read("attachments") if clean.has("attachments") else pl.DataFrame({"fault": []})
    faults = int((files["fault"].drop_nulls().cast(pl.String) != "").sum())
    aside = clean.read("quarantine").height if clean.has("quarantine") else 0
    return Statement(
        "What was not read",
        "Text in pictures, scans and locked files is not read and does not leave; neither does "
        "what is in quarantine. Nothing is said of what it holds.",
        {"attachments": files.height, "not read, or not whole": faults, "in quarantine": aside},
    )
