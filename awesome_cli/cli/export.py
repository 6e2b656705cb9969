"""`awesome export`: the papers in another program's format."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, completions


def export(
    ctx: typer.Context,
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(EXPORTED)}.", autocompletion=completions)
    ],
    query: Annotated[str | None, typer.Argument(metavar="[QUERY]", help="Only what matches QUERY.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE|DIR", help="Where to write; '-' is standard output.")
    ] = None,
    as_of: AsOfOption = None,
) -> None:
    """Export papers in another program's format.

    Example: awesome export bibtex 'rl=yes year>=2025' --out papers.bib
    """
    from awesome_cli.formats import exporting
    from awesome_cli.survey.saving import write

    workspace: Workspace = ctx.obj
    corpus = exporting.select(workspace.corpus(as_of), query)
    answer = exporting.export(form, corpus)
    if lost := exporting.left_out(form, corpus):
        workspace.say(exporting.sentence(form, lost))
    if out is None or str(out) == "-":
        if not isinstance(answer, str):
            raise UsageError(f"{form} is several files", hint=f"name their folder: awesome export {form} --out DIR")
        sys.stdout.write(answer)
        return
    files = {out: answer} if isinstance(answer, str) else {out / name: text for name, text in answer.items()}
    for path, text in files.items():
        write(path, text.encode())
        workspace.say(f"wrote {path}")
