"""`awesome init`: start a survey."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._workspace import Workspace


def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; by default this one.")] = Path(),
    title: Annotated[str | None, typer.Option("--title", help="The survey's title.")] = None,
) -> None:
    """Start an empty survey: a taxonomy with one axis, the folders, a README and its templates.

    Example: awesome init my-survey --title 'Bread and how it is baked'
    """
    from awesome_cli.publish.starter import start

    workspace: Workspace = ctx.obj
    name = folder.resolve().name.replace("-", " ").replace("_", " ").strip().capitalize()
    start(folder, title or name or "A survey")
    typer.echo(f"started a survey in {folder}")
    workspace.say(f"next: edit {folder / 'taxonomy.yaml'}, then 'awesome -C {folder} add REFERENCE'")
