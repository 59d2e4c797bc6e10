"""Own words, quotes and signatures: the styles of mail programs, and the law that no line is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.quotes import BodyParts, split_body

OUTLOOK = "From: Ann Lee\nSent: Monday, March 3, 2025 9:00\nTo: Bob Ray\nSubject: Plan\n\nOld words."
LOTUS = "Ann Lee@CO\n10/18/99 07:08 AM\nTo: Bob Ray/HOU/CO@CO\ncc:\nSubject: Plan\n\nOld words."
INDENTED = "\tAnn Lee\n\tSent by: Cy Poe\n\t10/18/2000 07:08 PM\n\t\t \n\t\t To: Bob Ray\n\t\t cc: \n\nOld."
FORWARDED = "---------------------- Forwarded by Bob Ray/HOU on 10/18/99 08:46 AM ------"

STAMPED = "From: Ann Lee on 07/28/2000 06:25 PM\nTo: Bob Ray/HOU/EES@EES\ncc:\nSubject: Plan\n\nOld words."
RESPOND = '"Ann" <a@x.example> on 04/24/2001 04:16:43 PM\nPlease respond to <a@x.example>\nTo: Bob\n\nOld.'

CASES = {
    "gmail": (
        "Yes.\n\nOn Mon, Mar 3, 2025 at 9:00 AM Ann Lee <a@x.example> wrote:\n> Old words.\n> More.",
        BodyParts(
            "Yes.", "On Mon, Mar 3, 2025 at 9:00 AM Ann Lee <a@x.example> wrote:\n> Old words.\n> More.", ""
        ),
    ),
    "gmail, attribution over two lines": (
        "Yes.\n\nOn Mon, Mar 3, 2025 at 9:00 AM Ann Lee\n<a@x.example> wrote:\n\n> Old words.",
        BodyParts("Yes.", "On Mon, Mar 3, 2025 at 9:00 AM Ann Lee\n<a@x.example> wrote:\n\n> Old words.", ""),
    ),
    "german attribution": (
        "Ja.\n\nAm 03.03.2025 um 09:00 schrieb Ann Lee:\n> Alt.",
        BodyParts("Ja.", "Am 03.03.2025 um 09:00 schrieb Ann Lee:\n> Alt.", ""),
    ),
    "outlook": (f"Yes.\n\n{OUTLOOK}", BodyParts("Yes.", OUTLOOK, "")),
    "original message": (
        f"Yes.\n\n-----Original Message-----\n{OUTLOOK}",
        BodyParts("Yes.", f"-----Original Message-----\n{OUTLOOK}", ""),
    ),
    "lotus": (f"Yes.\n\n{LOTUS}", BodyParts("Yes.", LOTUS, "")),
    "lotus, indented and sent by another": (
        f"Yes.\n\n{INDENTED}",
        BodyParts("Yes.", INDENTED, ""),
    ),
    "forwarded by": (
        f"See below.\n\n{FORWARDED}\n\n{LOTUS}",
        BodyParts(
            "See below.",
            f"{FORWARDED}\n\n{LOTUS}",
            "",
        ),
    ),
    "answers between quoted lines": (
        "On Mon, Mar 3, 2025 Ann wrote:\n> First question?\nFirst answer.\n> Second?\nSecond answer.",
        BodyParts(
            "First answer.\nSecond answer.",
            "On Mon, Mar 3, 2025 Ann wrote:\n> First question?\n> Second?",
            "",
        ),
    ),
    "signature after its delimiter": (
        "Yes, go ahead.\n\nGordon\n\n-- \nGordon H\nSales Manager\n+1 508 555 0128",
        BodyParts("Yes, go ahead.\n\nGordon", "", "-- \nGordon H\nSales Manager\n+1 508 555 0128"),
    ),
    "sign-off begins the signature": (
        "Yes, go ahead.\n\nBest regards,\nGordon\n\n-- \nGordon H",
        BodyParts("Yes, go ahead.", "", "Best regards,\nGordon\n\n-- \nGordon H"),
    ),
    "signature without delimiter": (
        "Yes.\n\nCheers\nShauna\n\nSenior Account Executive\nTel: (508) 555-0186",
        BodyParts("Yes.", "", "Cheers\nShauna\n\nSenior Account Executive\nTel: (508) 555-0186"),
    ),
    "contact block without sign-off": (
        "Call me.\n\nShauna Dee\nAccount Executive\n(508) 555-0186",
        BodyParts("Call me.", "", "Shauna Dee\nAccount Executive\n(508) 555-0186"),
    ),
    "signature above a quote": (
        f"Yes.\n\nRegards,\nBob\n\n{OUTLOOK}",
        BodyParts("Yes.", OUTLOOK, "Regards,\nBob"),
    ),
    "no quote in a sentence about one": (
        "He said on Monday that she wrote: nothing.\nFrom: here to there is far.",
        BodyParts("He said on Monday that she wrote: nothing.\nFrom: here to there is far.", "", ""),
    ),
    "thanks within the text": (
        "Thanks\nI will look at the quote and tell you by Monday whether we go ahead.",
        BodyParts(
            "Thanks\nI will look at the quote and tell you by Monday whether we go ahead.",
            "",
            "",
        ),
    ),
    "lotus, from and date on one line": (
        f"ok\n\n{STAMPED}",
        BodyParts(
            "ok",
            STAMPED,
            "",
        ),
    ),
    "lotus, please respond to": (
        f"ok\n\n{RESPOND}",
        BodyParts(
            "ok",
            RESPOND,
            "",
        ),
    ),
    "forwarded lines are marked, an answer stands below": (
        "Begin forwarded message:\n\n> From: Ann\n> Subject: Plan\n>\n> Old words.\n\nNew words.",
        BodyParts(
            "New words.", "Begin forwarded message:\n\n> From: Ann\n> Subject: Plan\n>\n> Old words.", ""
        ),
    ),
    "a table with bars": (
        "The figures:\n| a | b |\n| 1 | 2 |",
        BodyParts("The figures:\n| a | b |\n| 1 | 2 |", "", ""),
    ),
    "a list behind a colon": (
        "On Monday Bob said:\nwe begin\nwe end",
        BodyParts("On Monday Bob said:\nwe begin\nwe end", "", ""),
    ),
    "bold headers on a line each": (
        "Yes.\n\n*From:* Ann [mailto:a@x.example]\n*Sent:* Monday\n*To:* Bob\n*Subject:* Plan\n\nOld.",
        BodyParts(
            "Yes.", "*From:* Ann [mailto:a@x.example]\n*Sent:* Monday\n*To:* Bob\n*Subject:* Plan\n\nOld.", ""
        ),
    ),
    "empty": ("", BodyParts("", "", "")),
}


ATTRIBUTIONS = {
    "en": "On Mon, Mar 3, 2025 at 9:00 AM Ann Lee <a@x.example> wrote:",
    "en, Yahoo": "On Monday, March 3, 2025 at 09:00:41 AM EST, Ann Lee <a@x.example> wrote:",
    "en, Apple": "On 3 Mar 2025, at 09:00, Ann Lee <a@x.example> wrote:",
    "en, name first": "Ann Lee <a@x.example> wrote on 3 Mar 2025:",
    "en, by id": "In article <1@x.example>, Ann Lee writes:",
    "de": "Am 03.03.2025 um 09:00 schrieb Ann Lee:",
    "de, Gmail": "Am Mo., 3. März 2025 um 09:00 Uhr schrieb Ann Lee <a@x.example>:",
    "de, name first": "Ann Lee <a@x.example> schrieb am Mo., 3. März 2025, 09:00:",
    "fr": "Le lun. 3 mars 2025 à 09:00, Ann Lee <a@x.example> a écrit :",
    "es": "El lun, 3 mar 2025 a las 9:00, Ann Lee (<a@x.example>) escribió:",
    "it": "Il giorno lun 3 mar 2025 alle ore 09:00 Ann Lee <a@x.example> ha scritto:",
    "nl": "Op ma 3 mrt 2025 om 09:00 schreef Ann Lee <a@x.example>:",
    "pl": "W dniu 3.03.2025 o 09:00, Ann Lee pisze:",
    "pl, Gmail": "pon., 3 mar 2025 o 09:00 Ann Lee <a@x.example> napisał(a):",
    "sv": "Den mån 3 mars 2025 kl 09:00 skrev Ann Lee <a@x.example>:",
    "sv, weekday first": "mån 3 mars 2025 kl. 09:00 skrev Ann Lee <a@x.example>:",
    "da": "Den 3. mar. 2025 kl. 09.00 skrev Ann Lee <a@x.example>:",
    "no": "man. 3. mars 2025 kl. 09:00 skrev Ann Lee <a@x.example>:",
    "fi": "ma 3. maalisk. 2025 klo 9.00 Ann Lee (a@x.example) kirjoitti:",
    "pt": "Em seg., 3 de mar. de 2025 às 09:00, Ann Lee <a@x.example> escreveu:",
    "ja": "2025年3月3日(月) 9:00 Ann Lee <a@x.example>:",
    "zh": "Ann Lee <a@x.example> 于2025年3月3日周一 09:00写道：",
    "cs": "po 3. 3. 2025 v 9:00 odesílatel Ann Lee <a@x.example> napsal:",
    "ru": "пн, 3 мар. 2025 г. в 09:00, Ann Lee <a@x.example>:",
    "ru, with a verb": "3 марта 2025, 09:00, Ann Lee <a@x.example> написал(а):",
}
BLOCKS = {
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "es": ("De", "Enviado el", "Para", "Asunto"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "pt": ("De", "Enviada em", "Para", "Assunto"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
}
DIVIDERS = {
    "en": "-----Original Message-----",
    "en, forward": "---------- Forwarded message ---------",
    "en, Apple": "Begin forwarded message:",
    "de": "-------- Ursprüngliche Nachricht --------",
    "de, Apple": "Anfang der weitergeleiteten Nachricht:",
    "fr": "-----Message d'origine-----",
    "fr, forward": "-------- Message transféré --------",
    "es": "-----Mensaje original-----",
    "it": "-----Messaggio originale-----",
    "nl": "-----Oorspronkelijk bericht-----",
    "pl": "-----Wiadomość oryginalna-----",
    "sv": "---------- Vidarebefordrat meddelande ----------",
    "da": "-----Oprindelig meddelelse-----",
    "no": "-----Opprinnelig melding-----",
    "fi": "-----Alkuperäinen viesti-----",
    "pt": "-----Mensagem original-----",
    "ja": "-----元のメッセージ-----",
    "zh": "-----原始邮件-----",
    "cs": "-----Původní zpráva-----",
    "ru": "-------- Пересылаемое сообщение --------",
}


@pytest.mark.parametrize("name", ATTRIBUTIONS)
@pytest.mark.parametrize("old", ["> Old words.", "Old words."])
def test_attributions_are_known_in_many_languages(name: str, old: str) -> None:
    quote = f"{ATTRIBUTIONS[name]}\n\n{old}"
    assert split_body(f"New words.\n\n{quote}") == BodyParts("New words.", quote, "")


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("form", ["{0}: {1}", "*{0}:* {1}", "{0} : {1}"])
def test_header_blocks_are_known_in_many_languages(name: str, form: str) -> None:
    values = ("Ann Lee", "3. 3. 2025 09:00", "Bob Ray", "Plan")
    lines = [form.format(label, value) for label, value in zip(BLOCKS[name], values, strict=True)]
    for ruler in ("", "________________________________\n"):
        quote = ruler + "\n".join(lines) + "\n\nOld words."
        assert split_body(f"New words.\n\n{quote}") == BodyParts("New words.", quote, "")


@pytest.mark.parametrize("name", DIVIDERS)
def test_dividing_lines_are_known_in_many_languages(name: str) -> None:
    quote = f"{DIVIDERS[name]}\nOld words."
    assert split_body(f"New words.\n\n{quote}") == BodyParts("New words.", quote, "")


@pytest.mark.parametrize("case", CASES)
def test_bodies_are_split_as_people_read_them(case: str) -> None:
    text, parts = CASES[case]
    assert split_body(text) == parts


LINES = st.sampled_from(
    [
        "Hello",
        "",
        "> quoted",
        ">> twice",
        "On Mon, Mar 3, 2025 Ann wrote:",
        "-----Original Message-----",
        "From: Ann",
        "Sent: Monday",
        "To: Bob",
        "Subject: x",
        "-- ",
        "Best regards,",
        "Ann Lee",
        "+1 508 555 0128",
        "Sent from my phone",
        "________________________________",
    ]
)


@given(st.lists(LINES, max_size=14))
def test_every_line_with_content_stands_in_exactly_one_part(lines: list[str]) -> None:
    parts = split_body("\n".join(lines))
    found = [line.strip() for part in parts for line in part.split("\n") if line.strip()]
    assert sorted(found) == sorted(line.strip() for line in lines if line.strip())


HOSTILE = {
    "quote marks": "> a\n" * 190_000,
    "attribution heads": "On Mon 3 2025 <a@b>\n" * 38_000,
    "headers": "From: a\nTo: b\n\n" * 45_000,
    "dashes": ("-" * 390 + "\n") * 2_000,
    "one line of dashes": "-" * 767_000,
    "rulers": ("________\n" * 3 + "From: x\n\n") * 20_000,
    "one line of blanks": " " * 767_000,
    "digits": ("1/1/01 10:10 " * 30 + "\n") * 2_000,
    "stamps": "X\n1/1/2001 10:10 AM\n" * 30_000,
    "verbs": ("wrote " * 60 + ":\n") * 2_000,
    "addresses": ("a@" * 190 + ":\n") * 2_000,
    "levels": "\n".join(">" * (n % 400) + " On Mon, 1 Jan 2020 A <a@b.c> wrote:" for n in range(3_000)),
    "disclaimers": "This message is\n\n" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_worst_texts_of_767_kb_are_split_in_a_second_on_an_idle_machine(name: str) -> None:
    started = time.process_time()
    split_body(HOSTILE[name])
    assert time.process_time() - started < (1.0 if name == "quote marks" else 4.0)


FRAGMENTS = st.sampled_from(
    ["On ", "> ", "wrote:", "From: ", "-", "_", " ", "1/1/01 10:10", "<a@b>", "x", "Re:"]
)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(FRAGMENTS, st.integers(1, 3_000)), max_size=6), st.integers(1, 40))
def test_time_grows_with_the_length_alone(pieces: list[tuple[str, int]], times: int) -> None:
    text = ("".join(fragment * count for fragment, count in pieces) + "\n") * times
    started = time.process_time()
    parts = split_body(text)
    assert time.process_time() - started < 0.2 + len(text) / 200_000
    assert sum(map(len, ("".join(part.split()) for part in parts))) == len("".join(text.split()))
