"""World templates as folders: reading the three layers into one checked template."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from contracts.template import Authored, WorldTemplate, template_schema
from worldgen.errors import WorldError

MODELS = ("mail_model", "claim_model")
"""Fitted by `python -m benchmarks.fit_wordings`; a template need not have them."""
AUTHORED = ("cast", "concepts", "office", "sites", "buyers", "levels")
FITTED = "fitted.yaml"
OVERRIDES = "overrides.yaml"


def load_template(env: Path) -> WorldTemplate:
    """Returns the template of an environment, overrides laid over fitted values.

    Raises:
        WorldError: a layer is missing, unreadable or against the schema, with file and field.
    """
    fitted = _mapping(env / FITTED)
    for field, value in _mapping(env / OVERRIDES).items():
        if not isinstance(fitted.get(field), dict):
            raise WorldError(
                f"{env / OVERRIDES}: no fitted field {field!r} (have: {', '.join(sorted(fitted))})"
            )
        fitted[field] = {
            **fitted[field],
            "value": value,
            "entry": f"override of {fitted[field].get('entry')}",
        }
    layers = {
        "environment": env.resolve().name,
        "authored": _authored(env),
        "fitted": fitted,
    }
    try:
        return WorldTemplate.model_validate(layers)
    except ValidationError as error:
        raise WorldError(f"{env} is no world template: {_faults(error)}") from error


def load_authored(env: Path) -> Authored:
    """Returns the authored layer alone, which is there before anything was fitted.

    Raises:
        WorldError: a file is missing, unreadable or against the schema, with file and field.
    """
    try:
        return Authored.model_validate(_authored(env))
    except ValidationError as error:
        raise WorldError(f"{env / 'authored'} is no authored layer: {_faults(error)}") from error


def write_schema(path: Path) -> Path:
    """Returns the path that now holds the published JSON Schema of world templates."""
    text = json.dumps(template_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    aside = path.with_name(path.name + ".part")
    aside.write_text(text, encoding="utf-8")
    os.replace(aside, path)
    return path


def _authored(env: Path) -> dict[str, Any]:
    layers = {name: _mapping(env / "authored" / f"{name}.yaml") for name in AUTHORED}
    return {**layers, **{name: _model(env / "authored" / f"{name}.json") for name in MODELS}}


def _model(path: Path) -> str:
    """Returns a fitted model as one line; empty where the template has none."""
    try:
        return json.dumps(json.loads(path.read_text("utf-8")), ensure_ascii=False, separators=(",", ":"))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise WorldError(f"{path} cannot be read: {error}") from error


def _faults(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5])


def _mapping(path: Path) -> dict[str, Any]:
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise WorldError(f"{path} is missing; fit the template with `rl-dojo template`") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise WorldError(f"{path} cannot be read: {error}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise WorldError(f"{path} is no mapping")
    return value
