"""What the rep wrote, and what was copied from a mail received."""

from __future__ import annotations

from contracts.instants import Zone
from contracts.world import Mail, Party
from runtime.composer import compose

ZONE = Zone(name="Eastern Time", abbreviation="ET", offset_minutes=-240)
ADA = Party(name="Ada Quill", address="ada@b1.example")
RECEIVED = Mail(
    id="m",
    thread_id="t",
    folder="inbox",
    sender=ADA,
    to=[],
    subject="x",
    body="Dear Alex,\n\nTuesday would suit me.\n\nAda",
    sent_at=0,
)


def test_a_copy_of_a_received_mail_ends_no_sentence() -> None:
    text = f"We offer you a free {RECEIVED.body} trial for 60 days"
    assert compose(text, None, [RECEIVED], ZONE).written.split() == (
        "We offer you a free trial for 60 days".split()
    )
    assert "\n" not in compose(text, None, [RECEIVED], ZONE).written


def test_what_differs_by_one_letter_is_the_reps() -> None:
    text = RECEIVED.body.replace("Tuesday", "Thursday")
    assert compose(text, None, [RECEIVED], ZONE).written == text


def test_a_quoted_mail_is_sent_and_not_the_reps() -> None:
    composed = compose("Thanks.", RECEIVED, [RECEIVED], ZONE)
    assert composed.written == "Thanks."
    assert "> Tuesday would suit me." in composed.body
