"""From bytes, or from a JSON object, to a `Trace`: parse strictly, check against the schema, build frozen values."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from gc import disable, enable, isenabled
from typing import Any

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import parsing, schema_check
from awesome_cli.traces.model import Edge, Event, Trace
from awesome_cli.traces.rules import listed


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one trace: the trace, or findings that say why it is unreadable.

    `data` is the source text, if any; it is used to find the line and column of findings.
    """

    trace: Trace | None
    findings: tuple[Finding, ...]
    path: str
    line: int
    data: bytes | None = field(default=None, repr=False)

    @property
    def error(self) -> str | None:
        """The reason for a missing trace: the first finding with its place, and the number of further findings."""
        if self.trace is not None:
            return None
        more = f" (and {len(self.findings) - 1} more)" if len(self.findings) > 1 else ""
        return sentence(self.findings[0]) + more

    def identity(self) -> dict[str, Any]:
        """The fields that identify the trace in JSON; `trace_id` is null where it could not be read."""
        return self.trace.identity() if self.trace else {"path": self.path, "line": self.line, "trace_id": None}


def sentence(finding: Finding, number: int = 1) -> str:
    """A finding as `path:line:column: CODE pointer: message`; all commands word findings of traces like this.

    If `number` is above 1, the sentence adds that this is the first of `number` similar findings.
    """
    at = f"{finding.pointer}: " if finding.pointer else ""
    first = "first at " if finding.pointer else "first: "
    times = f" \u00d7 {number:,}, {first}" if number > 1 else " "
    return f"{finding.path}:{finding.line}:{finding.column}: {finding.code}{times}{at}{finding.message}"


@contextmanager
def steady_memory() -> Iterator[None]:
    """Pause Python's garbage collector, which would run hundreds of times while a million values are created.

    Reading, replaying and measuring create no reference cycles, so reference counting frees all values.
    """
    was_on = isenabled()
    disable()
    try:
        yield
    finally:
        if was_on:
            enable()


def read_trace(data: bytes, path: str = "-", line: int = 1) -> Reading:
    """Read a trace (JSON in UTF-8); if it is invalid, `trace` of the result is None, and `findings` has the errors.

    Findings name `path`, and `line` as the first line of the text.
    """
    with steady_memory():
        document = parsing.parse(data)
        if isinstance(document, Finding):
            return Reading(None, (replace(document, path=path, line=line + document.line - 1),), path, line, data)
        reading = read_document(document, path, line)
        return replace(reading, findings=parsing.with_positions(reading.findings, data, line), data=data)


def read_document(document: Any, path: str = "-", line: int = 1) -> Reading:
    """The trace in a JSON value that is already parsed, such as one that an importer made."""
    with steady_memory():
        findings = tuple(
            Finding(fault.code, Level.ERROR, fault.message, path, line=line, pointer=fault.pointer)
            for fault in listed(schema_check.findings(document))
        )
        return Reading(None if findings else build(document, path, line), findings, path, line)


def build(document: Mapping[str, Any], path: str, line: int) -> Trace:
    """The trace in a document that the schema accepts."""
    version = schema_check.version_of(document)
    items = document["events"] if version == 2 else map(schema_check.without_invalid_fields, document["events"])
    edges = (Edge(i, e["src"], e["dst"], e["type"], e.get("inferred", False)) for i, e in enumerate(document["edges"]))
    header = {key: value for key, value in document.items() if key not in ("events", "edges")}
    ids = document["trace_id"], document["task_id"]
    return Trace(version, *ids, tuple(events_in(items)), tuple(edges), header, path, line)


def events_in(items: Iterable[Mapping[str, Any]]) -> Iterator[Event]:
    """Return the events of an array; equal names of types, agents and tools are interned for fast lookup."""
    shared = dict[Any, Any]().setdefault
    for i, item in enumerate(items):
        get, start = item.get, item["t"]
        kind, agent, to, tool = item["type"], item["agent"], get("to"), get("tool")
        prompt, answer = get("tokens_in"), get("tokens_out")
        yield Event(
            i, item["id"], shared(kind, kind), shared(agent, agent), start,
            # An end before the start (rule TG009) is read as an instant.
            max(start, get("t_end", start)),
            shared(to, to), item, shared(tool, tool), get("call_id"), get("status"), get("inputs"), get("task_ref"),
            None if prompt is None and answer is None else (prompt or 0) + (answer or 0),
        )  # fmt: skip
