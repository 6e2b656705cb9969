"""`awesome diff` and `changelog`: compare revisions of the survey."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._corpus import remark_open
from awesome_cli.cli._options import FormatOption, WhereOption, within
from awesome_cli.cli._session import CommandContext
from awesome_cli.output import Format

DiffFailOn = StrEnum("DiffFailOn", ["claims", "cells"])


def diff(
    ctx: CommandContext,
    before: Annotated[str, typer.Argument(metavar="REV", help="A git revision.")] = "HEAD",
    after: Annotated[
        str | None, typer.Argument(metavar="REV", help="Another revision; by default the files as they are.")
    ] = None,
    fail_on: Annotated[
        list[DiffFailOn] | None,
        typer.Option("--fail-on", help="Exit 1 if a claim flips, or a cell opens or closes."),
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show records added, removed, retagged and edited, changed counts, gaps opened or closed, flipped claims.

    Works on any two revisions without a checkout. With --where: the changes of records that match in one of them.

    Example: awesome diff HEAD~1 --format md
    """
    from awesome_cli.analysis.diff.report import to_report
    from awesome_cli.analysis.diff.revisions import between
    from awesome_cli.rules.preconditions import require_usable

    session = ctx.obj
    if after is None:
        remark_open(session)
    found = between(session.root, before, after, sound=require_usable, where=where)
    session.emit(to_report(found), form)
    failing = {"claims": found.flipped, "cells": found.turned}
    raise typer.Exit(int(any(failing[what] for what in fail_on or ())))


def changelog(
    ctx: CommandContext,
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

    session = ctx.obj
    found = collect(session.root, span, sound=require_usable, where=where)
    if atom is not None:
        from awesome_cli.publish.atom import feed
        from awesome_cli.survey.saving import write

        write(atom, feed(found).encode())
        session.say(f"wrote {atom}")
    session.emit(found.to_report(), form)
