"""What a CRM record says was done before the shift: notes, the stage and next step that follow from them."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from contracts.instants import Instant, Zone
from contracts.template import WorldTemplate
from contracts.world import CrmNote
from worldgen.stream import Stream

_DAY = 86_400
_LATEST = 20
"""Days before the shift in which nobody wrote anything."""
_MOST_CONTACTS = 2
_OPENS, _CLOSES = 9, 17


def working_time(zone: Zone, near: Instant, stream: Stream) -> Instant:
    """Returns a time in working hours of the day of an instant, or of the last working day before it."""
    day = zone.local(near).replace(hour=0, minute=0, second=0)
    day -= timedelta(days=max(0, day.weekday() - 4))
    minutes = stream.between(60 * _OPENS, 60 * _CLOSES)
    return int((day + timedelta(minutes=minutes)).timestamp())


class History(NamedTuple):
    """The past of one account; notes are the oldest first."""

    notes: list[CrmNote]
    stage: str
    next_step: str


def draw_history(
    template: WorldTemplate, account_id: str, imported_at: Instant, starts_at: Instant, stream: Stream
) -> History:
    """Returns when a record was imported, and what was done with it since then."""
    office, rep = template.authored.office, template.authored.cast.rep
    since = (starts_at - imported_at) // _DAY
    count = stream.below(_MOST_CONTACTS + 1)
    drawn = stream.sample(range(len(office.past_contacts)), min(count, len(office.past_contacts)))
    contacts = [office.past_contacts[place] for place in sorted(drawn)]
    zone = template.authored.cast.zones[template.authored.cast.zone]
    days = [starts_at - _DAY * stream.between(_LATEST, max(_LATEST, since - 1)) for _ in contacts]
    times = sorted(max(imported_at + 1, working_time(zone, day, stream)) for day in days)
    written = [(office.import_note, imported_at)]
    written += [(one.text, at) for one, at in zip(contacts, times, strict=True)]
    notes = [
        CrmNote(
            id=f"note-{account_id}-{number}", account_id=account_id, text=text, written_at=at, author=rep.name
        )
        for number, (text, at) in enumerate(written, start=1)
    ]
    stages = [office.stages.index(one.stage) for one in contacts]
    return History(notes, office.stages[max(stages, default=0)], contacts[-1].next_step if contacts else "")
