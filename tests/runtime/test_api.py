"""The driver charges what actions cost, shows views, and keeps server and truth out of them."""

import json

import pytest

from contracts.shift_events import Action, EndReason
from runtime.agents.registry import agent_named, agent_names
from runtime.api import DEFAULT_COST_MS, ApiDriver
from runtime.core import Shift
from runtime.errors import UnknownAgent

PITCH = {
    "to": ["bookable@company0.example"],
    "subject": "s",
    "body": "You paid twice, a duplicate. Could we meet?",
}


@pytest.fixture
def shift(small_visible, small_server):
    return Shift(small_visible, small_server, world_hash="0" * 64)


def test_each_action_costs_its_price_and_a_wait_its_own_time(shift):
    driver = ApiDriver(shift)
    driver.open_mail("m-1")
    assert driver.now_ms == DEFAULT_COST_MS
    driver.perform(Action.MAIL_SEND, PITCH)
    assert driver.now_ms == DEFAULT_COST_MS + 15_000
    driver.wait(2_000)
    driver.charge(500)
    assert driver.now_ms == DEFAULT_COST_MS + 17_500
    assert [e.type for e in shift.events if e.actor == "agent"] == ["mail.open", "mail.send", "wait"]


def test_waiting_for_mail_ends_when_one_arrives(shift):
    driver = ApiDriver(shift)
    assert driver.wait_for_mail(60_000)
    assert driver.now_ms == 5_000
    assert not driver.wait_for_mail(10_000)


def test_views_show_the_apps_and_nothing_of_buyers_schedule_or_notices(shift):
    driver = ApiDriver(shift)
    driver.perform(Action.MAIL_SEND, PITCH)
    driver.wait(60_000)
    views = [driver.briefing(), driver.mails(), driver.accounts(), driver.calendar(), driver.choices()]
    views += [driver.open_mail(line["id"]) for line in driver.mails()]
    views += [driver.open_account("acc-Acme"), driver.playbook(), driver.site("acc-Acme.example", "/")]
    text = json.dumps(views)
    assert "Acme." in text and "offer: Pat0" in text
    for secret in ("machine", "because", "bait", "news_facts", 'duplicate payment"', "0" * 64):
        assert secret not in text


def test_unread_mails_become_read_by_opening(shift):
    driver = ApiDriver(shift)
    assert driver.mails()[0]["unread"]
    driver.open_mail("m-1")
    assert not driver.mails()[0]["unread"]
    assert [line["id"] for line in driver.search_mail("ten ACCOUNTS")] == ["m-1"]


def test_files_are_listed_opened_attached_and_found_by_name(shift):
    driver = ApiDriver(shift)
    assert [file["name"] for file in driver.files()] == ["Contacts.csv", "Plan.pdf"]
    (card,) = driver.open_mail("m-1")["attachments"]
    assert {"id": "f-1", "name": "Plan.pdf", "media_type": "application/pdf"}.items() <= card.items()
    assert driver.open_file("f-1")["text"] == "Ten accounts, one by one."
    assert driver.open_file("f-9") == {}
    driver.perform(Action.MAIL_SEND, {**PITCH, "files": ["f-1"]})
    assert [line["attachments"] for line in driver.mails("sent")] == [["Plan.pdf"]]
    assert {line["folder"] for line in driver.search_mail("plan.PDF")} == {"inbox", "sent"}


TRIVIAL = [name for name in agent_names() if name in {"noop", "scripted:waiter"}]


@pytest.mark.parametrize("name", TRIVIAL)
def test_who_does_nothing_meets_the_time_limit(shift, name):
    assert agent_named(name).work(shift, None) is EndReason.TIME_LIMIT


@pytest.mark.parametrize(
    "name",
    "reader spammer blanket-qualified blanket-not-a-fit invite-every-slot topic-guesser "
    "claims-success".split(),
)
def test_trivial_agents_work_without_knowledge_and_use_the_apps_rightly(shift, name):
    assert agent_named(f"scripted:{name}").work(shift, None) is EndReason.END_SHIFT
    assert not [event for event in shift.events if event.type == "action.refused"]


def test_unknown_agents_and_missing_knowledge_are_named(shift):
    with pytest.raises(UnknownAgent, match="have: noop, reference"):
        agent_named("scripted:nobody")
    with pytest.raises(UnknownAgent, match="knowledge"):
        agent_named("reference").work(shift, None)
