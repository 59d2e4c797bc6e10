"""What nobody has explained yet: a drawn sample of clean lines for reviewers, and what their verdicts say.

Belongs here: lines with names or numbers that replacement did not write, drawn by key; ids and places leave,
never words. Verdicts are read back from a file of ids. Does not belong here: pairs that may be one entity
(`reviews`).
"""

from __future__ import annotations

import hmac
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from anonymize.errors import AuditFailed
from anonymize.keys import DatasetKey
from anonymize.leaks import cells_of
from anonymize.ledger import Ledger, Span
from anonymize.table_shapes import table_specs
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

SAMPLE = 200
"""Lines that are drawn: none wrong among them bounds the share of wrong ones to 1.9 %."""
ID_DIGITS = 16
VERDICTS_FILE = "residual_verdicts.json"
QUEUE_FILE = "residual_queue.json"
CLEAN, LEAK = "clean", "leak"
_TOKEN = re.compile(r"\d[\d.,/:-]*\d\d|[^\W\d_][\w'’-]+")
_SENTENCE = re.compile(r"(?:^|[.!?:;>*•\"“(\-–]\s*)$")
_Z = 1.959964
"""Two-sided 95 %."""


class QueueItem(NamedTuple):
    """One line for a reviewer: where it stands, never what it says."""

    id: str
    table: str
    row: int
    column: str
    item: int
    line: int
    """Number of the line in its cell, from 0."""
    tokens: int
    """Words and numbers in it that nobody has explained."""


@dataclass(frozen=True)
class Interval:
    """A share with its 95 % interval (Wilson 1927)."""

    hits: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class ResidualRisk:
    """What is known of lines that hold unexplained words."""

    lines: int
    """Distinct lines of clean texts."""
    unexplained: int
    """Of them: with a capitalised word or a number that replacement did not write."""
    sampled: int
    reviewed: int
    leaks: int
    unknown_verdicts: int
    """Verdicts on lines that are not in the sample, or that say neither clean nor leak."""
    share: Interval | None
    """Wrong lines of the reviewed ones; None where nobody has reviewed any."""
    best_bound: float
    """Upper bound if the whole sample were reviewed and nothing found."""


def wilson(hits: int, n: int) -> Interval:
    """Returns a share with its 95 % Wilson interval; nothing is known of no observations."""
    if not n:
        return Interval(0, 0, 0.0, 1.0)
    share, square = hits / n, _Z * _Z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return Interval(hits, n, round(max(0.0, centre - half), 6), round(min(1.0, centre + half), 6))


def residual_queue(
    clean: TableStore, specs: dict[str, dict[str, ColumnSpec]], ledger: Ledger, key: DatasetKey
) -> tuple[list[QueueItem], int, int]:
    """Returns the drawn lines, how many distinct lines there are, and how many hold unexplained tokens."""
    secret = key.derive("residual sample")
    seen: set[str] = set()
    drawn: list[QueueItem] = []
    for name in clean.names():
        frame = clean.read(name)
        for column, spec in table_specs(name, specs).items():
            if spec.kind is not ColumnKind.TEXT or column not in frame.columns:
                continue
            spans = ledger.spans(name, column)
            for row, item, text in cells_of(frame[column]):
                for number, line, tokens in _lines(text, spans.get((row, item), [])):
                    if line not in seen:
                        seen.add(line)
                        if tokens:
                            mac = hmac.digest(secret, line.encode("utf-8", "surrogatepass"), "sha256").hex()
                            drawn.append(QueueItem(mac[:ID_DIGITS], name, row, column, item, number, tokens))
    drawn.sort()
    return drawn[:SAMPLE], len(seen), len(drawn)


def _lines(text: str, spans: list[Span]) -> Iterator[tuple[int, str, int]]:
    at = 0
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            own = [(s - at, e - at) for s, e in spans if s < at + len(line) and e > at]
            yield number, line.strip(), sum(1 for _ in _unexplained(line, own))
        at += len(line) + 1


def _unexplained(line: str, spans: list[Span]) -> Iterator[str]:
    for match in _TOKEN.finditer(line):
        start, end = match.span()
        if any(s < end and start < e for s, e in spans):
            continue
        told = match[0][0].isdigit() or (
            match[0][0].isupper() and not _SENTENCE.search(line[:start].rstrip(" ") or "")
        )
        if told:
            yield match[0]


def residual_risk(queue: list[QueueItem], lines: int, unexplained: int, reports: Path) -> ResidualRisk:
    """Returns what the reviewers' verdicts in the reports folder say of the drawn lines.

    Raises:
        AuditFailed: the file of verdicts is no JSON object.
    """
    verdicts = _verdicts(reports / VERDICTS_FILE)
    ids = {item.id for item in queue}
    known = {
        ident: verdict for ident, verdict in verdicts.items() if ident in ids and verdict in (CLEAN, LEAK)
    }
    leaks = sum(verdict == LEAK for verdict in known.values())
    return ResidualRisk(
        lines,
        unexplained,
        len(queue),
        len(known),
        leaks,
        len(verdicts) - len(known),
        wilson(leaks, len(known)) if known else None,
        wilson(0, len(queue)).high,
    )


def _verdicts(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise AuditFailed(
            f'reports/{VERDICTS_FILE} must be one JSON object {{"<id>": "clean" or "leak"}}: correct it'
        )
    return {str(ident): str(verdict) for ident, verdict in content.items()}
