"""OpenAI Agents SDK: one line per finished span (`object: trace|trace.span`), children before their parents."""

from collections import defaultdict
from collections.abc import Iterator

from awesome_cli.traces.importers.foreign import Json, mapping, moment, reach, text, tokens_of_whole
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.spans import SpanKind, TraceSpan, traces_of

KINDS: dict[str, SpanKind] = {
    "agent": "agent", "generation": "llm", "response": "llm", "function": "tool", "handoff": "handoff",
    "guardrail": "guardrail",
}  # fmt: skip
# Types of errors by a part of the SDK's message. Other messages may quote a prompt and are not kept.
ERRORS = {"max turns": "max_turns", "guardrail": "guardrail_tripwire", "running tool": "tool_error"}


def detect(log: LogFile) -> bool:
    """Return True if a line has `object: trace.span` and span data."""
    return any(line.get("object") == "trace.span" and isinstance(line.get("span_data"), dict) for line in log.head)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per `trace_id`. Only tokens of model calls count; spans of tasks, turns and agents repeat them."""
    log = run.main
    headers: dict[str, Json] = defaultdict(dict)
    spans: dict[str, list[TraceSpan]] = defaultdict(list)
    for line in log.records():
        if line.get("object") == "trace":
            headers[text(line.get("id"))] = line
        elif line.get("object") == "trace.span" and (span := read_span(line)) is not None:
            spans[text(line.get("trace_id"))].append(span)
    for trace_id, trace_spans in spans.items():
        name = text(headers[trace_id].get("workflow_name")) or "workflow"
        group = text(headers[trace_id].get("group_id"))
        yield from traces_of(
            trace_spans, log, FORMAT.name, with_content=with_content, fallback=name, trace_id=trace_id, task_id=name,
            system="OpenAI Agents SDK", rollout={"group_id": group} if group else {},
        )  # fmt: skip


def read_span(line: Json) -> TraceSpan | None:
    """Return the span of a line; None if the line has no id or no start."""
    data = mapping(line.get("span_data"))
    start, end = moment(line.get("started_at")), moment(line.get("ended_at"))
    if start is None or not text(line.get("id")):
        return None
    usage = mapping(data.get("usage") or reach(data, "response", "usage"))
    failed = bool(line.get("error")) or data.get("triggered") is True
    words = text(reach(line, "error", "message")).casefold()
    return TraceSpan(
        id=text(line.get("id")),
        parent=text(line.get("parent_id")),
        kind=KINDS.get(text(data.get("type")), "other"),
        name=text(data.get("name") or data.get("from_agent")),
        start=start,
        end=start if end is None else max(start, end),
        target=text(data.get("to_agent")),
        model=text(data.get("model") or reach(data, "response", "model")),
        usage=tokens_of_whole(
            prompt=usage.get("input_tokens") or usage.get("prompt_tokens"),
            cached=reach(usage, "input_tokens_details", "cached_tokens"),
            out=usage.get("output_tokens") or usage.get("completion_tokens"),
            reasoning=reach(usage, "output_tokens_details", "reasoning_tokens"),
        ),
        status="error" if failed else "ok" if end is not None else "",
        error_type=next((kind for part, kind in ERRORS.items() if part in words), "error" if words else ""),
        content_in=data.get("input"),
        content_out=data.get("output"),
    )


FORMAT = TraceFormat(
    "openai-agents-sdk", detect, convert, keys=(),
    reads="spans of the tracing exporter, one per line",
    spawns="an agent span below a function span; a hand-off delegates and passes control",
    inferred="aggregation, stop", lost="turn, task and other custom spans",
)  # fmt: skip
