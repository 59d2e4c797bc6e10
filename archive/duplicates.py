"""When two mails are copies of one, though mailboxes, lists and export programs changed their bytes.

Transport headers, charset, transfer encoding, line ends, wrapping, "From " escapes and list footers do not
count; words and attached files do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from archive.signatures import list_footer_start
from archive.subjects import without_list_tags
from contracts.canonical import digest
from contracts.names import without_unseen

_ESCAPED_FROM = re.compile(r"^[ \t]*>+(?=From )", re.MULTILINE)


def duplicate_key(
    header_id: str, sent_at: str | None, sender: str, subject: str, body: str, files: Iterable[str]
) -> str:
    """Returns a digest that is equal for copies of one message.

    With a Message-ID: equal id, subject, words and files. Without: equal sender, second, subject, words and
    files. One id on different words is two messages.

    Args:
        header_id: Message-ID without brackets, empty where there is none.
        sent_at: ISO 8601 with offset, or None.
        sender: address, else name.
        subject: as written.
        body: all readable text.
        files: digests of the attached files.
    """
    named = [header_id] if header_id else ["", sender.casefold(), sent_at or ""]
    title = "".join(without_list_tags(subject).split()).casefold()
    return digest([*named, title, content_words(body), *sorted(set(files))])


def content_words(body: str) -> str:
    """Returns the characters of a body that every faithful copy of it has: no white space, no list footer."""
    lines = body.split("\n")
    text = "\n".join(lines[: list_footer_start(lines)])
    if "From " in text:
        text = _ESCAPED_FROM.sub("", text)
    return "".join(without_unseen(text).split())
