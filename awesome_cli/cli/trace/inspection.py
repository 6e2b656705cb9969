"""`awesome trace check`, `replay`, `diff` and `show`: look at runs."""

import shutil
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli.trace._files import FilesArgument, IdOption, raise_for_unreadable, write_output
from awesome_cli.cli.validate import ANNOTATED, FindingsFormat, print_findings
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.checking import Checked
    from awesome_cli.traces.model import Trace
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.replay import Replay


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
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on warnings, too.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show every finding; else those of one kind in a trace are one line.")
    ] = False,
    form: Annotated[FindingsFormat, typer.Option("--format", "-f", help="How to print the answer.")] = (
        FindingsFormat.TEXT
    ),
) -> None:
    """Check traces, version 1 or 2: text, schema, edges, replay and consistency.

    Version 1 is read leniently (most findings are warnings), version 2 strictly. Exit code 1 when there is an error,
    4 when some of several traces cannot be read. Example: awesome trace check runs/*.json
    """
    from awesome_cli.reports.findings import is_bad
    from awesome_cli.traces.checking import check_reading
    from awesome_cli.traces.inputs import readings
    from awesome_cli.traces.sources import pieces

    checked = [check_reading(each, skew=skew, with_replay=with_replay) for each in readings(pieces(files))]
    print_checked(ctx.obj, checked, form, every=every)
    unread = sum(not each.row["readable"] for each in checked)
    raise_for_unreadable(unread if len(checked) > 1 else 0, len(checked), hint=None)
    raise typer.Exit(int(is_bad([f for each in checked for f in each.findings], strict=strict)))


def print_checked(session: CommandSession, checked: Sequence["Checked"], form: FindingsFormat, *, every: bool) -> None:
    """Print findings in the form asked for."""
    from awesome_cli import traces
    from awesome_cli.traces.checking import check_report

    if form in ANNOTATED:
        found = [finding for each in checked for finding in each.findings]
        print_findings(form, found, traces.manual())
    else:
        session.emit(check_report(checked, every=every), Format(form.value))


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
    from awesome_cli.traces.inputs import readings
    from awesome_cli.traces.replay import replay_entry, replay_report
    from awesome_cli.traces.sources import pieces

    found = readings(pieces(files))
    never: list[str] = []
    read = found if agent is None else require_agent(agent, list(found))
    entries = [replay_entry(each, replayed(each, never, to=to, until=until, strict=strict), agent) for each in read]
    ctx.obj.emit(replay_report(entries), form)
    for place in never:
        ctx.obj.say(f"{place}: {until} does not occur")
    raise_for_unreadable(sum(not entry.readable for entry in entries), len(entries))
    raise typer.Exit(int(bool(never) or (strict and any(entry.illegal for entry in entries))))


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


class FailOnTraceDiff(StrEnum):
    """Differences for which the command exits with 1."""

    SHAPE = "shape"
    METRICS = "metrics"


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
    from awesome_cli.traces.inputs import pick
    from awesome_cli.traces.views import lanes, page, timeline

    view = timeline.timeline(pick(path, trace_id))
    if html is not None:
        write_output(page.render(view, sheet=(shipped() / "site/assets/site.css").read_text(encoding="utf-8")), html)
    else:
        ctx.obj.emit(lanes.report(view, width=shutil.get_terminal_size((lanes.WIDTH, 0)).columns), form)
