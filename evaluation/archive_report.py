"""The page on an onboarded archive: what was read, what it taught, and how sure that is.

Belongs here: rendering of stored reports and of the company model. No figure is computed anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from archive.home import DatasetHome
from archive.reasons import REASONS
from contracts.company_model import CompanyModel, MinedRule, Share
from contracts.decisions import Condition
from evaluation.errors import EvaluationError
from evaluation.pages import write_page

MAX_EDGES = 60
"""Steps shown of one workflow, the most frequent first; the model holds all."""
SHOWN_EDGES = 15
"""Steps in sight; the rarer ones unfold."""
MAX_VARIANTS = 12
_SOURCE_COLUMNS = ("read", "kept", "duplicates", "quarantined")


def write_onboard_report(home: DatasetHome, out: Path | None = None) -> Path:
    """Writes the page on a dataset and returns its path.

    Args:
        home: the dataset; its `model/company_model.json`, `reports/audit.json` and, where the command
            line left it, `reports/onboard.json` are read.
        out: path of the page; `reports/onboard.html` when None.

    Raises:
        EvaluationError: the dataset has no company model yet, or a file is not what its name says.
    """
    model_path = home.model / "company_model.json"
    if not model_path.is_file():
        raise EvaluationError(f"dataset {home.name!r} has no company model: run rl-dojo onboard first")
    try:
        model = CompanyModel.model_validate_json(model_path.read_bytes())
    except ValidationError as error:
        raise EvaluationError(
            f"{model_path} is no company model of this version: onboard the dataset again"
        ) from error
    figures = _read(home.reports / "onboard.json")
    workflows = [
        {
            "workflow": workflow,
            "edges": sorted(workflow.edges, key=lambda edge: (-edge.n, edge.source, edge.target))[:MAX_EDGES],
            "variants": workflow.variants[:MAX_VARIANTS],
        }
        for workflow in model.workflows
    ]
    return write_page(
        out or home.reports / "onboard.html",
        "onboard.html",
        model=model,
        sources=[_source(entry) for entry in figures.get("sources", []) if isinstance(entry, dict)],
        source_columns=_SOURCE_COLUMNS,
        entities=figures.get("entities", {}),
        canaries=figures.get("canaries_leaked"),
        audit=_read(home.reports / "audit.json"),
        has_privacy=(home.reports / "privacy.html").is_file(),
        workflows=workflows,
        rule_groups=[("Rules that nobody wrote down", model.rules), ("Qualification", model.qualification)],
        condition_text=condition_text,
        interval_text=interval_text,
        threshold_text=threshold_text,
        shown_edges=SHOWN_EDGES,
        share_text=share_text,
    )


def interval_text(rule: MinedRule) -> str:
    """Returns a threshold's 95 % interval, or a dash for rules without a threshold."""
    if rule.low is None or rule.high is None:
        return "–"
    return f"[{threshold_text(rule, rule.low)}, {threshold_text(rule, rule.high)})"


def threshold_text(rule: MinedRule, value: int | None) -> str:
    """Returns a threshold as people write it: amounts are stored in hundredths of the currency."""
    if value is None:
        return "–"
    if any(condition.fact == "amount" for condition in rule.rule.when):
        return f"{value // 100:,}.{value % 100:02d}"
    return f"{value:,}"


def condition_text(condition: Condition) -> str:
    """Returns a condition as people write one."""
    value = condition.value
    shown = (
        ", ".join(value) if isinstance(value, list) else f"{value:,}" if type(value) is int else str(value)
    )
    return f"{condition.fact.replace('_', ' ')} {condition.operator.value} {shown}"


def share_text(share: Share) -> str:
    """Returns a share with the counts behind it."""
    return f"{share.ppm / 10_000:.1f} % ({share.hits:,} of {share.n:,})" if share.n else "not seen (n = 0)"


def _source(entry: dict[str, Any]) -> dict[str, Any]:
    counts = {column: int(entry.get(column, 0)) for column in _SOURCE_COLUMNS}
    adds_up = counts["read"] == counts["kept"] + counts["duplicates"] + counts["quarantined"]
    reasons = entry.get("reasons")
    told = sorted(reasons.items()) if isinstance(reasons, dict) else []
    why = [f"{int(count):,} {reason}: {REASONS.get(reason, 'see its place')}" for reason, count in told]
    faults = entry.get("faults")
    if isinstance(faults, dict) and faults:
        each = ", ".join(f"{int(count):,} {fault}" for fault, count in sorted(faults.items()))
        total = sum(map(int, faults.values()))
        why.append(f"attachments whose text was not read, or not all ({total:,}): {each}")
    return {"name": str(entry.get("name", "")), **counts, "adds_up": adds_up, "why": why}


def _read(path: Path) -> dict[str, Any]:
    """Returns a stored report; empty where it was not written, so that its section is left out."""
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise EvaluationError(f"{path} is no JSON: onboard the dataset again") from error
    if not isinstance(value, dict):
        raise EvaluationError(f"{path} is no JSON object: onboard the dataset again")
    return value
