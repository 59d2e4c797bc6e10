"""A dataset's policy put to work: which rule a column has, and what it makes of the column.

Belongs here: keep, drop, bin, generalise, withholding of special categories, the ledger's word for them, the
report. Does not belong here: pseudonymising, which is what happens without a rule (`tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from difflib import get_close_matches

import polars as pl

from anonymize.column_values import ByRow, ByValue, ColumnValues, Outcome, Place, Replaced
from anonymize.date_cells import cell_day, moved_cell
from anonymize.dates import DateShift
from anonymize.detection import CleanText, WrittenSpan
from anonymize.errors import PolicyRefused
from anonymize.ledger import LEDGER_PREFIX
from archive.column_numbers import parse_number
from contracts.manifest import ColumnSpec
from contracts.policy import TEXTS, Action, Policy, Rule
from contracts.tables import ColumnKind, record_table_name

PERSONAL = frozenset(
    {
        ColumnKind.PERSON,
        ColumnKind.COMPANY,
        ColumnKind.LOGIN,
        ColumnKind.EMAIL,
        ColumnKind.MAILBOX,
        ColumnKind.DOMAIN,
        ColumnKind.URL,
        ColumnKind.PHONE,
        ColumnKind.STREET,
        ColumnKind.CITY,
        ColumnKind.POSTCODE,
        ColumnKind.ID,
        ColumnKind.TEXT,
        ColumnKind.FILENAME,
        ColumnKind.DATE,
        ColumnKind.DATETIME,
        ColumnKind.MONEY,
    }
)
"""Kinds whose real content tells of somebody, or gives away what hides the rest (offset, factor)."""
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?")
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


@dataclass
class PolicyReport:
    """What the policy did, in counts only."""

    columns: dict[str, str] = field(default_factory=dict)
    """"table.column" -> action."""
    cells: dict[str, int] = field(default_factory=dict)
    """Action -> cells."""
    withheld: dict[str, int] = field(default_factory=dict)
    """Special category -> texts withheld."""
    unread: int = 0
    """Cells that a rule could not read, such as no number where ranges are asked for; they became empty."""
    risks: list[str] = field(default_factory=list)
    """"table.column (kind)" of personal columns that are kept as they are, or in part."""


Tables = Mapping[str, Mapping[str, ColumnSpec]]


class BoundPolicy:
    """The policy of a dataset with its tables."""

    def __init__(self, policy: Policy, tables: Tables, keys: Mapping[str, Sequence[str]]) -> None:
        """Takes every table's columns and the columns of its key.

        Raises:
            PolicyRefused: a column does not exist, cannot be treated so, or joins tables.
        """
        self._policy = policy
        self.report = PolicyReport()
        self._rules = {_placed(place, tables): rule for place, rule in policy.columns.items()}
        referenced = {
            _placed(spec.references, tables, must=False)
            for columns in tables.values()
            for spec in columns.values()
            if spec.references
        }
        by_kind = {
            (table, column): policy.kinds[spec.kind]
            for table, columns in tables.items()
            for column, spec in columns.items()
            if spec.kind in policy.kinds
        }
        for (table, column), rule in (by_kind | self._rules).items():
            spec = tables[table][column]
            fault = rule.misfit(spec.kind)
            joins = column in keys.get(table, ()) or (table, column) in referenced or spec.references
            if not fault and joins and rule.action in (Action.DROP, Action.BIN, Action.GENERALISE):
                fault = "the column is a key or points to one: without it tables no longer join"
            if fault:
                raise PolicyRefused(f"policy, columns.{table}.{column}: {fault}")
        self._words = {
            name: re.compile("|".join(sorted(_word(word) for word in words)), re.I)
            for name, words in sorted(policy.special_categories.items())
        }

    def rule(self, table: str, column: str, kind: ColumnKind) -> Rule | None:
        """Returns the rule of a column; None where it is pseudonymised."""
        rule = self._rules.get((table, column))
        if rule is None and column != "source":
            rule = self._policy.kinds.get(kind)
        return None if rule is None or rule.action is Action.PSEUDONYMISE else rule

    def column(
        self, table: str, series: pl.Series, spec: ColumnSpec, shift: DateShift, factor: int
    ) -> Replaced | None:
        """Returns a column after its rule, with its ledger; None where it has none, or its texts are read.

        Args:
            table: the canonical table.
            series: the raw column.
            spec: what the column holds.
            shift: the offset of dates.
            factor: of money, which bounds take as amounts do.
        """
        rule = self.rule(table, series.name, spec.kind)
        if rule is None or rule.action is Action.QUARANTINE:
            return None
        place = f"{table}.{series.name}"
        self.report.columns[place] = rule.action.value
        if spec.kind in PERSONAL and rule.action in (Action.KEEP, Action.GENERALISE):
            part = "" if rule.action is Action.KEEP else ", in part"
            if rule.action is Action.KEEP or spec.kind is ColumnKind.POSTCODE:
                self.report.risks.append(f"{place} ({spec.kind}{part})")
        if rule.action is Action.KEEP and not isinstance(series.dtype, pl.String | pl.List):
            done = Replaced(series, _whole(table, series, rule.action), [])
        elif not isinstance(series.dtype, pl.String | pl.List):
            done = self._numeric(table, series, rule)
        else:
            change = self._change(rule, spec, shift, factor)
            done = ColumnValues(series).replaced(
                Place(table, series.name, LEDGER_PREFIX + rule.action.value),
                ByValue(change, lambda v, _: change(v)),
            )
        self._count(rule.action, done.ledger.height)
        return done

    def _count(self, action: Action, cells: int) -> None:
        self.report.cells[action.value] = self.report.cells.get(action.value, 0) + cells

    def _numeric(self, table: str, series: pl.Series, rule: Rule) -> Replaced:
        """Returns a column of numbers without its values, or with the lower bounds of their ranges."""
        if rule.action is Action.BIN:
            values = [
                None if value is None else _lower(Decimal(value), rule.bounds) for value in series.to_list()
            ]
            new = pl.Series(series.name, values, dtype=pl.Float64).cast(series.dtype, strict=False)
        else:
            new = pl.Series(series.name, [None] * len(series), dtype=series.dtype)
        return Replaced(new, _whole(table, series, rule.action), [])

    def _change(self, rule: Rule, spec: ColumnSpec, shift: DateShift, factor: int) -> Callable[[str], str]:
        marks = frozenset(spec.missing)

        def kept_or(change: Callable[[str], str | None]) -> Callable[[str], str]:
            def one(value: str) -> str:
                if not value.strip() or value.strip() in marks:
                    return value
                new = change(value)
                self.report.unread += new is None
                return new or ""

            return one

        if rule.action is Action.KEEP:
            return lambda value: value
        if rule.action is Action.DROP:
            return lambda value: ""
        if rule.action is Action.BIN:
            times = factor if spec.kind is ColumnKind.MONEY else 1
            return kept_or(lambda value: _range(value, spec.decimal_mark, rule.bounds, times))
        if rule.digits is not None:
            size = rule.digits
            return kept_or(lambda value: _shortened(value, size))
        months = _MONTHS[rule.to or "month"]
        return kept_or(lambda value: _coarse(shift.cell(value, spec.date_format), spec.date_format, months))

    def guarded(self, table: str, column: str, kind: ColumnKind, replace: ByRow | ByValue) -> ByRow | ByValue:
        """Returns a replacement of texts that withholds those of special categories."""
        rule = self.rule(table, column, kind)
        if not self._words or kind not in TEXTS or (rule is None and kind is not ColumnKind.TEXT):
            return replace
        by_row = replace.row if isinstance(replace, ByValue) else replace

        def text(value: str, row: int) -> Outcome:
            return self._withheld(table, column, value) or by_row(value, row)

        if not isinstance(replace, ByValue):
            return text
        by_value = replace.value

        def category(value: str) -> Outcome | None:
            return self._withheld(table, column, value) or by_value(value)

        return ByValue(category, text)

    def _withheld(self, table: str, column: str, value: str) -> CleanText | None:
        """Returns what stands for a text of a special category, whose whole span was written; else None."""
        name = next((name for name, words in self._words.items() if words.search(value)), None)
        if name is None:
            return None
        self.report.columns.setdefault(f"{table}.{column}", Action.QUARANTINE.value)
        self.report.withheld[name] = self.report.withheld.get(name, 0) + 1
        self._count(Action.QUARANTINE, 1)
        new = f"[withheld: {name}]"
        kind = LEDGER_PREFIX + Action.QUARANTINE.value
        return CleanText(new, (WrittenSpan(0, len(value), 0, len(new), kind),))


def _placed(place: str, tables: Tables, *, must: bool = True) -> tuple[str, str]:
    """Returns table and column of "source.table.column" or "table.column"."""
    head, _, rest = place.partition(".")
    middle, _, last = rest.partition(".")
    for table, column in ((record_table_name(head, middle), last), (head, rest)):
        if column and column in tables.get(table, {}):
            return table, column
    if must:
        near = get_close_matches(place, _places(tables), 1)
        hint = f"did you mean {near[0]}?" if near else "write source.table.column as in the manifest"
        raise PolicyRefused(f"policy, columns.{place}: no such column; {hint}")
    return place, ""


def _places(tables: Tables) -> list[str]:
    """Returns all columns as a policy writes them."""
    heads = {name: name.removeprefix("records-").replace("-", ".", 1) for name in tables}
    return [f"{heads[name]}.{column}" for name in sorted(tables) for column in tables[name]]


def _word(word: str) -> str:
    bare = re.escape(word.strip().rstrip("*"))
    return rf"(?<!\w){bare}" + ("" if word.endswith("*") else r"(?!\w)")


def _lower(number: Decimal, bounds: Sequence[Decimal]) -> float | None:
    below = [bound for bound in bounds if bound <= number]
    return float(below[-1]) if below else None


def _range(value: str, mark: str, bounds: Sequence[Decimal], factor: int) -> str | None:
    number = parse_number(value, mark)
    if number is None:
        return None
    below = [bound for bound in bounds if bound <= number]
    above = [bound for bound in bounds if bound > number]
    low = f"{below[-1] * factor:f}" if below else ""
    high = f"{above[0] * factor:f}" if above else ""
    return f"{low}..{high}"


def _shortened(value: str, size: int) -> str:
    """Returns a postcode with its first letters and digits; the rest of them become "x"."""
    seen = 0
    chars = []
    for char in value.strip():
        seen += char.isalnum()
        chars.append("x" if char.isalnum() and seen > size else char)
    return "".join(chars)


def _coarse(clean: str | None, form: str | None, months: int) -> str | None:
    """Returns a moved date as the first day of its month, quarter or year, midnight, in its layout."""
    day = cell_day(clean, form) if clean is not None else None
    if clean is None or day is None:
        return None
    first = date(day.year, (day.month - 1) // months * months + 1, 1)
    new = moved_cell(clean, form, (first - day) // timedelta(days=1), 0)
    return None if new is None else _CLOCK.sub(lambda clock: re.sub(r"\d", "0", clock.group()), new)


def _whole(table: str, series: pl.Series, action: Action) -> pl.DataFrame:
    rows = pl.DataFrame({"value": series}).with_row_index("row").drop_nulls("value")
    return rows.select(
        pl.lit(table).alias("table"),
        pl.col("row").cast(pl.Int64),
        pl.lit(series.name).alias("column"),
        pl.lit(0, pl.Int64).alias("item"),
        pl.lit(0, pl.Int64).alias("start"),
        pl.lit(0, pl.Int64).alias("end"),
        pl.lit(LEDGER_PREFIX + action.value).alias("kind"),
    )
