"""A sound world has no defect, and every kind of defect is found once a world is spoilt by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.world import Bundle, Page, Status
from worldgen.building import build
from worldgen.soundness import CHECKS, defects_of
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")
WORLD = build(TEMPLATE, 1)
Edit = Callable[[Bundle], Bundle]


@pytest.mark.parametrize("level", sorted(TEMPLATE.authored.levels))
@pytest.mark.parametrize("seed", range(101, 105))
def test_a_built_world_has_no_defect(seed: int, level: str) -> None:
    assert defects_of(TEMPLATE, build(TEMPLATE, seed, level)) == []


# ---------------------------------------------------------------- worlds spoilt in one place


def visible(world: Bundle, **values: Any) -> Bundle:
    return world.model_copy(update={"visible": world.visible.model_copy(update=values)})


def server(world: Bundle, **values: Any) -> Bundle:
    return world.model_copy(update={"server": world.server.model_copy(update=values)})


def truth(world: Bundle, **values: Any) -> Bundle:
    return world.model_copy(update={"truth": world.truth.model_copy(update=values)})


def changed(items: list[Any], place: int, **values: Any) -> list[Any]:
    place %= len(items)
    return [*items[:place], items[place].model_copy(update=values), *items[place + 1 :]]


def place_of(archetype: str, world: Bundle = WORLD) -> int:
    return next(n for n, one in enumerate(world.truth.accounts) if one.archetype == archetype)


def seller(world: Bundle = WORLD) -> int:
    """The place of a buyer who offers times and has no trap."""
    trapped = {trap.account_id for trap in world.truth.traps}
    return next(
        n for n, one in enumerate(world.server.buyers) if one.offers and one.account_id not in trapped
    )


def page(path: str, edit: Callable[[str], str], archetype: str = "bookable") -> Edit:
    """Spoils the texts of a page of an account's site."""

    def edited(held: Page) -> Page:
        if held.path != path:
            return held
        items = [item.model_copy(update={"text": edit(item.text)}) for item in held.items]
        return held.model_copy(update={"items": items})

    def spoil(world: Bundle) -> Bundle:
        domain = world.truth.accounts[place_of(archetype)].domain
        sites = [
            site.model_copy(update={"pages": [edited(held) for held in site.pages]})
            if site.domain == domain
            else site
            for site in world.visible.sites
        ]
        return visible(world, sites=sites)

    return spoil


def account(archetype: str, **values: Any) -> Edit:
    return lambda world: truth(world, accounts=changed(world.truth.accounts, place_of(archetype), **values))


def facts(archetype: str, **values: Any) -> Edit:
    held = WORLD.truth.accounts[place_of(archetype)].facts
    return account(archetype, facts={**held, **values})


def record(**values: Any) -> Edit:
    return lambda world: visible(world, accounts=changed(world.visible.accounts, 0, **values))


def document(place: int = 0, **values: Any) -> Edit:
    return lambda world: visible(world, documents=changed(world.visible.documents, place, **values))


def buyer(**values: Any) -> Edit:
    return lambda world: server(world, buyers=changed(world.server.buyers, seller(), **values))


def _brought(world: Bundle = WORLD) -> int:
    """The place of a document that a mail brought as well."""
    files = [file for mail in world.visible.mails for file in mail.attachments]
    return next(n for n, one in enumerate(world.visible.documents) if one in files)


def first_offers(start: int) -> Edit:
    held = WORLD.server.buyers[seller()].offers
    return buyer(offers=[[start, held[0][1]], *held[1:]])


def stranger(**values: Any) -> Edit:
    return lambda world: visible(world, contacts=changed(world.visible.contacts, 0, **values))


def without_notice(kind: str) -> Edit:
    return lambda world: server(
        world, schedule=[due for due in world.server.schedule if not due.notice.startswith(kind)]
    )


def trap(place: int, **values: Any) -> Edit:
    return lambda world: truth(world, traps=changed(world.truth.traps, place, **values))


BUSY = WORLD.visible.calendar[0].starts_at
OTHERS = next(
    one.offers[0][0]
    for one in WORLD.server.buyers
    if one.offers and one.account_id != WORLD.server.buyers[seller()].account_id
)
RIGHT = next(one.address for one in WORLD.truth.accounts[place_of("bookable")].people if one.kind == "right")
SPOILT: dict[str, tuple[Edit, str]] = {
    "an account too few": (lambda world: truth(world, accounts=world.truth.accounts[1:]), "the level wants"),
    "nobody cancels": (
        lambda world: server(world, buyers=[one for one in world.server.buyers if one.machine != "cancels"]),
        "0 of the machine cancels",
    ),
    "a machine that is none": (buyer(machine="dancer"), "no machine dancer"),
    "two records of one name": (record(name=WORLD.visible.accounts[1].name), "stands 2 times"),
    "a trap less": (lambda world: truth(world, traps=world.truth.traps[:-1]), "traps:"),
    "a bait of our own": (trap(0, bait_address=f"m@{WORLD.visible.domain}"), "trap fake_boss"),
    "a late bait": (trap(0, at_ms=900_000), "trap fake_boss"),
    "a time zone like ours": (
        lambda world: visible(
            world,
            zone=next(
                one.zone for one in world.server.buyers if one.account_id == world.truth.traps[2].account_id
            ),
        ),
        "keeps the rep's time",
    ),
    "a time zone trap without offers": (trap(2, account_id="acc-99"), "nobody there offers"),
    "two reasons": (facts("bookable", already_customer=True), "apply, the truth says"),
    "a reason of no list": (account("bookable", reason="boredom"), "on no closed list"),
    "a status at the start": (record(status=Status.QUALIFIED), "starts as"),
    "an offer over a meeting": (first_offers(BUSY), "is taken"),
    "an offer at night": (first_offers(WORLD.visible.starts_at + 30 * 86_400 + 13 * 3_600), "at night"),
    "an offer of two": (first_offers(OTHERS), "run into each other"),
    "a buyer without times": (buyer(offers=[], machine="wrong_person"), "offers no times"),
    "impossible meetings": (lambda world: server(world, meeting_minutes=[60, 15]), "from 60 to 15"),
    "an About page without facts": (page("/about", lambda text: "We are a company."), "names the ledgers []"),
    "an About page of two ledgers": (
        page("/about", lambda text: text + " ".join(TEMPLATE.authored.cast.ledgers)),
        "names the ledgers",
    ),
    "hidden size": (
        page("/about", lambda text: text.translate(dict.fromkeys(range(48, 58)))),
        "how many work",
    ),
    "a hidden purchase": (page("/news", lambda text: "All is well.", "acquired"), "hides a purchase"),
    "a told purchase": (
        page("/news", lambda text: f"{TEMPLATE.authored.cast.competitor} bought us."),
        "tells a purchase",
    ),
    "a signature that nobody tells": (without_notice("signed"), "no mail says that it signed"),
    "two owners": (
        page("/about", lambda text: text + TEMPLATE.authored.sites.about_facts["public_body"][0]),
        "tells its owner wrongly",
    ),
    "no playbook": (lambda world: visible(world, playbook=[]), "names 0 roles"),
    "an empty Contact page": (page("/contact", lambda text: "Write to us."), "the Contact page"),
    "a contact of another name": (stranger(name="Nobody Atall"), "otherwise"),
    "a protected buyer": (lambda world: truth(world, do_not_contact={RIGHT: 0}), "must not be contacted"),
    "a contact that is not missing": (
        account("bookable", contact_missing="x@y.example"),
        "the CRM lacks",
    ),
    "nobody to spare": (lambda world: truth(world, do_not_contact={}), "do-not-contact: nobody"),
    "protection that nothing shows": (
        lambda world: without_notice("do_not_contact")(
            visible(
                world,
                contacts=[one.model_copy(update={"do_not_contact": False}) for one in world.visible.contacts],
                playbook=[],
            )
        ),
        "nothing shows",
    ),
    "records in another order": (
        lambda world: visible(world, accounts=world.visible.accounts[::-1]),
        "their order",
    ),
    "another company's website": (
        record(website=WORLD.visible.accounts[1].website),
        "another company's",
    ),
    "another rep's record": (
        record(fields={**WORLD.visible.accounts[0].fields, "owner": "Nobody Atall"}),
        "another rep",
    ),
    "news of tomorrow": (
        lambda world: visible(world, starts_at=world.visible.starts_at - 400 * 86_400),
        "a day to come",
    ),
    "a mail of tomorrow": (
        lambda world: visible(
            world, mails=changed(world.visible.mails, 0, sent_at=world.visible.starts_at + 1)
        ),
        "sent after the start",
    ),
    "a mail after the end": (
        lambda world: server(world, schedule=changed(world.server.schedule, -1, at_ms=9_000_000)),
        "arrives after the end",
    ),
    "two entries at once": (
        lambda world: visible(
            world,
            calendar=[
                *world.visible.calendar,
                world.visible.calendar[0].model_copy(update={"id": "cal-99"}),
            ],
        ),
        "busy twice",
    ),
    "a stage that is none": (lambda world: truth(world, meeting_stage="Party"), "no Party"),
    "an internal text nowhere": (
        lambda world: truth(world, internal_texts=["A secret that no page holds."]),
        "an internal text",
    ),
    "an internal file that does not say so": (
        lambda world: visible(
            world,
            documents=[
                one.model_copy(update={"text": one.text.replace("internal", "own")})
                for one in world.visible.documents
            ],
        ),
        "an internal text",
    ),
    "two files of one name": (
        lambda world: visible(
            world,
            documents=[
                *world.visible.documents,
                world.visible.documents[0].model_copy(update={"id": "file-99"}),
            ],
        ),
        "is more than one file",
    ),
    "a file that says something else beside a mail": (
        document(_brought(), text="Nothing."),
        "more than one file",
    ),
    "a file that says nothing": (document(text=" "), "cannot be shown"),
    "a file that runs": (document(media_type="text/html"), "cannot be shown"),
    "no file to be careful with": (lambda world: visible(world, documents=[]), "none that must not leave"),
    "a field left unfilled": (record(next_step="Call {company}"), "{company} left unfilled"),
    "sites alike": (
        lambda world: visible(
            world, sites=[one.model_copy(update={"design": "plain"}) for one in world.visible.sites]
        ),
        "fewer than six",
    ),
    "a problem that the news hides": (page("/news", lambda text: "All is well."), "no right way"),
    "no time that is free": (
        lambda world: visible(
            world,
            calendar=[
                one.model_copy(update={"ends_at": one.starts_at + 90 * 86_400})
                for one in world.visible.calendar
            ],
        ),
        "none of the first times is free",
    ),
    "no delegate": (
        lambda world: server(
            world,
            buyers=[
                one.model_copy(update={"machine": "bookable"}) if one.machine == "out_of_office" else one
                for one in world.server.buyers
            ],
        ),
        "1 delegates of 0 who are away",
    ),
    "too few who cancel": (
        lambda world: server(
            world,
            buyers=[
                one.model_copy(update={"machine": "bookable"}) if one.machine == "cancels" else one
                for one in world.server.buyers
            ],
        ),
        "0 of the machine cancels, the level wants 1",
    ),
    "no contact to add": (
        lambda world: visible(
            world,
            contacts=[
                *world.visible.contacts,
                *(
                    world.visible.contacts[0].model_copy(update={"address": one.address})
                    for account in world.truth.accounts
                    for one in account.people
                    if one.kind == "right"
                ),
            ],
        ),
        "0 bookable accounts lack theirs, the level wants 1",
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_world_is_found_out(name: str) -> None:
    spoil, told = SPOILT[name]
    found = defects_of(TEMPLATE, spoil(WORLD))
    assert any(told in defect for defect in found), found


def test_every_check_finds_something() -> None:
    busy = set()
    for spoil, told in SPOILT.values():
        spoilt = spoil(WORLD)
        busy |= {check for check in CHECKS if any(told in defect for defect in check(TEMPLATE, spoilt))}
    assert busy == set(CHECKS)
