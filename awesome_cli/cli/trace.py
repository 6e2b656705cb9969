"""`awesome trace`: read, check, replay, measure, compare and convert orchestration traces."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
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
        help="JSON, JSON Lines, either in gzip, Parquet, or a folder of them; - is standard input.",
    ),
]
IdOption = Annotated[str | None, typer.Option("--id", metavar="TRACE", help="Which trace, if the file holds several.")]
ByTaxonomyOption = Annotated[bool, typer.Option("--by-taxonomy", help="Group by the survey's taxonomy.")]
WithContentOption = Annotated[
    bool, typer.Option("--with-content", help="Keep prompts and outputs; by default only their hashes.")
]

StdOption = Annotated[
    Literal["population", "sample"],
    typer.Option("--std", help="Standard deviation of a group: divide by n, or by n - 1 as verl and TRL do."),
]
RewardsOption = Annotated[
    Path | None,
    typer.Option(
        "--rewards",
        metavar="TABLE",
        callback=within,
        help="Rewards and groups of the traces: .csv, .tsv or .jsonl with trace, group, agent, value.",
    ),
]


def check(
    ctx: CommandContext,
    files: FilesArgument,
    skew: Annotated[
        float,
        typer.Option("--skew", metavar="N", min=0.0, help="How far clocks may disagree, in the trace's time unit."),
    ] = 0.0,
    with_replay: Annotated[
        bool,
        typer.Option("--replay/--no-replay", help="Replay, too; without it only schema, edges and costs are checked."),
    ] = True,
    strict: StrictOption = False,
    every: Annotated[bool, typer.Option("--all", help="Print everything; by default the rest is counted.")] = False,
    form: FindingsOption = FindingsFormat.TEXT,
) -> None:
    """Check traces, version 1 or 2: text, schema, edges, replay and consistency.

    Version 1 is read leniently (most findings are warnings), version 2 strictly. Exit code 1 when there is an error,
    4 when some of several traces cannot be read. Example: awesome trace check runs/*.json
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
    """The codes of the replay, for completion."""
    from awesome_cli.traces.rules import RULES

    return [code for code in RULES if code[:2] in ("TR", "TW")]


def replay(
    ctx: CommandContext,
    files: FilesArgument,
    to: Annotated[int | None, typer.Option("--to", min=0, metavar="K", help="Stop after K events.")] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until", metavar="CODE", help="Stop at the first event with this code (TW103).", autocompletion=codes
        ),
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="A", help="Show this agent only.")] = None,
    strict: Annotated[bool, typer.Option("--stop", help="Stop at the first illegal event; exit with 1.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Replay traces: digests, illegal events, loose ends, and the state at the end.

    The digest is the same for the same trace, whatever the order of its arrays. Example:
    awesome trace replay run.json --until TR003
    """
    from awesome_cli.traces.replay import replay_entry, replay_report
    from awesome_cli.traces.sources import pieces, readings

    found = readings(pieces(files))
    never: list[str] = []
    read = found if agent is None else require_agent(agent, list(found))
    entries = [replay_entry(each, replayed(each, never, to=to, until=until, strict=strict), agent) for each in read]
    ctx.obj.emit(replay_report(entries), form)
    for place in never:
        ctx.obj.say(f"{place}: {until} does not occur")
    raise_for_unreadable(sum("error" in row for row, _ in entries), len(entries))
    illegal = any(finding["code"].startswith("TR") for row, _ in entries for finding in row["findings"] or ())
    raise typer.Exit(int(bool(never) or (strict and illegal)))


def require_agent(agent: str, read: "list[Reading]") -> "list[Reading]":
    """The readings; raises `UsageError` with the nearest name if no trace has the agent."""
    from awesome_cli.text.known import require_known

    traces = [reading.trace for reading in read if reading.trace is not None]
    names = sorted({name for trace in traces for name in trace.names})
    if traces:
        require_known(agent, names, "agent")
    return read


def replayed(
    reading: "Reading", never: list[str], *, to: int | None, until: str | None, strict: bool
) -> "Replay | None":
    """The replay of a readable trace up to `to` or `until`; if `until` does not occur, `never` gets its place."""
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
    differs = {"shape": difference.step is not None, "metrics": bool(difference.metrics)}
    raise typer.Exit(int(any(differs[what] for what in fail_on or ())))


def only(name: str) -> "Trace":
    """The one trace of an input."""
    from awesome_cli.traces.sources import pieces, readings

    found = list(readings(pieces([name])))
    if len(found) != 1:
        raise UsageError(f"{name} has {len(found)} traces; two single traces are compared")
    if found[0].trace is None:
        raise AwesomeError(str(found[0].error), hint=f"see what is wrong: awesome trace check {name}")
    return found[0].trace


def show(
    ctx: CommandContext,
    path: Annotated[str, typer.Argument(metavar="FILE", callback=within, help="A trace; '-' is standard input.")],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", callback=within, help="Write one self-contained HTML page there."),
    ] = None,
    trace_id: IdOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a run: one lane per agent, the spawn tree, what each agent did, and the findings; many agents in groups.

    The page needs no network. It has a timeline with zoom, arrows between agents, and a slider to replay the state.

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
        typer.Option("--out", metavar="FILE", callback=within, help="One row per trace: .csv, .jsonl or .parquet."),
    ] = None,
    by_taxonomy: ByTaxonomyOption = False,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices", metavar="FILE", callback=within, help="What models cost; else prices.yaml beside the survey."
        ),
    ] = None,
    rewards: RewardsOption = None,
    std: StdOption = "population",
    dask: Annotated[str | None, typer.Option("--dask", metavar="ADDRESS|local", help="Use a Dask cluster.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Measure runs: what they cost, where they waited, what nobody read, how parallel and how good they were.

    A metric that a trace does not support is null, with a reason; 'awesome explain METRIC' has the page of each.

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
        ctx.obj.emit(metrics_report(analyses, summaries(analyses, std), priced=wanted.prices is not None), form)
    raise_for_unreadable(sum(analysis.row["error"] is not None for analysis in analyses), len(analyses))


def say_remarks(
    session: CommandSession,
    rows: "Sequence[Mapping[str, Any]]",
    fingerprints: "Sequence[object]",
    rewards: "RewardTable | None" = None,
    disagreements: "Sequence[str]" = (),
) -> None:
    """Print which traces only the input or only a table has, the first disagreement of rewards and the first copy."""
    from awesome_cli.traces.sources import copies

    mismatches = rewards.mismatches([row["trace_id"] for row in rows if row["trace_id"] is not None]) if rewards else ()
    for message in (*mismatches, *first_few(disagreements, 1), *first_few([*copies(fingerprints, rows)], 1)):
        session.say(message)


def survey_root(session: CommandSession) -> Path | None:
    """The survey's folder; None outside a survey."""
    try:
        return session.root
    except SurveyError:
        return None


def save_metrics(session: CommandSession, analyses: "Sequence[Analysis]", out: Path) -> None:
    """Write one row per trace, with the columns of the taxonomy, if any."""
    from awesome_cli.traces.rows import with_cells, write_rows

    require_folder(out)
    columns, rows = with_cells(analyses)
    write_rows(rows, out, columns, raw=session.raw)
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
    gamma: Annotated[float, typer.Option("--gamma", min=0.0, max=1.0, help="Discount of a row.")] = 1.0,
    rewards: RewardsOption = None,
    std: StdOption = "population",
    by_taxonomy: ByTaxonomyOption = False,
    with_content: WithContentOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Make a table to train from: one row per decision of an agent, and per model call that no decision follows.

    A row has the time, the tokens and the rewards of the decision, what the run returned from there on, and the
    credit that published rules give. What the data do not allow is null, and the column `missing` says why.

    Example: awesome trace rows rollouts/ --out rows.csv
    """
    from awesome_cli.traces.rewards import read_rewards
    from awesome_cli.traces.training.table import decisions_report

    check_out(out)
    how = {"channel": channel, "gamma": gamma, "std": std, "with_content": with_content}
    how |= {"mapping": taxonomy_map(ctx.obj) if by_taxonomy else None, "joined": read_rewards(rewards, channel)}
    table, found, read = decision_table(files, how)
    say_remarks(ctx.obj, read.rows, read.fingerprints, table.joined, table.disagreements)
    if read.bad and not read.rows:
        raise AwesomeError(read.error, hint="'awesome trace check' says more" if read.bad > 1 else None)
    if out is None:
        ctx.obj.emit(decisions_report(list(found), tuple(table.columns)), form)
    else:
        save_rows(ctx.obj, found, table.columns, out)
    raise_for_unreadable(read.bad, read.bad + len(read.rows))


def check_out(out: Path | None) -> None:
    """Raise the error of a file that cannot be written, before anything is read."""
    from awesome_cli.traces.rows import require_suffix

    if out is not None:
        require_suffix(out)
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
    """Collects which traces can be read, and counts the others; `error` is that of the first of these."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    fingerprints: list[object] = field(default_factory=list)
    bad: int = 0
    error: str = ""

    def all(self, parts: "Sequence[Piece]") -> "Iterator[Trace]":
        """The traces that can be read."""
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
    session: CommandSession, found: "Iterator[DecisionRow]", columns: "Mapping[str, Kind]", out: Path
) -> None:
    """Write the rows, and say how many."""
    from awesome_cli.traces.rows import write_table

    written = 0

    def counting() -> "Iterator[DecisionRow]":
        nonlocal written
        for written, row in enumerate(found, 1):  # noqa: B007 - the last number stays
            yield row

    write_table(counting(), columns, out, raw=session.raw)
    session.say(f"{counted(written, 'row')} in {out}")


def formats() -> list[str]:
    """The names of the formats, for completion."""
    from awesome_cli.traces.importers import FORMATS

    return list(FORMATS)


def import_(
    ctx: CommandContext,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|DIR|PROGRAM:ID",
            callback=within,
            help="Logs, folders or archives of logs, or runs that a program keeps; '-' is standard input.",
        ),
    ],
    out: OutOption = None,
    source: Annotated[str | None, from_option(formats)] = None,
    with_content: WithContentOption = False,
) -> None:
    """Turn runs of other frameworks into orchestration traces (version 2).

    One run is written as a JSON document, several as JSON Lines. Events that the log implies but
    does not record are marked `inferred`. `provenance.lossy` lists what is in the log and not in the trace.
    A run that a program keeps is named by its id or the beginning of it: claude:ID; claude:latest; claude: lists them.

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


# The formats of `traces.exports`, which would slow down the start.
Target = Literal["chrome", "otel"]


def export(
    ctx: CommandContext,
    target: Annotated[Target, typer.Argument(metavar="chrome|otel", help="The format.")],
    path: Annotated[str, typer.Argument(metavar="FILE", callback=within, help="A trace; '-' is standard input.")],
    out: OutOption = None,
    trace_id: IdOption = None,
) -> None:
    """Write a trace for other programs: Chrome trace JSON (Perfetto) or OpenTelemetry.

    What the format cannot express is listed on standard error.

    Example: awesome trace export chrome run.json --out run.perfetto.json
    """
    from awesome_cli.traces.exports import EXPORTS
    from awesome_cli.traces.sources import pick

    text, lost = EXPORTS[target](pick(path, trace_id))
    write_output(text, out)
    for what in lost:
        ctx.obj.say(f"lost: {what}")


def raise_for_unreadable(bad: int, total: int, hint: str | None = "'awesome trace check' says why") -> None:
    """Raise `AwesomeError` if the only trace could not be read, `PartialError` for some of several."""
    if bad and total == 1:
        raise AwesomeError("the trace could not be read", hint=hint)
    if bad:
        raise PartialError(f"{bad} of {total} traces could not be read", hint=hint)
    if not total:
        raise UsageError("the input holds no trace", hint="see what it holds: awesome trace check FILE")


def write_output(text: str, out: Path | None) -> None:
    """Write `text` to the file `out`, or to standard output for None and `-`."""
    if out is None or str(out) == "-":
        hand_over(text)
        return
    require_folder(out)
    write(out, text.encode())


def require_folder(out: Path) -> None:
    """Raise `AwesomeError` where the folder of a file that is to be written is not there."""
    if not out.parent.is_dir():
        raise AwesomeError(f"no such folder: {out.parent}", hint=f"create it: mkdir -p {out.parent}")


app = typer.Typer(no_args_is_help=True, help="Read, check, replay, measure and compare orchestration traces.")
for verb in (check, replay, metrics, rows, diff, show):
    app.command()(verb)
app.command("import")(import_)
app.command()(export)
