"""The pages: each form performs its action, every visible fact is shown, hostile text stays text."""

import html
import re

import pytest

from contracts.instants import Zone
from contracts.shift_events import Action

ALEX, JORDAN = "alex.kim@ledgerline.example", "jordan.blake@ledgerline.example"
ROBIN = "robin@northwind.example"
HOSTILE = "<script>alert('x')</script>"
ZONE = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)
TIMES = {"day": "2026-10-14", "start": "9:00 AM", "end": "9:30 am"}
AT_NINE = ZONE.instant("2026-10-14 09:00")
SPAN = {"starts_at": AT_NINE, "ends_at": AT_NINE + 1800}

OWN_SCRIPT = re.compile(r'<script src="/static/\w+\.js"(?: defer)?></script>')


def foreign_scripts(text: str) -> list[str]:
    return re.findall(r"<script[^>]*>", OWN_SCRIPT.sub("", text))


FORMS = [
    (
        "/mail/send",
        {
            "to": "Robin Vale <robin@northwind.example>; x@y.example",
            "cc": "",
            "bcc": "",
            "subject": "Hi",
            "body": "A\r\nB",
        },
        Action.MAIL_SEND,
        {"to": [ROBIN, "x@y.example"], "subject": "Hi", "body": "A\nB"},
    ),
    (
        "/mail/m1/reply",
        {"to": JORDAN, "cc": "", "body": "Done"},
        Action.MAIL_REPLY,
        {"written": "Done"},
    ),
    (
        "/mail/m1/reply",
        {"to": JORDAN, "body": "Ok", "quote": "yes"},
        Action.MAIL_REPLY,
        {"written": "Ok"},
    ),
    ("/mail/m1/forward", {"to": "x@y.example", "body": "See"}, Action.MAIL_FORWARD, {"to": ["x@y.example"]}),
    ("/mail/m1/archive", {}, Action.MAIL_ARCHIVE, {"mail_id": "m1"}),
    ("/mail/m1/delete", {}, Action.MAIL_DELETE, {"mail_id": "m1"}),
    ("/mail/m1/report", {}, Action.MAIL_REPORT, {"mail_id": "m1"}),
    (
        "/calendar/invite",
        {**TIMES, "title": "Intro", "attendees": ROBIN, "text": "Hello"},
        Action.INVITE_SEND,
        {**SPAN, "title": "Intro", "attendees": [ROBIN], "text": "Hello"},
    ),
    ("/calendar/block", {**TIMES, "title": "Focus"}, Action.CALENDAR_CREATE, {**SPAN, "title": "Focus"}),
    ("/calendar/e3/reschedule", TIMES, Action.INVITE_UPDATE, {**SPAN, "event_id": "e3"}),
    ("/calendar/e3/cancel", {}, Action.INVITE_CANCEL, {"event_id": "e3"}),
    (
        "/calendar/e2/respond",
        {"answer": "decline"},
        Action.INVITE_RESPOND,
        {"event_id": "e2", "answer": "decline"},
    ),
    ("/calendar/e1/change", {**TIMES, "title": "Sync"}, Action.CALENDAR_UPDATE, {**SPAN, "title": "Sync"}),
    ("/calendar/e1/delete", {}, Action.CALENDAR_DELETE, {"event_id": "e1"}),
    (
        "/crm/a1/status",
        {"value": "Qualified", "reason": "late_fees"},
        Action.CRM_SET_FIELD,
        {"record_id": "a1", "field": "status", "value": "Qualified", "reason": "late_fees"},
    ),
    ("/crm/a1/stage", {"value": "Contacted"}, Action.CRM_SET_FIELD, {"field": "stage", "value": "Contacted"}),
    (
        "/crm/a1/next-step",
        {"value": "Call", "on": "2026-10-15"},
        Action.CRM_SET_FIELD,
        {"field": "next_step", "value": "Call", "on": "2026-10-15"},
    ),
    ("/crm/a1/note", {"text": "Agreed"}, Action.CRM_ADD_NOTE, {"account_id": "a1", "text": "Agreed"}),
    (
        "/crm/a1/contact",
        {"name": "Jo Lin", "role": "CFO", "address": "jo@northwind.example"},
        Action.CRM_ADD_CONTACT,
        {"account_id": "a1", "name": "Jo Lin", "role": "CFO", "address": "jo@northwind.example"},
    ),
    (
        "/crm/a1/contact/c1",
        {"field": "role", "value": "Controller"},
        Action.CRM_SET_FIELD,
        {"record_id": "c1", "field": "role", "value": "Controller"},
    ),
    (
        "/crm/a1/activity",
        {"kind": "Call", "text": "Rang"},
        Action.CRM_ADD_ACTIVITY,
        {"kind": "Call", "text": "Rang"},
    ),
]


@pytest.mark.parametrize(("path", "form", "action", "expected"), FORMS)
def test_a_form_performs_its_action(work, path, form, action, expected):
    answer = work.browser.post(path, data=form)
    assert answer.status_code == 303
    data = work.data(action)
    assert {name: data.get(name) for name in expected} == expected
    assert work.browser.get(answer.headers["location"]).status_code == 200


VIEWS = [
    ("/mail/m1", Action.MAIL_OPEN, {"mail_id": "m1"}),
    ("/mail?q=plan", Action.MAIL_SEARCH, {"query": "plan"}),
    ("/mail/m3/attachments/f2", Action.FILE_OPEN, {"file_id": "f2", "name": "list.csv"}),
    ("/mail/m3/attachments/f2/download", Action.FILE_OPEN, {"file_id": "f2", "name": "list.csv"}),
    ("/playbook/documents/d1", Action.FILE_OPEN, {"file_id": "d1", "name": "Leaflet.pdf"}),
    ("/crm/a1", Action.CRM_OPEN, {"record_id": "a1"}),
    ("/crm?q=robin", Action.CRM_SEARCH, {"query": "robin"}),
    ("/crm?status=New&industry=Freight", Action.CRM_SEARCH, {"query": "status:New industry:Freight"}),
    ("/playbook?q=2000", Action.PLAYBOOK_OPEN, {"path": "?q=2000"}),
    ("/playbook/prices", Action.PLAYBOOK_OPEN, {"path": "/prices"}),
    ("/site/northwind.example/news", Action.SITE_OPEN, {"domain": "northwind.example", "path": "/news"}),
]


@pytest.mark.parametrize(("path", "action", "expected"), VIEWS)
def test_a_view_is_logged_as_its_action(work, path, action, expected):
    assert work.browser.get(path).status_code == 200
    assert work.data(action) == expected


FACTS = {
    "/mail": ["Plan for today", "Older thought", "Jordan Blake", "Inbox", "Sent", "Archive", "Trash"],
    "/mail/m1": [
        JORDAN,
        ALEX,
        ROBIN,
        "Please work the list.",
        "Earlier words",
        "9:00 AM PT",
    ],
    "/mail/m3": [
        "Plan (draft) é.pdf",
        "list.csv",
        "club.ics",
        "Has attachments",
        "Download list.csv",
        "72 bytes",
    ],
    "/mail/m3?write=forward": ['value="f1" checked', 'value="f3" checked', "Leaflet.pdf"],
    "/mail/new": [
        "Attach",
        "Documents",
        "Leaflet.pdf",
        "From your mails",
        "Plan (draft) é.pdf",
        "Jordan Blake",
    ],
    "/mail?q=filename:list": ["Files", "Search results"],
    "/mail/m3/attachments/f1": [
        "First Northwind, then Bluepeak.",
        "PDF document",
        "Back to the mail",
        JORDAN[:6],
    ],
    "/mail/m3/attachments/f2": ["<td>Vale, Robin</td>", "<td>short</td><td></td>", "Download"],
    "/mail/m3/attachments/f3": ["Club", "Thursday, October 29, 5:00 PM", "soon"],
    "/mail/m3/attachments/f4": [HOSTILE, "Text file"],
    "/playbook/documents/d1": ["We pay invoices.", "Back to the playbook"],
    "/mail/m1?write=reply_all": [f'value="{JORDAN}"', f'value="{ROBIN}"'],
    "/crm": [
        "Northwind Freight",
        "Bluepeak",
        "Freight",
        "420",
        "Oakland",
        "New",
        "Prospect",
        "Research",
        "2026-10-13",
    ],
    "/crm/a1": [
        "www.northwind.example",
        "/site/northwind.example/",
        "Ledger system",
        "AP Manager",
        "555-0101",
        "Met in May",
        "Duplicate payments",
        "Too small",
        "Meeting booked",
    ],
    "/crm/a2": ["Do not contact", "Sam Oak", "sam@bluepeak.example"],
    "/crm?q=sam": ["Sam Oak", "Do not contact", "Bluepeak"],
    "/calendar": ["Team sync", "10:00 AM - 10:30 AM", "Demo", "October 12 - 18, 2026", "PT"],
    "/calendar/e2": ["Accept", "Decline", JORDAN, "Pacific Time"],
    "/calendar/e3": ["Reschedule", "Cancel meeting", ROBIN, "accepted"],
    "/mail?q=from:jordan+subject:older": ["Older thought", "Search results"],
    "/crm/contacts": ["Robin Vale", "Northwind Freight", "AP Manager", "555-0101", "Do not contact"],
    "/crm/deals": ["Northwind Freight", "Prospect", "Contacted", "Meeting booked", "No stage", "Bluepeak"],
    "/crm/tasks": ["Next 7 days (1)", "Research", "2026-10-13", "Accounts without a next step (1)"],
    "/crm/activities": ["Met in May", "Northwind Freight", "Note"],
    "/crm/import": ["Paste rows"],
    "/calendar?view=day&day=2026-10-12": ["Monday, October 12, 2026", "Team sync"],
    "/calendar?view=month": ["October 2026", "10:00 AM", "Team sync", "Demo"],
    "/calendar/new?day=2026-10-12&start=10:00": ["Conflicts with", "Team sync (10:00 AM - 10:30 AM)"],
    "/calendar/e3?start=9:15+AM": ["The new time is not sent yet", "9:15 AM"],
    "/playbook?q=2000": ["Who fits", "Between 200 and <mark>2000</mark> people"],
    "/playbook": ["Who fits", "Between 200 and 2000 people", "Prices", "Internal", "Documents", "list.csv"],
    "/site/northwind.example": ["Northwind Freight moves goods", "Welcome", "News"],
    "/site/bluepeak.example/news": ["Bluepeak pays invoices twice", "October 2, 2026", "News heading"],
}


@pytest.mark.parametrize("path", FACTS)
def test_a_page_shows_its_facts(work, path):
    text = html.unescape(work.browser.get(path).text)
    assert [fact for fact in FACTS[path] if fact not in text] == []


@pytest.mark.parametrize("path", [*FACTS, "/calendar/new", "/shift/end", "/mail/badge"])
def test_a_page_has_own_scripts_only_no_other_host_and_shows_nothing_of_the_shift(work, path):
    answer = work.browser.get(path)
    assert foreign_scripts(answer.text) == []
    assert "<b onclick" not in answer.text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text)
    assert "0" * 64 not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; connect-src 'self'" in policy
    assert not re.search(r"\son\w+=|javascript:", OWN_SCRIPT.sub("", re.sub(r"&lt;.*?&gt;", "", answer.text)))


@pytest.mark.parametrize("path", [*FACTS, "/calendar/new"])
def test_every_typed_field_has_a_label(work, path):
    text = work.browser.get(path).text
    labelled = set(re.findall(r'<label[^>]* for="([^"]+)"', text))
    typed = re.findall(r'<(?:input type="(?:text|search)"|textarea|select) id="([^"]+)"', text)
    assert set(typed) <= labelled
    assert len(re.findall(r"<textarea|<select|<input type=\"(?:text|search)\"", text)) == len(typed)


REFUSALS = [
    (
        "/mail/send",
        {"to": "nobody", "subject": "Kept subject", "body": "Kept body"},
        ["nobody", "Kept subject", "Kept body"],
    ),
    (
        "/calendar/invite",
        {**TIMES, "start": "soon", "title": "Kept", "attendees": "a@b.example"},
        ["soon", "Kept"],
    ),
    ("/calendar/block", {**TIMES, "day": "tomorrow", "title": "Kept"}, ["tomorrow", "Kept"]),
    ("/calendar/e3/reschedule", {**TIMES, "end": "8:00 AM"}, ["ends before"]),
    ("/crm/a1/status", {"value": "Qualified", "reason": "too_small"}, ["said refused"]),
    ("/crm/a1/next-step", {"value": "Call", "on": "soon"}, ["soon"]),
    ("/crm/a1/contact", {"name": HOSTILE, "role": "", "address": "x"}, ["said refused"]),
]


@pytest.mark.parametrize(("path", "form", "shown"), REFUSALS)
def test_a_refused_form_says_why_and_keeps_what_was_typed(work, path, form, shown):
    before = (
        work.shift.office.calendar.copy(),
        work.shift.office.accounts.copy(),
        work.shift.office.mails.copy(),
    )
    answer = work.browser.post(path, data=form)
    assert answer.status_code == 422
    assert [part for part in shown if part not in html.unescape(answer.text)] == []
    assert foreign_scripts(answer.text) == []
    assert before == (work.shift.office.calendar, work.shift.office.accounts, work.shift.office.mails)


@pytest.mark.parametrize(
    "path",
    [
        "/mail/none",
        "/mail/m3/attachments/d1",
        "/mail/m1/attachments/f1",
        "/mail/m1/attachments/f1/download",
        "/mail/none/attachments/f1",
        "/playbook/documents/f1",
        "/playbook/documents/none/download",
        "/crm/none",
        "/calendar/none",
        "/playbook/none",
        "/site/none.example/",
        "/log",
        "/events.jsonl",
    ],
)
def test_what_is_not_there_is_not_found(work, path):
    assert work.browser.get(path).status_code == 404


def test_an_invitation_is_answered_from_its_mail(work):
    invitation = work.shift.office.mails["m1"].model_copy(update={"id": "m5", "invite_id": "e2"})
    work.shift.office.mails["m5"] = invitation
    assert "Accept" in work.browser.get("/mail/m5").text
    answer = work.browser.post("/calendar/e2/respond", data={"answer": "accept", "mail": "m5"})
    assert answer.headers["location"] == "/mail/m5?done=respond"
    assert work.shift.office.calendar["e2"].status == "accepted"


@pytest.mark.parametrize(("zone", "hours"), [("", 0), ("Eastern Time", -3), ("Nowhere", 0)])
def test_a_time_may_be_written_in_another_zone(work, zone, hours):
    work.browser.post("/calendar/block", data={**TIMES, "title": "Focus", "zone": zone})
    assert work.data(Action.CALENDAR_CREATE)["starts_at"] == AT_NINE + hours * 3600


def test_addresses_are_offered_once_with_their_names(work):
    offered = html.unescape(work.browser.get("/mail/new").text)
    listed = re.findall(r'<option value="([^"]+@[^"]+)">', offered)
    assert f"Robin Vale <{ROBIN}>" in listed
    assert len(listed) == len(set(listed)) == 3
    assert not any(ALEX in one for one in listed)


def test_time_passes_by_the_clock_and_new_mail_shows(work):
    assert "1 unread" not in work.browser.get("/mail/badge").text
    before = work.browser.get("/mail").text
    work.now_ms = 31_000
    assert "Late news" not in before
    assert "Late news" in work.browser.get("/mail").text
    assert "4 unread" in work.browser.get("/mail/badge").text


def test_the_shift_ends_by_its_button_only_once_confirmed(work):
    assert "End shift now" in work.browser.get("/shift/end").text
    assert not work.shift.locked
    assert "Shift ended" in work.browser.post("/shift/end").text
    assert work.shift.end_reason == "end_shift"
    count = len(work.shift.events)
    assert "Shift ended" in work.browser.post("/crm/a1/note", data={"text": "late"}).text
    assert len(work.shift.events) == count


def test_the_shift_ends_when_its_time_is_over(work):
    work.now_ms = work.shift.visible.length_ms
    assert "Shift ended" in work.browser.get("/mail").text
    assert work.shift.end_reason == "time_limit"


def test_a_site_is_served_by_its_host_name_and_apps_link_to_it(work):
    answer = work.browser.get("/news", headers={"host": "www.northwind.example"})
    assert "Northwind Freight pays invoices twice" in answer.text
    assert 'href="/news"' in answer.text
    record = work.browser.get("/crm/a1", headers={"host": "crm.ledgerline.example"})
    assert 'href="http://northwind.example/"' in record.text
    assert work.browser.get("/", headers={"host": "crm.ledgerline.example"}).headers["location"] == "/crm"


def test_two_sites_are_designed_differently(work):
    pages = [work.browser.get(f"/site/{site.domain}/").text for site in work.shift.visible.sites]
    bodies = [re.search('<body class="(\\w+) ', text) for text in pages]
    assert len({body[1] for body in bodies if body}) == 2


@pytest.mark.parametrize("path", ["/static/suite.css", "/static/mail.js", "/mail"])
def test_no_answer_tells_a_day_of_the_machine(work, path):
    headers = work.browser.get(path).headers
    assert not {"last-modified", "etag", "date"} & set(headers)
