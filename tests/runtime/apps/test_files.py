"""Files on pages: found where they lie only, saved and never run, and sent with mails as they were chosen."""

import re

import pytest

from contracts.shift_events import Action

ROBIN = "robin@northwind.example"
LETTER = {"to": ROBIN, "cc": "", "bcc": "", "subject": "Hi", "body": "See attached."}


def attached(work, action):
    return [file["id"] for file in work.data(action).get("attachments", [])]


def ticked(text):
    return re.findall(r'name="files" value="(\w+)" checked', text)


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        ("/mail/m3/attachments/f1", "application/pdf", "Plan%20%28draft%29%20%C3%A9.pdf"),
        ("/mail/m3/attachments/f2", "text/csv; charset=utf-8", "list.csv"),
        ("/mail/m3/attachments/f3", "text/calendar; charset=utf-8", "club.ics"),
        ("/playbook/documents/d1", "application/pdf", "Leaflet.pdf"),
    ],
)
def test_a_download_is_saved_under_its_name_and_never_run(work, path, kind, name):
    answer = work.browser.get(f"{path}/download")
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


def test_no_name_of_a_file_becomes_a_header_or_markup(work):
    answer = work.browser.get("/mail/m3/attachments/f4/download")
    assert re.fullmatch(r"attachment; filename\*=UTF-8''[\w%.-]+", answer.headers["content-disposition"])
    assert "<b onclick" not in work.browser.get("/mail/m3/attachments/f4").text


def test_what_lies_elsewhere_is_not_opened_from_here(work):
    work.browser.get("/mail/m1/attachments/f1")
    work.browser.get("/playbook/documents/f1/download")
    assert [event.type for event in work.shift.events if event.actor == "agent"] == []


def test_a_new_mail_goes_with_what_was_chosen(work):
    work.browser.post("/mail/send", data={**LETTER, "files": ["d1", "f1"]})
    assert attached(work, Action.MAIL_SEND) == ["d1", "f1"]
    work.browser.post("/mail/send", data=LETTER)
    assert attached(work, Action.MAIL_SEND) == []


def test_a_reply_takes_nothing_along_a_forward_what_came_with_the_mail(work):
    assert ticked(work.browser.get("/mail/m3?write=reply").text) == []
    # What is among the documents as well stands there.
    assert sorted(ticked(work.browser.get("/mail/m3?write=forward").text)) == ["f1", "f2", "f3", "f4"]
    work.browser.post("/mail/m3/reply", data={"to": ROBIN, "body": "Thanks."})
    assert attached(work, Action.MAIL_REPLY) == []
    work.browser.post("/mail/m3/forward", data={"to": ROBIN, "body": "See.", "files": ["f1", "f3"]})
    assert attached(work, Action.MAIL_FORWARD) == ["f1", "f3"]
    work.browser.post("/mail/m3/forward", data={"to": ROBIN, "body": "Without."})
    assert attached(work, Action.MAIL_FORWARD) == []


def test_a_refused_mail_keeps_what_was_chosen(work):
    answer = work.browser.post("/mail/send", data={**LETTER, "to": "nobody", "files": ["d1", "f3"]})
    assert answer.status_code == 422
    assert ticked(answer.text) == ["d1", "f3"]


def test_a_file_that_does_not_exist_is_refused(work):
    answer = work.browser.post("/mail/send", data={**LETTER, "files": ["f9"]})
    assert answer.status_code == 422 and "there is no file" in answer.text


def test_a_sent_mail_shows_what_went_with_it(work):
    work.browser.post("/mail/send", data={**LETTER, "files": ["f1"]})
    mail_id = work.data(Action.MAIL_SEND)["mail_id"]
    assert f'href="/mail/{mail_id}/attachments/f1"' in work.browser.get(f"/mail/{mail_id}").text
    assert work.browser.get(f"/mail/{mail_id}/attachments/f1").status_code == 200


def test_each_file_is_offered_once(work):
    work.browser.post("/mail/send", data={**LETTER, "files": ["f1"]})
    offered = re.findall(r'name="files" value="(\w+)"', work.browser.get("/mail/new").text)
    assert offered == ["d1", "f2", "f1", "f3", "f4"]


def test_where_there_is_nothing_to_attach_the_form_says_so(work):
    work.shift.visible = work.shift.visible.model_copy(update={"documents": []})
    work.shift.office.mails.pop("m3")
    assert "There is nothing to attach." in work.browser.get("/mail/new").text
