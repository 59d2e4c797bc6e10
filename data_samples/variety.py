"""What programs and habits add to the mails once all is said: HTML, odd encodings, files of every kind."""

from __future__ import annotations

from data_samples.history import Attachment, History, Mail
from data_samples.ledger import Document, short_number
from data_samples.mailbox import wire
from data_samples.papers import archive_of, letter, picture
from data_samples.quoting import seed_of
from data_samples.styles import style_of
from data_samples.workbooks import Cell, Sheet, workbook

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
WIDE = 90


def finish(h: History) -> None:
    """Give each mail its form and its further files; the same for the same history."""
    documents = {document.number: document for document in h.ledger.documents}
    internal = 0
    for mail in h.mails:
        seed = seed_of(mail)
        _shape(mail, seed)
        if mail.kind == "internal" and mail.parent is None:
            internal += 1
            if internal % WIDE == 5:
                mail.encoding, mail.shape = "utf16", "plain"
        if mail.kind in ("terms_request", "quote", "complaint", "discount_request", "forward"):
            _attach(h, mail, seed, documents)
        style = style_of(mail.sender) if mail.sender else None
        for place, file in enumerate(mail.attachments):
            file.modern = style is not None and (style.quote == "apple" or seed % 2 == 0)
            file.continued = file.modern and (seed + place) % 3 == 0


def _shape(mail: Mail, seed: int) -> None:
    style = style_of(mail.sender) if mail.sender else None
    if mail.kind == "newsletter":
        mail.shape = ("html", "alternative")[seed % 2]
    if style is None or not style.html or mail.calendar:
        return
    mail.shape = ("alternative", "alternative", "alternative", "html", "plain")[seed % 5]
    if mail.shape != "plain" and seed % 7 == 0:
        mark = Attachment("image001.png", "image/png", picture(seed))
        mark.content_id = f"image001.{mail.id[:8]}@{mail.id.partition('@')[2]}"
        mail.attachments.append(mark)


def _attach(h: History, mail: Mail, seed: int, documents: dict[str, Document]) -> None:
    case = mail.case
    if case is None:
        return
    if mail.kind == "quote":
        texts = [file for file in mail.attachments if file.kind == "text/plain"]
        for file in texts if seed % 2 else []:
            lines = file.content.decode().split("\n")
            file.name, file.kind = f"{file.name.removesuffix('.txt')}.docx", WORD
            file.content = letter(lines[0], lines[1:])
    elif mail.kind == "terms_request" and seed % 2 == 0:
        order = documents[case.records["orders"][-1]]
        name = f"Order {short_number(order)} {case.company.short}.xlsx"
        mail.attachments.append(Attachment(name, EXCEL, _order_sheet(order)))
    elif mail.kind == "complaint" and seed % 3 == 0:
        users = "user;last seen\n" + "".join(
            f"user{number:02d};2025-0{1 + (seed + number) % 8}-1{number % 10}\n" for number in range(6)
        )
        packed = archive_of([("export/users.csv", users.encode())])
        mail.attachments.append(Attachment("users.zip", "application/zip", packed))
    elif mail.kind == "discount_request" and seed % 5 == 0:
        lines = [f"Customer: {case.company.name}", f"Asked by {case.rep.name}", "Reason: price of a rival"]
        mail.attachments.append(Attachment("discount_form.docx", WORD, letter("Discount request", lines)))
    elif mail.kind == "forward" and mail.parent is not None and seed % 3 == 0:
        mail.enclosed = True
        name = f"{mail.parent.subject[:40].replace(':', '').replace('/', '-')}.eml"
        mail.attachments.append(Attachment(name, "message/rfc822", wire(mail.parent)))


def _order_sheet(order: Document) -> bytes:
    sheet = Sheet("Order")
    sheet.add(f"Order {short_number(order)}", style="title")
    sheet.add("Material", "Text", "Quantity", "Net USD", style="bold")
    for item in order.items:
        sheet.add(item.material, item.text, item.quantity, Cell(item.net / 100, "money"))
    sheet.add("Total", None, None, Cell(order.net / 100, "money"), style="bold")
    return workbook([sheet])
