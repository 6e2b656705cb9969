"""The traces of files, folders and standard input: all of them, or the one that a command is about."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from shlex import quote

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import Reading, read_trace
from awesome_cli.traces.rules import UNREADABLE
from awesome_cli.traces.sources import Document, Piece, documents, is_json, pieces


def readings(parts: Iterable[Piece]) -> Iterator[Reading]:
    """Read all traces of the input, one after the other."""
    return chain.from_iterable(map(readings_of, parts))


def readings_of(piece: Piece) -> Iterator[Reading]:
    """Read the traces of a piece; a log of another program, or lines that are no traces, are one reading."""
    if piece.why:
        yield unreadable(piece, piece.why, None)
        return
    for n, document in enumerate(documents(piece)):
        reading = read(document)
        if not n and reading.trace is None:
            if form := log_format(piece):
                if piece.offset == 0:
                    way = f"awesome trace import {quote(piece.path)} --out run.json"
                    yield unreadable(piece, f"this is a log of {form}; import it first: {way}", None)
                return
            if holds_no_trace(piece):
                yield unreadable(piece, "no line is a trace: none has 'trace_id' or 'events'", None)
                return
        yield reading


def read(document: Document) -> Reading:
    """Read the trace of a document; if its file could not be read, the reading has that finding."""
    if document.data is not None:
        return read_trace(document.data, document.path, document.line)
    return unreadable(document, f"cannot be read: {document.reason}", UNREADABLE.fix)


def unreadable(place: Document | Piece, why: str, fix: str | None) -> Reading:
    """The reading of what cannot be read, with one finding."""
    finding = Finding(UNREADABLE.code, Level.ERROR, why, place.path, line=place.line, fix=fix, pointer="")
    return Reading(None, (finding,), place.path, place.line)


def holds_no_trace(piece: Piece) -> bool:
    """True if a piece has several lines, all of them JSON, and none with a field that makes a trace."""
    count = 0
    for count, document in enumerate(documents(piece), 1):  # noqa: B007 - the last number stays
        line = document.data or b""
        if b'"events"' in line or b'"trace_id"' in line or not is_json(line):
            return False
    return count > 1


def log_format(piece: Piece) -> str:
    """The format of logs that the file of a piece has; empty if none."""
    from awesome_cli.traces.importers.finding import format_of
    from awesome_cli.traces.importers.log_file import LogFile

    return format_of(LogFile(Path(piece.path), piece.data))


SHOWN = 5


def pick(path: str, trace_id: str | None = None) -> Trace:
    """The only trace of a file, or the one named `trace_id`; `-` is standard input.

    Raises `UsageError` if the choice is not clear, `AwesomeError` if the text is not a trace.
    """
    found: list[Trace] = []
    for reading in readings(pieces([path])):
        trace = reading.trace
        if trace is None and trace_id is None:
            first = reading.findings[0]
            way = f"awesome trace check {path}; a log of another framework: awesome trace import {path}"
            raise AwesomeError(
                f"{reading.path}:{reading.line}: {first.code} {first.message}",
                hint=way if first.fix or first.code != UNREADABLE.code else None,
            )
        if trace is not None and trace_id in {None, trace.trace_id}:
            found.append(trace)
        if trace_id is None and len(found) > 1:
            names = f"{found[0].trace_id}, {found[1].trace_id}, …"
            raise UsageError(f"{path} holds more than one trace: {names}", hint="name one: --id ID")
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
