"""`awesome links`: whether links work and lead to the right paper."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption, WhereOption, require_one
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import NetError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.links import Check


def links(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="The records whose links are checked; by default all.")
    ] = None,
    max_age: Annotated[
        int, typer.Option("--max-age", min=0, metavar="DAYS", help="The greatest age of a stored answer.")
    ] = 7,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="WHAT", help="Exit 1 on: moved, dead, blocked, unknown, identity."),
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check links: alive, moved, dead or blocked, and whether the page carries the paper's title.

    Each host is asked slowly, several hosts at a time; an interrupted run continues where it stopped.

    Example: awesome links --fail-on dead,identity
    """
    from awesome_cli.curation.links import FAILURES, to_report

    workspace: Workspace = ctx.obj
    wanted = set(filter(None, (fail_on or "").split(",")))
    if wanted - set(FAILURES):
        raise UsageError(f"--fail-on has no value {fail_on!r}", hint=f"one or several of: {', '.join(FAILURES)}")
    checks = ask(workspace, keys or [], where, timedelta(days=max_age))
    workspace.emit(to_report(checks), form)
    raise typer.Exit(int(any(wanted & c.failures for c in checks)))


def ask(workspace: Workspace, keys: Sequence[str], where: str | None, max_age: timedelta) -> "tuple[Check, ...]":
    """Check the links; raises `NetError` if no host answered."""
    from awesome_cli.curation.links import check, collect, records_of

    require_one(keys, where)
    corpus = workspace.readable(candidates=True) if keys else workspace.surveyed()
    found = collect(records_of(corpus, keys, where))
    net = workspace.net()
    checks = check(found, net, max_age=max_age)
    if checks and all(c.state == "unknown" and c.status is None for c in checks):
        raise NetError(f"no link could be checked: {checks[0].remark}", hint="check the connection, or run again later")
    return checks
