"""`awesome trace`: its verbs, composed here."""

import typer

from awesome_cli.cli.trace.conversion import export, import_
from awesome_cli.cli.trace.inspection import check, diff, replay, show
from awesome_cli.cli.trace.tables import metrics, rows

app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")

app.command()(check)
app.command()(replay)
app.command()(metrics)
app.command()(rows)
app.command()(diff)
app.command()(show)
app.command("import")(import_)
app.command()(export)
