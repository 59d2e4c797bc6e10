"""Cases: which records of all systems belong to one story from lead to payment and complaint.

Documents are joined by reference first; then deals with quotes by account, time and amount; then tickets,
mails and meetings by the numbers they name, their conversation, their participants and time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from archive.identifiers import derived_id
from contracts.names import fold
from extract.mails import Mail, MailKind
from extract.moments import DAY_SECONDS
from extract.names import NameFinder
from extract.objects import BusinessObject, ObjectGraph
from extract.people import Outsiders
from extract.tickets import Ticket
from extract.unions import Unions

CORE = (
    "lead",
    "opportunity",
    "quote",
    "order",
    "invoice",
    "credit_memo",
    "open_item",
    "payment",
    "credit_item",
)
"""Types that make a case, in the order in which its anchor is chosen."""
_FOLLOWED = {
    "meeting": ("opportunity", "lead"),
    "task": ("opportunity", "lead"),
    "document": ("opportunity", "order", "quote", "invoice"),
    "change_order": ("order", "quote", "invoice", "document"),
}
"""Types that make no case but follow the one of an object that they name, the nearest first."""
_LEEWAY = DAY_SECONDS
_CASELESS = frozenset({MailKind.NEWSLETTER, MailKind.STRANGER, MailKind.BOUNCE})


@dataclass
class Case:
    """One story."""

    case_id: str
    anchor: BusinessObject
    members: dict[str, float] = field(default_factory=dict)
    """Object id -> confidence."""
    accounts: set[str] = field(default_factory=set)
    first: int = 0
    last: int = 0
    mails: list[Mail] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)

    def of_type(self, graph: ObjectGraph, *types: str) -> list[BusinessObject]:
        """Returns its members of some types, by id."""
        return [graph.objects[name] for name in sorted(self.members) if graph.objects[name].type in types]


class CaseBook:
    """All cases with look-up by object and by mail."""

    def __init__(self, cases: list[Case]) -> None:
        """Indexes the cases by member and account."""
        self.cases = cases
        self._by_object = {name: case for case in cases for name in case.members}
        self._by_mail: dict[str, Case] = {}
        self._by_account: dict[str, list[Case]] = defaultdict(list)
        for case in cases:
            for account in sorted(case.accounts):
                self._by_account[account].append(case)

    def of_object(self, name: str) -> Case | None:
        """Returns the case of an object."""
        return self._by_object.get(name)

    def of_mail(self, mail: Mail) -> Case | None:
        """Returns the case of a mail."""
        return self._by_mail.get(mail.message_id)

    def of_accounts(self, accounts: Iterable[str], second: int) -> tuple[Case, float] | None:
        """Returns the case of some accounts that runs at an instant (else the nearest) and how sure it is."""
        found = {case.case_id: case for name in accounts for case in self._by_account.get(name, [])}
        if not found:
            return None
        if len(found) == 1:
            return next(iter(found.values())), 0.85
        ranked = sorted(found.values(), key=lambda case: (_distance(case, second), -case.first, case.case_id))
        return ranked[0], 0.7 if _distance(ranked[0], second) < _distance(ranked[1], second) else 0.6

    def add_member(self, case: Case, name: str, confidence: float) -> None:
        """Puts an object into a case; an object belongs to one case."""
        self._by_object[name] = case
        case.members[name] = confidence

    def add_mail(self, case: Case, mail: Mail, confidence: float) -> None:
        """Puts a mail into a case."""
        self._by_mail[mail.message_id] = case
        case.mails.append(mail)
        self.add_member(case, mail.object_id, confidence)


def link_cases(
    graph: ObjectGraph,
    spans: dict[str, tuple[int, int]],
    outsiders: Outsiders,
    tickets: list[Ticket],
    mails: list[Mail],
) -> CaseBook:
    """Returns the cases with every record that belongs to them."""
    groups = Unions()
    confidence: dict[str, float] = {}
    for relation in graph.relations.values():
        if graph.objects[relation.source].type in CORE and graph.objects[relation.target].type in CORE:
            groups.join(relation.source, relation.target)
            confidence[relation.source] = min(confidence.get(relation.source, 1.0), relation.confidence)
    accounts = _Accounts(graph, outsiders)
    _join_leads(graph, spans, accounts, groups, confidence)
    _join_quotes(graph, spans, accounts, groups, confidence)
    book = CaseBook(_collected(graph, spans, accounts, groups, confidence))
    _add_tickets(book, tickets)
    _add_followers(book, graph, spans, accounts)
    _add_mails(book, graph, tickets, mails)
    return book


class _Accounts:
    """The accounts that an object belongs to."""

    def __init__(self, graph: ObjectGraph, outsiders: Outsiders) -> None:
        self.graph = graph
        self.outsiders = outsiders

    def of(self, found: BusinessObject) -> set[str]:
        """Returns account ids by the object's own parents, its customer's, or its address."""
        graph = self.graph
        names = {account.object_id for account in graph.targets(found.object_id, "account")}
        for parent in (
            *graph.targets(found.object_id, "customer"),
            *graph.targets(found.object_id, "contact"),
        ):
            names |= {account.object_id for account in graph.targets(parent.object_id, "account")}
        if not names and found.attributes.get("email"):
            names |= self.outsiders.accounts_of(found.attributes["email"])
        return names

    def grouped(self, objects: Iterable[BusinessObject]) -> dict[str, list[BusinessObject]]:
        """Returns objects by each account they belong to."""
        by_account: dict[str, list[BusinessObject]] = defaultdict(list)
        for found in objects:
            for account in self.of(found):
                by_account[account].append(found)
        return by_account


def _join_leads(
    graph: ObjectGraph,
    spans: dict[str, tuple[int, int]],
    accounts: _Accounts,
    groups: Unions,
    confidence: dict[str, float],
) -> None:
    """Joins leads without a deal with the first later deal of their account that has no lead."""
    led = {relation.target for relation in graph.relations.values() if relation.qualifier == "opportunity"}
    free = accounts.grouped(deal for deal in graph.of_type("opportunity") if deal.object_id not in led)
    for lead in graph.of_type("lead"):
        if graph.targets(lead.object_id, "opportunity"):
            continue
        began = spans.get(lead.object_id, (0, 0))[0]
        later = [
            deal
            for account in sorted(accounts.of(lead))
            for deal in free.get(account, [])
            if spans.get(deal.object_id, (0, 0))[0] >= began
        ]
        if later:
            deal = min(later, key=lambda one: (spans.get(one.object_id, (0, 0)), one.object_id))
            graph.relate(lead.object_id, deal.object_id, "opportunity", "account and time", 0.8)
            groups.join(lead.object_id, deal.object_id)
            confidence[lead.object_id] = 0.8


def _join_quotes(
    graph: ObjectGraph,
    spans: dict[str, tuple[int, int]],
    accounts: _Accounts,
    groups: Unions,
    confidence: dict[str, float],
) -> None:
    """Joins every quote (or order without one) with the deal that ran in its account at its time."""
    deals = accounts.grouped(graph.of_type("opportunity"))
    loose = [order for order in graph.of_type("order") if not graph.targets(order.object_id, "quote")]
    for document in (*graph.of_type("quote"), *loose):
        second = spans.get(document.object_id, (0, 0))[0]
        running = {
            deal.object_id: deal
            for account in accounts.of(document)
            for deal in deals.get(account, [])
            if _runs(spans.get(deal.object_id), second)
        }
        if not running:
            continue
        equal = [name for name in sorted(running) if running[name].amount == document.amount is not None]
        if len(equal) == 1:
            chosen, sure = equal[0], 0.95
        elif len(running) == 1:
            chosen, sure = next(iter(running)), 0.9
        else:
            chosen = max(running, key=lambda name: (spans[name][0], name))
            sure = 0.6
        graph.relate(document.object_id, chosen, "opportunity", "account, time and amount", sure)
        groups.join(document.object_id, chosen)
        confidence[document.object_id] = min(confidence.get(document.object_id, 1.0), sure)


def _collected(
    graph: ObjectGraph,
    spans: dict[str, tuple[int, int]],
    accounts: _Accounts,
    groups: Unions,
    confidence: dict[str, float],
) -> list[Case]:
    members: dict[str, list[BusinessObject]] = defaultdict(list)
    for found in graph.of_type(*CORE):
        members[groups.root(found.object_id)].append(found)
    cases = []
    for group in members.values():
        anchor = min(group, key=lambda one: (CORE.index(one.type), one.object_id))
        case = Case(derived_id("case", anchor.system, anchor.type, anchor.ident), anchor)
        known = [spans[one.object_id] for one in group if one.object_id in spans]
        case.first = min((first for first, _ in known), default=0)
        case.last = max((last for _, last in known), default=0)
        for found in group:
            case.members[found.object_id] = confidence.get(found.object_id, 1.0)
            case.accounts |= accounts.of(found)
        cases.append(case)
    return sorted(cases, key=lambda case: (case.first, case.case_id))


def _add_tickets(book: CaseBook, tickets: list[Ticket]) -> None:
    for ticket in tickets:
        votes = Counter(case.case_id for name in ticket.named if (case := book.of_object(name)) is not None)
        if votes:
            wanted = min(votes, key=lambda key: (-votes[key], key))
            case = next(
                one for one in map(book.of_object, sorted(ticket.named)) if one and one.case_id == wanted
            )
            book.add_member(case, ticket.object_id, 1.0 if len(votes) == 1 else 0.7)
            case.tickets.append(ticket)


def _add_followers(
    book: CaseBook, graph: ObjectGraph, spans: dict[str, tuple[int, int]], accounts: _Accounts
) -> None:
    for found in (one for name in _FOLLOWED for one in graph.of_type(name)):
        direct = [
            case
            for name in _FOLLOWED[found.type]
            for parent in graph.targets(found.object_id, name)
            if (case := book.of_object(parent.object_id)) is not None
        ]
        if direct:
            book.add_member(direct[0], found.object_id, 1.0)
            continue
        near = book.of_accounts(sorted(accounts.of(found)), spans.get(found.object_id, (0, 0))[0])
        if near is not None:
            book.add_member(near[0], found.object_id, near[1])


def _add_mails(book: CaseBook, graph: ObjectGraph, tickets: list[Ticket], mails: list[Mail]) -> None:
    keys = {ticket.ticket_id: ticket.object_id for ticket in tickets}
    names = NameFinder(
        (fold(account.attributes.get("name", "")), account.object_id) for account in graph.of_type("account")
    )
    placed: dict[str, tuple[Case, float]] = {}
    threads: dict[str, list[tuple[int, Case]]] = defaultdict(list)
    for mail in mails:
        evidence = (
            (mail.named, 1.0),
            ({keys[ticket] for ticket in mail.tickets if ticket in keys}, 0.95),
            (mail.quoted_names, 0.95),
        )
        for objects, sure in evidence:
            found = [case for name in sorted(objects) if (case := book.of_object(name)) is not None]
            if found and mail.kind not in _CASELESS:
                votes = Counter(case.case_id for case in found)
                case = min(found, key=lambda one: (-votes[one.case_id], one.case_id))
                placed[mail.message_id] = (case, sure if len(votes) == 1 else 0.7)
                threads[mail.thread].append((mail.second, case))
                break
    for mail in mails:
        if mail.kind in _CASELESS:
            continue
        choice = (
            placed.get(mail.message_id)
            or _by_conversation(mail, threads)
            or book.of_accounts(sorted(mail.accounts), mail.second)
        )
        if choice is None and not mail.outside:
            mentioned = names.found(f"{mail.subject}\n{mail.own}")
            near = book.of_accounts(sorted(mentioned), mail.second) if len(mentioned) == 1 else None
            choice = (near[0], 0.75) if near else None
        if choice is not None:
            book.add_mail(choice[0], mail, choice[1])


def _by_conversation(mail: Mail, threads: dict[str, list[tuple[int, Case]]]) -> tuple[Case, float] | None:
    near = threads.get(mail.thread)
    if not near:
        return None
    _, case = min(near, key=lambda one: (abs(one[0] - mail.second), one[1].case_id))
    return case, 0.9 if len({other.case_id for _, other in near}) == 1 else 0.7


def _runs(span: tuple[int, int] | None, second: int) -> bool:
    return span is not None and span[0] - _LEEWAY <= second <= span[1] + _LEEWAY


def _distance(case: Case, second: int) -> int:
    return max(0, case.first - second, second - case.last)
