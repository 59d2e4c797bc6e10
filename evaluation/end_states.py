"""How an account stands when the work on it ends, in records and in replays alike."""

from __future__ import annotations

from enum import StrEnum

BACKTEST_FILE = "backtest.json"
"""Of a dataset's reports: what its cases reached, recorded and replayed."""


class EndState(StrEnum):
    """What became of an account."""

    MEETING = "meeting"
    NOT_A_FIT = "not a fit"
    NOTHING = "nothing"
