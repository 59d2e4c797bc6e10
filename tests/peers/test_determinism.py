"""T32-T37: one world per seed, the same everywhere and at any time; what is planned happens for everybody."""

from __future__ import annotations

import gc
import itertools
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from contracts.shift_events import Action
from grader.grading import grade_shift
from runtime.agents.registry import agent_named
from runtime.api import ApiDriver
from runtime.apps.app import create_app
from runtime.core import Shift
from runtime.machine import checked_machine, faults_of
from worldgen.building import build

COUNTRIES = {"CA": "Canada", "DE": "Germany", "UK": "United Kingdom", "US": "United States"}
PRINTS_HASH = (
    "from pathlib import Path; from worldgen.template import load_template; "
    "from worldgen.building import build; "
    "print(build(load_template(Path('environments/gtm-outbound')), 7).world_hash)"
)


def test_T32_six_resets_give_one_hash_and_worlds_do_not_disturb_each_other(kit: Any) -> None:
    assert len({build(kit.TEMPLATE, 7).world_hash for _ in range(6)}) == 1
    left, right = kit.new_shift(1), kit.new_shift(1)
    for at in range(0, 1_200_000, 60_000):
        left.tick_to(at)
        right.apply(Action.MAIL_OPEN, {"mail_id": kit.world(1).visible.mails[0].id}, at)
    alone = kit.new_shift(1)
    alone.tick_to(1_140_000)
    assert left.events == alone.events
    assert build(kit.TEMPLATE, 1).world_hash == kit.world(1).world_hash


@pytest.mark.slow
def test_T32_one_hash_in_every_process_zone_and_locale(kit: Any, tmp_path: Path) -> None:
    hashes = {kit.world(7).world_hash}
    for variables in (
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "2", "TZ": "America/St_Johns", "LANG": "C", "HOME": str(tmp_path)},
    ):
        command = [sys.executable, "-c", PRINTS_HASH]
        done = subprocess.run(
            command, cwd=kit.ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=True
        )
        hashes.add(done.stdout.strip())
    assert len(hashes) == 1


def test_T33_no_clock_of_the_host_is_read_by_world_shift_or_grade(
    kit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year in (2024, 2031):
        monkeypatch.setattr("time.time", lambda at=year: (at - 1970) * 31_556_952.0)
        bundle = build(kit.TEMPLATE, 1)
        assert bundle.world_hash == kit.world(1).world_hash
        shift = kit.work(1)
        assert shift.events == kit.reference(1).events
    sources = [
        path
        for folder in ("worldgen", "runtime", "grader", "contracts")
        for path in (kit.ROOT / folder).rglob("*.py")
    ]
    read = re.compile(
        r"\b(?:time\.time|datetime\.now|datetime\.today|date\.today|utcnow|monotonic|perf_counter)\("
    )
    assert [path.name for path in sources if read.search(path.read_text("utf-8"))] == []


def test_T33_pages_show_the_years_of_the_world_only(kit: Any) -> None:
    shift = kit.replayed(1, kit.reference(1).recording)
    years = {kit.world(1).visible.zone.local(shift.now).year + step for step in (-4, -3, -2, -1, 0, 1)}
    shift = kit.new_shift(1)
    with TestClient(create_app(shift, lambda: shift.now_ms)) as browser:
        for path in ("/mail", "/calendar", "/crm", "/playbook"):
            text = re.sub(r"<[^>]+>", " ", browser.get(path).text)
            assert {int(year) for year in re.findall(r"\b(20[0-4]\d)\b", text)} <= years


@pytest.mark.parametrize("pace", [1_000, 47_000, 2_400_000])
def test_T34_what_is_scheduled_happens_on_time_for_idle_slow_and_fast_agents(kit: Any, pace: int) -> None:
    schedule = kit.world(1).server.schedule
    shift = kit.new_shift(1)
    driver = ApiDriver(shift)
    while not driver.over:
        driver.wait(pace)
    arrived = {
        event.data["mail"]["id"]: event.at_ms for event in shift.events if event.type == "mail.deliver"
    }
    assert {held.mail.id: held.at_ms for held in schedule}.items() <= arrived.items()
    told = [event.data["what"] for event in shift.events if event.type == "notice"]
    assert sorted(told) == sorted(held.notice for held in schedule if held.notice)


def test_T34_a_buyer_cancels_on_time_though_its_mails_are_never_opened(kit: Any) -> None:
    def cancelled(shift: Shift) -> list[tuple[str, int]]:
        return [(event.actor, event.at_ms) for event in shift.events if event.data.get("cancels")]

    recording = kit.reference(1).recording
    unread = tuple(taken for taken in recording.actions if taken.action is not Action.MAIL_OPEN)
    assert len(unread) < len(recording.actions)
    blind = kit.replayed(1, type(recording)(unread, recording.stop))
    assert cancelled(blind) == cancelled(kit.reference(1)) != []


def test_T35_every_buyers_machine_has_no_dead_end_and_answers_every_order_of_turns(kit: Any) -> None:
    server = kit.world(1).server
    for name, machine in server.machines.items():
        assert faults_of(machine) == [], name
        assert checked_machine(name, machine)
    buyer = next(held for held in server.buyers if held.contact_id in _plain_buyers(kit))
    pitch = next(
        held.pitch.body for held in kit.knowledge(1).accounts if held.pitch and held.pitch.to == buyer.party
    )
    turns = {
        "pitch": lambda: (Action.MAIL_SEND, {"to": [buyer.party.address], "subject": "s", "body": pitch}),
        "thanks": lambda: (
            Action.MAIL_SEND,
            {"to": [buyer.party.address], "subject": "s", "body": "Thanks."},
        ),
        "late": lambda: (Action.WAIT, {"ms": 1}),
        "confirm": lambda: (
            Action.INVITE_SEND,
            {
                "title": "Meeting",
                "attendees": [buyer.party.address],
                "starts_at": buyer.offers[0][0],
                "ends_at": buyer.offers[0][0] + 1_800,
            },
        ),
    }
    ends = set()
    for order in itertools.permutations(["pitch", "pitch", "thanks", "confirm", "late"]):
        shift = kit.new_shift(1)
        for name in order:
            action, data = turns[name]()
            shift.apply(action, data, shift.now_ms + 120_000)
        shift.tick_to(shift.visible.length_ms)
        standing = [
            held.status for held in shift.office.calendar.values() if held.attendees == [buyer.party.address]
        ]
        assert not shift.replies_outstanding
        assert len(standing) == 1 and standing[0] in ("accepted", "declined")
        ends.add((standing[0], order.index("pitch") < order.index("confirm")))
    assert ("accepted", True) in ends and ("accepted", False) not in ends


def _plain_buyers(kit: Any) -> set[str]:
    account = kit.plain_booking(1)
    return {b.contact_id for b in kit.world(1).server.buyers if b.party.address == account.buyer_address}


def _cycles(kit: Any, count: int) -> None:
    chance = random.Random(36)
    opened = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0
    scores: dict[tuple[str, int], set[int]] = {}
    for _ in range(count):
        seed, agent = (
            chance.choice((1, 2)),
            chance.choice(("noop", "scripted:reader", "scripted:topic-guesser")),
        )
        bundle = build(kit.TEMPLATE, seed)
        assert bundle.world_hash == kit.world(seed).world_hash
        shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash)
        agent_named(agent).work(shift, None)
        scores.setdefault((agent, seed), set()).add(grade_shift(shift.events, bundle.truth).reward_millionths)
    gc.collect()
    assert all(len(found) == 1 for found in scores.values())
    if opened:
        assert len(list(Path("/proc/self/fd").iterdir())) <= opened


def test_T36_resets_in_any_order_leave_nothing_behind(kit: Any) -> None:
    _cycles(kit, 12)


@pytest.mark.long
def test_T36_a_thousand_resets_leave_nothing_behind(kit: Any) -> None:
    _cycles(kit, 1_000)


def test_T37_the_playbook_says_what_the_grader_asks_for(kit: Any) -> None:
    for seed in (1, 2, 3):
        bundle = kit.world(seed)
        playbook = " ".join(page.model_dump_json() for page in bundle.visible.playbook)
        for rule in bundle.truth.qualification_rules:
            assert bundle.visible.disqualifiers[rule.outcome]
            for condition in rule.when:
                wanted = condition.value if isinstance(condition.value, list) else [condition.value]
                for value in wanted:
                    if isinstance(value, bool):
                        continue
                    shown = f"{value:,}" if isinstance(value, int) else COUNTRIES.get(str(value), str(value))
                    assert shown in playbook, (rule.id, value)
        numbers = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
        limit = bundle.truth.unsolicited_limit
        assert numbers[limit] in playbook.lower() or str(limit) in playbook
        assert bundle.truth.meeting_stage in playbook
