"""`awesome trace`: one file per verb, composed here."""

import typer

from awesome_cli.cli.trace.check import check
from awesome_cli.cli.trace.diff import diff
from awesome_cli.cli.trace.export import export
from awesome_cli.cli.trace.import_ import import_
from awesome_cli.cli.trace.metrics import metrics
from awesome_cli.cli.trace.replay import replay
from awesome_cli.cli.trace.rows import rows
from awesome_cli.cli.trace.show import show

app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")

app.command()(check)
app.command()(replay)
app.command()(metrics)
app.command()(rows)
app.command()(diff)
app.command()(show)
app.command("import")(import_)
app.command()(export)
