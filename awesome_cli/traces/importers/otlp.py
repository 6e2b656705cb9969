"""OpenTelemetry spans: OTLP/JSON in all its spellings, the Python SDK's own JSON, and AgentOps' API.

This module reads the layouts; `dialects` knows what the attributes mean.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.traces.importers import dialects, exported, invocations
from awesome_cli.traces.importers._format import TraceFormat
from awesome_cli.traces.importers.foreign import Json, items, mapping, moment, objects, reach, span_id, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.run_files import RunFiles
from awesome_cli.traces.importers.spans import RawSpan

VALUES = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
INTEGER = re.compile(r"-?[0-9]{1,19}\Z")
UNNAMED = "unknown_service"
DEEP = exported.DEEP
READABLE = ", ".join([dialects.OPERATION, dialects.OPENINFERENCE, *dialects.TRACELOOP])


def detect(log: LogFile) -> bool:
    """`resourceSpans`, or a list of spans with contexts or with AgentOps' span attributes."""
    return any(isinstance(doc.get("resourceSpans"), list) or _flat(doc) for doc in log.head)


def _flat(doc: Json) -> bool:
    """Whether the spans are in a plain list, or the document is one such span."""
    spans = [doc, *objects(doc.get("spans"))[:1]]
    return any("span_attributes" in span or isinstance(span.get("context"), dict) for span in spans)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """One trace for each `traceId`; its batches can be anywhere in the file.

    Traces without any act of an agent are left out; raises `LogFileError` if there is no other.
    """
    log = run.main
    grouped: dict[str, dict[str, RawSpan]] = defaultdict(dict)
    for doc in log.records():
        for raw in read_spans(doc):
            grouped[raw.trace_id][raw.id] = raw
    traces = [trace for by_id in grouped.values() if (trace := _trace(by_id, log, with_content=with_content))]
    if grouped and not traces:
        n = sum(map(len, grouped.values()))
        raise LogFileError(
            f"{log.name}: spans without a model call, a tool call, or an agent that another agent started: {n}",
            hint=f"record the run with spans that have {READABLE}: awesome help trace-import",
        )
    for trace in traces:
        if len(grouped) > len(traces):
            lost = f"traces of the file in which no agent acts: {len(grouped) - len(traces)}"
            items(reach(trace, "provenance", "lossy")).append(lost)
        yield trace


def _trace(by_id: Mapping[str, RawSpan], log: LogFile, *, with_content: bool) -> Json | None:
    """The trace of spans with one `traceId`; None if they record no event."""
    raws = list(by_id.values())
    exact = exported.trace_of(raws, with_content=with_content, provenance=log.provenance)
    if exact is not None:
        return exact
    name = _workflow(raws, by_id)
    rec = Recording("otlp/" + dialects.dialects_of(raws), with_content)
    rec.add_loss("lines that are not JSON", log.broken())
    if not invocations.record(dialects.read_spans(raws), rec, fallback=name):
        return None
    system = next((raw.scope for raw in raws if raw.scope), "")
    return rec.trace(trace_id=raws[0].trace_id, task_id=name, system=system, provenance=log.provenance)


def _workflow(raws: list[RawSpan], by_id: Mapping[str, RawSpan]) -> str:
    """The name of the whole run: the entity, service or name of its first root span."""
    roots = [raw for raw in raws if raw.parent not in by_id] or raws
    first = min(roots, key=lambda raw: (raw.start, raw.id))
    entity = text(first.attributes.get("agentops.entity.name") or first.attributes.get("traceloop.entity.name"))
    service = "" if first.service.startswith(UNNAMED) or first.service == "agentops" else first.service
    return (
        entity or (service if dialects.dialects_of([first]) == "plain" else "") or first.name or service or "workflow"
    )


def read_spans(doc: Json) -> Iterator[RawSpan]:
    """The spans of one document, line or batch."""
    for resource in objects(doc.get("resourceSpans")):
        service = text(attributes(reach(resource, "resource", "attributes")).get("service.name"))
        for group in objects(resource.get("scopeSpans")) or objects(resource.get("instrumentationLibrarySpans")):
            scope = text(reach(group, "scope", "name"))
            for span in objects(group.get("spans")):
                yield from _otlp(span, scope, service)
    if "resourceSpans" not in doc and _flat(doc):
        for span in objects(doc.get("spans")) or [doc]:
            yield from _agentops(span, doc) if "span_attributes" in span else _python(span)


def _otlp(span: Json, scope: str, service: str) -> Iterator[RawSpan]:
    code = text(reach(span, "status", "code"))
    return _raw(
        span,
        (span.get("traceId"), span.get("spanId"), span.get("parentSpanId")),
        (span.get("startTimeUnixNano"), span.get("endTimeUnixNano")),
        status={"STATUS_CODE_ERROR": "error", "2": "error", "STATUS_CODE_OK": "ok", "1": "ok"}.get(code, ""),
        scope=scope,
        service=service,
        attributes=attributes(span.get("attributes")),
        marks=[
            (name, at, attributes(mark.get("attributes")))
            for mark in objects(span.get("events"))
            if (name := text(mark.get("name"))).startswith(exported.MARK)
            and (at := moment(mark.get("timeUnixNano"))) is not None
        ],
    )


def _python(span: Json) -> Iterator[RawSpan]:
    """`ReadableSpan.to_json()` of the Python SDK and any-agent's form of it."""
    parent = span.get("parent_id") if "parent_id" in span else reach(span, "parent", "span_id")
    code = text(reach(span, "status", "status_code")).casefold()
    return _raw(
        span,
        (reach(span, "context", "trace_id"), reach(span, "context", "span_id"), parent),
        (span.get("start_time"), span.get("end_time")),
        status=code if code in {"ok", "error"} else "",
        scope=text(reach(span, "scope", "name") or reach(span, "instrumentation_scope", "name")),
        service=text(mapping(reach(span, "resource", "attributes")).get("service.name")),
        attributes=mapping(span.get("attributes")),
    )


def _agentops(span: Json, doc: Json) -> Iterator[RawSpan]:
    """A span of AgentOps' API. Its trace header is not used: the duration there contradicts the spans."""
    code = text(span.get("status_code")).casefold()
    return _raw(
        span | {"name": span.get("span_name")},
        (span.get("trace_id") or reach(doc, "trace", "trace_id"), span.get("span_id"), span.get("parent_span_id")),
        (span.get("start_time"), span.get("end_time")),
        status=code if code in {"ok", "error"} else "",
        scope="",
        service=text(span.get("service_name")),
        attributes=dict(_dotted(span.get("span_attributes"), "", DEEP)),
    )


def _raw(
    span: Json, ids: tuple[object, object, object], times: tuple[object, object], **about: Any
) -> Iterator[RawSpan]:
    """The span, unless it has no id or no start; `about` are its status, scope, service and attributes."""
    trace_id, own, parent = (span_id(value) for value in ids)
    start, end = (moment(value) for value in times)
    if own and start is not None:
        name = text(span.get("name"))
        yield RawSpan(trace_id or "unnamed", own, parent, name, start, max(start, end or start), **about)


def attributes(value: object) -> Json:
    """OTLP's list of typed key-value pairs as an object; a plain object stays as it is."""
    if isinstance(value, dict):
        return value
    return {text(pair.get("key")): _any_value(pair.get("value"), DEEP) for pair in objects(value)}


def _any_value(value: object, deep: int) -> object:
    typed = mapping(value)
    for key in VALUES:
        if key in typed:
            found = typed[key]
            return int(found) if key == "intValue" and isinstance(found, str) and INTEGER.match(found) else found
    if deep and "arrayValue" in typed:
        return [_any_value(item, deep - 1) for item in items(reach(typed, "arrayValue", "values"))]
    if deep and "kvlistValue" in typed:
        pairs = objects(reach(typed, "kvlistValue", "values"))
        return {text(pair.get("key")): _any_value(pair.get("value"), deep - 1) for pair in pairs}
    return None


def _dotted(value: object, prefix: str, deep: int) -> Iterator[tuple[str, object]]:
    """Nested objects as dotted names; lists stay values."""
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
