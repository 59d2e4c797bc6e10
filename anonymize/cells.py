"""Cells: what replaces one value of a typed column.

Belongs here: one function per kind of content. Cells that are not what their column promises are treated
as text, so that nothing passes unseen. Does not belong here: rows and contexts (`tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anonymize.detection import CleanText, WrittenSpan
from anonymize.display_names import Named, is_explained, parse_typed, read_name
from anonymize.findings import Context, FindingKind, settle
from anonymize.forms import (
    INITIAL_TEMPLATES,
    PERSON_TEMPLATES,
    PersonName,
    company_form,
    company_forms,
    flat,
    like,
    parse_company,
    parse_person,
    render,
    words_of,
)
from anonymize.identifiers import laid_digits
from anonymize.kit import Kit
from anonymize.people_cells import handle_in, is_link, is_nobody, mentions_in, rewritten
from anonymize.recognizers.known import CAPITAL_SCORE, STRONG_SCORE
from contracts.manifest import ColumnSpec
from contracts.names import fold, split_address
from contracts.tables import ColumnKind

Whole = Callable[[str, ColumnSpec], str | None]
"""Replaces a whole cell, or returns None where the cell is not of its kind."""
_NAMING = frozenset(
    kind.value
    for kind in (
        FindingKind.PERSON,
        FindingKind.COMPANY,
        FindingKind.LOGIN,
        FindingKind.EMAIL,
        FindingKind.DOMAIN,
    )
)
_MAILBOX = re.compile(r"\s*(?P<name>.*?)\s*<(?P<address>[^<>]*)>\s*", re.DOTALL)
_GROUPED = re.compile(r"(?<=\d)[ .-](?=\d)")
_SEVERAL = re.compile(r"\s*[;,\s]\s*")
_NUMBERED_CODE = re.compile(r"([A-Za-z]{2,})(?=[-_ ]?\d|[-_][A-Z])")
_AFFIX_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Cells:
    """The replacement of single cells under one kit."""

    def __init__(self, kit: Kit) -> None:
        """Takes the working parts."""
        self._kit = kit
        self._whole: dict[ColumnKind, Whole] = {
            ColumnKind.MONEY: lambda value, spec: kit.scale.cell(value, spec.decimal_mark),
            ColumnKind.LOGIN: lambda value, _: self.login(value),
            ColumnKind.EMAIL: lambda value, _: self._email(value),
            ColumnKind.DOMAIN: lambda value, _: kit.surrogates.domain(value) if "." in value else None,
            ColumnKind.PHONE: lambda value, _: self._phone(value),
            ColumnKind.STREET: lambda value, _: kit.surrogates.kept.streets.get(value),
            ColumnKind.CITY: lambda value, _: kit.surrogates.kept.cities.get(value),
            ColumnKind.POSTCODE: lambda value, _: kit.identifiers.postcode(value),
            ColumnKind.COMPANY: lambda value, _: self.company(value),
            ColumnKind.DATE: lambda value, spec: kit.shift.cell(value, spec.date_format),
            ColumnKind.DATETIME: lambda value, spec: kit.shift.cell(value, spec.date_format),
        }

    def whole(self, value: str, spec: ColumnSpec) -> str | None:
        """Returns the replacement of a typed cell; None where it must be treated as text."""
        return self.wholly(spec)(value)

    def wholly(self, spec: ColumnSpec) -> Callable[[str], str | None]:
        """Returns what replaces the cells of a column, each whole or, where it gives None, as a text."""
        if spec.kind is ColumnKind.ID:
            return self._identifier
        function = self._whole.get(spec.kind)
        return (lambda value: None) if function is None else lambda value: function(value, spec)

    def text(self, value: str, context: Context) -> CleanText:
        """Returns a text with everything replaced that stands in it."""
        return self._kit.detector.replace(value, context)

    def code(self, value: str) -> CleanText:
        """Returns a code as it is, unless it spells a registered person, company or address, or begins so."""
        detector = self._kit.detector
        found = self._kit.known.find(value, Context(filename=True))
        whole = [f for f in found if f.start == 0 and f.end == len(value) and f.score >= CAPITAL_SCORE]
        strong = [f for f in found if f.score >= STRONG_SCORE]
        telling = [f for f in whole or strong if f.entity_type in _NAMING]
        if telling:
            return detector.write(value, settle(telling))
        prefix = _NUMBERED_CODE.match(value)
        if prefix is None or prefix[1].lower() not in self._kit.codes:
            return CleanText(value, ())
        new, end = self._kit.identifiers.prefix(prefix[1]), prefix.end(1)
        return CleanText(new + value[end:], (WrittenSpan(0, end, 0, end, FindingKind.IDENTIFIER.value),))

    def project(self, value: str) -> str | None:
        """Returns the key of a project as the keys of its tickets begin; None where it names no company."""
        return self._kit.identifiers.prefix(value) if value.lower() in self._kit.codes else None

    def provenance(self, value: str, column: str) -> str:
        """Returns the clean form of a provenance cell: HMACs for hashes, ids and places."""
        if column == "content_hash":
            return self._kit.identifiers.digest("content|" + value, 64)
        if column == "locator":
            return self._kit.identifiers.digest("locator|" + value)
        return self._kit.identifiers.provenance(value)

    def person(self, value: str, person: int | None, part: str) -> str | None:
        """Returns a person cell in the form it has; None where it names nobody.

        Who is not known becomes a token made from the whole cell: nothing of it stays.
        """
        if part in ("first", "last"):
            if read_name(value).named is Named.NOBODY and person is None:
                return None
            return self._part(value, person, part)
        if len(mentions_in(value)) > 1:
            return rewritten(value, lambda text: self._mention(text) or self.text(text, Context()).text)
        return self._mention(value, person)

    def _mention(self, value: str, person: int | None = None) -> str | None:
        """Returns one person's mention replaced; None where it names nobody."""
        surrogates, registry = self._kit.surrogates, self._kit.registry
        handle = handle_in(value)
        if is_link(value):
            return None
        if value.strip().lower() in registry.by_login:  # even one that is a word besides: "it"
            return surrogates.login(value.strip())
        if is_nobody(value):
            return value
        if handle is not None:
            before, _, after = value.partition(handle)
            return f"{before}{surrogates.login(handle)}{self._affix(after)}"
        if "@" in value:
            return self.mailbox(value.lstrip("@"))
        typed = read_name(value)
        if typed.named is Named.NOBODY:
            return None if person is None else surrogates.persons[person].name.full
        if person is None and typed.name is not None:
            person = next(iter(registry.by_name.get(typed.name.key, ())), None)
        company = self.company(value)
        if company is not None and person is None:
            return company
        return self._around(typed.before, self._named(typed.core, person), typed.after)

    def _part(self, value: str, person: int | None, part: str) -> str:
        if person is None:
            return self.stand_in(value)
        surrogates = self._kit.surrogates
        if part == "first":
            variant = surrogates.variant(person, self._first(value, person))
            return like(value, " ".join(filter(None, (variant.first, variant.middle))))
        names = self._kit.registry.persons[person].names
        known = next((name for name in names if flat(name.last) == flat(value.strip())), None)
        given = known or parse_person(f"{value}, X") or PersonName("", "", value.strip())
        return like(value, surrogates.variant(person, given).last)

    def _named(self, core: str, person: int | None) -> str:
        """Returns a name's surrogate in the layout of the name."""
        name = parse_typed(core)
        if person is None or name is None:
            return self.company(core) or self.stand_in(core)
        surrogates = self._kit.surrogates
        if not name.last:
            variant = surrogates.variant(person, name)
            return like(core, variant.first or variant.last)
        new = surrogates.variant(person, name)
        for template in (*PERSON_TEMPLATES, *INITIAL_TEMPLATES):
            if flat(render(template, name)) == flat(core.strip()):
                return like(core, render(template, new))
        return like(core, new.full)

    def stand_in(self, text: str) -> str:
        """Returns a token that stands for a name that nobody is registered under, the same every time."""
        return f"Contact {self._kit.identifiers.digest('name|' + fold(text), 8)}"

    def _around(self, before: str, core: str, after: str) -> str:
        """Returns a replaced name with what stands around it, as far as that names nobody."""
        return f"{self._affix(before)}{core}{self._affix(after)}".strip()

    def _affix(self, text: str) -> str:
        if not any(char.isalnum() for char in text):
            return text
        clean = self.text(text, Context())
        for word in _AFFIX_WORD.finditer(clean.text):
            written = any(span.start <= word.start() and word.end() <= span.end for span in clean.spans)
            if not written and not is_explained(word.group()):
                return ""
        return clean.text

    def _first(self, value: str, person: int) -> PersonName:
        canonical = self._kit.registry.persons[person].names[:1]
        last = canonical[0].last if canonical else ""
        tokens = value.split()
        return PersonName(tokens[0] if tokens else "", " ".join(tokens[1:]), last)

    def mailbox(self, value: str) -> str | None:
        """Returns "Name <address>" with both replaced alike, whatever stands between the brackets."""
        match = _MAILBOX.fullmatch(value)
        if match is None:
            bare = value.strip()
            return self._kit.surrogates.address(bare) if "@" in bare else self.display_name(bare, "")
        address = match["address"].strip()
        new = self._kit.surrogates.address(address) if address else ""
        name = match["name"].strip("\"'")
        return f"{self.display_name(name, address)} <{new}>".strip() if name else f"<{new}>"

    def display_name(self, name: str, address: str) -> str:
        """Returns what replaces the name beside an address; nothing that no role explains stays."""
        registry = self._kit.registry
        if split_address(name.strip("'\" ")) is not None:
            return self._kit.surrogates.address(name.strip("'\" "))
        person = registry.by_address.get(self._kit.surrogates.address_key(address)) if address else None
        typed = read_name(name, address)
        if typed.named is Named.NOBODY:
            return self._nobody(name, person)
        if typed.named is Named.COMPANY or (person is None and self.company(typed.core) is not None):
            new = self.company(typed.core) or self.stand_in(typed.core)
            return self._around(typed.before, new, typed.after)
        if typed.name is not None:
            person = registry.person_at(self._kit.surrogates.address_key(address), typed.name)
        return self._around(typed.before, self._named(typed.core, person), typed.after)

    def _nobody(self, name: str, person: int | None) -> str:
        """Returns a name of roles as it is; one without any word gives way to the person beside it."""
        if any(char.isalpha() for char in name):
            return self.text(name, Context()).text
        if person is not None:
            return self._kit.surrogates.persons[person].name.full
        if not any(char.isalnum() for char in name):
            return "" if any(not char.isascii() for char in name) else name
        clean = self.text(name, Context())
        return clean.text if clean.spans else self._kit.identifiers.identifier(name)

    def company(self, value: str) -> str | None:
        """Returns a company cell with its core replaced, its legal form kept."""
        name = parse_company(value)
        index = self._kit.registry.company_by_name.get(name.key) if name is not None else None
        if name is None or index is None:
            return None
        core = " ".join(self._kit.surrogates.cores[index].split()[: len(words_of(name.core))])
        place = value.find(name.core)
        if place < 0:
            return core
        forms = company_forms(name.core)
        template = "joined" if len(words_of(name.core)) == 1 else "apart"
        template = "hyphen" if "-" in name.core and " " not in name.core else template
        new = company_form(template if template in forms else "apart", core)
        return value[:place] + like(name.core, new) + value[place + len(name.core) :]

    def _identifier(self, value: str) -> str:
        if value.isdigit():
            return self._kit.identifiers.identifier(value)
        kit = self._kit
        digits = _GROUPED.sub("", value)
        if digits.isdigit() and digits in kit.registry.identifiers:  # 4500-012-345 is 4500012345
            return laid_digits(value, kit.identifiers.identifier(digits))
        if "@" in value:
            if kit.surrogates.address_key(value) in kit.registry.by_address:
                return kit.surrogates.address(value)
            return kit.identifiers.header_id(value, kit.surrogates.domain)
        coded = value.partition("-")[0].lower() in kit.codes
        named = None if coded or any(char.isdigit() for char in value) else self._named_id(value)
        return kit.identifiers.identifier(value) if named is None else named

    def _named_id(self, value: str) -> str | None:
        """Returns what replaces an id that is a registered name or login; None where it is none."""
        registry = self._kit.registry
        if value.strip().lower() in registry.by_login:
            return self.login(value)
        typed = read_name(value)
        known = registry.by_name.get(typed.name.key, ()) if typed.name is not None else ()
        company = self.company(value)
        return self._mention(value, known[0]) if known and company is None else company

    def login(self, value: str) -> str:
        """Returns the surrogate of a login, address or name by which a system knows somebody."""
        bare = value.strip()
        if " " in bare and "@" not in bare:
            person = self._kit.registry.by_login.get(bare.lower())
            return self._mention(bare, person) or self.text(bare, Context()).text
        return self._kit.surrogates.login(bare)

    def address(self, address: str) -> str:
        """Returns the surrogate of a mail address."""
        return self._kit.surrogates.address(address)

    def header_id(self, value: str) -> str:
        """Returns the surrogate of a message or calendar id."""
        return self._kit.identifiers.header_id(value, self._kit.surrogates.domain)

    def _email(self, value: str) -> str | None:
        if not any(char.isalnum() for char in value):
            return None
        if "<" in value:
            return self.mailbox(value)
        pieces = [piece for piece in _SEVERAL.split(value.strip()) if piece]
        if len(pieces) > 1 and all(split_address(piece) is not None for piece in pieces):
            return re.sub(r"[^;,\s]+", lambda one: self._kit.surrogates.address(one.group()), value)
        return self._kit.surrogates.address(value.strip())

    def _phone(self, value: str) -> str | None:
        known = self._kit.phones.registered(value)
        if known is not None:
            return known
        extension = self._kit.extensions.cell(value)
        if extension is not None:
            return extension
        digits = re.sub(r"\D", "", value)
        if len(digits) < 3 or re.search(r"[A-Za-z]{4}", value):
            return None
        image = iter(self._kit.identifiers.number("1" + digits)[1:])
        return "".join(next(image) if char.isdigit() else char for char in value)
