"""OpenTelemetry spans: OTLP/JSON in all its spellings, the Python SDK's own JSON, and AgentOps' API.

This module reads the layouts; `dialects` knows what the attributes mean.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from awesome_cli.traces.importers import dialects, exported
from awesome_cli.traces.importers.foreign import Json, items, mapping, moment, objects, reach, span_id, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError, RunFiles, TraceFormat
from awesome_cli.traces.importers.spans import TraceSpan, traces_of

VALUES = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
INTEGER = re.compile(r"-?[0-9]{1,19}\Z")
SPELLINGS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "trace_id": (("traceId",), ("context", "trace_id"), ("trace_id",)),
    "id": (("spanId",), ("context", "span_id"), ("span_id",)),
    "parent": (("parentSpanId",), ("parent_id",), ("parent", "span_id"), ("parent_span_id",)),
    "name": (("name",), ("span_name",)),
    "start": (("startTimeUnixNano",), ("start_time",)),
    "end": (("endTimeUnixNano",), ("end_time",)),
    "status": (("status", "code"), ("status", "status_code"), ("status_code",)),
    "scope": (("scope", "name"), ("instrumentation_scope", "name")),
}
"""The paths of a span's fields in OTLP/JSON, in the Python SDK's and any-agent's JSON, and in AgentOps' API."""
STATUSES = {"1": "ok", "OK": "ok", "2": "error", "ERROR": "error"}
"""A span that ended without a status succeeded: OpenTelemetry's API tells libraries to set a status for errors only."""
READABLE = ", ".join([dialects.OPERATION, dialects.OPENINFERENCE, *dialects.TRACELOOP])


def detect(log: LogFile) -> bool:
    """Return True for `resourceSpans`, and for spans with a `context` or with AgentOps' `span_attributes`."""
    return any(isinstance(doc.get("resourceSpans"), list) or _is_flat(doc) for doc in log.head)


def _is_flat(doc: Json) -> bool:
    """True if the spans are in a plain list, or the document is one such span."""
    spans = [doc, *objects(doc.get("spans"))[:1]]
    return any("span_attributes" in span or isinstance(span.get("context"), dict) for span in spans)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per `traceId`, whose batches can be anywhere in the file.

    Traces in which no agent acts are left out; raises `LogFileError` if no trace remains.
    """
    log = run.main
    grouped: dict[str, dict[str, TraceSpan]] = defaultdict(dict)
    for trace_id, span in (pair for doc in log.records() for pair in read_spans(doc)):
        grouped[trace_id][span.id] = span
    traces = [
        trace for name, spans in grouped.items() for trace in _traces(name, spans, log, with_content=with_content)
    ]
    if grouped and not traces:
        n = sum(map(len, grouped.values()))
        raise LogFileError(
            f"{log.name}: spans without a model call, a tool call, or an agent that another agent started: {n}",
            hint=f"record spans with one of {READABLE}; see 'awesome help trace-import'",
        )
    for trace in traces:
        if len(grouped) > len(traces):
            lost = f"traces of the file in which no agent acts: {len(grouped) - len(traces)}"
            items(reach(trace, "provenance", "lossy")).append(lost)
        yield trace


def _traces(trace_id: str, by_id: Mapping[str, TraceSpan], log: LogFile, *, with_content: bool) -> Iterable[Json]:
    """Return the trace of one `traceId`, if it has events. The first span without a parent names the trace."""
    spans = list(by_id.values())
    exact = exported.trace_of(spans, with_content=with_content, provenance=log.provenance)
    if exact is not None:
        return [exact]
    tops = [span for span in spans if span.parent not in by_id] or spans
    first = min(tops, key=lambda span: (span.start, span.id))
    read = dialects.read_spans(spans)
    agent = next(span.agent for span in read if span.id == first.id) if first.parent else ""
    name = text(dialects.first(first.attributes, dialects.ENTITY)) or agent or first.name or "workflow"
    return traces_of(
        read, log, "otlp/" + dialects.dialects_of(spans), with_content=with_content,
        fallback="workflow" if agent else name, trace_id=trace_id, task_id=name,
        system=next((span.scope for span in spans if span.scope), ""),
    )  # fmt: skip


def read_spans(doc: Json) -> Iterator[tuple[str, TraceSpan]]:
    """Yield the spans in a document, line or batch, each after the id of its trace."""
    for resource in objects(doc.get("resourceSpans")):
        for group in objects(resource.get("scopeSpans")):
            for span in objects(group.get("spans")):
                yield from _span({"scope": group.get("scope")} | span)
    if "resourceSpans" not in doc and _is_flat(doc):
        for span in objects(doc.get("spans")) or [doc]:
            yield from _span({"trace_id": reach(doc, "trace", "trace_id")} | span)


def _span(span: Json) -> Iterator[tuple[str, TraceSpan]]:
    """Yield the id of the trace and the span, in any of the layouts; nothing if the span has no id or no start.

    The trace header of AgentOps is not used, because its duration contradicts the spans.
    """
    values = {name: _first(span, paths) for name, paths in SPELLINGS.items()}
    name, start = span_id(values["id"]), moment(values["start"])
    if not name or start is None:
        return
    status = text(values["status"]).upper().removeprefix("STATUS_CODE_")
    marks = ((text(mark.get("name")), moment(mark.get("timeUnixNano")), mark) for mark in objects(span.get("events")))
    flat = dict(_dotted(span.get("span_attributes"), "", exported.DEEP)) if "span_attributes" in span else None
    yield (
        span_id(values["trace_id"]) or "unnamed",
        TraceSpan(
            id=name,
            parent=span_id(values["parent"]),
            name=text(values["name"]),
            start=start,
            end=max(start, moment(values["end"]) or start),
            scope=text(values["scope"]),
            status=STATUSES.get(status, "" if values["end"] is None else "ok"),
            attributes=attributes(span.get("attributes")) if flat is None else flat,
            marks=[
                (n, at, attributes(m.get("attributes"))) for n, at, m in marks if n.startswith(exported.MARK) and at
            ],
        ),
    )


def _first(span: Json, paths: Sequence[tuple[str, ...]]) -> object:
    return next((value for path in paths if (value := reach(span, *path)) not in (None, "")), None)


def attributes(value: object) -> Json:
    """Convert OTLP's list of typed key-value pairs to an object; return a plain object unchanged."""
    if isinstance(value, dict):
        return value
    return {text(pair.get("key")): _any_value(pair.get("value"), exported.DEEP) for pair in objects(value)}


def _any_value(value: object, deep: int) -> object:
    typed = mapping(value)
    for key in VALUES:
        if key in typed:
            inner = typed[key]
            return int(inner) if key == "intValue" and isinstance(inner, str) and INTEGER.match(inner) else inner
    if deep and "arrayValue" in typed:
        return [_any_value(item, deep - 1) for item in items(reach(typed, "arrayValue", "values"))]
    if deep and "kvlistValue" in typed:
        pairs = objects(reach(typed, "kvlistValue", "values"))
        return {text(pair.get("key")): _any_value(pair.get("value"), deep - 1) for pair in pairs}
    return None


def _dotted(value: object, prefix: str, deep: int) -> Iterator[tuple[str, object]]:
    """Yield the values in nested objects with dotted names; a list is one value."""
    if isinstance(value, dict) and deep:
        for key, inner in value.items():
            yield from _dotted(inner, f"{prefix}.{key}" if prefix else text(key), deep - 1)
    else:
        yield prefix, value


FORMAT = TraceFormat(
    "otlp", detect, convert, keys=("resourceSpans", "spans", "traceId"),
    reads="OTLP/JSON (one document, a list of batches, JSON Lines), OpenTelemetry Python's JSON, AgentOps' API",
    spawns="an agent span below another agent",
    inferred="aggregation, stop; the workflow as the parent of agents that no other agent started",
    lost="spans that are neither agent, model nor tool",
)  # fmt: skip
