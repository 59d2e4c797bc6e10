"""The CRM's lists, board, import and history: each shows what it should and performs its action."""

import html
import re

import pytest

from contracts.shift_events import Action

ROBIN = "robin@northwind.example"
HOSTILE = "<script>alert('x')</script>"
OWN_SCRIPT = re.compile(r'<script src="/static/\w+\.js"(?: defer)?></script>')


def foreign_scripts(text: str) -> list[str]:
    return re.findall(r"<script[^>]*>", OWN_SCRIPT.sub("", text))


FILTERS = [
    ("/crm?industry=Freight", ["Northwind Freight"], ["bluepeak.example"]),
    ("/crm?industry=Nothing", ["Northwind Freight", "bluepeak.example"], []),
    ("/crm?q=blue&industry=Retail", ["bluepeak.example"], ["www.northwind.example"]),
    ("/crm?stage=Prospect", ["Northwind Freight"], ["bluepeak.example"]),
    ("/crm/contacts?role=CFO", ["Sam Oak"], ["Robin Vale"]),
    ("/crm/contacts?account=Northwind+Freight", ["Robin Vale"], ["Sam Oak"]),
]


@pytest.mark.parametrize(("path", "shown", "hidden"), FILTERS)
def test_a_filter_leaves_what_has_the_value(work, path, shown, hidden):
    text = work.browser.get(path).text
    assert [part for part in shown if part not in text] == []
    assert [part for part in hidden if part in text] == []


@pytest.mark.parametrize(
    ("sort", "first"), [("name", "Bluepeak"), ("-name", "Northwind"), ("other", "Northwind")]
)
def test_a_list_is_sorted_by_the_column_asked_for(work, sort, first):
    assert re.findall(r'<a class="strong"[^>]*>(\w+)', work.browser.get(f"/crm?sort={sort}").text)[0] == first


LISTS = [
    ("Northwind Freight,Jo Lin,CFO,jo@northwind.example,555", ["jo@northwind.example"], ""),
    ("name;email\nJo Lin;jo@northwind.example", ["jo@northwind.example"], ""),
    ("a2\tJo Lin\tCFO\tjo@bluepeak.example", ["jo@bluepeak.example"], ""),
    (
        "Nobody,Jo Lin,CFO,jo@nobody.example\na2,Al,,al@bluepeak.example",
        ["al@bluepeak.example"],
        "no account",
    ),
    (f"a1,Robin,,{ROBIN}", [], "already"),
    ("a1,Jo,,", [], "name or email is missing"),
    (f"a1,{HOSTILE},,x", [], "name or email is missing"),
    ("", [], ""),
]


@pytest.mark.parametrize(("pasted", "added", "fault"), LISTS)
def test_an_imported_list_adds_the_contacts_it_can_and_says_what_it_cannot(work, pasted, added, fault):
    before = set(work.shift.office.contacts)
    preview = work.browser.post("/crm/import", data={"list": pasted})
    assert preview.status_code == 200
    assert set(work.shift.office.contacts) == before
    answer = work.browser.post("/crm/import", data={"list": pasted, "confirmed": "yes"})
    contacts = work.shift.office.contacts
    assert [held.address for held in contacts.values() if held.id not in before] == added
    assert fault in html.unescape(answer.text)
    assert foreign_scripts(answer.text) == []
    assert [e.type for e in work.shift.events if e.actor == "agent" and e.type != "action.refused"] == [
        Action.CRM_ADD_CONTACT
    ] * len(added)


def test_contacts_of_one_account_are_merged(work):
    work.browser.post("/crm/a1/contact", data={"name": "R. Vale", "address": "r@northwind.example"})
    double = next(held.id for held in work.shift.office.contacts.values() if held.name == "R. Vale")
    answer = work.browser.post("/crm/a1/merge", data={"record_id": double, "into": "c1"})
    assert answer.status_code == 303
    assert work.data(Action.CRM_MERGE)["into"] == "c1"
    assert work.browser.post("/crm/a1/merge", data={"record_id": "c2", "into": "c1"}).status_code == 422


def test_a_contact_form_sets_only_what_was_changed(work):
    form = {"name": "Robin Vale", "role": "Controller", "address": ROBIN, "phone": "555-0199"}
    assert work.browser.post("/crm/a1/contact/c1", data=form).status_code == 303
    done = [e.data["field"] for e in work.shift.events if e.type == Action.CRM_SET_FIELD]
    assert done == ["role", "phone"]
    assert work.browser.post("/crm/a1/contact/c1", data=form).headers["location"].endswith("done=same")
    assert work.browser.post("/crm/a1/contact/c1", data={"do_not_contact": "no"}).status_code == 404


def test_a_record_tells_its_history(work):
    work.browser.post("/crm/a1/stage", data={"value": "Contacted"})
    work.browser.post("/crm/a1/status", data={"value": "Qualified", "reason": "late_fees"})
    work.browser.post("/mail/send", data={"to": ROBIN, "subject": "About fees", "body": "Hello"})
    text = html.unescape(work.browser.get("/crm/a1").text)
    told = ["Prospect -> Contacted", "New -> Qualified - Late fees", "About fees", "Met in May", "Demo"]
    assert [part for part in told if part not in text] == []
    changes = html.unescape(work.browser.get("/crm/a1?show=changes").text)
    assert "Prospect -> Contacted" in changes
    assert "Met in May" not in changes


def test_a_deal_moved_on_the_board_leads_back_to_it(work):
    answer = work.browser.post("/crm/a1/stage?back=deals", data={"value": "Contacted"})
    assert answer.headers["location"] == "/crm/deals"
