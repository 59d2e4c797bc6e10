"""The workbook that the sales manager keeps by hand: key accounts, discounts granted, commission."""

from __future__ import annotations

from datetime import date
from typing import Any

from data_samples.clock import Zone, local
from data_samples.history import History
from data_samples.ledger import Document
from data_samples.market import Person
from data_samples.workbooks import Cell, Formula, Sheet, workbook

BOOK = "key_accounts.xlsx"
RATE = 3
WRONG_EVERY, WRONG_FIRST = 16, 9


def initials(person: Person) -> str:
    """The letters by which colleagues know the person in lists."""
    return f"{person.first[0]}{person.last[0]}"


def export(h: History) -> bytes:
    """The workbook; discount decisions learn the row in which they stand."""
    return workbook([_accounts(h), _discounts(h), _commission(h)])


def written(h: History) -> str:
    """What the workbook says about people and companies, as text."""
    people = [company.people[0] for company in h.key_accounts]
    quoted = [document.company for document in h.ledger.documents if document.kind == "B"]
    return "\n".join(
        [
            *(f"{person.first[0]}. {person.last}\n{person.company.short}" for person in people),
            *(company.short for company in quoted),
            *(f"{rep.first} {rep.last}" for rep in h.staff.reps),
        ]
    )


def _since(number: int, day: date) -> Cell:
    forms: tuple[Cell, ...] = (
        Cell(day, "date"),
        Cell(f"{day:%m/%Y}"),
        Cell(f"{day.day}.{day.month}.{day.year}"),
        Cell(f"{day:%B %Y}"),
        Cell(day, "date"),
        Cell(f"{day:%Y-%m-%d}"),
    )
    return forms[number % len(forms)]


def _volumes(h: History) -> dict[str, int]:
    totals: dict[str, int] = {}
    for document in h.ledger.documents:
        if document.kind == "M":
            totals[document.company.id] = totals.get(document.company.id, 0) + document.net
    return totals


def _accounts(h: History) -> Sheet:
    sheet, volumes = Sheet("Key accounts"), _volumes(h)
    sheet.add("Key accounts", style="title")
    sheet.add(f"kept by {initials(h.staff.manager)}, last touched 27.8.2025")
    sheet.merged += ["A1:G1", "A2:G2"]
    sheet.add()
    head = ("No", "Account", "Contact", "Phone", "Customer since", "Invoiced USD", "Remark")
    sheet.add(*head, style="bold")
    first, total = len(sheet.rows) + 1, 0
    for number, company in enumerate(h.key_accounts):
        if number == 3:
            sheet.add(*["Second tier", None, None, None, None, None, None], style="yellow")
            sheet.merged.append(f"A{len(sheet.rows)}:G{len(sheet.rows)}")
        if number % 5 == 4:
            sheet.add()
        volume = volumes.get(company.id, 0)
        amount: Cell = Cell(volume / 100, "money")
        if number % 4 == 2:
            amount = Cell(f"{volume / 100:,.2f}")
        else:
            total += volume
        person = company.people[0]
        remark = ("likes to be called", "", "renewal in autumn?", "", "ask for reference")[number % 5]
        style = "red" if number % 6 == 5 else ""
        sheet.add(
            Cell(number + 1, style),
            Cell(company.short, style),
            Cell(f"{person.first[0]}. {person.last}", style),
            Cell(person.phone, style),
            _since(number, customer_since(company.id)),
            amount,
            Cell(remark or None, style),
        )
    last = len(sheet.rows)
    sheet.add()
    sum_cell = Cell(Formula(f"SUM(F{first}:F{last})", total / 100), "bold")
    sheet.add(Cell("Total", "bold"), None, None, None, None, sum_cell)
    return sheet


def customer_since(company_id: str) -> date:
    """The day on which an old customer was first entered in the books."""
    number = int(company_id[1:])
    return date(2016 + number * 7 % 8, 1 + number * 5 % 12, 1 + number * 11 % 28)


def gross(document: Document) -> int:
    """List price of a quote in cents before its discount."""
    return round(document.net * 100 / (100 - document.discount))


def _discounts(h: History) -> Sheet:
    sheet = Sheet("Discounts")
    quotes = {document.number: document for document in h.ledger.documents if document.kind == "B"}
    by_login = {person.login: person for person in h.staff.everyone}
    sheet.add("Discounts granted", style="title")
    sheet.merged.append("A1:G1")
    sheet.add("who allowed it goes into column F - please keep this up to date!!")
    sheet.add("Date", "Customer", "Quote", "List price", "%", "ok by", "Note", style="bold")
    written = 0
    for number, entry in enumerate(h.rules.of("discount")):
        quote = quotes.get(entry["quote"])
        if quote is None or (entry["channel"] == "mail" and number % 4 == 3):
            continue
        written += 1
        if written % 17 == 0:
            sheet.add()
        shown = _percent(h, entry, written)
        day = local(quote.created, Zone.EASTERN).date()
        row = sheet.add(
            _since(0 if number % 3 else 2, day),
            quote.company.short,
            quote.number.lstrip("0"),
            Cell(gross(quote) / 100, "money") if number % 6 else f"{gross(quote) / 100:,.2f}",
            Cell(shown) if number % 5 else f"{shown}%",
            initials(by_login[entry["decider"]]),
            f"{entry['months']} months" if number % 2 else None,
        )
        entry["row"] = f"{BOOK}!Discounts!{row}"
        if entry["channel"] == "sheet":
            entry["evidence"] = entry["row"]
    return sheet


def _percent(h: History, entry: dict[str, Any], written: int) -> int:
    """The percentage as it was typed; now and then not the one that the ledger has."""
    percent = int(entry["percent"])
    if written % WRONG_EVERY != WRONG_FIRST:
        return percent
    h.contradictions.append(
        {
            "kind": "discount_percent",
            "record": entry["quote"],
            "case_id": entry["case_id"],
            "values": {"sheet": str(percent + 1), "erp": str(percent)},
            "true": "erp",
        }
    )
    return percent + 1


def _commission(h: History) -> Sheet:
    sheet = Sheet("Commission")
    sheet.add("Commission by quarter", style="title")
    sheet.merged.append("A1:E1")
    sheet.add()
    sheet.add("Rep", "Quarter", "Orders USD", "Rate", "Commission", style="bold")
    first, total = len(sheet.rows) + 1, 0
    sums: dict[tuple[str, str], int] = {}
    for document in h.ledger.documents:
        if document.kind == "C":
            day = local(document.created, Zone.EASTERN)
            key = (document.by.id, f"Q{(day.month + 2) // 3}/{day:%y}")
            sums[key] = sums.get(key, 0) + document.net
    quarters = list(dict.fromkeys(quarter for _, quarter in sums))
    for rep in h.staff.reps:
        top = len(sheet.rows) + 1
        for number, quarter in enumerate(quarters):
            row, amount = len(sheet.rows) + 1, sums.get((rep.id, quarter), 0)
            paid = amount * RATE / 10_000
            total += amount
            sheet.add(
                Cell(f"{rep.first} {rep.last}" if number == 0 else None, "bold" if number == 0 else ""),
                quarter,
                Cell(amount / 100, "money"),
                Cell(RATE / 100, "percent") if number % 3 else f"{RATE} %",
                Cell(Formula(f"C{row}*{RATE}/100", paid), "money"),
            )
        sheet.merged.append(f"A{top}:A{len(sheet.rows)}")
    last = len(sheet.rows)
    sheet.add()
    sheet.add(
        "Sum",
        None,
        Cell(Formula(f"SUM(C{first}:C{last})", total / 100), "bold"),
        None,
        Cell(Formula(f"SUM(E{first}:E{last})", total * RATE / 10_000), "bold"),
        style="bold",
    )
    sheet.add("2nd half 2024 not yet checked by WM", style="yellow")
    return sheet
