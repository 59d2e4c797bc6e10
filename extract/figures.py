"""Figures of the company model: shares with evidence and quantiles that are values really seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from contracts.company_model import Quantiles, Share

LEVELS = (0, 5, 25, 50, 75, 95, 99, 100)
EVIDENCE = 20
"""How many ids a figure cites at most."""


def share(hits: Iterable[str], n: int) -> Share:
    """Returns a share with its first evidence ids; the ids are counted with repeats."""
    listed = list(hits)
    return Share(hits=len(listed), n=n, evidence=sorted(set(listed))[:EVIDENCE])


def shares(labels: Mapping[str, str] | Sequence[tuple[str, str]]) -> dict[str, Share]:
    """Returns the share of every label among labelled ids, labels sorted.

    Args:
        labels: id -> label, or pairs of id and label.
    """
    pairs = list(labels.items()) if isinstance(labels, Mapping) else list(labels)
    by_label: dict[str, list[str]] = {}
    for item, label in pairs:
        by_label.setdefault(label, []).append(item)
    return {label: share(by_label[label], len(pairs)) for label in sorted(by_label)}


def quantiles(values: Iterable[int], unit: str) -> Quantiles:
    """Returns the quantiles of whole numbers as values that occur (inverse of the distribution function)."""
    ordered = sorted(values)
    n = len(ordered)
    if not n:
        return Quantiles(unit=unit, n=0, q=[])
    return Quantiles(unit=unit, n=n, q=[ordered[max(0, -(-level * n // 100) - 1)] for level in LEVELS])


def ppm(hits: int, n: int) -> int:
    """Returns a share in parts per million, rounded half up; 0 of nothing."""
    return (2 * hits * 1_000_000 + n) // (2 * n) if n else 0


def tally(items: Iterable[str]) -> dict[str, int]:
    """Returns counts by item, items sorted."""
    return dict(sorted(Counter(items).items()))
