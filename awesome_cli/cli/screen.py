"""`awesome screen`: decide on candidates, and try orders on finished screenings."""

import typer

from awesome_cli.cli._simulation import simulate

screen = typer.Typer()
screen.command()(simulate)


@screen.callback()
def _overview() -> None:
    """Screen candidates, or try an order on a finished screening.

    Example: awesome screen simulate labelled.csv
    """
