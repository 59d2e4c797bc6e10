"""Spellings: how one written form is typed by people without its letters, hyphens, apostrophes, particles.

Belongs here: other spellings of one form, and shortened ones of a name. Does not belong here: which parts of
a name a form has (`forms`) and how sure each is (`known_forms`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from anonymize.forms import PersonName, ascii_text, flat, german_text

FEWEST_LETTERS = 2
"""A form with fewer letters and digits says nothing."""
_NORDIC = str.maketrans({"å": "aa", "Å": "Aa", "ø": "oe", "Ø": "Oe", "æ": "ae", "Æ": "Ae"})
_TWO_LETTERS = re.compile(r"[^\W_].*[^\W_]", re.DOTALL)
_APOSTROPHES = re.compile("['’‘`´]")
_PARTICLED = re.compile(
    r"(?:(?:von|van|de|del|della|di|da|dos|du|ter|ten|zu|zur)(?: (?:de[rnm]?|la|las|los|het))?|der|den|la|le)"
    r" (?=\S)",
    re.IGNORECASE,
)
_SHORTEST_PART = 3


@lru_cache(maxsize=262_144)
def spellings(text: str) -> tuple[str, ...]:
    """Returns the searchable spellings of a form, flat.

    They are the form itself, without apostrophes, with umlauts and Nordic letters written out or left
    plain. A spelling that drops letters of another script is none.
    """
    if text.isascii() and not _APOSTROPHES.search(text):
        return (flat(text),) if _TWO_LETTERS.search(text) else ()
    forms = [text, german_text(text), german_text(text.translate(_NORDIC)), ascii_text(text)]
    forms.append(ascii_text(text.replace("å", "aa").replace("Å", "Aa")))
    if _APOSTROPHES.search(text):
        forms += [_APOSTROPHES.sub(gap, form) for gap in ("", " ") for form in (text, ascii_text(text))]
    least = max(FEWEST_LETTERS, letters_in(text) if not text.isascii() else 0)
    return tuple(dict.fromkeys(flat(form) for form in forms if letters_in(form) >= least))


def letters_in(text: str) -> int:
    """Returns how many letters and digits a text has."""
    return sum(map(str.isalnum, text))


@lru_cache(maxsize=65_536)
def shortened(name: PersonName) -> tuple[PersonName, ...]:
    """Returns a full name as others write it: hyphens left out, one part of a double name, no particle."""
    if not (name.first and name.last):
        return ()
    written = product(_parts_of(name.first), (*_parts_of(name.last), *without_particle(name.last)))
    return tuple(
        dict.fromkeys(PersonName(first, name.middle, last) for first, last in written if last)
    )[1:]  # fmt: skip


def _parts_of(text: str) -> tuple[str, ...]:
    if "-" not in text:
        return (text,)
    return text, text.replace("-", " "), text.replace("-", ""), *family_parts(text)


def family_parts(last: str) -> tuple[str, ...]:
    """Returns the parts of a double name: "Meier-Schulz" -> Meier, Schulz."""
    parts = [part.strip() for part in last.split("-")]
    return tuple(part for part in parts if len(part) >= _SHORTEST_PART) if len(parts) > 1 else ()


def without_particle(last: str) -> tuple[str, ...]:
    """Returns a family name without its particle, and with it cut: "van der Berg" -> Berg, vd Berg."""
    match = _PARTICLED.match(last)
    if match is None or len(last) - match.end() < _SHORTEST_PART:
        return ()
    bare, letters = last[match.end() :], [word[0] for word in match.group().split()]
    cut = (f"{''.join(letters)} {bare}", f"{'.'.join(letters)}. {bare}") if len(letters) > 1 else ()
    return bare, *cut
