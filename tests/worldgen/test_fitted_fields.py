"""What every fitted field moves: another entry of the company model gives another world."""

from __future__ import annotations

import operator
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contracts.company_model import CompanyModel, Outcome
from contracts.decisions import Operator
from contracts.template import Fitted, WorldTemplate
from contracts.world import Bundle
from tests.worldgen.company_models import MODEL, REGION, case, changed, mined, share, some
from worldgen.building import build
from worldgen.fitting import fit_template
from worldgen.template import load_template

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SEEDS = range(1, 7)


def fitted_to(model: CompanyModel, env: Path) -> tuple[WorldTemplate, list[Bundle]]:
    fit_template(model, env)
    template = load_template(env)
    return template, [build(template, seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[WorldTemplate, list[Bundle]]:
    return fitted_to(MODEL, Path(shutil.copytree(ENV, tmp_path_factory.mktemp("base") / "gtm-outbound")))


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
