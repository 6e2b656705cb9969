"""`awesome taxonomy`."""

import typer

taxonomy = typer.Typer(name="taxonomy", help="Look at the vocabulary and change it.", no_args_is_help=True)
