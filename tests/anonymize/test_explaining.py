"""What was replaced and why: surrogates only, from clean tables and ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from anonymize.errors import ExplainRefused
from anonymize.explaining import Reason, explain, why
from anonymize.keys import DatasetKey
from anonymize.ledger import LEDGER_SCHEMA
from anonymize.pseudonymize import LEDGER
from anonymize.vault import vault_tables
from archive.home import DatasetHome
from archive.store import TableStore, polars_schema
from contracts.manifest import ColumnSpec
from contracts.tables import MESSAGES, ColumnKind

KEY = DatasetKey(b"k" * 32, "test")
BODY = "Hi Brandi, Ann Lee pays $1,500 for order 4711002 on 3.9."


@pytest.mark.parametrize(
    ("kind", "text", "surrogate", "rule", "reason"),
    [
        ("PERSON", "with Ann Lee.", "Ann Lee", "known names", Reason.PERSON_FULL),
        ("PERSON", "with A. Lee.", "A. Lee", "known names", Reason.PERSON_INITIAL),
        ("PERSON", "Guten Tag Herr Lee,", "Lee", "known names", Reason.PERSON_TITLED),
        ("PERSON", "with Lee.", "Lee", "known names", Reason.PERSON_SINGLE),
        ("EMAIL_ADDRESS", "to a.lee@revex.example", "a.lee@revex.example", "addresses", Reason.ADDRESS),
        ("PHONE_NUMBER", "+1 508 555 0142", "+1 508 555 0142", "phones", Reason.PHONE_VALID),
        ("PHONE_NUMBER", "at 99999", "99999", "phones", Reason.PHONE_KNOWN),
        (
            "IBAN_CODE", "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00", "accounts",
            Reason.IBAN_RIGHT,
        ),
        (
            "IBAN_CODE", "DE88 3704 0044 0532 0130 00", "DE88 3704 0044 0532 0130 00", "accounts",
            Reason.IBAN_WRONG,
        ),
        ("CREDIT_CARD", "4111 1111 1111 1111", "4111 1111 1111 1111", "accounts", Reason.CARD_RIGHT),
        ("CREDIT_CARD", "4111 1111 1111 1112", "4111 1111 1111 1112", "accounts", Reason.CARD_WRONG),
        ("IDENTIFIER", "VAT DE 811907980", "DE 811907980", "identifiers", Reason.TAX_RIGHT),
        ("IDENTIFIER", "VAT DE811907981", "DE811907981", "identifiers", Reason.TAX_WRONG),
        ("IDENTIFIER", "invoice no. 90210", "90210", "identifiers", Reason.ID_NAMED),
        ("IDENTIFIER", "see SO-20331 there", "SO-20331", "identifiers", Reason.ID_SHAPED),
        ("IDENTIFIER", "see 2537-693-788", "2537-693-788", "identifiers", Reason.ID_KNOWN),
        ("MONEY", "about 12.3k", "12.3k", "money", Reason.MONEY_SIGNED),
        ("MONEY", "net 14.345,67", "14.345,67", "money", Reason.MONEY_KNOWN),
        ("DATE_TIME", "on 3-Sep-24", "3-Sep-24", "dates", Reason.DATE_FULL),
        ("DATE_TIME", "am 3.9.", "3.9.", "dates", Reason.DATE_NEAR),
        ("person", "Ann Lee", "Ann Lee", "column", Reason.COLUMN),
    ],
)  # fmt: skip
def test_the_clean_text_tells_the_reason(
    kind: str, text: str, surrogate: str, rule: str, reason: Reason
) -> None:
    start = text.index(surrogate)
    assert why(kind, text, start, start + len(surrogate)) == (rule, reason.value)


def test_a_policy_is_a_reason() -> None:
    assert why("policy:quarantine", "[withheld: health]", 0, 18) == (
        "policy",
        "the dataset's policy: quarantine",
    )


def dataset(folder: Path) -> DatasetHome:
    """A dataset with one published mail and one table."""
    home = DatasetHome(folder, "test")
    clean = TableStore(home.clean)
    schema = polars_schema(MESSAGES)
    empty: dict[str, Any] = {name: [] if isinstance(type_, pl.List) else "" for name, type_ in schema.items()}
    row = empty | {
        "message_id": "m-1",
        "header_id": "<ab@revex.example>",
        "body_own": BODY,
        "to": ["x", "Lee"],
    }
    clean.write("messages", pl.DataFrame([row], schema=schema))
    head = {
        name: ["r-1", "r-2", "r-3"] for name in ("record_id", "source", "path", "locator", "content_hash")
    }
    users = pl.DataFrame({**head, "Name": ["Ann Lee", "Ann Lee", None]})
    clean.write("records-crm-user", users)
    clean.write_column_specs({"records-crm-user": {"Name": ColumnSpec(kind=ColumnKind.PERSON)}})

    def span(text: str, kind: str) -> tuple[Any, ...]:
        start = BODY.index(text)
        return "messages", 0, "body_own", 0, start, start + len(text), kind

    rows = [
        span("Brandi", "PERSON"),
        span("Ann Lee", "PERSON"),
        span("$1,500", "MONEY"),
        span("4711002", "IDENTIFIER"),
        span("3.9.", "DATE_TIME"),
        ("messages", 0, "to", 0, -1, -1, ""),
        ("messages", 0, "to", 1, 0, 3, "mailbox"),
        ("records-crm-user", 0, "Name", 0, 0, 7, "person"),
        ("records-crm-user", 1, "Name", 0, 0, 7, "person"),
    ]
    beside = vault_tables(home, KEY)
    beside.write(LEDGER, pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row"))
    return home


def test_a_message_is_told_with_marks_and_reasons(tmp_path: Path) -> None:
    home = dataset(tmp_path)
    for what in ("m-1", "<ab@revex.example>", "ab@revex.example"):
        story = explain(home, KEY, what)
        body, to = story.stories
        assert body.marked == "Hi ⟦Brandi⟧, ⟦Ann Lee⟧ pays ⟦$1,500⟧ for order ⟦4711002⟧ on ⟦3.9.⟧"
        assert [one.reason for one in body.replacements] == [
            Reason.PERSON_SINGLE,
            Reason.PERSON_FULL,
            Reason.MONEY_SIGNED,
            Reason.ID_NAMED,
            Reason.DATE_NEAR,
        ]
        assert (to.column, to.marked) == ("to", "⟦Lee⟧")
        assert story.counts == {"DATE_TIME": 1, "IDENTIFIER": 1, "MONEY": 1, "PERSON": 2, "mailbox": 1}


@pytest.mark.parametrize("what", ["crm.user.Name", "records-crm-user.Name"])
def test_a_column_is_told_in_counts_and_examples(tmp_path: Path, what: str) -> None:
    story = explain(dataset(tmp_path), KEY, what)
    assert (story.what, story.kind, story.cells, story.touched) == ("records-crm-user.Name", "person", 2, 2)
    assert story.counts == {"person": 2}
    assert [cell.marked for cell in story.stories] == ["⟦Ann Lee⟧"]


@pytest.mark.parametrize("what", ["crm.user.Nick", "m-2", ""])
def test_what_is_not_there_is_refused(tmp_path: Path, what: str) -> None:
    with pytest.raises(ExplainRefused, match="nothing is called"):
        explain(dataset(tmp_path), KEY, what)


def test_of_a_blocked_run_pending_cells_are_shown_where_nothing_was_replaced_too(tmp_path: Path) -> None:
    home = dataset(tmp_path)
    assert not explain(home, KEY, "messages.to").blocked
    home.clean.rename(home.clean_pending)
    (home.clean_pending / "audit.json").write_text('{"passed": false}')
    story = explain(home, KEY, "messages.to")
    assert story.blocked and [cell.marked for cell in story.stories] == ["⟦Lee⟧", "x"]


def test_a_ledger_of_a_run_that_was_not_published_explains_nothing(tmp_path: Path) -> None:
    home = dataset(tmp_path)
    home.clean_pending.mkdir()
    with pytest.raises(ExplainRefused, match="was not published"):
        explain(home, KEY, "m-1")
    with pytest.raises(ExplainRefused, match="onboard it first"):
        explain(DatasetHome(tmp_path, "other"), KEY, "m-1")
