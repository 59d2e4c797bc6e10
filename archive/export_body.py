"""Bodies put together again from own words, quoted words and signature, in the layout of the raw body.

Belongs here: the order of lines. Of the raw body only the order of its parts is used, never its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Parts = tuple[str, str, str]
"""Own words, quoted words, signature."""


def clean_body(raw_body: str, raw_parts: Parts, clean_parts: Parts) -> tuple[list[str], bool]:
    """Returns the lines of the clean body, and whether they stand as those of the raw body do.

    Where replacement changed how many lines a part has, the parts follow each other as they begin.
    """
    lines = raw_body.split("\n")
    labels = _labels(lines, raw_parts)
    clean = [[line for line in part.split("\n") if line.strip()] for part in clean_parts]
    counts = [sum(label == part for label in labels) for part in range(3)]
    if counts == [len(part) for part in clean] and None not in _filled(lines, labels):
        queues = [iter(part) for part in clean]
        return [next(queues[label]) if label is not None else "" for label in labels], True
    begins = [labels.index(part) if part in labels else len(lines) + part for part in range(3)]
    order = sorted((0, 2, 1) if begins[1] > begins[0] else (1, 0, 2), key=lambda part: begins[part])
    told = [clean_parts[part] for part in order if clean_parts[part].strip()]
    return "\n\n".join(told).split("\n"), False


def slices(lines: Sequence[str], raw_texts: Sequence[str], aligned: bool) -> list[str]:
    """Returns the clean lines cut into the texts that a raw body was joined from, else all in the first."""
    if not aligned:
        return ["\n".join(lines), *[""] * (len(raw_texts) - 1)][: len(raw_texts)]
    found, at = [], 0
    for text in raw_texts:
        size = text.count("\n") + 1
        found.append("\n".join(lines[at : at + size]))
        at += size + 1  # texts are joined by an empty line
    return found


def as_html(text: str) -> str:
    """Returns a page that shows a text, one line each."""
    shown = "<br>\n".join(escape(line, quote=False) for line in text.split("\n"))
    return f"<html><body>\n{shown}\n</body></html>\n"


def _labels(lines: Sequence[str], parts: Parts) -> list[int | None]:
    """Which part each line belongs to; None for empty lines and those of no part."""
    queues = [[line for line in part.split("\n") if line.strip()] for part in parts]
    at = [0, 0, 0]
    labels: list[int | None] = []
    for line in lines:
        found = None
        if line.strip():
            for part in (0, 2, 1):
                if at[part] < len(queues[part]) and queues[part][at[part]].strip() == line.strip():
                    found = part
                    at[part] += 1
                    break
        labels.append(found)
    return labels


def _filled(lines: Sequence[str], labels: Sequence[int | None]) -> list[int | None]:
    return [label for line, label in zip(lines, labels, strict=True) if line.strip()]
