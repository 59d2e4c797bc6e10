"""A colleague's invitation that waits for the rep's answer when the shift begins."""

from __future__ import annotations

from typing import NamedTuple

from contracts.instants import Instant
from contracts.template import WorldTemplate
from contracts.world import CalendarEvent, Mail
from worldgen.history import working_time
from worldgen.stream import Stream

_DAY = 86_400


class Invitation(NamedTuple):
    """The entry of the calendar and the mail that brought it."""

    event: CalendarEvent
    mail: Mail


def draw_invitation(
    template: WorldTemplate, start: Instant, starts_at: Instant, stream: Stream
) -> Invitation:
    """Returns an invitation by the manager for a free time; whatever is answered, nothing depends on it."""
    cast = template.authored.cast
    zone = cast.zones[cast.zone]
    text = stream.choice(template.authored.office.invitations)
    event = CalendarEvent(
        id="cal-invited",
        title=text.subject,
        starts_at=start,
        ends_at=start + 60 * 30,
        attendees=[cast.manager.address],
        status="invited",
    )
    mail = Mail(
        id="in-invitation",
        thread_id="thread-in-invitation",
        folder="inbox",
        sender=cast.manager,
        to=[cast.rep],
        subject=f"Invitation: {text.subject}",
        body=text.body,
        sent_at=working_time(zone, starts_at - _DAY, stream),
        invite_id=event.id,
    )
    return Invitation(event, mail)
