"""What the calendar and invite actions do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contracts.shift_events import Action
from contracts.world import CalendarEvent, Mail
from runtime.fields import Refused
from runtime.mailing import party_of

if TYPE_CHECKING:
    from runtime.core import Shift

GONE = frozenset({"cancelled", "declined"})


def carry_out(shift: Shift, action: Action, data: dict[str, Any]) -> dict[str, Any]:
    """Changes the calendar and returns the line's data.

    Raises:
        Refused: the entry does not exist or the action does not fit it.
    """
    if action is Action.INVITE_SEND:
        return _invite(shift, data)
    if action is Action.CALENDAR_CREATE:
        event = CalendarEvent(id=shift.new_id("event"), **data)
        shift.office.calendar[event.id] = event
        return {"event_id": event.id, **data}
    event = _event_of(shift, data["event_id"])
    if action is Action.INVITE_RESPOND:
        return _respond(shift, event, data["answer"])
    with_guests = action in {Action.INVITE_UPDATE, Action.INVITE_CANCEL}
    if with_guests != bool(event.attendees):
        right = "invite.update or invite.cancel" if event.attendees else "calendar.update or calendar.delete"
        raise Refused(f"{event.title!r} has {'guests' if event.attendees else 'no guests'}: use {right}")
    old = {"starts_at": event.starts_at, "ends_at": event.ends_at}
    if action is Action.CALENDAR_DELETE:
        del shift.office.calendar[event.id]
        return {"event_id": event.id, "title": event.title, "old": old}
    if action is Action.INVITE_CANCEL:
        if event.status == "cancelled":
            raise Refused("this meeting is cancelled already")
        shift.office.calendar[event.id] = event.model_copy(update={"status": "cancelled"})
        return {"event_id": event.id, "attendees": event.attendees, "old": {**old, "status": event.status}}
    times = {"starts_at": data["starts_at"], "ends_at": data["ends_at"]}
    if action is Action.INVITE_UPDATE:
        if event.status == "cancelled":
            raise Refused("this meeting is cancelled: send a new invite")
        if times == old and event.status != "declined":
            raise Refused("the guests have this invite already: the times are the same")
        shift.office.calendar[event.id] = event.model_copy(update={**times, "status": "invited"})
        return {
            "event_id": event.id,
            **times,
            "attendees": event.attendees,
            "old": {**old, "status": event.status},
        }
    title = data.get("title") or event.title
    shift.office.calendar[event.id] = event.model_copy(update={**times, "title": title})
    return {"event_id": event.id, "title": title, **times, "old": {**old, "title": event.title}}


def _event_of(shift: Shift, event_id: str) -> CalendarEvent:
    event = shift.office.calendar.get(event_id)
    if event is None:
        raise Refused(f"there is no calendar entry {event_id[:80]!r}")
    return event


def _invite(shift: Shift, data: dict[str, Any]) -> dict[str, Any]:
    title, text = data.get("title") or "Meeting", data.get("text", "")
    own = shift.visible.rep.address.lower()
    guests = [address for address in data["attendees"] if address != own]
    if not guests:
        raise Refused("an invite needs a guest beside yourself (an entry of your own: calendar.create)")
    event = CalendarEvent(
        id=shift.new_id("event"),
        title=title,
        starts_at=data["starts_at"],
        ends_at=data["ends_at"],
        attendees=guests,
        status="invited",
    )
    mail = Mail(
        id=shift.new_id("mail"),
        thread_id=shift.new_id("thread"),
        folder="sent",
        sender=shift.visible.rep,
        to=[party_of(shift, address) for address in guests],
        subject=f"Invitation: {title}",
        body=text,
        sent_at=shift.now,
        invite_id=event.id,
    )
    shift.office.calendar[event.id] = event
    shift.office.mails[mail.id] = mail
    return {
        "event_id": event.id,
        "mail_id": mail.id,
        "title": title,
        "starts_at": event.starts_at,
        "ends_at": event.ends_at,
        "attendees": guests,
        "text": text,
    }


def _respond(shift: Shift, event: CalendarEvent, answer: str) -> dict[str, Any]:
    statuses = {"accept": "accepted", "decline": "declined"}
    if answer not in statuses:
        raise Refused(f"answer must be accept or decline, not {answer[:40]!r}")
    received = next((held for held in shift.visible.calendar if held.id == event.id), None)
    # Whoever moves an invitation has asked the others, and does not answer themselves.
    moved = received is None or (event.starts_at, event.ends_at) != (received.starts_at, received.ends_at)
    if event.status != "invited" or moved:
        raise Refused(f"{event.title!r} is no invitation that waits for your answer")
    shift.office.calendar[event.id] = event.model_copy(update={"status": statuses[answer]})
    return {"event_id": event.id, "answer": answer, "old": {"status": event.status}}
