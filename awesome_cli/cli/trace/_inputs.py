"""Arguments that the trace commands share, and the exit code when traces cannot be read."""

from typing import Annotated

import typer

from awesome_cli.cli._options import within
from awesome_cli.errors import AwesomeError, PartialError, UsageError

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|-",
        callback=within,
        help="JSON, JSON Lines, either in gzip, Parquet, or a folder of them; - is standard input.",
    ),
]
SkewOption = Annotated[
    float, typer.Option("--skew", metavar="N", min=0.0, help="How far clocks may disagree, in the trace's time unit.")
]


def raise_for_unreadable(bad: int, total: int, hint: str | None = "'awesome trace check' says why") -> None:
    """Raise `AwesomeError` if the only trace could not be read, `PartialError` for some of several."""
    if bad and total == 1:
        raise AwesomeError("the trace could not be read", hint=hint)
    if bad:
        raise PartialError(f"{bad} of {total} traces could not be read", hint=hint)
    if not total:
        raise UsageError("the input holds no trace", hint="see what it holds: awesome trace check FILE")
