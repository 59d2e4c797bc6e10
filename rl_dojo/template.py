"""`rl-dojo template`: the fields of a world template that come from a company's own archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rl_dojo.terminal import ExitCode, output, print_json, stop


def template(
    name: Annotated[str, typer.Argument(help="Name of an onboarded dataset.", show_default=False)],
    env: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the environment.", show_default=False)
    ],
    home: Annotated[Path, typer.Option(envvar="RL_DOJO_HOME", help="State folder.")] = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Fits a world template to the company model of a dataset."""
    from pydantic import ValidationError

    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from contracts.company_model import CompanyModel
    from worldgen.errors import WorldError
    from worldgen.fitting import fit_template

    if not (env / "authored").is_dir():
        stop(ExitCode.WRONG_USE, f"{env} is no environment: it has no folder authored/")
    try:
        path = DatasetHome(home, name).model / "company_model.json"
        model = CompanyModel.model_validate_json(path.read_bytes())
    except ArchiveError as error:
        stop(ExitCode.WRONG_USE, str(error))
    except OSError:
        stop(ExitCode.WRONG_USE, f"dataset {name!r} has no company model under {home}: onboard it first")
    except ValidationError:
        stop(ExitCode.WRONG_USE, f"{path} is no company model of this version: onboard {name!r} again")
    try:
        lines = fit_template(model, env)
    except WorldError as error:
        stop(ExitCode.FAILED_CHECK, str(error))
    if json:
        print_json({"environment": env.resolve().name, "fields": [line._asdict() for line in lines]})
        return
    table = Table("field", "value", "model entry", title=f"{env} from {name}", title_justify="left")
    table.add_column("n", justify="right")
    for line in lines:
        table.add_row(line.field, line.value, line.entry, f"{line.n:,}")
    output.print(table)
