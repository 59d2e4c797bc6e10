"""The replacement policy `policy.yaml` of a dataset: what happens to which kind of content and which column.

Whatever it does not name is pseudonymised. It lies beside the manifest, or the manifest's `policy` names it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from contracts.tables import ColumnKind


class Action(StrEnum):
    """What happens to a column."""

    PSEUDONYMISE = "pseudonymise"
    KEEP = "keep"
    DROP = "drop"
    """Cells become empty."""
    BIN = "bin"
    """Numbers become the range between two bounds."""
    GENERALISE = "generalise"
    """Dates lose day and time, postcodes all but their first digits."""
    QUARANTINE = "quarantine"
    """Texts that hold a word of a special category are withheld whole."""


NUMBERS = frozenset({ColumnKind.MONEY, ColumnKind.QUANTITY, ColumnKind.RATE, ColumnKind.MEASURE})
DATES = frozenset({ColumnKind.DATE, ColumnKind.DATETIME})
TEXTS = frozenset({ColumnKind.TEXT, ColumnKind.CATEGORY})
STRUCTURE = frozenset({ColumnKind.PROVENANCE, ColumnKind.ID, ColumnKind.FLAG})
"""What joins tables or tells rows apart: no kind as a whole may lose it."""
_CATEGORY_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rule(_Strict):
    """What happens to one kind or column; `drop` alone stands for `{action: drop}`."""

    action: Action
    bounds: list[Decimal] = Field(default_factory=list)
    """For bin: bounds between ranges, ascending, in the units of the raw column."""
    to: Literal["month", "quarter", "year"] | None = None
    """For generalise on dates."""
    digits: Annotated[int, Field(ge=0, le=4)] | None = None
    """For generalise on postcodes: how many characters in front stay."""

    @model_validator(mode="before")
    @classmethod
    def _word_alone(cls, value: Any) -> Any:
        return {"action": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Rule:
        if (self.action is Action.BIN) != bool(self.bounds):
            raise ValueError("`bounds` go with `action: bin`, and it needs at least one")
        if self.bounds != sorted(set(self.bounds)):
            raise ValueError("`bounds` must ascend, each written once")
        given = (self.to is not None) + (self.digits is not None)
        if given != (1 if self.action is Action.GENERALISE else 0):
            raise ValueError(
                "`action: generalise` needs either `to` (month, quarter, year) or `digits`, others neither"
            )
        return self

    def misfit(self, kind: ColumnKind) -> str:
        """Returns why this rule cannot act on a kind of content; empty where it can."""
        if self.action is Action.BIN and kind not in NUMBERS:
            return f"bin is for numbers ({', '.join(sorted(NUMBERS))}), not for {kind}"
        if self.to is not None and kind not in DATES:
            return f"generalise to {self.to} is for dates, not for {kind}"
        if self.digits is not None and kind is not ColumnKind.POSTCODE:
            return f"generalise to digits is for postcodes, not for {kind}"
        if self.action is Action.QUARANTINE and kind not in TEXTS:
            return f"quarantine reads words: it is for text and category, not for {kind}"
        if kind is ColumnKind.PROVENANCE and self.action is not Action.PSEUDONYMISE:
            return "provenance joins the tables: it is pseudonymised or nothing"
        return ""


class Policy(_Strict):
    """The whole policy of a dataset."""

    kinds: dict[ColumnKind, Rule] = Field(default_factory=dict)
    columns: dict[str, Rule] = Field(default_factory=dict)
    """"source.table.column" of a company's own tables, or "table.column" of a fixed one; before `kinds`."""
    special_categories: dict[str, list[Annotated[str, Field(min_length=2, max_length=60)]]] = Field(
        default_factory=dict
    )
    """Health, union, religion, ...: name -> words; "krank*" stands for every word that starts so. Every
    text column is searched unless `columns` or `kinds` say what else happens to it."""

    @field_validator("special_categories")
    @classmethod
    def _named_plainly(cls, value: dict[str, list[str]]) -> dict[str, list[str]]:
        for name, words in value.items():
            if not _CATEGORY_NAME.fullmatch(name):
                raise ValueError(f"category {name!r}: use lower-case letters, digits and _")
            if not words:
                raise ValueError(f"category {name!r} lists no words")
            for word in words:
                if len(word.strip().rstrip("*")) < 2 or "*" in word[:-1]:
                    raise ValueError(f"category {name!r}: a word needs two letters, `*` only at its end")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Policy:
        for kind, rule in self.kinds.items():
            fault = rule.misfit(kind)
            if not fault and kind in STRUCTURE and rule.action in (Action.DROP, Action.BIN):
                fault = f"{kind} columns join tables and tell rows apart: name single columns instead"
            if fault:
                raise ValueError(f"kinds.{kind}: {fault}")
        for place in self.columns:
            if place.count(".") < 1 or not all(place.split(".")):
                raise ValueError(f"columns: {place!r} is no source.table.column or table.column")
        rules = [*self.kinds.values(), *self.columns.values()]
        if any(rule.action is Action.QUARANTINE for rule in rules) and not self.special_categories:
            raise ValueError("quarantine needs `special_categories`: name -> words")
        return self
