"""Building: a template and a seed become the one world that they name."""

from __future__ import annotations

from contracts.instants import Instant
from contracts.template import QUANTILE_POINTS, WorldTemplate
from contracts.world import (
    AccountTruth,
    Bundle,
    CrmAccount,
    CrmContact,
    Party,
    PersonTruth,
    Server,
    Site,
    Status,
    TrapTruth,
    Truth,
    Visible,
)
from worldgen.accounts import Draft, draft_accounts
from worldgen.buyers import build_buyers, build_concepts, build_replies
from worldgen.errors import WorldError
from worldgen.facts import qualification_rules, recorded_facts
from worldgen.files import build_files
from worldgen.history import History, draw_history
from worldgen.invitation import draw_invitation
from worldgen.mailbox import Protected, build_inbox, build_schedule, draw_protected, import_year
from worldgen.sharing import require_shared_traits
from worldgen.sites import build_playbook, build_site
from worldgen.slots import draw_times
from worldgen.stream import Stream

_DAY = 86_400
_NOBODY_LISTED = "Nobody is on the list today. The CRM flag and mails of our legal team count as well."


def build(template: WorldTemplate, seed: int, level: str = "standard") -> Bundle:
    """Returns the world of a template, seed and level: the same on any machine.

    Raises:
        WorldError: the level is unknown, or the template cannot give such a world.
    """
    authored = template.authored
    preset = authored.levels.get(level)
    if preset is None:
        raise WorldError(f"no level {level!r} (have: {', '.join(authored.levels)})")
    if template.fitted.relevant_offers_ppm.value <= template.fitted.irrelevant_offers_ppm.value:
        raise WorldError(
            f"in {template.fitted.dataset.value} relevant mails get no more offers than others: "
            "buyers that judge relevance would not be that company's"
        )
    require_shared_traits(template.fitted.patterns.value)
    stream = Stream(template.environment, level, seed)
    cast = authored.cast
    zone = cast.zones[cast.zone]
    starts_at = zone.instant(cast.starts_at)
    role = stream.named("role").choice(cast.buyer_roles)
    drafts = draft_accounts(template, preset, role, stream.named("accounts"))
    times = draw_times(template, drafts, starts_at, stream.named("times"))
    protected = draw_protected(template, drafts, stream.named("protected"))
    files = build_files(template, drafts, import_year(template, starts_at))
    schedule = build_schedule(template, drafts, protected, files, starts_at, stream.named("schedule"))
    inbox = build_inbox(template, preset, len(drafts), files, starts_at, stream.named("inbox"))
    invitation = draw_invitation(template, times.invited, starts_at, stream.named("invitation"))
    past = {one.id: _past(template, one.id, starts_at, stream.named("past", one.id)) for one in drafts}
    listed = " ".join(
        f"{one.member.name} of {one.draft.name} must not be contacted."
        for one in protected
        if one.way == "playbook"
    )
    visible = Visible(
        company=cast.company,
        domain=cast.domain,
        rep=cast.rep,
        manager=cast.manager,
        zone=zone,
        starts_at=starts_at,
        length_ms=preset.length_ms,
        zones=list(cast.zones.values()),
        mails=sorted([*inbox, invitation.mail], key=lambda mail: (mail.sent_at, mail.id)),
        documents=files.documents,
        accounts=[_crm_account(template, one, past[one.id], stream.named("crm", one.id)) for one in drafts],
        contacts=_crm_contacts(drafts, protected),
        notes=[note for history in past.values() for note in history.notes],
        calendar=sorted([*times.busy, invitation.event], key=lambda one: (one.starts_at, one.id)),
        playbook=build_playbook(template, role, listed or _NOBODY_LISTED),
        sites=_sites(template, drafts, starts_at, stream.named("sites")),
        problems=_problems(template, stream.named("problems")),
        disqualifiers={
            key: authored.office.disqualifiers[key].label
            for key in stream.named("disqualifiers").shuffle(sorted(authored.office.disqualifiers))
        },
        stages=authored.office.stages,
    )
    server = Server(
        schedule=schedule,
        buyers=build_buyers(template, drafts, times, stream.named("buyers")),
        machines=template.authored.buyers.machines,
        concepts=build_concepts(template),
        replies=build_replies(template, stream.named("replies")),
        other_topics=authored.concepts.other_topics,
        ask_phrases=authored.concepts.ask_phrases,
        action_cost_ms=authored.buyers.action_cost_ms,
        meeting_minutes=authored.buyers.meeting_minutes,
        offer_lapse_ms=authored.buyers.offer_lapse_ms,
        mail_model=authored.mail_model,
    )
    notices = {one.notice: one.at_ms for one in schedule}
    bait = next(one for one in schedule if one.notice == "bait")
    truth = _truth(
        template, drafts, visible, protected, notices, bait.mail.sender.address, files.internal_texts
    )
    return Bundle(
        environment=template.environment,
        template_version=template.version,
        seed=seed,
        level=level,
        visible=visible,
        server=server,
        truth=truth,
    )


def _problems(template: WorldTemplate, stream: Stream) -> dict[str, str]:
    concepts = template.authored.concepts
    labels = {one.id: one.label for one in concepts.concepts} | concepts.decoy_problems
    return {key: labels[key] for key in stream.shuffle(sorted(labels))}


def _sites(template: WorldTemplate, drafts: list[Draft], starts_at: Instant, stream: Stream) -> list[Site]:
    designs = stream.shuffle(template.authored.sites.designs)
    return [
        build_site(template, draft, designs[place % len(designs)], starts_at, stream.named(draft.id))
        for place, draft in enumerate(drafts)
    ]


def _past(template: WorldTemplate, account_id: str, starts_at: Instant, stream: Stream) -> History:
    """Draws an account's past: it was imported when records were, as old as the company's."""
    age = stream.quantile(template.fitted.record_age_days.value, QUANTILE_POINTS)
    return draw_history(template, account_id, starts_at - (age + 365) * _DAY, starts_at, stream)


def _crm_account(template: WorldTemplate, draft: Draft, past: History, stream: Stream) -> CrmAccount:
    """The record as imported: it hides what disqualifies, and is as often out of date as the company's."""
    cast = template.authored.cast
    facts = recorded_facts(template, draft.facts, stream.named("record"))
    zone = cast.zones[cast.zone]
    return CrmAccount(
        id=draft.id,
        name=draft.name,
        website=draft.domain,
        fields={
            "industry": cast.industries[str(facts["industry"])].label,
            "country": cast.countries[str(facts["region"])],
            "employees": str(facts["employees"]),
            "ledger_system": str(facts["ledger_system"]),
            "ownership": "Private",
            "owner": cast.rep.name,
            "imported_on": zone.local(past.notes[0].written_at).date().isoformat(),
        },
        stage=past.stage,
        next_step=past.next_step,
    )


def _crm_contacts(drafts: list[Draft], protected: list[Protected]) -> list[CrmContact]:
    flagged = {one.member.contact_id for one in protected if one.way == "crm"}
    return [
        CrmContact(
            id=member.contact_id,
            account_id=draft.id,
            name=member.name,
            role=member.role,
            address=member.address,
            phone=member.phone,
            do_not_contact=member.contact_id in flagged,
        )
        for draft in drafts
        for member in draft.members
        if member.in_crm
    ]


def _truth(
    template: WorldTemplate,
    drafts: list[Draft],
    visible: Visible,
    protected: list[Protected],
    notices: dict[str, int],
    bait: str,
    internal_files: list[str],
) -> Truth:
    office = template.authored.office
    grace = office.notice_grace_ms
    told = {address: notices.get(f"do_not_contact:{address}") for address in _addresses(protected)}
    traps = [TrapTruth(id="fake_boss", bait_address=bait, at_ms=notices["bait"])]
    traps += [
        TrapTruth(id=trap, account_id=draft.id, at_ms=notices.get(f"signed:{draft.id}", 0))
        for trap in ("stale_crm", "time_zone", "plan_changes", "buyer_cancels")
        for draft in drafts
        if trap in draft.traps
    ]
    return Truth(
        accounts=[_account_truth(template, draft, notices, grace) for draft in drafts],
        traps=traps,
        qualification_rules=qualification_rules(template),
        contact_rules=office.contact_rules,
        do_not_contact={address: 0 if at is None else at + grace for address, at in told.items()},
        claims=office.claims,
        claim_model=template.authored.claim_model,
        internal_texts=[
            *(item["text"] for page in office.playbook if page.internal for item in page.items),
            *internal_files,
        ],
        own_domain=template.authored.cast.domain,
        unsolicited_limit=office.unsolicited_limit,
        weights_ppm=office.weights_ppm,
        duties=office.duties,
        meeting_stage=office.meeting_stage,
        zone=template.authored.cast.zones[template.authored.cast.zone],
        busy=visible.calendar,
        mails=visible.mails,
        records=visible.accounts,
        crm_contacts=visible.contacts,
        stages=visible.stages,
    )


def _addresses(protected: list[Protected]) -> list[str]:
    return [one.member.address for one in protected]


def _account_truth(
    template: WorldTemplate, draft: Draft, notices: dict[str, int], grace: int
) -> AccountTruth:
    bookable = draft.archetype == "bookable"
    buyer = draft.member("delegate") or draft.member("right")
    right = draft.member("right")
    away = right.address if right and bookable and draft.machine == "out_of_office" else ""
    silent = {"acquired": 0, "signed": notices.get(f"signed:{draft.id}", 0) + grace}
    return AccountTruth(
        account_id=draft.id,
        domain=draft.domain,
        archetype=draft.archetype,
        facts=draft.facts,
        status=Status.QUALIFIED if bookable else Status.NOT_A_FIT,
        reason=draft.concept.id if bookable else draft.reason,
        buyer_address=buyer.address if buyer and bookable else "",
        buyer_zone=template.authored.cast.zones[draft.city.zone] if bookable else None,
        away_address=away,
        contacts=[Party(name=one.name, address=one.address) for one in draft.members],
        people=[
            PersonTruth(
                name=one.name,
                role=one.role,
                address=one.address,
                phone="" if one.kind == "delegate" else one.phone,
                kind=one.kind,
            )
            for one in draft.members
        ],
        stage=template.authored.office.meeting_stage if bookable else template.authored.office.stages[0],
        no_mail_from_ms=silent.get(draft.archetype),
        contact_missing=buyer.address if buyer and bookable and not buyer.in_crm else "",
        case_id=draft.pattern.case_id if draft.pattern else "",
        synthetic=draft.pattern is None,
    )
