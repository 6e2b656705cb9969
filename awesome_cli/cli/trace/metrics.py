"""`awesome trace metrics`: the metrics of runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import vocabulary
from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import Context, Session
from awesome_cli.cli.trace._files import require_folder
from awesome_cli.cli.trace._inputs import FilesArgument, raise_for_unreadable
from awesome_cli.errors import SurveyError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.cells import TaxonomyMap
    from awesome_cli.traces.rows import Analysis


def metrics(
    ctx: Context,
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
        read_prices(prices) if prices is not None else prices_beside(root_of(ctx.obj)),
        details=out is None and (form is Format.JSON or len(parts) == 1),
    )
    analyses = [*analyze_all(parts, jobs=jobs, dask=dask, wanted=wanted)]
    if out is not None:
        save(ctx.obj, analyses, out)
    else:
        ctx.obj.emit(metrics_report(analyses, summaries(analyses), priced=wanted.prices is not None), form)
    raise_for_unreadable(sum(analysis.row["error"] is not None for analysis in analyses), len(analyses))


def root_of(session: Session) -> Path | None:
    """The survey's folder; None outside a survey."""
    try:
        return session.root
    except SurveyError:
        return None


def save(session: Session, analyses: "Sequence[Analysis]", out: Path) -> None:
    """Write one row per trace, with the columns of the taxonomy, if any."""
    from awesome_cli.text.numbers import counted
    from awesome_cli.traces.rows import cell_columns, table_row, write_rows

    require_folder(out)
    columns = cell_columns(analyses)
    write_rows([table_row(analysis, columns) for analysis in analyses], out, columns, raw=session.raw)
    session.say(f"{counted(len(analyses), 'row')} in {out}")


def taxonomy_map(session: Session) -> "TaxonomyMap":
    """The survey's mapping of event types and reward channels to terms, as plain data."""
    taxonomy = vocabulary(session)
    if taxonomy is None or not taxonomy.traces:
        raise SurveyError(
            "taxonomy.yaml has no section 'traces'",
            hint="it maps event types and reward channels to terms: 'awesome help traces'",
        )
    return {kind: {axis: dict(words) for axis, words in axes.items()} for kind, axes in taxonomy.traces.items()}
