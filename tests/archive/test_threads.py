"""Conversations: by references, by calendar id, by subject and people; never by subject alone."""

from __future__ import annotations

import time
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.threads import Threaded, assign_threads, sentence_marks

PAIR = frozenset(("a@x.example", "b@y.example"))
OTHERS = frozenset(("c@x.example", "d@z.example"))


def message(
    name: str, subject: str, day: int, *references: str, people: frozenset[str] = PAIR, uid: str = ""
) -> Threaded:
    return Threaded(
        f"m-{name}", f"{name}@h", references, (f"calendar:{uid}",) if uid else (), subject, day, 0, people
    )


FIRST = message("1", "Late fees", 10)
CASES = {
    "reply names its parent": ([FIRST, message("2", "Re: Late fees", 11, "1@h")], 1),
    "two replies name a mail that is not here": (
        [message("2", "Re: x", 1, "gone@h"), message("3", "Re: y", 2, "gone@h")],
        1,
    ),
    "reply without references, same people": ([FIRST, message("2", "RE: late  fees", 11)], 1),
    "reply without references, other people": ([FIRST, message("2", "Re: Late fees", 11, people=OTHERS)], 2),
    "reply without references, a year later": ([FIRST, message("2", "Re: Late fees", 375)], 2),
    "same subject, no reply": ([FIRST, message("2", "Late fees", 11)], 2),
    "invite and its cancellation": ([message("1", "Call", 1, uid="u"), message("2", "Gone", 2, uid="u")], 1),
}


@pytest.mark.parametrize("case", CASES)
def test_messages_are_threaded_alike_in_any_order(case: str) -> None:
    messages, expected = CASES[case]
    results = {tuple(sorted(assign_threads(order).items())) for order in permutations(messages)}
    assert len(results) == 1
    assert len({thread for _, thread in results.pop()}) == expected


def test_a_thread_is_called_after_its_earliest_message() -> None:
    assert set(assign_threads([message("9", "Re: Late fees", 11, "1@h"), FIRST]).values()) == {"th-1"}


OWN = "The pump on line four lost its seal on Monday. We need a new one before the end of the month."
LETTER = "Our new tariff saves you a third of the cost. Shall we talk about it in the coming week?"
REP, ANN, BOB, LIST = "rep@s.example", "ann@x.example", "bob@y.example", "dev@lists.example"


def written(
    name: str, subject: str, day: int, sender: str, to: tuple[str, ...], own: str = "", quoted: str = ""
) -> Threaded:
    return message(name, subject, day, people=frozenset((sender, *to)))._replace(
        sender=sender, own=sentence_marks(own, 6), quoted=sentence_marks(quoted, 24)
    )


ASK = written("1", "Pump", 10, ANN, (BOB,), OWN)
QUOTES = {
    "an answer under another subject quotes it": (
        [
            ASK,
            written("2", "Seal for line four", 11, BOB, (ANN,), "Yes, it is on its way to you.", "> " + OWN),
        ],
        1,
    ),
    "a forward to a third quotes it": (
        [ASK, written("2", "FW: Pump", 12, BOB, ("cy@y.example",), "", OWN.replace(" on ", "\n> on "))],
        1,
    ),
    "a stranger uses the same words": (
        [ASK, written("2", "Pump", 12, "eve@q.example", ("joe@q.example",), "", OWN)],
        2,
    ),
    "a letter to two, each answers": (
        [
            written("1", "Tariff", 10, REP, (ANN,), LETTER),
            written("2", "Tariff", 10, REP, (BOB,), LETTER),
            written("3", "Re: Tariff", 11, ANN, (REP,), "No, thank you very much.", LETTER),
            written("4", "Re: Tariff", 11, BOB, (REP,), "Yes, come on Monday at ten.", LETTER),
        ],
        2,
    ),
    "on a list, all answer": (
        [
            written("1", "[dev] Release of the parser", 10, ANN, (LIST,), OWN),
            written("2", "Re: [dev] Release of the parser", 11, BOB, (LIST,), "+1"),
            written("3", "AW: Release of the parser", 12, REP, (LIST,), "+1"),
        ],
        1,
    ),
    "who got it passes it on without a word of it": (
        [
            written("1", "Pump of line four", 10, ANN, (BOB,), "Yes."),
            written("2", "FW: Pump of line four", 11, BOB, (REP,), "Please look."),
            written("3", "FW: Pump of line four", 11, "eve@q.example", ("joe@q.example",)),
        ],
        2,
    ),
    "sent again the next day": (
        [written("1", "Pump", 10, ANN, (BOB,), OWN), written("2", "Pump", 11, ANN, (BOB,), OWN)],
        1,
    ),
    "strangers say hello": (
        [
            written("1", "hello", 10, ANN, (REP,)),
            written("2", "Re: hello", 11, BOB, (REP,)),
            written("3", "Re:", 11, ANN, (REP,)),
            written("4", "Re: hello", 200, ANN, (REP,)),
        ],
        4,
    ),
    "a tracker's notes on one ticket": (
        [
            written("1", "[jira] [Created] (ABC-1) Pump leaks", 10, "jira@x.example", (LIST,)),
            written("2", "[jira] [Updated] (ABC-1) Pump leaks", 11, "jira@x.example", (LIST,)),
            written("3", "[jira] [Created] (ABC-2) Pump leaks", 11, "jira@x.example", (LIST,)),
        ],
        2,
    ),
}


@pytest.mark.parametrize("case", QUOTES)
def test_quoted_words_subjects_and_people_join_in_any_order(case: str) -> None:
    messages, expected = QUOTES[case]
    results = {tuple(sorted(assign_threads(order).items())) for order in permutations(messages)}
    assert len(results) == 1
    assert len({thread for _, thread in results.pop()}) == expected


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        OWN.replace(" ", "\n"),
        "> " + OWN.replace(" of ", "\n> of "),
        OWN.upper(),
        f"From: Ann\nSubject: Pump\n\n{OWN}",
        f"> > {OWN}\n> >\n",
    ],
)
def test_marks_of_sentences_do_not_depend_on_wrapping_quote_marks_or_headers(text: str) -> None:
    assert sentence_marks(text, 6) == sentence_marks(OWN, 6)
    assert len(sentence_marks(OWN, 6)) == 16


def test_short_sentences_and_too_many_are_no_marks() -> None:
    assert sentence_marks("Yes. No. Thanks a lot.", 6) == b""
    many = " ".join(f"This is the sentence with number {n}." for n in range(99))
    assert len(sentence_marks(many, 6)) == 48


@given(
    st.lists(st.tuples(st.sampled_from(["Re: a plan", "a plan", "x", ""]), st.integers(0, 5)), max_size=12)
)
def test_every_message_has_one_thread_that_is_called_after_one_of_it(drawn: list[tuple[str, int]]) -> None:
    messages = [
        message(str(n), subject, n, *([f"{n - back}@h"] if back else []))
        for n, (subject, back) in enumerate(drawn, 1)
    ]
    threads = assign_threads(messages)
    assert threads == assign_threads(messages[::-1])
    for thread in set(threads.values()):
        assert threads["m-" + thread.removeprefix("th-")] == thread


def test_time_grows_with_the_number_of_messages_alone() -> None:
    def conversation(number: int) -> list[Threaded]:
        people = (f"a{number % 97}@x.example", f"b{number % 101}@y.example")
        return [
            written(f"{number:06d}{n}", "Re: Topic of all", number // 50, people[n % 2], people)
            for n in range(5)
        ]

    messages = [one for number in range(4_000) for one in conversation(number)]
    started = time.process_time()
    assign_threads(messages)
    assert time.process_time() - started < 3
