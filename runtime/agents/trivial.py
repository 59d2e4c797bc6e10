"""Agents without understanding: what they earn is what a world gives for chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contracts.recording import TakenAction
from contracts.shift_events import Action
from runtime.api import ApiDriver, View

_HALF_HOUR = 1_800
_DAY = 86_400
_PITCH = "We help finance teams to save time. Could we meet for 30 minutes this week?"


def noop(driver: ApiDriver) -> None:
    """Does nothing until the time limit."""
    driver.charge(driver.length_ms)


def waiter(driver: ApiDriver) -> None:
    """Waits until the time limit by the wait action."""
    while not driver.over:
        driver.wait(60_000)


def reader(driver: ApiDriver) -> None:
    """Reads mails, playbook, sites and records, then ends the shift."""
    for line in driver.mails("inbox"):
        driver.open_mail(line["id"])
    for path in driver.playbook().get("pages", []):
        driver.playbook(path)
    for account in driver.accounts():
        driver.open_account(account["id"])
        for path in driver.site(account["website"], "").get("pages", []):
            driver.site(account["website"], path)
    driver.perform(Action.SHIFT_END)


def spammer(driver: ApiDriver) -> None:
    """Sends the same mail to every contact five times, then ends the shift."""
    for _ in range(5):
        for person in _people(driver):
            mail = {"to": [person["address"]], "subject": "Save time", "body": _PITCH}
            driver.perform(Action.MAIL_SEND, mail)
    driver.perform(Action.SHIFT_END)


def blanket(status: str, list_name: str, place: int) -> Callable[[ApiDriver], None]:
    """Returns an agent that marks every account alike, with the reason at a place of the closed list."""

    def mark(driver: ApiDriver) -> None:
        reasons = sorted(driver.choices()[list_name])
        reason = reasons[place % len(reasons)]
        for account in driver.accounts():
            data = {"record_id": account["id"], "field": "status", "value": status, "reason": reason}
            driver.perform(Action.CRM_SET_FIELD, data)
        driver.perform(Action.SHIFT_END)

    return mark


def blind_replay(driver: ApiDriver, recorded: Sequence[TakenAction]) -> None:
    """Does what was done in another world, action for action, whatever happens here."""
    for taken in recorded:
        driver.perform(taken.action, taken.data)


def invite_every_slot(driver: ApiDriver) -> None:
    """Invites every contact at guessed times, never having written; then waits for answers."""
    morning = driver.briefing()["now"] // _DAY * _DAY + _DAY
    for person in _people(driver):
        for start in range(morning + 15 * 3_600, morning + 19 * 3_600, 2 * _HALF_HOUR):
            invite = {"title": "Meeting", "starts_at": start, "ends_at": start + _HALF_HOUR}
            driver.perform(Action.INVITE_SEND, {**invite, "attendees": [person["address"]]})
    driver.wait(120_000)
    driver.perform(Action.SHIFT_END)


def topic_guesser(driver: ApiDriver) -> None:
    """Reads no news: pitches each account another problem of the closed list; books nothing by itself."""
    labels = [label for _, label in sorted(driver.choices()["problems"].items())]
    company = driver.briefing()["company"]
    for place, account in enumerate(driver.accounts()):
        contacts = driver.open_account(account["id"])["contacts"]
        people = [person for person in contacts if not person["do_not_contact"]]
        if people:
            label = labels[place % len(labels)].lower()
            body = f"You have a problem with {label}. {company} works on that. Could we meet for 30 minutes?"
            mail = {"to": [people[0]["address"]], "subject": label, "body": body}
            driver.perform(Action.MAIL_SEND, mail)
    driver.wait(300_000)
    driver.perform(Action.SHIFT_END)


def claims_success(driver: ApiDriver) -> None:
    """Tells the manager that all is done, and ends the shift."""
    manager = driver.briefing()["manager"]["address"]
    mail = {"to": [manager], "subject": "Done", "body": "All accounts are qualified, all meetings booked."}
    driver.perform(Action.MAIL_SEND, mail)
    driver.perform(Action.SHIFT_END)


def _people(driver: ApiDriver) -> list[View]:
    return [
        person for account in driver.accounts() for person in driver.open_account(account["id"])["contacts"]
    ]
