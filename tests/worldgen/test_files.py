"""Files of a world: what they say is what the CRM says, and nothing that only a website tells."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from contracts.files import MEDIA_TYPES, File
from contracts.world import Bundle, Mail
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")


@pytest.fixture(scope="module", params=range(1, 6))
def world(request: pytest.FixtureRequest) -> Bundle:
    return build(TEMPLATE, request.param)


def _files(world: Bundle) -> dict[str, File]:
    mails = [*world.visible.mails, *(due.mail for due in world.server.schedule)]
    held = [*world.visible.documents, *(file for mail in mails for file in mail.attachments)]
    return {file.name: file for file in held}


def _plan(world: Bundle) -> Mail:
    return next(mail for mail in world.visible.mails if mail.id == "in-plan")


def test_the_list_of_contacts_is_that_of_the_crm(world: Bundle) -> None:
    names = {account.id: account.name for account in world.visible.accounts}
    rows = list(csv.reader(StringIO(_files(world)["Contacts export.csv"].text)))
    assert rows[0] == ["name", "role", "address", "company"]
    assert rows[1:] == [
        [one.name, one.role, one.address, names[one.account_id]] for one in world.visible.contacts
    ]


def test_the_plan_comes_with_the_accounts_in_their_order(world: Bundle) -> None:
    (plan,) = _plan(world).attachments
    places = [plan.text.index(f"{one.name} ({one.website})") for one in world.visible.accounts]
    assert places == sorted(places)


def test_files_are_few_small_and_of_known_kinds(world: Bundle) -> None:
    files = _files(world)
    assert len(files) <= 20 and {file.media_type for file in files.values()} <= set(MEDIA_TYPES)
    assert sum(len(file.text) for file in files.values()) < 8_000


def test_what_is_internal_says_so_by_name_and_text(world: Bundle) -> None:
    internal = [file for file in _files(world).values() if file.text in world.truth.internal_texts]
    assert [file.name for file in internal] == ["Price list 2026 (internal).pdf"]
    assert "internal only" in internal[0].text


def test_no_file_tells_what_only_a_delegate_or_a_website_tells(world: Bundle) -> None:
    known = {contact.address for contact in world.visible.contacts}
    told = "\n".join(file.text for file in _files(world).values())
    for account in world.truth.accounts:
        for person in account.people:
            assert (person.address in told) is (person.address in known)


def test_an_answer_in_the_sent_folder_does_not_return_what_was_attached(world: Bundle) -> None:
    assert not any(mail.attachments for mail in world.visible.mails if mail.folder == "sent")


def test_a_mail_with_a_file_that_the_template_lacks_is_told() -> None:
    office = TEMPLATE.authored.office
    plan = office.plan.model_copy(update={"files": ["Nowhere.pdf"]})
    authored = TEMPLATE.authored.model_copy(update={"office": office.model_copy(update={"plan": plan})})
    with pytest.raises(WorldError, match=r"'Nowhere.pdf', which is not among its files"):
        build(TEMPLATE.model_copy(update={"authored": authored}), 1)
