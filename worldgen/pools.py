"""Name pools against real names: no world may call anybody by the name of a real person or company.

Belongs here: every whole name that a template can make, and which of them is real. Does not belong here:
where real names come from (the vault, which this package cannot reach).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from enum import StrEnum
from typing import NamedTuple

from contracts.names import fold, name_tokens, split_address
from contracts.template import Authored
from contracts.world import Party
from worldgen.accounts import company_domain


class NameKind(StrEnum):
    """What a name names; only names of one kind are compared."""

    PERSON = "person"
    COMPANY = "company"
    DOMAIN = "domain"
    ADDRESS = "address"


class NameForm(NamedTuple):
    """A whole name, folded for comparison."""

    kind: NameKind
    text: str


class Collisions(NamedTuple):
    """Whole names of the pools that are real."""

    counts: dict[str, int]
    """Kind -> how many."""
    words: list[str]
    """Words of the pools without which none of them can be made."""

    def message(self) -> str:
        """Returns what was found and what to do; names no person, only words of the pools."""
        found = ", ".join(f"{n} {kind}" for kind, n in self.counts.items())
        words = ", ".join(self.words)
        return (
            f"names that worlds could use are real names of the archive ({found}): "
            f"take these words out of authored/*.yaml, or write others: {words}"
        )


def person_form(name: str) -> NameForm:
    """Returns the form of a person's first and last name."""
    return NameForm(NameKind.PERSON, fold(name))


def company_form(name: str) -> NameForm:
    """Returns the form of a company's name without its legal form."""
    return NameForm(NameKind.COMPANY, " ".join(name_tokens(name)))


def domain_form(domain: str) -> NameForm:
    """Returns the form of a domain."""
    return NameForm(NameKind.DOMAIN, domain.lower())


def address_form(address: str) -> NameForm:
    """Returns the form of a mail address."""
    return NameForm(NameKind.ADDRESS, address.lower())


def collisions(pool: Mapping[NameForm, str], real: Set[NameForm]) -> Collisions:
    """Returns the pools' names that are real ones.

    Args:
        pool: whole name -> the word of the pools to take out.
        real: whole names of the archive.
    """
    hits = sorted(form for form in pool if form in real)
    counts = Counter(str(form.kind) for form in hits)
    return Collisions({kind: counts[kind] for kind in sorted(counts)}, sorted({pool[form] for form in hits}))


def pool_forms(authored: Authored) -> dict[NameForm, str]:
    """Returns every whole name, company, domain and address that a template can make, with its pool word.

    Fitted values and overrides hold figures, labels and country codes only, no names.
    """
    forms: dict[NameForm, str] = {}
    for form, word in (*_people(authored), *_companies(authored), *_senders(authored)):
        forms.setdefault(form, word)
    return forms


def _people(authored: Authored) -> Iterator[tuple[NameForm, str]]:
    for first in authored.cast.first_names:
        for family in authored.cast.family_names:
            yield person_form(f"{first} {family}"), family


def _companies(authored: Authored) -> Iterator[tuple[NameForm, str]]:
    cast = authored.cast
    yield company_form(cast.company), cast.company
    yield company_form(cast.competitor), cast.competitor
    yield domain_form(cast.domain), cast.domain
    trades = sorted({trade for industry in cast.industries.values() for trade in industry.names})
    for word in cast.company_words:
        yield company_form(word), word
        for trade in trades:
            name = f"{word} {trade}"
            yield company_form(name), word
            for ending in authored.sites.domain_endings:
                yield domain_form(company_domain(word, name, ending)), word


def _senders(authored: Authored) -> Iterator[tuple[NameForm, str]]:
    cast, office = authored.cast, authored.office
    mails = (office.plan, *office.signed, *office.do_not_contact, *office.noise)
    parties: list[Party] = [cast.rep, cast.manager, *(mail.sender for mail in mails if mail.sender)]
    for party in parties:
        # A sender is a person or a firm; the last word alone tells of no person.
        yield person_form(party.name), party.name.split()[-1]
        yield company_form(party.name), party.name.split()[-1]
        yield address_form(party.address), party.address.partition("@")[2]
        parts = split_address(party.address)
        if parts is not None:
            yield domain_form(parts.domain), parts.domain
    for address in cast.bait.addresses:
        # The provider's domain is public and may be in any archive.
        yield address_form(address), "an address of the bait"
