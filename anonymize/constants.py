"""What may stay in a typed cell: values that name nobody, as the audit sees them.

Belongs here: the audit's own reading of words and its own short lists, beside frozen lists that people have
read. Nothing here is used by replacement, and no word is learned from an archive.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from anonymize.words import pool, word_list

LEGAL_FORMS = frozenset(
    word_list(
        """
        ag co company corp corporation eingetragener gmbh group holding holdings inc incorporated kg kgaa
        limited llc llp lp ltd nv ohg plc pty sa sarl se sons spa ug bv mbh ek and und the of
        as asa aps ab oy oyj sp zoo oo sro ro kft zrt nyrt sti uab sia ou doo dd eood ood srl sl gbr gruppe
        son sohn sohne soehne tochter toechter bruder brueder daughter daughters bros brothers partner
        partners partnerinnen kollegen associates cie fils zonen
        """
    )
)
NAME_PARTS = frozenset(
    word_list(
        """
        mr mrs ms miss dr prof professor herr herrn frau sir dipl ing mag jr sr ii iii iv phd md cpa mba esq
        von van de der den del della di da dos du la le ter ten zu zur al el bin st
        """
    )
)
TEAM_WORDS = frozenset(
    word_list(
        """
        the of and for from your our via on in at to by no reply team teams desk department dept service
        services support system user unknown na none example tbd tba unassigned todo
        reviewer reviewers approver approvers author authors
        """
    )
)
MACHINE_WORDS = frozenset(
    word_list(
        """
        alert alerts auto automated automatic delivery do failure internet mail mailer message messages not
        notice notification notifications returned server status subsystem undeliverable
        """
    )
)
"""What mail servers and other programs call themselves."""
_MARKS = frozenset(
    word_list("? null nil nan nat n/a na none unknown tbd tba unassigned #n/a n.a. k.a. (null) <null>")
)
_ASCII_RUN = re.compile(r"[A-Za-z]+|[0-9]+")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def bare(text: str) -> str:
    """Returns text for comparison: case folded, without marks above and below letters."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(char for char in parts if not unicodedata.combining(char)))


def spelt(text: str) -> set[str]:
    """Returns the two ways in which a word is compared: marks dropped, and German ones written out."""
    return {bare(text), bare(text.casefold().translate(_GERMAN))}


def runs(text: str) -> Iterator[tuple[int, int]]:
    """Yields (start, end) of every longest run of letters, and of every longest run of digits."""
    if text.isascii():
        for match in _ASCII_RUN.finditer(text):
            yield match.span()
        return
    start, kind = 0, ""
    for place, char in enumerate(text):
        new = "a" if char.isalpha() or unicodedata.combining(char) else "d" if char.isdigit() else ""
        if new != kind:
            if kind:
                yield start, place
            start, kind = place, new
    if kind:
        yield start, len(text)


def words(text: str) -> list[str]:
    """Returns the compared words of a text: runs of letters."""
    return [bare(text[start:end]) for start, end in runs(text) if not text[start].isdigit()]


def is_mark(text: str) -> bool:
    """Says whether a value that stands for no value names nobody: signs, zeros, "NULL"."""
    return (
        not any(char.isalpha() or char in "123456789" for char in text) or text.strip().casefold() in _MARKS
    )


def digits(text: str) -> str:
    """Returns the digits of a text."""
    return "".join(char for char in text if char.isdecimal())


@cache
def listed(name: str) -> frozenset[str]:
    """Returns the lines of a frozen list, compared whole and word by word."""
    return frozenset(
        {bare(line) for line in pool(name)} | {word for line in pool(name) for word in words(line)}
    )


def is_role_local(local: str) -> bool:
    """Says whether a local part is made of words for functions alone."""
    parts = words(local)
    return bare(local) in listed("roles") or (bool(parts) and all(part in listed("roles") for part in parts))


def is_public_host(host: str) -> bool:
    """Says whether a host belongs to a provider at which anybody may have an address."""
    labels = host.lower().strip(".").split(".")
    return any(".".join(labels[start:]) in pool("free_mail") for start in range(len(labels)))
