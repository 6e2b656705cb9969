"""OpenTelemetry spans: OTLP/JSON in all its spellings, the Python SDK's own JSON, and AgentOps' API.

This module reads the layouts; `dialects` knows what the attributes mean.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from awesome_cli.traces.importers import dialects, exported, invocations
from awesome_cli.traces.importers._format import RunFiles, TraceFormat
from awesome_cli.traces.importers.foreign import Json, items, mapping, moment, objects, reach, span_id, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError
from awesome_cli.traces.importers.spans import RawSpan

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
    "service": (("resource", "attributes", "service.name"), ("service_name",)),
}
"""The paths of a span's fields in OTLP/JSON, in the Python SDK's and any-agent's JSON, and in AgentOps' API."""
STATUSES = {"1": "ok", "OK": "ok", "2": "error", "ERROR": "error"}
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
    traces = [trace for by_id in grouped.values() for trace in _traces(by_id, log, with_content=with_content)]
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


def _traces(by_id: Mapping[str, RawSpan], log: LogFile, *, with_content: bool) -> Iterable[Json]:
    """The trace of spans with one `traceId`, unless they record no event."""
    raws = list(by_id.values())
    exact = exported.trace_of(raws, with_content=with_content, provenance=log.provenance)
    if exact is not None:
        return [exact]
    name = _workflow(raws, by_id)
    return invocations.traces_of(
        dialects.read_spans(raws), log, "otlp/" + dialects.dialects_of(raws), with_content=with_content, fallback=name,
        trace_id=raws[0].trace_id, task_id=name, system=next((raw.scope for raw in raws if raw.scope), ""),
    )  # fmt: skip


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
                yield from _span(span, scope, service)
    if "resourceSpans" not in doc and _flat(doc):
        for span in objects(doc.get("spans")) or [doc]:
            yield from _span({"trace_id": reach(doc, "trace", "trace_id")} | span)


def _span(span: Json, scope: str = "", service: str = "") -> Iterator[RawSpan]:
    """The span, in the spelling of any of the layouts, unless it has no id or no start.

    The trace header of AgentOps is not used: the duration there contradicts the spans.
    """
    values = {name: _first(span, paths) for name, paths in SPELLINGS.items()}
    own, start = span_id(values["id"]), moment(values["start"])
    if not own or start is None:
        return
    marks = objects(span.get("events"))
    flat = dict(_dotted(span.get("span_attributes"), "", DEEP)) if "span_attributes" in span else None
    yield RawSpan(
        trace_id=span_id(values["trace_id"]) or "unnamed",
        id=own,
        parent=span_id(values["parent"]),
        name=text(values["name"]),
        start=start,
        end=max(start, moment(values["end"]) or start),
        status=STATUSES.get(text(values["status"]).upper().removeprefix("STATUS_CODE_"), ""),
        scope=scope or text(values["scope"]),
        service=service or text(values["service"]),
        attributes=attributes(span.get("attributes")) if flat is None else flat,
        marks=[mark for each in marks if (mark := _mark(each)) is not None],
    )


def _mark(event: Json) -> tuple[str, int, Json] | None:
    """A span event that `awesome trace export otel` wrote; None for any other."""
    name, at = text(event.get("name")), moment(event.get("timeUnixNano"))
    written = name.startswith(exported.MARK) and at is not None
    return (name, at or 0, attributes(event.get("attributes"))) if written else None


def _first(span: Json, paths: Sequence[tuple[str, ...]]) -> object:
    return next((value for path in paths if (value := reach(span, *path)) not in (None, "")), None)


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
