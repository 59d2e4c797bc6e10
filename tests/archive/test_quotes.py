"""Own words, quotes and signatures: the styles of mail programs, and the law that no line is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.quotes import BodyParts, split_body

OUTLOOK = "From: Ann Lee\nSent: Monday, March 3, 2025 9:00\nTo: Bob Ray\nSubject: Plan\n\nOld words."
LOTUS = "Ann Lee@CO\n10/18/99 07:08 AM\nTo: Bob Ray/HOU/CO@CO\ncc:\nSubject: Plan\n\nOld words."
INDENTED = "\tAnn Lee\n\tSent by: Cy Poe\n\t10/18/2000 07:08 PM\n\t\t \n\t\t To: Bob Ray\n\t\t cc: \n\nOld."
FORWARDED = "---------------------- Forwarded by Bob Ray/HOU on 10/18/99 08:46 AM ------"

CASES = {
    "gmail": (
        "Yes.\n\nOn Mon, Mar 3, 2025 at 9:00 AM Ann Lee <a@x.example> wrote:\n> Old words.\n> More.",
        BodyParts(
            "Yes.", "On Mon, Mar 3, 2025 at 9:00 AM Ann Lee <a@x.example> wrote:\n> Old words.\n> More.", ""
        ),
    ),
    "gmail, attribution over two lines": (
        "Yes.\n\nOn Mon, Mar 3, 2025 at 9:00 AM Ann Lee\n<a@x.example> wrote:\n\n> Old words.",
        BodyParts("Yes.", "On Mon, Mar 3, 2025 at 9:00 AM Ann Lee\n<a@x.example> wrote:\n\n> Old words.", ""),
    ),
    "german attribution": (
        "Ja.\n\nAm 03.03.2025 um 09:00 schrieb Ann Lee:\n> Alt.",
        BodyParts("Ja.", "Am 03.03.2025 um 09:00 schrieb Ann Lee:\n> Alt.", ""),
    ),
    "outlook": (f"Yes.\n\n{OUTLOOK}", BodyParts("Yes.", OUTLOOK, "")),
    "original message": (
        f"Yes.\n\n-----Original Message-----\n{OUTLOOK}",
        BodyParts("Yes.", f"-----Original Message-----\n{OUTLOOK}", ""),
    ),
    "lotus": (f"Yes.\n\n{LOTUS}", BodyParts("Yes.", LOTUS, "")),
    "lotus, indented and sent by another": (
        f"Yes.\n\n{INDENTED}",
        BodyParts("Yes.", INDENTED, ""),
    ),
    "forwarded by": (
        f"See below.\n\n{FORWARDED}\n\n{LOTUS}",
        BodyParts(
            "See below.",
            f"{FORWARDED}\n\n{LOTUS}",
            "",
        ),
    ),
    "answers between quoted lines": (
        "On Mon, Mar 3, 2025 Ann wrote:\n> First question?\nFirst answer.\n> Second?\nSecond answer.",
        BodyParts(
            "First answer.\nSecond answer.",
            "On Mon, Mar 3, 2025 Ann wrote:\n> First question?\n> Second?",
            "",
        ),
    ),
    "signature after its delimiter": (
        "Yes, go ahead.\n\nGordon\n\n-- \nGordon H\nSales Manager\n+1 508 555 0128",
        BodyParts("Yes, go ahead.\n\nGordon", "", "-- \nGordon H\nSales Manager\n+1 508 555 0128"),
    ),
    "sign-off begins the signature": (
        "Yes, go ahead.\n\nBest regards,\nGordon\n\n-- \nGordon H",
        BodyParts("Yes, go ahead.", "", "Best regards,\nGordon\n\n-- \nGordon H"),
    ),
    "signature without delimiter": (
        "Yes.\n\nCheers\nShauna\n\nSenior Account Executive\nTel: (508) 555-0186",
        BodyParts("Yes.", "", "Cheers\nShauna\n\nSenior Account Executive\nTel: (508) 555-0186"),
    ),
    "contact block without sign-off": (
        "Call me.\n\nShauna Dee\nAccount Executive\n(508) 555-0186",
        BodyParts("Call me.", "", "Shauna Dee\nAccount Executive\n(508) 555-0186"),
    ),
    "signature above a quote": (
        f"Yes.\n\nRegards,\nBob\n\n{OUTLOOK}",
        BodyParts("Yes.", OUTLOOK, "Regards,\nBob"),
    ),
    "no quote in a sentence about one": (
        "He said on Monday that she wrote: nothing.\nFrom: here to there is far.",
        BodyParts("He said on Monday that she wrote: nothing.\nFrom: here to there is far.", "", ""),
    ),
    "thanks within the text": (
        "Thanks\nI will look at the quote and tell you by Monday whether we go ahead.",
        BodyParts(
            "Thanks\nI will look at the quote and tell you by Monday whether we go ahead.",
            "",
            "",
        ),
    ),
    "empty": ("", BodyParts("", "", "")),
}


@pytest.mark.parametrize("case", CASES)
def test_bodies_are_split_as_people_read_them(case: str) -> None:
    text, parts = CASES[case]
    assert split_body(text) == parts


LINES = st.sampled_from(
    [
        "Hello",
        "",
        "> quoted",
        ">> twice",
        "On Mon, Mar 3, 2025 Ann wrote:",
        "-----Original Message-----",
        "From: Ann",
        "Sent: Monday",
        "To: Bob",
        "Subject: x",
        "-- ",
        "Best regards,",
        "Ann Lee",
        "+1 508 555 0128",
        "Sent from my phone",
        "________________________________",
    ]
)


@given(st.lists(LINES, max_size=14))
def test_every_line_with_content_stands_in_exactly_one_part(lines: list[str]) -> None:
    parts = split_body("\n".join(lines))
    found = [line.strip() for part in parts for line in part.split("\n") if line.strip()]
    assert sorted(found) == sorted(line.strip() for line in lines if line.strip())
