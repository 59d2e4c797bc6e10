"""The backtest of a dataset as files: `reports/backtest.json`, and the same as a page for people.

Belongs here: what is read, what the report says. Does not belong here: replaying and comparing (`backtest`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from archive.errors import ArchiveError
from archive.home import DatasetHome
from archive.loading import load_manifest, load_topics
from archive.store import TableStore
from contracts.company_log import CASES
from contracts.company_model import CompanyModel
from contracts.manifest import Manifest
from evaluation.agreement import Agreement
from evaluation.archived import read_archived
from evaluation.backtest import Backtest, Disagreement, backtest
from evaluation.casting import Casting
from evaluation.deciding import AnswerPair
from evaluation.end_states import BACKTEST_FILE
from evaluation.errors import EvaluationError
from evaluation.pages import write_page
from evaluation.runs import write_bytes
from worldgen.errors import WorldError
from worldgen.template import load_authored

PAGE = "backtest.html"
COMPARISONS = {
    "end_state": ("End state", "how the records end a case", "what the replay of the rep's actions earns"),
    "success": ("Success", "a meeting or a disqualification is recorded", "the replay reaches the right end"),
    "mark": ("Mark", "the lead's mark in the CRM", "the mark by facts and criteria"),
    "answer": ("Answer to a mail", "whether its reader offered times", "whether the world's buyer does"),
    "reading": ("Relevance of a mail", "by the topic map", "by the matcher, which knows the map's wordings"),
}
"""Comparison -> its title, and what each side is."""


def run_backtest(home: DatasetHome, env: Path) -> Backtest:
    """Returns the backtest of an onboarded dataset through the rules of an environment.

    Raises:
        EvaluationError: the dataset lacks model, cases or topic map, or the environment cannot be read.
    """
    model = _model(home)
    try:
        topics = load_topics(load_manifest(home.manifest_path))
        clean = Manifest.model_validate(TableStore(home.clean).read_json("manifest.json"))
        known = {str(case) for case in TableStore(home.model).read(CASES.name)["case_id"].to_list()}
        authored = load_authored(env)
    except (ArchiveError, WorldError) as error:
        raise EvaluationError(str(error)) from error
    except ValidationError as error:
        raise EvaluationError(
            f"dataset {home.name!r}: its clean manifest is malformed: onboard again"
        ) from error
    if topics is None:
        raise EvaluationError(
            f"dataset {home.name!r} has no topic map, so its mails have no meaning: name one in its manifest"
        )
    cases = read_archived(home, topics)
    if not cases:
        raise EvaluationError(f"dataset {home.name!r} has no case that began as a lead: nothing to replay")
    strange = [case.case_id for case in cases if case.case_id not in known]
    if strange:
        raise EvaluationError(f"{len(strange)} cases are not those of the company model: onboard again")
    casting = Casting(
        authored,
        env.resolve().name,
        topics,
        [mined.rule for mined in model.qualification],
        next(iter(clean.company.domains), ""),
        sorted({case.reason for case in cases if case.reason}),
    )
    return backtest(home.name, env.resolve().name, cases, casting)


def write_backtest(result: Backtest, folder: Path) -> Path:
    """Writes the report as JSON and as a page, and returns the path of the page."""
    content = report_of(result)
    text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True)
    write_bytes(folder / BACKTEST_FILE, text.encode() + b"\n")
    return write_page(folder / PAGE, "backtest.html", report=content, comparisons=COMPARISONS)


def report_of(result: Backtest) -> dict[str, Any]:
    """Returns what the backtest found, every figure with its n and every disagreement with its evidence."""
    agreements = {
        "end_state": result.end_states,
        "success": result.success,
        "mark": result.marks,
        "answer": result.answers,
        "reading": result.readings,
    }
    return {
        "dataset": result.dataset,
        "environment": result.environment,
        "replayed": len(result.replayed),
        "left_out": [{"case_id": case, "why": why} for case, why in sorted(result.left_out.items())],
        "refused_actions": [text for one in result.replayed for text in one.refused],
        "comparisons": {name: figures(found) for name, found in agreements.items()},
        "rules": [{"rule": rule, "n": len(cases), "cases": cases} for rule, cases in result.rules.items()],
        "disagreements": [_disagreement(one) for one in result.disagreements],
        "answer_disagreements": [_answer(one) for one in result.answer_disagreements],
        "cases": [
            {
                "case_id": one.case.case_id,
                "recorded": one.case.recorded,
                "reason": one.case.reason,
                "graded": one.graded,
                "touches": one.case.touches,
                "seconds": one.case.seconds,
            }
            for one in result.replayed
        ],
    }


def figures(found: Agreement) -> dict[str, Any]:
    """Returns an agreement as plain values."""
    return {
        "labels": [str(label) for label in found.labels],
        "confusion": {
            str(first): {str(second): n for second, n in row.items()} for first, row in found.cells.items()
        },
        "n": found.n,
        "agreed": found.agreed,
        "share": round(found.agreed / found.n, 4) if found.n else None,
        "share_interval": [round(end, 4) for end in found.share] if found.share else None,
        "kappa": None if found.kappa is None else round(found.kappa, 4),
        "kappa_interval": [round(end, 4) for end in found.kappa_interval] if found.kappa_interval else None,
    }


def _disagreement(one: Disagreement) -> dict[str, Any]:
    case = one.replayed.case
    return {
        "case_id": case.case_id,
        "about": one.about,
        "recorded": str(one.recorded),
        "graded": str(one.graded),
        "cause": str(one.cause),
        "rule": one.decider.rule,
        "why": one.decider.why,
        "evidence": [row for row in one.decider.evidence if row],
        "granted_by": list(case.waivers),
    }


def _answer(one: AnswerPair) -> dict[str, Any]:
    read = one.reading is not None and one.reading[0] != one.reading[1]
    return {
        "case_id": one.case_id,
        "mail": one.mail,
        "recorded": str(one.recorded),
        "world": one.world,
        "cause": "reading" if read else "buyer",
        "rule": one.decider.rule,
        "why": one.decider.why,
        "evidence": list(one.decider.evidence),
    }


def _model(home: DatasetHome) -> CompanyModel:
    path = home.model / "company_model.json"
    try:
        return CompanyModel.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EvaluationError(
            f"dataset {home.name!r} has no company model: run `rl-dojo onboard` first"
        ) from error
    except ValidationError as error:
        raise EvaluationError(f"{path} is no company model of this version: onboard again") from error
