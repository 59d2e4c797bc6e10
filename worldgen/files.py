"""Files of a world: the company's documents, and what comes with mails."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import NamedTuple

from contracts.files import File
from contracts.template import FileText, WorldTemplate
from worldgen.accounts import Draft
from worldgen.errors import WorldError

CSV = "text/csv"


class Files(NamedTuple):
    """The files of a world by their authored names, in the order of the template."""

    by_name: dict[str, File]
    documents: list[File]
    """What lies among the company's documents."""
    internal_texts: list[str]

    def named(self, names: Iterable[str]) -> list[File]:
        """Returns the files that come with a mail.

        Raises:
            WorldError: the template has no file of a name.
        """
        missing = sorted(set(names) - self.by_name.keys())
        if missing:
            raise WorldError(f"office.yaml: a mail brings {missing[0]!r}, which is not among its files")
        return [self.by_name[name] for name in names]


def build_files(template: WorldTemplate, drafts: Sequence[Draft], year: int) -> Files:
    """Returns the files of a world; what they say of accounts and people is what the CRM says."""
    texts = template.authored.office.files
    accounts = [(draft.name, draft.domain) for draft in drafts]
    contacts = [
        (one.name, one.role, one.address, draft.name)
        for draft in drafts
        for one in draft.members
        if one.in_crm
    ]
    built = {
        text.name: File(
            id=f"file-{place:02d}",
            name=text.name,
            media_type=text.media_type,
            text=_filled(text, accounts, contacts, year),
        )
        for place, text in enumerate(texts, start=1)
    }
    return Files(
        by_name=built,
        documents=[built[text.name] for text in texts if text.document],
        internal_texts=[built[text.name].text for text in texts if text.internal],
    )


def _filled(
    text: FileText, accounts: Sequence[tuple[str, ...]], contacts: Sequence[tuple[str, ...]], year: int
) -> str:
    rows = _cells if text.media_type == CSV else _lines
    return text.text.format(
        count=len(accounts), year=year, accounts=rows(accounts), contacts=rows(contacts)
    ).rstrip("\n")


def _cells(rows: Iterable[Sequence[str]]) -> str:
    held = StringIO()
    csv.writer(held, lineterminator="\n").writerows(rows)
    return held.getvalue().rstrip("\n")


def _lines(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"{row[0]} ({', '.join(row[1:])})" for row in rows)
