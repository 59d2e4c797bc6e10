"""Subjects of mails: what they are without the marks of replies, forwards, lists and trackers.

Belongs here: the prefixes that programs put before a subject, by language.
"""

from __future__ import annotations

import re
from functools import lru_cache

_REPLY = (
    "re|res|r|aw|antw(?:ort)?|ant|sv|vs|odp|odpov[eě][dď]|bls|resp?|rif|rép|rép\\.|回复|回覆|答复|答覆|返信"
    "|ответ|отв|απ|σχετ|ynt|cevap|vá|vl|atb|ats|ต้อบ"
)
_FORWARD = (
    "fwd?|fw|wg|weitergeleitet|wtr?|tr|transf(?:éré)?|rv|reenv|enc|i|inoltra(?:to)?|doorst|doorgestuurd|vb"
    "|vidarebefordra[td]|pd|podaj dalej|fs|vs|videresend[et]*|转发|轉寄|転送|fwd|пересл|πρθ"
    "|ilt|továbbítva"
)
_CALENDAR = (
    "accepted|declined|tentative(?:ly accepted)?|invitation|updated invitation|cancel?led"
    "|new time proposed|zugesagt|abgesagt|mit vorbehalt|einladung|abgelehnt|accepté|refusé|annulé"
    "|invitation"
    "|aceptad[oa]|rechazad[oa]|cancelad[oa]|accettat[oa]|annullat[oa]|geaccepteerd|geweigerd|geannuleerd"
    "|zaakceptowano|odwołano"
)
_AUTOMATIC = (
    "auto(?:matic)?(?: |-)?reply|out of (?:the )?office|automatische antwort|abwesenheitsnotiz"
    "|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|undeliverable"
    "|unzustellbar|read|gelesen"
)
_PREFIX = re.compile(
    rf"\s*(?:{_REPLY}|{_FORWARD}|{_CALENDAR}|{_AUTOMATIC})"
    r"\s{0,2}(?:[\[(]\d{1,4}[\])]|\^\d{1,3}|\*\d{1,3})?\s{0,2}[:：]\s*",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*\[([^\[\]]{1,60})\]\s*")
_FORWARDED = re.compile(r"\s*\((?:fwd|forwarded|was:[^()]{0,100})\)\s*$", re.IGNORECASE)
_BRACKETED_FORWARD = re.compile(r"\s*\[\s*(?:fwd?|fw)\s*:\s*(.{0,300})\]\s*$", re.IGNORECASE)
_CHANGE = re.compile(
    r"updated|commented|resolved|closed|reopened|assigned|work (?:started|logged|stopped)|deleted|moved"
    r"|comment edited|issue comment deleted|work log",
    re.IGNORECASE,
)
_KEPT_TAG = re.compile(
    r"vote|result|cancel|announce|discuss|proposal|poll|release|draft|urgent", re.IGNORECASE
)
_HOST_NOTE = re.compile(
    r"\s*(?:re:\s*)?\[(?:github|gitlab"
    r"|gitbox)\]\s(?P<repository>[\w.-]{1,80}\s)?[^#]{0,120}(?<=\s)#(?P<number>\d{1,7})"
    r"(?::\s*(?P<title>.*))?",
    re.IGNORECASE,
)
"""A code host's note on one of its issues: every note on it is of one conversation."""
_HOST_ISSUE = re.compile(r"(?:issue|pull request|merge request) $", re.IGNORECASE)
_MOST_PREFIXES = 30
_LENGTH = 500
_GENERIC = frozenset(
    "hello hi hey question questions meeting update updates lunch help info information test thanks"
    " today tomorrow request follow-up followup report invoice order urgent important contract draft"
    " call news fyi status schedule document documents file files attachment none".split()
) | {
    "thank you",
    "no subject",
    "(no subject)",
    "(none)",
    "conference call",
    "follow up",
    "weekly report",
    "kein betreff",
    "sans objet",
}


def without_list_tags(subject: str) -> str:
    """Returns a subject without the names of lists in square brackets, wherever they stand at its begin."""
    return _stripped(subject[:_LENGTH], keep_prefixes=True)


def base_subject(subject: str) -> str:
    """Returns a subject without prefixes of replies and forwards and without list tags, folded to compare."""
    return _base(subject[:_LENGTH])


@lru_cache(maxsize=8192)
def _base(text: str) -> str:
    tracked = _tracked(text)
    if tracked:
        return tracked
    wrapped = _BRACKETED_FORWARD.match(text)
    text = _FORWARDED.sub("", wrapped[1] if wrapped else text)
    return " ".join(_stripped(text, keep_prefixes=False).casefold().split())


def has_reply_prefix(subject: str) -> bool:
    """Says whether a subject shows that the message answers, forwards or follows another."""
    text = subject[:_LENGTH]
    if _tracked(text) or _BRACKETED_FORWARD.match(text) or _FORWARDED.search(text):
        return True
    while (tag := _TAG.match(text)) is not None:
        if _CHANGE.fullmatch(tag[1]):
            return True
        text = text[tag.end() :]
    return _PREFIX.match(text) is not None


def _tracked(subject: str) -> str:
    """What a code host's note is on: the issue's number with its repository or title; else an empty text."""
    if "[git" not in subject[:40].lower():
        return ""
    found = _HOST_NOTE.match(subject)
    if found is None:
        return ""
    begin = found.end("repository") if found["repository"] else 0
    named = _HOST_ISSUE.fullmatch(subject, begin, found.start("number") - 1) is not None
    about = found["repository"] if named and found["repository"] else found["title"]
    return f"#{found['number']} {' '.join((about or '').split()).casefold()}"


def is_generic(base: str) -> bool:
    """Says whether a base subject is one that strangers use as well."""
    return len(base) < 5 or base in _GENERIC or base.isdigit()


def _stripped(text: str, keep_prefixes: bool) -> str:
    kept = []
    for _ in range(_MOST_PREFIXES):
        prefix = _PREFIX.match(text)
        tag = None if prefix is not None else _TAG.match(text)
        found = prefix or tag
        if found is None:
            break
        rest = text[found.end() :]
        if tag is not None and (not rest.strip() or _KEPT_TAG.search(tag[1])):
            break
        if prefix is not None and keep_prefixes:
            kept.append(text[: found.end()].strip())
        text = rest
    return " ".join([*kept, text]).strip()
