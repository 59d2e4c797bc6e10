"""What tests of several packages share: the manifest of a small company with mails and a CRM."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml


@pytest.fixture(scope="session")
def small_manifest() -> Callable[..., Path]:
    """Returns what writes that manifest, see `write_manifest`."""
    return write_manifest


def write_manifest(
    folder: Path,
    tables: Mapping[str, Mapping[str, Any]],
    *,
    name: str = "small",
    company: str = "Brightwater",
    more: Sequence[Mapping[str, Any]] = (),
) -> Path:
    """Writes `dataset.yaml` for mails in mail.mbox and a CRM's tables in crm/*.csv, and returns its path.

    Args:
        folder: of the archive.
        tables: table -> column -> kind, or the whole spec of the column; the key of each table is "id".
        name: of the dataset.
        company: whose archive it is.
        more: further sources.
    """
    specs = [
        {
            "name": table,
            "key": ["id"],
            "columns": {
                column: {"kind": spec} if isinstance(spec, str) else dict(spec)
                for column, spec in columns.items()
            },
        }
        for table, columns in tables.items()
    ]
    mail = {"name": "mail", "kind": "mail", "format": "mbox", "path": "mail.mbox"}
    crm = {"name": "crm", "kind": "crm", "format": "csv", "path": "crm", "tables": specs}
    domain = f"{company.lower()}.com"
    content = {
        "name": name,
        "company": {"names": [company], "domains": [domain], "zones": ["UTC"], "currency": "USD"},
        "sources": [mail, *map(dict, more), crm],
    }
    path = folder / "dataset.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path
