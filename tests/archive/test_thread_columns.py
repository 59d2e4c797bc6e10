"""Threads told from columns are those told from mails."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail
from archive.quotes import split_body
from archive.thread_columns import THREAD_COLUMNS, THREAD_SCHEMA, thread_columns, threaded_row

HEADERS = st.sampled_from(
    [
        "Message-ID: <1@x>",
        "In-Reply-To: <0@x>",
        "References: <0@x> <00@x>",
        "To: Bob <b@y.example>, c@y.example",
        "Date: Tue, 4 Mar 2025 23:15:00 -0500",
        "X-GM-THRID: 17",
    ]
)
BODIES = st.sampled_from(
    [
        "The pump on line four lost its seal.",
        "Yes.\n\nFrom: Cy <c@z.example>\nDate: x\nTo: a@x.example\nSubject: s\n\nOld.",
    ]
)


@given(st.sets(HEADERS), BODIES)
def test_a_row_gives_back_what_the_mail_gave(headers: set[str], body: str) -> None:
    data = "\n".join(["From: Ann <a@x.example>", "Subject: Re: s", *sorted(headers), "", body]).encode()
    mail = parse_mail(RawMessage("box", "bytes", "box", data, "", len(data)))
    assert isinstance(mail, ParsedMail)
    parts = split_body(mail.body)
    row = {**mail.row(["box"], "mail", "", parts), **thread_columns(mail, parts)}
    held = {name: row[name] for name in THREAD_COLUMNS}
    frame = pl.DataFrame([held], schema_overrides={**THREAD_SCHEMA, "references": pl.List(pl.String)})
    assert threaded_row(frame.row(0, named=True)) == mail.threaded(parts)
