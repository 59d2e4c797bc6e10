"""Facts of a world's companies: drawn from the recorded market, so that exactly one reason applies or none.

Belongs here: country, size, ledger, trade, the facts of a stale record, and the recorded case that a company
is made after. Does not belong here: people, news, and how apps show facts. What an account is made to be
moves only the fact that decides; all others have one distribution, so that none of them tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.decisions import Decision, FactValue, Rule
from contracts.template import ANY, OTHER, QUANTILE_POINTS, City, Pattern, WorldTemplate
from worldgen.errors import WorldError
from worldgen.stream import Stream

_TRIES = 600
_FAR = 90
"""Minutes from the rep's zone beyond which a zone is another continent's, with few common hours."""
_FLAGS = ("already_customer", "owned_by_competitor")


class Wanted(NamedTuple):
    """What an account must turn out to be."""

    archetype: str
    reason: str
    """Disqualifier of an unfit account."""
    may_be_far: bool


class Company(NamedTuple):
    """Facts of one company."""

    facts: dict[str, FactValue]
    city: City
    industry: str


def qualification_rules(template: WorldTemplate) -> list[Rule]:
    """Returns the rules of Not a fit in deciding order: standing ones, then the fitted criteria."""
    standing = template.authored.office.standing_rules
    taken = {rule.outcome for rule in standing}
    return [*standing, *(rule for rule in template.fitted.criteria.value if rule.outcome not in taken)]


def reason_of(rules: list[Rule], facts: dict[str, FactValue]) -> list[str]:
    """Returns the outcomes of all rules that apply to a company's facts, in deciding order."""
    decision = Decision(kind="qualification", subject="", facts=facts, outcome="")
    return [rule.outcome for rule in rules if rule.applies(decision)]


def is_elsewhere(template: WorldTemplate, city: City) -> bool:
    """Says whether a city's clocks differ from the rep's."""
    zones = template.authored.cast.zones
    return zones[city.zone].offset_minutes != zones[template.authored.cast.zone].offset_minutes


def is_far(template: WorldTemplate, city: City) -> bool:
    """Says whether a city shares few working hours with the rep."""
    zones = template.authored.cast.zones
    return zones[city.zone].offset_minutes - zones[template.authored.cast.zone].offset_minutes > _FAR


def draw_reasons(template: WorldTemplate, count: int, stream: Stream) -> list[str]:
    """Returns the reasons of unfit accounts as often as the company recorded them, few of them twice.

    Raises:
        WorldError: no recorded reason has a criterion.
    """
    standing = {rule.outcome for rule in template.authored.office.standing_rules}
    usable = {rule.outcome for rule in qualification_rules(template)} - standing
    weights = {reason: n for reason, n in template.fitted.reasons.value.items() if n and reason in usable}
    if not weights:
        raise WorldError("no fitted criterion can disqualify an account: fit the template to another model")
    drawn: list[str] = []
    left: dict[str, int] = {}
    while len(drawn) < count:
        left = left or dict(weights)
        reason = stream.weighted(left)
        del left[reason]
        drawn.append(reason)
    return drawn


def draw_company(template: WorldTemplate, wanted: Wanted, stream: Stream) -> Company:
    """Returns a company of the recorded market to which exactly the wanted reason applies.

    Raises:
        WorldError: the pools hold no such company.
    """
    cast = template.authored.cast
    outcomes = [wanted.reason] if wanted.archetype == "unfit" else []
    deciding = _deciding(template, wanted.reason) if outcomes else []
    about_region = any(condition.fact == "region" for rule in deciding for condition in rule.when)
    for attempt in range(_TRIES):
        # First as the company's market is, then whatever fits.
        by_market = attempt < 2 * _TRIES // 3 and not about_region
        city = _city(template, stream) if by_market else stream.choice(cast.cities)
        industry = _industry(template, stream)
        facts: dict[str, FactValue] = {
            "employees": _employees(template, deciding, stream),
            "region": city.country,
            "ledger_system": stream.choice(cast.ledgers),
            "public_body": bool(outcomes) and stream.below(2) == 1,
        }
        takes_part = wanted.archetype in ("bookable", "signed")
        if takes_part and is_far(template, city) and not wanted.may_be_far:
            continue
        if reason_of(_criteria(template), facts) != outcomes:
            continue
        facts["owned_by_competitor"] = wanted.archetype == "acquired"
        facts["already_customer"] = wanted.archetype == "signed"
        facts["industry"] = industry
        return Company(facts, city, industry)
    raise WorldError(
        f"no company of the pools is {wanted.archetype} {wanted.reason}: add cities or ledgers to cast.yaml "
        f"(criteria of {template.fitted.dataset.value})"
    )


def recorded_facts(
    template: WorldTemplate, facts: Mapping[str, FactValue], stream: Stream
) -> dict[str, FactValue]:
    """Returns facts as the CRM has them: none disqualifies, and some are as stale as the company's own.

    Raises:
        WorldError: the market holds no value that fits in place of one that disqualifies.
    """
    criteria = _criteria(template)
    applying = reason_of(criteria, dict(facts))
    hidden = [one.fact for rule in criteria if rule.outcome in applying for one in rule.when]
    stale = stream.chance(template.fitted.stale_ppm.value)
    for _ in range(_TRIES):
        recorded = dict(facts)
        if stale and stream.below(2):
            recorded["employees"] = max(2, int(facts["employees"]) * stream.between(60, 140) // 100)
        elif stale:
            recorded["ledger_system"] = stream.choice(template.authored.cast.ledgers)
        recorded |= {fact: _market_value(template, fact, stream) for fact in hidden}
        if not reason_of(criteria, recorded):
            return recorded
    raise WorldError(
        f"no value of {', '.join(hidden)} fits in {template.fitted.dataset.value}: "
        "add cities, ledgers or trades to cast.yaml"
    )


def recorded_case(
    template: WorldTemplate, archetype: str, reason: str, company: Company, stream: Stream
) -> Pattern | None:
    """Returns a recorded case that ended as this account will, the likest to the company, if there is one.

    The case gives the ending; where the archive has no such company that ended so, traits give way first.
    """
    ended = [
        one
        for one in template.fitted.patterns.value
        if one.archetype == archetype and (archetype != "unfit" or one.reason == reason)
    ]
    if not ended:
        return None

    def likeness(one: Pattern) -> tuple[bool, int]:
        label = template.authored.cast.industries[company.industry].label
        fitting = [
            one.region in (ANY, company.facts["region"]),
            _in_band(one.size, int(company.facts["employees"])),
            one.industry in (ANY, label),
        ]
        return all(fitting) and one.reason == reason, sum(fitting)

    best = max(map(likeness, ended))
    return stream.choice([one for one in ended if likeness(one) == best])


def _criteria(template: WorldTemplate) -> list[Rule]:
    """The rules that a company's own facts decide; customers and competitors' companies may fit them."""
    return [rule for rule in qualification_rules(template) if rule.outcome not in _FLAGS]


def _deciding(template: WorldTemplate, reason: str) -> list[Rule]:
    return [rule for rule in _criteria(template) if rule.outcome == reason]


def _market_value(template: WorldTemplate, fact: str, stream: Stream) -> FactValue:
    if fact == "employees":
        return _employees(template, [], stream)
    if fact == "region":
        return _city(template, stream).country
    if fact == "industry":
        return _industry(template, stream)
    return stream.choice(template.authored.cast.ledgers) if fact == "ledger_system" else False


def draw_mixed(mix: Mapping[str, int], pool: Sequence[str], field: str, stream: Stream) -> str:
    """Returns a value of a pool with a chance as in a fitted mix.

    Raises:
        WorldError: the mix names no value of the pool.
    """
    rest = [value for value in pool if value not in mix]
    weights = {value: n for value, n in mix.items() if value in pool or (value == OTHER and rest)}
    if not any(weights.values()):
        raise WorldError(f"fitted {field} names nothing of the pools (have: {', '.join(pool)})")
    drawn = stream.weighted(weights)
    return stream.choice(rest) if drawn == OTHER else drawn


def _city(template: WorldTemplate, stream: Stream) -> City:
    cities = template.authored.cast.cities
    countries = list(dict.fromkeys(city.country for city in cities))
    country = draw_mixed(template.fitted.regions.value, countries, "regions", stream)
    return stream.choice([city for city in cities if city.country == country])


def _industry(template: WorldTemplate, stream: Stream) -> str:
    labels = {entry.label: key for key, entry in template.authored.cast.industries.items()}
    return labels[draw_mixed(template.fitted.industries.value, list(labels), "industries", stream)]


def _employees(template: WorldTemplate, deciding: list[Rule], stream: Stream) -> int:
    edges = [
        condition.value
        for rule in deciding
        for condition in rule.when
        if condition.fact == "employees" and isinstance(condition.value, int)
    ]
    if edges:
        return stream.between(max(2, edges[0] // 4), max(3, 2 * edges[0]))
    return max(2, stream.quantile(template.fitted.sizes.value, QUANTILE_POINTS))


def _in_band(band: str, employees: int) -> bool:
    if band == ANY:
        return True
    low, _, high = band.removesuffix("+").partition("-")
    return int(low) <= employees and (not high or employees <= int(high))
