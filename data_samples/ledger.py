"""Quotes, orders, invoices, payments of the ledger; amounts are whole cents. Decisions stand in deals."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import ClassVar

from data_samples.market import Company, Person

PRODUCT = "Tarnwick Payables"
NET_DAYS = 30


@dataclass(frozen=True)
class Item:
    """One line of a document: quantity times unit price in cents."""

    material: str
    text: str
    quantity: int
    price: int

    @property
    def net(self) -> int:
        """Line total in cents."""
        return self.quantity * self.price


@dataclass(eq=False)
class Document:
    """A quote (kind B), an order (kind C), an invoice (M) or a credit memo (O)."""

    number: str
    kind: str
    company: Company
    created: datetime
    by: Person
    items: tuple[Item, ...]
    source: Document | None = None
    reference: str = ""
    rejected: bool = False
    discount: int = 0
    months: int = 12
    net_days: int = NET_DAYS

    @property
    def net(self) -> int:
        """Total in cents."""
        return sum(item.net for item in self.items)


@dataclass(eq=False)
class Receivable:
    """An open or cleared customer item in the books."""

    document: Document
    number: str
    booked: date
    due: date
    cleared: date | None = None
    clearing: str = ""


@dataclass(eq=False)
class Delivery:
    """A parcel that left the house for an order."""

    number: str
    order: Document
    created: datetime
    shipped: date


@dataclass
class Ledger:
    """All documents in the order in which they were written."""

    documents: list[Document] = field(default_factory=list)
    receivables: list[Receivable] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)

    _STARTS: ClassVar[dict[str, int]] = {
        "B": 20004117,
        "C": 30002285,
        "M": 90007313,
        "O": 95000141,
        "F": 1800003301,
        "P": 1400005518,
        "L": 80011206,
        "K": 100230,
    }

    def number(self, kind: str) -> str:
        """The next number of the range, ten digits as the ledger stores it; there are gaps."""
        step = 1 + (self.counters.get(kind, 0) * 7 + 3) % 3
        self.counters[kind] = self.counters.get(kind, 0) + 1
        last = self.counters.get(f"{kind}#", self._STARTS[kind]) + step
        self.counters[f"{kind}#"] = last
        return f"{last:010d}"

    def write(
        self,
        kind: str,
        company: Company,
        at: datetime,
        by: Person,
        items: tuple[Item, ...],
        source: Document | None = None,
        reference: str = "",
    ) -> Document:
        """The new document, numbered and kept."""
        document = Document(self.number(kind), kind, company, at, by, items, source, reference)
        self.documents.append(document)
        if not company.kunnr:
            company.kunnr = self.number("K")
        return document

    def book(self, document: Document, day: date, days: int = NET_DAYS) -> Receivable:
        """The open item that an invoice or credit memo leaves in the books."""
        item = Receivable(document, self.number("F"), day, day + timedelta(days=days))
        self.receivables.append(item)
        return item


def compose(rng: Random, target: int) -> tuple[Item, ...]:
    """Items whose total is exactly the target in cents."""
    seats = rng.randrange(5, 25)
    price = max(1000, target * rng.randrange(50, 72) // 100 // seats // 50 * 50)
    items = [Item("TW-CORE", f"{PRODUCT}, annual licence per user", seats, price)]
    left = target - items[0].net
    days = rng.choice((1, 2, 3, 4))
    training = left // 4 // days // 5000 * 5000
    if training > 0 and rng.random() < 0.7:
        items.append(Item("TW-TRAIN", "Training day", days, training))
        left -= items[1].net
    items.append(Item("TW-ONB", "Onboarding and ledger connection", 1, left))
    return tuple(items)


def short_number(document: Document) -> str:
    """The number as people write it, without leading zeros."""
    return document.number.lstrip("0")


def split(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The licence lines, billed first, and the services, billed once delivered."""
    return items[:1], items[1:]


def write_amount(cents: int, form: str) -> str:
    """The amount as people write it; a short form only where it loses nothing."""
    whole, part = divmod(cents, 100)
    if form == "k" and part == 0 and whole % 100 == 0 and whole >= 1000:
        return f"${whole / 1000:.1f}k".replace(".0k", "k")
    if form == "german":
        return f"{whole:,}".replace(",", ".") + f",{part:02d} USD"
    if form == "iso":
        return f"USD {whole:,}.{part:02d}"
    if form == "short" and part == 0:
        return f"${whole:,}"
    return f"${whole:,}.{part:02d}"
