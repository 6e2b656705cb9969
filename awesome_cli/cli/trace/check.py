"""`awesome trace check`: the findings of traces."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._session import Context, Session
from awesome_cli.cli.trace._inputs import FilesArgument, SkewOption, raise_for_unreadable
from awesome_cli.cli.validate import ANNOTATED, FindingsFormat, print_findings

if TYPE_CHECKING:
    from awesome_cli.traces.checking import Checked


def check(
    ctx: Context,
    files: FilesArgument,
    skew: SkewOption = 0.0,
    with_replay: Annotated[
        bool,
        typer.Option("--replay/--no-replay", help="Replay, too; without it only schema, edges and costs are checked."),
    ] = True,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on warnings, too.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show every finding; else those of one kind in a trace are one line.")
    ] = False,
    form: Annotated[FindingsFormat, typer.Option("--format", "-f", help="How to print the answer.")] = (
        FindingsFormat.TEXT
    ),
) -> None:
    """Check traces, version 1 or 2: text, schema, edges, replay and consistency.

    Version 1 is read leniently (most findings are warnings), version 2 strictly. Exit code 1 when there is an error,
    4 when some of several traces cannot be read. Example: awesome trace check runs/*.json
    """
    from awesome_cli.reports.findings import is_bad
    from awesome_cli.traces.checking import check_reading
    from awesome_cli.traces.inputs import readings
    from awesome_cli.traces.sources import pieces

    checked = [check_reading(each, skew=skew, with_replay=with_replay) for each in readings(pieces(files))]
    show(ctx.obj, checked, form, every=every)
    unread = sum(not each.row["readable"] for each in checked)
    raise_for_unreadable(unread if len(checked) > 1 else 0, len(checked), hint=None)
    raise typer.Exit(int(is_bad([f for each in checked for f in each.findings], strict=strict)))


def show(session: Session, checked: Sequence["Checked"], form: FindingsFormat, *, every: bool) -> None:
    """Print findings in the form asked for."""
    from awesome_cli import traces
    from awesome_cli.output import Format
    from awesome_cli.traces.checking import check_report

    if form in ANNOTATED:
        found = [finding for each in checked for finding in each.findings]
        print_findings(form, found, traces.manual())
    else:
        session.emit(check_report(checked, every=every), Format(form.value))
