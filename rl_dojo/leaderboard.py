"""Results of runs at the terminal: the leaderboard as tables that fit its width, and as JSON.

Belongs here: columns, marks and widths. Ranks and means come from `evaluation.leaderboard`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len
from rich.table import Table

from rl_dojo.terminal import errors, output

if TYPE_CHECKING:
    from contracts.grade import RunResult
    from evaluation.leaderboard import Board, Cell

_MAX_SEEDS = 40
"""Seeds shown at the terminal; with more of them the report has the columns."""
_MAX_NAME = 40


class _Column(NamedTuple):
    title: str
    cells: list[str]

    @property
    def width(self) -> int:
        return max(cell_len(text) for text in (self.title, *self.cells))


def json_runs(results: Sequence[RunResult]) -> dict[str, Any]:
    """Returns the object that `run` and `grade` print."""
    return {"runs": [result.model_dump(mode="json") for result in results]}


def print_leaderboard(folders: Sequence[Path]) -> None:
    """Prints ranks, rewards per seed, means and meetings; runs without a grade with their reason."""
    from evaluation.leaderboard import boards_of
    from evaluation.runs import read_run

    runs = [read_run(folder) for folder in folders]
    for board in boards_of(runs):
        _print_board(board)
    for run in runs:
        if run.result.reward is None:
            errors.print(
                f"{run.folder.name}: {run.result.outcome}: {run.result.error}", style="red", soft_wrap=True
            )


def _print_board(board: Board) -> None:
    from evaluation.pages import dollars, two, whole

    figures = [
        _Column("mean", [two(row.mean) for row in board.rows]),
        _Column("met", [f"{row.meetings}/{row.meetings_due}" for row in board.rows]),
        _Column("min", [whole(row.minutes) for row in board.rows]),
    ]
    if any(row.cost_usd is not None for row in board.rows):
        figures.append(_Column("cost", [dollars(row.cost_usd) for row in board.rows]))
    shown = board.seeds if len(board.seeds) <= _MAX_SEEDS else ()
    seeds = [_Column(f"seed {seed}", [_mark(row.cells[seed]) for row in board.rows]) for seed in shown]
    ranks = _Column("#", [str(row.rank) for row in board.rows])
    names = _Column("agent", [row.name for row in board.rows])
    room = output.width - ranks.width - min(names.width, _MAX_NAME) - 2
    title = f"{board.environment}, {board.level}" + ("" if shown else f", {len(board.seeds)} seeds")
    for block in _blocks([*([column] for column in seeds), figures], room):
        table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column(ranks.title, justify="right", no_wrap=True)
        table.add_column(names.title, overflow="fold", min_width=min(names.width, _MAX_NAME))
        for column in block:
            table.add_column(column.title, justify="right", no_wrap=True)
        for texts in zip(*(column.cells for column in (ranks, names, *block)), strict=True):
            table.add_row(*texts)
        output.print(table)
        title = ""
    if not board.same_worlds:
        errors.print("world hashes differ between agents: do not compare them", style="red")


def _blocks(groups: Sequence[Sequence[_Column]], room: int) -> list[list[_Column]]:
    """Returns columns in tables that fit the room; a group is never torn apart."""
    blocks: list[list[_Column]] = [[]]
    for group in groups:
        used = sum(column.width + 1 for column in (*blocks[-1], *group))
        if blocks[-1] and used > room:
            blocks.append([])
        blocks[-1].extend(group)
    return blocks


def _mark(cell: Cell) -> str:
    from evaluation.pages import two

    if cell.failed_gates:
        mark = "gate"
    elif cell.ungraded:
        mark = "none"
    else:
        mark = "✓" if cell.all_booked else ""
    return f"{two(cell.reward)} {mark}".strip()
