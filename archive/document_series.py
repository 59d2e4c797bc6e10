"""Pages and texts that are revisions of documents: told by names that several files of a folder share.

Belongs here: deciding which files without a form of their own are documents. Does not belong here: what a
name says (`archive.documents`), files whose content tells their form (`archive.sniffing`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from archive.documents import named_document
from archive.sniffing import FileGuess, Verdict

FORMAT = "documents"
_SUFFIXES = frozenset(
    (".md", ".markdown", ".txt", ".pdf", ".docx", ".doc", ".rtf", ".html", ".htm", ".rst", "")
)
_LEAST_REVISIONS = 2
_LEAST_SHARE = 0.6
_NUMBER = re.compile(r"\d+")
_SUBJECT = re.compile(
    r"drawing|dwg|plan|revision|\brev|polic|spec|procedure|manual|contract|document|handbook", re.IGNORECASE
)


def with_documents(guesses: Sequence[FileGuess]) -> list[FileGuess]:
    """Returns the verdicts, files that form series of revisions placed as documents.

    A folder's texts are documents where most of them belong to series; series that are told by bare numbers
    alone ("note_1", "note_2") count only where the path speaks of documents.
    """
    open_files = [
        guess
        for guess in guesses
        if guess.verdict is Verdict.UNPLACED
        and guess.size > 0
        and PurePosixPath(guess.path).suffix.lower() in _SUFFIXES
        and not guess.why.startswith("lies in a folder of expected")
    ]
    folders: dict[str, list[FileGuess]] = defaultdict(list)
    for guess in open_files:
        folders[PurePosixPath(guess.path).parent.as_posix()].append(guess)
    taken = {guess.path for files in folders.values() if _is_series(files) for guess in files}
    told = "texts whose names tell document and revision"
    return [
        replace(guess, verdict=Verdict.DATA, format=FORMAT, why=told, confidence=0.8)
        if guess.path in taken
        else guess
        for guess in guesses
    ]


def _is_series(files: Sequence[FileGuess]) -> bool:
    revisions: dict[str, set[str]] = defaultdict(set)
    for guess in files:
        name = named_document(guess.path)
        label = name.revision or name.day
        if label is not None:
            revisions[name.document].add(label)
    series = {document: labels for document, labels in revisions.items() if len(labels) >= _LEAST_REVISIONS}
    members = sum(len(labels) for labels in series.values())
    if not series or members < _LEAST_SHARE * len(files):
        return False
    bare = all(_NUMBER.fullmatch(label) for labels in series.values() for label in labels)
    return not bare or any(_SUBJECT.search(guess.path) for guess in files)
