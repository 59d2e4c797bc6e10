"""Entry point of `rl-dojo`: which commands there are. Each stands in a module named after it."""

from __future__ import annotations

import typer

from rl_dojo.access_log import access_log
from rl_dojo.backtest import backtest
from rl_dojo.erase import erase
from rl_dojo.export import export
from rl_dojo.faults import guarded
from rl_dojo.forget import forget
from rl_dojo.grading import grade, regrade, report
from rl_dojo.inspect import inspect
from rl_dojo.onboard import onboard
from rl_dojo.replay import replay
from rl_dojo.reveal import reveal
from rl_dojo.reviews import reviews
from rl_dojo.rotate import rotate
from rl_dojo.run import run
from rl_dojo.stopping import stops
from rl_dojo.template import template
from rl_dojo.terminal import accept_any_text
from rl_dojo.world import world

app = typer.Typer(
    name="rl-dojo",
    help="Turns a company's own archives into worlds where AI agents are trained and tested on real work.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # a local variable may hold a real name or a key
)


@app.callback()
def _root() -> None:
    """Keeps commands as words, also while there is one only."""


app.command()(inspect)
app.command()(onboard)
app.command()(export)
app.command()(reveal)
app.command()(reviews)
app.command()(rotate)
app.command()(access_log)
app.command()(erase)
app.command()(forget)
app.command()(template)
app.command()(world)
app.command()(run)
app.command()(grade)
app.command()(regrade)
app.command()(replay)
app.command()(report)
app.command()(backtest)


def main() -> None:
    """Runs a command; exit codes: 0 done, 1 the work failed a check, 2 wrong use or input, 130 Ctrl-C."""
    accept_any_text()
    with stops:
        guarded(app)
