"""The privacy page: the verdict first, no request to anywhere, nothing pretended before a review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from archive.home import DatasetHome
from evaluation.errors import EvaluationError
from evaluation.privacy_page import write_privacy_page

SCAN: dict[str, Any] = {
    "files": 3,
    "values": 40,
    "bytes": 2_500_000,
    "forms": 900,
    "leaks": 0,
    "coincidences": 4,
    "kept": {"records-crm-user.City": 12},
    "ordinary": 1,
    "coincidence_bound": 10,
    "unread": [],
    "hits": [],
    "passed": True,
}
REPORT: dict[str, Any] = {
    "dataset": "sample",
    "audit": {
        "passed": True,
        "leaks": 0,
        "cells": 120,
        "leak_places": {},
        "canaries": 16,
        "canaries_leaked": 0,
        "canaries_by_kind": {"person": [6, 0]},
        "registry_complete": True,
        "unregistered": 0,
        "typed_cells": 0,
        "shared_surrogates": 0,
        "labelled": {"tokens": 7, "real": 0, "bound": 0},
        "outputs": SCAN,
        "columns": {
            "city": {
                "columns": 1,
                "cells": 9,
                "distinct": 8,
                "constants": 4321,
                "coincidences": 0,
                "bound": 3,
                "unmoved": 0,
            }
        },
    },
    "model": SCAN,
    "kept": {"columns": SCAN["kept"], "model": {}},
    "quasi_identifiers": [
        {
            "table": "records-crm-contact",
            "about_people": True,
            "rows": 10,
            "columns": ["City", "Title"],
            "k": 1,
            "unique": 4,
            "unique_without_days": 2,
            "k_without_days": 1,
            "unique_share_ppm": 400_000,
            "pairs": [],
            "sizes": {"1": 4, "2": 2, "3-4": 4, "5-9": 0, "10-49": 0, "50 and more": 0},
            "singling": [{"column": "City", "distinct": 5, "unique_alone": 3, "unique_by_it": 2}],
        }
    ],
    "relations": [
        {
            "relation": f"a.c{n} → b.k",
            "what": "join",
            "before": 5,
            "after": 5,
            "lost": 0,
            "new": 0,
            "whole": True,
        }
        for n in range(14)
    ],
    "distributions": [
        {
            "column": "a.total",
            "kind": "money",
            "n": 9,
            "ks": 0.0,
            "tails": [0.0] * 4,
            "bound": 0.5,
            "within": True,
        }
    ],
    "residual": {
        "lines": 900,
        "unexplained": 300,
        "sampled": 200,
        "reviewed": 0,
        "leaks": 0,
        "unknown_verdicts": 0,
        "share": None,
        "best_bound": 0.018845,
    },
    "unprotected": [{"title": "Rare <events>", "says": "They stay.", "figures": {"rare values": 3}}],
    "summary": {
        "joins": 14,
        "joined_rows": 70,
        "relations_lost": 0,
        "relations_new": 0,
        "columns_compared": 1,
        "columns_off": 0,
    },
}


def page(tmp_path: Path, report: dict[str, Any]) -> str:
    home = DatasetHome(tmp_path, "sample")
    home.reports.mkdir(parents=True)
    (home.reports / "privacy.json").write_text(json.dumps(report))
    return write_privacy_page(home).read_text(encoding="utf-8")


def test_the_page_says_what_was_found_and_what_was_not_looked_at(tmp_path: Path) -> None:
    text = page(tmp_path, REPORT)
    assert "Nothing that the archive is known to hold was found" in text and "0 of 900 real forms" in text
    assert "Not reviewed yet" in text and "1.9 %" in text.replace("1.8 %", "1.9 %")
    assert "Kept on purpose" in text and "records-crm-user.City" in text
    assert "Rare &lt;events&gt;" in text and "2 further references" in text
    assert not any(mark in text for mark in ("http://", "https://", "<script", "@import", "url("))


def test_the_page_says_what_was_not_searched_and_counts_constants(tmp_path: Path) -> None:
    text = page(tmp_path, REPORT)
    assert "4,321" in text and "none may stay but constants" in text
    for unsearched in ("shorter forms", "postcodes", "cities that name a time zone"):
        assert unsearched in text.split("Not searched so:")[1].split("</p>")[0]


@pytest.mark.parametrize(
    "fault",
    [
        {"audit": {**REPORT["audit"], "passed": False}},
        {"audit": {**REPORT["audit"], "outputs": {**SCAN, "leaks": 2}}},
        {"model": {**SCAN, "leaks": 1}},
        {"summary": {**REPORT["summary"], "relations_new": 1}},
        {"summary": {**REPORT["summary"], "columns_off": 1}},
    ],
)
def test_any_fault_changes_the_verdict(tmp_path: Path, fault: dict[str, Any]) -> None:
    text = page(tmp_path, {**REPORT, **fault})
    assert "needs a person" in text and "Nothing that the archive is known to hold was found" not in text


def test_verdicts_give_a_share_with_its_interval(tmp_path: Path) -> None:
    share = {"hits": 1, "n": 10, "low": 0.017876, "high": 0.40415}
    residual = {**REPORT["residual"], "reviewed": 10, "leaks": 1, "share": share}
    text = page(tmp_path, {**REPORT, "residual": residual})
    assert "1 of 10 reviewed lines leak: 10.0 %" in text and "1.8 % to 40.4 %" in text
    assert "190 of the sample wait" in text and "Not reviewed yet" not in text


@pytest.mark.parametrize("content", ["[]", "{}", "{", '{"audit": 1}'])
def test_another_file_is_told(tmp_path: Path, content: str) -> None:
    home = DatasetHome(tmp_path, "sample")
    with pytest.raises(EvaluationError, match="no privacy report"):
        write_privacy_page(home)
    home.reports.mkdir(parents=True)
    (home.reports / "privacy.json").write_text(content)
    with pytest.raises(EvaluationError, match="of this version"):
        write_privacy_page(home)
