"""Real worlds of the environment, and the reference working in them with single steps done otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from contracts.grade import Grade, Verdict
from contracts.plan import ReferenceKnowledge
from contracts.recording import Recording
from contracts.shift_events import Action
from contracts.world import AccountTruth, Bundle
from grader.grading import grade_shift
from runtime.agents.reference import Reference
from runtime.agents.registry import agent_named
from runtime.api import ApiDriver, ReferenceView
from runtime.core import Shift
from worldgen.building import build
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

ROOT = Path(__file__).parents[2]
ENV = ROOT / "environments" / "gtm-outbound"
TEMPLATE = load_template(ENV)
Extra = list[tuple[Action, dict[str, Any]]]


@lru_cache(maxsize=32)
def world(seed: int, level: str = "standard") -> Bundle:
    return build(TEMPLATE, seed, level)


@lru_cache(maxsize=32)
def knowledge(seed: int, level: str = "standard") -> ReferenceKnowledge:
    return reference_knowledge(TEMPLATE, world(seed, level))


def new_shift(seed: int, level: str = "standard") -> Shift:
    bundle = world(seed, level)
    return Shift(
        bundle.visible,
        bundle.server,
        world_hash=bundle.world_hash,
        environment=bundle.environment,
        level=level,
    )


def work(seed: int, agent: str | type[Reference] = Reference, level: str = "standard") -> Shift:
    """Returns the shift that an agent worked to its end."""
    shift = new_shift(seed, level)
    if isinstance(agent, str):
        agent_named(agent).work(shift, knowledge(seed, level))
    else:
        agent(knowledge(seed, level)).work(ApiDriver(shift), ReferenceView(shift))
    return shift


def grade(seed: int, agent: str | type[Reference] = Reference, level: str = "standard") -> Grade:
    return grade_shift(work(seed, agent, level).events, world(seed, level).truth)


@lru_cache(maxsize=8)
def reference(seed: int) -> Shift:
    return work(seed)


def finishing(seed: int, extra: Extra) -> Grade:
    """Returns the grade of the reference that does something more before it ends its shift."""

    class More(Reference):
        def finish(self, driver: ApiDriver) -> None:
            for action, data in extra:
                result = driver.perform(action, data)
                assert result.done, result.refused
            super().finish(driver)

    return grade(seed, More)


def account(seed: int, archetype: str = "bookable", place: int = 0) -> AccountTruth:
    return [held for held in world(seed).truth.accounts if held.archetype == archetype][place]


def plain_booking(seed: int) -> AccountTruth:
    """Returns a bookable account without a trap or a delegate."""
    truth = world(seed).truth
    trapped = {trap.account_id for trap in truth.traps}
    return next(
        held
        for held in truth.accounts
        if held.archetype == "bookable" and held.account_id not in trapped and not held.away_address
    )


def lost(grade: Grade) -> list[str]:
    """Returns what a grade lacks: checks that are not passed and items of collateral."""
    return [check.id for check in grade.checks if check.verdict is not Verdict.PASS] + [
        item.id for item in grade.collateral
    ]


def replayed(seed: int, recording: Recording) -> Shift:
    from runtime.replay import replay

    shift = new_shift(seed)
    replay(shift, recording)
    return shift


def posted(zone: Any, action: Action, data: Mapping[str, Any]) -> tuple[str, str, dict[str, str]] | None:
    """Returns the request (method, path, form) by which the pages do an action; None for waiting."""

    def day_and_times() -> dict[str, str]:
        start, end = zone.local(data["starts_at"]), zone.local(data["ends_at"])
        return {"day": f"{start:%Y-%m-%d}", "start": f"{start:%H:%M}", "end": f"{end:%H:%M}"}

    match action:
        case Action.MAIL_OPEN:
            return "GET", f"/mail/{data['mail_id']}", {}
        case Action.CRM_OPEN:
            return "GET", f"/crm/{data['record_id']}", {}
        case Action.SITE_OPEN:
            return "GET", f"/site/{data['domain']}{data['path']}", {}
        case Action.MAIL_SEND:
            form = {"to": ", ".join(data["to"]), "subject": data["subject"], "body": data["body"]}
            return "POST", "/mail/send", form
        case Action.CRM_SET_FIELD:
            form = {"value": data["value"], "reason": data.get("reason", ""), "on": data.get("on", "")}
            page = data["field"].replace("_", "-")
            return "POST", f"/crm/{data['record_id']}/{page}", form
        case Action.CRM_ADD_CONTACT:
            form = {name: data[name] for name in ("name", "role", "address")}
            return "POST", f"/crm/{data['account_id']}/contact", form
        case Action.CRM_ADD_NOTE:
            return "POST", f"/crm/{data['account_id']}/note", {"text": data["text"]}
        case Action.INVITE_SEND:
            form = {"title": data["title"], "attendees": ", ".join(data["attendees"]), **day_and_times()}
            return "POST", "/calendar/invite", form
        case Action.INVITE_UPDATE:
            return "POST", f"/calendar/{data['event_id']}/reschedule", day_and_times()
        case Action.SHIFT_END:
            return "POST", "/shift/end", {}
        case Action.WAIT:
            return None
    raise AssertionError(action)


Kit = Any
Maker = Callable[..., Grade]


@pytest.fixture(scope="session")
def kit() -> Kit:
    """Gives test files the makers of this file, which they cannot import."""
    return sys.modules[__name__]
