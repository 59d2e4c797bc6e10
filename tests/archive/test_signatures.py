"""Signatures: sign-offs in many languages, devices, contact blocks, footers, and a sender's habits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.quotes import BodyParts, split_body
from archive.signatures import SignatureBook

SIGNATURES = {
    "de": "Mit freundlichen Grüßen\nJörg Weiß",
    "de, short": "VG\nJörg",
    "de, with the name": "Viele Grüße Jörg Weiß",
    "fr": "Cordialement,\nZoé",
    "es": "Saludos cordiales,\nInés",
    "it": "Cordiali saluti\nGino",
    "nl": "Met vriendelijke groet,\nJoost",
    "pl": "Z poważaniem,\nJan",
    "sv": "Med vänlig hälsning\nÅsa",
    "da": "Med venlig hilsen\nSøren",
    "no": "Vennlig hilsen\nKari",
    "fi": "Ystävällisin terveisin\nAino",
    "pt": "Atenciosamente,\nJoão",
    "ja": "よろしくお願いいたします\n田中",
    "zh": "此致\n王",
    "cs": "S pozdravem\nJiří",
    "ru": "С уважением,\nИван",
    "en, two words": "Kind regards,\nAnn",
    "a phone": "Sent from my iPhone",
    "a phone below a ruler": "--------------------------\nSent from my Berry Wireless (www.berry.example)",
    "a phone in German": "Von meinem iPhone gesendet",
    "a phone in French": "Envoyé de mon iPhone",
    "a phone in Dutch": "Verzonden vanaf mijn iPhone",
    "an app": "Get Outlook for iOS<https://x.example>",
    "delimiter": "-- \nAnn Lee\nSales",
    "delimiter without blank": "--\nAnn Lee\nSales",
    "dash and name": "-Ann Lee",
    "slash and name": "/Ann",
    "contact block": "Ann Lee\nAccount Executive\n(508) 555-0186",
    "disclaimer": "This e-mail is confidential and meant for the addressee.\nIf you got it, delete it.",
    "list footer": (
        "_______________________________________________\ndev mailing list\nhttps://x.example/listinfo/dev"
    ),
    "list commands": (
        "---------------------------------------------------------------------\n"
        "To unsubscribe, e-mail: dev-unsubscribe@x.example"
    ),
    "sign-off and footer": (
        "Regards,\nAnn\n\n---------------------------------------------------------------------\n"
        "To unsubscribe, e-mail: dev-unsubscribe@x.example"
    ),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signature_is_told_from_the_words(name: str) -> None:
    words = "I looked at the plan and it will do.\n\nLet us begin on Monday."
    assert split_body(f"{words}\n\n{SIGNATURES[name]}\n") == BodyParts(words, "", SIGNATURES[name])


@pytest.mark.parametrize(
    "text",
    [
        "Here is another mail\n\nSent from my desk, is much easier than my mobile phone.",
        "Thanks\nI will look at the quote and tell you by Monday whether we go ahead with all of it.",
        "And here is a fix -- this is no signature.\n\nbye",
        "Two things:\n- the first\n- the second",
        "The information in this table is old.",
        "Best",
        "I sent it.\n\nThanks,\nAnn\n\nPS: the key is under the mat",
        "I sent it.\n\nThanks,\nAnn\n\nDid you get it?",
        "I sent it [1].\n\nThanks,\nAnn\n\n[1] https://x.example/plan",
        "Please call (508) 555-0186.",
    ],
)
def test_words_that_look_like_a_signature_stay_words(text: str) -> None:
    assert split_body(text) == BodyParts(text, "", "")


HABIT = [f"Dear Bob,\n\nthe {n}. order is here.\n\nAnn\nTarn Ltd, Hull" for n in range(5)]


def learned(pairs: list[tuple[str, str]], sender: str, own: str) -> BodyParts:
    return SignatureBook.learned(pairs).apply(sender, BodyParts(own, "quoted", ""))


def test_what_a_sender_always_writes_below_is_the_signature() -> None:
    pairs = [("a@x.example", own) for own in HABIT]
    assert learned(pairs, "a@x.example", HABIT[0]) == BodyParts(
        "Dear Bob,\n\nthe 0. order is here.", "quoted", "Ann\nTarn Ltd, Hull"
    )


def test_learned_lines_come_before_a_signature_that_was_found_already() -> None:
    book = SignatureBook.learned([("a@x.example", own) for own in HABIT])
    parts = book.apply("a@x.example", BodyParts(HABIT[0], "", "-- \nTarn"))
    assert parts.signature == "Ann\nTarn Ltd, Hull\n-- \nTarn"


@pytest.mark.parametrize(
    ("pairs", "own"),
    [
        ([("a@x.example", own) for own in HABIT[:3]], HABIT[0]),
        ([("b@x.example", own) for own in HABIT], HABIT[0]),
        ([("a@x.example", f"{n} words\n\nbye {n}") for n in range(9)], "1 words\n\nbye 1"),
        ([("a@x.example", "the same note")] * 9, "the same note"),
        ([("", own) for own in HABIT], HABIT[0]),
    ],
    ids=["too few mails", "another sender", "nothing repeated", "nothing but habit", "no sender"],
)
def test_without_a_habit_nothing_is_taken(pairs: list[tuple[str, str]], own: str) -> None:
    assert learned(pairs, "a@x.example", own) == BodyParts(own, "quoted", "")


def content(parts: BodyParts) -> list[str]:
    return [line.strip() for part in parts for line in part.split("\n") if line.strip()]


LINES = st.lists(st.sampled_from(["Hello", "Ann", "", "Tarn Ltd", "news {n}", "-- "]), max_size=8)


@given(st.lists(LINES, min_size=4, max_size=40))
def test_learning_moves_lines_and_loses_none(mails: list[list[str]]) -> None:
    bodies = ["\n".join(lines) for lines in mails]
    book = SignatureBook.learned([("a@x.example", body) for body in bodies])
    for body in bodies:
        before = split_body(body)
        after = book.apply("a@x.example", before)
        assert sorted(content(after)) == sorted(content(before))
        assert bool(after.own) == bool(before.own)
