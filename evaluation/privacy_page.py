"""The page on a dataset's privacy: the verdict first, then what was searched, kept, and what stays possible.

Belongs here: rendering of `reports/privacy.json`. No figure is computed anew, no row of a table is read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from archive.home import DatasetHome
from evaluation.errors import EvaluationError
from evaluation.pages import write_page

PRIVACY_FILE, PRIVACY_PAGE = "privacy.json", "privacy.html"
SHOWN_ROWS = 12
"""Rows of a long table in sight; the rest unfolds."""
_SIZES = ("1", "2", "3-4", "5-9", "10-49", "50 and more")


def write_privacy_page(home: DatasetHome) -> Path:
    """Writes `reports/privacy.html` and returns its path.

    Raises:
        EvaluationError: there is no privacy report, or it is none of this version.
    """
    path = home.reports / PRIVACY_FILE
    if not path.is_file():
        raise EvaluationError(f"dataset {home.name!r} has no privacy report: run rl-dojo onboard first")
    try:
        report = json.loads(path.read_bytes())
        return write_page(
            home.reports / PRIVACY_PAGE,
            "privacy.html",
            report=report,
            audit=report["audit"],
            questions=_questions(report),
            sizes=_SIZES,
            shown=SHOWN_ROWS,
            joins=[one for one in report["relations"] if one["what"] == "join"],
            other=[one for one in report["relations"] if one["what"] != "join"],
            columns=sorted(report["distributions"], key=lambda one: (one["within"], one["column"])),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise EvaluationError(f"{path.name} is no privacy report of this version: onboard again") from error


def _questions(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns what a reader asks first, each with an answer and whether it is the wanted one."""
    audit, outputs, summary = report["audit"], report["audit"]["outputs"], report["summary"]
    hits = audit["leaks"] + outputs["leaks"] + report["model"]["leaks"]
    chance = outputs["coincidences"] + report["model"]["coincidences"]
    broken = summary["relations_lost"] + summary["relations_new"]
    off = summary["columns_off"]
    return [
        {
            "asked": "Does anything real leave?",
            "good": not hits and not outputs["unread"] and not report["model"]["unread"],
            "answer": f"{hits:,} of {outputs['forms']:,} real forms",
            "more": f"searched in {outputs['bytes'] / 1e6:.1f} MB of clean tables, decoded in ten ways, and "
            f"in the company model; {chance:,} surrogates equal another real number or name by chance (bound "
            f"{outputs['coincidence_bound']:,})",
        },
        {
            "asked": "Did the planted canaries come out?",
            "good": not audit["canaries_leaked"],
            "answer": f"{audit['canaries_leaked']:,} of {audit['canaries']:,}",
            "more": "invented persons, companies and numbers that went the whole road with the data",
        },
        {
            "asked": "Does everything still fit together?",
            "good": not broken,
            "answer": f"{broken:,} relations lost or new",
            "more": f"{summary['joins']:,} references with {summary['joined_rows']:,} joined rows, threads, "
            "answers, links: each compared row by row",
        },
        {
            "asked": "Are the figures still true?",
            "good": not off,
            "answer": f"{off:,} of {summary['columns_compared']:,} columns off",
            "more": "numbers and dates compared in body and tails, once factor and offset are taken off",
        },
    ]
