"""Passages: the pieces of a text that are read apart, so that what mails quote and repeat is read once.

Belongs here: where a text is cut. A blank line ends a passage, and
so does a header line of a quoted mail: no name, number or date goes on across them. Does not belong here:
what is found in a passage (`detection`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_QUOTE = r"[ \t\u00a0>|]*"
_HEADERS = (
    "From|To|Cc|Bcc|Sent|Date|Subject|Reply-To|Delivered-To|Message-ID|X-[A-Za-z-]+|"
    "Von|An|Kopie|Gesendet|Datum|Betreff|Antwort an|Sent by"
)
_CUT = re.compile(rf"\r?\n(?:{_QUOTE}\r?\n)+|\n(?={_QUOTE}\*?(?:{_HEADERS})\s?:)")
_STRUCTURED = ("{", "[", "<")
"""How texts begin that are read as a whole: JSON and markup."""


class Passage(NamedTuple):
    """A piece of a text and where it begins."""

    start: int
    text: str


def passages(text: str) -> list[Passage]:
    """Returns the passages of a text in order; what lies between them is blank."""
    if "\n" not in text or text.startswith(_STRUCTURED):
        return [Passage(0, text)]
    found = []
    place = 0
    for match in _CUT.finditer(text):
        if match.start() > place:
            found.append(Passage(place, text[place : match.start()]))
        place = match.end()
    if place < len(text):
        found.append(Passage(place, text[place:]))
    return found
