"""Real mails: copies found between two exports, threads found without headers, no line lost in splitting."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from archive.mailbox import RawMessage, read_file, read_mbox
from archive.message import ParsedMail, parse_mail
from archive.quotes import split_body
from archive.subjects import has_reply_prefix
from archive.threads import Threaded, assign_threads

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
SAMPLES = Path(__file__).parents[2] / "data_samples" / "archive" / "mail"
needs_real_data = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)


def mails(paths: Iterable[Path]) -> list[ParsedMail]:
    kept: dict[str, ParsedMail] = {}
    for path in paths:
        for raw in (read_mbox if path.suffix == ".mbox" else read_file)(path, path.parent):
            parsed = parse_mail(raw) if isinstance(raw, RawMessage) else None
            if isinstance(parsed, ParsedMail):
                kept.setdefault(parsed.duplicate_key, parsed)
    return list(kept.values())


def apache(name: str) -> list[ParsedMail]:
    (path,) = (Path(REAL) / "apache_mbox").rglob(name)
    return mails([path])


@needs_real_data
@pytest.mark.real
@pytest.mark.parametrize(
    ("smaller", "larger", "count"),
    [
        ("maven-dev-2017-11-mboxvm.mbox", "maven-dev-2017-11-mailarchivesao.mbox", 317),
        ("maven_duplicates_2017_mboxvm.mbox", "maven_duplicates_2017_listsao_1.mbox", 10),
        ("maven_duplicates_2017_listsao_1.mbox", "maven_duplicates_2017_listsao_2.mbox", 10),
    ],
)
def test_every_mail_of_one_export_is_found_in_the_other(smaller: str, larger: str, count: int) -> None:
    first, second = apache(smaller), apache(larger)
    assert len(first) == count
    same_bytes = {mail.content_hash for mail in first} & {mail.content_hash for mail in second}
    found = {mail.duplicate_key for mail in first} & {mail.duplicate_key for mail in second}
    print(f"{smaller}: {len(found)} of {count} found, {len(same_bytes)} with equal bytes")
    assert len(found) == count


def pairs(groups: Counter[object]) -> int:
    return sum(size * (size - 1) // 2 for size in groups.values())


def precision_and_recall(messages: list[Threaded]) -> tuple[float, float]:
    """How well threads are found once reference headers are taken away, over mails whose thread is known.

    Known is the thread of a mail that opens one (no reply, quotes nothing) or whose parent is here by header.
    """
    ids = {message.header_id for message in messages}
    alone = [one._replace(subject=f"mail {n}", own=b"", quoted=b"") for n, one in enumerate(messages)]
    truth = assign_threads(alone)
    bare = [
        one._replace(
            references=(),
            calendar_ids=tuple(name for name in one.calendar_ids if name.startswith("calendar:")),
        )
        for one in messages
    ]
    found = assign_threads(bare)
    known = [
        one.message_id
        for one in messages
        if ids.intersection(one.references) or not (has_reply_prefix(one.subject) or one.quoted)
    ]
    both = pairs(Counter((truth[name], found[name]) for name in known))
    precision = both / pairs(Counter(found[name] for name in known))
    recall = both / pairs(Counter(truth[name] for name in known))
    print(f"{len(known)} mails: precision {precision:.3f}, recall {recall:.3f}")
    return precision, recall


def test_threads_of_the_sample_archive_are_found_without_headers() -> None:
    messages = [mail.threaded() for mail in mails(sorted(SAMPLES.rglob("*.mbox")))]
    precision, recall = precision_and_recall(messages)
    assert precision >= 0.97 and recall >= 0.9


@needs_real_data
@pytest.mark.real
def test_threads_of_a_real_list_are_found_without_headers() -> None:
    messages = [mail.threaded() for mail in apache("maven-dev-2017-11-mboxvm.mbox")]
    precision, recall = precision_and_recall(messages)
    assert precision >= 0.97 and recall >= 0.9


@needs_real_data
@pytest.mark.real
def test_mails_without_any_reference_join_by_what_they_quote() -> None:
    read = mails(sorted((Path(REAL) / "enron_categories").rglob("*.txt")))
    threads = assign_threads([mail.threaded() for mail in read])
    sizes = Counter(threads.values())
    replies = [mail for mail in read if has_reply_prefix(mail.subject) or split_body(mail.body).quoted]
    joined = sum(sizes[threads[mail.message_id]] > 1 for mail in replies)
    print(
        f"{joined} of {len(replies)} replies and forwards stand in a thread with another of {len(read)} mails"
    )
    assert joined >= 110
    assert max(sizes.values()) <= 12


@needs_real_data
@pytest.mark.real
def test_no_line_of_a_real_mail_is_lost_or_doubled() -> None:
    for mail in mails(sorted((Path(REAL) / "enron_categories").rglob("*.txt"))):
        found = [line.strip() for part in split_body(mail.body) for line in part.split("\n") if line.strip()]
        assert sorted(found) == sorted(line.strip() for line in mail.body.split("\n") if line.strip())
