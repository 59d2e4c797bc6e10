"""Fitting a template: the fields that come from a company model, each with its entry and n.

A field whose entry is empty is an error, never a default: a world must differ where the company differs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from contracts.company_model import CompanyModel, Quantiles, Share
from contracts.decisions import Rule
from contracts.template import Fitted
from worldgen.errors import WorldError
from worldgen.template import FITTED

_RELEVANT = "relevant_ask"
_HEADER = "# Written by `rl-dojo template` from a company model; edit overrides.yaml instead.\n"


class FitLine(NamedTuple):
    """One fitted field, as the command prints it."""

    field: str
    value: str
    entry: str
    n: int


@dataclass
class _Fitting:
    fields: dict[str, dict[str, Any]]
    missing: list[str]

    def put(self, field: str, value: Any, entry: str, n: int) -> None:
        if n < 1 or value in ([], {}):
            self.missing.append(f"{field} (from {entry})")
        else:
            self.fields[field] = {"value": value, "entry": entry, "n": n}

    def share(self, field: str, share: Share, entry: str) -> None:
        self.put(field, share.ppm, entry, share.n)

    def quantiles(self, field: str, quantiles: Quantiles, entry: str) -> None:
        self.put(field, list(quantiles.q), entry, quantiles.n)

    def mix(self, field: str, shares: Mapping[str, Share], entry: str) -> None:
        counts = {name: share.hits for name, share in sorted(shares.items()) if share.hits}
        self.put(field, counts, entry, sum(counts.values()))


def fit_template(model: CompanyModel, env: Path) -> list[FitLine]:
    """Returns the fitted fields after writing them to `fitted.yaml` of an environment.

    Raises:
        WorldError: the model lacks the observations for a field, all such fields named.
    """
    fitted = fitted_fields(model, reason_names(env))
    stored = fitted.model_dump(mode="json")
    text = _HEADER + yaml.safe_dump(stored, sort_keys=True, allow_unicode=True, width=110)
    aside = env / f"{FITTED}.part"
    aside.write_text(text, encoding="utf-8")
    os.replace(aside, env / FITTED)
    return [
        FitLine(field, _shown(one["value"]), str(one["entry"]), int(one["n"]))
        for field, one in stored.items()
    ]


def reason_names(env: Path) -> dict[str, str]:
    """Returns the disqualifier id for each name that a company model may give to a reason.

    Raises:
        WorldError: the authored layer cannot be read.
    """
    path = env / "authored" / "office.yaml"
    try:
        authored = yaml.safe_load(path.read_text(encoding="utf-8"))["disqualifiers"]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise WorldError(f"{path} has no readable disqualifiers: {error}") from error
    names = {reason: reason for reason in authored}
    for reason, entry in authored.items():
        names.update({name: reason for name in entry.get("also", [])})
    return names


def fitted_fields(model: CompanyModel, reasons: Mapping[str, str]) -> Fitted:
    """Returns the fitted layer that a company model gives.

    Raises:
        WorldError: the model lacks the observations for a field, all such fields named.
    """
    fit = _Fitting({}, [])
    rows = sum(model.counts.values())
    fit.put("dataset", model.dataset, "dataset", rows)
    criteria = [_criterion(mined.rule, reasons) for mined in model.qualification]
    known = [rule for rule in criteria if rule is not None]
    fit.put("criteria", known, "qualification", sum(mined.support for mined in model.qualification))
    fit.mix("industries", model.industries, "industries")
    fit.quantiles("sizes", model.sizes, "sizes")
    _fit_response(fit, model)
    fit.share("rescheduled_ppm", model.meetings.rescheduled, "meetings.rescheduled")
    fit.share("out_of_office_ppm", model.meetings.out_of_office, "meetings.out_of_office")
    fit.share("stale_ppm", model.crm.stale, "crm.stale")
    fit.quantiles("record_age_days", model.crm.age_days, "crm.age_days")
    fit.quantiles("contacts_per_account", model.crm.contacts_per_account, "crm.contacts_per_account")
    fit.quantiles("meeting_minutes", model.meetings.duration_minutes, "meetings.duration_minutes")
    fit.quantiles("busy_per_day", model.meetings.busy_per_day, "meetings.busy_per_day")
    fit.mix("greetings", model.texture.greetings, "texture.greetings")
    fit.mix("sign_offs", model.texture.sign_offs, "texture.sign_offs")
    fit.mix("noise", model.texture.noise, "texture.noise")
    fit.quantiles("mails_per_thread", model.texture.mails_per_thread, "texture.mails_per_thread")
    patterns = [
        {
            "case_id": case.case_id,
            "archetype": case.archetype,
            "reason": reasons.get(case.reason, case.reason),
            "industry": case.traits.get("industry", ""),
        }
        for case in sorted(model.recorded_cases, key=lambda case: case.case_id)
    ]
    fit.put("patterns", patterns, "recorded_cases", len(patterns))
    if fit.missing:
        raise WorldError(
            f"the company model of {model.dataset} has nothing for {', '.join(fit.missing)}: "
            "these fields have no default; extract an archive that shows them"
        )
    return Fitted.model_validate(fit.fields)


def _fit_response(fit: _Fitting, model: CompanyModel) -> None:
    response = model.response
    if response is None:
        fit.missing.append("response model (from response: the dataset has no topic map or no outreach)")
        return
    offers = response.offers_by_class
    relevant = offers.get(_RELEVANT, Share(hits=0, n=0))
    others = [share for name, share in offers.items() if not name.startswith("relevant")]
    irrelevant = Share(hits=sum(one.hits for one in others), n=sum(one.n for one in others))
    fit.share("relevant_offers_ppm", relevant, f"response.offers_by_class.{_RELEVANT}")
    fit.share("irrelevant_offers_ppm", irrelevant, "response.offers_by_class (not relevant)")
    fit.quantiles("reply_delays", response.reply_delay, "response.reply_delay")
    fit.share("second_chance_ppm", response.second_chance, "response.second_chance")
    fit.mix("refusals", response.refusal_wordings, "response.refusal_wordings")


def _criterion(rule: Rule, reasons: Mapping[str, str]) -> dict[str, Any] | None:
    reason = reasons.get(rule.outcome)
    if reason is None:
        return None
    renamed = rule.model_copy(update={"outcome": reason, "id": f"qualification-{reason}"})
    return renamed.model_dump(mode="json")


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
