"""The state of the simulated company and its clock: processes run in order of time and leave records."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from data_samples.clock import Zone, local
from data_samples.ledger import Document, Ledger
from data_samples.market import Company, Market, Person
from data_samples.rulebook import RuleBook
from data_samples.styles import address_line, write_letter

BEGIN = datetime(2024, 3, 4, 13, 0, tzinfo=UTC)
MOVED = datetime(2025, 1, 6, 5, 0, tzinfo=UTC)
"""From here on support works in the new help desk; what was opened before stays in the old tracker."""
END = datetime(2025, 8, 29, 22, 0, tzinfo=UTC)

Steps = Generator[datetime, None, None]


@dataclass(eq=False)
class Attachment:
    """A file that travels with a mail."""

    name: str
    kind: str
    content: bytes
    content_id: str = ""
    modern: bool = False
    continued: bool = False


@dataclass(eq=False)
class Mail:
    """One mail as it was sent; `text` is what its author wrote, the quote is made from `parent`."""

    id: str
    kind: str
    sender: Person | None
    to: list[Person]
    cc: list[Person]
    sent: datetime
    zone: Zone
    subject: str
    text: str
    parent: Mail | None = None
    case: Case | None = None
    attachments: list[Attachment] = field(default_factory=list)
    calendar: str = ""
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    threaded: bool = True
    amounts: list[tuple[str, str]] = field(default_factory=list)
    change_amounts: list[tuple[str, str]] = field(default_factory=list)
    german: bool = False
    encoding: str = ""
    shape: str = "plain"
    forward: bool = False
    enclosed: bool = False
    report: tuple[Mail, str, str] | None = None
    from_line: str = ""
    to_lines: list[str] = field(default_factory=list)
    cc_lines: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Ticket:
    """One ticket of the deal desk (DD) or of support (SUP)."""

    key: str
    number: int
    project: str
    kind: str
    summary: str
    description: str
    reporter: Person
    assignee: Person | None
    created: datetime
    labels: tuple[str, ...] = ()
    priority: str = "Medium"
    status: str = "Open"
    resolution: str = ""
    resolved: datetime | None = None
    updated: datetime | None = None
    comments: list[tuple[datetime, Person, str]] = field(default_factory=list)
    attachment: str = ""
    case: Case | None = None
    system: str = "jira"
    requester: Person | None = None
    hidden: set[int] = field(default_factory=set)
    changes: list[tuple[datetime, Person, str, str, str]] = field(default_factory=list)
    score: str = "unoffered"

    def comment(self, at: datetime, author: Person, text: str, public: bool = True) -> None:
        """Append a comment; colleagues alone see one that is not public."""
        if not public:
            self.hidden.add(len(self.comments))
        self.comments.append((at, author, text))
        self.updated = at

    def set(self, name: str, value: str, at: datetime, by: Person) -> None:
        """Change the status or priority and remember who did."""
        self.changes.append((at, by, name, str(getattr(self, name)), value))
        setattr(self, name, value)
        self.updated = at

    def resolve(self, at: datetime, resolution: str) -> None:
        """Close the ticket; the assignee's name stands at the change."""
        closed = "Solved" if self.system == "zendesk" else "Done"
        if self.status != closed:
            self.set("status", closed, at, self.assignee or self.reporter)
        self.resolution, self.resolved, self.updated = resolution, at, at


@dataclass(eq=False)
class Case:
    """One story from first contact to payment and complaint, with every record that belongs to it."""

    id: str
    kind: str
    company: Company
    rep: Person
    contact: Person
    rng: Random
    records: dict[str, list[str]] = field(default_factory=dict)
    outcome: dict[str, Any] = field(default_factory=dict)

    def add(self, kind: str, record: str) -> None:
        """Note a record of the case once."""
        kept = self.records.setdefault(kind, [])
        if record not in kept:
            kept.append(record)


@dataclass
class Opportunity:
    """A CRM opportunity with the stages it went through."""

    sf_id: str
    case: Case
    name: str
    created: datetime
    stages: list[tuple[datetime, str, int]] = field(default_factory=list)
    amount: int = 0
    months: int = 12
    discount: int = 0
    description: str = ""
    loss_reason: str = ""
    close: date | None = None


@dataclass
class Activity:
    """A CRM task or event."""

    sf_id: str
    subject: str
    owner: Person
    who: Person | None
    company: Company | None
    at: datetime
    end: datetime | None = None
    text: str = ""
    status: str = "Completed"


class History:
    """Collects what happened; `now` moves forward only."""

    def __init__(self, seed: int, market: Market) -> None:
        """An empty history that starts on the first day."""
        self.seed = seed
        self.market = market
        self.staff = market.staff
        self.now = BEGIN
        self.ledger = Ledger()
        self.mails: list[Mail] = []
        self.tickets: list[Ticket] = []
        self.cases: list[Case] = []
        self.opportunities: list[Opportunity] = []
        self.tasks: list[Activity] = []
        self.events: list[Activity] = []
        self.leads: dict[str, tuple[Case, datetime, str]] = {}
        self.entered: dict[str, datetime] = {}
        self.labels: dict[str, dict[str, Any]] = {}
        self.rules = RuleBook()
        self.drawings: list[Any] = []
        self.changes: list[Any] = []
        self.serial: dict[str, int] = {}
        self.contradictions: list[dict[str, Any]] = []
        self.stale_registers: dict[str, str] = {}
        self.key_accounts: list[Company] = market.customers[:3] + market.customers[3::3]
        keys = {company.id for company in self.key_accounts}
        self.other_accounts = [company for company in market.customers if company.id not in keys]
        self.traps: list[dict[str, Any]] = []
        self.boundary: dict[int, int] = {}
        self.twins: list[tuple[str, Person]] = []
        self.qualification: list[dict[str, Any]] = []
        self._queue: list[tuple[datetime, int, Steps]] = []
        self._spawned = 0
        self._ids: dict[str, int] = {}
        self._calendar: dict[tuple[str, date], list[Activity]] = {}

    def spawn(self, at: datetime, steps: Steps) -> None:
        """Start a process at that time."""
        self._spawned += 1
        heapq.heappush(self._queue, (at, self._spawned, steps))

    def run(self) -> None:
        """Run all processes until the last day of the archive."""
        while self._queue:
            at, number, steps = heapq.heappop(self._queue)
            if at > END:
                continue
            self.now = max(self.now, at)
            following = next(steps, None)
            if following is not None:
                heapq.heappush(self._queue, (max(following, self.now), number, steps))

    def sf_id(self, prefix: str) -> str:
        """The next 18-character CRM id with its check letters."""
        self._ids[prefix] = self._ids.get(prefix, 0) + 1
        salt = int.from_bytes(hashlib.sha256(f"{self.seed}{prefix}".encode()).digest()[:4])
        mixed = (self._ids[prefix] * 2654435 + salt) % 62**6
        letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        core = f"{prefix}5f0000" + "".join(letters[(mixed // 62**power) % 62] for power in range(6))
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
        checks = (sum(core[5 * part + bit].isupper() << bit for bit in range(5)) for part in range(3))
        return core + "".join(alphabet[check] for check in checks)

    def message_id(self, domain: str) -> str:
        """A new Message-ID without its brackets."""
        self._ids["mail"] = self._ids.get("mail", 0) + 1
        digest = hashlib.sha256(f"{self.seed}mail{self._ids['mail']}".encode()).hexdigest()
        return f"{digest[:8]}.{digest[8:18]}@{domain}"

    def mail(
        self,
        kind: str,
        sender: Person,
        to: list[Person],
        subject: str,
        paragraphs: list[str],
        *,
        case: Case | None = None,
        cc: list[Person] | None = None,
        parent: Mail | None = None,
        rng: Random | None = None,
        bare: bool = False,
        amounts: list[tuple[str, str]] | None = None,
        german: bool = False,
    ) -> Mail:
        """The mail that the sender writes now; a reply when it has a parent."""
        rng = rng or (case.rng if case else Random(f"{self.seed}:mail:{len(self.mails)}"))
        text = write_letter(sender, to[0], paragraphs, rng, bare, german)
        if parent is not None and not subject:
            subject = parent.subject if parent.subject.startswith("Re: ") else f"Re: {parent.subject}"
        mail = Mail(
            self.message_id(sender.company.domain),
            kind,
            sender,
            to,
            cc or [],
            self.now,
            sender.zone,
            subject,
            text,
            parent,
            case,
            threaded=rng.random() >= 0.12,
            amounts=amounts or [],
            german=german,
        )
        return self.keep(mail)

    def keep(self, mail: Mail) -> Mail:
        """Keep a mail; its address lines freeze the names as they are now."""
        if mail.sender is not None:
            mail.from_line = address_line(mail.sender, mail.sender.email)
        mail.to_lines = [self._reader_line(mail, person) for person in mail.to]
        mail.cc_lines = [self._reader_line(mail, person) for person in mail.cc]
        self.mails.append(mail)
        if mail.case is not None:
            mail.case.add("mails", mail.id)
        return mail

    def _reader_line(self, mail: Mail, person: Person) -> str:
        """The reader's address as the sender's address book has it: outsiders keep an old one for a while."""
        outside = mail.sender is not None and mail.sender.company is not self.staff.company
        if person.old_email != "" and outside and len(self.mails) % 3 == 0:
            return address_line(person, person.old_email, person.old_last)
        return address_line(person, person.email) if len(self.mails) % 5 else person.email

    def ticket(
        self,
        project: str,
        kind: str,
        summary: str,
        description: str,
        reporter: Person,
        assignee: Person | None,
        case: Case | None = None,
        labels: tuple[str, ...] = (),
    ) -> Ticket:
        """A new ticket created now."""
        moved = project == "SUP" and self.now >= MOVED
        line = "zendesk" if moved else project
        self._ids[line] = self._ids.get(line, 24_016 if moved else 100) + 1
        number = self._ids[line] if moved else 40210 + len(self.tickets)
        ticket = Ticket(
            str(number) if moved else f"{project}-{self._ids[project]}",
            number,
            project,
            kind,
            summary,
            description,
            reporter,
            assignee,
            self.now,
            labels,
            case=case,
            updated=self.now,
            system="zendesk" if moved else "jira",
            status="New" if moved else "Open",
        )
        self.tickets.append(ticket)
        if case is not None:
            case.add("tickets", ticket.key)
        return ticket

    def task(
        self, subject: str, owner: Person, who: Person | None, company: Company, text: str = ""
    ) -> Activity:
        """A finished CRM task logged now."""
        task = Activity(self.sf_id("00T"), subject, owner, who, company, self.now, None, text)
        self.tasks.append(task)
        return task

    def event(
        self,
        subject: str,
        owner: Person,
        who: Person | None,
        company: Company | None,
        start: datetime,
        minutes: int = 30,
    ) -> Activity:
        """A calendar entry of the owner."""
        event = Activity(
            self.sf_id("00U"), subject, owner, who, company, start, start + timedelta(minutes=minutes)
        )
        self.events.append(event)
        self._calendar.setdefault((owner.id, start.date()), []).append(event)
        return event

    def busy(self, owner: Person, start: datetime, minutes: int = 30) -> bool:
        """True where the owner has a standing entry in that span."""
        end = start + timedelta(minutes=minutes)
        return any(
            event.status != "Cancelled" and event.end and event.at < end and start < event.end
            for event in self.entries(owner, start.date())
        )

    def entries(self, owner: Person, day: date) -> list[Activity]:
        """The owner's calendar entries that begin on that day (UTC)."""
        return self._calendar.get((owner.id, day), [])

    def today(self, zone: Zone = Zone.EASTERN) -> date:
        """The date now."""
        return local(self.now, zone).date()

    def document(
        self,
        kind: str,
        case: Case,
        by: Person,
        items: tuple[Any, ...],
        source: Document | None = None,
        reference: str = "",
    ) -> Document:
        """A ledger document of the case, written now."""
        document = self.ledger.write(kind, case.company, self.now, by, items, source, reference)
        name = {"B": "quotes", "C": "orders", "M": "invoices", "O": "credit_memos"}[kind]
        case.add(name, document.number)
        return document
