"""One run at a time: a second one of the same dataset is refused, one of another is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from archive.home import DatasetHome
from pipeline.errors import OnboardRefused
from pipeline.turns import own_turn

HOLDER = """
import sys
from pathlib import Path
from archive.home import DatasetHome
from pipeline.turns import own_turn
with own_turn(DatasetHome(Path(sys.argv[1]), "one")):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None and first.stdout.readline() == "held\n"
        refused = pytest.raises(OnboardRefused, match="another run of dataset 'one' is under way")
        with refused, own_turn(DatasetHome(tmp_path, "one")):
            raise AssertionError("two runs of one dataset")
        with own_turn(DatasetHome(tmp_path, "other")):
            pass
        first.kill()
        first.wait()
        with own_turn(DatasetHome(tmp_path, "one")):
            pass


def test_an_error_ends_the_turn(tmp_path: Path) -> None:
    home = DatasetHome(tmp_path, "one")
    with pytest.raises(KeyError), own_turn(home):
        raise KeyError
    with own_turn(home):
        pass
