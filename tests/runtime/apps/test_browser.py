"""The pages in a browser: no script errors, nothing from elsewhere, names for all, mouse and keyboard."""

import shutil
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Page, expect, sync_playwright

from runtime.apps.app import create_app

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
UNNAMED = """() => [...document.querySelectorAll("a, button, input, select, textarea, iframe")]
  .filter(e => e.type !== "hidden" && e.checkVisibility())
  .filter(e => !(e.innerText.trim() || e.ariaLabel || e.title || e.labels?.length))
  .map(e => e.outerHTML)"""
TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def site(work) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = create_app(work.shift, lambda: work.now_ms)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def page(site) -> Iterator[Page]:
    with sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        opened = browser.new_context(base_url=site).new_page()
        wrong: list[str] = []
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        opened.on(
            "request", lambda one: None if one.url.startswith((site, "data:")) else wrong.append(one.url)
        )
        yield opened
        browser.close()
    assert wrong == []


def drag(page: Page, selector: str, right: int, down: int) -> None:
    box = page.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + 10, box["y"] + 6
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2, steps=3)
    page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()


def test_all_pages_fit_both_screens_and_name_what_can_be_used(page, work):
    paths = ["/mail/m1?write=reply", "/mail/new", "/mail?folder=drafts", "/mail/m3", "/mail/m3?write=forward"]
    paths += [f"/mail/m3/attachments/f{number}" for number in (1, 2, 3, 4)] + ["/playbook/documents/d1"]
    paths += ["/crm", "/crm/a1", "/crm/contacts"]
    paths += ["/crm/deals", "/crm/tasks", "/crm/activities", "/crm/import", "/calendar", "/calendar/e3"]
    paths += ["/calendar?view=month", "/calendar/new", "/playbook", "/playbook?q=people", "/shift/end"]
    paths += [f"/site/{site.domain}/news" for site in work.shift.visible.sites]
    for size in ({"width": 1280, "height": 800}, {"width": 1024, "height": 768}):
        page.set_viewport_size(size)
        for path in paths:
            page.goto(path)
            assert page.evaluate(TOO_WIDE) <= 0, (path, size)
            assert page.evaluate(UNNAMED) == [], path


def test_a_mail_is_written_by_keyboard_kept_as_a_draft_and_sent(page, work):
    page.goto("/mail")
    page.keyboard.press("c")
    expect(page.get_by_label("To", exact=True)).to_be_focused()
    page.keyboard.type("rob")
    page.keyboard.press("Enter")
    expect(page.get_by_label("To", exact=True)).to_have_value("Robin Vale <robin@northwind.example>, ")
    page.get_by_label("Message", exact=True).fill("Half a thought")
    page.goto("/mail?folder=drafts")
    assert [event.type for event in work.shift.events if event.actor == "agent"] == []
    page.get_by_role("link", name="Half a thought").click()
    expect(page.get_by_label("Message", exact=True)).to_have_value("Half a thought")
    late = {
        "body": "",
        "content_type": "text/javascript",
    }  # as for whoever goes on before the last script ran
    page.route("**/mail.js", lambda route: route.fulfill(**late))
    page.get_by_label("Message", exact=True).press("Control+Enter")
    expect(page.get_by_role("status").first).to_have_text("Your mail is on its way.")
    page.unroute("**/mail.js")
    assert work.shift.events[-1].data["to"] == ["robin@northwind.example"]
    page.goto("/mail?folder=drafts")
    expect(page.get_by_text("No drafts")).to_be_visible()


def test_files_are_attached_by_keyboard_shown_as_chips_kept_in_the_draft_and_sent(page, work):
    page.goto("/mail/new")
    page.get_by_label("To", exact=True).fill("robin@northwind.example")
    page.get_by_text("Attach", exact=True).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Leaflet.pdf")).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_role("checkbox", name="club.ics").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox", name="Leaflet.pdf")).to_be_hidden()
    expect(page.get_by_text("Attach", exact=True)).to_be_focused()
    chips = page.get_by_role("list", name="Attached files").get_by_role("listitem")
    expect(chips).to_have_count(2)
    page.get_by_role("button", name="Remove club.ics").press("Enter")
    expect(chips).to_have_count(1)
    expect(page.get_by_role("button", name="Remove Leaflet.pdf")).to_be_focused()
    page.goto("/mail?folder=drafts")
    page.get_by_role("link", name="robin@northwind.example").click()
    expect(chips).to_contain_text(["Leaflet.pdf"])
    page.get_by_label("Message", exact=True).fill("See attached.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").first).to_have_text("Your mail is on its way.")
    assert [file["id"] for file in work.shift.events[-1].data["attachments"]] == ["d1"]


def test_a_forward_shows_what_it_takes_along_and_lets_it_go(page, work):
    page.goto("/mail/m3?write=forward")
    expect(page.get_by_role("list", name="Attached files").get_by_role("listitem")).to_have_count(4)
    page.get_by_role("button", name="Remove club.ics").click()
    page.get_by_label("To", exact=True).fill("robin@northwind.example")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").first).to_have_text("Your mail is on its way.")
    assert [file["id"] for file in work.shift.events[-1].data["attachments"]] == ["f2", "f1", "f4"]


def test_a_file_is_opened_and_downloaded(page, work):
    page.goto("/mail/m3")
    page.get_by_role("link", name="Plan (draft) é.pdf").first.click()
    expect(page.get_by_role("heading", name="Plan (draft) é.pdf")).to_be_visible()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Download").click()
    assert kept.value.suggested_filename == "Plan (draft) é.pdf"
    page.get_by_role("link", name="Back to the mail").click()
    expect(page.get_by_role("heading", name="Files")).to_be_visible()


def test_entries_are_dragged_those_with_guests_only_once_sent(page, work):
    page.goto("/calendar")
    drag(page, ".event:has-text('Team sync')", 0, 96)
    expect(page.get_by_role("status").first).to_have_text("The entry is saved.")
    assert work.shift.office.calendar["e1"].starts_at == work.shift.visible.starts_at + 3600 + 7200
    page.goto("/calendar")
    drag(page, ".event:has-text('Demo')", 0, 48)
    expect(page.get_by_text("The new time is not sent yet.")).to_be_visible()
    assert work.shift.office.calendar["e3"].status == "accepted"
    page.get_by_role("button", name="Send update").click()
    expect(page.get_by_role("status").first).to_have_text("The update is sent to the guests.")
    assert work.shift.office.calendar["e3"].starts_at == work.shift.visible.starts_at + 90_000 + 3600


def test_conflicts_show_while_a_time_is_written(page):
    page.goto("/calendar/new?day=2026-10-14&start=9:00")
    clash = page.locator("[data-clash]")
    expect(clash).to_be_hidden()
    page.get_by_label("Date").fill("2026-10-12")
    page.get_by_label("Starts").fill("10:15 AM")
    page.get_by_label("Ends").fill("10:45 AM")
    expect(clash).to_contain_text("Team sync")
    page.get_by_label("Time zone").select_option("Eastern Time")
    expect(clash).to_be_hidden()


def test_a_deal_is_dragged_to_its_stage(page, work):
    page.goto("/crm/deals")
    page.drag_and_drop(".deal:has-text('Northwind')", ".lane[data-stage='Contacted']")
    expect(page.locator(".lane[data-stage='Contacted'] .deal")).to_have_count(1)
    assert work.shift.office.accounts["a1"].stage == "Contacted"
