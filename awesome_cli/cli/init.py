"""`awesome init`: start a survey."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._doors import show
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import preview


def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; by default this one.")] = Path(),
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title.")] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Start an empty survey: a taxonomy with one axis, the folders, a README and its templates.

    Example: awesome init my-survey --title 'A survey'
    """
    from awesome_cli.publish.starter import Answers, start, starting

    workspace: Workspace = ctx.obj
    name = folder.resolve().name.replace("-", " ").replace("_", " ").strip().capitalize()
    answers = Answers(title or name or "A survey")
    if dry_run or diff:
        preview(workspace, folder, starting(folder, answers).items(), diff=diff)
        return
    start(folder, answers, workspace.command)
    show(f"started a survey in {folder}\n")
    workspace.say(f"next: edit {folder / 'taxonomy.yaml'}, then 'awesome -C {folder} add REFERENCE'")
    workspace.say("history, 'diff' and 'changelog' need git: 'git init; git add -A; git commit' in that folder")
