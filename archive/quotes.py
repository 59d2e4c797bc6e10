"""Own words, quoted words and signature of a mail body.

Every line with content goes to exactly one of the three parts, in order, so that nothing is lost. The
cascade: answers written between quoted lines, then the markers of mail programs, then quotequail.
The sign-off ("Best regards,") begins the signature.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import quotequail  # type: ignore[import-untyped,unused-ignore]

_QUOTED = re.compile(r"^\s*(?:>|\|\s)")
_WROTE = re.compile(
    r"^\s*(?:On|Am|Le|El)\b.{4,200}?\b(?:wrote|schrieb|a écrit|escribió)\b.{0,80}:\s*$", re.IGNORECASE
)
_WROTE_HEAD = re.compile(r"^\s*(?:On|Am|Le|El)\s.*\d")
_DIVIDER = re.compile(
    r"^\s*(?:-{2,}\s*(?:original message|forwarded message|forwarded by|ursprüngliche nachricht"
    r"|message d'origine|weitergeleitete nachricht).*"
    r"|-{5,}\s*forwarded by\b.*|begin forwarded message:?|_{20,})\s*$",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^\s*\**(?P<name>from|sent|to|cc|subject|date|von|gesendet|an|betreff|datum)\**\s*:\**\s?\S",
    re.IGNORECASE,
)
_LOTUS = re.compile(r"^\s*\S.{0,60}\S?\s*$")
_LOTUS_DATE = re.compile(r"^\s*\d{1,2}/\d{1,2}/\d{2,4}\s+\d{1,2}:\d\d(?::\d\d)?\s*[AP]M\s*$")
_FIRST_HEADERS = frozenset(("from", "von"))
_SIGN_OFF = re.compile(
    r"^\s*(?:(?:with\s+)?(?:best|kind|kindest|warm|warmest|many)?\s*(?:regards|wishes|thanks)"
    r"(?:\s+(?:and|&)\s+regards)?"
    r"|best|cheers|sincerely|yours(?:\s+\w+)?|regards|thanks(?:\s+(?:again|so much|a lot))?|thank you|thx|ta"
    r"|br|rgds|talk soon|take care|all the best|speak soon"
    r"|mit freundlichen grüßen|mit freundlichem gruß|viele grüße"
    r"|beste grüße|liebe grüße|herzliche grüße|mfg|vg|lg)\s*[,.!]?\s*$",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r"^(?:-- ?|—|_{2,8})$")
_SENT_FROM = re.compile(r"^\s*(?:sent from my|get outlook for|von meinem \w+ gesendet)\b", re.IGNORECASE)
_CONTACT = re.compile(
    r"(?:\+?\d[\d\s().\-/]{7,}\d)|(?:\bwww\.)|(?:\b(?:tel|phone|mobile|cell|direct|fax)\b)", re.IGNORECASE
)
_SIGNATURE_LINES = 12


class BodyParts(NamedTuple):
    """The three parts of a body, each without empty lines at its ends."""

    own: str
    quoted: str
    signature: str


@lru_cache(maxsize=4096)
def split_body(text: str) -> BodyParts:
    """Returns the parts of a body; equal texts are split once."""
    lines = text.split("\n")
    own, quoted = _split_quotes(lines)
    body, signature = _split_signature(own)
    return BodyParts(_joined(body), _joined(quoted), _joined(signature))


class _Split(NamedTuple):
    first: list[str]
    second: list[str]


def _split_quotes(lines: list[str]) -> _Split:
    cut = _marker(lines)
    if cut is None:
        return (
            _by_marks(lines, len(lines)) if any(_QUOTED.match(line) for line in lines) else _by_library(lines)
        )
    return _by_marks(lines, cut)


def _by_marks(lines: list[str], cut: int) -> _Split:
    """Lines before the cut are own; after it, quoted ones are quoted and, between them, answers are own."""
    own, quoted = [], []
    marked = [index for index, line in enumerate(lines) if _QUOTED.match(line)]
    answered = bool(marked) and (cut == len(lines) or _leads_to_marks(lines, cut))
    for index, line in enumerate(lines):
        if _QUOTED.match(line):
            quoted.append(line)
        elif index < cut or (answered and index > marked[0] and not _is_wrapped_quote(lines, index)):
            own.append(line)
        else:
            quoted.append(line)
    return _Split(own, quoted)


def _leads_to_marks(lines: list[str], cut: int) -> bool:
    """Says whether the marker at the cut introduces ">" lines (and not an unmarked copy below it)."""
    following = [line for line in lines[cut : cut + 5] if line.strip()]
    return any(_QUOTED.match(line) for line in following[1:3]) and not _DIVIDER.match(lines[cut])


def _is_wrapped_quote(lines: list[str], index: int) -> bool:
    """Says whether an unmarked line is the spilled-over end of the quoted line before it."""
    line = lines[index]
    between_marks = (
        0 < index < len(lines) - 1 and _QUOTED.match(lines[index - 1]) and _QUOTED.match(lines[index + 1])
    )
    return bool(between_marks) and 0 < len(line.split()) <= 3 and len(lines[index - 1]) >= 60


def _by_library(lines: list[str]) -> _Split:
    """The cut that quotequail finds in texts without any marker known here."""
    found = quotequail.unwrap("\n".join(lines))
    if found is None:
        return _Split(lines, [])
    top = [line.strip() for line in found.get("text_top", "").split("\n") if line.strip()]
    cut = 0
    for index, line in enumerate(lines):
        if not top:
            break
        if line.strip() and line.strip() == top[0]:
            top.pop(0)
            cut = index + 1
    return _Split(lines, []) if top else _Split(lines[:cut], lines[cut:])


def _marker(lines: list[str]) -> int | None:
    for index, line in enumerate(lines):
        if _DIVIDER.match(line) and _has_content_after(lines, index):
            return index
        if _WROTE.match(line) or _is_wrapped_attribution(lines, index):
            return index
        if _is_header_block(lines, index) or _is_lotus_block(lines, index):
            return index
    return None


def _has_content_after(lines: list[str], index: int) -> bool:
    if not re.match(r"^\s*_", lines[index]):
        return True
    following = [line for line in lines[index + 1 : index + 4] if line.strip()]
    return bool(following) and _HEADER.match(following[0]) is not None


def _is_wrapped_attribution(lines: list[str], index: int) -> bool:
    """Says whether a line is an attribution whose "wrote:" stands on one of the next two lines."""
    if not _WROTE_HEAD.match(lines[index]) or len(lines[index]) > 200:
        return False
    return any(_WROTE.match(" ".join(lines[index:end])) for end in (index + 2, index + 3))


def _is_header_block(lines: list[str], index: int) -> bool:
    """Says whether two other header lines follow "From: ..."; long address lists may lie between."""
    first = _HEADER.match(lines[index])
    if first is None or first["name"].lower() not in _FIRST_HEADERS:
        return False
    names = {first["name"].lower()}
    for line in lines[index + 1 : index + 12]:
        match = _HEADER.match(line)
        if match is not None:
            names.add(match["name"].lower())
    return len(names) >= 3


def _is_lotus_block(lines: list[str], index: int) -> bool:
    """A name, perhaps "Sent by:", a line with date and time, then "To:": a quote by Lotus Notes."""
    if not _LOTUS.match(lines[index]):
        return False
    dated = next(
        (at for at in (index + 1, index + 2) if _LOTUS_DATE.match("".join(lines[at : at + 1]))), None
    )
    if dated is None:
        return False
    return any(re.match(r"^\s*To:", line) for line in lines[dated + 1 : dated + 5])


def _split_signature(lines: list[str]) -> _Split:
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    first = max(0, last - _SIGNATURE_LINES)
    for index in range(first, last):
        if index and _DELIMITER.match(lines[index].rstrip()):
            begin = _sign_off_above(lines, index)
            return _Split(lines[:begin], lines[begin:])
    for index in range(first, last):
        if index and _SIGN_OFF.match(lines[index]) and _is_tail(lines[index + 1 : last]):
            return _Split(lines[:index], lines[index:])
    for index in range(max(1, first), last):
        if _SENT_FROM.match(lines[index]):
            return _Split(lines[:index], lines[index:])
    return _contact_block(lines, first, last)


def _sign_off_above(lines: list[str], index: int) -> int:
    """Where a sign-off right above a signature delimiter begins; the delimiter's line where there is none."""
    for begin in range(index - 1, max(0, index - 5), -1):
        if _SIGN_OFF.match(lines[begin]) and _is_tail(lines[begin + 1 : index]):
            return begin
    return index


def _is_tail(lines: list[str]) -> bool:
    """Says whether lines can be a signature: short ones, no sentence among them."""
    content = [line.strip() for line in lines if line.strip()]
    return len(content) <= 8 and all(len(line) <= 90 and len(line.split()) <= 12 for line in content)


def _contact_block(lines: list[str], first: int, last: int) -> _Split:
    """A last paragraph of two to eight short lines with a phone number or web address."""
    start = last
    while start > first and lines[start - 1].strip():
        start -= 1
    block = lines[start:last]
    if (
        start
        and 2 <= len(block) <= 8
        and _is_tail(block)
        and any(_CONTACT.search(line) for line in block[1:])
    ):
        return _Split(lines[:start], lines[start:])
    return _Split(lines, [])


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()
