"""Checks that an environment folder is a Harbor task, by Harbor's own classes.

Runs in the environment of `harbor.lock` (Python 3.12), apart from the product's own:
`python scripts/check_harbor.py environments/gtm-outbound`. Harbor ignores keys that it does not know,
so they are looked for here.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harbor.models.task.config import TaskConfig
from harbor.models.task.task import Task
from pydantic import BaseModel


def unknown_keys(model: Any, written: Any, path: str = "") -> Iterator[str]:
    """Yields the dotted paths of keys in the file that the model does not have."""
    if isinstance(model, BaseModel) and isinstance(written, dict):
        known = type(model).model_fields
        for key, value in written.items():
            if key in known:
                yield from unknown_keys(getattr(model, key), value, f"{path}{key}.")
            else:
                yield f"{path}{key}"
    elif isinstance(model, list) and isinstance(written, list):
        for index, (item, value) in enumerate(zip(model, written, strict=False)):
            yield from unknown_keys(item, value, f"{path}{index}.")


def main(folder: Path) -> int:
    """Returns 0 where the folder loads as a task and has no unknown key, else 1."""
    written = tomllib.loads((folder / "task.toml").read_text("utf-8"))
    config = TaskConfig.model_validate(written)
    unknown = list(unknown_keys(config, written))
    if not Task.is_valid_dir(folder):
        print(
            f"{folder} is no Harbor task folder: task.toml, instruction.md, environment/, tests/ are needed"
        )
        return 1
    task = Task(folder)
    for key in unknown:
        print(f"{folder}/task.toml: Harbor does not know the key {key}")
    print(f"{task.name}: loads with Harbor, schema {config.schema_version}, unknown keys: {len(unknown)}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
