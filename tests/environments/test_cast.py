"""The cast is invented apart from the sample archive: they share no name of a person, company or domain."""

import re
import sqlite3
from pathlib import Path

import pytest

from worldgen.template import load_authored

PROJECT = Path(__file__).parents[2]
ARCHIVE = PROJECT / "data_samples" / "archive"


@pytest.fixture(scope="module")
def archive_words():
    texts = []
    for path in sorted(ARCHIVE.rglob("*")):
        if path.suffix in {".csv", ".mbox", ".yaml"}:
            texts.append(path.read_text("utf-8", "replace"))
        elif path.suffix in {".sqlite", ".db"}:
            with sqlite3.connect(path) as connection:
                texts += connection.iterdump()
    return {word.lower() for text in texts for word in re.findall(r"[^\W\d_][\w'-]+", text)}


def test_cast_and_archive_share_no_name(archive_words):
    cast = load_authored(PROJECT / "environments" / "gtm-outbound").cast
    names = {*cast.first_names, *cast.family_names, *cast.company_words, cast.company, cast.competitor}
    assert len(archive_words) > 2000
    assert {name for name in names if name.lower() in archive_words} == set()
    assert cast.domain.split(".")[0] not in archive_words
