"""What a world shows of companies and of our own rules: websites and playbook."""

from __future__ import annotations

from contracts.decisions import Condition, Operator, Rule
from contracts.instants import Instant, Zone
from contracts.template import WorldTemplate
from contracts.world import Page, PageItem, Site
from worldgen.accounts import Draft
from worldgen.facts import qualification_rules
from worldgen.stream import Stream

_DAY = 86_400
_RECORD = (
    "Of 100 mails that named the problem in a company's news and asked for a meeting, {relevant} got times "
    "offered; of 100 other mails, {others}. Whoever says no reads one more mail, if it has a fact from the "
    "news: that is how {again} of 100 refusals became meetings."
)
"""What the company's own record says of relevance; stands under the messaging rules."""


def build_site(template: WorldTemplate, draft: Draft, design: str, today: Instant, stream: Stream) -> Site:
    """Returns a company's website with its five pages."""
    authored = template.authored
    industry = authored.cast.industries[draft.industry]
    tagline = stream.choice(industry.taglines)
    zone = authored.cast.zones[authored.cast.zone]
    home = stream.choice(authored.sites.home).format(**draft.slots, tagline=tagline)
    pages = [
        Page(path="/", title=draft.name, items=[PageItem(heading=tagline, text=home)]),
        Page(path="/news", title="News", items=_news(template, draft, today, zone, stream.named("news"))),
        Page(path="/about", title="About us", items=_about(template, draft, stream.named("about"))),
        Page(path="/careers", title="Careers", items=_careers(template, draft, stream.named("careers"))),
        Page(path="/contact", title="Contact", items=_people(template, draft, stream.named("contact"))),
    ]
    return Site(domain=draft.domain, name=draft.name, design=design, tagline=tagline, pages=pages)


def _news(
    template: WorldTemplate, draft: Draft, today: Instant, zone: Zone, stream: Stream
) -> list[PageItem]:
    noise = stream.sample(template.authored.concepts.noise_news, stream.between(2, 5))
    items = stream.shuffle([draft.news, *noise])
    ages = sorted(stream.sample(range(9, 120), len(items)))
    # A purchase in September is reported in late September or later, a problem of a month after it.
    reported = stream.between(12, 20) if draft.archetype == "acquired" else stream.between(15, 40)
    dated = []
    for age, item in zip(ages, items, strict=True):
        slots = draft.slots
        if item is not draft.news:
            slots = {
                **slots,
                "count": str(stream.between(12, 98)),
                "amount": f"${stream.between(10, 90) * 100:,}",
            }
        else:
            age = reported
        day = zone.local(today - age * _DAY).date().isoformat()
        dated.append(PageItem(heading=item.heading.format(**slots), date=day, text=item.text.format(**slots)))
    return sorted(dated, key=lambda item: item.date, reverse=True)


def _about(template: WorldTemplate, draft: Draft, stream: Stream) -> list[PageItem]:
    authored = template.authored
    lines = [stream.choice(authored.cast.industries[draft.industry].about).format(**draft.slots)]
    shown = {
        "employees": f"{draft.facts['employees']:,}",
        "region": authored.cast.countries[draft.city.country],
        "ledger_system": str(draft.facts["ledger_system"]),
    }
    facts = []
    for fact, wordings in authored.sites.about_facts.items():
        if fact == "public_body":
            continue
        facts.append(stream.choice(wordings).format(value=shown[fact], city=draft.city.name))
    owned = (
        authored.sites.about_facts["public_body"]
        if draft.facts["public_body"]
        else authored.sites.private_body
    )
    facts.append(stream.choice(owned))
    return [
        PageItem(heading=f"About {draft.name}", text=lines[0]),
        PageItem(heading="Facts", text=" ".join(stream.shuffle(facts))),
    ]


def _careers(template: WorldTemplate, draft: Draft, stream: Stream) -> list[PageItem]:
    concepts = template.authored.concepts
    decoy = stream.choice([one for one in concepts.concepts if one.id != draft.concept.id])
    jobs = [stream.choice(decoy.careers), *stream.sample(concepts.noise_careers, 2)]
    return [PageItem(heading="We are hiring", text=job.format(**draft.slots)) for job in stream.shuffle(jobs)]


def _people(template: WorldTemplate, draft: Draft, stream: Stream) -> list[PageItem]:
    intro = stream.choice(template.authored.sites.contact_intro).format(**draft.slots)
    return [
        PageItem(heading="Contact", text=intro),
        *(
            PageItem(heading=one.name, text=f"{one.role}, {one.address}, {one.phone}")
            for one in draft.members
            if one.kind != "delegate"
        ),
    ]


def build_playbook(template: WorldTemplate, role: str, do_not_contact: str) -> list[Page]:
    """Returns the playbook: criteria, role, problems, limits, and the do-not-contact list as it stands."""
    office = template.authored.office
    slots = {
        "criteria": " ".join(_criterion(template, rule) for rule in qualification_rules(template)),
        "role": role,
        "problems": " ".join(f"{one.label}: {one.playbook}" for one in template.authored.concepts.concepts),
        "limit": str(office.unsolicited_limit),
        "stage": office.meeting_stage,
        "do_not_contact": do_not_contact,
    }
    return [
        Page(
            path=page.path,
            title=page.title,
            internal=page.internal,
            items=[
                *(PageItem(heading=one["heading"], text=one["text"].format(**slots)) for one in page.items),
                *([_record(template)] if page.path == "/messaging" else []),
            ],
        )
        for page in office.playbook
    ]


def _record(template: WorldTemplate) -> PageItem:
    fitted = template.fitted
    shares = {
        "relevant": fitted.relevant_offers_ppm.value,
        "others": fitted.irrelevant_offers_ppm.value,
        "again": fitted.second_chance_ppm.value,
    }
    text = _RECORD.format(**{name: (ppm + 5_000) // 10_000 for name, ppm in shares.items()})
    return PageItem(heading="What our records say", text=text)


def _criterion(template: WorldTemplate, rule: Rule) -> str:
    text = template.authored.office.disqualifiers[rule.outcome].criterion
    condition = rule.when[0]
    return text.format(value=_bound(template, condition))


def _bound(template: WorldTemplate, condition: Condition) -> str:
    value = condition.value
    names = template.authored.cast.countries
    if isinstance(value, list):
        shown = [names.get(one, one) for one in value]
        listed = ", ".join(shown[:-1]) + (" or " if len(shown) > 1 else "") + shown[-1]
        return f"not {listed}" if condition.operator is Operator.NOT_IN else listed
    words = {
        Operator.AT_MOST: f"{value} or fewer",
        Operator.BELOW: f"fewer than {value}",
        Operator.AT_LEAST: f"{value} or more",
        Operator.ABOVE: f"more than {value}",
    }
    return words.get(condition.operator, names.get(str(value), str(value)))
