"""Presets: what the tables and columns of well-known exports mean, as YAML files in `presets/`.

A preset's table is optional (an export may lack it); a table that the manifest names itself is required.
Where both speak of a table, the manifest's columns and objects win one by one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from archive.errors import ManifestError
from contracts.manifest import ColumnSpec, Source, TableSpec

FOLDER = Path(__file__).parent / "presets"
_SELF = "{source}."


class Preset(BaseModel):
    """The content of a preset file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tables: list[TableSpec]


def preset_names() -> list[str]:
    """Returns the names of all presets, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@cache
def load_preset(name: str) -> Preset:
    """Returns a preset by name.

    Raises:
        ManifestError: there is no such preset, or its file is malformed.
    """
    path = FOLDER / f"{name}.yaml"
    if name not in preset_names():
        raise ManifestError(f"no preset {name!r} (have: {', '.join(preset_names())})")
    try:
        return Preset.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError) as error:
        raise ManifestError(f"preset {name!r} is malformed: {error}") from error


def apply_preset(source: Source) -> Source:
    """Returns a source whose tables are completed from its preset; unchanged where it names none.

    Raises:
        ManifestError: the source names a preset that does not exist.
    """
    if source.preset is None:
        return source
    own = {table.name.lower(): table for table in source.tables}
    tables = []
    for table in load_preset(source.preset).tables:
        stated = own.pop(table.name.lower(), None)
        tables.append(_bound(table if stated is None else _merged(table, stated), source.name))
    return source.model_copy(update={"tables": tables + list(own.values())})


def is_optional(source: Source, table: str) -> bool:
    """Says whether a table may be absent: only the source's preset speaks of it."""
    if source.preset is None:
        return False
    return table.lower() in {preset.name.lower() for preset in load_preset(source.preset).tables}


def _merged(preset: TableSpec, stated: TableSpec) -> TableSpec:
    return preset.model_copy(
        update={
            "name": stated.name,
            "path": stated.path or preset.path,
            "key": stated.key or preset.key,
            "columns": {**preset.columns, **stated.columns},
            "objects": stated.objects or preset.objects,
        }
    )


def _bound(table: TableSpec, source: str) -> TableSpec:
    columns = {name: _bound_column(spec, source) for name, spec in table.columns.items()}
    return table.model_copy(update={"columns": columns})


def _bound_column(spec: ColumnSpec, source: str) -> ColumnSpec:
    if spec.references is None or not spec.references.startswith(_SELF):
        return spec
    return spec.model_copy(update={"references": f"{source}.{spec.references.removeprefix(_SELF)}"})
