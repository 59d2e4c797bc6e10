"""Accounts of a world as drafts: what is true of each company and who works there.

Belongs here: archetypes, facts, people, the problem in the news. Does not belong here: how apps show them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from contracts.decisions import Decision, FactValue, Rule
from contracts.instants import MONTHS
from contracts.names import name_tokens
from contracts.template import QUANTILE_POINTS, City, ConceptText, Level, NewsItem, Pattern, WorldTemplate
from worldgen.errors import WorldError
from worldgen.stream import Stream

_TRIES = 600
_FAR = 90
"""Minutes from the rep's zone beyond which a zone is another continent's: at most two such buyers."""
_ABROAD = 2


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


def qualification_rules(template: WorldTemplate) -> list[Rule]:
    """Returns the rules of Not a fit in deciding order: standing ones, then the fitted criteria."""
    standing = template.authored.office.standing_rules
    taken = {rule.outcome for rule in standing}
    return [*standing, *(rule for rule in template.fitted.criteria.value if rule.outcome not in taken)]


def reason_of(rules: list[Rule], facts: dict[str, FactValue]) -> list[str]:
    """Returns the outcomes of all rules that apply to a company's facts, in deciding order."""
    decision = Decision(kind="qualification", subject="", facts=facts, outcome="")
    return [rule.outcome for rule in rules if rule.applies(decision)]


def draft_accounts(template: WorldTemplate, level: Level, role: str, stream: Stream) -> list[Draft]:
    """Returns the accounts of a world in the order in which the CRM lists them.

    Raises:
        WorldError: pools or criteria do not allow so many different accounts.
    """
    kinds = _kinds(template, level, stream.named("kinds"))
    cast = template.authored.cast
    words = stream.named("words").sample(cast.company_words, len(kinds))
    concepts = stream.named("concepts").shuffle(template.authored.concepts.concepts)
    people = _People(template, stream.named("people"))
    drafts: list[Draft] = []
    abroad = 0
    for place, (archetype, machine, reason, traps) in enumerate(kinds):
        draws = stream.named("account", place)
        facts, city = _facts(template, archetype, reason, "time_zone" in traps, abroad < _ABROAD, draws)
        if archetype in ("bookable", "signed"):
            abroad += _is_far(template, city)
        drafts.append(
            _draft(
                template,
                words[place],
                archetype,
                machine,
                reason,
                traps,
                facts,
                city,
                concepts[place % len(concepts)],
                draws,
            )
        )
    ordered = stream.named("order").shuffle(drafts)
    return [
        replace(draft, id=f"acc-{place:02d}", members=people.of(draft, f"acc-{place:02d}", role))
        for place, draft in enumerate(ordered, start=1)
    ]


def _kinds(
    template: WorldTemplate, level: Level, stream: Stream
) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Archetype, machine, reason and traps of every account; bookable ones first."""
    fitted = template.fitted
    # One place each is kept for the other zone and for the contact that the CRM lacks.
    left = level.bookable - 3
    away = max(1, min(2, left, _rounded(fitted.out_of_office_ppm.value, level.bookable)))
    cancelling = max(1, min(2, left + 1 - away, _rounded(fitted.rescheduled_ppm.value, level.bookable)))
    kinds: list[tuple[str, str, str, tuple[str, ...]]] = [("bookable", "bookable", "", ("time_zone",))]
    kinds += [("bookable", "cancels", "", ("buyer_cancels",) if n == 0 else ()) for n in range(cancelling)]
    kinds += [("bookable", "out_of_office", "", ())] * away
    plain = level.bookable - len(kinds)
    if plain < 1:
        raise WorldError(f"{level.bookable} bookable accounts are too few for the traps: write at least 4")
    kinds += [("bookable", "bookable", "", ("contact_missing",) if n == 0 else ()) for n in range(plain)]
    kinds += [("signed", "bookable", "already_customer", ("plan_changes",))] * level.signed
    kinds += [("acquired", "unfit", "owned_by_competitor", ("stale_crm",))] * level.acquired
    standing = {rule.outcome for rule in template.authored.office.standing_rules}
    reasons = sorted({rule.outcome for rule in qualification_rules(template)} - standing)
    if not reasons:
        raise WorldError("no fitted criterion can disqualify an account: fit the template to another model")
    drawn = stream.shuffle(reasons)
    kinds += [("unfit", "unfit", drawn[n % len(drawn)], ()) for n in range(level.unfit)]
    return kinds


def _rounded(ppm: int, count: int) -> int:
    return (2 * ppm * count + 1_000_000) // 2_000_000


def _is_far(template: WorldTemplate, city: City) -> bool:
    zones = template.authored.cast.zones
    return zones[city.zone].offset_minutes - zones[template.authored.cast.zone].offset_minutes > _FAR


def _facts(
    template: WorldTemplate, archetype: str, reason: str, other_zone: bool, may_be_far: bool, stream: Stream
) -> tuple[dict[str, FactValue], City]:
    """Draws facts until exactly the wanted criterion applies; the flags of the two news traps stay apart."""
    cast, fitted = template.authored.cast, template.fitted
    criteria = [
        rule
        for rule in qualification_rules(template)
        if rule.outcome not in ("already_customer", "owned_by_competitor")
    ]
    wanted = [reason] if archetype == "unfit" else []
    for _ in range(_TRIES):
        city = stream.choice(cast.cities)
        facts: dict[str, FactValue] = {
            "employees": _employees(template, criteria, wanted, stream),
            "region": city.country,
            "ledger_system": stream.choice(cast.ledgers),
            "public_body": bool(wanted) and stream.below(2) == 1,
        }
        if reason_of(criteria, facts) != wanted:
            continue
        if archetype in ("bookable", "signed") and _is_far(template, city) and not may_be_far:
            continue
        offset, own = cast.zones[city.zone].offset_minutes, cast.zones[cast.zone].offset_minutes
        if (offset == own) == other_zone and other_zone:
            continue
        facts["owned_by_competitor"] = archetype == "acquired"
        facts["already_customer"] = archetype == "signed"
        return facts, city
    raise WorldError(
        f"no company of the pools is {archetype} {reason}: add cities or ledgers to cast.yaml "
        f"(criteria of {fitted.dataset.value})"
    )


def _employees(template: WorldTemplate, criteria: list[Rule], wanted: list[str], stream: Stream) -> int:
    edges = [
        condition.value
        for rule in criteria
        if rule.outcome in wanted
        for condition in rule.when
        if condition.fact == "employees" and isinstance(condition.value, int)
    ]
    if edges:
        return stream.between(max(2, edges[0] // 4), max(3, 2 * edges[0]))
    return max(2, stream.quantile(template.fitted.sizes.value, QUANTILE_POINTS))


def _draft(
    template: WorldTemplate,
    word: str,
    archetype: str,
    machine: str,
    reason: str,
    traps: tuple[str, ...],
    facts: dict[str, FactValue],
    city: City,
    concept: ConceptText,
    stream: Stream,
) -> Draft:
    authored = template.authored
    patterns = [
        one
        for one in template.fitted.patterns.value
        if one.archetype == archetype and (archetype != "unfit" or one.reason == reason)
    ]
    pattern = stream.named("pattern").choice(patterns) if patterns else None
    labels = {entry.label: key for key, entry in authored.cast.industries.items()}
    weights = {labels[name]: n for name, n in template.fitted.industries.value.items() if name in labels}
    industry = labels.get(pattern.industry if pattern else "") or stream.weighted(
        weights or dict.fromkeys(labels.values(), 1)
    )
    name = f"{word} {stream.choice(authored.cast.industries[industry].names)}"
    ending = stream.choice(authored.sites.domain_endings)
    slots = {
        "company": name,
        "city": city.name,
        "amount": f"${stream.between(120, 980) * 100:,}",
        "count": str(stream.between(13, 97)),
        "month": MONTHS[stream.between(3, 7)],
        "product": stream.choice(authored.concepts.products),
        "competitor": authored.cast.competitor,
    }
    news = stream.choice(concept.news if archetype != "acquired" else authored.concepts.acquired_news)
    facts = {**facts, "industry": industry}
    domain = "".join(name_tokens(name)) + ending if ending != "-group.com" else f"{word.lower()}-group.com"
    return Draft(
        "",
        archetype,
        machine,
        reason,
        name,
        word,
        domain,
        industry,
        city,
        facts,
        concept,
        news,
        slots,
        (),
        pattern,
        traps,
    )


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
        for number, (kind, title) in enumerate(shuffled, start=1):
            first, family = self._next()
            local = (f"{first}.{family}", f"{first[0]}{family}", f"{first}{family[0]}")[style].lower()
            members.append(
                Member(
                    contact_id=f"con-{account_id[4:]}-{number}",
                    first=first,
                    name=f"{first} {family}",
                    role=title,
                    address=f"{local}@{draft.domain}",
                    kind=kind,
                    in_crm=kind != "delegate" and not (kind == "right" and "contact_missing" in draft.traps),
                    phone=f"+1 555 01{stream.between(10, 99)}",
                )
            )
        return tuple(members)

    def _next(self) -> tuple[str, str]:
        place = self._drawn
        self._drawn += 1
        if place >= min(len(self._first), len(self._family)):
            raise WorldError("the name pools of cast.yaml are used up: add names")
        return self._first[place], self._family[place]
