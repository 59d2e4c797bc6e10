"""What the mail actions do: sending, answering, filing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contracts.files import File
from contracts.shift_events import Action
from contracts.world import Mail, Party
from runtime.composer import Composed, compose, forward
from runtime.fields import Refused

if TYPE_CHECKING:
    from runtime.core import Shift

_FOLDERS = {Action.MAIL_ARCHIVE: "archive", Action.MAIL_DELETE: "trash", Action.MAIL_REPORT: "trash"}


def carry_out(shift: Shift, action: Action, data: dict[str, Any]) -> dict[str, Any]:
    """Changes the mailbox and returns the line's data.

    Raises:
        Refused: the mail or a file does not exist, or nobody is addressed.
    """
    if action is Action.MAIL_SEND:
        own = compose(data["body"], None, (), shift.visible.zone)
        return _send(shift, data, own, data.get("subject", ""), shift.new_id("thread"))
    mail = mail_of(shift, data["mail_id"])
    if action in _FOLDERS:
        shift.office.mails[mail.id] = mail.model_copy(update={"folder": _FOLDERS[action]})
        return {"mail_id": mail.id, "old": {"folder": mail.folder}}
    own_address = shift.visible.rep.address.lower()
    thread = shift.office.thread(mail.thread_id)
    received = [held for held in thread if held.sender.address.lower() != own_address]
    if action is Action.MAIL_FORWARD:
        text = forward(data.get("body", ""), mail, received, shift.visible.zone)
        subject = data.get("subject") or _with_prefix("Fwd: ", mail.subject)
        # What came with the mail goes with it, unless the rep says what shall.
        given = data if "files" in data else data | {"files": [file.id for file in mail.attachments]}
        return {**_send(shift, given, text, subject, mail.thread_id), "answers": mail.id}
    if not data.get("to"):
        back = mail.to if mail.sender.address.lower() == own_address else [mail.sender]
        data["to"] = [party.address.lower() for party in back]
    text = compose(data["body"], mail if data.get("quote") else None, received, shift.visible.zone)
    subject = data.get("subject") or _with_prefix("Re: ", mail.subject)
    return {**_send(shift, data, text, subject, mail.thread_id), "answers": mail.id}


def mail_of(shift: Shift, mail_id: str) -> Mail:
    """Returns a mail of the mailbox.

    Raises:
        Refused: there is none with this id.
    """
    mail = shift.office.mails.get(mail_id)
    if mail is None:
        raise Refused(f"there is no mail {mail_id[:80]!r} in this mailbox")
    return mail


def file_of(shift: Shift, file_id: str) -> File:
    """Returns a document, or what came with a mail.

    Raises:
        Refused: there is none with this id.
    """
    file = shift.office.files().get(file_id)
    if file is None:
        raise Refused(f"there is no file {file_id[:80]!r}")
    return file


def party_of(shift: Shift, address: str) -> Party:
    """Returns an address with the name by which the CRM knows it."""
    known = (held.name for held in shift.office.contacts.values() if held.address.lower() == address)
    return Party(name=next(known, ""), address=address)


def _send(shift: Shift, data: dict[str, Any], text: Composed, subject: str, thread_id: str) -> dict[str, Any]:
    to, cc, bcc = (data.get(name, []) for name in ("to", "cc", "bcc"))
    files = [file_of(shift, file_id) for file_id in data.get("files", [])]
    mail = Mail(
        id=shift.new_id("mail"),
        thread_id=thread_id,
        folder="sent",
        sender=shift.visible.rep,
        to=[party_of(shift, address) for address in to],
        cc=[party_of(shift, address) for address in cc],
        subject=subject,
        body=text.body,
        sent_at=shift.now,
        attachments=files,
    )
    shift.office.mails[mail.id] = mail
    sent = {
        "mail_id": mail.id,
        "thread_id": thread_id,
        "to": to,
        "cc": cc,
        "bcc": bcc,
        "subject": subject,
        "body": text.body,
        "written": text.written,
    }
    return sent | {"attachments": [file.model_dump() for file in files]} if files else sent


def _with_prefix(prefix: str, subject: str) -> str:
    return subject if subject.lower().startswith(prefix.lower()) else prefix + subject
