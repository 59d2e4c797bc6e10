"""From clean tables to the company model: the order of the work and the files that it leaves.

Writes `model/log-*.parquet`, `model/cases.parquet`, `model/company_model.json` and `clean/log.ocel.sqlite`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable

from archive.home import DatasetHome
from archive.store import TableStore, replace_file
from contracts.company_log import CASES
from contracts.company_model import CompanyModel, Share, Workflow
from contracts.manifest import TopicMap
from extract.cases import CORE, CaseBook, link_cases
from extract.condition import crm_condition, market
from extract.criteria import mine_criteria
from extract.dataset import Dataset, open_dataset
from extract.decisions import Sources, find_decisions
from extract.documents import add_documents, document_events
from extract.events import Event, in_order, mail_events, record_events, spans, ticket_events
from extract.figures import share, tally
from extract.log import case_table, company_log, write_log
from extract.mails import read_mails
from extract.meetings import appointments, meeting_figures, read_invitations
from extract.objects import ObjectGraph, build_objects
from extract.ocel import write_ocel
from extract.outcomes import find_outcomes
from extract.outreach import find_exchanges
from extract.people import Outsiders, Staff
from extract.recorded import recorded_cases
from extract.response import judge_pitches, response_model
from extract.rules import mine_rules
from extract.texture import texture
from extract.tickets import read_tickets
from extract.traps import find_patterns, trap_patterns
from extract.workflow import mine_workflow

MODEL_FILE = "company_model.json"
OCEL_FILE = "log.ocel.sqlite"
STEPS = ("objects", "mails", "cases", "log", "decisions", "figures", "write")

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how many steps are done, and of how many."""


def extract_dataset(home: DatasetHome, topics: TopicMap | None, progress: Progress) -> CompanyModel:
    """Returns the company model of a dataset after writing it with log and cases.

    What the dataset lacks (mail, tickets, a ledger) leaves its figures empty with n = 0.

    Args:
        home: a dataset with clean tables.
        topics: map from the archive's subjects to template concepts; None leaves the response model out.
        progress: called before every step and at the end.

    Raises:
        ExtractError: there are no readable clean tables.
    """

    def step(name: str) -> None:
        progress(name, STEPS.index(name), len(STEPS))

    step("objects")
    data = open_dataset(home)
    graph = build_objects(data)
    documents = add_documents(data, graph)
    staff, outsiders = Staff(data, graph), Outsiders(graph)
    step("mails")
    mails = read_mails(data, graph, staff, outsiders)
    tickets = read_tickets(data, graph)
    exchanges = find_exchanges(mails)
    step("cases")
    events = in_order(
        [
            *record_events(data, graph, staff),
            *document_events(data, graph, staff, documents),
            *ticket_events(tickets, staff),
            *mail_events(mails, exchanges, graph),
        ]
    )
    times = spans(events)
    book = link_cases(graph, times, outsiders, tickets, mails)
    step("log")
    log = company_log(events, graph)
    step("decisions")
    decided = find_decisions(Sources(graph, staff, book, mails, tickets, times, data.zone))
    step("figures")
    pitches = judge_pitches(exchanges, topics, graph) if topics is not None else []
    invitations = read_invitations(data, mails)
    booked = appointments(invitations, exchanges)
    found = find_patterns(data, graph, staff, mails, exchanges, booked)
    companies = market(graph)
    model = CompanyModel(
        dataset=home.name,
        currency=data.manifest.company.currency,
        counts=_counts(data, graph, events),
        cases=len(book.cases),
        linked=_linked(graph, book),
        workflows=_workflows(events, book),
        rules=mine_rules(decided),
        outcomes=find_outcomes(data, graph, tickets),
        response=response_model(pitches),
        meetings=meeting_figures(data, graph, mails, exchanges, invitations),
        crm=crm_condition(data, graph, found, events[-1].at.second if events else 0),
        texture=texture(mails),
        qualification=mine_criteria(decided),
        industries=companies.industries,
        sizes=companies.sizes,
        regions=companies.regions,
        traps=trap_patterns(found, exchanges, booked, book),
        recorded_cases=recorded_cases(book, graph, pitches, found),
    )
    step("write")
    store = TableStore(home.model)
    write_log(store, log)
    store.write(CASES.name, case_table(book.cases, graph))
    write_ocel(home.clean / OCEL_FILE, log)
    replace_file(home.model / MODEL_FILE, model_bytes(model))
    progress("write", len(STEPS), len(STEPS))
    return model


def model_bytes(model: CompanyModel) -> bytes:
    """Returns the model as JSON with sorted keys: the same model gives the same bytes."""
    content = model.model_dump(mode="json")
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"


def _counts(data: Dataset, graph: ObjectGraph, events: list[Event]) -> dict[str, int]:
    counts = {f"rows.{name}": frame.height for name, frame in data.tables.items()}
    counts |= {f"rows.{table.name}": len(table.rows) for table in data.records}
    counts |= {f"objects.{kind}": n for kind, n in tally(one.type for one in graph.objects.values()).items()}
    return {**counts, "events": len(events), "relations": len(graph.relations)}


def _linked(graph: ObjectGraph, book: CaseBook) -> dict[str, Share]:
    """Returns per system the share of records of case-bearing types that share a case with another record."""
    size = Counter({case.case_id: len(case.members) for case in book.cases})
    by_system: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for found in graph.of_type(*CORE, "complaint", "mail", "meeting"):
        case = book.of_object(found.object_id)
        by_system[found.system].append((found.record, case is not None and size[case.case_id] > 1))
    return {
        system: share([record for record, linked in pairs if linked], len(pairs))
        for system, pairs in sorted(by_system.items())
    }


def _workflows(events: list[Event], book: CaseBook) -> list[Workflow]:
    """Returns one workflow per kind of case (the type of its anchor), from the events of its members."""
    rows: dict[str, list[tuple[str, int, str, int]]] = defaultdict(list)
    for seq, event in enumerate(events):
        for name, qualifier, _, _ in event.objects:
            case = book.of_object(name) if qualifier == "subject" else None
            if case is not None:
                rows[case.anchor.type].append((case.case_id, seq, event.activity, event.at.second))
    return [mine_workflow(name, rows[name]) for name in sorted(rows)]
