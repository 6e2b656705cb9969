"""`awesome changelog`: release notes of the survey between two revisions."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption, WhereOption, within
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def changelog(
    ctx: typer.Context,
    span: Annotated[str, typer.Argument(metavar="FROM..TO", help="Two git revisions; TO may be left out for HEAD.")],
    atom: Annotated[
        Path | None,
        typer.Option("--atom", metavar="FILE", callback=within, help="Also write the notes as an Atom feed to FILE."),
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Tell readers what changed: new papers, screened-out records, recoded papers, gaps, claims.

    Example: awesome changelog v1.0..v1.1 --format md --atom feed.xml
    """
    from awesome_cli.analysis.diff.changelog import changelog as collect
    from awesome_cli.rules.preconditions import require_usable

    workspace: Workspace = ctx.obj
    found = collect(workspace.root, span, sound=require_usable, where=where)
    if atom is not None:
        from awesome_cli.publish.atom import feed
        from awesome_cli.survey.saving import write

        write(atom, feed(found).encode())
        workspace.say(f"wrote {atom}")
    workspace.emit(found.to_report(), form)
