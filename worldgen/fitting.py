"""Fitting a template: the fields that come from a company model, each with its entry and n.

A field whose entry is empty is an error, never a default: a world must differ where the company differs.
What the authored layer has no words for is left out and named beside its field.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from contracts.company_model import CompanyModel, Quantiles, RecordedCase, Share
from contracts.decisions import Rule
from contracts.names import fold
from contracts.template import ANY, OTHER, Authored, Fitted, Pattern
from worldgen.errors import WorldError
from worldgen.sharing import MIN_SHARING, coarse, generalised, pooled
from worldgen.template import FITTED, load_authored

_RELEVANT = "relevant_ask"
_DISQUALIFIED = ".disqualified."
_SHOWN_FACTS = frozenset(
    ("employees", "region", "ledger_system", "public_body", "owned_by_competitor", "already_customer")
)
"""Facts that a world draws and its pages show; a criterion over another could not be met."""
_HEADER = "# Written by `rl-dojo template` from a company model; edit overrides.yaml instead.\n"


class FitLine(NamedTuple):
    """One fitted field, as the command prints it."""

    field: str
    value: str
    entry: str
    n: int
    left_out: str = ""
    """What of the entry the authored layer has no words for, or too few cases share."""


class _Wordings(NamedTuple):
    """What the authored layer has words for, by the names that a company model may use."""

    reasons: dict[str, str]
    """Name of a reason -> disqualifier."""
    industries: dict[str, str]
    """Folded label -> label."""
    countries: dict[str, str]
    """Folded code or name -> code."""
    greetings: frozenset[str]
    sign_offs: frozenset[str]
    noise: frozenset[str]


@dataclass
class _Fitting:
    fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, value: Any, entry: str, n: int) -> None:
        if n < 1 or value in ([], {}):
            self.missing.append(f"{name} (from {entry})")
        else:
            self.fields[name] = {"value": value, "entry": entry, "n": n}

    def share(self, name: str, share: Share, entry: str) -> None:
        self.put(name, share.ppm, entry, share.n)

    def quantiles(self, name: str, quantiles: Quantiles, entry: str) -> None:
        self.put(name, list(quantiles.q), entry, quantiles.n)

    def sizes(self, name: str, quantiles: Quantiles, entry: str) -> None:
        # One case's own figure tells which case it is; so few cases give none.
        if quantiles.n < MIN_SHARING:
            self.missing.append(f"{name} (from {entry}: {quantiles.n} cases, {MIN_SHARING} are needed)")
        else:
            self.put(name, coarse(quantiles.q, quantiles.n), entry, quantiles.n)

    def mix(self, name: str, shares: Mapping[str, Share], entry: str, known: Collection[str] | None) -> None:
        counts = {key: share.hits for key, share in sorted(shares.items()) if share.hits}
        kept = {key: n for key, n in counts.items() if known is None or key in known}
        self._leave_out(name, {key: n for key, n in counts.items() if key not in kept})
        self.put(name, kept, entry, sum(kept.values()))

    def pool(self, name: str, shares: Mapping[str, Share], entry: str, known: Mapping[str, str]) -> None:
        counts = {key: share.hits for key, share in sorted(shares.items()) if share.hits}
        named = {key: known[fold(key)] for key in counts if fold(key) in known}
        mix = pooled(counts, named)
        self._leave_out(name, {key: n for key, n in counts.items() if named.get(key) not in mix})
        if set(mix) <= {OTHER}:
            self.missing.append(f"{name} (from {entry}: nothing there is in the pools of cast.yaml)")
        else:
            self.put(name, mix, entry, sum(mix.values()))

    def _leave_out(self, name: str, counts: Mapping[str, int]) -> None:
        if counts:
            self.left_out[name] = ", ".join(f"{key} {n}" for key, n in counts.items())


def fit_template(model: CompanyModel, env: Path) -> list[FitLine]:
    """Returns the fitted fields after writing them to `fitted.yaml` of an environment.

    Raises:
        WorldError: the authored layer is broken, or the model lacks the observations for a field, all such
            fields named.
    """
    fit = _fit(model, _wordings(load_authored(env)))
    stored = Fitted.model_validate(fit.fields).model_dump(mode="json")
    text = _HEADER + yaml.safe_dump(stored, sort_keys=True, allow_unicode=True, width=110)
    aside = env / f"{FITTED}.part"
    aside.write_text(text, encoding="utf-8")
    os.replace(aside, env / FITTED)
    return [
        FitLine(name, _shown(one["value"]), str(one["entry"]), int(one["n"]), fit.left_out.get(name, ""))
        for name, one in stored.items()
    ]


def _wordings(authored: Authored) -> _Wordings:
    reasons = {reason: reason for reason in authored.office.disqualifiers}
    for reason, entry in authored.office.disqualifiers.items():
        reasons.update({name: reason for name in entry.also})
    cast = authored.cast
    return _Wordings(
        reasons=reasons,
        industries={fold(one.label): one.label for one in cast.industries.values()},
        countries={fold(name): code for code, full in cast.countries.items() for name in (code, full)},
        greetings=frozenset(authored.buyers.greetings),
        sign_offs=frozenset(authored.buyers.sign_offs),
        noise=frozenset(mail.kind for mail in authored.office.noise),
    )


def _fit(model: CompanyModel, names: _Wordings) -> _Fitting:
    fit = _Fitting()
    fit.put("dataset", model.dataset, "dataset", sum(model.counts.values()))
    _fit_qualification(fit, model, names)
    fit.pool("industries", model.industries, "industries", names.industries)
    fit.pool("regions", model.regions, "regions", names.countries)
    fit.sizes("sizes", model.sizes, "sizes")
    _fit_response(fit, model)
    fit.share("rescheduled_ppm", model.meetings.rescheduled, "meetings.rescheduled")
    fit.share("out_of_office_ppm", model.meetings.out_of_office, "meetings.out_of_office")
    fit.share("stale_ppm", model.crm.stale, "crm.stale")
    fit.sizes("record_age_days", model.crm.age_days, "crm.age_days")
    fit.share("do_not_contact_ppm", model.crm.do_not_contact, "crm.do_not_contact")
    fit.quantiles("contacts_per_account", model.crm.contacts_per_account, "crm.contacts_per_account")
    fit.quantiles("meeting_minutes", model.meetings.duration_minutes, "meetings.duration_minutes")
    fit.quantiles("busy_per_day", model.meetings.busy_per_day, "meetings.busy_per_day")
    fit.mix("greetings", model.texture.greetings, "texture.greetings", names.greetings)
    fit.mix("sign_offs", model.texture.sign_offs, "texture.sign_offs", names.sign_offs)
    fit.mix("noise", model.texture.noise, "texture.noise", names.noise)
    fit.quantiles("mails_per_thread", model.texture.mails_per_thread, "texture.mails_per_thread")
    fit.quantiles("words_per_mail", model.texture.words_per_mail, "texture.words_per_mail")
    # Where everything is quoted, or nothing, the other class is absent; without any class nothing was seen.
    quoted = model.texture.quoting.get("quoted", Share(hits=0, n=_seen(model.texture.quoting)))
    fit.share("quoted_ppm", quoted, "texture.quoting.quoted")
    patterns = generalised(
        [_pattern(case, names) for case in sorted(model.recorded_cases, key=lambda case: case.case_id)]
    )
    fit.put("patterns", [one.model_dump() for one in patterns], "recorded_cases", len(patterns))
    if fit.missing:
        raise WorldError(
            f"the company model of {model.dataset} has nothing for {', '.join(fit.missing)}: "
            "these fields have no default; extract an archive that shows them"
        )
    return fit


def _seen(shares: Mapping[str, Share]) -> int:
    return max((share.n for share in shares.values()), default=0)


def _fit_qualification(fit: _Fitting, model: CompanyModel, names: _Wordings) -> None:
    """Fits criteria and how often each of their reasons decided."""
    criteria, unknown, support = [], [], 0
    for mined in model.qualification:
        reason = names.reasons.get(mined.rule.outcome)
        if reason is None or not _is_shown(mined.rule):
            unknown.append(mined.rule.outcome)
            continue
        renamed = mined.rule.model_copy(update={"outcome": reason, "id": f"qualification-{reason}"})
        criteria.append(renamed.model_dump(mode="json"))
        support += mined.support
    if unknown:
        fit.left_out["criteria"] = ", ".join(unknown)
    fit.put("criteria", criteria, "qualification", support)
    recorded = {
        outcome.name.partition(_DISQUALIFIED)[2]: outcome.share
        for outcome in model.outcomes
        if _DISQUALIFIED in outcome.name
    }
    decisive = {one["outcome"] for one in criteria}
    usable = {name for name in recorded if names.reasons.get(name) in decisive}
    fit.mix("reasons", recorded, f"outcomes.*{_DISQUALIFIED}*", usable)
    if "reasons" in fit.fields:
        counts: dict[str, int] = {}
        for name, n in fit.fields["reasons"]["value"].items():
            counts[names.reasons[name]] = counts.get(names.reasons[name], 0) + n
        fit.fields["reasons"]["value"] = dict(sorted(counts.items()))


def _is_shown(rule: Rule) -> bool:
    """Says whether a world can draw and show all facts of a criterion."""
    return {condition.fact for condition in (*rule.when, *rule.unless)} <= _SHOWN_FACTS


def _pattern(case: RecordedCase, names: _Wordings) -> Pattern:
    industry = fold(case.traits.get("industry", ANY))
    region = fold(case.traits.get("region", ANY))
    return Pattern(
        case_id=case.case_id,
        archetype=case.archetype,
        reason=names.reasons.get(case.reason, case.reason),
        industry=names.industries.get(industry, ANY),
        region=names.countries.get(region, ANY),
        size=case.traits.get("size", ANY),
    )


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
    fit.mix("refusals", response.refusal_wordings, "response.refusal_wordings", None)


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
