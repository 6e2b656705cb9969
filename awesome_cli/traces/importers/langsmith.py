"""LangSmith runs: a list, an export with `runs`, or JSON Lines.

`{"run_type": "llm", "id": "m1", "parent_run_id": "r", "trace_id": "r", …}` is a model call of the agent of run `r`.
"""

from collections.abc import Iterable, Iterator

from awesome_cli.traces.importers.foreign import Json, amount, grouped, langchain_usage, moment, objects, reach, text
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.spans import SpanKind, TraceSpan, traces_of

KINDS: dict[str, SpanKind] = {"llm": "llm", "tool": "tool", "retriever": "tool", "embedding": "tool"}
AGENT_MARKS = ("ls_agent_type", "lc_agent_name", "langgraph_node")
"""Metadata keys that mark agents, the most exact first. The first key that occurs in a trace marks all its agents."""


def detect(log: LogFile) -> bool:
    """Return True if an object has a `run_type`, and a `trace_id` or a `dotted_order`."""
    return any("run_type" in run and ("trace_id" in run or "dotted_order" in run) for run in _runs(log.head))


def convert(source: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per `trace_id`. Only tokens of model runs count; parent runs repeat them."""
    log = source.main
    for trace_id, runs in grouped(_runs(log.records()), _trace_id).items():
        mark = next((key for key in AGENT_MARKS if any(_metadata(run, key) for run in runs)), "")
        callers = {text(run.get("parent_run_id")) for run in runs}
        spans = [span for run in runs if (span := _span(run, mark, leaf=text(run.get("id")) not in callers))]
        name = min(spans, key=lambda span: (span.start, -span.end, span.id)).name if spans else ""
        yield from traces_of(
            spans, log, FORMAT.name, with_content=with_content, fallback=name or "workflow",
            trace_id=trace_id, task_id=name, system="LangSmith",
        )  # fmt: skip


def _runs(records: Iterable[Json]) -> Iterator[Json]:
    for record in records:
        yield from objects(record.get("runs")) or [record]


def _trace_id(run: Json) -> str:
    return text(run.get("trace_id")) or text(run.get("dotted_order")).partition(".")[0]


def _metadata(run: Json, key: str) -> str:
    return text(reach(run, "extra", "metadata", key))


def _span(run: Json, mark: str, *, leaf: bool) -> TraceSpan | None:
    """Convert a run to a span; None if the run has no id or no start."""
    start, end = moment(run.get("start_time")), moment(run.get("end_time"))
    if start is None or not text(run.get("id")):
        return None
    kind = KINDS.get(text(run.get("run_type")), "other")
    name, agent_id = text(run.get("name")), ""
    if kind == "other" and _is_agent(run, mark, leaf=leaf):
        kind = "agent"
        # A node of a graph is one agent, however often it runs.
        agent_id = _metadata(run, {"ls_agent_type": "ls_agent_id", "langgraph_node": mark}.get(mark, ""))
        name = _metadata(run, "lc_agent_name") or name
    used: Json = {
        "input_tokens": run.get("prompt_tokens") or run.get("input_tokens"),
        "input_token_details": run.get("prompt_token_details"),
        "output_tokens": run.get("completion_tokens") or run.get("output_tokens"),
        "output_token_details": run.get("completion_token_details"),
    }
    usage = langchain_usage(run.get("outputs"), used) | {"cost_usd": amount(run.get("total_cost"))}
    error = text(run.get("error"))
    # The exception's name stands before its message, which may quote a prompt.
    exception = error.partition("(")[0].partition(":")[0].strip()
    return TraceSpan(
        id=text(run.get("id")),
        parent=text(run.get("parent_run_id")),
        kind=kind,
        name=name,
        start=start,
        end=max(start, end or start),
        agent_id=agent_id,
        model=_metadata(run, "ls_model_name"),
        usage=usage if kind == "llm" else {},
        status="error" if error else "ok" if run.get("status") == "success" else "",
        error_type=exception if exception.isidentifier() else "error" if error else "",
        content_in=run.get("inputs") or None,
        content_out=run.get("outputs") or None,
    )


def _is_agent(run: Json, mark: str, *, leaf: bool) -> bool:
    """True for a run with an agent type, a run with the name of an agent, or a node of a graph with runs below it."""
    value = _metadata(run, mark)
    if mark == "ls_agent_type" or not value:
        return bool(value)
    return value == text(run.get("name")) and (mark == "lc_agent_name" or not leaf)


FORMAT = TraceFormat(
    "langsmith", detect, convert, keys=("run_type", "dotted_order"),
    reads="runs as a list, an export or JSON Lines",
    spawns="`ls_agent_type`, else runs named by their `lc_agent_name`, else one agent per `langgraph_node`",
    inferred="aggregation, stop", lost="runs that are neither agent, model nor tool",
)  # fmt: skip
