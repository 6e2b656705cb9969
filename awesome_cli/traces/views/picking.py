"""Choose one trace of a file, for commands that show or export a single run."""

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.traces.model import Trace
from awesome_cli.traces.rows import readings
from awesome_cli.traces.sources import pieces


def pick(path: str, trace_id: str | None = None) -> Trace:
    """The only trace of a file, or the one named `trace_id`; `-` is standard input.

    Raises `UsageError` if the choice is not clear, `AwesomeError` if the text is not a trace.
    """
    found: list[Trace] = []
    for reading in readings(pieces([path])):
        if reading.trace is None:
            if trace_id is not None:
                continue
            first = reading.findings[0]
            raise AwesomeError(
                f"{reading.path}:{reading.line}: {first.code} {first.message}",
                hint=f"awesome trace check {path}; a log of another framework: awesome trace import {path}",
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
    return found[0]
