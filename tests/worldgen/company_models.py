"""Company models that differ in one entry, for the tests of what is fitted from them."""

from __future__ import annotations

from typing import Any

from contracts.company_model import (
    CompanyModel,
    CrmCondition,
    Meetings,
    MinedRule,
    Outcome,
    Quantiles,
    RecordedCase,
    ResponseModel,
    Share,
    Texture,
)
from contracts.decisions import Condition, Operator, Rule


def some(low: int, high: int) -> Quantiles:
    return Quantiles(unit="x", n=50, q=[low, low, low, (low + high) // 2, high, high, high, high])


def share(hits: int, n: int = 40) -> Share:
    return Share(hits=hits, n=n)


def mined(outcome: str, fact: str, compared: Operator, value: int | list[str]) -> MinedRule:
    rule = Rule(
        id=f"m-{outcome}",
        decision="qualification",
        when=[Condition(fact=fact, operator=compared, value=value)],
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


def case(number: int, archetype: str = "bookable", reason: str = "", **traits: str) -> RecordedCase:
    return RecordedCase(
        case_id=f"case-{number}", archetype=archetype, reason=reason, traits=traits, touches=2, days=9
    )


SMALL = mined("too_small", "employees", Operator.BELOW, 400)
REGION = mined("region", "region", Operator.NOT_IN, ["US", "CA", "UK"])
MODEL = CompanyModel(
    dataset="another",
    currency="EUR",
    counts={"rows.messages": 500},
    cases=40,
    linked={},
    workflows=[],
    rules=[],
    outcomes=[
        Outcome(name="lead.disqualified.too_small", share=share(9)),
        Outcome(name="lead.disqualified.region", share=share(9)),
        Outcome(name="deal.won", share=share(20)),
    ],
    response=ResponseModel(
        outreach=80,
        offers_by_class={"relevant_ask": share(30), "generic": share(1)},
        answers_by_class={},
        reply_delay=some(60, 9000),
        second_chance=share(0),
        refusal_wordings={"timing": share(20)},
        touches_to_meeting=some(1, 3),
    ),
    meetings=Meetings(
        rescheduled=share(1),
        out_of_office=share(1),
        delegate_named=share(20),
        other_zone=share(20),
        duration_minutes=some(45, 45),
        busy_per_day=some(1, 2),
    ),
    crm=CrmCondition(
        age_days=some(10, 20), stale=share(0), do_not_contact=share(1), contacts_per_account=some(2, 2)
    ),
    texture=Texture(
        words_per_mail=some(2, 4),
        mails_per_thread=some(1, 1),
        greetings={"dear": share(20)},
        sign_offs={"regards": share(20)},
        quoting={"none": share(40)},
        noise={"newsletter": share(20), "internal": share(20)},
    ),
    qualification=[SMALL, REGION],
    industries={"Energy": share(20)},
    sizes=some(500, 2000),
    regions={"US": share(30), "UK": share(10)},
    traps=[],
    recorded_cases=[case(1)],
)


def changed(**entries: object) -> CompanyModel:
    """The model with other entries; "meetings__rescheduled" names a nested one."""
    content: dict[str, Any] = MODEL.model_dump()
    for path, value in entries.items():
        *parents, last = path.split("__")
        held = content
        for parent in parents:
            held = held[parent]
        held[last] = value
    return CompanyModel.model_validate(content)
