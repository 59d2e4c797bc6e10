"""Outreach mails and what came back: one exchange per unsolicited mail to an outside person.

A mail is outreach while its reader has shown no interest yet: no times offered, nothing asked back, no
invitation, no document sent. What the mails are about is judged in `response`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from extract import phrases
from extract.mails import Mail, MailKind


class Answer(StrEnum):
    """What a buyer answered."""

    OFFER = "offer"
    ASK_BACK = "ask_back"
    NOT_A_PRIORITY = "not_a_priority"
    WRONG_PERSON = "wrong_person"
    AUTO_REPLY = "auto_reply"
    STOP_REQUEST = "stop_request"
    DOES_NOT_FIT = "does_not_fit"
    OTHER = "other"
    SILENCE = "silence"


INTERESTED = frozenset({Answer.OFFER, Answer.ASK_BACK})
REFUSALS = frozenset({Answer.NOT_A_PRIORITY, Answer.WRONG_PERSON, Answer.STOP_REQUEST})


@dataclass
class Exchange:
    """One outreach mail with its answer."""

    mail: Mail
    person: str
    attempt: int
    """1 for the first mail to this person."""
    answer: Answer = Answer.SILENCE
    reply: Mail | None = None

    @property
    def delay(self) -> int | None:
        """Seconds until a person answered; None for silence and automatic answers."""
        if self.reply is None or self.answer is Answer.AUTO_REPLY or not self.mail.second:
            return None
        return max(0, self.reply.second - self.mail.second)


def find_exchanges(mails: list[Mail]) -> list[Exchange]:
    """Returns all exchanges by time and marks their mails as outreach."""
    timelines: dict[str, list[Mail]] = defaultdict(list)
    for mail in mails:
        if not mail.inside and mail.kind in (MailKind.RECEIVED, MailKind.AUTO_REPLY, MailKind.INVITE_ANSWER):
            timelines[mail.sender].append(mail)
        elif mail.inside and mail.outside and mail.kind not in (MailKind.AUTO_REPLY, MailKind.BOUNCE):
            timelines[mail.outside[0]].append(mail)
    exchanges = [found for person in sorted(timelines) for found in _conversation(person, timelines[person])]
    return sorted(exchanges, key=lambda one: (one.mail.second, one.mail.message_id))


def answer_of(mail: Mail) -> Answer:
    """Returns what a buyer's mail answers to outreach."""
    text = mail.own
    if mail.kind is MailKind.AUTO_REPLY:
        return Answer.AUTO_REPLY
    if phrases.is_stop_request(text):
        return Answer.STOP_REQUEST
    if phrases.is_wrong_person(text):
        return Answer.WRONG_PERSON
    if phrases.times_offered(text):
        return Answer.OFFER
    if phrases.is_unfit_answer(text):
        return Answer.DOES_NOT_FIT
    if phrases.asks_back(text):
        return Answer.ASK_BACK
    return Answer.NOT_A_PRIORITY if phrases.refusal_wording(text) else Answer.OTHER


def offering_mails(mails: list[Mail], exchanges: list[Exchange]) -> list[Mail]:
    """Returns the mails in which people who had been approached offered times, at first or later."""
    approached = {one.person for one in exchanges}
    return [
        mail
        for mail in mails
        if mail.kind is MailKind.RECEIVED
        and mail.sender in approached
        and answer_of(mail) is Answer.OFFER
        and not phrases.cancels_meeting(mail.own)
    ]


def _conversation(person: str, timeline: list[Mail]) -> list[Exchange]:
    exchanges: list[Exchange] = []
    pending: Exchange | None = None
    engaged = False
    for mail in timeline:
        if mail.inside:
            if mail.kind is MailKind.SENT and not engaged:
                mail.kind = MailKind.OUTREACH
                pending = Exchange(mail, person, len(exchanges) + 1)
                exchanges.append(pending)
            elif mail.kind in (MailKind.INVITE, MailKind.DOCUMENT):
                engaged, pending = True, None
            continue
        if mail.kind is MailKind.INVITE_ANSWER or pending is None:
            engaged = engaged or mail.kind is not MailKind.AUTO_REPLY
            continue
        answer = answer_of(mail)
        if pending.answer in (Answer.SILENCE, Answer.AUTO_REPLY):
            pending.answer, pending.reply = answer, mail
        if answer in INTERESTED or answer is Answer.OTHER:
            engaged, pending = True, None
    return exchanges
