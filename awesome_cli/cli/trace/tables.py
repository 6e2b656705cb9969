"""`awesome trace metrics` and `rows`: measure runs, and make a table of decisions to train from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._corpus import vocabulary
from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli.trace._files import FilesArgument, raise_for_unreadable, require_folder
from awesome_cli.errors import AwesomeError, SurveyError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.cells import TaxonomyMap
    from awesome_cli.traces.model import Trace
    from awesome_cli.traces.rows import Analysis, Kind
    from awesome_cli.traces.sources import Piece
    from awesome_cli.traces.training.table import DecisionRow, DecisionTable


def metrics(
    ctx: CommandContext,
    files: FilesArgument,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Number of processes.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", callback=within, help="Write one row per trace: .csv, .jsonl or .parquet."
        ),
    ] = None,
    by_taxonomy: Annotated[
        bool, typer.Option("--by-taxonomy", help="Group events and rewards by the survey's taxonomy.")
    ] = False,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices", metavar="FILE", callback=within, help="What models cost; else prices.yaml beside the survey."
        ),
    ] = None,
    dask: Annotated[str | None, typer.Option("--dask", metavar="ADDRESS|local", help="Use a Dask cluster.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Measure runs: what they cost, where they waited, what nobody read, how parallel and how good they were.

    A metric that a trace does not support is null, with a reason; 'awesome explain METRIC' has the page of each.

    Example: awesome trace metrics runs.jsonl --jobs 2 --out rows.csv
    """
    from awesome_cli.traces.groups import summaries
    from awesome_cli.traces.metrics.report import metrics_report
    from awesome_cli.traces.rows import Wanted, analyze_all
    from awesome_cli.traces.sources import pieces
    from awesome_cli.traces.usage import prices_beside, read_prices

    parts = [*pieces(files)]
    wanted = Wanted(
        taxonomy_map(ctx.obj) if by_taxonomy else None,
        read_prices(prices) if prices is not None else prices_beside(survey_root(ctx.obj)),
        details=out is None and (form is Format.JSON or len(parts) == 1),
    )
    analyses = [*analyze_all(parts, jobs=jobs, dask=dask, wanted=wanted)]
    if out is not None:
        save_metrics(ctx.obj, analyses, out)
    else:
        ctx.obj.emit(metrics_report(analyses, summaries(analyses), priced=wanted.prices is not None), form)
    raise_for_unreadable(sum(analysis.row["error"] is not None for analysis in analyses), len(analyses))


def survey_root(session: CommandSession) -> Path | None:
    """The survey's folder; None outside a survey."""
    try:
        return session.root
    except SurveyError:
        return None


def save_metrics(session: CommandSession, analyses: "Sequence[Analysis]", out: Path) -> None:
    """Write one row per trace, with the columns of the taxonomy, if any."""
    from awesome_cli.text.numbers import counted
    from awesome_cli.traces.rows import cell_columns, table_row, write_rows

    require_folder(out)
    columns = cell_columns(analyses)
    write_rows([table_row(analysis, columns) for analysis in analyses], out, columns, raw=session.raw)
    session.say(f"{counted(len(analyses), 'row')} in {out}")


def taxonomy_map(session: CommandSession) -> "TaxonomyMap":
    """The survey's mapping of event types and reward channels to terms, as plain data."""
    taxonomy = vocabulary(session)
    if taxonomy is None or not taxonomy.traces:
        raise SurveyError(
            "taxonomy.yaml has no section 'traces'",
            hint="it maps event types and reward channels to terms: 'awesome help traces'",
        )
    return {kind: {axis: dict(words) for axis, words in axes.items()} for kind, axes in taxonomy.traces.items()}


def rows(
    ctx: CommandContext,
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
    table, found, read = decision_table(files, how)
    if read.bad and not read.good:
        raise AwesomeError(read.error, hint="'awesome trace check' says more" if read.bad > 1 else None)
    if out is None:
        ctx.obj.emit(decisions_report(list(found), tuple(table.columns)), form)
    else:
        save_rows(ctx.obj, found, table.columns, out)
    raise_for_unreadable(read.bad, read.bad + read.good)


def check_out(out: Path | None) -> None:
    """Raise the error of a file that cannot be written, before anything is read."""
    from awesome_cli.traces.rows import writer_for

    if out is not None:
        writer_for(out)
        require_folder(out)


def decision_table(
    files: list[str], how: "Mapping[str, Any]"
) -> "tuple[DecisionTable, Iterator[DecisionRow], ReadTraces]":
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


def save_rows(
    session: CommandSession, found: "Iterator[DecisionRow]", columns: "Mapping[str, Kind]", out: Path
) -> None:
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
