"""`awesome trace rows`: the decisions of runs as a table to train from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import Context, Session
from awesome_cli.cli.trace._files import require_folder
from awesome_cli.cli.trace._inputs import FilesArgument, raise_for_unreadable
from awesome_cli.cli.trace.metrics import taxonomy_map
from awesome_cli.errors import AwesomeError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.model import Trace
    from awesome_cli.traces.rows import Kind
    from awesome_cli.traces.sources import Piece
    from awesome_cli.traces.training.table import DecisionRow, DecisionTable


def rows(
    ctx: Context,
    files: FilesArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", callback=within, help="Write all rows: .jsonl, .parquet or .csv."),
    ] = None,
    channel: Annotated[
        str, typer.Option("--channel", metavar="NAME", help="The reward that returns and credit are made of.")
    ] = "team",
    gamma: Annotated[float, typer.Option("--gamma", min=0.0, max=1.0, help="Discount of a decision.")] = 1.0,
    by_taxonomy: Annotated[
        bool, typer.Option("--by-taxonomy", help="Group events and rewards by the survey's taxonomy.")
    ] = False,
    with_content: Annotated[
        bool, typer.Option("--with-content", help="Keep prompts and outputs; by default only their hashes.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Make a table to train from: one row per decision of an agent.

    A row has the time, the tokens and the rewards of the decision, what the run returned from there on, and the
    credit that published rules give. What the data do not allow is null, and the column `missing` says why.

    Example: awesome trace rows rollouts/ --out rows.parquet
    """
    from awesome_cli.traces.training.table import decisions_report

    check_out(out)
    mapping = taxonomy_map(ctx.obj) if by_taxonomy else None
    how = {"channel": channel, "gamma": gamma, "mapping": mapping, "with_content": with_content}
    table, found, read = made(files, how)
    if read.bad and not read.good:
        raise AwesomeError(read.error, hint="'awesome trace check' says more" if read.bad > 1 else None)
    if out is None:
        ctx.obj.emit(decisions_report(list(found), tuple(table.columns)), form)
    else:
        save(ctx.obj, found, table.columns, out)
    raise_for_unreadable(read.bad, read.bad + read.good)


def check_out(out: Path | None) -> None:
    """Raise the error of a file that cannot be written, before anything is read."""
    from awesome_cli.traces.rows import writer_for

    if out is not None:
        writer_for(out)
        require_folder(out)


def made(files: list[str], how: "Mapping[str, Any]") -> "tuple[DecisionTable, Iterator[DecisionRow], ReadTraces]":
    """The table of the traces in some files, its rows, and how many traces could be read."""
    from awesome_cli.traces.sources import pieces
    from awesome_cli.traces.training.table import DecisionTable

    parts, read = list(pieces(files)), ReadTraces()
    table = DecisionTable.over(read.all(parts), **how)
    # Read again, since the traces of a training run do not fit into memory.
    return table, (row for trace in ReadTraces().all(parts) for row in table.rows(trace)), read


@dataclass
class ReadTraces:
    """Counts the traces that can be read, and the others; `error` is that of the first of these."""

    good: int = 0
    bad: int = 0
    error: str = ""

    def all(self, parts: "Sequence[Piece]") -> "Iterator[Trace]":
        """The traces that can be read."""
        from awesome_cli.traces.inputs import readings

        for reading in readings(parts):
            if reading.trace is None:
                self.bad += 1
                self.error = self.error or str(reading.error)
            else:
                self.good += 1
                yield reading.trace


def save(session: Session, found: "Iterator[DecisionRow]", columns: "Mapping[str, Kind]", out: Path) -> None:
    """Write the rows, and say how many."""
    from awesome_cli.text.numbers import counted
    from awesome_cli.traces.rows import write_table

    written = 0

    def counting() -> "Iterator[DecisionRow]":
        nonlocal written
        for written, row in enumerate(found, 1):  # noqa: B007 - the last number stays
            yield row

    write_table(counting(), columns, out, raw=session.raw)
    session.say(f"{counted(written, 'row')} in {out}")
