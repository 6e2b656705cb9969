"""The interactive walk of `awesome trace replay --step`: one event at a time, forwards and backwards."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from awesome_cli.cli._printing import show as tell
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import AwesomeError, UsageError

if TYPE_CHECKING:
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.stepping import Walk

HELP = (
    "Enter or n next · p back · NUMBER go to · a AGENT next event of an agent · c next finding · "
    "u CODE next with that code · s state · q quit"
)


def walk_through(workspace: Workspace, readings: "Iterator[Reading]", start: int, agent: str | None) -> None:
    """Let a person walk through the one trace; with `agent`, next means that agent's next event."""
    walk = begin(workspace, list(readings))
    at = min(start, walk.length)
    tell(f"{walk.trace.trace_id}: {walk.length} events. {HELP}\n")
    show(workspace, walk, at)
    while (command := ask(at, walk.length)) != "q":
        at = follow(workspace, walk, command, at, agent)


def begin(workspace: Workspace, readings: "list[Reading]") -> "Walk":
    """The walk through the one trace. Raises for more traces or none, and without a terminal."""
    from awesome_cli.traces.stepping import Walk

    if len(readings) != 1:
        raise UsageError(f"--step walks through one trace, there are {len(readings)}")
    trace = readings[0].trace
    if trace is None:
        raise AwesomeError("the trace could not be read", hint="see what is wrong with 'awesome trace check'")
    if not workspace.interactive:
        raise UsageError("--step needs a terminal", hint="use --to K or --until CODE")
    return Walk(trace)


def follow(workspace: Workspace, walk: "Walk", command: str, at: int, agent: str | None) -> int:
    """Show what a command asks for; returns the number of the current step."""
    if command == "s":
        show(workspace, walk, at, whole=True)
        return at
    target = where(walk, command, at, agent)
    if target is None:
        tell(f"there is no such step. {HELP}\n")
        return at
    show(workspace, walk, target)
    return target


def ask(at: int, length: int) -> str:
    """The next command; the end of the input quits."""
    try:
        return str(typer.prompt(f"[{at}/{length}]", default="", show_default=False, prompt_suffix=" ")).strip()
    except typer.Abort:
        return "q"


def where(walk: "Walk", command: str, at: int, agent: str | None) -> int | None:
    """The step that a command leads to, or `None` where there is none."""
    word, _, rest = command.partition(" ")
    if word in ("", "n"):
        return walk.acts(agent, at) if agent else (at + 1 if at < walk.length else None)
    if word == "p":
        return at - 1 if at > 0 else None
    if word.isdecimal():
        return int(word) if int(word) <= walk.length else None
    if word == "a" and rest:
        return walk.acts(rest, at)
    if word == "u" and rest:
        return walk.find(rest, at)
    return min((number for number, _ in walk.findings if number > at), default=None) if word == "c" else None


def show(workspace: Workspace, walk: "Walk", at: int, *, whole: bool = False) -> None:
    """Show the event of a step, what it changed, and its findings; for `whole` and step 0, the state after it."""
    from awesome_cli.traces.reports.replay import state_report, step_report

    if whole or at == 0:
        workspace.emit(state_report(walk.state(at), at))
        return
    step, machine = walk.step(at)
    later = [found for number, found in walk.findings if number == at and found.code.startswith("TW")]
    workspace.emit(step_report(step, machine, later))
