"""What was replaced and why, told in surrogates only: from clean tables and the ledger.

Raw tables only tell which cells of a blocked run leak.

Belongs here: the story of a column and of a message, the closed list of reasons. Replacement keeps what tells
of the rule: forms stay forms, check digits as right or wrong as they were, so the clean text shows why. Does
not belong here: printing it (`rl_dojo.explaining`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

import polars as pl

from anonymize.audit import AUDIT_FILE
from anonymize.check_digits import iban_check, is_luhn, official_number
from anonymize.errors import ExplainRefused
from anonymize.findings import FindingKind
from anonymize.keys import DatasetKey
from anonymize.leaking_cells import leaking_cells
from anonymize.ledger import LEDGER_PREFIX, Cell
from anonymize.phones import e164
from anonymize.pseudonymize import LEDGER
from anonymize.recognizers.numbers import IdentifierRecognizer
from anonymize.table_shapes import table_specs
from anonymize.vault import vault_tables
from archive.home import DatasetHome
from archive.store import TableStore
from contracts.money import amounts_in
from contracts.policy import Action
from contracts.tables import FIXED_TABLES, RECORD_ID, record_table_name

EXAMPLES = 5
"""Cells of a column that are shown."""
LONGEST_TEXT = 2_000
"""Characters of a cell of a column that are shown; a message is shown whole."""
_WITH_MESSAGES = ("messages", "attachments", "calendar_items")
_INITIAL = re.compile(r"\b[^\W\d_]\.(?!\w)|\b[A-Z]\b")
_TITLED = re.compile(r"\b(?:Mr|Ms|Mrs|Miss|Dr|Prof|Herrn?|Frau|Hrn?|Sir|Madam)\.?\s+\Z")
_YEAR = re.compile(r"(?:19|20)\d\d|\d\d[./-]\d\d[./-]\d\d|['’/-]\d\d(?!\d)")


class Reason(StrEnum):
    """Why something was replaced."""

    COLUMN = "the column is declared as this kind: every cell is replaced whole"
    PERSON_FULL = "registered person, full name"
    PERSON_INITIAL = "registered person, name with an initial"
    PERSON_TITLED = "registered person, a name behind a title"
    PERSON_SINGLE = "registered person, one of the names, by letter case or by who takes part"
    COMPANY = "registered company, its name or a short form of it"
    LOGIN = "registered login"
    ADDRESS = "shape of a mail address; person and domain follow their surrogates"
    DOMAIN = "domain that is no public provider's"
    PHONE_VALID = "number that a numbering plan allows"
    PHONE_KNOWN = "number that a phone column holds"
    IBAN_RIGHT = "shape of an IBAN, check digits right"
    IBAN_WRONG = "shape of an IBAN, check digits wrong"
    CARD_RIGHT = "shape of a card number, check digit right"
    CARD_WRONG = "shape of a card number, check digit wrong"
    TAX_RIGHT = "shape of a tax number, check digit right"
    TAX_WRONG = "shape of a tax number, check digit wrong"
    PLACE = "place that a column or an address line names"
    ID_NAMED = "number behind a word that announces one"
    ID_SHAPED = "shape of an identifier"
    ID_KNOWN = "identifier that a column holds or a link found"
    MONEY_SIGNED = "amount with a currency or a shortened unit, times the one factor"
    MONEY_KNOWN = "number that a money column holds, times the one factor"
    DATE_FULL = "written date, moved by the one offset"
    DATE_NEAR = "date without a year, read near the day of its row, moved by the one offset"
    NETWORK = "network address"
    OFFICIAL = "number of an authority or document, by its shape or the word before"
    POLICY = "the dataset's policy"


@dataclass(frozen=True)
class Replacement:
    """One replacement in a clean cell."""

    start: int
    end: int
    surrogate: str
    kind: str
    rule: str
    """The recognizer, "column" or "policy"."""
    reason: str


@dataclass(frozen=True)
class CellStory:
    """A clean cell with what was replaced in it."""

    table: str
    row: str
    """Clean id of the row."""
    column: str
    text: str
    replacements: list[Replacement]
    leaks: bool = False
    """Whether the audit finds the cell as it was, or a real form in it; only told of blocked runs."""

    @property
    def marked(self) -> str:
        """The text with brackets around what was replaced."""
        pieces, last = [], 0
        for one in self.replacements:
            pieces += [self.text[last : one.start], "⟦", self.text[one.start : one.end], "⟧"]
            last = one.end
        return "".join([*pieces, self.text[last:]])


@dataclass(frozen=True)
class Story:
    """The answer to one question."""

    what: str
    kind: str = ""
    """For a column: the kind it is declared as."""
    cells: int = 0
    """Cells with a value."""
    touched: int = 0
    """Cells in which anything was replaced."""
    counts: dict[str, int] = field(default_factory=dict)
    """Kind of replacement -> how many."""
    stories: list[CellStory] = field(default_factory=list)
    """Examples of a column, or all texts of a message."""
    leaking: int = 0
    """Cells that leak; only told of a column of a blocked run, whose first stories they are."""
    blocked: bool = False
    """Whether these are pending tables, which an audit keeps back: real forms may stand there."""


def explain(home: DatasetHome, key: DatasetKey, what: str) -> Story:
    """Returns what was replaced in a column ("crm.account.Name", "messages.subject") or message, and why.

    Of a blocked run it tells of the pending tables, in which real forms may stand, and shows first the cells
    of a column that the audit takes for leaks, and at the end cells in which nothing was replaced.

    Args:
        home: a dataset whose clean tables are published, or whose pending ones were audited.
        key: of the dataset, which opens the ledger.
        what: a column, or the id of a message as the clean tables have it.

    Raises:
        ExplainRefused: nothing is published or audited, the last run was stopped, or nothing is called so.
        VaultError: the ledger was written with another key.
    """
    blocked = is_blocked(home)
    clean = TableStore(home.clean_pending if blocked else home.clean)
    if not clean.names():
        raise ExplainRefused(f"dataset {home.name!r} has no clean tables: onboard it first")
    if home.clean_pending.is_dir() and not blocked:
        raise ExplainRefused(
            f"the last run of dataset {home.name!r} was stopped before its audit, so the ledger is not that "
            "of its clean tables, and it was not published: onboard it again first"
        )
    ledger = vault_tables(home, key).read(LEDGER)
    place = _column(clean, what)
    if place is not None:
        leaking = leaking_cells(home, key, ledger, *place) if blocked else frozenset()
        return replace(_of_column(clean, ledger, *place, leaking, whole=blocked), blocked=blocked)
    return replace(_of_message(clean, ledger, what), blocked=blocked)


def is_blocked(home: DatasetHome) -> bool:
    """Says whether the last run wrote tables that an audit has read and that are not published."""
    return (home.clean_pending / AUDIT_FILE).is_file()


def _column(clean: TableStore, what: str) -> tuple[str, str] | None:
    """Returns table and column that are meant, or None where no column is called so."""
    head, _, rest = what.partition(".")
    middle, _, last = rest.partition(".")
    for table, column in ((record_table_name(head, middle), last), (head, rest)):
        if column and clean.has(table) and column in clean.read(table).columns:
            return table, column
    return None


def _of_column(
    clean: TableStore,
    ledger: pl.DataFrame,
    table: str,
    column: str,
    leaking: frozenset[Cell] = frozenset(),
    *,
    whole: bool = False,
) -> Story:
    frame = clean.read(table)
    own = ledger.filter((pl.col("table") == table) & (pl.col("column") == column))
    written = own.filter(pl.col("start") >= 0)
    spec = table_specs(table, clean.column_specs()).get(column)
    values = frame[column].explode() if isinstance(frame[column].dtype, pl.List) else frame[column]
    filled = values.drop_nulls().cast(pl.String)
    first = written.unique(subset=["row", "item"], maintain_order=True).head(50 * EXAMPLES)
    stories: dict[str, CellStory] = {}
    for row, item in sorted(leaking):
        story = _story(frame, table, column, row, item, written, LONGEST_TEXT)
        if len(stories) < 2 * EXAMPLES:
            stories.setdefault(story.text, replace(story, leaks=True))
    most = len(stories) + EXAMPLES
    for row, item in first.select("row", "item").iter_rows():
        story = _story(frame, table, column, row, item, written, LONGEST_TEXT)
        if story.text not in stories and len(stories) < most:
            stories[story.text] = story
    if whole:  # what leaks is most often where nothing was replaced
        untouched = own.join(written.select("row", "item"), on=["row", "item"], how="anti")
        for row, item in untouched.select("row", "item").head(50 * EXAMPLES).iter_rows():
            story = _story(frame, table, column, row, item, written, LONGEST_TEXT)
            if story.text and len(stories) < most + EXAMPLES:
                stories.setdefault(story.text, story)
    return Story(
        f"{table}.{column}",
        spec.kind.value if spec is not None else "text",
        int((filled != "").sum()),
        written.select("row", "item").unique().height,
        _counts(written),
        list(stories.values()),
        len(leaking),
    )


def _of_message(clean: TableStore, ledger: pl.DataFrame, what: str) -> Story:
    bare = what.strip().strip("<>")
    messages = clean.read("messages") if clean.has("messages") else pl.DataFrame()
    found = (
        messages.filter((pl.col("message_id") == bare) | (pl.col("header_id").str.strip_chars("<> ") == bare))
        if messages.height
        else messages
    )
    if not found.height:
        raise ExplainRefused(
            f"nothing is called {what!r}: write table.column, source.table.column, or the id of a message as "
            "the clean tables have it (message_id or header_id)"
        )
    wanted = found["message_id"].to_list()
    stories: list[CellStory] = []
    seen: list[pl.DataFrame] = []
    for table in _WITH_MESSAGES:
        if not clean.has(table):
            continue
        frame = clean.read(table).with_row_index("place")
        rows = frame.filter(pl.col("message_id").is_in(wanted))["place"].to_list()
        own = ledger.filter((pl.col("table") == table) & pl.col("row").is_in(rows) & (pl.col("start") >= 0))
        seen.append(own)
        for column, row, item in own.select("column", "row", "item").unique(maintain_order=True).iter_rows():
            stories.append(_story(frame, table, column, row, item, own, None))
    written = pl.concat(seen)
    return Story(what, "message", len(stories), len(stories), _counts(written), stories)


def _counts(written: pl.DataFrame) -> dict[str, int]:
    return dict(sorted(Counter(written["kind"].to_list()).items()))


def _story(
    frame: pl.DataFrame, table: str, column: str, row: int, item: int, ledger: pl.DataFrame, cut: int | None
) -> CellStory:
    value = frame[column][row]
    text = str(value[item] if isinstance(value, pl.Series) else "" if value is None else value)
    own = ledger.filter((pl.col("column") == column) & (pl.col("row") == row) & (pl.col("item") == item))
    spans = sorted(own.select("start", "end", "kind").iter_rows())
    key = FIXED_TABLES[table].key if table in FIXED_TABLES else RECORD_ID.name
    name = str(frame[key][row]) if key in frame.columns else str(row)
    shown = text if cut is None else text[:cut]
    return CellStory(table, name, column, shown, list(_replacements(text, spans, len(shown))))


def _replacements(text: str, spans: Iterable[tuple[int, int, str]], limit: int) -> Iterator[Replacement]:
    for start, end, kind in spans:
        if end <= limit:
            rule, reason = why(kind, text, start, end)
            yield Replacement(start, end, text[start:end], kind, rule, reason)


def why(kind: str, text: str, start: int, end: int) -> tuple[str, str]:
    """Returns the rule and the reason of a replacement, from its kind and the clean text it stands in."""
    if kind.startswith(LEDGER_PREFIX):
        action = Action(kind.removeprefix(LEDGER_PREFIX))
        return "policy", f"{Reason.POLICY.value}: {action.value}"
    if kind not in _RULES:
        return "column", Reason.COLUMN.value
    return _RULES[kind], _reason(FindingKind(kind), text, start, end).value


_RULES = {
    FindingKind.PERSON.value: "known names",
    FindingKind.COMPANY.value: "known names",
    FindingKind.LOGIN.value: "known names",
    FindingKind.STREET.value: "known names",
    FindingKind.CITY.value: "known names",
    FindingKind.EMAIL.value: "addresses",
    FindingKind.DOMAIN.value: "addresses",
    FindingKind.PHONE.value: "phones",
    FindingKind.IDENTIFIER.value: "identifiers",
    FindingKind.IBAN.value: "accounts",
    FindingKind.CARD.value: "accounts",
    FindingKind.MONEY.value: "money",
    FindingKind.DATE.value: "dates",
    FindingKind.IP.value: "networks",
    FindingKind.MAC.value: "networks",
    FindingKind.TAX.value: "registers",
    FindingKind.DOCUMENT.value: "registers",
}
_PLAIN = {
    FindingKind.COMPANY: Reason.COMPANY,
    FindingKind.LOGIN: Reason.LOGIN,
    FindingKind.EMAIL: Reason.ADDRESS,
    FindingKind.DOMAIN: Reason.DOMAIN,
    FindingKind.STREET: Reason.PLACE,
    FindingKind.CITY: Reason.PLACE,
    FindingKind.IP: Reason.NETWORK,
    FindingKind.MAC: Reason.NETWORK,
    FindingKind.TAX: Reason.OFFICIAL,
    FindingKind.DOCUMENT: Reason.OFFICIAL,
}


def _reason(kind: FindingKind, text: str, start: int, end: int) -> Reason:
    written = text[start:end]
    closed = re.sub(r"[\s.-]", "", written).upper()
    if kind is FindingKind.PERSON:
        if _INITIAL.search(written):
            return Reason.PERSON_INITIAL
        several = len(re.findall(r"[^\W\d_]+", written)) > 1
        if several:
            return Reason.PERSON_FULL
        titled = _TITLED.search(text, max(0, start - 12), start)
        return Reason.PERSON_TITLED if titled else Reason.PERSON_SINGLE
    if kind is FindingKind.PHONE:
        return Reason.PHONE_VALID if e164(written) else Reason.PHONE_KNOWN
    if kind is FindingKind.IBAN:
        right = closed[2:4].isdigit() and iban_check(closed[:2], closed[4:]) == int(closed[2:4])
        return Reason.IBAN_RIGHT if right else Reason.IBAN_WRONG
    if kind is FindingKind.CARD:
        return Reason.CARD_RIGHT if is_luhn(re.sub(r"\D", "", written)) else Reason.CARD_WRONG
    if kind is FindingKind.IDENTIFIER:
        return _of_identifier(text, start, end, closed)
    if kind is FindingKind.MONEY:
        signed = any(one.start < end and start < one.end for one in amounts_in(text))
        return Reason.MONEY_SIGNED if signed else Reason.MONEY_KNOWN
    if kind is FindingKind.DATE:
        return Reason.DATE_FULL if _YEAR.search(written) else Reason.DATE_NEAR
    return _PLAIN[kind]


def _of_identifier(text: str, start: int, end: int, closed: str) -> Reason:
    official = official_number(closed)
    if official is not None:
        return Reason.TAX_RIGHT if official.right else Reason.TAX_WRONG
    near = max(0, start - 40)
    for match in IdentifierRecognizer.NAMED.finditer(text, near, min(len(text), end + 3)):
        if match.start("number") <= start and end <= match.end("number"):
            return Reason.ID_NAMED
    shaped = IdentifierRecognizer.SHAPED.match(text, start)
    return Reason.ID_SHAPED if shaped is not None and shaped.end() >= end else Reason.ID_KNOWN
