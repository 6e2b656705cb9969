"""The fields of traces, events and edges in v1 and v2: which are known or required, and which values are valid."""

from collections.abc import Collection, Mapping

from awesome_cli.traces import model
from awesome_cli.traces import validators as valid
from awesome_cli.traces.validators import Validator

NUMBERS = valid.table_of(valid.number)
EVENT_1: Mapping[str, Validator] = {
    "t": valid.amount,
    "type": valid.one_of(model.EVENT_TYPES_1),
    "trusted": valid.flag,
    **dict.fromkeys(("id", "agent"), valid.name),
    **dict.fromkeys(("role", "from", "to", "tool", "content_ref"), valid.text),
}
EVENT_2: Mapping[str, Validator] = {
    **EVENT_1,
    "type": valid.one_of(model.EVENT_TYPES),
    "mode": valid.one_of(("return_to_caller", "pass_control")),
    "scope": valid.one_of(("trace", "agent")),
    "reason": valid.one_of(model.STOP_REASONS),
    "status": valid.one_of(model.STATUSES),
    "delivery": valid.one_of(("next_event", "explicit")),
    "content_hash": valid.matching(r"[a-z0-9]+:[0-9a-f]{8,128}", "sha256:0123abcd"),
    "inputs": valid.names,
    "reward": NUMBERS,
    **dict.fromkeys(("call_id", "task_ref", "subtask", "parent"), valid.name),
    **dict.fromkeys(("model", "error_type", "source", "purpose"), valid.text),
    **dict.fromkeys(("t_end", "cost_usd"), valid.amount),
    **dict.fromkeys(("seq", "steps", "attempts", *model.TOKENS), valid.natural),
    **dict.fromkeys(("correct", "sanitized", "inferred", "tokens_partial", "waits"), valid.flag),
}
EVENT_REQUIRED = ("id", "t", "type", "agent")
REQUIRED_BY_TYPE: Mapping[str, str] = {
    "delegate": "to",
    "stop": "reason",
    "reward": "reward",
}
EDGE_1: Mapping[str, Validator] = {"src": valid.name, "dst": valid.name, "type": valid.one_of(model.EDGE_TYPES_1)}
EDGE_2: Mapping[str, Validator] = {**EDGE_1, "type": valid.one_of(model.EDGE_TYPES), "inferred": valid.flag}
EDGE_REQUIRED = ("src", "dst", "type")
AGENT: Mapping[str, Validator] = {
    "kind": valid.one_of(("llm", "tool", "human", "environment")),
    "privileges": valid.texts,
    **dict.fromkeys(("role", "model"), valid.text),
}
TOOL: Mapping[str, Validator] = dict.fromkeys(("privileged", "side_effect", "output_trusted"), valid.flag)
TRACE_1: Mapping[str, Validator] = {
    "system": valid.text,
    "topology": valid.one_of(model.TOPOLOGIES),
    "costs": valid.costs(valid.number),
    **dict.fromkeys(("trace_id", "task_id"), valid.name),
    **dict.fromkeys(("rewards", "metrics"), NUMBERS),
}
TRACE_2: Mapping[str, Validator] = {
    **TRACE_1,
    "costs": valid.costs(valid.amount),
    "schema_version": valid.matching(r"2\.[0-9]+", "2.0"),
    "time_unit": valid.one_of(model.TIME_UNITS),
    "root_agents": valid.names,
    "agents": valid.table_of(valid.object_of(AGENT)),
    "tools": valid.table_of(valid.object_of(TOOL)),
    "baseline": NUMBERS,
    "answer_available_at": valid.amount,
    **dict.fromkeys(("rollout", "provenance", "annotations"), valid.mapping),
}
OBJECTS: Mapping[str, Collection[str]] = {
    "rollout": model.ROLLOUT,
    "baseline": ("turns", "tokens", "success", "errors"),
    "costs": ("tokens", "wall_clock_s", "tool_calls", "messages", "cost_usd"),
    "provenance": (
        "format", "version", "importer", "file", "file_sha256", "companions", "started_at", "lossy", "unrecorded",
        "inferred",
    ),
}  # fmt: skip
"""The known members of open objects at the top level."""
TABLES: Mapping[str, Collection[str]] = {"agents": AGENT, "tools": TOOL}
"""The known members of the open objects in a table, by the table's name."""
TRACE_REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
TRACE_FIELDS: Mapping[model.Version, Mapping[str, Validator]] = {1: TRACE_1, 2: TRACE_2}
