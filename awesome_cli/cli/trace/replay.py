"""`awesome trace replay`: apply the events of a run again, with digests to compare runs by."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._session import Context
from awesome_cli.cli.trace._inputs import FilesArgument, raise_for_unreadable
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.replay import Replay


def codes() -> list[str]:
    """The codes of the replay, for completion."""
    from awesome_cli.traces.rules import RULES

    return [code for code in RULES if code[:2] in ("TR", "TW")]


def replay(
    ctx: Context,
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
    from awesome_cli.traces.replay import Replayed, replay_report
    from awesome_cli.traces.sources import pieces

    found = readings(pieces(files))
    never: list[str] = []
    read = found if agent is None else require_agent(agent, list(found))
    answers = [Replayed.of(each, run(each, never, to=to, until=until, strict=strict), agent) for each in read]
    ctx.obj.emit(replay_report(answers), form)
    for place in never:
        ctx.obj.say(f"{place}: {until} does not occur")
    raise_for_unreadable(sum(not answer.readable for answer in answers), len(answers))
    raise typer.Exit(int(bool(never) or (strict and any(answer.illegal for answer in answers))))


def require_agent(agent: str, read: "list[Reading]") -> "list[Reading]":
    """The readings; raises `UsageError` with the nearest name if no trace has the agent."""
    from awesome_cli.text.known import require_known

    traces = [reading.trace for reading in read if reading.trace is not None]
    names = sorted({name for trace in traces for name in trace.names})
    if traces:
        require_known(agent, names, "agent")
    return read


def run(reading: "Reading", never: list[str], *, to: int | None, until: str | None, strict: bool) -> "Replay | None":
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
