"""The manifest as a file: read, checked, paths resolved.

What a manifest may say is in `contracts.manifest`. Presets are applied once the headers of an export are
known (`archive.records`).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from archive.errors import ManifestError
from archive.formats import FORMATS
from archive.presets import load_preset
from archive.store import replace_file
from contracts.manifest import Manifest, Source, TopicMap
from contracts.policy import Policy

MANIFEST = "dataset.yaml"
POLICY_FILE = "policy.yaml"
_MOST_FAULTS = 5
_VARIABLE = re.compile(r"\$\{?([A-Z][A-Z0-9_]*)\}?")


@dataclass(frozen=True)
class LoadedManifest:
    """A manifest with its folders resolved."""

    manifest: Manifest
    base: Path
    """Folder that source paths are relative to."""
    folder: Path
    """Folder of the manifest, which topics are relative to."""

    @property
    def topics_path(self) -> Path | None:
        """The topic map's file, or None where the dataset has none."""
        return self.folder / self.manifest.topics if self.manifest.topics else None

    @property
    def policy_path(self) -> Path | None:
        """The replacement policy's file, or None where the dataset has none."""
        if self.manifest.policy:
            return self.folder / self.manifest.policy
        beside = self.folder / POLICY_FILE
        return beside if beside.is_file() else None

    def source(self, name: str) -> Source:
        """Returns a source by name; ManifestError where there is none."""
        for source in self.manifest.sources:
            if source.name == name:
                return source
        have = ", ".join(source.name for source in self.manifest.sources)
        raise ManifestError(f"dataset {self.manifest.name!r} has no source {name!r} (have: {have})")


def load_manifest(path: Path) -> LoadedManifest:
    """Returns a manifest ready for use, from its file or from the folder that holds `dataset.yaml`.

    Raises:
        ManifestError: no such file, malformed, an unset variable in `base`, a missing base folder, an
            unknown format or preset, two sources of one name, or a source without path and URL.
    """
    path = path / MANIFEST if path.is_dir() else path
    if not path.is_file():
        raise ManifestError(
            f"no manifest {path.name} in {path.parent.name or '.'}: `rl-dojo inspect FOLDER` drafts one"
        )
    try:
        manifest = Manifest.model_validate(_yaml(path))
    except ValidationError as error:
        raise ManifestError(f"{path.name} is no dataset manifest: {_faults(error)}") from None
    folder = path.parent.resolve()
    base = _base(manifest.base, folder, path.name)
    names = [source.name for source in manifest.sources]
    for source in manifest.sources:
        _check_source(source, names.count(source.name))
    return LoadedManifest(manifest, base, folder)


def save_manifest(path: Path, loaded: LoadedManifest, original: Path, name: str) -> None:
    """Keeps a copy of a manifest under a name that works from another folder; only its owner may read it."""
    original = original / MANIFEST if original.is_dir() else original
    content = _yaml(original)
    content["name"] = name
    content["base"] = str(loaded.base)
    if loaded.topics_path is not None:
        content["topics"] = str(loaded.topics_path.resolve())
    if loaded.policy_path is not None:
        content["policy"] = str(loaded.policy_path.resolve())
    data = yaml.safe_dump(content, sort_keys=False, allow_unicode=True).encode()
    replace_file(path, data, private=True)  # it names the company


def load_topics(loaded: LoadedManifest) -> TopicMap | None:
    """Returns the dataset's topic map, or None where it names none.

    Raises:
        ManifestError: the file is missing or malformed.
    """
    path = loaded.topics_path
    if path is None:
        return None
    if not path.is_file():
        raise ManifestError(f"the manifest names the topic map {path.name}, which does not exist")
    try:
        return TopicMap.model_validate(_yaml(path))
    except ValidationError as error:
        raise ManifestError(f"{path.name} is no topic map: {_faults(error)}") from None


def load_policy(loaded: LoadedManifest) -> Policy:
    """Returns the dataset's replacement policy; without a file the one under which all is pseudonymised.

    Raises:
        ManifestError: the file is missing or malformed.
    """
    path = loaded.policy_path
    if path is None:
        return Policy()
    if not path.is_file():
        raise ManifestError(f"the manifest names the policy {path.name}, which does not exist")
    try:
        return Policy.model_validate(_yaml(path) or {})
    except ValidationError as error:
        raise ManifestError(f"{path.name} is no policy: {_faults(error)}") from None


def _yaml(path: Path) -> Any:
    """Returns a YAML file's content; a fault is told by place, as the file itself names people."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ManifestError(f"{path.name} is not UTF-8 (byte {error.start}): save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        raise ManifestError(f"{path.name} is not YAML{place}: correct it there") from None


def _base(text: str | None, folder: Path, filename: str) -> Path:
    if text is None:
        return folder
    for name in _VARIABLE.findall(text):
        if not os.environ.get(name):
            raise ManifestError(
                f"{filename}: base uses ${name}, which is not set: export {name}=FOLDER first"
            )
    base = (folder / _VARIABLE.sub(lambda match: os.environ[match[1]], text)).resolve()
    if not base.is_dir():
        raise ManifestError(f"{filename}: base {text!r} is no folder: correct it or unpack the archive there")
    return base


def _check_source(source: Source, named: int) -> None:
    if named > 1:
        raise ManifestError(f"{named} sources are called {source.name!r}: give each its own name")
    if source.format not in FORMATS:
        raise ManifestError(
            f"source {source.name!r}: no reader for format {source.format!r} (have: {', '.join(FORMATS)})"
        )
    if source.format == "database" and source.url is None:
        raise ManifestError(f"source {source.name!r}: format database needs `url`")
    if source.format != "database" and source.path is None:
        raise ManifestError(f"source {source.name!r}: format {source.format} needs `path`")
    if source.preset is not None:
        load_preset(source.preset)


def _faults(error: ValidationError) -> str:
    """Returns up to five faults by place, without the values that stand there."""
    faults = error.errors(include_url=False, include_input=False)
    told = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'the whole file'}: "
        + fault["msg"].removeprefix("Value error, ")
        for fault in faults[:_MOST_FAULTS]
    ]
    return "; ".join(told)
