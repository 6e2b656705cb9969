"""Exports of a trace: OpenTelemetry spans, and Chrome trace events for Perfetto.

Each export returns a text and the losses: descriptions of the parts that the format cannot express.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from awesome_cli import __version__
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.inert import to_json
from awesome_cli.traces.importers import exported
from awesome_cli.traces.model import FAILED, Event, Trace
from awesome_cli.traces.order import by_time
from awesome_cli.traces.state import find_non_agents
from awesome_cli.traces.views.timeline import Timeline, timeline

INTERNAL, CLIENT, ERROR = 1, 3, 2
INT64 = 2**63
Span = dict[str, Any]


def to_otel(trace: Trace) -> tuple[str, tuple[str, ...]]:
    """Return the trace as an OTLP/JSON document, and descriptions of the parts that OTLP cannot express."""
    spans = _SpanWriter(trace)
    return to_json(spans.document(), indent=1) + "\n", spans.lost()


class _SpanWriter:
    """A writer of OpenTelemetry spans. Span ids are hashes, so the same trace always gets the same ids."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.trace_id = hashlib.sha256(trace.trace_id.encode("utf-8", "replace")).hexdigest()[:32]
        self.origin = exported.origin(trace.header)
        self.scale = exported.micros_per_unit(trace.header)
        self.spans: list[Span] = []
        self.calls: dict[str, Span] = {}
        self.left_out: Counter[str] = Counter()
        self.edges = group_pairs(
            (e.src, {"dst": e.dst, "type": e.type} | ({"inferred": True} if e.inferred else {})) for e in trace.edges
        )

    def document(self) -> dict[str, Any]:
        """Return the run as a tree of spans: the workflow contains tasks of agents, and a task contains calls.

        Events of people and environments belong to the workflow. A tool's result belongs to the task with the call.
        If an agent acts after its return, the events belong to its last task. A task that an agent passes on has the
        same parent span as the agent's own task.
        """
        name = self.trace.header.get("system") or self.trace.task_id
        workflow = self._span(f"invoke_workflow {name}", INTERNAL, "", {
            "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": name,
            **self._named(exported.HEADER, self.trace.header),
        })  # fmt: skip
        self._cover(workflow, self.trace.events)
        outsiders = find_non_agents(self.trace)
        current: dict[str, Span] = {}
        callers: dict[str, Span] = {}
        returned: set[str] = set()
        for event in (self.trace.events[i] for i in by_time(self.trace.events)):
            span = callers.get(event.call_id or "") if event.type == "tool_result" else None
            if span is None and event.agent not in outsiders:
                if event.agent not in current:
                    current[event.agent] = self._task(event.agent, workflow["spanId"], event)
                span = current[event.agent]
            self._event(event, span or workflow)
            if event.type in {"spawn", "delegate"} and event.to:
                if event.to not in current or current[event.to]["spanId"] in returned:
                    above = "parentSpanId" if span and event.data.get("mode") == "pass_control" else "spanId"
                    current[event.to] = self._task(event.to, (span or workflow)[above], event)
            elif span is not None and event.type == "tool_call" and event.call_id:
                callers.setdefault(event.call_id, span)
            elif span is not None and event.type == "return" and span["spanId"] not in returned:
                returned.add(span["spanId"])
                self._mark_failure(span, event)
        scope = {"name": "awesome", "version": __version__}
        service = {"attributes": [{"key": "service.name", "value": {"stringValue": name}}]}
        return {"resourceSpans": [{"resource": service, "scopeSpans": [{"scope": scope, "spans": self.spans}]}]}

    def lost(self) -> tuple[str, ...]:
        """Describe the lost data: field values that OTLP cannot hold, and edges whose source event is missing."""
        dangling = sum(map(len, self.edges.values()))
        edges = (f"edges from events that are not there: {dangling}",) if dangling else ()
        fields = (f"values nested too deeply or beyond 64 bits, in {key}: {n}" for key, n in self.left_out.items())
        return (*edges, *fields)

    def _task(self, agent: str, parent: str, first: Event) -> Span:
        attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent, "gen_ai.agent.id": agent}
        if model := self.trace.agents.get(agent, {}).get("model"):
            attributes["gen_ai.request.model"] = model
        span = self._span(f"invoke_agent {agent}", INTERNAL, parent, attributes)
        self._cover(span, [first])
        return span

    def _event(self, event: Event, holder: Span) -> None:
        """Write a call as a span below `holder`, and any other event as a span event of `holder` or of its call."""
        self._cover(holder, [event])
        native = {
            key: value
            for field, key in exported.NATIVE.get(event.type, {}).items()
            if isinstance(value := event.data.get(field), str) or (type(value) is int and abs(value) < INT64)
        }
        if event.type == "llm_call":
            name = f"chat {model}" if (model := event.data.get("model")) else "chat"
            span = self._span(name, CLIENT, holder["spanId"], native | {"gen_ai.operation.name": "chat"})
        elif event.type == "tool_call":
            name, operation = f"execute_tool {event.tool or 'unnamed'}", {"gen_ai.operation.name": "execute_tool"}
            span = self._span(name, INTERNAL, holder["spanId"], native | operation)
            self.calls.setdefault(event.call_id or "", span)
        else:
            call = self.calls.get(event.call_id or "") if event.type == "tool_result" else None
            if call is not None:
                self._cover(call, [event])
                self._mark_failure(call, event)
            about = self._about(event, {})
            mark = {"name": exported.MARK + event.type, "timeUnixNano": self._nanos(event.start), "attributes": about}
            (call or holder)["events"].append(mark)
            return
        self._cover(span, [event])
        self._mark_failure(span, event)
        span["attributes"] += self._about(event, native)
        if "t_end" not in event.data:
            span["attributes"] += _pairs({exported.INSTANT: True})

    def _about(self, event: Event, native: Mapping[str, object]) -> list[dict[str, Any]]:
        """Return the fields of an event that are not in `native` as attributes."""
        covered = {field for field, key in exported.NATIVE.get(event.type, {}).items() if key in native}
        # The span of a tool call may end with its result, after the call's own end.
        ends = event.type == "llm_call" and self._exact(event.end) and event.data.get("t_end") == event.end
        covered |= {"type"} | ({"t"} if self._exact(event.start) else set()) | ({"t_end"} if ends else set())
        fields = self._named(exported.FIELD, {k: v for k, v in event.data.items() if k not in covered})
        edges = self.edges.pop(event.id, None)
        return _pairs(fields | ({exported.EDGES: _boxed(edges, exported.DEEP)} if edges else {}))

    def _named(self, prefix: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields as boxed attributes, and count the fields that OTLP cannot hold in `left_out`."""
        attributes = {}
        for key, value in fields.items():
            try:
                attributes[prefix + key] = _boxed(value, exported.DEEP)
            except ValueError:
                self.left_out[key] += 1
        return attributes

    def _span(self, name: str, kind: int, parent: str, attributes: Mapping[str, Any]) -> Span:
        span_id = hashlib.sha256(f"{self.trace.trace_id}/{len(self.spans)}".encode("utf-8", "replace")).hexdigest()[:16]
        span = {
            "traceId": self.trace_id, "spanId": span_id, "parentSpanId": parent, "name": name, "kind": kind,
            "startTimeUnixNano": "", "endTimeUnixNano": "",
            "attributes": _pairs(attributes), "events": [], "status": {},
        }  # fmt: skip
        self.spans.append(span)
        return span

    def _cover(self, span: Span, events: Iterable[Event]) -> None:
        times = [self._nanos(t) for event in events for t in (event.start, event.end)]
        known = [span[key] for key in ("startTimeUnixNano", "endTimeUnixNano") if span[key]]
        # All times have 19 digits, so they sort as text.
        span["startTimeUnixNano"], span["endTimeUnixNano"] = min(times + known[:1]), max(times + known[1:])

    def _micros(self, t: float) -> int:
        return round(min(t * self.scale, exported.LATEST - self.origin))

    def _nanos(self, t: float) -> str:
        return str((self.origin + self._micros(t)) * 1000)

    def _exact(self, t: float) -> bool:
        """True if the time is a whole number of microseconds."""
        return self._micros(t) / self.scale == t

    def _mark_failure(self, span: Span, event: Event) -> None:
        error = event.data.get("error_type")
        if event.status in FAILED or error:
            span["status"] = {"code": ERROR}
            span["attributes"] += _pairs({"error.type": str(error or event.status)})


def _pairs(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": value if isinstance(value, dict) else _boxed(value, exported.DEEP)}
        for key, value in attributes.items()
    ]


def _boxed(value: Any, deep: int) -> dict[str, Any]:
    """Return a JSON value as OTLP's `AnyValue`; raise `ValueError` beyond `deep` levels of nesting or 64 bits."""
    match value:
        case None:
            return {}
        case str():
            return {"stringValue": value}
        case bool():
            return {"boolValue": value}
        case int() if -INT64 <= value < INT64:
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | tuple() if deep:
            return {"arrayValue": {"values": [_boxed(item, deep - 1) for item in value]}}
        case dict() if deep:
            pairs = [{"key": key, "value": _boxed(item, deep - 1)} for key, item in value.items()]
            return {"kvlistValue": {"values": pairs}}
    raise ValueError("OTLP cannot hold this value")


# A trace without a clock is drawn one millisecond per step.
STEP_US = 1000.0
LAST_US = 2**53
"""The maximum time in microseconds. Later times are set to it, because a double cannot distinguish them."""
ARGUMENTS = ("status", "reason", "role", "model", "tokens_in", "tokens_out", "call_id", "inferred")


@dataclass(eq=False)
class Thread:
    """A thread that shows an agent. Its last slice over 1 µs ends at `busy`; the next slice can begin at `free`."""

    name: str
    busy: int = 0
    free: int = 0


Slice = tuple[Thread, int, int]
"""An event drawn on a thread: the begin and the end of a half-open interval, in microseconds."""


def to_chrome(trace: Trace) -> tuple[str, tuple[str, ...]]:
    """Return the timeline as Chrome trace JSON, in whole microseconds, and descriptions of the lost parts."""
    view = timeline(trace)
    slices, threads = _slices(view)
    tids = {thread: tid for tid, thread in enumerate(threads, 1)}
    rows: list[dict[str, object]] = [{"ph": "M", "name": "process_name", "args": {"name": trace.trace_id}}]
    for thread, tid in tids.items():
        rows.append({"ph": "M", "tid": tid, "name": "thread_name", "args": {"name": thread.name}})
        rows.append({"ph": "M", "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}})
    for event, (thread, begin, end) in zip(view.order, slices, strict=True):
        args = {"id": event.id} | {key: event.data[key] for key in ARGUMENTS if key in event.data}
        row = {"ph": "X", "tid": tids[thread], "ts": begin, "dur": end - begin}
        to = f" → {event.to}" if event.to is not None else ""
        name = f"{event.type} {event.tool}" if event.tool else event.type
        rows.append(row | {"name": name + to, "cat": event.type, "args": args})
    back = 0
    for n, (u, v) in enumerate(view.arrows):
        (sender, sent, _), (receiver, received, _) = slices[u], slices[v]
        if sent > received:
            back += 1
            continue
        flow: dict[str, object] = {"name": view.order[u].type, "cat": "flow", "id": n}
        rows.append(flow | {"ph": "s", "tid": tids[sender], "ts": sent})
        rows.append(flow | {"ph": "f", "bp": "e", "tid": tids[receiver], "ts": received})
    events = [{"pid": 1} | row for row in rows]
    document = {"displayTimeUnit": "ms", "otherData": {"trace_id": trace.trace_id}, "traceEvents": events}
    lost = (f"arrows that lead back in time: {back}",) if back else ()
    return to_json(document, separators=(",", ":")) + "\n", lost


def _slices(view: Timeline) -> tuple[list[Slice], list[Thread]]:
    """Return the slice of every event, and the threads of all agents.

    Viewers attach an arrow to the innermost slice at the arrow's time, and drop an arrow without a slice. So an instant
    gets a slice of one microsecond, after other instants at the same time. No instant lies in the first microsecond of
    a longer slice. Longer slices that overlap go to additional threads of the same name.
    """
    seconds, first = view.trace.seconds, view.range[0]
    scale = seconds * 1e6 if seconds is not None else STEP_US
    sources = group_pairs((v, u) for u, v in view.arrows)
    lanes = {name: [Thread(name)] for name in view.names}
    slices: dict[int, Slice] = {}
    for k in sorted(range(len(view.order)), key=lambda k: view.order[k].start):
        event = view.order[k]
        threads = lanes[event.agent]
        start, end = (round(min((time - first) * scale, LAST_US)) for time in (event.start, event.end))
        longer = end - start > 1
        thread = next((each for each in threads if each.busy <= start), None) if longer else threads[0]
        if thread is None:
            thread = Thread(event.agent)
            threads.append(thread)
        begin = max([start, thread.free, *(slices[u][1] for u in sources.get(k, ()) if u in slices)])
        end = max(end, begin + 1)
        slices[k] = thread, begin, end
        thread.free = begin + 1
        if longer:
            thread.busy = end
    return [slices[k] for k in range(len(slices))], [*chain(*lanes.values())]


EXPORTS: Mapping[str, Callable[[Trace], tuple[str, tuple[str, ...]]]] = {"chrome": to_chrome, "otel": to_otel}
