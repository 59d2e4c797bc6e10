"""The exceptions of this package, and what of a domain error may enter Dagster's event log.

Belongs here: the border between raw data and messages. Own exceptions of the domain packages never carry raw
values and pass; of any other exception only its type and place do (a data-frame library may quote a cell).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anonymize.errors import AnonymizeError, KeyRefused, PolicyRefused, VaultError
from archive.errors import ArchiveError, ManifestError, SourceError
from extract.errors import ExtractError


class PipelineError(Exception):
    """A job cannot start, or one of its steps failed."""


class OnboardRefused(PipelineError):
    """The input is wrong: no manifest, no key, a name that may not be used."""


class OnboardFailed(PipelineError):
    """A step failed or a blocking check did not pass; nothing after it ran."""


class WrongInput(PipelineError):
    """A step found that manifest, archive or key are not what they must be."""


@contextmanager
def without_raw_values(step: str) -> Iterator[None]:
    """Lets the domain's own errors pass as their message and reduces every other one to type and place.

    Raises:
        WrongInput: the archive, the manifest or the key is at fault.
        PipelineError: the step failed.
    """
    try:
        yield
        return
    except (ManifestError, SourceError, KeyRefused, PolicyRefused, VaultError) as error:
        failure: PipelineError = WrongInput(f"{step}: {error}")
    except (AnonymizeError, ArchiveError, ExtractError, PipelineError) as error:
        failure = PipelineError(f"{step}: {error}")
    except Exception as error:
        failure = PipelineError(f"{step}: {type(error).__name__} at {_place(error)}")
    raise failure from None  # a chained exception would be stored with its own text


def _place(error: BaseException) -> str:
    """Returns module and line where an exception was raised in our own code, else where it was raised."""
    project = Path(__file__).parents[1]
    traceback = error.__traceback__
    place = "unknown place"
    while traceback is not None:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if file.is_relative_to(project) and ".venv" not in file.parts:
            place = f"{file.relative_to(project).as_posix()}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
