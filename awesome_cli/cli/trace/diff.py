"""`awesome trace diff`: two runs side by side."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import Context
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.model import Trace


class FailOnTraceDiff(StrEnum):
    """Differences for which the command exits with 1."""

    SHAPE = "shape"
    METRICS = "metrics"


def diff(
    ctx: Context,
    a: Annotated[str, typer.Argument(metavar="A", callback=within, help="A trace.")],
    b: Annotated[str, typer.Argument(metavar="B", callback=within, help="Another trace.")],
    fail_on: Annotated[
        list[FailOnTraceDiff] | None,
        typer.Option("--fail-on", help="Exit with 1 if the shapes, or any metrics, differ."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show the first step at which two runs differ, and the metrics that differ.

    Agents and ids are matched by first appearance, so two runs can be equal even if all names differ. Example:
    awesome trace diff run-1.json run-2.json
    """
    from awesome_cli.traces.comparing import compare, diff_report

    left, right = only(a), only(b)
    difference = compare(left, right)
    ctx.obj.emit(diff_report(left, right, difference), form)
    differs = {FailOnTraceDiff.SHAPE: not difference.same_shape, FailOnTraceDiff.METRICS: bool(difference.metrics)}
    raise typer.Exit(int(any(differs[what] for what in fail_on or ())))


def only(name: str) -> "Trace":
    """The one trace of an input."""
    from awesome_cli.traces.inputs import readings
    from awesome_cli.traces.sources import pieces

    found = list(readings(pieces([name])))
    if len(found) != 1:
        raise UsageError(f"{name} has {len(found)} traces; two single traces are compared")
    if found[0].trace is None:
        raise AwesomeError(str(found[0].error), hint=f"see what is wrong: awesome trace check {name}")
    return found[0].trace
