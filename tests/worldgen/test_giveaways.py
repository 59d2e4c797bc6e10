"""No regularity of the start state tells what an account is: a statistic over worlds.

For each visible feature of an account, the worlds of sixty seeds give a table feature value x archetype.
Pages that bear the truth are left out: what News report, and what About says of size, place, ledger and
public owners.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import exp, lgamma, log
from pathlib import Path
from typing import NamedTuple

import pytest

from contracts.world import Bundle, CrmAccount, CrmContact, Page, Visible
from worldgen.building import build
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")
SEEDS = range(1, 61)
RAREST = 1e-5
"""Chance of so uneven a cell below which it counts as a regularity; a table has some thousand cells."""
COMMON = 60
"""Accounts, one in ten, on which a value is seen often enough to be worth knowing."""
FEWEST = 8
"""Hits below which a lift says nothing."""
MOST_LIFT = {"bookable": 1.35, "unfit": 1.6, "acquired": 2.5, "signed": 2.5}
"""Most by which a common value may raise an archetype's chance; a rare archetype's share varies more."""


class Cell(NamedTuple):
    """A feature's value and an archetype: accounts with both against what chance gives."""

    feature: str
    value: str
    archetype: str
    hits: int
    seen: int
    base: float

    @property
    def lift(self) -> float:
        return self.hits / (self.seen * self.base)

    @property
    def chance(self) -> float:
        """Chance of so many hits or more, or of so few or fewer, where the feature tells nothing."""
        n, yes, no = self.seen, log(self.base), log(1 - self.base)
        ways = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(n + 1)]
        terms = [exp(ways[k] + k * yes + (n - k) * no) for k in range(n + 1)]
        return min(sum(terms[self.hits :]), sum(terms[: self.hits + 1]))


@cache
def worlds() -> tuple[Bundle, ...]:
    return tuple(build(TEMPLATE, seed) for seed in SEEDS)


# ---------------------------------------------------------------- what can be seen of an account


def features(visible: Visible, place: int) -> Iterator[tuple[str, str]]:
    """Yields each feature's name and value for an account of the start state."""
    account = visible.accounts[place]
    contacts = [one for one in visible.contacts if one.account_id == account.id]
    pages = {
        page.path: page for site in visible.sites if site.domain == account.website for page in site.pages
    }
    yield "place in the list", str(place)
    yield from _of_record(visible, account)
    yield from _of_contacts(visible, account, contacts, pages["/contact"])
    yield from _of_site(visible, account, pages)


def _of_record(visible: Visible, account: CrmAccount) -> Iterator[tuple[str, str]]:
    employees = int(account.fields["employees"])
    yield "record", str((sorted(account.fields), account.status, account.reason, account.stage))
    yield from ((f"record {key}", account.fields[key]) for key in ("industry", "country", "ledger_system"))
    yield from ((f"record {key}", account.fields[key]) for key in ("ownership", "owner"))
    yield "record size", str(sum(employees >= edge for edge in (114, 150, 200, 300, 400, 600, 1000)))
    yield "record size, rest by 2", str(employees % 2)
    yield "record size, rest by 4", str(employees % 4)
    yield "record size, rest by 10", str(employees % 10)
    yield "record imported", account.fields["imported_on"][:7]
    yield "record next step", account.next_step
    yield "record next step has a day", str(bool(account.next_step_on))
    notes = [note for note in visible.notes if note.account_id == account.id]
    yield "notes", str([note.text for note in notes])
    yield "note numbers", str([note.id.rpartition("-")[2] == account.id[-2:] for note in notes])
    yield (
        "mail names it",
        str(any(account.name in mail.body or account.website in mail.body for mail in visible.mails)),
    )
    yield "calendar names it", str(any(account.name in entry.title for entry in visible.calendar))
    yield "domain ending", "-group" if "-group." in account.website else account.website.rpartition(".")[2]
    yield "name", account.name.split()[0]
    yield "trade word", account.name.split()[-1]


def _of_contacts(
    visible: Visible, account: CrmAccount, contacts: list[CrmContact], page: Page
) -> Iterator[tuple[str, str]]:
    right = _right_role(visible)
    roles = ["right" if one.role == right else one.role for one in contacts]
    listed = ["right" if item.text.startswith(f"{right}, ") else "other" for item in page.items[1:]]
    limits = " ".join(item.text for one in visible.playbook for item in one.items)
    yield "contacts", str(len(contacts))
    yield "contacts, id gap", str([one.id.rpartition("-")[2] for one in contacts] != _numbers(len(contacts)))
    yield "contacts, id prefix", str({one.id[:6] == f"con-{account.id[-2:]}" for one in contacts})
    yield "contacts, right role listed", str(roles.count("right"))
    yield "contacts, place of the right role", str(roles.index("right") if "right" in roles else None)
    yield from (("contacts, a role", role) for role in roles)
    yield "contacts, first role", roles[0]
    yield "contacts, last role", roles[-1]
    yield "contacts, one barred by flag", str(any(one.do_not_contact for one in contacts))
    yield "contacts, one barred by the playbook", str(f" of {account.name} must not" in limits)
    yield "contacts, phones", str(all(one.phone for one in contacts))
    yield "contacts, address style", re.sub(r"\w{2,}", "w", contacts[0].address.partition("@")[0])
    yield "contact page, people", str(len(listed))
    yield "contact page, more than the CRM", str(len(listed) - len(contacts))
    yield "contact page, place of the right role", str(listed.index("right"))
    in_order = [one.address for one in contacts]
    on_page = [item.text.split(", ")[1] for item in page.items[1:]]
    yield "contact page in the CRM's order", str([one for one in on_page if one in in_order] == in_order)
    yield "contact page, intro", page.items[0].text.replace(account.name, "*")


def _of_site(visible: Visible, account: CrmAccount, pages: dict[str, Page]) -> Iterator[tuple[str, str]]:
    site = next(one for one in visible.sites if one.domain == account.website)
    about = pages["/about"].items[1].text
    yield "site", str([(page.path, page.title == account.name, page.internal) for page in site.pages])
    yield "site design", site.design
    yield "site tagline", site.tagline
    yield "home", re.sub(r"[A-Z]\w+", "", pages["/"].items[0].text.replace(site.tagline, ""))[:20]
    yield "about, blocks", str([bool(item.heading) for item in pages["/about"].items])
    yield "about, sentences", str(about.count(". "))
    yield "about, says who owns it", str(sum(word in about for word in ("held", "share", "public")))
    owner = next((one for wordings in _owners() for one in wordings if one in about), "")
    yield "about, place of the owner", str(about[: about.index(owner)].count(". "))
    yield "about, wording of the owner", str([one.index(owner) for one in _owners() if owner in one])
    yield "careers, jobs", str(len(pages["/careers"].items))
    yield "careers, headings", str({item.heading for item in pages["/careers"].items})
    yield from (
        ("careers, a job", re.sub(r"\(.*?\)", "", item.text)[:30]) for item in pages["/careers"].items
    )
    yield "news, items", str(len(pages["/news"].items))
    yield "news, dates fall", str([item.date for item in pages["/news"].items] == _falling(pages["/news"]))


def _owners() -> tuple[list[str], list[str]]:
    return TEMPLATE.authored.sites.private_body, TEMPLATE.authored.sites.about_facts["public_body"]


def _right_role(visible: Visible) -> str:
    said = " ".join(item.text for page in visible.playbook if page.path == "/people" for item in page.items)
    return next(role for role in TEMPLATE.authored.cast.buyer_roles if f"the {role} of" in said)


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def _falling(page: Page) -> list[str]:
    return sorted((item.date for item in page.items), reverse=True)


# ---------------------------------------------------------------- the statistic


def cells(built: tuple[Bundle, ...]) -> list[Cell]:
    """Returns the table feature value x archetype of the built worlds."""
    seen: Counter[tuple[str, str]] = Counter()
    hits: Counter[tuple[str, str, str]] = Counter()
    kinds: Counter[str] = Counter()
    for world in built:
        for place, account in enumerate(world.truth.accounts):
            kinds[account.archetype] += 1
            for feature, value in sorted(set(features(world.visible, place))):
                seen[feature, value] += 1
                hits[feature, value, account.archetype] += 1
    total = sum(kinds.values())
    return [
        Cell(feature, value, kind, hits[feature, value, kind], count, kinds[kind] / total)
        for (feature, value), count in sorted(seen.items())
        for kind in sorted(kinds)
    ]


def telling(built: tuple[Bundle, ...]) -> list[Cell]:
    """Returns the cells by which an account's archetype can be told better than chance allows."""
    return [
        cell
        for cell in cells(built)
        if cell.chance < RAREST
        or (cell.seen >= COMMON and cell.hits >= FEWEST and cell.lift > MOST_LIFT[cell.archetype])
    ]


def test_nothing_seen_at_the_start_tells_what_an_account_is() -> None:
    assert telling(worlds()) == []


def test_no_world_alone_tells_who_is_missing_by_counting() -> None:
    for world in worlds():
        known = {contact.address for contact in world.visible.contacts}
        missing = Counter(
            account.archetype == "bookable"
            for account in world.truth.accounts
            if next(one.address for one in account.people if one.kind == "right") not in known
        )
        assert missing == {True: 1, False: 1}


# ---------------------------------------------------------------- regularities that once told


def _edited(world: Bundle, edit: Callable[[Bundle, int], dict[str, object]]) -> Bundle:
    visible = world.visible
    for place in range(len(world.truth.accounts)):
        visible = visible.model_copy(update=edit(world.model_copy(update={"visible": visible}), place))
    return world.model_copy(update={"visible": visible})


def _kind(world: Bundle, place: int) -> str:
    return world.truth.accounts[place].archetype


def _short_about(world: Bundle, place: int) -> dict[str, object]:
    """An acquired company's About page says nothing of its owner."""
    if _kind(world, place) != "acquired":
        return {}
    website = world.visible.accounts[place].website
    sites = []
    for site in world.visible.sites:
        pages = []
        for page in site.pages:
            if site.domain == website and page.path == "/about":
                kept = [
                    one for one in page.items[1].text.split(". ") if "held" not in one and "share" not in one
                ]
                facts = page.items[1].model_copy(update={"text": ". ".join(kept)})
                page = page.model_copy(update={"items": [page.items[0], facts]})
            pages.append(page)
        sites.append(site.model_copy(update={"pages": pages}))
    return {"sites": sites}


def _missing_at_bookable_only(world: Bundle, place: int) -> dict[str, object]:
    """Where nobody is to be booked, the CRM has the right person."""
    account = world.truth.accounts[place]
    right = next(one for one in account.people if one.kind == "right")
    if account.archetype == "bookable" or any(one.address == right.address for one in world.visible.contacts):
        return {}
    added = CrmContact(id=f"con-{account.account_id[-2:]}-9", account_id=account.account_id, **_fields(right))
    return {"contacts": [*world.visible.contacts, added]}


def _fields(person: object) -> dict[str, str]:
    return {name: getattr(person, name) for name in ("name", "role", "address", "phone")}


def _gap_at_bookable(world: Bundle, place: int) -> dict[str, object]:
    """The numbers of a bookable account's contacts begin with the person whom the CRM lacks."""
    if _kind(world, place) != "bookable" or place % 2:
        return {}
    account_id = world.visible.accounts[place].id
    moved = [
        one.model_copy(update={"id": f"{one.id[:-1]}{int(one.id[-1]) + 1}"})
        if one.account_id == account_id
        else one
        for one in world.visible.contacts
    ]
    return {"contacts": moved}


def _barred_at_bookable(world: Bundle, place: int) -> dict[str, object]:
    """Only people of bookable accounts carry the flag."""
    if _kind(world, place) != "bookable" or place % 3:
        return {}
    account_id = world.visible.accounts[place].id
    flagged = [
        one.model_copy(update={"do_not_contact": True}) if one.account_id == account_id else one
        for one in world.visible.contacts
    ]
    return {"contacts": flagged}


def _one_replacement(world: Bundle, place: int) -> dict[str, object]:
    """What disqualifies is always hidden by the same value."""
    if world.truth.accounts[place].reason not in {"unsupported_ledger", "unsupported_region"}:
        return {}
    accounts = list(world.visible.accounts)
    fields = {**accounts[place].fields, "ledger_system": "NetSuite"}
    accounts[place] = accounts[place].model_copy(update={"fields": fields})
    return {"accounts": accounts}


@pytest.mark.parametrize(
    ("edit", "feature"),
    [
        (_short_about, "about, sentences"),
        (_missing_at_bookable_only, "contacts, right role listed"),
        (_gap_at_bookable, "contacts, id gap"),
        (_barred_at_bookable, "contacts, one barred by flag"),
        (_one_replacement, "record ledger_system"),
    ],
)
def test_a_regularity_is_found(edit: Callable[[Bundle, int], dict[str, object]], feature: str) -> None:
    found = telling(tuple(_edited(world, edit) for world in worlds()))
    assert feature in {cell.feature for cell in found}
