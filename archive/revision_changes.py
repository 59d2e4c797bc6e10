"""What changed between two revisions of a document, field by field and typed.

Belongs here: comparing two values. Lists tell what was added and removed, objects are compared member by
member, numbers and amounts tell whether they rose or fell, long texts by paragraphs. All work is bounded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher
from typing import NamedTuple

from archive.revision_labels import json_text, json_value, list_items

LONG_TEXT = 300
"""Characters from which a value is compared by paragraphs; values of several lines are as well."""
MAX_SUMMARY = 2_000
"""Characters of a summary of changed paragraphs."""
_MAX_COMPARED = 250_000
"""Product of the numbers of paragraphs up to which they are put in order against each other."""
_MAX_AMOUNTS = 20
_MAX_ITEMS = 200
_NUMBER = re.compile(r"[+-]?(?:\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(?:\.\d{1,9})?")
_CURRENCY = r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|CAD|AUD)\b)"
_AMOUNT = re.compile(
    rf"{_CURRENCY}\s?(\d{{1,3}}(?:,\d{{3}}){{1,5}}(?:\.\d{{1,4}})?|\d{{1,15}}(?:\.\d{{1,4}})?)"
    rf"|(\d{{1,3}}(?:,\d{{3}}){{1,5}}(?:\.\d{{1,4}})?|\d{{1,15}}(?:\.\d{{1,4}})?)\s?(?:[€£]|(?:USD|EUR|GBP|CHF)\b)"
)


class Change(NamedTuple):
    """One difference of a field; amounts are plain decimals, told only for money."""

    field: str
    change: str
    """added, removed, increased, decreased, replaced, text."""
    old: str | None = None
    new: str | None = None
    old_amount: str | None = None
    new_amount: str | None = None


def value_changes(field: str, old: str | None, new: str | None, money: bool = False) -> Iterator[Change]:
    """Yields how a field differs; nothing where it is the same but for white space.

    Args:
        field: its name.
        old: the cell in the revision before, None where it was empty.
        new: the cell now.
        money: whether the column holds amounts.
    """
    old, new = (value.strip() or None if value is not None else None for value in (old, new))
    if old == new:
        return
    sides = [_opened(value) for value in (old, new)]
    if any(isinstance(side, dict) for side in sides) and all(isinstance(side, dict | None) for side in sides):
        before, after = (side if isinstance(side, dict) else {} for side in sides)
        for name in sorted({*before, *after}, key=str):
            yield from value_changes(
                f"{field}.{name}", json_text(before.get(name)), json_text(after.get(name)), money
            )
    elif any(isinstance(side, list) for side in sides) and all(
        isinstance(side, list | None) for side in sides
    ):
        yield from _list_changes(field, *(list_items(value or "[]") or [] for value in (old, new)))
    elif old is None or new is None:
        yield _presence(field, old, new, money)
    elif (numbers := _numbers(old, new, money)) is not None:
        yield _number_change(field, old, new, *numbers)
    elif len(old) > LONG_TEXT or len(new) > LONG_TEXT or "\n" in old or "\n" in new:
        yield from text_changes(field, old, new)
    else:
        yield Change(field, "replaced", old, new)
        yield from _amount_changes(field, old, new)


def text_changes(field: str, old: str, new: str) -> Iterator[Change]:
    """Yields a "text" change that sums up the changed paragraphs, and the amounts that differ in them."""
    before, after = _paragraphs(old), _paragraphs(new)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    before, after = before[head : len(before) - tail], after[head : len(after) - tail]
    if not before and not after:
        return
    pairs = list(_pairs(before, after))
    replaced = sum(bool(left and right) for left, right in pairs)
    added = sum(right is not None for _, right in pairs) - replaced
    removed = sum(left is not None for left, _ in pairs) - replaced
    counts = (
        f"{added} added, {removed} removed, {replaced} replaced" if pairs else "the same in another order"
    )
    lines = [f"paragraphs: {counts}"]
    for left, right in pairs:
        lines += [f"- {left}"] if left is not None else []
        lines += [f"+ {right}"] if right is not None else []
        if sum(map(len, lines)) > MAX_SUMMARY:
            break
    summary = "\n".join(lines)
    if len(summary) > MAX_SUMMARY:
        summary = f"{summary[:MAX_SUMMARY]}\n[cut]"
    yield Change(field, "text", None, summary)
    amounts = 0
    for left, right in pairs:
        for change in _amount_changes(field, left or "", right or ""):
            amounts += 1
            if amounts <= _MAX_AMOUNTS:
                yield change


def _opened(value: str | None) -> object:
    """Returns the object or list that a cell holds, else its text, None for nothing."""
    if value is None or value[0] not in "[{":
        return value
    found = json_value(value)
    return found if isinstance(found, dict | list) else value


def _list_changes(field: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    for item in list(gone.elements())[:_MAX_ITEMS]:
        yield Change(field, "removed", item, None)
    for item in list(come.elements())[:_MAX_ITEMS]:
        yield Change(field, "added", None, item)
    if not gone and not come and list(before) != list(after):
        yield Change(field, "replaced", ", ".join(before)[:MAX_SUMMARY], ", ".join(after)[:MAX_SUMMARY])


def _presence(field: str, old: str | None, new: str | None, money: bool) -> Change:
    change = "added" if old is None else "removed"
    amount = _amount(old or new or "") if money else None
    if amount is None:
        return Change(field, change, old, new)
    text = format(amount, "f")
    return Change(field, change, None, None, text if old else None, text if new else None)


def _numbers(old: str, new: str, money: bool) -> tuple[Decimal, Decimal, bool] | None:
    if money or (_AMOUNT.fullmatch(old) and _AMOUNT.fullmatch(new)):
        first, second = _amount(old), _amount(new)
        return None if first is None or second is None else (first, second, True)
    if _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
        return Decimal(old.replace(",", "")), Decimal(new.replace(",", "")), False
    return None


def _number_change(field: str, old: str, new: str, before: Decimal, after: Decimal, money: bool) -> Change:
    change = "increased" if after > before else "decreased" if after < before else "replaced"
    if money:
        return Change(field, change, None, None, format(before, "f"), format(after, "f"))
    return Change(field, change, old, new)


def _amount(text: str) -> Decimal | None:
    match = _AMOUNT.search(text)
    written = (match[1] or match[2]) if match else text.strip()
    try:
        amount = Decimal(written.replace(",", ""))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and len(written) < 40 else None


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n[ \t]*\n|\r|\n(?=[-*#|])", text) if part.strip()]


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """Yields changed paragraphs as (old, new), None where one has no counterpart."""
    left_count, right_count = Counter(before), Counter(after)
    alike = sum(count * right_count[item] for item, count in left_count.items())
    if len(before) * len(after) > _MAX_COMPARED or alike > 1_000 + 5 * (len(before) + len(after)):
        for item in (left_count - right_count).elements():
            yield item, None
        for item in (right_count - left_count).elements():
            yield None, item
        return
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        for place in range(max(end - start, last - first)):
            left = before[start + place] if start + place < end else None
            right = after[first + place] if first + place < last else None
            yield left, right


def _amount_changes(field: str, old: str, new: str) -> Iterator[Change]:
    """Yields the amounts that differ where two wordings of a paragraph name equally many."""
    if len(old) > 50_000 or len(new) > 50_000:
        return
    before, after = ([match[1] or match[2] for match in _AMOUNT.finditer(text)] for text in (old, new))
    if len(before) != len(after):
        return
    for first, second in zip(before, after, strict=True):
        left, right = Decimal(first.replace(",", "")), Decimal(second.replace(",", ""))
        if left != right:
            yield _number_change(field, first, second, left, right, True)
