"""`awesome init`: start a survey."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._answers import answers_of, licences, presets
from awesome_cli.cli._doors import show
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out, preview
from awesome_cli.errors import UsageError
from awesome_cli.output import Format


def init(
    ctx: typer.Context,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to write; by default this one.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title.")] = None,
    question: Annotated[
        str | None, typer.Option("--question", metavar="TEXT", help="The question that it answers.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            autocompletion=presets,
            help="The vocabulary to start from: list, method, benchmark or gap-map.",
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence",
            metavar="NAME",
            autocompletion=licences,
            help="The licence of records and pages: CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0, MIT or none.",
        ),
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option("--author", metavar="NAME", help="An author, as 'Last, First'; repeat it.")
    ] = None,
    repository: Annotated[
        str | None, typer.Option("--repository", metavar="URL", help="The address of its repository.")
    ] = None,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Bring the files around a survey up to date with this version of awesome.")
    ] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Start a survey: vocabulary, README, licence, guide for contributors, checks for GitHub; or renew such files.

    On a terminal you are asked what no option says. taxonomy.yaml keeps the answers. With --upgrade, the guide, the
    checks and the like of a survey that exists are renewed; what was changed by hand is left, and named.

    Example: awesome init my-survey --title 'A survey' --preset method
    """
    from awesome_cli.publish.starter import start, starting

    workspace: Workspace = ctx.obj
    if upgrade:
        if any((title, question, preset, licence, author, repository)):
            raise UsageError("--upgrade takes its answers from taxonomy.yaml", hint="change them there")
        _upgrade(replace(workspace, start=folder or workspace.start), dry_run=dry_run, diff=diff)
        return
    folder = folder or Path()
    answers = answers_of(
        workspace,
        folder,
        title=title,
        question=question,
        preset=preset,
        licence=licence,
        authors=author or (),
        repository=repository,
    )
    if dry_run or diff:
        preview(workspace, folder, starting(folder, answers).items(), diff=diff)
        return
    start(folder, answers, workspace.command)
    show(f"started a survey in {folder}\n")
    _say_next(workspace, folder)


def _say_next(workspace: Workspace, folder: Path) -> None:
    """The next three commands to type."""
    shown = shlex.quote(str(folder))
    versions = "" if (folder / ".git").exists() else "git init && "
    steps = [
        *([(f"cd {shown}", "")] if folder.resolve() != Path.cwd() else []),
        (f'{versions}git add --all && git commit -m "Start the survey"', "history and CI rest on git"),
        ("awesome add REFERENCE", "a DOI, an arXiv id, an address or a file"),
        ("awesome status", "what there is to do"),
    ]
    workspace.say("next:")
    for command, why in steps[:3]:
        workspace.say(f"  {command}{f'   # {why}' if why else ''}")


def _upgrade(workspace: Workspace, *, dry_run: bool, diff: bool) -> None:
    from awesome_cli.publish.starter.upgrading import upgrade

    carry_out(workspace, lambda tree, corpus: upgrade(tree, corpus.taxonomy), Format.TEXT, dry_run=dry_run, diff=diff)
