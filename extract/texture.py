"""Texture: how people of this company write and what fills their mailboxes, in figures only."""

from __future__ import annotations

import re
from collections import Counter

from contracts.company_model import Texture
from extract.figures import quantiles, shares
from extract.mails import Mail, MailKind

_GREETINGS = (
    ("dear", re.compile(r"^(?:dear|sehr geehrte[rs]?|liebe[rs]?)\b", re.IGNORECASE)),
    ("hi", re.compile(r"^(?:[\w.'-]+, )?hi\b", re.IGNORECASE)),
    ("hello", re.compile(r"^(?:hello|hallo)\b", re.IGNORECASE)),
    ("hey", re.compile(r"^hey\b", re.IGNORECASE)),
    (
        "good_day",
        re.compile(r"^(?:good (?:morning|afternoon|day|evening)|guten? (?:tag|morgen|abend))\b", re.I),
    ),
    ("name", re.compile(r"^\w[\w.'-]*(?: \w[\w.'-]*)?\s*[,:–-]\s*$")),
)
_SIGN_OFFS = (
    (
        "kind_regards",
        re.compile(
            r"^(?:(?:kind|best|warm|with kind) regards|mfg"
            r"|(?:mit )?(?:freundlich|viel|best|lieb)e[nr]? gr(?:ü|ue)(?:ß|ss)en?)\b",
            re.IGNORECASE,
        ),
    ),
    ("best", re.compile(r"^(?:all the )?best\b", re.IGNORECASE)),
    ("regards", re.compile(r"^(?:regards|rgds|gr(?:u|ü)(?:ß|ss)e?)\b", re.IGNORECASE)),
    ("thanks", re.compile(r"^(?:(?:many )?thank(?:s| you)|thx|danke)\b", re.IGNORECASE)),
    ("cheers", re.compile(r"^cheers\b", re.IGNORECASE)),
    ("sincerely", re.compile(r"^(?:yours )?sincerely\b|^yours\b", re.IGNORECASE)),
)
_CLOSING_LINES = 4
_SHORT = 40
_BARE_LIMIT = 60


def texture(mails: list[Mail]) -> Texture:
    """Returns the texture of all mails that people wrote, and the mix of kinds over all mails."""
    written = [
        mail
        for mail in mails
        if mail.kind not in (MailKind.NEWSLETTER, MailKind.AUTO_REPLY, MailKind.BOUNCE, MailKind.STRANGER)
    ]
    own = [mail for mail in written if mail.own.strip()]
    threads = Counter(mail.thread for mail in written)
    return Texture(
        words_per_mail=quantiles((len(mail.own.split()) for mail in own), "words"),
        mails_per_thread=quantiles(threads.values(), "mails"),
        greetings=shares([(mail.message_id, greeting(mail.own)) for mail in own]),
        sign_offs=shares([(mail.message_id, sign_off(mail.own, mail.signature)) for mail in own]),
        quoting=shares([(mail.message_id, "quoted" if mail.quoted.strip() else "none") for mail in written]),
        noise=shares([(mail.message_id, mail.kind.value) for mail in mails]),
    )


def greeting(text: str) -> str:
    """Returns the class of a text's greeting: hi, hello, dear, hey, good_day, name, none."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if len(first) > _BARE_LIMIT:
        return "none"
    return next((name for name, pattern in _GREETINGS if pattern.search(first)), "none")


def sign_off(own: str, signature: str) -> str:
    """Returns the class of a mail's closing formula, "none" where it has none.

    The formula may stand on either side of the cut between words and signature.
    """
    near = [*_lines(own)[-_CLOSING_LINES:], *_lines(signature)[:_CLOSING_LINES]]
    for line in (one for one in near if len(one) <= _SHORT):
        for name, pattern in _SIGN_OFFS:
            if pattern.search(line):
                return name
    return "none"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
