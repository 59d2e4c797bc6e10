"""What the commands of a dataset's custodian share: opening it with its key, and how refusals end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rl_dojo.faults import told
from rl_dojo.terminal import ExitCode, notice, stop

if TYPE_CHECKING:
    from pipeline.custody import Custody

Name = Annotated[str, typer.Argument(help="Name of an onboarded dataset.", show_default=False)]
Reason = Annotated[
    str, typer.Option(help="Why; it stands, encrypted, in the access log.", show_default=False)
]


@contextmanager
def opened(home: Path, name: str, reason: str | None = None) -> Iterator[Custody]:
    """Gives a dataset with its key; ends the command where key, reason or dataset are not as they must be.

    Without a reason only for what tells nothing of the data.
    """
    # Loaded here: Dagster takes seconds that `--help` and other commands should not pay.
    from anonymize.errors import AnonymizeError
    from archive.errors import ArchiveError
    from pipeline.custody import custody
    from pipeline.errors import OnboardRefused, PipelineError

    if reason is not None and not reason.strip():
        stop(ExitCode.WRONG_USE, "a reason is needed: it stands in the access log")
    try:
        yield custody(home, name, notice)
    except (AnonymizeError, ArchiveError, OnboardRefused) as error:
        stop(ExitCode.WRONG_USE, told(error))
    except PipelineError as error:
        stop(ExitCode.FAILED_CHECK, told(error))
