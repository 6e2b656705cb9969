"""The fields of traces, events and edges in v1 and v2: which are known or required, and which values are valid."""

from collections.abc import Mapping

from awesome_cli.traces.model import (
    EDGE_TYPES,
    EDGE_TYPES_1,
    EVENT_TYPES,
    EVENT_TYPES_1,
    STATUSES,
    STOP_REASONS,
    TIME_UNITS,
    TOPOLOGIES,
    Version,
)
from awesome_cli.traces.validators import (
    Validator,
    amount,
    costs,
    flag,
    mapping,
    matching,
    name,
    names,
    natural,
    number,
    object_of,
    one_of,
    table_of,
    text,
    texts,
)

NUMBERS = table_of(number)
EVENT_1: Mapping[str, Validator] = {
    "id": name,
    "t": amount,
    "type": one_of(EVENT_TYPES_1),
    "agent": name,
    "role": text,
    "from": text,
    "to": text,
    "tool": text,
    "content_ref": text,
    "trusted": flag,
}
EVENT_2: Mapping[str, Validator] = {
    **EVENT_1,
    "type": one_of(EVENT_TYPES),
    "seq": natural,
    "t_end": amount,
    "call_id": name,
    "task_ref": name,
    "parent": name,
    "model": text,
    "mode": one_of(("return_to_caller", "pass_control")),
    "scope": one_of(("trace", "agent")),
    "reason": one_of(STOP_REASONS),
    "status": one_of(STATUSES),
    "error_type": text,
    "content_hash": matching(r"[a-z0-9]+:[0-9a-f]{8,128}", "sha256:0123abcd"),
    "inputs": names,
    "delivery": one_of(("next_event", "explicit")),
    "steps": natural,
    "tokens_in": natural,
    "tokens_out": natural,
    "tokens_cached": natural,
    "cost_usd": amount,
    "reward": NUMBERS,
    "correct": flag,
    "sanitized": flag,
    "inferred": flag,
}
EVENT_REQUIRED = ("id", "t", "type", "agent")
REQUIRED_BY_TYPE: Mapping[str, str] = {
    "spawn": "to",
    "delegate": "to",
    "tool_call": "tool",
    "tool_result": "call_id",
    "stop": "reason",
    "reward": "reward",
}
EDGE_1: Mapping[str, Validator] = {"src": name, "dst": name, "type": one_of(EDGE_TYPES_1)}
EDGE_2: Mapping[str, Validator] = {"src": name, "dst": name, "type": one_of(EDGE_TYPES), "inferred": flag}
EDGE_REQUIRED = ("src", "dst", "type")
TRACE_1: Mapping[str, Validator] = {
    "trace_id": name,
    "task_id": name,
    "system": text,
    "topology": one_of(TOPOLOGIES),
    "rewards": NUMBERS,
    "costs": costs(number),
    "metrics": NUMBERS,
}
TRACE_2: Mapping[str, Validator] = {
    **TRACE_1,
    "costs": costs(amount),
    "schema_version": matching(r"2\.[0-9]+", "2.0"),
    "time_unit": one_of(TIME_UNITS),
    "root_agents": names,
    "agents": table_of(
        object_of(
            {"kind": one_of(("llm", "tool", "human", "environment")), "role": text, "model": text, "privileges": texts}
        )
    ),
    "tools": table_of(object_of({"privileged": flag, "side_effect": flag, "output_trusted": flag})),
    "rollout": mapping,
    "baseline": NUMBERS,
    "provenance": mapping,
    "annotations": mapping,
    "answer_available_at": amount,
}
TRACE_REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
TRACE_FIELDS: Mapping[Version, Mapping[str, Validator]] = {1: TRACE_1, 2: TRACE_2}
