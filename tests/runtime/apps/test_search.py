"""The mailbox's search: words, quoted phrases, and the parts they are looked for in."""

import pytest

from contracts.files import File
from contracts.world import Mail, Party
from runtime.apps.search import Search, has_words

MAIL = Mail(
    id="m1",
    thread_id="t1",
    folder="inbox",
    sender=Party(name="Robin Vale", address="robin@northwind.example"),
    to=[Party(name="Alex Kim", address="alex@ledgerline.example")],
    subject="Late invoices",
    body="We paid twice in May.",
    sent_at=0,
    attachments=[File(id="f1", name="Price list.pdf", media_type="application/pdf", text="Hidden")],
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", True),
        ("invoices twice", True),
        ("invoices never", False),
        ('"paid twice"', True),
        ('"twice paid"', False),
        ("from:robin", True),
        ("FROM:Robin", True),
        ("from:alex", False),
        ("to:alex twice", True),
        ("subject:late", True),
        ("subject:twice", False),
        ('subject:"late invoices"', True),
        ("in:inbox", True),
        ("in:sent", False),
        ("is:unread", True),
        ("is:read", False),
        ("price list.pdf", True),
        ("hidden", False),
        ("filename:price", True),
        ('filename:"price list"', True),
        ("filename:late", False),
        ("has:attachment", True),
        ("has:invite", False),
        ("at:9", False),
    ],
)
def test_a_search_finds_a_mail_where_all_its_terms_hold(query, found):
    assert Search.of(query).finds(MAIL, unread=True) is found


@pytest.mark.parametrize(("query", "found"), [("", True), ("oak ann", True), ("oak bob", False)])
def test_all_words_must_stand_in_a_text(query, found):
    assert has_words("Ann Oak", query) is found
