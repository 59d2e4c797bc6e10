"""Messages that no program wrote on purpose, or that somebody wrote to do harm; each kind once per turn."""

from __future__ import annotations

import base64

from data_samples.papers import archive_of

LEVELS = 250
_HEAD = "Message-ID: <{key}.{n}@tarnwick.com>\nDate: {date}\nFrom: facilities@tarnwick.com\nTo: {to}\n"


def _mail(key: str, rest: bytes, date: bool = True) -> bytes:
    head = _HEAD if date else _HEAD.replace("Date: {date}\n", "")
    return head.replace("{key}", key).encode() + rest


def _deep() -> bytes:
    body = b"Subject: Floor plans\nMIME-Version: 1.0\n"
    for level in range(LEVELS):
        mark = b"l%d" % level
        body += b'Content-Type: multipart/mixed; boundary="' + mark + b'"\n\n--' + mark + b"\n"
    body += b"Content-Type: text/plain\n\nAt the bottom.\n"
    return body + b"".join(b"\n--l%d--\n" % level for level in reversed(range(LEVELS)))


def _traversal() -> bytes:
    packed = archive_of([("../../evil.txt", b"outside"), ("plan.txt", b"Room plan")])
    return (
        b"Subject: Room plan\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="trav"\n\n--trav\n'
        b"Content-Type: text/plain; charset=us-ascii\n\nPlan in the archive.\n\n--trav\n"
        b'Content-Type: application/zip; name="plan.zip"\nContent-Transfer-Encoding: base64\n'
        b'Content-Disposition: attachment; filename="plan.zip"\n\n'
        + base64.encodebytes(packed)
        + b"\n--trav--\n"
    )


KINDS: tuple[tuple[str, bytes], ...] = (
    (
        "no_date",
        _mail(
            "nodate",
            b"Subject: Key cards\nContent-Type: text/plain; charset=us-ascii\n\n"
            b"Please bring your key card to the front desk.\n",
            date=False,
        ),
    ),
    (
        "truncated_multipart",
        _mail(
            "cut",
            b'Subject: Floor plan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="plan"\n\n'
            b"--plan\nContent-Type: text/plain; charset=us-ascii\n\nThe plan is attached.\n\n--plan\n"
            b'Content-Type: image/png; name="plan.png"\nContent-Transfer-Encoding: base64\n\n'
            b"iVBORw0KGgoAAAANSUhEUgAA\n",
        ),
    ),
    (
        "unknown_charset",
        _mail(
            "charset",
            b"Subject: Caf\xe9 menu\nContent-Type: text/plain; charset=x-tarn-99\n"
            b"Content-Transfer-Encoding: 8bit\n\nCaf\xe9: soup \x96 bread \xff\xfe\n",
        ),
    ),
    (
        "garbage_between",
        b"\x00\x17\xfe\xff\x9c\x00lost cluster\x00\x00\xd0\xcf\x11\xe0\n\x00\x00\x00\n",
    ),
    (
        "bad_base64",
        _mail(
            "b64",
            b"Subject: Lift\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
            b"Content-Transfer-Encoding: base64\n\nVGhlIGxpZnQ*is out of!order~~~\n",
        ),
    ),
    ("empty_message", b"\n"),
    ("nested_too_deep", _mail("deep", _deep())),
    ("zip_traversal", _mail("trav", _traversal())),
    (
        "impossible_date",
        _mail(
            "date",
            b"Date: Tue, 45 Foo 2025 99:99:00 +9900\nSubject: Clocks\n"
            b"Content-Type: text/plain; charset=us-ascii\n\nThe clocks are wrong again.\n",
            date=False,
        ),
    ),
    (
        "no_boundary",
        _mail(
            "bound",
            b"Subject: Heating\nMIME-Version: 1.0\nContent-Type: multipart/mixed\n\n"
            b"--x\nContent-Type: text/plain\n\nThe heating is off on Sunday.\n--x--\n",
        ),
    ),
)
MBOX_ONLY = frozenset({"garbage_between", "empty_message"})
"""Kinds that need neighbours in one file."""


def message(kind: int, number: int, to: str) -> tuple[str, bytes]:
    """Name and bytes of a broken message; the number makes it different from others of its kind."""
    name, raw = KINDS[kind]
    date = f"Tue, {4 + 7 * (number % 2):02d} Mar 2025 09:1{number % 10}:00 -0500"
    made = raw.replace(b"{n}", b"%d" % (7000 + number)).replace(b"{to}", to.encode())
    return name, made.replace(b"{date}", date.encode())
