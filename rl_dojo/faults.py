"""What a person reads when something is wrong: one message, no traceback, nothing quoted from a file.

Belongs here: turning exceptions into messages and exit codes. Parsers quote what they could not read, which
may be a company's own data; of such an error only its place is told.
"""

from __future__ import annotations

import gc
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import yaml
from pydantic import ValidationError

from rl_dojo.terminal import ExitCode, stop

_PROJECT = Path(__file__).parents[1]


def told(error: BaseException) -> str:
    """Returns the message of an error on one line, with every quote of file content cut to its place."""
    text = str(error)
    for cause in _causes(error):
        short = in_short(cause)
        if short is not None and str(cause):
            text = text.replace(str(cause), short)
    return " ".join(text.split()).replace(": :", ":")


def in_short(error: BaseException) -> str | None:
    """Returns where a file could not be read, without its content; None for other kinds of error."""
    match error:
        case OSError():
            return (error.strerror or type(error).__name__).lower()
        case UnicodeDecodeError():
            return f"not UTF-8 at byte {error.start}"
        case json.JSONDecodeError():
            return f"see line {error.lineno}, column {error.colno}"
        case ValidationError():
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            field = ".".join(str(part) for part in fault["loc"])
            return f"{field}: {fault['msg']}" if field else fault["msg"]
        case yaml.MarkedYAMLError() if error.problem_mark is not None:
            mark = error.problem_mark
            return f"see line {mark.line + 1}, column {mark.column + 1}"
        case yaml.YAMLError():
            return "see its characters"
    return None


def guarded(command: Callable[[], object]) -> None:
    """Runs a command line; whatever it raises ends as one message with an exit code.

    `python -X dev -m rl_dojo` shows the traceback instead.
    """
    try:
        command()
    except (SystemExit, KeyboardInterrupt) as end:
        if isinstance(end, SystemExit) and end.code != ExitCode.STOPPED:
            raise
        _let_go(end)
        stop(ExitCode.STOPPED, "stopped: what is finished is kept, the same command goes on from there")
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _stop_by(error)


def _let_go(error: BaseException) -> None:
    """Ends what an interruption has left half done, while it can still close its files in silence."""
    seen: BaseException | None = error
    while seen is not None:
        traceback.clear_frames(seen.__traceback__)
        seen = seen.__cause__ or seen.__context__
    gc.collect()


def _stop_by(error: Exception) -> NoReturn:
    short = in_short(error)
    if isinstance(error, OSError):
        where = f"{_shown(error.filename)}: " if error.filename else ""
        stop(ExitCode.WRONG_USE, f"{where}{short}: give another path, or make this one usable")
    if short is not None:
        stop(
            ExitCode.WRONG_USE,
            f"a file is damaged ({type(error).__name__}, {short}; read by {_place(error)}): make it again",
        )
    stop(
        ExitCode.FAILED_CHECK,
        f"a defect of rl-dojo: {type(error).__name__} at {_place(error)}; report this line "
        "(python -X dev -m rl_dojo shows more)",
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause = error.__cause__
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _shown(path: object) -> str:
    """Returns a path as a person would write it: below the current folder it is relative."""
    whole = Path(str(path))
    return str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole)


def _place(error: BaseException) -> str:
    """Returns the last line of our own code that an exception passed."""
    place, passed = "an unknown place", error.__traceback__
    while passed is not None:
        file = Path(passed.tb_frame.f_code.co_filename)
        if file.is_relative_to(_PROJECT) and not {".venv", "site-packages"} & {*file.parts}:
            place = f"{file.relative_to(_PROJECT).as_posix()}:{passed.tb_lineno}"
        passed = passed.tb_next
    return place
