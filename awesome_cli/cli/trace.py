"""`awesome trace`: read, check, replay, measure, compare and convert orchestration traces."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from awesome_cli.cli._corpus import prices_beside, read_prices, vocabulary
from awesome_cli.cli._options import FormatOption, OutOption, from_option, within
from awesome_cli.cli._printing import hand_over
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli.validate import FindingsFormat, FindingsOption, StrictOption, emit_findings
from awesome_cli.errors import AwesomeError, PartialError, SurveyError, UsageError
from awesome_cli.files.writing import write
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted, first_few

if TYPE_CHECKING:
    from awesome_cli.traces.cells import TaxonomyMap
    from awesome_cli.traces.model import Trace
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.replay import Replay
    from awesome_cli.traces.rewards import RewardTable
    from awesome_cli.traces.rows import Analysis, Kind
    from awesome_cli.traces.sources import Piece
    from awesome_cli.traces.training.table import DecisionRow, DecisionTable

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|-",
        callback=within,
        help="JSON, JSON Lines (also gzipped), Parquet, or a folder of them; - reads standard input.",
    ),
]
IdOption = Annotated[
    str | None, typer.Option("--id", metavar="TRACE", help="Trace to read, if the file contains several.")
]
ByTaxonomyOption = Annotated[bool, typer.Option("--by-taxonomy", help="Group by the terms of the survey's taxonomy.")]
WithContentOption = Annotated[
    bool, typer.Option("--with-content", help="Keep prompts and outputs, not only their hashes.")
]
StdOption = Annotated[
    Literal["population", "sample"],
    typer.Option(
        "--std", help="Standard deviation of a group: divide by n (population) or by n - 1 (sample, as verl and TRL)."
    ),
]
RewardsOption = Annotated[
    Path | None,
    typer.Option(
        "--rewards",
        metavar="TABLE",
        callback=within,
        help="Table of rewards and groups: .csv, .tsv or .jsonl with trace, group, agent, value.",
    ),
]


def check(
    ctx: CommandContext,
    files: FilesArgument,
    skew: Annotated[
        float, typer.Option("--skew", metavar="N", min=0.0, help="Allowed clock skew, in the trace's time unit.")
    ] = 0.0,
    with_replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="Also check by replay, beside schema, edges and costs.")
    ] = True,
    strict: StrictOption = False,
    every: Annotated[bool, typer.Option("--all", help="Print everything, not only a summary.")] = False,
    form: FindingsOption = FindingsFormat.TEXT,
) -> None:
    """Check traces of version 1 or 2: syntax, schema, edges, replay and consistency.

    Most findings of version 1 are warnings; version 2 is checked strictly. Exit code 1 if there is an error, 4 if some
    of several traces cannot be read.

    Example: awesome trace check runs/*.json
    """
    from awesome_cli import traces
    from awesome_cli.reports.findings import is_bad
    from awesome_cli.traces.checking import check_reading, check_report
    from awesome_cli.traces.sources import pieces, readings

    checked = [check_reading(each, skew=skew, with_replay=with_replay) for each in readings(pieces(files))]
    findings = [finding for each in checked for finding in each.findings]
    emit_findings(ctx.obj, form, findings, traces.manual, lambda: check_report(checked, every=every))
    say_remarks(ctx.obj, [each.row for each in checked], [each.fingerprint for each in checked])
    unread = sum(not each.row["readable"] for each in checked)
    raise_for_unreadable(unread if len(checked) > 1 else 0, len(checked), hint=None)
    raise typer.Exit(int(is_bad(findings, strict=strict)))


def codes() -> list[str]:
    """List the codes that a replay can report, for completion."""
    from awesome_cli.traces.rules import RULES

    return [code for code in RULES if code[:2] in ("TR", "TW")]


def replay(
    ctx: CommandContext,
    files: FilesArgument,
    to: Annotated[
        int | None, typer.Option("--to", min=0, metavar="K", help="Stop after K events. [default: no limit]")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="CODE",
            help="Stop at the first event with this code, such as TW103.",
            autocompletion=codes,
        ),
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="A", help="Show only this agent.")] = None,
    strict: Annotated[bool, typer.Option("--stop", help="Stop at the first illegal event; exit with 1.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Replay traces: print digests, illegal events, unfinished work and the final state.

    The digest of a trace does not depend on the order of its arrays.

    Example: awesome trace replay run.json --until TR003
    """
    from awesome_cli.traces.replay import replay_entry, replay_report
    from awesome_cli.traces.sources import pieces, readings

    results = readings(pieces(files))
    never: list[str] = []
    read = results if agent is None else require_agent(agent, list(results))
    entries = [replay_entry(each, replayed(each, never, to=to, until=until, strict=strict), agent) for each in read]
    ctx.obj.emit(replay_report(entries), form)
    for place in never:
        ctx.obj.say(f"{place}: {until} does not occur")
    raise_for_unreadable(sum("error" in row for row, _ in entries), len(entries))
    illegal = any(finding["code"].startswith("TR") for row, _ in entries for finding in row["findings"] or ())
    raise typer.Exit(int(bool(never) or (strict and illegal)))


def require_agent(agent: str, read: "list[Reading]") -> "list[Reading]":
    """Return the readings; raise `UsageError` if no trace has the agent."""
    from awesome_cli.text.known import require_known

    traces = [reading.trace for reading in read if reading.trace is not None]
    names = sorted({name for trace in traces for name in trace.names})
    if traces:
        require_known(agent, names, "agent")
    return read


def replayed(
    reading: "Reading", never: list[str], *, to: int | None, until: str | None, strict: bool
) -> "Replay | None":
    """Replay a trace up to `to` or `until`, which `never` gets if it does not occur; None for an unreadable trace."""
    from awesome_cli.traces.graph import graph_of
    from awesome_cli.traces.replay import first_step
    from awesome_cli.traces.replay import replay as replay_trace

    if reading.trace is None:
        return None
    graph = graph_of(reading.trace)
    if until is not None:
        step = first_step(reading.trace, graph, until)
        if step is None:
            never.append(f"{reading.path}:{reading.line}")
        to = min((number for number in (step, to) if number is not None), default=None)
    return replay_trace(reading.trace, graph, strict=strict, to=to)


FailOnTraceDiff = StrEnum("FailOnTraceDiff", ["shape", "metrics"])


def diff(
    ctx: CommandContext,
    a: Annotated[str, typer.Argument(metavar="A", callback=within, help="First trace.")],
    b: Annotated[str, typer.Argument(metavar="B", callback=within, help="Second trace.")],
    fail_on: Annotated[
        list[FailOnTraceDiff] | None, typer.Option("--fail-on", help="Exit 1 if the shapes or any metrics differ.")
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two runs: show their first different step and their different metrics.

    Agents and ids are matched by first appearance, so runs with different names can be equal.

    Example: awesome trace diff run-1.json run-2.json
    """
    from awesome_cli.traces.comparing import compare, diff_report
    from awesome_cli.traces.sources import pick

    left, right = pick(a), pick(b)
    difference = compare(left, right)
    ctx.obj.emit(diff_report(left, right, difference), form)
    differs = {"shape": difference.step is not None, "metrics": bool(difference.metrics)}
    raise typer.Exit(int(any(differs[aspect] for aspect in fail_on or ())))


def show(
    ctx: CommandContext,
    path: Annotated[
        str, typer.Argument(metavar="FILE", callback=within, help="Trace to read; '-' reads standard input.")
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", callback=within, help="Write a self-contained HTML page to OUT."),
    ] = None,
    trace_id: IdOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a run: one lane per agent (groups if there are many), spawn tree, events of each agent, findings.

    The HTML page needs no network. It has a timeline with zoom, arrows between agents, and a slider that replays the
    state.

    Example: awesome trace show run.json --html run.html
    """
    from awesome_cli.publish import shipped
    from awesome_cli.traces.sources import pick
    from awesome_cli.traces.views import lanes, page, timeline

    view = timeline.timeline(pick(path, trace_id))
    if html is not None:
        write_output(page.render(view, sheet=(shipped() / "site/assets/site.css").read_text(encoding="utf-8")), html)
    else:
        ctx.obj.emit(lanes.report(view, width=shutil.get_terminal_size((lanes.WIDTH, 0)).columns), form)


def metrics(
    ctx: CommandContext,
    files: FilesArgument,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Number of processes.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", callback=within, help="Write one row per trace to FILE: .csv, .jsonl or .parquet."
        ),
    ] = None,
    by_taxonomy: ByTaxonomyOption = False,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices",
            metavar="FILE",
            callback=within,
            help="Price list of models ('awesome help metrics'). [default: prices.yaml in the survey]",
        ),
    ] = None,
    rewards: RewardsOption = None,
    std: StdOption = "population",
    dask: Annotated[str | None, typer.Option("--dask", metavar="ADDRESS|local", help="Run on a Dask cluster.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Measure runs: cost, waiting time, unread outputs, parallelism, outcome.

    A metric that a trace does not support is null, with a reason. 'awesome explain METRIC' describes each metric.

    Example: awesome trace metrics runs.jsonl --jobs 2 --out rows.csv
    """
    from awesome_cli.traces.groups import summaries
    from awesome_cli.traces.metrics.report import metrics_report
    from awesome_cli.traces.rewards import read_rewards
    from awesome_cli.traces.rows import Wanted, analyze_all
    from awesome_cli.traces.sources import pieces

    parts = [*pieces(files)]
    wanted = Wanted(
        taxonomy_map(ctx.obj) if by_taxonomy else None,
        read_prices(prices) if prices is not None else prices_beside(survey_root(ctx.obj)),
        details=out is None and (form is Format.JSON or len(parts) == 1),
        rewards=read_rewards(rewards),
    )
    analyses = [*analyze_all(parts, jobs=jobs, dask=dask, wanted=wanted)]
    say_remarks(
        ctx.obj,
        [a.row for a in analyses],
        [a.row["digest"] for a in analyses],
        wanted.rewards,
        [a.disagreement for a in analyses if a.disagreement],
    )
    if out is not None:
        save_metrics(ctx.obj, analyses, out)
    else:
        ctx.obj.emit(metrics_report(analyses, summaries(analyses, std)), form)
    raise_for_unreadable(sum(analysis.row["error"] is not None for analysis in analyses), len(analyses))


def say_remarks(
    session: CommandSession,
    rows: "Sequence[Mapping[str, Any]]",
    fingerprints: "Sequence[object]",
    rewards: "RewardTable | None" = None,
    disagreements: "Sequence[str]" = (),
) -> None:
    """Warn about traces that only the input or only the table has, the first different rewards and the first copy."""
    from awesome_cli.traces.sources import copies

    mismatches = rewards.mismatches([row["trace_id"] for row in rows if row["trace_id"] is not None]) if rewards else ()
    for message in (*mismatches, *first_few(disagreements, 1), *first_few([*copies(fingerprints, rows)], 1)):
        session.say(message)


def survey_root(session: CommandSession) -> Path | None:
    try:
        return session.root
    except SurveyError:
        return None


def save_metrics(session: CommandSession, analyses: "Sequence[Analysis]", out: Path) -> None:
    from awesome_cli.traces.rows import with_cells, write_rows

    require_folder(out)
    columns, rows = with_cells(analyses)
    write_rows(rows, out, columns, raw=session.raw)
    session.say(f"wrote {counted(len(analyses), 'row')} to {out}")


def taxonomy_map(session: CommandSession) -> "TaxonomyMap":
    """Return the survey's mapping of event types and reward channels to terms; raise `SurveyError` without one."""
    taxonomy = vocabulary(session)
    if taxonomy is None or not taxonomy.traces:
        raise SurveyError(
            "taxonomy.yaml has no section 'traces'",
            hint="add the section, which maps event types and reward channels to terms: 'awesome help traces'",
        )
    return {kind: {axis: dict(words) for axis, words in axes.items()} for kind, axes in taxonomy.traces.items()}


def rows(
    ctx: CommandContext,
    files: FilesArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", callback=within, help="Write all rows to FILE: .jsonl, .parquet or .csv."
        ),
    ] = None,
    channel: Annotated[
        str, typer.Option("--channel", metavar="NAME", help="Reward channel for returns and credit.")
    ] = "team",
    gamma: Annotated[float, typer.Option("--gamma", min=0.0, max=1.0, help="Discount factor per row.")] = 1.0,
    rewards: RewardsOption = None,
    std: StdOption = "population",
    by_taxonomy: ByTaxonomyOption = False,
    with_content: WithContentOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Build a training table: one row per decision of an agent, and per model call without a decision.

    A row has the time, tokens and rewards of the decision, the return from there on, and the credit by published rules.
    Values that the data do not allow are null; the column `missing` gives the reason.

    Example: awesome trace rows rollouts/ --out rows.csv
    """
    from awesome_cli.traces.rewards import read_rewards
    from awesome_cli.traces.training.table import decisions_report

    check_out(out)
    options = {"channel": channel, "gamma": gamma, "std": std, "with_content": with_content}
    options |= {"mapping": taxonomy_map(ctx.obj) if by_taxonomy else None, "joined": read_rewards(rewards, channel)}
    table, decisions, read = decision_table(files, options)
    say_remarks(ctx.obj, read.rows, read.fingerprints, table.joined, table.disagreements)
    if read.bad and not read.rows:
        raise AwesomeError(read.error, hint="see all errors: awesome trace check FILE" if read.bad > 1 else None)
    if out is None:
        ctx.obj.emit(decisions_report(list(decisions), tuple(table.columns)), form)
    else:
        save_rows(ctx.obj, decisions, table.columns, out)
    raise_for_unreadable(read.bad, read.bad + len(read.rows))


def check_out(out: Path | None) -> None:
    """Raise an error for an output file that cannot be written, before reading the input."""
    from awesome_cli.traces.rows import require_suffix

    if out is not None:
        require_suffix(out)
        require_folder(out)


def decision_table(
    files: list[str], options: "Mapping[str, Any]"
) -> "tuple[DecisionTable, Iterator[DecisionRow], ReadTraces]":
    """Return the table of the traces in some files, its rows, and the counts of readable traces."""
    from awesome_cli.traces.sources import pieces
    from awesome_cli.traces.training.table import DecisionTable

    parts, read = list(pieces(files)), ReadTraces()
    table = DecisionTable.over(read.all(parts), **options)
    # A second pass, because the traces of a training run do not fit into memory.
    return table, (row for trace in ReadTraces().all(parts) for row in table.rows(trace)), read


@dataclass
class ReadTraces:
    """The readable traces, and the number of unreadable ones (`bad`); `error` is the first error."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    fingerprints: list[object] = field(default_factory=list)
    bad: int = 0
    error: str = ""

    def all(self, parts: "Sequence[Piece]") -> "Iterator[Trace]":
        """Yield the readable traces, and count all."""
        from awesome_cli.traces.sources import readings

        for reading in readings(parts):
            if reading.trace is None:
                self.bad += 1
                self.error = self.error or str(reading.error)
            else:
                self.rows.append(reading.identity())
                self.fingerprints.append(reading.trace.fingerprint)
                yield reading.trace


def save_rows(
    session: CommandSession, decisions: "Iterator[DecisionRow]", columns: "Mapping[str, Kind]", out: Path
) -> None:
    from awesome_cli.traces.rows import write_table

    number = count()
    write_table((row for row, _ in zip(decisions, number, strict=False)), columns, out, raw=session.raw)
    session.say(f"wrote {counted(next(number), 'row')} to {out}")


def formats() -> list[str]:
    """List the names of the import formats, for completion."""
    from awesome_cli.traces.importers import FORMATS

    return list(FORMATS)


def import_(
    ctx: CommandContext,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|DIR|PROGRAM:ID",
            callback=within,
            help="Logs, folders or archives of logs, or stored runs of a program; '-' reads standard input.",
        ),
    ],
    out: OutOption = None,
    source: Annotated[str | None, from_option(formats)] = None,
    with_content: WithContentOption = False,
) -> None:
    """Convert runs of other frameworks to orchestration traces (version 2).

    One run becomes a JSON document, several become JSON Lines. Events that the log implies without recording them are
    marked `inferred`; `provenance.lossy` lists contents of the log that the trace lacks. To read stored runs of a
    program, write claude:ID (the id may be abbreviated) or claude:latest; claude: lists them.

    Example: awesome trace import logs/ --out traces.jsonl
    """
    from awesome_cli.traces.importers.importing import import_all

    imported = import_all(paths, ctx.obj.environment, with_content=with_content, form=source)
    if out is not None and str(out) != "-" and out.resolve() in {path.resolve() for path in imported.used}:
        raise UsageError(f"{out} is one of the imported files", hint="give --out the name of a new file")
    if imported.traces:
        write_output(imported.text(as_lines=out is not None and out.suffix in {".jsonl", ".ndjson"}), out)
    for line in imported.lines():
        ctx.obj.say(line)
    imported.raise_for_failures()


# A copy of the formats of `traces.exports`, whose import is slow.
Target = Literal["chrome", "otel"]


def export(
    ctx: CommandContext,
    target: Annotated[Target, typer.Argument(metavar="chrome|otel", help="Output format.")],
    path: Annotated[
        str, typer.Argument(metavar="FILE", callback=within, help="Trace to read; '-' reads standard input.")
    ],
    out: OutOption = None,
    trace_id: IdOption = None,
) -> None:
    """Convert a trace to Chrome trace JSON (Perfetto) or OpenTelemetry.

    Contents that the format cannot express are listed on standard error.

    Example: awesome trace export chrome run.json --out run.perfetto.json
    """
    from awesome_cli.traces.exports import EXPORTS
    from awesome_cli.traces.sources import pick

    text, lost = EXPORTS[target](pick(path, trace_id))
    write_output(text, out)
    for part in lost:
        ctx.obj.say(f"lost: {part}")


def raise_for_unreadable(bad: int, total: int, hint: str | None = "see the errors: awesome trace check FILE") -> None:
    """Raise an error if traces are unreadable: `PartialError` if others were read. No trace is a `UsageError`."""
    if bad and total == 1:
        raise AwesomeError("the trace could not be read", hint=hint)
    if bad:
        raise PartialError(f"{bad} of {total} traces could not be read", hint=hint)
    if not total:
        raise UsageError("the input contains no trace", hint="see its findings: awesome trace check FILE")


def write_output(text: str, out: Path | None) -> None:
    """Write `text` to the file `out`, or to standard output for None and `-`."""
    if out is None or str(out) == "-":
        hand_over(text)
        return
    require_folder(out)
    write(out, text.encode())


def require_folder(out: Path) -> None:
    """Raise `AwesomeError` if the folder of an output file does not exist."""
    if not out.parent.is_dir():
        raise AwesomeError(f"no such folder: {out.parent}", hint=f"create it: mkdir -p {out.parent}")


app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")
for verb in (check, replay, metrics, rows, diff, show):
    app.command()(verb)
app.command("import")(import_)
app.command()(export)
