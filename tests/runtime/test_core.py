"""The core: same actions at same times give the same log; wrong use changes nothing; the end is the end."""

import pytest

from contracts.canonical import CanonicalError
from contracts.shift_events import Action, EndReason, log_lines, read_log
from runtime.core import Shift
from runtime.errors import RuntimeShiftError

PITCH = "Hi,\n\nyou paid suppliers twice in Leeds. Could we meet for 30 minutes?"
BUYER = "bookable@company0.example"


@pytest.fixture
def shift(small_visible, small_server):
    return Shift(small_visible, small_server, world_hash="0" * 64)


def kinds(shift):
    return [event.type for event in shift.events]


def send(shift, at_ms, to=BUYER, body=PITCH, **more):
    return shift.apply(Action.MAIL_SEND, {"to": [to], "subject": "Hello", "body": body, **more}, at_ms)


def test_scheduled_mails_arrive_for_an_agent_that_does_nothing(shift):
    shift.tick_to(10_000_000)
    assert kinds(shift) == ["shift.start", "mail.deliver", "notice", "lock"]
    assert shift.events[-1].at_ms == shift.visible.length_ms
    assert shift.events[-1].data == {"end_reason": "time_limit"}


def test_the_same_actions_give_the_same_chained_log_however_time_is_cut(small_visible, small_server):
    logs = []
    for steps in ([], [1_000, 7_000, 31_000, 60_000]):
        shift = Shift(small_visible, small_server, world_hash="0" * 64)
        send(shift, 1_000)
        for step in steps:
            shift.tick_to(step)
        shift.apply(Action.SHIFT_END, {}, 90_000)
        logs.append(list(log_lines(shift.events)))
    assert logs[0] == logs[1]
    assert [event.type for event in read_log(logs[0])][-2:] == ["shift.end", "lock"]
    with pytest.raises(CanonicalError):
        read_log([*logs[0][:2], *logs[0][3:]])


def test_time_never_runs_backwards(shift):
    shift.tick_to(5_000)
    with pytest.raises(RuntimeShiftError, match="present"):
        shift.tick_to(4_000)


def test_nothing_happens_after_the_end(shift):
    shift.apply(Action.SHIFT_END, {}, 1_000)
    before = shift.events
    assert send(shift, 2_000).refused == "the shift is over"
    shift.tick_to(9_000_000)
    shift.lock(EndReason.AGENT_STOPPED)
    assert shift.events == before
    assert shift.end_reason is EndReason.END_SHIFT
    assert shift.next_event_ms is None


def test_the_next_event_is_told_before_it_happens(shift):
    assert shift.next_event_ms == 5_000
    shift.tick_to(5_000)
    assert shift.next_event_ms == shift.visible.length_ms


@pytest.mark.parametrize(
    ("action", "data", "reason"),
    [
        (Action.MAIL_SEND, {"subject": "s", "body": "b"}, "to is missing"),
        (Action.MAIL_SEND, {"to": ["nobody"], "body": "b"}, "no mail address"),
        (Action.MAIL_SEND, {"to": BUYER, "body": "b"}, "list of mail addresses"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b", "from": "x"}, "takes no from"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b" * 20_001}, "20001 characters"),
        (Action.MAIL_OPEN, {"mail_id": "m-9"}, "no mail 'm-9'"),
        (Action.MAIL_REPLY, {"mail_id": "m-1", "body": ""}, "body is missing"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b", "files": ["f-9"]}, "no file 'f-9'"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b", "files": "f-1"}, "list of ids"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b", "files": [1]}, "list of ids"),
        (Action.MAIL_SEND, {"to": [BUYER], "body": "b", "files": ["f-1"] * 21}, "the most is 20"),
        (Action.MAIL_REPLY, {"mail_id": "m-1", "body": "b", "files": ["\ud800"]}, "half a character"),
        (Action.MAIL_FORWARD, {"mail_id": "m-1", "to": [BUYER], "files": ["f-9"]}, "no file 'f-9'"),
        (Action.FILE_OPEN, {"file_id": "f-9"}, "no file 'f-9'"),
        (Action.FILE_OPEN, {}, "file_id is missing"),
        (Action.INVITE_SEND, {"starts_at": 2, "ends_at": 1, "attendees": [BUYER]}, "ends before"),
        (Action.INVITE_SEND, {"starts_at": True, "ends_at": 1, "attendees": [BUYER]}, "must be int"),
        (Action.INVITE_CANCEL, {"event_id": "e-1"}, "no guests"),
        (Action.INVITE_RESPOND, {"event_id": "e-1", "answer": "accept"}, "no invitation"),
        (Action.CALENDAR_DELETE, {"event_id": "e-9"}, "no calendar entry"),
        (Action.CRM_ADD_NOTE, {"account_id": "x", "text": "t"}, "no record 'x'"),
        (Action.CRM_SET_FIELD, {"record_id": "acc-Acme", "field": "owner", "value": "me"}, "no field"),
        (Action.CRM_SET_FIELD, {"record_id": "acc-Acme", "field": "status", "value": "Qualified"}, "reason"),
        (
            Action.CRM_SET_FIELD,
            {"record_id": "acc-Acme", "field": "status", "value": "Not a fit", "reason": "Other"},
            "is no reason",
        ),
        (
            Action.CRM_SET_FIELD,
            {"record_id": "acc-Acme", "field": "next_step", "value": "Call", "on": "2026-02-30"},
            "no date",
        ),
        (
            Action.CRM_ADD_CONTACT,
            {"account_id": "acc-Acme", "name": "P", "address": "delegate@acme.example"},
            "already",
        ),
        (Action.WAIT, {"ms": -1}, "negative"),
    ],
)
def test_wrong_use_is_logged_with_its_reason_and_changes_nothing(shift, action, data, reason):
    before = repr(shift.office)
    result = shift.apply(action, data, 1_000)
    assert reason in result.refused
    assert result.event is not None and result.event.type == "action.refused"
    assert repr(shift.office) == before


def test_a_mail_keeps_apart_what_the_rep_wrote(shift):
    received = shift.office.mails["m-1"].body
    plain = shift.apply(Action.MAIL_REPLY, {"mail_id": "m-1", "body": "Done.", "quote": True}, 1_000)
    assert plain.event.data["to"] == ["jordan@ledgerline.example"]
    assert plain.event.data["written"] == "Done."
    assert "> Thank you." in plain.event.data["body"]
    copied = shift.apply(Action.MAIL_REPLY, {"mail_id": "m-1", "body": f"As you said: {received}"}, 2_000)
    assert copied.event.data["written"] == "As you said:"
    typed = shift.apply(Action.MAIL_REPLY, {"mail_id": "m-1", "body": "> free trial for you"}, 3_000)
    assert typed.event.data["written"] == "> free trial for you"


def attached(result):
    return [file["name"] for file in result.event.data.get("attachments", [])]


def test_a_mail_carries_what_was_chosen_a_reply_nothing_more_a_forward_what_came_with_it(shift):
    mail, there = {"mail_id": "m-1", "body": "See."}, {"to": [BUYER]}
    first = send(shift, 1_000, files=["f-2", "f-1", "f-2"])
    assert attached(first) == ["Contacts.csv", "Plan.pdf"]
    assert attached(send(shift, 2_000)) == []
    assert attached(shift.apply(Action.MAIL_REPLY, {**mail, "quote": True}, 3_000)) == []
    assert attached(shift.apply(Action.MAIL_REPLY, {**mail, "files": ["f-2"]}, 4_000)) == ["Contacts.csv"]
    assert attached(shift.apply(Action.MAIL_FORWARD, mail | there, 5_000)) == ["Plan.pdf"]
    chosen = {**mail, **there, "files": ["f-2"]}
    assert attached(shift.apply(Action.MAIL_FORWARD, chosen, 6_000)) == ["Contacts.csv"]
    assert attached(shift.apply(Action.MAIL_FORWARD, {**chosen, "files": []}, 7_000)) == []
    held = shift.office.mails[first.event.data["mail_id"]]
    assert [file.name for file in held.attachments] == ["Contacts.csv", "Plan.pdf"]


def test_what_the_log_tells_of_an_attachment_is_all_that_it_says(shift):
    (file,) = send(shift, 1_000, files=["f-2"]).event.data["attachments"]
    assert file == shift.visible.documents[0].model_dump()
    opened = shift.apply(Action.FILE_OPEN, {"file_id": "f-1"}, 2_000).event
    assert opened.data == {"file_id": "f-1", "name": "Plan.pdf"}


def test_a_file_that_has_not_arrived_yet_is_not_there(small_visible, small_server):
    (due, *rest) = small_server.schedule
    late = small_visible.documents[0].model_copy(update={"id": "f-late"})
    bringing = due.model_copy(update={"mail": due.mail.model_copy(update={"attachments": [late]})})
    server = small_server.model_copy(update={"schedule": [bringing, *rest]})
    shift = Shift(small_visible, server, world_hash="0" * 64)
    assert send(shift, due.at_ms - 1, files=["f-late"]).refused
    assert attached(send(shift, due.at_ms, files=["f-late"])) == ["Contacts.csv"]


def test_a_forward_carries_the_mail_and_only_the_words_above_are_written(shift):
    data = {"mail_id": "m-1", "to": ["Pat <x@y.example>"], "body": "FYI"}
    event = shift.apply(Action.MAIL_FORWARD, data, 1_000).event
    assert (event.data["to"], event.data["written"]) == (["x@y.example"], "FYI")
    assert "Please work through" in event.data["body"]


def test_status_takes_ids_and_labels_and_logs_ids(shift):
    for value in ("duplicate_payments", "Duplicate payments"):
        data = {"record_id": "acc-Acme", "field": "status", "value": "Qualified", "reason": value}
        event = shift.apply(Action.CRM_SET_FIELD, data, shift.now_ms + 1).event
        assert event.data["reason"] == "duplicate_payments"
    assert (event.data["old"], event.data["old_reason"]) == ("Qualified", "duplicate_payments")


def test_merging_keeps_one_contact_and_any_do_not_contact(shift):
    data = {"record_id": "con-delegate", "into": "con-out_of_office"}
    assert shift.apply(Action.CRM_MERGE, data, 1).done
    assert [person.id for person in shift.office.people_of("acc-Acme")] == ["con-out_of_office"]


def test_calendar_entries_come_move_and_go_with_their_old_times(shift):
    made = shift.apply(Action.CALENDAR_CREATE, {"title": "Focus", "starts_at": 10, "ends_at": 20}, 1).event
    data = {"event_id": made.data["event_id"], "starts_at": 30, "ends_at": 40}
    moved = shift.apply(Action.CALENDAR_UPDATE, data, 2).event
    assert moved.data["old"] == {"starts_at": 10, "ends_at": 20, "title": "Focus"}
    gone = shift.apply(Action.CALENDAR_DELETE, {"event_id": made.data["event_id"]}, 3)
    assert gone.done and made.data["event_id"] not in shift.office.calendar


def test_an_update_that_changes_nothing_asks_nobody_again(shift):
    times = {"starts_at": shift.now + 86_400, "ends_at": shift.now + 88_200}
    made = shift.apply(Action.INVITE_SEND, {"attendees": ["colleague@ledgerline.com"], **times}, 1_000)
    event_id = made.event.data["event_id"]
    before = shift.office.calendar[event_id]
    again = shift.apply(Action.INVITE_UPDATE, {"event_id": event_id, **times}, 2_000)
    assert "the same" in again.refused and shift.office.calendar[event_id] == before
    moved = {"starts_at": times["starts_at"], "ends_at": times["ends_at"] + 900}
    assert shift.apply(Action.INVITE_UPDATE, {"event_id": event_id, **moved}, 3_000).done
