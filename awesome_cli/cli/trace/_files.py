"""The inputs and output files that the trace commands share."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import within
from awesome_cli.cli._printing import hand_over
from awesome_cli.errors import AwesomeError, PartialError, UsageError
from awesome_cli.files.writing import write

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|-",
        callback=within,
        help="JSON, JSON Lines, either in gzip, Parquet, or a folder of them; - is standard input.",
    ),
]
IdOption = Annotated[str | None, typer.Option("--id", metavar="TRACE", help="Which trace, if the file holds several.")]


def raise_for_unreadable(bad: int, total: int, hint: str | None = "'awesome trace check' says why") -> None:
    """Raise `AwesomeError` if the only trace could not be read, `PartialError` for some of several."""
    if bad and total == 1:
        raise AwesomeError("the trace could not be read", hint=hint)
    if bad:
        raise PartialError(f"{bad} of {total} traces could not be read", hint=hint)
    if not total:
        raise UsageError("the input holds no trace", hint="see what it holds: awesome trace check FILE")


STANDARD = Path("-")


def write_output(text: str, out: Path | None) -> None:
    """Write `text` to the file `out`, or to standard output for None and `-`."""
    if out is None or out == STANDARD:
        hand_over(text)
        return
    require_folder(out)
    write(out, text.encode())


def require_folder(out: Path) -> None:
    """Raise `AwesomeError` where the folder of a file that is to be written is not there."""
    if not out.parent.is_dir():
        raise AwesomeError(f"no such folder: {out.parent}", hint=f"create it: mkdir -p {out.parent}")
