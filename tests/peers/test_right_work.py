"""T06-T18: right work is never rejected for how it was done, written or timed."""

from __future__ import annotations

import itertools
import json
import random
import unicodedata
from typing import Any

import pytest

from contracts.grade import Verdict
from contracts.instants import slot_text
from contracts.recording import Recording, TakenAction
from contracts.shift_events import VIEWS, Action, ShiftEvent
from contracts.world import Zone
from grader.days import names_instant
from grader.grading import grade_shift
from runtime.agents.reference import Reference
from runtime.api import ApiDriver
from runtime.matcher import Matcher

SEEDS = (1, 2, 3)
EXAMPLES: dict[Action, dict[str, Any]] = {
    Action.MAIL_SEARCH: {"query": "plan"},
    Action.CRM_SEARCH: {"query": "a"},
    Action.PLAYBOOK_OPEN: {"path": "/people"},
    Action.WAIT: {"ms": 0},
}


def _reads(kit: Any, seed: int) -> list[tuple[Action, dict[str, Any]]]:
    visible = kit.world(seed).visible
    sites = [
        (Action.SITE_OPEN, {"domain": site.domain, "path": page.path})
        for site in visible.sites
        for page in site.pages
    ]
    records = [(Action.CRM_OPEN, {"record_id": account.id}) for account in visible.accounts]
    mails = [(Action.MAIL_OPEN, {"mail_id": mail.id}) for mail in visible.mails]
    files = [(Action.FILE_OPEN, {"file_id": file.id}) for file in visible.documents]
    return [*EXAMPLES.items(), *sites, *records, *mails, *files]


def _with_reads(kit: Any, seed: int, count: int) -> Recording:
    chance = random.Random(seed)
    recording = kit.reference(seed).recording
    reads = [
        TakenAction(at_ms=chance.randrange(recording.stop.at_ms), action=action, data=data)
        for action, data in chance.choices(_reads(kit, seed), k=count)
    ]
    actions = sorted([*recording.actions, *reads], key=lambda taken: taken.at_ms)
    return Recording(tuple(actions), recording.stop)


def _acts(events: list[ShiftEvent]) -> list[tuple[str, int, dict[str, Any]]]:
    # Why a buyer answered names lines of the log by their number, which reads shift.
    return [
        (event.type, event.at_ms, {name: held for name, held in event.data.items() if name != "because"})
        for event in events
        if event.type not in VIEWS
    ]


def test_T06_two_hundred_more_reads_change_neither_state_nor_score(kit: Any) -> None:
    for seed in SEEDS:
        shift = kit.replayed(seed, _with_reads(kit, seed, 200))
        assert len(shift.events) > len(kit.reference(seed).events) + 190
        assert _acts(shift.events) == _acts(kit.reference(seed).events)
        office, plain = shift.office, kit.reference(seed).office
        for held in ("mails", "accounts", "contacts", "notes", "calendar", "activities"):
            assert getattr(office, held) == getattr(plain, held)
        assert grade_shift(shift.events, kit.world(seed).truth).reward_millionths == 1_000_000


class _Spelt(Reference):
    """Writes addresses, names, notes and spaces in another way."""

    def add_contact(self, driver: ApiDriver, account: Any, contact: Any) -> None:
        if contact is not None:
            name = unicodedata.normalize("NFD", f" {contact.name} ")
            contact = contact.model_copy(update={"name": name, "address": contact.address.upper()})
        super().add_contact(driver, account, contact)

    def send_pitch(self, driver: ApiDriver, account: Any, pitch: Any) -> None:
        to = pitch.to.model_copy(update={"address": f" {pitch.to.name} <{pitch.to.address.title()}> "})
        body = unicodedata.normalize("NFD", pitch.body.replace("\n", "  \n"))
        super().send_pitch(driver, account, pitch.model_copy(update={"to": to, "body": body}))

    def book(self, driver: ApiDriver, account: Any, offers: Any, address: str) -> None:
        super().book(driver, account, offers, address.upper())


def test_T07_spelling_changes_no_verdict(kit: Any) -> None:
    for seed in SEEDS:
        assert kit.lost(kit.grade(seed, _Spelt)) == []


@pytest.mark.parametrize(
    "text",
    [
        *("9:00", "09:00", "9 am", "9.00 AM", "09h00", "Wed 14 Oct, 9:00"),
        *("2026-10-14", "14 Oct 2026", "Oct. 14", "October 14th", "14.10.2026"),
    ],
)
def test_T07_every_way_to_write_a_time_names_the_same_instant(text: str) -> None:
    zone = Zone(name="Eastern Time", abbreviation="ET", offset_minutes=-240)
    assert names_instant(f"Agreed: {text}", zone.instant("2026-10-14 09:00"), [zone])
    assert not names_instant(f"Agreed: {text}", zone.instant("2026-10-15 10:30"), [zone])


class _CancelsAndSendsAnew(Reference):
    def rebook(self, driver: ApiDriver, account: Any, asked: int, address: str) -> None:
        driver.perform(Action.INVITE_CANCEL, {"event_id": self._meetings[account.account_id]})
        self.book(driver, account, [asked], address)


class _TakesTheLastTime(Reference):
    def book(self, driver: ApiDriver, account: Any, offers: Any, address: str) -> None:
        super().book(driver, account, list(offers)[::-1], address)


class _MarksAfterBooking(Reference):
    """Writes first, and marks an account when its meeting stands or at the end."""

    def start_account(self, driver: ApiDriver, account: Any) -> None:
        self._late = [*getattr(self, "_late", []), account]
        if account.pitch is not None:
            self.add_contact(driver, account, account.add_before_pitch)
            self.send_pitch(driver, account, account.pitch)

    def finish(self, driver: ApiDriver) -> None:
        for account in self._late:
            data = {"record_id": account.account_id, "field": "status", "value": str(account.status)}
            driver.perform(Action.CRM_SET_FIELD, {**data, "reason": account.reason})
        super().finish(driver)


class _ThanksAndRecordsLast(Reference):
    """Blocks preparation time, thanks in the thread, and keeps the records in the other order."""

    def keep_record(self, driver: ApiDriver, account: Any, start: int) -> None:
        self.set_next_step(driver, account, start)
        self.set_stage(driver, account)
        self.write_note(driver, account, start)
        data = {"account_id": account.account_id, "kind": "mail", "text": "Meeting agreed."}
        driver.perform(Action.CRM_ADD_ACTIVITY, data)


@pytest.mark.parametrize(
    "path", [_CancelsAndSendsAnew, _TakesTheLastTime, _MarksAfterBooking, _ThanksAndRecordsLast]
)
def test_T08_other_right_paths_earn_the_whole(kit: Any, path: type[Reference]) -> None:
    for seed in SEEDS:
        assert kit.lost(kit.grade(seed, path)) == []


def _judge(kit: Any, text: str, concept: str) -> Any:
    server = kit.world(1).server
    buyer = next(held for held in server.buyers if held.offers)
    asked = buyer.model_copy(update={"concept": concept})
    rest = [held for held in server.buyers if held is not buyer]
    names = {
        "{company}": buyer.company_words[0],
        "{first}": buyer.first_name,
        "{last}": buyer.party.name.split()[-1],
        "{other}": next(held.company_words[0] for held in rest if held.account_id != buyer.account_id),
    }
    for field, name in names.items():
        text = text.replace(field, name)
    return Matcher(server.model_copy(update={"buyers": [asked, *rest]})).judge(text, 0)


def test_T09_thirty_wordings_per_problem_are_judged_alike(kit: Any) -> None:
    suite = json.loads((kit.ROOT / "tests/cases/matcher/relevant_fresh.json").read_text("utf-8"))
    assert len(suite) == 8
    for concept, texts in suite.items():
        assert len(texts) >= 30
        signed = [f"{text}\n\n-- \nAlex Kim, Ledgerline" for text in texts[:8]]
        judged = [_judge(kit, text, concept).relevant for text in signed]
        assert sum(judged) >= len(judged) - 1, concept


@pytest.mark.parametrize(
    ("said", "relevant"),
    [
        ("You pay late fees.", True),
        ("You do not pay late fees.", False),
        ("I do not think that you pay late fees.", False),
        ("Do you pay late fees?", False),
        ("You pay late fees, not discounts.", True),
    ],
)
def test_T10_a_negation_turns_the_meaning(kit: Any, said: str, relevant: bool) -> None:
    text = f"Hi {{first}},\n\nI read your news. {said} Could we meet for 30 minutes this week?"
    assert _judge(kit, text, "late_fees").relevant is relevant


@pytest.mark.parametrize(
    ("minutes", "accepted"), [(14, False), (15, True), (25, True), (60, True), (61, False)]
)
def test_T11_how_long_a_meeting_may_be(kit: Any, minutes: int, accepted: bool) -> None:
    class Long(Reference):
        def book(self, driver: ApiDriver, account: Any, offers: Any, address: str) -> None:
            self._knowledge = self._knowledge.model_copy(update={"meeting_minutes": minutes})
            super().book(driver, account, offers, address)

    assert (kit.grade(1, Long).meetings > 0) is accepted


def test_T11_an_entry_over_midnight_is_one_entry(kit: Any) -> None:
    zone = kit.world(1).visible.zone
    data = {"title": "Night train", "starts_at": zone.instant("2026-12-01 23:30")}
    assert (
        kit.lost(kit.finishing(1, [(Action.CALENDAR_CREATE, {**data, "ends_at": data["starts_at"] + 3_600})]))
        == []
    )


@pytest.mark.parametrize("action", [action for action in Action if action in VIEWS])
def test_T12_the_page_that_is_open_at_the_end_does_not_matter(kit: Any, action: Action) -> None:
    last = next(data for kind, data in _reads(kit, 1) if kind is action)
    assert kit.lost(kit.finishing(1, [(action, last)])) == []


def test_T13_pages_that_poll_after_the_last_act_change_nothing(kit: Any) -> None:
    from starlette.testclient import TestClient

    from runtime.apps.app import create_app

    recording = kit.reference(1).recording
    shift = kit.replayed(1, Recording(recording.actions[:-1], recording.stop))
    with TestClient(create_app(shift, lambda: shift.now_ms)) as browser:
        for path in ("/mail", "/mail/badge", "/crm", "/calendar", "/playbook") * 10:
            assert browser.get(path).status_code == 200
        browser.post("/shift/end")
    assert kit.lost(grade_shift(shift.events, kit.world(1).truth)) == []


def test_T14_no_log_raises_and_a_broken_one_is_never_a_silent_zero(kit: Any) -> None:
    events = kit.reference(1).events
    truth = kit.world(1).truth
    chance = random.Random(14)
    for _ in range(25):
        kind = chance.choice(["drop", "twice", "swap", "unknown", "garble"])
        place = chance.randrange(len(events))
        broken = list(events)
        match kind:
            case "drop":
                del broken[place]
            case "twice":
                broken.insert(place, broken[place])
            case "swap":
                broken.insert(chance.randrange(len(events)), broken.pop(place))
            case "unknown":
                broken[place] = broken[place].model_copy(update={"type": "mail.burn"})
            case "garble":
                broken[place] = broken[place].model_copy(update={"data": {"to": 7}})
        grade = grade_shift(broken, truth)
        whole = broken == events or (kind == "garble" and events[place].type in VIEWS)
        stated = any(check.id == "log:intact" for check in grade.checks)
        assert whole or stated or place in (0, len(events) - 1), (kind, place, events[place].type)
        assert not stated or {check.verdict for check in grade.checks} == {Verdict.UNKNOWN}


def test_T15_an_entry_put_right_before_anybody_knew_of_it_costs_nothing(kit: Any) -> None:
    class Clumsy(Reference):
        def book(self, driver: ApiDriver, account: Any, offers: Any, address: str) -> None:
            span = {"starts_at": offers[0] - 86_400, "ends_at": offers[0] - 84_600}
            made = driver.perform(Action.CALENDAR_CREATE, {"title": "Meting", **span})
            assert made.event is not None
            driver.perform(Action.CALENDAR_DELETE, {"event_id": made.event.data["event_id"]})
            super().book(driver, account, offers, address)

    assert kit.lost(kit.grade(1, Clumsy)) == []


def test_T15_an_invite_at_a_wrong_time_costs_one_item_however_it_is_put_right(kit: Any) -> None:
    wrong = kit.plain_booking(1)

    class Hasty(Reference):
        def book(self, driver: ApiDriver, account: Any, offers: Any, address: str) -> None:
            if account.account_id == wrong.account_id:
                span = {"starts_at": offers[0] + 900, "ends_at": offers[0] + 2_700}
                sent = driver.perform(
                    Action.INVITE_SEND, {"title": "Meeting", "attendees": [address], **span}
                )
                assert sent.event is not None
                driver.perform(Action.INVITE_CANCEL, {"event_id": sent.event.data["event_id"]})
            super().book(driver, account, offers, address)

    found = kit.lost(kit.grade(1, Hasty))
    assert [name.split(":")[:2] for name in found] == [["collateral", "invite"]]


def test_T16_what_was_changed_and_put_back_is_no_change(kit: Any) -> None:
    visible = kit.world(1).visible
    person = next(held for held in visible.contacts if held.phone)
    entry = next(held for held in visible.calendar if not held.attendees)
    span = {"event_id": entry.id, "starts_at": entry.starts_at, "ends_at": entry.ends_at}
    moved = {**span, "starts_at": entry.starts_at + 600, "ends_at": entry.ends_at + 600}
    field = {"record_id": person.id, "field": "phone"}
    extra = [
        (Action.CRM_SET_FIELD, {**field, "value": "555"}),
        (Action.CRM_SET_FIELD, {**field, "value": person.phone}),
        (Action.CALENDAR_UPDATE, moved),
        (Action.CALENDAR_UPDATE, span),
    ]
    assert kit.lost(kit.finishing(1, extra)) == []


def test_T17_what_the_mail_says_and_what_the_grader_reads_is_one_instant(kit: Any) -> None:
    for seed in range(1, 9):
        buyers = {buyer.contact_id: buyer for buyer in kit.world(seed).server.buyers}
        for event in kit.reference(seed).events if seed < 4 else kit.work(seed).events:
            for instant in event.data.get("offers", []):
                buyer = buyers[event.actor]
                text = slot_text(buyer.zone.local(instant), buyer.zone)
                assert text in event.data["mail"]["body"]
                assert names_instant(text, instant, [buyer.zone])


@pytest.mark.parametrize("offset", [-720, -420, -210, 0, 330, 345, 570, 840])
def test_T17_zones_agree_over_midnight_and_half_hours(offset: int) -> None:
    zone = Zone(name="Here", abbreviation="HT", offset_minutes=offset)
    for day, clock in itertools.product(
        ("2026-10-31", "2026-12-31", "2027-02-28"), ("00:00", "09:30", "23:45")
    ):
        instant = zone.instant(f"{day} {clock}")
        local = zone.local(instant)
        assert f"{local:%Y-%m-%d %H:%M}" == f"{day} {clock}"
        assert names_instant(slot_text(local, zone), instant, [zone])


def test_T18_every_fact_that_is_graded_can_be_read_in_the_apps(kit: Any) -> None:
    for seed in SEEDS:
        bundle = kit.world(seed)
        driver = ApiDriver(kit.new_shift(seed))
        seen = [driver.open_mail(line["id"]) for line in driver.mails("inbox")]
        seen += [driver.playbook(path) for path in driver.playbook()["pages"]]
        for held in driver.accounts():
            seen += [driver.open_account(held["id"])]
            seen += [driver.site(held["website"], path) for path in driver.site(held["website"], "")["pages"]]
        shown = json.dumps([*seen, driver.calendar(), driver.choices()], ensure_ascii=False)
        shown += "".join(mail.body for mail in kit.reference(seed).office.mails.values())
        truth = bundle.truth
        wanted = {truth.meeting_stage, *truth.do_not_contact}
        for account in truth.accounts:
            wanted |= {account.domain, account.reason, str(account.status)} - {"Qualified", "Not a fit"}
            wanted |= {account.buyer_address, f"{account.facts['employees']:,}"} - {""}
        assert [value for value in wanted if value not in shown] == []
