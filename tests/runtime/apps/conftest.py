"""A small world with a hostile text in every field that people can write, and a browser on its pages."""

from dataclasses import dataclass

import pytest
from starlette.testclient import TestClient

from contracts.files import File
from contracts.instants import Zone
from contracts.shift_events import Action
from contracts.world import (
    CalendarEvent,
    CrmAccount,
    CrmContact,
    CrmNote,
    Delivery,
    Mail,
    Page,
    PageItem,
    Party,
    Server,
    Site,
    Visible,
)
from runtime.apps.app import create_app
from runtime.core import Shift

ZONE = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)
START = ZONE.instant("2026-10-12 09:00")
ALEX = Party(name="Alex Kim", address="alex.kim@ledgerline.example")
JORDAN = Party(name="Jordan Blake", address="jordan.blake@ledgerline.example")
ROBIN = Party(name="Robin Vale", address="robin@northwind.example")
HOSTILE = "<script>alert('x')</script><b onclick=\"y\">"


def mail(mail_id: str, **more: object) -> Mail:
    values = {
        "id": mail_id,
        "thread_id": "thread-1",
        "folder": "inbox",
        "sender": JORDAN,
        "to": [ALEX],
        "cc": [ROBIN],
        "subject": "Plan for today",
        "body": f"Please work the list.\n{HOSTILE}",
        "sent_at": START,
    }
    return Mail.model_validate(values | more)


def file(file_id: str, name: str, media_type: str, text: str) -> File:
    return File(id=file_id, name=name, media_type=media_type, text=text)


FILES = [
    file("f1", "Plan (draft) é.pdf", "application/pdf", f"First Northwind, then Bluepeak.\n{HOSTILE}"),
    file("f2", "list.csv", "text/csv", f'name,role\n"Vale, Robin",{HOSTILE}\nshort'),
    file(
        "f3", "club.ics", "text/calendar", "BEGIN:VEVENT\nSUMMARY:Club\nDTSTART:20261029T170000\nDTEND:soon"
    ),
    file("f4", f"{HOSTILE}.txt", "text/plain", HOSTILE),
]


def page(path: str, title: str, text: str, internal: bool = False) -> Page:
    items = [PageItem(heading=f"{title} heading", date="October 2, 2026", text=text)]
    return Page(path=path, title=title, items=items, internal=internal)


def site(domain: str, name: str, design: str) -> Site:
    pages = [page("/", "Home", f"Welcome {HOSTILE}"), page("/news", "News", f"{name} pays invoices twice")]
    return Site(domain=domain, name=name, design=design, tagline=f"{name} moves goods", pages=pages)


VISIBLE = Visible(
    company="Ledgerline",
    domain="ledgerline.example",
    rep=ALEX,
    manager=JORDAN,
    zone=ZONE,
    zones=[ZONE, Zone(name="Eastern Time", abbreviation="ET", offset_minutes=-240)],
    starts_at=START,
    length_ms=2_400_000,
    mails=[
        mail("m1"),
        mail("m2", subject="Older thought", body="Earlier words", sent_at=START - 90_000),
        mail("m3", thread_id="thread-3", subject="Files", sent_at=START - 95_000, attachments=FILES),
    ],
    documents=[file("d1", "Leaflet.pdf", "application/pdf", "We pay invoices."), FILES[1]],
    accounts=[
        CrmAccount(
            id="a1",
            name="Northwind Freight",
            website="www.northwind.example",
            fields={
                "industry": "Freight",
                "employees": "420",
                "city": "Oakland",
                "ledger_system": HOSTILE,
                "owner": "Alex",
            },
            stage="Prospect",
            next_step="Research",
            next_step_on="2026-10-13",
        ),
        CrmAccount(id="a2", name="Bluepeak", website="bluepeak.example", fields={"industry": "Retail"}),
    ],
    contacts=[
        CrmContact(
            id="c1",
            account_id="a1",
            name="Robin Vale",
            role="AP Manager",
            address=ROBIN.address,
            phone="555-0101",
        ),
        CrmContact(
            id="c2",
            account_id="a2",
            name="Sam Oak",
            role="CFO",
            address="sam@bluepeak.example",
            do_not_contact=True,
        ),
    ],
    notes=[
        CrmNote(
            id="n1", account_id="a1", text=f"Met in May {HOSTILE}", written_at=START - 9000, author="Alex Kim"
        )
    ],
    calendar=[
        CalendarEvent(id="e1", title="Team sync", starts_at=START + 3600, ends_at=START + 5400),
        CalendarEvent(
            id="e2",
            title=f"Review {HOSTILE}",
            starts_at=START + 4000,
            ends_at=START + 7600,
            attendees=[JORDAN.address],
            status="invited",
        ),
        CalendarEvent(
            id="e3",
            title="Demo",
            starts_at=START + 90_000,
            ends_at=START + 91_800,
            attendees=[ROBIN.address],
            status="accepted",
        ),
    ],
    playbook=[
        page("/who-fits", "Who fits", "Between 200 and 2000 people"),
        page("/prices", "Prices", "Floor", True),
    ],
    sites=[
        site("northwind.example", "Northwind Freight", "harbor"),
        site("bluepeak.example", "Bluepeak", "summit"),
    ],
    problems={"duplicate_payments": "Duplicate payments", "late_fees": "Late fees"},
    disqualifiers={"too_small": "Too small"},
    stages=["Prospect", "Contacted", "Meeting booked"],
)
SERVER = Server(
    schedule=[Delivery(at_ms=30_000, mail=mail("m9", subject="Late news", sender=ROBIN, body="Hello"))],
    buyers=[],
    concepts=[],
    replies=[],
    ask_phrases=[],
    action_cost_ms={},
    meeting_minutes=[15, 60],
    offer_lapse_ms=600_000,
)


@dataclass
class Work:
    """A shift with its pages and a clock set by the test."""

    shift: Shift
    now_ms: int = 1000

    def __post_init__(self) -> None:
        app = create_app(self.shift, lambda: self.now_ms)
        self.browser = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)

    def data(self, action: Action) -> dict[str, object]:
        """Data of the last event, which must be this action."""
        done = [event for event in self.shift.events if event.actor == "agent"]
        assert done[-1].type == action
        return done[-1].data


@pytest.fixture
def work() -> Work:
    return Work(Shift(VISIBLE, SERVER, world_hash="0" * 64))
