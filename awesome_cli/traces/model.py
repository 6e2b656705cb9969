"""A trace: the temporal interaction graph of one multi-agent run, as frozen values.

Fields that every step needs are slots. All others stay in `Event.data`, the JSON object as it was written: so 100,000
events take a few tens of megabytes, and no field of a producer is lost.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, cast

from msgspec import Struct

MOST_LINES = 10_000_000
"""So many lines of one file are read."""
TRACE = 250_000_000
"""One trace, or one line, has at most so many bytes."""
UNPACKED = 1_000_000_000
"""So many bytes are read of standard input, of what a gzip file holds, and of a row group of Parquet."""
EVENT_TYPES_1 = (
    "orchestrator_decision", "spawn", "despawn", "message", "tool_call", "tool_result", "return", "aggregate",
    "human_intervention", "safety_event",
)  # fmt: skip
EVENT_TYPES = (*EVENT_TYPES_1, "delegate", "stop", "llm_call", "reward")
EDGE_TYPES_1 = ("temporal", "causal", "spawn", "message", "tool_dependency", "return", "aggregate", "safety_flow")
EDGE_TYPES = (*EDGE_TYPES_1, "delegate", "data")
TOPOLOGIES = (
    "centralized", "planner_executor_critic", "debate", "swarm", "hierarchical", "harness", "mixed",
    "unknown",
)  # fmt: skip
SECONDS: Mapping[str, float] = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
TIME_UNITS = (*SECONDS, "step")
STOP_REASONS = ("answered", "budget", "timeout", "error", "cancelled", "no_progress", "human", "handoff", "unspecified")
STATUSES = ("ok", "error", "timeout", "cancelled")
TOKENS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_cache_write", "tokens_reasoning")
"""The counts of a model call: whole prompt and answer, then parts: two of the prompt, one of the answer."""
UNRECORDED = ("stop", "return", "delivery", "result", "duration", "usage", "work")
"""Words of `provenance.unrecorded`: the format of the run cannot record it, so its absence says nothing."""
ROLLOUT = ("group_id", "sample", "policy_version", "seed", "train_step")
"""The place of a run in training."""
FAILED = frozenset({"error", "timeout"})

Version = Literal[1, 2]
T = TypeVar("T")


class Event(Struct, frozen=True, gc=False):
    """One event. `index` is its place in the file's array, so `/events/<index>` is its JSON pointer.

    `start` is the field `t`, `end` is `t_end` (for an instant `t`, and never before `start`), in the trace's time unit.
    `data` is the whole JSON object; frequent fields are also attributes, `None` if absent. A tool call and its result
    share a `call_id`; `tokens` are the numbers of tokens in and out.
    """

    index: int
    id: str
    type: str
    agent: str
    start: float
    end: float
    to: str | None
    data: Mapping[str, Any]
    tool: str | None = None
    call_id: str | None = None
    status: str | None = None
    inputs: Sequence[str] | None = None
    task_ref: str | None = None
    tokens: int | None = None

    @property
    def pointer(self) -> str:
        return f"/events/{self.index}"

    @property
    def inferred(self) -> bool:
        """True if an importer added the event to fill a gap of the source format."""
        return self.data.get("inferred") is True


class Edge(Struct, frozen=True, gc=False):
    """A declared edge between two events, by their ids; its JSON pointer is `/edges/<index>`."""

    index: int
    src: str
    dst: str
    type: str
    inferred: bool = False

    @property
    def pointer(self) -> str:
        return f"/edges/{self.index}"


class HeaderMember(Generic[T]):
    """Read-only access to a header field that is an object with values of one type; empty if the field is absent."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, trace: "Trace | None", _: object = None) -> Mapping[str, T]:
        return cast("Mapping[str, T]", trace.header.get(self.name, {})) if trace is not None else {}


@dataclass(frozen=True)
class Trace:
    """A trace that the schema accepts; the rules decide whether it is consistent.

    `header` holds every top-level field but `events` and `edges`, as written. The trace was read from `path`, for JSON
    Lines from `line` (from 1).
    """

    version: Version
    trace_id: str
    task_id: str
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]
    header: Mapping[str, Any]
    path: str = "-"
    line: int = 1

    rewards = HeaderMember[float]("rewards")
    """One number per reward channel."""
    costs = HeaderMember[float]("costs")
    """At least `tokens` and `wall_clock_s`."""
    declared_metrics = HeaderMember[float]("metrics")
    """The metrics that the producer states."""
    agents = HeaderMember[Mapping[str, Any]]("agents")
    """Declared agents by id: `kind`, `role`, `model`, `privileges`."""
    tools = HeaderMember[Mapping[str, Any]]("tools")
    """Declared tools by name: `privileged`, `side_effect`, `output_trusted`."""
    rollout = HeaderMember[Any]("rollout")
    """The place of the run in training: `group_id`, `sample`, `policy_version`, `seed`, `train_step`."""
    baseline = HeaderMember[float]("baseline")
    """The single-agent run to compare with: `turns`, `tokens`, `success`, `errors`."""
    provenance = HeaderMember[Any]("provenance")
    """The importer that made the trace, its file, and what was lost."""

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of all fields that occur in events, to skip searches for absent fields."""
        return frozenset[str]().union(*{tuple(event.data) for event in self.events})

    @property
    def names(self) -> frozenset[str]:
        """All agents and others that are declared, act or are addressed."""
        acting = {event.agent for event in self.events} | {event.to for event in self.events if event.to is not None}
        return frozenset(acting.union(self.agents, self.header.get("root_agents", ())))

    @property
    def unrecorded(self) -> Collection[str]:
        """The words of `UNRECORDED` that apply: facts that the run's format cannot record."""
        words = self.provenance.get("unrecorded") if self.version == 2 else ("stop",)
        return words if isinstance(words, list | tuple) else ()

    @property
    def fingerprint(self) -> tuple[str, int]:
        """A key that copies of a run share: its id, and a hash of the ids and times of its events."""
        events = self.events
        return self.trace_id, hash((tuple([event.id for event in events]), tuple([event.start for event in events])))

    def identity(self) -> dict[str, Any]:
        """The fields that identify the trace in JSON."""
        return {"path": self.path, "line": self.line, "trace_id": self.trace_id}

    @property
    def time_unit(self) -> str | None:
        """The time unit: `s`, `ms`, `us`, `ns`, `step`, or `None` if unknown (as in v1)."""
        return self.header.get("time_unit")

    @property
    def seconds(self) -> float | None:
        """Seconds per time unit; `None` if the unit is a step or unknown."""
        return SECONDS.get(self.time_unit) if self.time_unit else None

    @property
    def no_seconds(self) -> str:
        return f"the time unit is {self.time_unit!r}, not a time" if self.time_unit else "the trace has no time_unit"
