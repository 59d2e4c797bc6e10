"""`rl-dojo template`: the fields of a world template that come from a company's own archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from rl_dojo.faults import told
from rl_dojo.inputs import Home, require_environment
from rl_dojo.terminal import ExitCode, notice, output, print_json, say, stop

if TYPE_CHECKING:
    from contracts.company_model import CompanyModel
    from contracts.template import Authored


def template(
    name: Annotated[str, typer.Argument(help="Name of an onboarded dataset.", show_default=False)],
    env: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the environment.", show_default=False)
    ],
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Fits a world template to the company model of a dataset."""
    import yaml

    from archive.home import DatasetHome
    from pipeline.templates import note_template
    from worldgen.errors import WorldError
    from worldgen.fitting import fit_template
    from worldgen.template import FITTED, load_authored

    require_environment(env)
    model = _company_model(home, name)
    try:
        authored = load_authored(env)  # one that cannot be read is wrong input, no failed fit
    except WorldError as error:
        stop(ExitCode.WRONG_USE, told(error))
    _refuse_real_names(home, name, authored)
    try:
        lines = fit_template(model, env)
    except WorldError as error:
        stop(ExitCode.FAILED_CHECK, told(error))
    note_template(DatasetHome(home, name), env)
    stored = yaml.safe_load((env / FITTED).read_text(encoding="utf-8"))
    if json:
        fields = [{**line._asdict(), "value": stored[line.field]["value"]} for line in lines]
        print_json({"environment": env.resolve().name, "dataset": name, "fields": fields})
        return
    say(f"{env} from {name}")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("field", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("model entry, value", overflow="fold")
    for line in lines:
        value = Text(_in_words(stored[line.field]["value"]), style="dim")
        left_out = [Text(f"not by its own name: {line.left_out}", style="dim")] if line.left_out else []
        table.add_row(line.field, f"{line.n:,}", Group(line.entry, value, *left_out))
    output.print(table)


def _company_model(home: Path, name: str) -> CompanyModel:
    from pydantic import ValidationError

    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from contracts.company_model import CompanyModel

    try:
        path = DatasetHome(home, name).model / "company_model.json"
        return CompanyModel.model_validate_json(path.read_bytes())
    except ArchiveError as error:
        stop(ExitCode.WRONG_USE, told(error))
    except OSError:
        stop(ExitCode.WRONG_USE, f"dataset {name!r} has no company model under {home}: onboard it first")
    except ValidationError:
        stop(ExitCode.WRONG_USE, f"{path} is no company model of this version: onboard {name!r} again")


def _refuse_real_names(home: Path, name: str, authored: Authored) -> None:
    """Ends the command where a world could call somebody by a real name of the archive."""
    from anonymize.errors import AnonymizeError
    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from pipeline.errors import PipelineError
    from pipeline.real_names import pool_collisions

    try:
        found = pool_collisions(DatasetHome(home, name), authored, notice)
    except (AnonymizeError, ArchiveError, PipelineError) as error:
        stop(ExitCode.WRONG_USE, f"the names of {name!r} cannot be compared: {told(error)}")
    if found.counts:
        stop(ExitCode.FAILED_CHECK, found.message())


def _in_words(value: object) -> str:
    """Returns a fitted value as a person reads it; long structures as their number of entries."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {count}" for key, count in value.items())
    if isinstance(value, list):
        if any(isinstance(item, dict | list) for item in value):
            return f"{len(value)} entries"
        return ", ".join(str(item) for item in value)
    return str(value)
