"""A drafted manifest as commented YAML: one line per column, what a person should check above it.

Belongs here: writing. Does not belong here: what is written (`archive.drafting`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import yaml

from archive.findings import Draft
from contracts.manifest import Source, TableSpec

_WIDTH = 100
_HEAD = """\
# Drafted by `rl-dojo inspect` from what lies in the folder. Lines "# check:" stand above proposals that a
# person should confirm; everything else was told by the data itself.
"""


def draft_text(draft: Draft) -> str:
    """Returns the manifest as YAML that loads as exactly this manifest."""
    notes: dict[str, list[str]] = {where: [text] for where, text in draft.notes.items()}
    for check in draft.checks:
        notes.setdefault(check.where, []).append(f"check: {check.what}: {check.why}")
    manifest = draft.manifest
    lines = [*_HEAD.splitlines(), f"name: {_flow(manifest.name)}", "company:"]
    for field, value in manifest.company.model_dump(mode="json").items():
        lines += _comments(notes, f"company.{field}", "  ")
        lines.append(f"  {field}: {_flow(value)}")
    for field in ("base", "topics", "environment"):
        value = getattr(manifest, field)
        if value is not None:
            lines.append(f"{field}: {_flow(value)}")
    lines.append("sources:" if manifest.sources else "sources: []")
    found = {finding.name: finding for finding in draft.sources}
    for source in manifest.sources:
        if source.name in found:
            finding = found[source.name]
            lines += _folded(f"{finding.why} (certainty {finding.confidence:.2f})", "  # ", "  #   ")
        lines += _comments(notes, source.name, "  ")
        lines += _source_lines(source, notes)
    return "\n".join(lines) + "\n"


def _source_lines(source: Source, notes: Mapping[str, Sequence[str]]) -> list[str]:
    content = source.model_dump(mode="json", exclude_defaults=True)
    lines: list[str] = []
    for field, value in content.items():
        if field == "tables":
            continue
        start = "  - " if not lines else "    "
        lines += _comments(notes, f"{source.name}.{field}", "    ") if lines else []
        lines.append(f"{start}{field}: {_flow(value)}")
    if source.tables:
        lines.append("    tables:")
        for table in source.tables:
            lines += _table_lines(source.name, table, notes)
    return lines


def _table_lines(source: str, table: TableSpec, notes: Mapping[str, Sequence[str]]) -> list[str]:
    content = table.model_dump(mode="json", exclude_defaults=True)
    where = f"{source}.{table.name}"
    lines = _comments(notes, where, "      ")
    lines.append(f"      - name: {_flow(table.name)}")
    for field, value in content.items():
        if field in ("name", "columns", "objects"):
            continue
        lines += _comments(notes, f"{where}.{field}", "        ")
        lines.append(f"        {field}: {_flow(value)}")
    if table.columns:
        lines.append("        columns:")
        for column, spec in content["columns"].items():
            lines += _comments(notes, f"{where}.{column}", "          ")
            lines.append(f"          {_flow(column)}: {_flow(spec)}")
    if table.objects:
        lines += _comments(notes, f"{where}.objects", "        ")
        lines.append("        objects:")
        lines += [f"          - {_flow(entry)}" for entry in content["objects"]]
    return lines


def _comments(notes: Mapping[str, Sequence[str]], where: str, indent: str) -> list[str]:
    lines: list[str] = []
    for text in notes.get(where, ()):
        lines += _folded(text, f"{indent}# ", f"{indent}#   ")
    return lines


def _folded(text: str, first: str, later: str) -> list[str]:
    plain = " ".join("".join(char if char.isprintable() else "?" for char in text).split())
    return wrap(plain, _WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _flow(value: Any) -> str:
    """A value on one line, as YAML."""
    for style in (None, '"'):
        written = yaml.safe_dump(
            value,
            default_flow_style=True,
            default_style=style,
            allow_unicode=style is None,
            sort_keys=False,
            width=1_000_000,
        ).strip("\n")
        plain = written.removesuffix("\n...").strip("\n")
        if len(plain.splitlines()) <= 1:
            break
    return plain
