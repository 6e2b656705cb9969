"""`awesome trace replay`: the run again, event by event, with a digest that says whether two runs are one."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli.trace._inputs import FilesArgument, settle
from awesome_cli.cli.trace._walk import walk_through
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.replay import Replay


def replay(
    ctx: typer.Context,
    files: FilesArgument,
    to: Annotated[int | None, typer.Option("--to", min=0, metavar="K", help="Stop after K events.")] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="CODE", help="Stop at the first event with this code (TW103).")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="A", help="Show this agent's part only.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Walk through the run in the terminal.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first illegal event; exit 1.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Replay traces: digests, illegal events, what was left open, and the state at the end.

    The digest is the same for the same trace, whatever the order of its arrays. Example:
    awesome trace replay run.json --until TR003
    """
    from awesome_cli.traces.reports import Replayed, replay_report
    from awesome_cli.traces.rows import readings
    from awesome_cli.traces.sources import pieces

    found = readings(pieces(files))
    if step:
        refuse_with_step(until=until, strict=strict)
        walk_through(ctx.obj, found, to or 0, agent)
        return
    never: list[str] = []
    read = found if agent is None else known_to_one(agent, list(found))
    answers = [Replayed.of(each, run(each, never, to=to, until=until, strict=strict), agent) for each in read]
    ctx.obj.emit(replay_report(answers), form)
    for place in never:
        ctx.obj.say(f"{place}: {until} never occurs")
    settle(sum(not answer.readable for answer in answers), len(answers))
    raise typer.Exit(int(bool(never) or (strict and any(answer.illegal for answer in answers))))


def refuse_with_step(*, until: str | None, strict: bool) -> None:
    """Raise `UsageError` for what a walk has its own commands for."""
    if until is not None or strict:
        raise UsageError(
            f"--step does not go with {'--strict' if strict else '--until'}",
            hint="in the walk, 'u CODE' goes to a code and 'c' to the next illegal or open thing",
        )


def known_to_one(agent: str, read: "list[Reading]") -> "list[Reading]":
    """What was read; raises `UsageError`, naming the nearest agent, where no trace knows `agent`."""
    from awesome_cli.text.known import require_known

    traces = [reading.trace for reading in read if reading.trace is not None]
    names = sorted({name for trace in traces for name in trace.names})
    if traces:
        require_known(agent, names, "agent")
    return read


def run(reading: "Reading", never: list[str], *, to: int | None, until: str | None, strict: bool) -> "Replay | None":
    """The replay of a trace that could be read, as far as was asked; `never` gets its place if `until` never occurs."""
    from awesome_cli.traces.replay import replay as replay_trace
    from awesome_cli.traces.stepping import Walk

    if reading.trace is None:
        return None
    walk = Walk(reading.trace)
    if until is not None:
        if walk.until(until) is None:
            never.append(f"{reading.path}:{reading.line}")
        to = walk.until(until, to)
    return replay_trace(reading.trace, walk.graph, strict=strict, to=to)
