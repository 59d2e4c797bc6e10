"""What the reference needs to know of a world, taken from the same truth that the grader reads."""

from __future__ import annotations

import re

from contracts.plan import ContactToAdd, Pitch, ReferenceAccount, ReferenceKnowledge
from contracts.template import ConceptText, WorldTemplate
from contracts.world import AccountTruth, Bundle, Buyer, CalendarEvent, CrmAccount, Party, Status
from worldgen.errors import WorldError

_FIELD = re.compile(r"\{(\w+)\}")
_STAY_MS = 60_000
"""How long the reference stays after the last mail that arrives by itself."""


def reference_knowledge(template: WorldTemplate, bundle: Bundle) -> ReferenceKnowledge:
    """Returns the right way through a world, account by account in the CRM's order.

    Raises:
        WorldError: the world was not built from this template.
    """
    if bundle.template_version != template.version:
        raise WorldError(
            f"the world was built from template {bundle.template_version}, not {template.version}"
        )
    accounts = {one.id: one for one in bundle.visible.accounts}
    minutes = template.fitted.meeting_minutes.value[3]
    shortest, longest = bundle.server.meeting_minutes
    notices = {one.notice: one.at_ms for one in bundle.server.schedule}
    return ReferenceKnowledge(
        world_hash=bundle.world_hash,
        meeting_minutes=max(shortest, min(longest, minutes)),
        accounts=[
            _account(template, bundle, truth, accounts[truth.account_id], notices)
            for truth in bundle.truth.accounts
        ],
        stay_until_ms=max(notices.values(), default=0) + _STAY_MS,
    )


def _account(
    template: WorldTemplate,
    bundle: Bundle,
    truth: AccountTruth,
    crm: CrmAccount,
    notices: dict[str, int],
) -> ReferenceAccount:
    plain = ReferenceAccount(
        account_id=truth.account_id,
        status=truth.status,
        reason=truth.reason,
        known_at_ms=notices.get(f"signed:{truth.account_id}", 0),
    )
    if truth.status is not Status.QUALIFIED:
        return plain
    office = template.authored.office
    buyers = [one for one in bundle.server.buyers if one.account_id == truth.account_id]
    away = next((one for one in buyers if one.machine == "out_of_office"), None)
    host = next(one for one in buyers if one.party.address == truth.buyer_address)
    first = away or host
    concept = next(one for one in template.authored.concepts.concepts if one.id == truth.reason)
    offered = [start for pair in host.offers for start in pair]
    to_add = _contact(template, bundle, host) if truth.contact_missing else None
    return plain.model_copy(
        update={
            "pitch": _pitch(template, bundle, concept, crm, first),
            "add_before_pitch": to_add if away is None else None,
            "delegate_pitch": _pitch(template, bundle, concept, crm, host) if away else None,
            "add_before_delegate": to_add if away else None,
            "wrong_slots": [start for start in offered if _collides(bundle.visible.calendar, start, 60)],
            "stage": office.meeting_stage,
            "note": office.note.replace("{name}", host.party.name),
            "next_step": office.next_step.format(name=host.party.name),
            "invite_title": office.invite_title.format(company=crm.name, label=concept.label),
        }
    )


def _collides(calendar: list[CalendarEvent], start: int, minutes: int) -> bool:
    return any(entry.starts_at < start + 60 * minutes and start < entry.ends_at for entry in calendar)


def _pitch(
    template: WorldTemplate, bundle: Bundle, concept: ConceptText, crm: CrmAccount, buyer: Buyer
) -> Pitch:
    slots = {**_read_news(bundle, concept, crm), "company": crm.name}
    rep = bundle.visible.rep
    ask = template.authored.concepts.pitch_ask
    signature = f"{rep.name}\n{bundle.visible.company}"
    body = "\n\n".join([f"Hi {buyer.first_name},", concept.pitch.format(**slots), ask, signature])
    return Pitch(
        to=Party(name=buyer.party.name, address=buyer.party.address),
        subject=concept.subject.format(**slots),
        body=body,
    )


def _read_news(bundle: Bundle, concept: ConceptText, crm: CrmAccount) -> dict[str, str]:
    """Reads place, amount and the like off the company's own News page, as any agent can."""
    site = next(one for one in bundle.visible.sites if one.domain == crm.website)
    news = next(page for page in site.pages if page.path == "/news")
    for item in news.items:
        for wording in concept.news:
            read = _pattern(wording.text).fullmatch(item.text)
            if read is not None:
                return read.groupdict()
    raise WorldError(f"the News page of {crm.name} does not report its problem {concept.id}")


def _pattern(wording: str) -> re.Pattern[str]:
    """Returns the pattern of the texts that a wording gives, a group for each of its fields."""
    seen: set[str] = set()
    parts = []
    for place, part in enumerate(_FIELD.split(wording)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>.+?)")
            seen.add(part)
    return re.compile("".join(parts))


def _contact(template: WorldTemplate, bundle: Bundle, buyer: Buyer) -> ContactToAdd:
    pages = {page.path: page for page in bundle.visible.playbook}
    said = " ".join(item.text for item in pages["/people"].items)
    role = next(one for one in template.authored.cast.buyer_roles if f"the {one} of" in said)
    if buyer.machine == "delegate":
        role = template.authored.cast.delegate_role.format(role=role)
    return ContactToAdd(name=buyer.party.name, role=role, address=buyer.party.address)
