"""What a template may copy of recorded cases: nothing that fewer than k = 5 of them share.

Belongs here: giving up traits, pooling rare values, coarsening figures, and refusing a template that does
neither. Does not belong here: which traits a case has (`extract`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from contracts.template import ANY, OTHER, QUANTILE_POINTS, Pattern
from worldgen.errors import WorldError

MIN_SHARING = 5
"""k: no combination of traits enters a world that fewer cases hold."""
_TRAITS = ("region", "size", "industry")
"""Given up from the last to the first."""
_NOTHING = (ANY,) * len(_TRAITS)


def generalised(patterns: Sequence[Pattern]) -> list[Pattern]:
    """Returns the patterns with traits given up until every combination left is shared by k of them."""
    current = list(patterns)
    for trait in reversed(_TRAITS):
        rare = _rare(current)
        current = [
            one.model_copy(update={trait: ANY}) if _combination(one) in rare else one for one in current
        ]
    # A common combination may have become rare when others were given up around it.
    while rare := _rare(current):
        bare = dict.fromkeys(_TRAITS, ANY)
        current = [one.model_copy(update=bare) if _combination(one) in rare else one for one in current]
    return current


def require_shared_traits(patterns: Sequence[Pattern]) -> None:
    """Returns where every combination of traits is shared by k patterns.

    Raises:
        WorldError: a combination is rarer; it says which traits, not which case.
    """
    rare = sorted(_rare(patterns))
    if rare:
        shown = "; ".join(", ".join(map("=".join, zip(_TRAITS, one, strict=True))) for one in rare[:3])
        raise WorldError(
            f"{len(rare)} combinations of traits in fitted patterns are held by fewer than {MIN_SHARING} "
            f"cases ({shown}): fit the template again, or write {ANY!r} for traits in overrides.yaml"
        )


def pooled(counts: Mapping[str, int], known: Mapping[str, str]) -> dict[str, int]:
    """Returns a mix by the pools' own values; rare and unknown values become one class, or are left out.

    Args:
        counts: value as the company writes it -> cases.
        known: value as the company may write it -> value of the pools.
    """
    mix: Counter[str] = Counter()
    for value, n in counts.items():
        mix[known.get(value, OTHER)] += n
    for value in [one for one in mix if one != OTHER and mix[one] < MIN_SHARING]:
        mix[OTHER] += mix.pop(value)
    return {value: mix[value] for value in sorted(mix) if mix[value] >= MIN_SHARING}


def coarse(values: Sequence[int], n: int) -> list[int]:
    """Returns quantiles with two leading digits, and one where fewer than k cases lie beyond a point."""
    shown: list[int] = []
    for value, point in zip(values, QUANTILE_POINTS, strict=True):
        beyond = n * min(point, 1000 - point) // 1000
        unit = 10 ** max(0, len(str(value)) - (2 if beyond >= MIN_SHARING else 1))
        rounded = (2 * value + unit) // (2 * unit) * unit
        shown.append(max(rounded, shown[-1] if shown else 0))
    return shown


def _rare(patterns: Sequence[Pattern]) -> set[tuple[str, ...]]:
    counts = Counter(map(_combination, patterns))
    return {one for one, n in counts.items() if n < MIN_SHARING and one != _NOTHING}


def _combination(pattern: Pattern) -> tuple[str, ...]:
    return tuple(str(getattr(pattern, trait)) for trait in _TRAITS)
