"""Read the spans that `awesome trace export otel` wrote; their attributes have every field of the trace.

A span with `awesome.event.role: baker` is an event with `"role": "baker"`; `awesome.trace.*` are fields of the trace.
"""

from collections.abc import Iterator, Mapping, Sequence

from awesome_cli.traces.importers.foreign import Json, items, mapping, moment, objects, text
from awesome_cli.traces.importers.spans import TraceSpan
from awesome_cli.traces.reading import read_document

MARK = "awesome."
"""Prefix of attributes and span events that have no name in the GenAI conventions."""
FIELD, HEADER = MARK + "event.", MARK + "trace."
EDGES, INSTANT = MARK + "edges", MARK + "instant"
DEEP = 32
"""The limit of nesting; deeper values are neither read nor written."""
NATIVE: Mapping[str, Mapping[str, str]] = {
    "llm_call": {
        "model": "gen_ai.request.model",
        "tokens_in": "gen_ai.usage.input_tokens",
        "tokens_out": "gen_ai.usage.output_tokens",
        "tokens_cached": "gen_ai.usage.cache_read.input_tokens",
        "tokens_cache_write": "gen_ai.usage.cache_creation.input_tokens",
        "tokens_reasoning": "gen_ai.usage.reasoning.output_tokens",
    },
    "tool_call": {"tool": "gen_ai.tool.name", "call_id": "gen_ai.tool.call.id"},
}
"""The event fields that have a name in the conventions. Every other field is `awesome.event.<field>`."""
OPERATIONS = {"chat": "llm_call", "execute_tool": "tool_call"}
UNDATED = 1_000_000_000_000_000
"""The start of a trace without a date, in microseconds since 1970: 2001-09-09T01:46:40Z."""
LATEST = 9_000_000_000_000_000
"""Later times, in microseconds since 1970, overflow the 64 bits of OTLP's nanoseconds."""


def origin(header: Mapping[str, object]) -> int:
    """Return time 0 of a trace, in microseconds since 1970."""
    began = moment(mapping(header.get("provenance")).get("started_at"))
    return began if began is not None and UNDATED < began < LATEST else UNDATED


def micros_per_unit(header: Mapping[str, object]) -> float:
    """Return the microseconds per time unit of a trace. A step counts as a millisecond, an unknown unit as a second."""
    return {"ms": 1e3, "us": 1, "ns": 1e-3, "step": 1e3}.get(text(header.get("time_unit")), 1e6)


def trace_of(spans: Sequence[TraceSpan], *, with_content: bool, provenance: Json) -> Json | None:
    """Return the trace that was exported as these spans; None for other spans, or if spans are missing."""
    header = next(filter(None, (_fields(span.attributes, HEADER) for span in spans)), None)
    if header is None:
        return None
    begin, scale = origin(header), micros_per_unit(header)
    placed = sorted((row for span in spans for row in _events(span)), key=lambda row: row[0])
    events, edges = [], []
    for start, end, kind, attributes in placed:
        event = {"t": (start - begin) / scale, "type": kind}
        if end is not None:
            event["t_end"] = (end - begin) / scale
        native = {field: attributes[key] for field, key in NATIVE.get(kind, {}).items() if key in attributes}
        event |= native | _fields(attributes, FIELD)
        if not with_content:
            event.pop("content", None)
        events.append(event)
        edges += [{"src": event.get("id"), **edge} for edge in objects(items(attributes.get(EDGES)))]
    trace: Json = header | {"events": events, "edges": edges}
    if "schema_version" in header:
        trace["provenance"] = mapping(header.get("provenance")) | {"read_from": provenance}
    return trace if read_document(trace).trace is not None else None


def _fields(attributes: Mapping[str, object], prefix: str) -> Json:
    return {key.removeprefix(prefix): value for key, value in attributes.items() if key.startswith(prefix)}


def _events(span: TraceSpan) -> Iterator[tuple[int, int | None, str, Mapping[str, object]]]:
    """Yield the events of a span and of its span events: start, end (None for an instant), type and attributes."""
    kind = OPERATIONS.get(text(span.attributes.get("gen_ai.operation.name")))
    if kind is not None:
        yield span.start, None if INSTANT in span.attributes else span.end, kind, span.attributes
    for name, at, attributes in span.marks:
        yield at, None, name.removeprefix(MARK), attributes
