"""Choose one trace of a file, for commands that show or export a single run."""

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.traces.model import Trace
from awesome_cli.traces.rows import readings
from awesome_cli.traces.rules import UNREADABLE
from awesome_cli.traces.sources import pieces

SHOWN = 5


def pick(path: str, trace_id: str | None = None) -> Trace:
    """The only trace of a file, or the one named `trace_id`; `-` is standard input.

    Raises `UsageError` if the choice is not clear, `AwesomeError` if the text is not a trace.
    """
    found: list[Trace] = []
    way = f"awesome trace check {path}; a log of another framework: awesome trace import {path}"
    for reading in readings(pieces([path])):
        if reading.trace is None:
            if trace_id is not None:
                continue
            first = reading.findings[0]
            raise AwesomeError(
                f"{reading.path}:{reading.line}: {first.code} {first.message}",
                hint=way if first.fix or first.code != UNREADABLE.code else None,
            )
        if trace_id in {None, reading.trace.trace_id}:
            found.append(reading.trace)
        if trace_id is None and len(found) > 1:
            raise UsageError(
                f"{path} holds more than one trace: {found[0].trace_id}, {found[1].trace_id}, …",
                hint="name one: --id ID",
            )
    if not found:
        raise UsageError(f"{path} holds no trace named {trace_id}" if trace_id else f"{path} holds no trace")
    if len(found) > 1:
        raise UsageError(
            f"{path} holds {len(found)} traces named {trace_id}:\n" + "\n".join(map(_differs, found[:SHOWN])),
            hint="give each an id of its own; 'awesome trace import' of all logs at once does that",
        )
    return found[0]


def _differs(trace: Trace) -> str:
    """The place of a trace and what tells it from others of its name."""
    return f"  {trace.path}:{trace.line}: task {trace.task_id}, {len(trace.names)} agents, {len(trace.events)} events"
