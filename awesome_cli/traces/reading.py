"""From bytes, or from a JSON object, to a `Trace`: strict parse, shape, then frozen values."""

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from gc import disable, enable, isenabled
from typing import TYPE_CHECKING, Any

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import shape
from awesome_cli.traces.model import Edge, Event, Trace

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading one trace: the trace, or findings that say why there is none.

    `data` is the text that it was read from, if any: the places of findings are looked up there.
    """

    trace: Trace | None
    findings: tuple[Finding, ...]
    path: str
    line: int
    data: bytes | None = field(default=None, repr=False)

    @property
    def error(self) -> str | None:
        """Why there is no trace: the first finding with its place, and how many more there are."""
        if self.trace is not None:
            return None
        more = f" (and {len(self.findings) - 1} more)" if len(self.findings) > 1 else ""
        return sentence(self.findings[0]) + more

    def identity(self) -> dict[str, Any]:
        """How JSON rows name the trace; `trace_id` is null where it could not be read."""
        return {"path": self.path, "line": self.line, "trace_id": self.trace.trace_id if self.trace else None}


def sentence(finding: Finding) -> str:
    """`path:line:column: CODE pointer: message`, the one wording of what is wrong with a trace."""
    at = f"{finding.pointer}: " if finding.pointer else ""
    return f"{finding.path}:{finding.line}:{finding.column}: {finding.code} {at}{finding.message}"


@contextmanager
def steady_memory() -> "Iterator[None]":
    """Without the cycle collector, which a million new values without a cycle would wake hundreds of times.

    What is read, replayed and measured holds no cycle; reference counts free it at once.
    """
    was_on = isenabled()
    disable()
    try:
        yield
    finally:
        if was_on:
            enable()


def read_trace(data: bytes, path: str = "-", line: int = 1) -> Reading:
    """The trace in `data`, JSON text in UTF-8; `path` and `line` (its first line there) are for the findings."""
    from awesome_cli.traces import places, strict

    with steady_memory():
        document = strict.parse(data)
        if isinstance(document, strict.Refusal):
            finding = Finding(
                document.code,
                Level.ERROR,
                document.message,
                path,
                line=line + document.line - 1,
                column=document.column,
                pointer=document.pointer,
            )
            return Reading(None, (finding,), path, line, data)
        reading = read_document(document, path, line)
        return replace(reading, findings=places.placed(reading.findings, data, line), data=data)


def read_document(document: Any, path: str = "-", line: int = 1) -> Reading:
    """The trace in a JSON value that is already parsed, such as one that an importer made."""
    with steady_memory():
        faults = [
            Finding(fault.code, Level.ERROR, fault.message, path, line=line, pointer=fault.pointer)
            for fault in shape.faults(document)
        ]
        if faults:
            return Reading(None, tuple(faults), path, line)
        return Reading(build(document, path, line), (), path, line)


def build(document: Mapping[str, Any], path: str, line: int) -> Trace:
    """The values of a document whose shape is right."""
    version = shape.version_of(document)
    items = document["events"] if version == 2 else map(shape.readable, document["events"])
    return Trace(
        version=version,
        trace_id=document["trace_id"],
        task_id=document["task_id"],
        events=tuple(build_event(i, item) for i, item in enumerate(items)),
        edges=tuple(
            Edge(i, e["src"], e["dst"], e["type"], e.get("inferred", False)) for i, e in enumerate(document["edges"])
        ),
        header={key: value for key, value in document.items() if key not in ("events", "edges")},
        path=path,
        line=line,
    )


def build_event(index: int, item: Mapping[str, Any]) -> Event:
    """One event; an end before the start (a finding) is read as an instant."""
    start = item["t"]
    end = item.get("t_end", start)
    return Event(index, item["id"], item["type"], item["agent"], start, max(start, end), item.get("to"), item)
