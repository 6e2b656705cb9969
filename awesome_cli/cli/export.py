"""`awesome export`: the papers in another program's format."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._doors import hand_over
from awesome_cli.cli._options import AsOfOption, KindOption, WhereOption, within
from awesome_cli.cli._spelling import query_of
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import in_part
from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, completions


def export(
    ctx: typer.Context,
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(EXPORTED)}.", autocompletion=completions)
    ],
    where: WhereOption = None,
    kind: KindOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE|DIR", callback=within, help="Where to write; '-' is standard output."
        ),
    ] = None,
    as_of: AsOfOption = None,
) -> None:
    """Export papers, or the records of another kind, in another program's format.

    JSON and the artifact hold the exclusions that match beside the papers.

    Example: awesome export bibtex --where 'AXIS=TERM year>=2025' --out papers.bib
    """
    from awesome_cli.formats import exporting

    workspace: Workspace = ctx.obj
    asked = kind or "paper"
    where = query_of(workspace, ctx.args, where, "export")
    corpus = exporting.select(workspace.corpus(as_of, candidates=asked == "candidate"), where, asked)
    deliver(workspace, form, exporting.export(form, corpus, asked, raw=workspace.raw), out)
    if lost := exporting.left_out(form, corpus, asked):
        workspace.say(exporting.sentence(form, lost, asked))


def deliver(workspace: Workspace, form: str, answer: str | Mapping[str, str], out: Path | None) -> None:
    """Print a text, or write it or several into the place that was named."""
    from awesome_cli.files.places import place
    from awesome_cli.survey.saving import write

    if out is None or str(out) == "-":
        if not isinstance(answer, str):
            raise UsageError(f"{form} is several files", hint=f"name their folder: awesome export {form} --out DIR")
        hand_over(answer)
        return
    files = {out: answer} if isinstance(answer, str) else {place(out, name): text for name, text in answer.items()}
    with in_part(str(out), alone=isinstance(answer, str)):
        for path, text in files.items():
            write(path, text.encode())
            workspace.say(f"wrote {path}")
