"""Ticket events: which fields tell of people, and whom their values name."""

from __future__ import annotations

import polars as pl
import pytest

from anonymize.event_cells import EventKind, collect_events, event_of, plain_address
from anonymize.evidence import Evidence


@pytest.mark.parametrize(
    ("field", "author", "at", "kind"),
    [
        ("Reporter name", "alee", None, EventKind.NAME),
        ("Author e-mail", "alee", None, EventKind.ADDRESS),
        ("Assignee organization", "alee", None, EventKind.COMPANY),
        ("mention", "alee", "2024-05-06T10:00:00Z", EventKind.LOGIN),
        ("assignee", "alee", "2024-05-06T10:00:00Z", EventKind.NAME),
        ("Attachment", None, None, EventKind.FILE),
        ("Issue id", None, None, EventKind.ID),
        ("Reporter id", "alee", None, EventKind.ID),
        ("generated_timestamp", None, None, EventKind.MOMENT),
        ("Project name", None, None, EventKind.TEXT),
        ("status", "alee", "2024-05-06T10:00:00Z", EventKind.TEXT),
    ],
)
def test_what_a_field_says(field: str, author: str | None, at: str | None, kind: EventKind) -> None:
    assert event_of(field, author, at).kind is kind


def test_name_and_address_of_a_login_are_one_person() -> None:
    rows = [
        ("Reporter name", "alee", None, None, "Ann Lee"),
        ("Reporter e-mail", "alee", None, None, "ann dot lee at acme dot com"),
        ("mention", "alee", "2024-05-06", None, "broe"),
    ]
    frame = pl.DataFrame(
        rows, schema=["field", "author", "at", "old_value", "new_value"], orient="row"
    ).with_columns(pl.all().cast(pl.String))
    evidence = Evidence()
    collect_events(evidence, frame)
    told = {(mention.names[:1], mention.addresses, mention.logins) for mention in evidence.persons}
    assert ((), ("ann.lee@acme.com",), ("alee",)) in told and ((), (), ("broe",)) in told
    assert any(names and names[0].full == "Ann Lee" and logins == ("alee",) for names, _, logins in told)


@pytest.mark.parametrize(
    ("value", "address"),
    [("Ann@X.com", "ann@x.com"), ("ann at x dot com", "ann@x.com"), ("Ann Lee", None)],
)
def test_addresses_of_events(value: str, address: str | None) -> None:
    assert plain_address(value) == address
