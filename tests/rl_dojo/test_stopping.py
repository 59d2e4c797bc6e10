"""Ctrl-C ends every command in one way, also where what ran has swallowed it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from rl_dojo.faults import guarded
from rl_dojo.stopping import Stops, stops
from rl_dojo.terminal import Stages


@pytest.fixture
def swallowed() -> Iterator[Callable[[], None]]:
    """What presses Ctrl-C where Python's own handler does nothing, as inside a finalizer."""
    former = signal.signal(signal.SIGINT, lambda *_: None)
    with stops:
        yield lambda: os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, former)


def test_nothing_swallows_it(swallowed: Callable[[], None]) -> None:
    assert not stops.pressed()
    swallowed()
    assert stops.pressed() and stops.pressed()
    with pytest.raises(KeyboardInterrupt):
        stops.check()


def test_other_signals_are_none(swallowed: Callable[[], None]) -> None:
    former = signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    assert not stops.pressed()
    signal.signal(signal.SIGUSR1, former)


def test_a_new_command_begins_anew_and_leaves_nothing_open() -> None:
    own = Stops()
    former = signal.signal(signal.SIGINT, lambda *_: None)
    with own:
        os.kill(os.getpid(), signal.SIGINT)
        assert own.pressed()
    with own:
        assert not own.pressed()
    assert signal.set_wakeup_fd(-1) == -1
    signal.signal(signal.SIGINT, former)


class _Interrupted(BaseException):
    """As a scheduler raises it."""


@pytest.mark.parametrize("way", ["at the next step", "as a failure", "as an interruption", "at once"])
def test_every_way_ends_with_one_message_and_code(
    swallowed: Callable[[], None], capsys: pytest.CaptureFixture[str], way: str
) -> None:
    def command() -> None:
        with Stages() as stages:
            stages("read", "mail", 0, 2)
            swallowed()
            match way:
                case "at the next step":
                    stages("read", "crm", 1, 2)
                case "as a failure":
                    raise ValueError("a step failed")
                case "as an interruption":
                    raise _Interrupted
                case _:
                    raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        guarded(command)
    told = capsys.readouterr().err
    assert end.value.code == 130
    assert told.count("rl-dojo: stopped") == 1 and "the same command goes on" in told


def test_what_failed_by_itself_keeps_its_own_code() -> None:
    with stops, pytest.raises(ValueError, match="a step failed"), Stages():
        raise ValueError("a step failed")


def test_where_no_terminal_is_every_step_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Stages() as stages:
        for done in range(1000):
            stages("read", f"file {done}", done, 1000)
        stages("read", "write", 1000, 1000)
        stages("audit", "scan for leaks", 0, 1)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 102
    assert lines[0].split() == ["read", "0", "%", "file", "0"]
    assert lines[-2].split() == ["read", "100", "%"]
    assert lines[-1].split() == ["audit", "0", "%", "scan", "for", "leaks"]
