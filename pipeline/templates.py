"""World templates that were fitted to a dataset: where they lie, and fitting them again when rows have left.

Belongs here: remembering the folders beside the dataset, and what becomes of their fitted layer. Does not
belong here: the fit itself (`worldgen.fitting`); built worlds, which are told of and not touched.
"""

import json
from pathlib import Path
from typing import NamedTuple

import yaml

from archive.home import DatasetHome
from archive.loading import load_manifest
from archive.store import replace_file
from contracts.company_model import CompanyModel
from pipeline.resources import PROJECT
from worldgen.errors import WorldError
from worldgen.fitting import fit_template
from worldgen.template import FITTED

NOTED = "templates.json"


class Refitted(NamedTuple):
    """What became of one template."""

    environment: str
    fitted: bool
    """Whether its fitted layer is that of the new model; otherwise it was removed."""
    why: str = ""


def note_template(home: DatasetHome, environment: Path) -> None:
    """Remembers that a template was fitted to a dataset, so that an erasure reaches it."""
    known = {*_noted(home), str(environment.resolve())}
    replace_file(home.folder / NOTED, json.dumps(sorted(known), indent=1).encode() + b"\n", private=True)


def refit_templates(home: DatasetHome) -> tuple[Refitted, ...]:
    """Fits every template of a dataset to its present model; where that fails its fitted layer is removed.

    A fitted layer that says it comes from another dataset stays as it is.
    """
    named = load_manifest(home.manifest_path).manifest.environment
    folders = {*_noted(home), *([str((PROJECT / named).resolve())] if named else [])}
    return tuple(_refit(home, Path(folder)) for folder in sorted(folders) if _is_of(home, Path(folder)))


def _is_of(home: DatasetHome, environment: Path) -> bool:
    """Says whether a fitted layer comes from a dataset; one that nobody can read does where it was noted."""
    try:
        content = yaml.safe_load((environment / FITTED).read_text(encoding="utf-8"))
        return bool(content["dataset"]["value"] == home.name)
    except FileNotFoundError:
        return False
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError):
        return str(environment) in _noted(home)


def _refit(home: DatasetHome, environment: Path) -> Refitted:
    try:
        model = CompanyModel.model_validate_json((home.model / "company_model.json").read_bytes())
        fit_template(model, environment)
    except (WorldError, ValueError, OSError) as error:
        (environment / FITTED).unlink(missing_ok=True)
        why = str(error) if isinstance(error, WorldError) else "the company model cannot be read"
        return Refitted(str(environment), fitted=False, why=why)
    return Refitted(str(environment), fitted=True)


def _noted(home: DatasetHome) -> list[str]:
    path = home.folder / NOTED
    content: list[str] = json.loads(path.read_bytes()) if path.is_file() else []
    return content
