"""The server's half of a world: buyers with their parameters and the wordings of their replies."""

from __future__ import annotations

from contracts.names import fold
from contracts.template import QUANTILE_POINTS, WorldTemplate
from contracts.world import Buyer, Concept, Party, Reply
from worldgen.accounts import Draft, Member, rounded_share
from worldgen.errors import WorldError
from worldgen.slots import Times
from worldgen.stream import Stream

_DELAYS = 8
_REFUSAL = "not_a_priority"
_VARIANTS = 12


def build_buyers(template: WorldTemplate, drafts: list[Draft], times: Times, stream: Stream) -> list[Buyer]:
    """Returns everybody who answers mail: all contacts of all accounts."""
    buyers = []
    for draft in drafts:
        for member in draft.members:
            draws = stream.named(member.contact_id)
            machine = _machine(draft, member)
            books = machine in ("bookable", "cancels", "delegate")
            delegate = draft.member("delegate")
            facts = [draft.slots[key] for key in ("city", "amount", "count", "month", "product")]
            buyers.append(
                Buyer(
                    contact_id=member.contact_id,
                    account_id=draft.id,
                    party=Party(name=member.name, address=member.address),
                    first_name=member.first,
                    machine=machine,
                    zone=template.authored.cast.zones[draft.city.zone],
                    concept="" if draft.archetype == "acquired" else draft.concept.id,
                    company_words=[draft.name, draft.word, draft.domain.split(".")[0]],
                    news_facts=[fold(fact) for fact in facts],
                    offers=times.offers.get(draft.id, []) if books else [],
                    replacement=times.replacements.get(draft.id) if machine == "cancels" else None,
                    delegate_contact_id=delegate.contact_id
                    if delegate and machine == "out_of_office"
                    else "",
                    reply_delays_ms=[_delay(template, draws) for _ in range(_DELAYS)],
                    cancel_delay_ms=draws.between(*template.authored.buyers.cancel_ms)
                    if machine == "cancels"
                    else 0,
                )
            )
    return buyers


def _machine(draft: Draft, member: Member) -> str:
    if draft.archetype in ("unfit", "acquired"):
        return "unfit"
    if member.kind == "other":
        return "wrong_person"
    return "delegate" if member.kind == "delegate" else draft.machine


def _delay(template: WorldTemplate, stream: Stream) -> int:
    """Scales a recorded delay onto the authored range of shift time; a slower company answers later."""
    buyers = template.authored.buyers
    fastest, slowest = buyers.reply_ms
    drawn = stream.quantile(template.fitted.reply_delays.value, QUANTILE_POINTS)
    return fastest + (slowest - fastest) * min(drawn, buyers.slowest_recorded_s) // buyers.slowest_recorded_s


def build_replies(template: WorldTemplate, stream: Stream) -> list[Reply]:
    """Returns all reply wordings, as long, greeted, signed and refused as the company's mails are."""
    buyers = template.authored.buyers
    replies = []
    for reply in buyers.replies:
        draws = stream.named(reply.kind)
        # Each wording once, so that none is lost, and twice as many by the recorded length of mails.
        texts = [*reply.variants, *(_by_length(template, reply.variants, draws) for _ in reply.variants * 2)]
        variants = [_dressed(template, text, draws) for text in texts]
        if reply.kind == _REFUSAL:
            weights = template.fitted.refusals.value
            kinds = {kind: n for kind, n in weights.items() if kind != "wrong_person"} or weights
            variants = []
            # Everybody hears a second mail; how often the first answer says so is the company's record.
            telling = rounded_share(template.fitted.second_chance_ppm.value, _VARIANTS)
            for number in range(_VARIANTS):
                kind = draws.weighted(kinds)
                text = _by_length(template, buyers.refusals.get(kind, buyers.refusals["other"]), draws)
                if number < telling:
                    text = f"{text} {draws.choice(buyers.missed_facts)}"
                variants.append(_dressed(template, f"{{greeting}}{text}{{sign_off}}", draws))
            variants = draws.shuffle(variants)
        replies.append(Reply(kind=reply.kind, variants=variants))
    return replies


def _by_length(template: WorldTemplate, texts: list[str], stream: Stream) -> str:
    """Returns the text nearest to a length drawn from the company's mails."""
    words = stream.quantile(template.fitted.words_per_mail.value, QUANTILE_POINTS)
    return min(stream.shuffle(texts), key=lambda text: abs(len(text.split()) - words))


def _dressed(template: WorldTemplate, text: str, stream: Stream) -> str:
    buyers, fitted = template.authored.buyers, template.fitted
    greeting = _worded(buyers.greetings, fitted.greetings.value, stream)
    sign_off = _worded(buyers.sign_offs, fitted.sign_offs.value, stream)
    return text.replace("{greeting}", greeting).replace("{sign_off}", sign_off)


def _worded(wordings: dict[str, str], mix: dict[str, int], stream: Stream) -> str:
    known = {kind: n for kind, n in mix.items() if kind in wordings and n}
    if not known:
        raise WorldError(
            f"buyers.yaml has no wording for {', '.join(sorted(mix))} (have: {', '.join(wordings)}): add one"
        )
    return wordings[stream.weighted(known)]


def build_concepts(template: WorldTemplate) -> list[Concept]:
    """Returns the lexicon by which buyers know a problem."""
    authored = template.authored.concepts
    return [
        Concept(
            id=one.id,
            label=one.label,
            phrases=one.phrases,
            cues=one.cues,
            hints=one.hints,
            slots=authored.slots | one.slots,
            goods=one.goods,
            examples=one.examples,
        )
        for one in authored.concepts
    ]
