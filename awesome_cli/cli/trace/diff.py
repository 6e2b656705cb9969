"""`awesome trace diff`: two runs side by side."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.reading import Reading


def diff(
    ctx: typer.Context,
    a: Annotated[str, typer.Argument(metavar="A", help="A trace.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another trace.")],
    fail_on: Annotated[bool, typer.Option("--fail-on-change", help="Exit 1 where the replays part.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show the first event where two replays part, and the metrics that differ.

    Agents and ids are matched by first appearance, so two rollouts compare even if all names differ. Example:
    awesome trace diff run-1.json run-2.json
    """
    from awesome_cli.traces.comparing import compare
    from awesome_cli.traces.reports import diff_report

    left, right = only(a), only(b)
    assert left.trace is not None
    assert right.trace is not None
    difference = compare(left.trace, right.trace)
    ctx.obj.emit(diff_report(left, right, difference), form)
    raise typer.Exit(int(fail_on and not difference.same_shape))


def only(name: str) -> "Reading":
    """The one trace of an input."""
    from awesome_cli.traces.rows import readings
    from awesome_cli.traces.sources import pieces

    found = list(readings(pieces([name])))
    if len(found) != 1:
        raise UsageError(f"{name} holds {len(found)} traces, one is compared with one")
    if found[0].trace is None:
        raise AwesomeError(f"{name} could not be read", hint=f"see what is wrong: awesome trace check {name}")
    return found[0]
