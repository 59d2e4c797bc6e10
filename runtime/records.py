"""What the CRM actions do: fields, notes, contacts, activities, merging."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from contracts.names import fold
from contracts.shift_events import Action
from contracts.world import CrmAccount, CrmContact, CrmNote, Status
from runtime.fields import Refused, iso_day, one_address
from runtime.state import Activity

if TYPE_CHECKING:
    from runtime.core import Shift

CONTACT_FIELDS = ("name", "role", "address", "phone")
ACCOUNT_FIELDS = ("status", "stage", "next_step")


def carry_out(shift: Shift, action: Action, data: dict[str, Any]) -> dict[str, Any]:
    """Changes the CRM and returns the line's data.

    Raises:
        Refused: a record does not exist, a value is not on its list, a contact is there already.
    """
    office = shift.office
    if action is Action.CRM_SET_FIELD:
        if data["record_id"] in office.contacts:
            return _set_contact(shift, office.contacts[data["record_id"]], data)
        return _set_account(shift, _account_of(shift, data["record_id"]), data)
    if action is Action.CRM_MERGE:
        return _merge(shift, data["record_id"], data["into"])
    account = _account_of(shift, data["account_id"])
    if action is Action.CRM_ADD_CONTACT:
        return _add_contact(shift, account, data)
    if action is Action.CRM_ADD_ACTIVITY:
        activity = Activity(
            shift.new_id("activity"), account.id, data.get("kind", "Note"), data["text"], shift.now
        )
        office.activities[activity.id] = activity
        return {
            "activity_id": activity.id,
            "account_id": account.id,
            "kind": activity.kind,
            "text": activity.text,
        }
    note = CrmNote(
        id=shift.new_id("note"),
        account_id=account.id,
        text=data["text"],
        written_at=shift.now,
        author=shift.visible.rep.name,
    )
    office.notes[note.id] = note
    return {"note_id": note.id, "account_id": account.id, "text": note.text}


def _account_of(shift: Shift, account_id: str) -> CrmAccount:
    account = shift.office.accounts.get(account_id)
    if account is None:
        raise Refused(f"there is no record {account_id[:80]!r} in the CRM")
    return account


def _set_account(shift: Shift, account: CrmAccount, data: dict[str, Any]) -> dict[str, Any]:
    name, value = data["field"], data["value"]
    line = {"record_id": account.id, "account_id": account.id, "field": name}
    if name == "status":
        status, reason = _status(shift, value, data.get("reason", ""))
        changed = account.model_copy(update={"status": status, "reason": reason})
        line |= {"value": str(status), "reason": reason}
        line |= {"old": str(account.status), "old_reason": account.reason}
    elif name == "stage":
        stage = _listed(value, {stage: stage for stage in shift.visible.stages}, "stage")
        changed = account.model_copy(update={"stage": stage})
        line |= {"value": stage, "old": account.stage}
    elif name == "next_step":
        day = iso_day(data["on"]) if data.get("on") else ""
        changed = account.model_copy(update={"next_step": value, "next_step_on": day})
        line |= {"value": value, "on": day, "old": account.next_step, "old_on": account.next_step_on}
    else:
        raise Refused(f"an account has no field {name[:40]!r} to set (it has: {', '.join(ACCOUNT_FIELDS)})")
    shift.office.accounts[account.id] = changed
    return line


def _status(shift: Shift, value: str, reason: str) -> tuple[Status, str]:
    status = Status(_listed(value, {str(status): str(status) for status in Status}, "status"))
    if status is Status.NEW:
        return status, ""
    qualified = status is Status.QUALIFIED
    options = shift.visible.problems if qualified else shift.visible.disqualifiers
    if not reason:
        raise Refused(
            f"{status} needs a reason: choose {'the problem' if qualified else 'why'} from the list"
        )
    return status, _listed(reason, options, "reason")


def _listed(value: str, options: Mapping[str, str], what: str) -> str:
    """Returns the id of a closed list's entry, given as id or label."""
    for key, label in options.items():
        if fold(value) in {fold(key), fold(label)}:
            return key
    raise Refused(f"{value[:60]!r} is no {what} (the list: {', '.join(options.values())})")


def _set_contact(shift: Shift, contact: CrmContact, data: dict[str, Any]) -> dict[str, Any]:
    name = data["field"]
    if name not in CONTACT_FIELDS:
        raise Refused(f"a contact has no field {name[:40]!r} to set (it has: {', '.join(CONTACT_FIELDS)})")
    value = one_address(data["value"]) if name == "address" else data["value"]
    shift.office.contacts[contact.id] = contact.model_copy(update={name: value})
    old = getattr(contact, name)
    return {
        "record_id": contact.id,
        "account_id": contact.account_id,
        "field": name,
        "value": value,
        "old": old,
    }


def _add_contact(shift: Shift, account: CrmAccount, data: dict[str, Any]) -> dict[str, Any]:
    address = one_address(data["address"])
    if any(held.address.lower() == address for held in shift.office.people_of(account.id)):
        raise Refused(f"{account.name} has a contact with the address {address} already")
    contact = CrmContact(
        id=shift.new_id("contact"),
        account_id=account.id,
        name=data["name"],
        role=data.get("role", ""),
        address=address,
        phone=data.get("phone", ""),
    )
    shift.office.contacts[contact.id] = contact
    line = contact.model_dump(exclude={"id", "do_not_contact"})
    return {"contact_id": contact.id, **line}


def _merge(shift: Shift, record_id: str, into: str) -> dict[str, Any]:
    contacts = shift.office.contacts
    gone, kept = contacts.get(record_id), contacts.get(into)
    if gone is None or kept is None or gone.id == kept.id or gone.account_id != kept.account_id:
        raise Refused("only two different contacts of one account can be merged")
    barred = gone.do_not_contact or kept.do_not_contact
    contacts[kept.id] = kept.model_copy(update={"do_not_contact": barred})
    del contacts[gone.id]
    return {
        "record_id": gone.id,
        "into": kept.id,
        "account_id": kept.account_id,
        "old": gone.model_dump(mode="json"),
    }
