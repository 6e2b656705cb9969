"""`awesome trace`: one file per verb, composed here."""

import typer

from awesome_cli.cli.trace import export, import_, show

app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")

app.command("export")(export.export)
app.command("import")(import_.import_)
app.command("show")(show.show)
