"""Fields that come from the company model: each acts in built worlds, none has a default."""

from __future__ import annotations

import operator
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

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
from contracts.template import Fitted, WorldTemplate
from contracts.world import Bundle
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.fitting import fit_template
from worldgen.template import load_template

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SEEDS = range(1, 7)


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


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ENV, tmp_path / "gtm-outbound"))


def fitted_to(model: CompanyModel, env: Path) -> tuple[WorldTemplate, list[Bundle]]:
    fit_template(model, env)
    template = load_template(env)
    return template, [build(template, seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[WorldTemplate, list[Bundle]]:
    return fitted_to(MODEL, Path(shutil.copytree(ENV, tmp_path_factory.mktemp("base") / "gtm-outbound")))


# ---------------------------------------------------------------- what of a world a field moves


def fitting_accounts(world: Bundle) -> list[Any]:
    return [account for account in world.truth.accounts if account.archetype != "unfit"]


def smallest(world: Bundle) -> int:
    return min(int(account.facts["employees"]) for account in fitting_accounts(world))


def employees(world: Bundle) -> int:
    return sum(int(account.facts["employees"]) for account in fitting_accounts(world))


def unfit_reasons(world: Bundle) -> list[str]:
    return sorted(account.reason for account in world.truth.accounts if account.archetype == "unfit")


def in_country(country: str) -> Callable[[Bundle], int]:
    return lambda world: sum(account.facts["region"] == country for account in fitting_accounts(world))


def delays(world: Bundle) -> int:
    return sum(sum(buyer.reply_delays_ms) for buyer in world.server.buyers)


def messaging(world: Bundle) -> str:
    return next(page for page in world.visible.playbook if page.path == "/messaging").items[-1].text


def telling_refusals(world: Bundle) -> int:
    """Refusals that say that a fact from the news would be heard."""
    return sum("news" in text.lower() for text in wordings("not_a_priority")(world))


def wordings(kind: str) -> Callable[[Bundle], list[str]]:
    return lambda world: next(reply.variants for reply in world.server.replies if reply.kind == kind)


def machines(name: str) -> Callable[[Bundle], int]:
    return lambda world: sum(buyer.machine == name for buyer in world.server.buyers)


def stale_records(world: Bundle) -> int:
    truth = {account.account_id: account for account in fitting_accounts(world)}
    return sum(
        account.fields[fact] != str(truth[account.id].facts[fact])
        for account in world.visible.accounts
        for fact in ("employees", "ledger_system")
        if account.id in truth
    )


class Change(NamedTuple):
    """Another model entry, and how worlds then differ: measure(other) `is_` measure(base)."""

    entries: dict[str, object]
    measure: Callable[[Bundle], Any]
    is_: Callable[[Any, Any], bool]
    besides: dict[str, object] = {}  # noqa: RUF012 - entries of both models
    each: bool = True
    """In every world; otherwise in sum over the seeds."""


NO = operator.ne
CHANGES: dict[str, Change] = {
    "criteria": Change(
        {"qualification": [mined("too_small", "employees", Operator.BELOW, 1200), REGION]},
        smallest,
        lambda other, base: other >= 1200 > base,
        each=False,
    ),
    "reasons": Change(
        {"outcomes": [Outcome(name="lead.disqualified.too_small", share=share(9))]}, unfit_reasons, NO
    ),
    "industries": Change(
        {"industries": {"Construction": share(20)}},
        lambda world: {account.fields["industry"] for account in world.visible.accounts},
        NO,
    ),
    "regions": Change(
        {"regions": {"US": share(10), "UK": share(30)}}, in_country("UK"), operator.gt, each=False
    ),
    "sizes": Change({"sizes": some(2000, 9000)}, employees, operator.gt),
    "reply_delays": Change({"response__reply_delay": some(6000, 900_000)}, delays, operator.gt),
    "relevant_offers_ppm": Change(
        {"response__offers_by_class": {"relevant_ask": share(20), "generic": share(1)}}, messaging, NO
    ),
    "irrelevant_offers_ppm": Change(
        {"response__offers_by_class": {"relevant_ask": share(30), "generic": share(8)}}, messaging, NO
    ),
    "second_chance_ppm": Change({"response__second_chance": share(40)}, telling_refusals, operator.gt),
    "refusals": Change(
        {"response__refusal_wordings": {"stop_request": share(20)}}, wordings("not_a_priority"), NO
    ),
    "rescheduled_ppm": Change({"meetings__rescheduled": share(20)}, machines("cancels"), operator.gt),
    "out_of_office_ppm": Change(
        {"meetings__out_of_office": share(20)}, machines("out_of_office"), operator.gt
    ),
    "stale_ppm": Change({"crm__stale": share(40)}, stale_records, operator.gt),
    "record_age_days": Change(
        {"crm__age_days": some(400, 700)},
        lambda world: sorted(one.fields["imported_on"] for one in world.visible.accounts),
        NO,
    ),
    "do_not_contact_ppm": Change(
        {"crm__do_not_contact": share(6)}, lambda world: len(world.truth.do_not_contact), operator.gt
    ),
    "contacts_per_account": Change(
        {"crm__contacts_per_account": some(4, 4)}, lambda world: len(world.visible.contacts), operator.gt
    ),
    "meeting_minutes": Change(
        {"meetings__duration_minutes": some(15, 20)},
        lambda world: {one.ends_at - one.starts_at for one in world.visible.calendar},
        NO,
    ),
    "busy_per_day": Change(
        {"meetings__busy_per_day": some(3, 4)}, lambda world: len(world.visible.calendar), operator.gt
    ),
    "greetings": Change({"texture__greetings": {"hey": share(20)}}, wordings("offer"), NO),
    "sign_offs": Change({"texture__sign_offs": {"thanks": share(20)}}, wordings("offer"), NO),
    "noise": Change(
        {"texture__noise": {"outreach": share(20)}},
        lambda world: {mail.subject for mail in world.visible.mails},
        NO,
    ),
    "mails_per_thread": Change(
        {"texture__mails_per_thread": some(4, 9)},
        lambda world: sum(mail.folder == "sent" for mail in world.visible.mails),
        operator.gt,
        each=False,
    ),
    "words_per_mail": Change(
        {"texture__words_per_mail": some(60, 90)},
        lambda world: sum(len(text.split()) for text in wordings("offer")(world)),
        operator.gt,
    ),
    "quoted_ppm": Change(
        {"texture__quoting": {"quoted": share(40)}},
        lambda world: sum("\n> " in mail.body for mail in world.visible.mails),
        operator.gt,
        besides={"texture__mails_per_thread": some(4, 9)},
        each=False,
    ),
    "patterns": Change(
        {"recorded_cases": [case(2)]}, lambda world: {account.case_id for account in world.truth.accounts}, NO
    ),
}


def test_every_fitted_field_is_in_the_table() -> None:
    # The name of the dataset is provenance: nothing in a world may show it.
    assert set(CHANGES) == set(Fitted.model_fields) - {"dataset"}


@pytest.mark.parametrize("field", sorted(CHANGES))
def test_another_model_entry_gives_another_value_and_another_world(
    field: str, env: Path, base: tuple[WorldTemplate, list[Bundle]]
) -> None:
    change = CHANGES[field]
    before, worlds = fitted_to(changed(**change.besides), env) if change.besides else base
    after, others = fitted_to(changed(**change.besides, **change.entries), env)
    assert getattr(after.fitted, field).value != getattr(before.fitted, field).value
    untouched = [name for name in CHANGES if name != field]
    assert {
        getattr(after.fitted, name).value != getattr(before.fitted, name).value for name in untouched
    } == {False}
    if change.each:
        for other, world in zip(others, worlds, strict=True):
            assert change.is_(change.measure(other), change.measure(world))
    else:
        measured = [[change.measure(world) for world in built] for built in (others, worlds)]
        join = min if field == "criteria" else sum
        assert change.is_(join(measured[0]), join(measured[1]))


def test_the_dataset_is_named_in_the_template_only(env: Path) -> None:
    template, worlds = fitted_to(changed(dataset="quiet_harbour"), env)
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
    assert {
        world_reason for seed in SEEDS for world_reason in unfit_reasons(build(load_template(env), seed))
    } == {
        "too_small",
        "unsupported_region",
    }


def test_buyers_that_do_not_care_for_relevance_are_refused(env: Path) -> None:
    blind = changed(response__offers_by_class={"relevant_ask": share(20), "generic": share(20)})
    fit_template(blind, env)
    with pytest.raises(WorldError, match="relevant mails"):
        build(load_template(env), 1)
