"""`awesome trace`: one file per verb, composed here."""

import typer

app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")
