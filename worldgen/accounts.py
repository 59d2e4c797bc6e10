"""Accounts of a world as drafts: what is true of each company and who works there.

Belongs here: archetypes, people, the problem in the news. Does not belong here: the facts that decide
(`facts`), and how apps show accounts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from contracts.decisions import FactValue
from contracts.instants import MONTHS
from contracts.names import name_tokens
from contracts.template import QUANTILE_POINTS, City, ConceptText, Level, NewsItem, Pattern, WorldTemplate
from worldgen.errors import WorldError
from worldgen.facts import Company, Wanted, draw_company, draw_reasons, is_elsewhere, is_far, recorded_case
from worldgen.stream import Stream

_ABROAD = 4
"""Most buyers on another continent: they share few working hours with the rep."""
_TRIES = 200


class _Kind(NamedTuple):
    """What an account is made to be."""

    archetype: str
    machine: str
    reason: str
    traps: tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """A person of an account."""

    contact_id: str
    first: str
    name: str
    role: str
    address: str
    kind: str
    """right, other or delegate."""
    in_crm: bool = True
    phone: str = ""


@dataclass(frozen=True)
class Draft:
    """An account before it is written into apps, server and truth."""

    id: str
    archetype: str
    machine: str
    """Machine of the person with the right role."""
    reason: str
    name: str
    word: str
    domain: str
    industry: str
    city: City
    facts: dict[str, FactValue]
    concept: ConceptText
    news: NewsItem
    slots: dict[str, str]
    """Values of the wordings' fields: company, city, amount, count, month, product, competitor."""
    members: tuple[Member, ...]
    pattern: Pattern | None
    traps: tuple[str, ...] = field(default=())

    def member(self, kind: str) -> Member | None:
        """Returns the first person of a kind."""
        return next((one for one in self.members if one.kind == kind), None)

    def filled(self, text: str) -> str:
        """Returns a wording with this account's values."""
        return text.format(**self.slots)


def draft_accounts(template: WorldTemplate, level: Level, role: str, stream: Stream) -> list[Draft]:
    """Returns the accounts of a world in the order in which the CRM lists them.

    Raises:
        WorldError: pools or criteria do not allow so many different accounts.
    """
    kinds = _kinds(template, level, stream.named("kinds"))
    words = stream.named("words").sample(template.authored.cast.company_words, len(kinds))
    companies = _companies(template, kinds, stream)
    people = _People(template, stream.named("people"))
    problems = _problems(template, len(kinds), stream)
    drafts = [
        _draft(
            template, words[place], kind, problems[place], companies[place], stream.named("account", place)
        )
        for place, kind in enumerate(kinds)
    ]
    ordered = stream.named("order").shuffle(drafts)
    return [
        replace(draft, id=f"acc-{place:02d}", members=people.of(draft, f"acc-{place:02d}", role))
        for place, draft in enumerate(ordered, start=1)
    ]


def _problems(template: WorldTemplate, count: int, stream: Stream) -> list[ConceptText]:
    """Every account's problem: each is met as often as the others, whatever the accounts are."""
    concepts = stream.named("concepts").shuffle(template.authored.concepts.concepts)
    return stream.named("problems").shuffle([concepts[place % len(concepts)] for place in range(count)])


def _companies(template: WorldTemplate, kinds: list[_Kind], stream: Stream) -> list[Company]:
    """Every account's company: all from one market, so that where it sits does not tell what it is.

    Raises:
        WorldError: the pools hold no such company, or none in another zone.
    """
    companies: list[Company] = []
    abroad = 0
    for place, kind in enumerate(kinds):
        wanted = Wanted(kind.archetype, kind.reason, abroad < _ABROAD)
        company = draw_company(template, wanted, stream.named("company", place))
        if kind.archetype in ("bookable", "signed"):
            abroad += is_far(template, company.city)
        companies.append(company)
    trapped = next(place for place, kind in enumerate(kinds) if "time_zone" in kind.traps)
    for place, kind in enumerate(kinds):
        if kind.archetype == "bookable" and is_elsewhere(template, companies[place].city):
            companies[trapped], companies[place] = companies[place], companies[trapped]
            return companies
    for attempt in range(_TRIES):
        wanted = Wanted("bookable", "", abroad < _ABROAD)
        companies[trapped] = draw_company(template, wanted, stream.named("elsewhere", attempt))
        if is_elsewhere(template, companies[trapped].city):
            return companies
    raise WorldError("no company of the pools sits in another zone than the rep: add cities to cast.yaml")


def _kinds(template: WorldTemplate, level: Level, stream: Stream) -> list[_Kind]:
    """Every account's kind; bookable ones first."""
    fitted = template.fitted
    # One place each is kept for the other zone and for the contact that the CRM lacks.
    left = level.bookable - 3
    away = max(1, min(2, left, rounded_share(fitted.out_of_office_ppm.value, level.bookable)))
    cancelling = max(1, min(2, left + 1 - away, rounded_share(fitted.rescheduled_ppm.value, level.bookable)))
    away, cancelling = max(away, level.least_away), max(cancelling, level.least_cancelling)
    kinds = [_Kind("bookable", "bookable", "", ("time_zone",))]
    kinds += [_Kind("bookable", "out_of_office", "", ())] * away
    kinds += [
        _Kind("bookable", "cancels", "", ("buyer_cancels",) if n < level.least_cancelling else ())
        for n in range(cancelling)
    ]
    plain = level.bookable - len(kinds)
    if plain < 0 or plain + cancelling < level.contacts_missing:
        raise WorldError(
            f"{level.bookable} bookable accounts are too few for the traps: write more in levels.yaml"
        )
    kinds += [_Kind("bookable", "bookable", "", ())] * plain
    for place in range(level.bookable - level.contacts_missing, level.bookable):
        kinds[place] = kinds[place]._replace(traps=(*kinds[place].traps, "contact_missing"))
    kinds += [_Kind("signed", "bookable", "already_customer", ("plan_changes",))] * level.signed
    kinds += [_Kind("acquired", "unfit", "owned_by_competitor", ("stale_crm",))] * level.acquired
    reasons = draw_reasons(template, level.unfit, stream.named("reasons"))
    kinds += [_Kind("unfit", "unfit", reason, ()) for reason in reasons]
    # The CRM lacks somebody as often where nobody is to be booked: one account of so many, a rest by chance.
    others, draws = range(level.bookable, len(kinds)), stream.named("lacking")
    whole, rest = divmod(len(others), level.bookable)
    lacking = draws.sample(others, min(len(others), max(1, whole + (draws.below(level.bookable) < rest))))
    return [
        kind._replace(traps=(*kind.traps, "contact_missing")) if place in lacking else kind
        for place, kind in enumerate(kinds)
    ]


def rounded_share(ppm: int, count: int) -> int:
    """Returns a share of a count, rounded half up."""
    return (2 * ppm * count + 1_000_000) // 2_000_000


def _draft(
    template: WorldTemplate,
    word: str,
    kind: _Kind,
    concept: ConceptText,
    company: Company,
    stream: Stream,
) -> Draft:
    authored = template.authored
    archetype, machine, reason, traps = kind
    name = f"{word} {stream.choice(authored.cast.industries[company.industry].names)}"
    ending = stream.choice(authored.sites.domain_endings)
    slots = {
        "company": name,
        "city": company.city.name,
        "amount": f"${stream.between(120, 980) * 100:,}",
        "count": str(stream.between(13, 97)),
        "month": MONTHS[stream.between(3, 7)],
        "product": stream.choice(authored.concepts.products),
        "competitor": authored.cast.competitor,
    }
    return Draft(
        id="",
        archetype=archetype,
        machine=machine,
        reason=reason,
        name=name,
        word=word,
        domain=company_domain(word, name, ending),
        industry=company.industry,
        city=company.city,
        facts=company.facts,
        concept=concept,
        news=stream.choice(concept.news if archetype != "acquired" else authored.concepts.acquired_news),
        slots=slots,
        members=(),
        pattern=recorded_case(template, archetype, reason or concept.id, company, stream.named("case")),
        traps=traps,
    )


def company_domain(word: str, name: str, ending: str) -> str:
    """Returns the domain of a company that is called by a word of the pools."""
    return f"{word.lower()}-group.com" if ending == "-group.com" else "".join(name_tokens(name)) + ending


class _People:
    """Draws people whose names are met once in a world."""

    def __init__(self, template: WorldTemplate, stream: Stream) -> None:
        cast = template.authored.cast
        self._template = template
        self._stream = stream
        reserved = {word for party in (cast.rep, cast.manager) for word in party.name.split()}
        self._first = [
            name for name in stream.named("first").shuffle(cast.first_names) if name not in reserved
        ]
        self._family = [
            name for name in stream.named("family").shuffle(cast.family_names) if name not in reserved
        ]
        self._drawn = 0

    def of(self, draft: Draft, account_id: str, role: str) -> tuple[Member, ...]:
        """Returns an account's people: one with the right role, others, and a delegate where one is named."""
        stream = self._stream.named(account_id)
        cast = self._template.authored.cast
        counts = self._template.fitted.contacts_per_account.value
        others = max(2, min(4, stream.quantile(counts, QUANTILE_POINTS))) - 1
        style = stream.below(3)
        people = [("right", role), *(("other", one) for one in stream.sample(cast.other_roles, others))]
        shuffled = stream.shuffle(people)
        if draft.machine == "out_of_office":
            shuffled.append(("delegate", cast.delegate_role.format(role=role)))
        members = []
        for kind, title in shuffled:
            first, family = self._next()
            local = (f"{first}.{family}", f"{first[0]}{family}", f"{first}{family[0]}")[style].lower()
            members.append(
                Member(
                    contact_id="",
                    first=first,
                    name=f"{first} {family}",
                    role=title,
                    address=f"{local}@{draft.domain}",
                    kind=kind,
                    in_crm=kind != "delegate" and not (kind == "right" and "contact_missing" in draft.traps),
                    phone=f"+1 555 01{stream.between(10, 99)}",
                )
            )
        # Numbered as the CRM lists them, then those whom it lacks: a gap would tell that somebody is missing.
        numbered = sorted(members, key=lambda one: not one.in_crm)
        ids = {one.address: f"con-{account_id[4:]}-{n}" for n, one in enumerate(numbered, start=1)}
        return tuple(replace(one, contact_id=ids[one.address]) for one in members)

    def _next(self) -> tuple[str, str]:
        place = self._drawn
        self._drawn += 1
        if place >= min(len(self._first), len(self._family)):
            raise WorldError("the name pools of cast.yaml are used up: add names")
        return self._first[place], self._family[place]
