"""A trace as ATIF 1.7 (agent trajectory interchange format): a trajectory per task, inside that of its parent."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli import __version__
from awesome_cli.errors import AwesomeError
from awesome_cli.text.inert import to_json
from awesome_cli.text.numbers import counted
from awesome_cli.traces.exports.tasks import Task, tasks_of
from awesome_cli.traces.importers.atif import CARRIED
from awesome_cli.traces.importers.foreign import iso, moment
from awesome_cli.traces.model import Event, Trace

VERSION = "ATIF-v1.7"
METRICS = {
    "prompt_tokens": "tokens_in",
    "completion_tokens": "tokens_out",
    "cached_tokens": "tokens_cached",
    "cost_usd": "cost_usd",
}
MORE_METRICS = {"cache_creation_input_tokens": "tokens_cache_write", "reasoning_tokens": "tokens_reasoning"}
"""Counts that ATIF has no field for: `metrics.extra` holds them."""
STEPS = {"llm_call", "orchestrator_decision", "tool_call"}
KEPT = STEPS | {"tool_result", "spawn", "delegate", "return"}
HELD = {
    "id", "t", "t_end", "seq", "agent", "to", "inputs", "delivery", "tool", "call_id", "content", "model", "steps",
    *METRICS.values(), *MORE_METRICS.values(), *CARRIED,
}  # fmt: skip
"""The fields of these events that a document holds, or whose loss has words of its own."""
Json = dict[str, Any]


def to_atif(trace: Trace) -> tuple[str, tuple[str, ...]]:
    """The trace as one ATIF document, and what the format cannot express."""
    writer = _TrajectoryWriter(trace)
    if writer.is_empty():
        raise AwesomeError(
            f"{trace.path}: {trace.trace_id}: ATIF has no place for this run ({counted(len(trace.events), 'event')}): "
            "no agent calls a model, a tool or another agent",
            hint="awesome trace export otel",
        )
    return to_json(writer.document(), indent=1, allow_nan=False) + "\n", tuple(writer.lost())


class _TrajectoryWriter:
    """Makes a trajectory of every task."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.tasks, self.outside = tasks_of(trace)
        self.ids = {task: f"{trace.trace_id}/{n}" if n else trace.trace_id for n, task in enumerate(self.tasks)}
        self.begun = {id(task.begun): task for task in self.tasks if task.begun is not None}
        self.below: dict[Task, list[Task]] = defaultdict(list)
        started = moment(trace.provenance.get("started_at"))
        self.origin = started if started is not None and trace.seconds else None

    def is_empty(self) -> bool:
        """Whether no event of the trace has a place in a document."""
        given = any(task.begun or task.ended for task in self.tasks[1:])
        return not given and not any(event.type in STEPS for task in self.tasks for event in task.events)

    def document(self) -> Json:
        """The first task, with all others as its sub-agents."""
        first, *others = self.tasks
        # Tasks that no agent gave are said to be given by the first one: a document has one agent.
        adrift = [task for task in others if task.by is None]
        for task in others:
            self.below[task.by or first].append(task)
        document = self._trajectory(first, adrift) | {"session_id": self.trace.task_id}
        return document | {"final_metrics": self._totals()}

    def lost(self) -> Iterator[str]:
        """What a reader of the document does not get back."""
        yield "ends of events: a step has one time"
        yield "when returns were read, and the edges"
        ends = {id(task.ended) for task in self.tasks[1:]}
        kinds = Counter(e.type for e in self.trace.events if e.type not in KEPT and id(e) not in ends)
        yield from (f"{counted(n, f'{kind} event')} left out" for kind, n in sorted(kinds.items()))
        outside = sum(event.type in KEPT for event in self.outside)
        if outside:
            yield f"{counted(outside, 'event')} of people, tools or environments left out"
        alone = sum(task.by is None for task in self.tasks[1:])
        if alone:
            yield f"{counted(alone, 'task')} that no agent gave: written as given by {self.tasks[0].agent!r}"
        yield from self._lost_tasks(ends)
        again = sum(event.type in {"spawn", "delegate"} and id(event) not in self.begun for event in self.trace.events)
        if again:
            yield f"{counted(again, 'delegation')} to agents at work left out"
        gone = sorted({"rewards", "tools", "rollout", "baseline", "annotations", "metrics"} & self.trace.header.keys())
        kept = [name for name in gone if self.trace.header[name]]
        if kept:
            yield f"top-level fields: {', '.join(kept)}"

    def _lost_tasks(self, ends: set[int]) -> Iterator[str]:
        """What a call that refers to a trajectory does not say of the task, and results of no call."""
        first, events = self.tasks[0], self.trace.events
        if first.begun is not None:
            yield f"who started {first.agent!r}"
        returns = sum(event.type == "return" and id(event) not in ends for event in events)
        if returns:
            yield f"{counted(returns, 'return')} of the first task, or of a task that had returned"
        called = {event.call_id for event in events if event.type == "tool_call"}
        results = [event for event in events if event.type == "tool_result"]
        alone = sum(event.call_id not in called for event in results)
        if alone:
            yield f"{counted(alone, 'result')} of no tool call left out"
        said = sum(event.status is not None for event in results)
        if said:
            yield f"the status of {counted(said, 'tool result')}"
        fields = {key for e in events if e.type in KEPT for key in e.data.keys() - HELD}
        fields |= {key for e in events if e.type in STEPS for key in e.data.keys() & {"status", "error_type"}}
        if fields:
            yield f"fields of events: {', '.join(sorted(fields))}"
        idle = len(self.trace.agents.keys() - {task.agent for task in self.tasks} - {e.agent for e in self.outside})
        if idle:
            yield f"{counted(idle, 'agent')} without events"

    def _trajectory(self, task: Task, adrift: list[Task]) -> Json:
        about = self.trace.agents.get(task.agent, {})
        agent: Json = {"name": task.agent, "version": __version__, "extra": {"id": task.agent}}
        if about.get("model"):
            agent["model_name"] = about["model"]
        steps = _Steps(self)
        steps.add("user", task.begun or self.trace.events[0], message=_text(task.begun))
        for other in adrift:
            steps.hand_over(other.events[0] if other.events else self.trace.events[0], other)
        for event in task.events:
            steps.event(event)
        document = {
            "schema_version": VERSION,
            "trajectory_id": self.ids[task],
            "agent": agent,
            "steps": [{"step_id": n} | step for n, step in enumerate(steps.steps, 1)],
        }
        if task is not self.tasks[0]:
            document["extra"] = {"awesome": {"begun": _carried(task.begun), "ended": _carried(task.ended)}}
        below = [self._trajectory(child, []) for child in self.below[task]]
        return document | ({"subagent_trajectories": below} if below else {})

    def time(self, event: Event) -> Json:
        """The time of a step, where the trace has a date."""
        if self.origin is None:
            return {}
        return {"timestamp": iso(self.origin + round(event.start * (self.trace.seconds or 0) * 1e6))}

    def _totals(self) -> Json:
        calls = [event for event in self.trace.events if event.type == "llm_call"]
        names = {"total_prompt_tokens": "tokens_in", "total_completion_tokens": "tokens_out"}
        names |= {"total_cached_tokens": "tokens_cached", "total_cost_usd": "cost_usd"}
        sums = {name: sum(call.data.get(field, 0) for call in calls) for name, field in names.items()}
        return {name: n for name, n in sums.items() if n}


class _Steps:
    """The steps of one trajectory. Calls belong to the step of the model call before them."""

    def __init__(self, writer: _TrajectoryWriter) -> None:
        self.writer = writer
        self.steps: list[Json] = []
        self.calls: dict[str, Json] = {}

    def add(self, source: str, event: Event, **fields: Any) -> Json:
        step = self.writer.time(event) | {"source": source, "message": _text(event)} | fields
        self.steps.append(step)
        return step

    def event(self, event: Event) -> None:
        """Write one event; those without a place in the format are left out."""
        match event.type:
            case "llm_call":
                self._model(event)
            case "orchestrator_decision":
                self.add("agent", event, llm_call_count=0)
            case "tool_call":
                arguments = event.data.get("content")
                self._call(event, event.call_id or event.id, event.tool or "unnamed", arguments)
            case "tool_result" if event.call_id in self.calls:
                self._result(event.call_id, {"content": _text(event)})
            case "spawn" | "delegate" if (task := self.writer.begun.get(id(event))) is not None:
                self.hand_over(event, task)

    def hand_over(self, event: Event, task: Task) -> None:
        """A call that a sub-agent answers."""
        call = f"task/{self.writer.ids[task]}"
        role = self.writer.trace.agents.get(task.agent, {}).get("role")
        self._call(event, call, role or "start", event.data.get("content") if event is task.begun else None)
        reference = [{"trajectory_id": self.writer.ids[task]}]
        answer = _text(task.returned)
        self._result(call, {"content": answer, "subagent_trajectory_ref": reference})

    def _model(self, event: Event) -> None:
        data = event.data
        step = self.add("agent", event)
        if data.get("model"):
            step["model_name"] = data["model"]
        if "steps" in data:
            step["llm_call_count"] = data["steps"]
        metrics: Json = {name: data[field] for name, field in METRICS.items() if field in data}
        extra = {name: data[field] for name, field in MORE_METRICS.items() if field in data}
        if metrics or extra:
            step["metrics"] = metrics | ({"extra": extra} if extra else {})

    def _call(self, event: Event, call: str, tool: str, arguments: object) -> None:
        if self.steps[-1]["source"] != "agent":
            self.add("agent", event, llm_call_count=0, message="", extra={"awesome": {"event": None}})
        given = arguments if isinstance(arguments, Mapping) else {} if arguments is None else {"input": arguments}
        about = {"tool_call_id": call, "function_name": tool, "arguments": given}
        self.steps[-1].setdefault("tool_calls", []).append(about)
        self.calls.setdefault(call, self.steps[-1])

    def _result(self, call: str, about: Json) -> None:
        observation = self.calls[call].setdefault("observation", {"results": []})
        observation["results"].append({"source_call_id": call} | about)


def _text(event: Event | None) -> str:
    """The content of an event, where the trace keeps it."""
    content = event.data.get("content") if event is not None else None
    return content if isinstance(content, str) else "" if content is None else to_json(content)


def _carried(event: Event | None) -> Json | None:
    """The fields of an event that a step has no place for."""
    return {key: event.data[key] for key in CARRIED if key in event.data} if event is not None else None
