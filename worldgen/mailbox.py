"""Mail that a world brings along: the plan and the noise in the inbox, and what arrives by itself."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.instants import Instant
from contracts.template import QUANTILE_POINTS, Level, MailText, WorldTemplate
from contracts.world import Delivery, Mail, Party
from worldgen.accounts import Draft, Member, rounded_share
from worldgen.files import Files
from worldgen.stream import Stream

_DAY = 86_400
_FULL_NOISE = 9
"""Noise mails in an inbox at factor one."""
_MOST_PROTECTED = 4


@dataclass(frozen=True)
class Protected:
    """The person who must not be contacted, and how the rep can know."""

    member: Member
    draft: Draft
    way: str
    """crm, playbook or legal."""


def draw_protected(template: WorldTemplate, drafts: list[Draft], stream: Stream) -> list[Protected]:
    """Returns people without the right role, at accounts of any kind: one, or as many as were recorded."""
    people = [(member, draft) for draft in drafts for member in draft.members if member.kind == "other"]
    contacts = sum(member.in_crm for draft in drafts for member in draft.members)
    share = rounded_share(template.fitted.do_not_contact_ppm.value, contacts)
    drawn = stream.sample(people, max(1, min(_MOST_PROTECTED, share, len(people))))
    return [Protected(member, draft, stream.choice(("crm", "playbook", "legal"))) for member, draft in drawn]


def build_inbox(
    template: WorldTemplate, level: Level, accounts: int, files: Files, starts_at: Instant, stream: Stream
) -> list[Mail]:
    """Returns the mails in the rep's folders at the start, oldest first."""
    authored = template.authored
    rep = authored.cast.rep
    mails = []
    for number, text in enumerate(_noise(template, level, stream.named("noise")), start=1):
        at = starts_at - stream.between(3600, 4 * _DAY)
        sender = text.sender or authored.cast.manager
        thread = f"thread-in-{number:02d}"
        mail = Mail(
            id=f"in-{number:02d}",
            thread_id=thread,
            folder="inbox",
            sender=sender,
            to=[rep],
            subject=text.subject,
            body=text.body,
            sent_at=at,
            attachments=files.named(text.files),
        )
        mails.append(mail)
        turns = stream.quantile(template.fitted.mails_per_thread.value, QUANTILE_POINTS)
        if text.kind == "internal" and turns > 1:
            body = f"Thanks, noted.\n\n{rep.name.split()[0]}"
            if stream.chance(template.fitted.quoted_ppm.value):
                quoted = "\n".join(f"> {line}".rstrip() for line in text.body.split("\n"))
                body = f"{body}\n\n{sender.name} wrote:\n{quoted}"
            answer = {"folder": "sent", "sender": rep, "to": [sender], "body": body, "attachments": []}
            changed = {
                **answer,
                "id": f"out-{number:02d}",
                "subject": f"Re: {text.subject}",
                "sent_at": at + 1800,
            }
            mails.append(mail.model_copy(update=changed))
    year = import_year(template, starts_at)
    plan = Mail(
        id="in-plan",
        thread_id="thread-in-plan",
        folder="inbox",
        sender=authored.cast.manager,
        to=[rep],
        subject=authored.office.plan.subject,
        body=authored.office.plan.body.format(count=accounts, year=year),
        sent_at=starts_at - 600,
        attachments=files.named(authored.office.plan.files),
    )
    return sorted([*mails, plan], key=lambda mail: (mail.sent_at, mail.id))


def import_year(template: WorldTemplate, starts_at: Instant) -> int:
    """Returns the year in which the CRM was filled, as the plan tells it."""
    cast = template.authored.cast
    return cast.zones[cast.zone].local(starts_at).year - 2


def _noise(template: WorldTemplate, level: Level, stream: Stream) -> list[MailText]:
    """Draws noise in the mix of the company's own mail; kinds without an authored mail are left out."""
    pool = stream.shuffle(template.authored.office.noise)
    kinds = {text.kind for text in pool}
    mix = {kind: n for kind, n in template.fitted.noise.value.items() if kind in kinds}
    drawn: list[MailText] = []
    wanted = min(len(pool), _FULL_NOISE * level.noise_factor_ppm // 1_000_000)
    while len(drawn) < wanted:
        left = {kind: n for kind, n in mix.items() if n and any(text.kind == kind for text in pool)}
        if not left:
            break
        kind = stream.weighted(left)
        text = next(text for text in pool if text.kind == kind)
        pool.remove(text)
        drawn.append(text)
    return drawn


def build_schedule(
    template: WorldTemplate,
    drafts: list[Draft],
    protected: list[Protected],
    files: Files,
    starts_at: Instant,
    stream: Stream,
) -> list[Delivery]:
    """Returns the mails that arrive by themselves in the order in which they do."""
    authored = template.authored
    cast, office, buyers = authored.cast, authored.office, authored.buyers
    bait = Party(name=cast.manager.name, address=stream.choice(cast.bait.addresses))
    text = MailText(
        kind="bait", subject=stream.choice(cast.bait.subjects), body=stream.choice(cast.bait.bodies)
    )
    planned: list[tuple[int, Party, MailText, str, dict[str, str]]] = [
        (stream.between(*buyers.bait_ms), bait, text, "bait", {})
    ]
    for draft in drafts:
        if draft.archetype == "signed":
            at = stream.between(*buyers.signed_ms)
            planned.append(
                (
                    at,
                    cast.manager,
                    stream.choice(office.signed),
                    f"signed:{draft.id}",
                    {"company": draft.name},
                )
            )
    for one in protected:
        if one.way == "legal":
            notice = stream.choice(office.do_not_contact)
            slots = {"company": one.draft.name, "person": one.member.name}
            at = stream.between(*buyers.do_not_contact_ms)
            sender = notice.sender or cast.manager
            planned.append((at, sender, notice, f"do_not_contact:{one.member.address}", slots))
    planned.sort(key=lambda one: one[0])
    return [
        Delivery(
            at_ms=at,
            notice=notice_id,
            mail=Mail(
                id=f"due-{number:02d}",
                thread_id=f"thread-due-{number:02d}",
                folder="inbox",
                sender=sender,
                to=[cast.rep],
                subject=body.subject.format(**slots),
                body=body.body.format(**slots),
                sent_at=starts_at + at // 1000,
                attachments=files.named(body.files),
            ),
        )
        for number, (at, sender, body, notice_id, slots) in enumerate(planned, start=1)
    ]
