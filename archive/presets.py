"""Presets: what the tables and columns of well-known exports mean, as YAML files in `presets/`.

A preset's table is optional (an export may lack it); a table that the manifest names itself is required.
Where both speak of a table, the manifest's columns and objects win one by one. Which preset an unknown folder
is, and how its spellings fit, is told by `archive.preset_matches`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from archive.errors import ManifestError
from contracts.manifest import ColumnSpec, Source, TableSpec

FOLDER = Path(__file__).parent / "presets"
_SELF = "{source}."


class PresetTable(TableSpec):
    """A table of a preset."""

    aliases: list[str] = Field(default_factory=list)
    """Other names in lower case, as patterns: "deals", "all-deals*"."""

    def spec(self) -> TableSpec:
        """Returns the table as a manifest states it, without aliases."""
        return TableSpec.model_validate(self.model_dump(exclude={"aliases"}, exclude_unset=True))


class Preset(BaseModel):
    """The content of a preset file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tables: list[PresetTable]


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
    for preset in load_preset(source.preset).tables:
        table = preset.spec()
        stated = own.pop(table.name.lower(), None)
        tables.append(bound_table(table if stated is None else merged_table(table, stated), source.name))
    return source.model_copy(update={"tables": tables + list(own.values())})


def merged_table(preset: TableSpec, stated: TableSpec) -> TableSpec:
    """Returns a table of a preset as the manifest overrides it."""
    return preset.model_copy(
        update={
            "name": stated.name,
            "path": stated.path or preset.path,
            "key": stated.key or preset.key,
            "columns": {**preset.columns, **stated.columns},
            "objects": stated.objects or preset.objects,
            "documents": stated.documents or preset.documents,
        }
    )


def bound_table(table: TableSpec, source: str) -> TableSpec:
    """Returns a table of a preset whose references name the source ("{source}.Account.Id")."""
    columns = {name: _bound_column(spec, source) for name, spec in table.columns.items()}
    return table.model_copy(update={"columns": columns})


def _bound_column(spec: ColumnSpec, source: str) -> ColumnSpec:
    if spec.references is None or not spec.references.startswith(_SELF):
        return spec
    return spec.model_copy(update={"references": f"{source}.{spec.references.removeprefix(_SELF)}"})
