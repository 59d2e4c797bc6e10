from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from contracts.company_model import (
    CompanyModel,
    CrmCondition,
    Meetings,
    MinedRule,
    Quantiles,
    RecordedCase,
    ResponseModel,
    Share,
    Texture,
)
from contracts.decisions import Condition, Operator, Rule
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.fitting import fit_template
from worldgen.template import load_template

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"


def some(low: int, high: int) -> Quantiles:
    return Quantiles(unit="x", n=50, q=[low, low, low, (low + high) // 2, high, high, high, high])


HALF = Share(hits=20, n=40)


def mined(outcome: str, fact: str, operator: Operator, value: int | list[str]) -> MinedRule:
    rule = Rule(
        id=f"m-{outcome}",
        decision="qualification",
        when=[Condition(fact=fact, operator=operator, value=value)],
        outcome=outcome,
    )
    return MinedRule(
        rule=rule,
        statement="",
        threshold=None,
        low=None,
        high=None,
        suggestion=None,
        support=30,
        confidence_ppm=990_000,
        likelihood_ratio_milli=9000,
        exceptions=[],
    )


MODEL = CompanyModel(
    dataset="another",
    currency="EUR",
    counts={"rows.messages": 500},
    cases=40,
    linked={},
    workflows=[],
    rules=[],
    outcomes=[],
    response=ResponseModel(
        outreach=80,
        offers_by_class={"relevant_ask": Share(hits=30, n=40), "generic": Share(hits=1, n=40)},
        answers_by_class={},
        reply_delay=some(60, 9000),
        second_chance=HALF,
        refusal_wordings={"timing": HALF},
        touches_to_meeting=some(1, 3),
    ),
    meetings=Meetings(
        rescheduled=HALF,
        out_of_office=HALF,
        delegate_named=HALF,
        other_zone=HALF,
        duration_minutes=some(45, 45),
        busy_per_day=some(3, 4),
    ),
    crm=CrmCondition(age_days=some(10, 20), stale=HALF, do_not_contact=HALF, contacts_per_account=some(3, 4)),
    texture=Texture(
        words_per_mail=some(20, 90),
        mails_per_thread=some(1, 2),
        greetings={"dear": HALF},
        sign_offs={"regards": HALF},
        quoting={},
        noise={"newsletter": HALF},
    ),
    qualification=[
        mined("too_small", "employees", Operator.BELOW, 400),
        mined("region", "region", Operator.IN, ["US"]),
    ],
    industries={"Energy": HALF},
    sizes=some(500, 4000),
    regions={"CA": HALF},
    traps=[],
    recorded_cases=[
        RecordedCase(
            case_id="c1", archetype="bookable", reason="", traits={"industry": "Energy"}, touches=2, days=9
        )
    ],
)


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ENV, tmp_path / "gtm-outbound"))


def test_another_company_gives_other_worlds(env: Path) -> None:
    lines = fit_template(MODEL, env)
    assert {line.field for line in lines} == set(yaml.safe_load((env / "fitted.yaml").read_text()))
    assert all(line.n > 0 and line.entry for line in lines)
    world = build(load_template(env), 3)
    fit = [account for account in world.truth.accounts if account.archetype == "bookable"]
    assert all(account.facts["region"] != "US" and int(account.facts["employees"]) >= 400 for account in fit)
    assert {account.facts["industry"] for account in world.truth.accounts} == {"energy"}
    unfit = {account.reason for account in world.truth.accounts if account.archetype == "unfit"}
    assert unfit == {"too_small", "unsupported_region"}
    assert sum(buyer.machine == "out_of_office" for buyer in world.server.buyers) == 2
    assert all(reply.startswith("Dear ") for reply in _variants(world.server.replies, "not_a_priority"))


def _variants(replies: list, kind: str) -> list[str]:  # type: ignore[type-arg]
    return next(reply.variants for reply in replies if reply.kind == kind)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"response": None}, "response model"),
        ({"qualification": []}, "criteria"),
        ({"recorded_cases": []}, "patterns"),
        ({"sizes": Quantiles(unit="x", n=0, q=[])}, "sizes"),
        ({"industries": {}}, "industries"),
    ],
)
def test_a_field_without_observations_is_never_a_default(
    env: Path, change: dict[str, object], field: str
) -> None:
    before = (env / "fitted.yaml").read_bytes()
    with pytest.raises(WorldError, match=field):
        fit_template(MODEL.model_copy(update=change), env)
    assert (env / "fitted.yaml").read_bytes() == before


def test_buyers_that_do_not_care_for_relevance_are_refused(env: Path) -> None:
    assert MODEL.response is not None
    blind = MODEL.response.model_copy(update={"offers_by_class": {"relevant_ask": HALF, "generic": HALF}})
    fit_template(MODEL.model_copy(update={"response": blind}), env)
    with pytest.raises(WorldError, match="relevant mails"):
        build(load_template(env), 1)
