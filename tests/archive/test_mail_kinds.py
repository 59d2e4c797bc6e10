"""Kinds of mail: people, automatic replies, bounces and invites, told by headers in many languages."""

from __future__ import annotations

import pytest

from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail

CALENDAR = (
    "Content-Type: text/calendar; method={method}\n\nBEGIN:VCALENDAR\nMETHOD:{method}\nBEGIN:VEVENT\nUID:u\n"
    "DTSTART:20250304T090000Z\nEND:VEVENT\nEND:VCALENDAR\n"
)
REPORT = (
    "Content-Type: multipart/report; report-type={kind}; boundary=b\n\n"
    "--b\n\nx\n--b\nContent-Type: message/{kind}\n\nx"
)


def kind(headers: str, sender: str = "Ann <a@x.example>") -> str:
    data = f"From: {sender}\nTo: b@x.example\n{headers}\n\nbody\n".encode()
    parsed = parse_mail(RawMessage("box", "bytes", "box", data, "", len(data)))
    assert isinstance(parsed, ParsedMail)
    return parsed.kind


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-replied; owner-email=x",
        "X-Autoreply: yes",
        "X-Autorespond: Away",
        "Precedence: auto_reply",
        "Preference: auto_reply",
        "Subject: Automatic reply: Plan",
        "Subject: Out of Office: Plan",
        "Subject: Out of the office until Monday",
        "Subject: Abwesenheitsnotiz: Plan",
        "Subject: =?utf-8?q?Automatische_R=C3=BCckmeldung?=",
        "Subject: Réponse automatique : Plan",
        "Subject: Absence du bureau",
        "Subject: Respuesta automática: Plan",
        "Subject: Fuera de la oficina",
        "Subject: Risposta automatica: Plan",
        "Subject: Fuori ufficio",
        "Subject: Automatisch antwoord: Plan",
        "Subject: Afwezig: Plan",
        "Subject: Odpowiedź automatyczna: Plan",
        "Subject: Autosvar: Plan",
        "Subject: Automatiskt svar: Plan",
        "Subject: Automatisk svar: Plan",
        "Subject: Automaattinen vastaus: Plan",
        "Subject: Resposta automática: Plan",
        "Subject: Automatická odpověď: Plan",
        "Subject: Автоматический ответ: Plan",
        "Subject: 自動応答: Plan",
        "Subject: 自动回复: Plan",
        "Subject: Read: Plan\n" + REPORT.format(kind="disposition-notification"),
    ],
)
def test_automatic_replies_are_told_in_many_languages(headers: str) -> None:
    assert kind(headers) == "auto_reply"


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        (REPORT.format(kind="delivery-status"), "Ann <a@x.example>"),
        ("Subject: Whatever", "MAILER-DAEMON@x.example"),
        ("Subject: failure notice\nReturn-Path: <>", "x@x.example"),
        ("Subject: Undeliverable: Plan", "Microsoft Outlook <postmaster@x.example>"),
        ("Subject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied", "m@x.example"),
        ("Subject: Unzustellbar: Plan", "postmaster@x.example"),
        ("Subject: Non remis : Plan", "postmaster@x.example"),
        ("Subject: No se puede entregar: Plan", "postmaster@x.example"),
        ("Subject: Onbestelbaar: Plan", "postmaster@x.example"),
        ("Subject: Impossibile recapitare: Plan", "postmaster@x.example"),
        ("Subject: Niedostarczalne: Plan", "postmaster@x.example"),
        ("Subject: Kan ikke leveres: Plan", "postmaster@x.example"),
        ("Subject: 配信不能: Plan", "postmaster@x.example"),
        ("Subject: Hello\nX-Failed-Recipients: b@x.example", "m@x.example"),
    ],
)
def test_bounces_are_told_by_report_sender_or_subject(headers: str, sender: str) -> None:
    assert kind(headers, sender) == "bounce"


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ("Subject: Plan", "Ann <a@x.example>"),
        ("Auto-Submitted: no", "Ann <a@x.example>"),
        ("Auto-Submitted: auto-generated\nSubject: Ticket 7 was closed", "desk@x.example"),
        ("Subject: Re: Undeliverable: Plan", "Ann <a@x.example>"),
        ("Subject: Undeliverable goods at dock 4", "Ann <a@x.example>"),
        ("Subject: The office is out of milk", "Ann <a@x.example>"),
        ("Subject: Welcome", "postmaster@x.example"),
        ("Precedence: bulk\nSubject: Newsletter", "news@x.example"),
        ("X-Autoreply: no", "Ann <a@x.example>"),
    ],
)
def test_what_people_and_systems_write_is_mail(headers: str, sender: str) -> None:
    assert kind(headers, sender) == "mail"


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL", "REPLY", "COUNTER"])
def test_a_mail_with_a_calendar_object_is_an_invite(method: str) -> None:
    assert kind(CALENDAR.format(method=method)) == "invite"
