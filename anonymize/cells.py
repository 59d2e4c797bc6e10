"""Cells: what replaces one value of a typed column.

Belongs here: one function per kind of content. Cells that are not what their column promises are treated
as text, so that nothing passes unseen. Does not belong here: rows and contexts (`tables`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anonymize.detection import CleanText
from anonymize.findings import Context, settle
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
from anonymize.kit import Kit
from anonymize.recognizers.known import STRONG_SCORE
from contracts.manifest import ColumnSpec
from contracts.names import split_address
from contracts.tables import ColumnKind

Whole = Callable[[str, ColumnSpec], str | None]
"""Replaces a whole cell, or returns None where the cell is not of its kind."""
_PLAIN_LOCATOR = re.compile(r"[\d:+,. -]*|(?:row|line|bytes?|message|part) [\d:+,. -]+")
_MAILBOX = re.compile(r"\s*(?P<name>.*?)\s*<(?P<address>[^<>]*)>\s*")


class Cells:
    """The replacement of single cells under one kit."""

    def __init__(self, kit: Kit) -> None:
        """Takes the working parts."""
        self._kit = kit
        self._whole: dict[ColumnKind, Whole] = {
            ColumnKind.MONEY: lambda value, _: kit.scale.cell(value),
            ColumnKind.ID: lambda value, _: self._identifier(value),
            ColumnKind.LOGIN: lambda value, _: kit.surrogates.login(value.strip()),
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
        function = self._whole.get(spec.kind)
        return function(value, spec) if function is not None else None

    def text(self, value: str, context: Context) -> CleanText:
        """Returns a text with everything replaced that stands in it."""
        return self._kit.detector.replace(value, context)

    def strict_text(self, value: str) -> CleanText:
        """Returns a value of a closed list with only what stands for an entity beyond doubt replaced."""
        found = [*self._kit.known.find(value, Context()), *self._kit.addresses.find(value, Context())]
        certain = settle(finding for finding in found if finding.score >= STRONG_SCORE)
        return self._kit.detector.write(value, certain) if certain else CleanText(value, ())

    def provenance(self, value: str, column: str) -> str:
        """Returns the clean form of a provenance cell: HMACs for hashes and ids, plain places as they are."""
        if column == "content_hash":
            return self._kit.identifiers.digest("content|" + value, 64)
        if column == "locator":
            return (
                value if _PLAIN_LOCATOR.fullmatch(value) else self._kit.identifiers.digest("locator|" + value)
            )
        return self._kit.identifiers.provenance(value)

    def person(self, value: str, person: int | None, part: str) -> str | None:
        """Returns a person cell in the form it has; None where the person is not known."""
        if person is None:
            return None
        surrogates = self._kit.surrogates
        if part == "first":
            variant = surrogates.variant(person, self._first(value, person))
            return like(value, " ".join(filter(None, (variant.first, variant.middle))))
        if part == "last":
            names = self._kit.registry.persons[person].names
            known = next((name for name in names if flat(name.last) == flat(value.strip())), None)
            given = known or parse_person(f"{value}, X")
            return like(value, surrogates.variant(person, given).last) if given is not None else None
        name = parse_person(value)
        if name is None or not name.last:
            variant = (
                surrogates.variant(person, name) if name is not None else surrogates.persons[person].name
            )
            return like(value, variant.first or variant.last)
        for candidate in (name, name._replace(first=name.last, last=name.first)):
            new = surrogates.variant(person, candidate) if candidate is name else None
            for template in (*PERSON_TEMPLATES, *INITIAL_TEMPLATES) if new is not None else ():
                if flat(render(template, candidate)) == flat(value.strip()):
                    return like(value, render(template, new)) if new is not None else None
        return like(value, surrogates.variant(person, name).full)

    def _first(self, value: str, person: int) -> PersonName:
        canonical = self._kit.registry.persons[person].names[:1]
        last = canonical[0].last if canonical else ""
        tokens = value.split()
        return PersonName(tokens[0] if tokens else "", " ".join(tokens[1:]), last)

    def mailbox(self, value: str) -> str | None:
        """Returns "Name <address>" with both replaced alike; None where there is no address."""
        match = _MAILBOX.fullmatch(value)
        address = match["address"] if match is not None else value.strip()
        if split_address(address) is None:
            return None
        new = self._kit.surrogates.address(address)
        if match is None:
            return new
        name = match["name"].strip("\"'")
        return f"{self.display_name(name, address)} <{new}>" if name else f"<{new}>"

    def display_name(self, name: str, address: str) -> str:
        """Returns what replaces the name beside an address."""
        lower = address.lower().strip("<> ")
        person = self._kit.registry.by_address.get(lower)
        parsed = parse_person(name)
        if parsed is not None and parsed.last and person is None:
            candidates = self._kit.registry.by_name.get(parsed.key, ())
            person = candidates[0] if candidates else None
        if "@" in name and split_address(name.strip("'\" ")) is not None:
            return self._kit.surrogates.address(name.strip("'\" "))
        if parsed is not None and person is not None:
            replaced = self.person(name, person, "full")
            if replaced is not None:
                return replaced
        return self.text(name, Context(persons=() if person is None else (person,))).text

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
        kit = self._kit
        if "@" in value:
            return kit.identifiers.header_id(value, kit.surrogates.domain)
        return kit.identifiers.identifier(value)

    def header_id(self, value: str) -> str:
        """Returns the surrogate of a message or calendar id."""
        return self._kit.identifiers.header_id(value, self._kit.surrogates.domain)

    def _email(self, value: str) -> str | None:
        bare = value.strip().strip("<>")
        return self._kit.surrogates.address(bare) if split_address(bare) is not None else None

    def _phone(self, value: str) -> str | None:
        known = self._kit.phones.replacement(value)
        if known is not None:
            return known
        digits = re.sub(r"\D", "", value)
        if len(digits) < 3 or re.search(r"[A-Za-z]{4}", value):
            return None
        image = iter(self._kit.identifiers.number("1" + digits)[1:])
        return "".join(next(image) if char.isdigit() else char for char in value)
