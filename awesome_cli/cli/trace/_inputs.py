"""What the trace commands share: their arguments, and what the exit code says when something cannot be read."""

from typing import Annotated

import typer

from awesome_cli.errors import AwesomeError, PartialError, UsageError

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...|-", help="JSON, JSON Lines, either in gzip, Parquet, or a folder of them; - reads."
    ),
]
SkewOption = Annotated[
    float, typer.Option("--skew", min=0.0, help="How far clocks may disagree, in the trace's time unit.")
]


def settle(bad: int, total: int, hint: str | None = "'awesome trace check' says why") -> None:
    """Say what the unread traces mean: nothing could be answered, or a part of the answer is missing."""
    if bad and total == 1:
        raise AwesomeError("the trace could not be read", hint=hint)
    if bad:
        raise PartialError(f"{bad} of {total} traces could not be read", hint=hint)
    if not total:
        raise UsageError("there is no trace in the input")
