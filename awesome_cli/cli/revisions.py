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
    before: Annotated[str, typer.Argument(metavar="REV", help="Git revision.")] = "HEAD",
    after: Annotated[
        str | None, typer.Argument(metavar="REV", help="Later git revision. [default: the working tree]")
    ] = None,
    fail_on: Annotated[
        list[DiffFailOn] | None, typer.Option("--fail-on", help="Exit 1 if a claim flips, or a cell opens or closes.")
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two revisions: records added, removed, retagged, edited; counts; gaps opened or closed; flipped claims.

    No checkout is needed. --where keeps records that match in either revision.

    Example: awesome diff HEAD~1 --format md
    """
    from awesome_cli.analysis.diff.report import to_report
    from awesome_cli.analysis.diff.revisions import between
    from awesome_cli.rules.preconditions import require_usable

    session = ctx.obj
    if after is None:
        remark_open(session)
    comparison = between(session.root, before, after, sound=require_usable, where=where)
    session.emit(to_report(comparison), form)
    failing = {"claims": comparison.flipped, "cells": comparison.turned}
    raise typer.Exit(int(any(failing[kind] for kind in fail_on or ())))


def changelog(
    ctx: CommandContext,
    span: Annotated[str, typer.Argument(metavar="FROM..TO", help="Two git revisions; without TO, up to HEAD.")],
    atom: Annotated[
        Path | None,
        typer.Option(
            "--atom", metavar="FILE", callback=within, help="Also write the changelog as an Atom feed to FILE."
        ),
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Write a changelog for readers: new, excluded and recoded papers, gaps, claims.

    Example: awesome changelog v1.0..v1.1 --format md --atom feed.xml
    """
    from awesome_cli.analysis.diff.changelog import changelog as collect
    from awesome_cli.rules.preconditions import require_usable

    session = ctx.obj
    changes = collect(session.root, span, sound=require_usable, where=where)
    if atom is not None:
        from awesome_cli.publish.atom import feed
        from awesome_cli.survey.saving import write

        write(atom, feed(changes).encode())
        session.say(f"wrote {atom}")
    session.emit(changes.to_report(), form)
