"""Surface forms: how people and companies are written, and the same form of their surrogate.

Belongs here: parsing a written name, rendering a name in a template ("last, first", "F. Last", "flast"),
letter case and diacritics of a mention. Does not belong here: who is who (`resolution`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from anonymize.words import word_list
from contracts.names import fold

_TITLES = frozenset(
    word_list(
        """
    mr mrs ms miss dr prof professor herr frau sir dipl ing dipl-ing mag
    """
    )
)
_SUFFIXES = frozenset(
    word_list(
        """
    jr sr ii iii iv phd md cpa mba esq
    """
    )
)
_PARTICLES = frozenset(
    word_list(
        """
    von van de der den del della di da dos du la le ter ten zu zur al el bin st
    """
    )
)
_LEGAL = re.compile(
    r"[\s,]+(?:GmbH(?:\s*&\s*Co\.?\s*KG(?:aA)?)?|AG|KG|SE|e\.?\s?K\.?|UG|OHG|Inc\.?|Incorporated|Corp\.?|"
    r"Corporation|LLC|L\.L\.C\.|LLP|LP|Ltd\.?|Limited|PLC|plc|Pty\.?|Co\.?|Company|S\.?A\.?|S\.?p\.?A\.?|N\.?V\.?|B\.?V\.?|"
    r"Group|& Co\.?|and Co\.?|& Sons|Gruppe|mbH|oHG|GbR|"
    r"(?:[&+]|und|u\.|and)\s*(?:Söhne|Soehne|Sohn|Töchter|Toechter|Tochter|Brüder|Sons?|Daughters?|Bros|Brothers|"
    r"Partners?|Partnerinnen|Kollegen|Associates|Cie|Fils|Zonen)|"
    r"ASA?|A/S|ApS|AB|Oyj?|s\.\s?r\.\s?o|a\.s|[Ss]p\.\s?z\s?o\.?\s?o|[Ss]p\.\s?[jk]|Kft|Zrt|Nyrt|A\.Ş|Ltd\.\sŞti|"
    r"UAB|SIA|OÜ|d\.\s?o\.\s?o|d\.d|E?OOD|S\.?r\.?l|S\.L"
    r")\.?(?=$|[\s,])",
)
_LEGAL_CAPITALS = re.compile(_LEGAL.pattern, re.IGNORECASE)
_COUPLE = re.compile(r"\s(?:&|\+|and|und)\s")
"""What stands between two people: "Ann & Bo" is nobody's name."""
_PLAIN = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i",
     "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
)  # fmt: skip
_HOST = re.compile(r"[\w-]{2,}(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|biz|de|uk|eu|io)", re.IGNORECASE)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


class PersonName(NamedTuple):
    """A person's name as written once, in parts; parts may be empty."""

    first: str
    middle: str
    last: str

    @property
    def full(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}".strip()

    @property
    def key(self) -> str:
        """The folded first and last name, for comparison."""
        return fold(self.full)


class CompanyName(NamedTuple):
    """A company's name: the words that name it and its legal form, which names nobody."""

    core: str
    legal: str

    @property
    def key(self) -> str:
        """The folded core without punctuation, for comparison."""
        return " ".join(words_of(self.core))

    @property
    def joined(self) -> str:
        """The core in one word, as in a domain."""
        return "".join(words_of(self.core))


@lru_cache(maxsize=4096)
def _flat_char(char: str) -> str:
    if "\uac00" <= char <= "\ud7a3":
        return char  # the decomposition of a Korean syllable starts with its first letter only
    bare = unicodedata.normalize("NFKD", char)[0] if char.isalpha() or not char.isascii() else char
    if bare in "’‘`´":
        return "'"
    if bare.isspace():
        return " "
    lower = bare.casefold()
    return lower if len(lower) == 1 else bare


def flat(text: str) -> str:
    """Returns text of the same length for searching: no diacritics, lower case, one kind of apostrophe."""
    if text.isascii():
        return text.lower().translate(_ASCII_SPACE)
    return "".join(map(_flat_char, text))


_ASCII_SPACE = str.maketrans("\n\r\t\x0b\x0c`", "     '")


def words_of(text: str) -> list[str]:
    """Returns the folded alphanumeric words of a text."""
    return re.findall(r"[^\W_]+", fold(text.replace("'", "").replace("’", "")))


def parse_person(text: str) -> PersonName | None:
    """Returns the parts of a written name, or None where it is none (addresses, digits, too long)."""
    bare = re.sub(r"\(.*?\)|\[.*?\]|[\"<>]", " ", text).strip(" '’,;")
    if not bare or "@" in bare or any(char.isdigit() for char in bare) or len(bare) > 60 or "/" in bare:
        return None
    if _COUPLE.search(bare):
        return None
    if "," in bare:
        last, _, first = bare.partition(",")
        if first.strip().strip(".").lower() in _SUFFIXES:
            bare = last
        elif _HOST.fullmatch(last.strip()):
            bare = first.strip()
        else:
            bare = f"{first.strip()} {last.strip()}"
            family = _cased(_without_suffix(last.strip()))
            tokens = _tokens(first)
            if tokens and family:
                return PersonName(_cased(tokens[0]), _cased(" ".join(tokens[1:])), family)
    tokens = _tokens(bare)
    if not tokens or len(tokens) > 5:
        return None
    if len(tokens) == 1:
        return PersonName(_cased(tokens[0]), "", "")
    cut = len(tokens) - 1
    while cut > 1 and tokens[cut - 1].lower() in _PARTICLES:
        cut -= 1
    return PersonName(_cased(tokens[0]), _cased(" ".join(tokens[1:cut])), _cased(" ".join(tokens[cut:])))


def parse_couple(text: str) -> tuple[PersonName, ...]:
    """Returns the names of two people who are written as one: "Ann & Bo Lee" -> Ann Lee, Bo Lee."""
    parts = _COUPLE.split(text)
    names = [name for name in map(parse_person, parts) if name is not None]
    if len(parts) != 2 or len(names) != 2:
        return ()
    first, second = names
    return (first if first.last else first._replace(last=second.last), second)


def _tokens(text: str) -> list[str]:
    tokens = [token.strip(",;") for token in text.split()]
    tokens = [token for token in tokens if re.search(r"[^\W\d_]", token)]
    tokens = [token for token in tokens if not _HOST.fullmatch(token)] or tokens
    while tokens and tokens[0].strip(".").lower() in _TITLES:
        tokens.pop(0)
    while len(tokens) > 1 and tokens[-1].strip(".").lower() in _SUFFIXES:
        tokens.pop()
    return tokens


def _without_suffix(last: str) -> str:
    """Returns a family name without what follows it: "Croft Jr." -> "Croft"."""
    words = last.split()
    while len(words) > 1 and words[-1].strip(".").lower() in _SUFFIXES:
        words.pop()
    return " ".join(words)


def _cased(text: str) -> str:
    if (text.isupper() and len(text) > 2) or text.islower():
        return " ".join(word if word.lower() in _PARTICLES else word.title() for word in text.split())
    return text


def parse_company(text: str) -> CompanyName | None:
    """Returns core and legal form of a written company name, or None where nothing names it."""
    bare = " ".join(text.strip(" '\"").split())
    core, legal = bare, ""
    while True:
        found = list((_LEGAL_CAPITALS if core.isupper() else _LEGAL).finditer(core))
        match = found[-1] if found else None
        if match is None or match.end() != len(core) or match.start() == 0:
            break
        core, legal = core[: match.start()], core[match.start() :] + legal
    core = core.strip(" ,.&-")
    if not words_of(core) or len(core) > 80 or "@" in core:
        return None
    return CompanyName(core, legal.strip(" ,"))


PERSON_TEMPLATES = (
    "{f} {l}", "{l}, {f}", "{l} {f}", "{f} {m} {l}", "{f} {i}. {l}", "{f} {i} {l}", "{l}, {f} {m}",
    "{l}, {f} {i}.", "{l}, {f} {i}", "{l},{f}", "{l};{f}", "{l}/{f}", "{f}.{l}", "{f}_{l}",
    "{f}-{l}", "{f}{l}", "{l}.{f}", "{l}_{f}", "{l}{f}", "{f}.{m}.{l}", "{f}.{i}.{l}", "{f}  {l}",
)  # fmt: skip
"""Forms that name one person wherever they stand."""
INITIAL_TEMPLATES = (
    "{a}. {l}", "{l}, {a}.", "{a}.{l}", "{a}.{i}. {l}", "{a} {l}", "{l} {a}.", "{l}, {a}", "{l} {a}",
)  # fmt: skip
"""Forms with an initial: they need capitals."""
GLUED_TEMPLATES = ("{l}{a}", "{a}{l}")
"""Forms with an initial as logins have it, met in file names."""
HANDLE_TEMPLATES = (
    "{f}.{l}", "{a}{l}", "{f}{l}", "{a}.{l}", "{f}_{l}", "{f}-{l}", "{l}.{f}", "{l}{a}", "{l}_{f}",
    "{l}{f}", "{f}{z}", "{f}.{z}", "{a}_{l}", "{a}-{l}", "{f}.{i}.{l}", "{a}{i}{l}", "{l}-{f}",
    "{l}.{a}", "{l}_{a}", "{f}.{m}.{l}", "{a}{z}", "{l}", "{f}", "{i}.{l}",
)  # fmt: skip
"""How addresses and logins are made from names, the most telling first."""


CUT_TEMPLATES = ("{a}{l}", "{f}.{l}", "{l}{f}", "{f}{l}")
SHORTEST_CUT = 7
"""Systems cut long logins at 8 or 12 characters; shorter ones are not matched by their beginning."""


def render(template: str, name: PersonName) -> str:
    """Returns a name in a template, or "" where the name lacks a part that the template uses."""
    first, middle, last = name
    for place in _parts_of(template):
        if not name[place]:
            return ""
    return template.format(f=first, m=middle, l=last, a=first[:1], i=middle[:1], z=last[:1])


@cache
def _parts_of(template: str) -> tuple[int, ...]:
    """Returns the places of the parts of a name that a template uses."""
    return tuple(sorted({"fmlaiz".index(letter) % 3 for letter in re.findall(r"\{(\w)\}", template)}))


def handle_of(template: str, name: PersonName) -> str:
    """Returns a login or local part: ASCII, lower case, without spaces and apostrophes."""
    text = ascii_text(render(template, name)).lower()
    return re.sub(r"[^a-z0-9._-]", "", text)


def handles_of(name: PersonName, templates: Iterable[str]) -> set[str]:
    """Returns the handles of one name in many templates: `handle_of` of each for which it has the parts."""
    first, middle, last = (re.sub(r"[^a-z0-9._-]", "", ascii_text(part).lower()) for part in name)
    a, i, z = (
        re.sub(r"[^a-z0-9._-]", "", ascii_text(part[:1]).lower())
        for part in (name.first, name.middle, name.last)
    )
    parts = {"f": first, "m": middle, "l": last, "a": a, "i": i, "z": z}
    missing = [f"{{{letter}}}" for letter, part in zip("fmlaiz", (*name, *name), strict=True) if not part]
    fitting = (template for template in templates if not any(one in template for one in missing))
    return {template.format(**parts) for template in fitting}


class HandleShape(NamedTuple):
    """How a handle was made from a name."""

    template: str
    digits: str
    """Digits behind it."""
    cut: int
    """Length to which the system cut it, 0 where it is whole."""
    closed: bool
    """Hyphens of the name were left out."""

    def of(self, name: PersonName) -> str:
        """Returns the handle of another name in this shape, without its digits."""
        handle = handle_of(self.template, _closed(name) if self.closed else name)
        return handle[: self.cut] if self.cut else handle


def handle_shape(handle: str, name: PersonName) -> HandleShape | None:
    """Returns how a handle was made from a name, or None where it was not."""
    match = re.fullmatch(r"(.*?)(\d*)", re.sub(r"\.{2,}", ".", handle.lower()))
    if match is None or not match[1]:
        return None
    german = PersonName(*(german_text(part) for part in name))
    for spelt in dict.fromkeys((name, german, _closed(name), _closed(german))):
        closed = spelt in (_closed(name), _closed(german)) and spelt not in (name, german)
        for template in HANDLE_TEMPLATES:
            if handle_of(template, spelt) == match[1] and render(template, spelt):
                return HandleShape(template, match[2], 0, closed)
        for template in CUT_TEMPLATES if len(match[1]) >= SHORTEST_CUT else ():
            if render(template, spelt) and handle_of(template, spelt).startswith(match[1]):
                return HandleShape(template, match[2], len(match[1]), closed)
    return None


def _closed(name: PersonName) -> PersonName:
    return PersonName(*(re.sub(r"[\s'’-]", "", part) for part in name))


def german_text(text: str) -> str:
    """Returns text with umlauts written as two letters."""
    return text.translate(_GERMAN)


def ascii_text(text: str) -> str:
    """Returns text with every letter reduced to ASCII, case kept."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(char for char in decomposed if char.isascii())


def like(mention: str, surrogate: str) -> str:
    """Returns the surrogate in the letter case, and without the diacritics, of the mention it replaces."""
    if mention.isascii() and not surrogate.isascii():
        surrogate = german_text(surrogate) if re.search(r"[aou]e|ss", mention) else ascii_text(surrogate)
    if mention.isascii() and not mention.isupper():
        return surrogate.lower() if mention.islower() else surrogate
    letters = [char for char in mention if char.isalpha()]
    if len(letters) > 1 and all(char.isupper() for char in letters):
        return surrogate.upper()
    if letters and all(char.islower() for char in letters):
        return surrogate.lower()
    return surrogate


def company_forms(core: str) -> dict[str, str]:
    """Returns template -> form of a company's core: words apart, hyphenated, underscored, joined."""
    bare = " ".join(core.split())
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?|&", bare)
    named = [word for word in words if word != "&"]
    forms = {"plain": bare, "apart": " ".join(named), "hyphen": "-".join(named), "under": "_".join(named)}
    forms["joined"] = "".join(named)
    return {template: form for template, form in forms.items() if form}


def company_form(template: str, core: str) -> str:
    """Returns a surrogate core in the template of the mention it replaces."""
    return {"hyphen": "-", "under": "_", "joined": ""}.get(template, " ").join(core.split())
