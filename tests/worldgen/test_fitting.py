"""Fitting a template: each line with its entry and n, no field with a default, what is left out named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from contracts.company_model import Quantiles
from contracts.decisions import Operator
from tests.worldgen.company_models import MODEL, REGION, SMALL, changed, mined, share
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.fitting import fit_template
from worldgen.template import load_template

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SEEDS = range(1, 7)


def test_the_dataset_is_named_in_the_template_only(env: Path) -> None:
    fit_template(changed(dataset="quiet_harbour"), env)
    template = load_template(env)
    worlds = [build(template, seed) for seed in SEEDS]
    assert template.fitted.dataset.value == "quiet_harbour"
    assert not any("quiet_harbour" in world.model_dump_json() for world in worlds)


def test_each_line_says_field_value_entry_and_n(env: Path) -> None:
    lines = fit_template(MODEL, env)
    stored = yaml.safe_load((env / "fitted.yaml").read_text())
    assert {line.field for line in lines} == set(stored)
    for line in lines:
        assert line.value and line.entry and line.n > 0
        assert (line.entry, line.n) == (stored[line.field]["entry"], stored[line.field]["n"])


NOTHING = Quantiles(unit="x", n=0, q=[])
NEVER = share(0, 0)


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ({"response": None}, "response model"),
        ({"response__offers_by_class": {"generic": share(1)}}, "relevant_offers_ppm"),
        ({"response__offers_by_class": {"relevant_ask": share(1)}}, "irrelevant_offers_ppm"),
        ({"response__reply_delay": NOTHING}, "reply_delays"),
        ({"response__second_chance": NEVER}, "second_chance_ppm"),
        ({"response__refusal_wordings": {}}, "refusals"),
        ({"qualification": []}, "criteria"),
        ({"outcomes": []}, "reasons"),
        ({"industries": {}}, "industries"),
        ({"industries": {"Undertaking": share(20)}}, "industries"),
        ({"regions": {}}, "regions"),
        ({"sizes": NOTHING}, "sizes"),
        ({"meetings__rescheduled": NEVER}, "rescheduled_ppm"),
        ({"meetings__out_of_office": NEVER}, "out_of_office_ppm"),
        ({"meetings__duration_minutes": NOTHING}, "meeting_minutes"),
        ({"meetings__busy_per_day": NOTHING}, "busy_per_day"),
        ({"crm__stale": NEVER}, "stale_ppm"),
        ({"crm__age_days": NOTHING}, "record_age_days"),
        ({"crm__do_not_contact": NEVER}, "do_not_contact_ppm"),
        ({"crm__contacts_per_account": NOTHING}, "contacts_per_account"),
        ({"texture__greetings": {}}, "greetings"),
        ({"texture__greetings": {"salve": share(20)}}, "greetings"),
        ({"texture__sign_offs": {}}, "sign_offs"),
        ({"texture__noise": {"received": share(20)}}, "noise"),
        ({"texture__mails_per_thread": NOTHING}, "mails_per_thread"),
        ({"texture__words_per_mail": NOTHING}, "words_per_mail"),
        ({"texture__quoting": {}}, "quoted_ppm"),
        ({"recorded_cases": []}, "patterns"),
        ({"counts": {}}, "dataset"),
    ],
)
def test_a_field_without_observations_is_never_a_default(
    env: Path, entries: dict[str, object], says: str
) -> None:
    before = (env / "fitted.yaml").read_bytes()
    with pytest.raises(WorldError, match=rf"nothing for .*{says}"):
        fit_template(changed(**entries), env)
    assert (env / "fitted.yaml").read_bytes() == before


def test_what_the_authored_layer_has_no_words_for_is_named(env: Path) -> None:
    revenue = mined("no_budget", "revenue", Operator.BELOW, 5)
    horoscope = mined("bad_stars", "employees", Operator.ABOVE, 90_000)
    model = changed(
        qualification=[SMALL, REGION, revenue, horoscope], industries={"Energy": share(20), "Fur": share(6)}
    )
    lines = {line.field: line for line in fit_template(model, env)}
    assert lines["criteria"].left_out == "no_budget, bad_stars"
    assert lines["industries"].left_out == "Fur 6"
    worlds = [build(load_template(env), seed) for seed in SEEDS]
    unfit = [one for world in worlds for one in world.truth.accounts if one.archetype == "unfit"]
    assert {account.reason for account in unfit} == {"too_small", "unsupported_region"}


def test_buyers_that_do_not_care_for_relevance_are_refused(env: Path) -> None:
    blind = changed(response__offers_by_class={"relevant_ask": share(20), "generic": share(20)})
    fit_template(blind, env)
    with pytest.raises(WorldError, match="relevant mails"):
        build(load_template(env), 1)
