"""What span attributes mean: OpenTelemetry GenAI, OpenInference, and Traceloop with AgentOps."""

from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.traces.importers.foreign import amount, count, text, tokens_of_whole
from awesome_cli.traces.importers.spans import RawSpan, SpanKind, TraceSpan

OPENINFERENCE = "openinference.span.kind"
OPERATION = "gen_ai.operation.name"
TRACELOOP = ("agentops.span.kind", "traceloop.span.kind")
HANDOFF = "handoff to "

GENAI_KINDS: Mapping[str, SpanKind] = {
    "chat": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "completion": "llm",
    "execute_tool": "tool",
    "embeddings": "tool",
    "retrieval": "tool",
    "invoke_agent": "agent",
    "plan": "decision",
    # Registration and grouping are not acts of an agent.
    "create_agent": "other",
    "invoke_workflow": "other",
}
OPENINFERENCE_KINDS: Mapping[str, SpanKind] = {
    "LLM": "llm",
    "TOOL": "tool",
    "RETRIEVER": "tool",
    "RERANKER": "tool",
    "EMBEDDING": "tool",
    "GUARDRAIL": "guardrail",
}
TRACELOOP_KINDS: Mapping[str, SpanKind] = {"agent": "agent", "tool": "tool", "llm": "llm", "guardrail": "guardrail"}

ENTITY = ("traceloop.entity.name", "agentops.entity.name")
NAMES: Mapping[SpanKind, tuple[str, ...]] = {
    "agent": ("gen_ai.agent.name", "agent.name", "graph.node.id", "agent.role", *ENTITY),
    "tool": ("gen_ai.tool.name", "tool.name", *ENTITY),
}
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model")
TOKENS = {
    "prompt": ("gen_ai.usage.input_tokens", "llm.token_count.prompt", "gen_ai.usage.prompt_tokens"),
    "cached": (
        "gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read",
        "gen_ai.usage.cache_read_input_tokens",
    ),
    "cache_write": (
        "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_write.input_tokens",
        "llm.token_count.prompt_details.cache_write", "gen_ai.usage.cache_creation_input_tokens",
    ),
    "out": ("gen_ai.usage.output_tokens", "llm.token_count.completion", "gen_ai.usage.completion_tokens"),
    "reasoning": (
        "gen_ai.usage.reasoning.output_tokens", "llm.token_count.completion_details.reasoning",
        "gen_ai.usage.reasoning_tokens",
    ),
}  # fmt: skip
"""Tokens of a model call. By the GenAI conventions `input_tokens` includes the tokens read from and written to a cache,
and `output_tokens` those of reasoning; OpenInference's details are parts of its totals too."""
COSTS = ("gen_ai.usage.cost", "llm.cost.total", "gen_ai.usage.total_cost", "awesome.event.cost_usd")
PARTIAL_COSTS = ("gen_ai.usage.input_cost", "gen_ai.usage.output_cost", "llm.cost.prompt", "llm.cost.completion")
CALL_ID = ("gen_ai.tool.call.id", "tool.id", "tool_call.id")
CONTENT_IN = (
    "gen_ai.tool.call.arguments", "gen_ai.tool.args", "input.value", "traceloop.entity.input",
    "agentops.entity.input", "tool.parameters",
)  # fmt: skip
CONTENT_OUT = (
    "gen_ai.tool.call.result", "gen_ai.output.messages", "gen_ai.output", "output.value",
    "traceloop.entity.output", "agentops.entity.output", "gen_ai.completion",
)  # fmt: skip


def dialects_of(raws: Sequence[RawSpan]) -> str:
    """The dialects of a trace, joined by `+`; `plain` if there is none."""
    marks = {"openinference": (OPENINFERENCE,), "genai": (OPERATION,), "traceloop": TRACELOOP}
    found = [name for name, keys in marks.items() if any(key in raw.attributes for raw in raws for key in keys)]
    return "+".join(found) or "plain"


def read(raw: RawSpan, *, leaf: bool) -> TraceSpan:
    """One span; a `leaf` has no span below it."""
    found = raw.attributes
    kind = kind_of(raw, leaf=leaf)
    name = _first(found, NAMES.get(kind, ()))
    target = ""
    if kind == "handoff":
        target = raw.name[len(HANDOFF) :] or _first(found, ("output.value",))
    elif kind == "agent" and not name:
        name = raw.name.removeprefix("invoke_agent ")
    elif kind == "tool" and not name:
        name = raw.name.removeprefix("execute_tool ")
    cost = next((amount(found[key]) for key in COSTS if key in found), sum(amount(found.get(k)) for k in PARTIAL_COSTS))
    error_type = text(found.get("error.type") or found.get("exception.type"))
    return TraceSpan(
        id=raw.id,
        parent=raw.parent,
        kind=kind,
        name=name or raw.name,
        start=raw.start,
        end=raw.end,
        scope=raw.scope,
        agent_id=_first(found, ("gen_ai.agent.id", "agent.id")) if kind == "agent" else "",
        target=target,
        model=_first(found, MODEL),
        usage=_usage(found) | {"cost_usd": cost},
        call_id=_first(found, CALL_ID),
        status="error" if error_type else raw.status,
        error_type=error_type,
        # The values of a hand-off are the names of the two agents.
        content_in=None if kind == "handoff" else _any(found, CONTENT_IN),
        content_out=None if kind == "handoff" else _any(found, CONTENT_OUT),
    )


def kind_of(raw: RawSpan, *, leaf: bool) -> SpanKind:
    """What a span is. Of several dialects, the most exact one decides."""
    if OPENINFERENCE in raw.attributes:
        return _openinference_kind(raw)
    if OPERATION in raw.attributes:
        operation = text(raw.attributes[OPERATION])
        kind = "other" if operation == "plan" and not leaf else GENAI_KINDS.get(operation)
    else:
        kind = _traceloop_kind(raw.attributes)
    return kind or _plain_kind(raw.attributes, leaf=leaf)


def _openinference_kind(raw: RawSpan) -> SpanKind:
    found = raw.attributes
    mark = text(found[OPENINFERENCE]).upper()
    if mark == "TOOL" and raw.name.casefold().startswith(HANDOFF):
        return "handoff"
    if mark == "AGENT":
        # Instrumentations mark everything as an agent that has "agent" in its name; real agents have a name attribute.
        named = found.get("agent.name") or found.get("graph.node.id") or raw.name == "AgentExecutor"
        return "agent" if named else "other"
    return OPENINFERENCE_KINDS.get(mark, "other")


def _traceloop_kind(found: Mapping[str, object]) -> SpanKind | None:
    mark = next((text(found[key]) for key in TRACELOOP if key in found), "").casefold()
    if mark:
        return TRACELOOP_KINDS.get(mark, "other")
    return "tool" if "gen_ai.tool.name" in found else None


def _plain_kind(found: Mapping[str, object], *, leaf: bool) -> SpanKind:
    """Without a known mark, a span with tokens and a model and no span below it is a model call."""
    used = _number(found, TOKENS["prompt"]) + _number(found, TOKENS["out"])
    return "llm" if leaf and used and _first(found, MODEL) else "other"


def _usage(found: Mapping[str, object]) -> dict[str, Any]:
    return tokens_of_whole(**{key: _number(found, keys) for key, keys in TOKENS.items()})


def _first(found: Mapping[str, object], keys: Sequence[str]) -> str:
    return next((name for key in keys if (name := text(found.get(key)))), "")


def _number(found: Mapping[str, object], keys: Sequence[str]) -> int:
    return next((count(found[key]) for key in keys if key in found), 0)


def _any(found: Mapping[str, object], keys: Sequence[str]) -> object:
    return next((found[key] for key in keys if found.get(key) not in (None, "")), None)
