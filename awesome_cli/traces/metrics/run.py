"""A replayed trace with values that several metrics use, and the decorator that turns a function into a metric."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from awesome_cli.text.grouping import group_pairs
from awesome_cli.traces.graph import Graph
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.precedence import Precedence, descendants, longest_chains, precedence
from awesome_cli.traces.replay import Replay
from awesome_cli.traces.rewards import rewards_of
from awesome_cli.traces.state import roots
from awesome_cli.traces.usage import Money, Prices, UnpricedError, money

NO_REWARD = "the trace has no reward 'team' and no annotation 'success'"
NO_TRUST = "the trace does not record trust (trusted, or output_trusted of a tool)"
UNJUDGED = "no return says whether it was correct"
UNTIMED = "no working event has an end (t_end) after its start"
NO_STEP = "the run has no step"
NO_CALL = "no model call is recorded"
NO_TOKENS = "no event records tokens"
WORK_SPAN = "the work-span model of parallel computation"
KIMI = "Kimi K2.5 report, arXiv 2602.02276"
OURS = "defined by this tool"
NEEDS_INSTRUMENTS = "an instrumented run: its program must record these fields, because logs lack them"
GIVING = frozenset({"spawn", "delegate"})
NO_WORK = GIVING | {"human_intervention"}
"""Event types whose interval is a wait for a child or a person."""
Value = float | int | None
"""The value of a metric; None for the reason in the metric's field `null`."""


class NotComputableError(Exception):
    """Raised if a trace does not support a metric. Without a message, the reason is the metric's field `null`."""


def require(condition: object, reason: str) -> None:
    """Raise `NotComputableError` with the reason if a condition is false."""
    if not condition:
        raise NotComputableError(reason)


def ratio(part: float, whole: float, reason: str = "") -> float:
    """Return `part` / `whole`; raise `NotComputableError` with the reason if `whole` is 0."""
    require(whole, reason)
    return part / whole


class Concurrency(NamedTuple):
    """The length of the union of some intervals (`busy`), and the maximum number of simultaneous intervals (`peak`)."""

    busy: float
    peak: int


def concurrency(events: Sequence[Event]) -> Concurrency:
    """Return the concurrency of at least one event. An interval that ends when another starts does not overlap it."""
    starts, ends = sorted(e.start for e in events), sorted(e.end for e in events)
    busy = began = 0.0
    over = peak = 0
    for before, at in enumerate(starts):
        while ends[over] <= at:
            over += 1
        if over == before:
            busy += ends[over - 1] - began if over else 0.0
            began = at
        peak = max(peak, before + 1 - over)
    return Concurrency(busy + (ends[-1] - began), peak)


@dataclass(frozen=True)
class MeasuredRun:
    """A replayed trace, with values that several metrics use. Each value is computed once, at its first use.

    A property raises `NotComputableError` if the trace does not support its value.
    """

    trace: Trace
    graph: Graph
    replay: Replay
    prices: Prices | None = None

    @property
    def events(self) -> Sequence[Event]:
        """The events in the file's order."""
        return self.trace.events

    @cached_property
    def by_type(self) -> Mapping[str, list[Event]]:
        """The events by type, each list in the order of the replay; empty lists for types without events."""
        events = (self.events[i] for i in self.graph.order)
        return defaultdict(list, group_pairs((event.type, event) for event in events))

    @cached_property
    def roots(self) -> tuple[str, ...]:
        return roots(self.trace, self.graph.order)

    @cached_property
    def precedence(self) -> Precedence:
        return precedence(self.trace, self.graph, self.replay.machine)

    @cached_property
    def counts_model_calls(self) -> bool:
        """True if steps are model calls; otherwise, as in v1, every event is one step."""
        return bool(self.by_type["llm_call"]) or "steps" in self.trace.fields

    @cached_property
    def steps(self) -> list[int]:
        """The steps of each event: the field `steps`, else 1 for a model call; without model calls 1 for all."""
        if not self.counts_model_calls:
            return [1] * len(self.events)
        return [event.data.get("steps", int(event.type == "llm_call")) for event in self.events]

    @cached_property
    def work(self) -> list[Event]:
        """The events whose interval is work. The interval has a length, and no other event names it as `parent`.

        Intervals of spawn, delegate, human_intervention, and calls that only wait (`waits`) do not count as work.
        """
        timed = [e for e in self.events if e.end > e.start]
        parents = {e.data.get("parent") for e in timed} if "parent" in self.trace.fields else set()
        busy = [e for e in timed if e.type not in NO_WORK and e.id not in parents]
        work = [e for e in busy if not e.data.get("waits")] if "waits" in self.trace.fields else busy
        require(work, UNTIMED)
        return work

    @cached_property
    def durations(self) -> list[float]:
        """The working time of each event, in the trace's time unit."""
        durations = [0.0] * len(self.events)
        for event in self.work:
            durations[event.index] = event.end - event.start
        return durations

    @cached_property
    def chains(self) -> tuple[list[float], list[float]]:
        """The duration of the longest chain up to each event: a list without the event's duration, and one with it."""
        return longest_chains(self.precedence, self.durations)

    @cached_property
    def critical_steps(self) -> float:
        return max(longest_chains(self.precedence, self.steps)[1])

    @cached_property
    def elapsed(self) -> float:
        """The time from the first start to the last end, in the trace's time unit."""
        return max(e.end for e in self.events) - min(e.start for e in self.events)

    @cached_property
    def concurrency(self) -> Concurrency:
        return concurrency(self.work)

    @cached_property
    def waits(self) -> list[Event]:
        """The human interventions that have a length: an agent waited for a person."""
        return [e for e in self.by_type["human_intervention"] if e.end > e.start]

    @cached_property
    def occupied(self) -> float:
        """Length of the union of working intervals and waits for people."""
        return concurrency([*self.work, *self.waits]).busy if self.waits else self.concurrency.busy

    def seconds(self, value: float) -> float:
        """Convert a length of time to seconds; raise `NotComputableError` if the trace's unit is not a time."""
        if self.trace.seconds is None:
            raise NotComputableError(self.trace.no_seconds)
        return value * self.trace.seconds

    @cached_property
    def money(self) -> Money:
        try:
            return money(self.trace, self.prices)
        except UnpricedError as error:
            raise NotComputableError(str(error)) from None

    @cached_property
    def tokens(self) -> list[int]:
        """The prompt and answer tokens of each event; 0 if none are recorded."""
        return [e.tokens or 0 for e in self.events]

    def total(self, field: str) -> int | None:
        """Return the sum of a field over all events; None if no event has the field."""
        values = [e.data.get(field) for e in self.events] if field in self.trace.fields else []
        numbers = [n for n in values if n is not None]
        return sum(numbers) if numbers else None

    @cached_property
    def actions(self) -> list[tuple[str, str, str]]:
        """Actions as tuples: tool name or `task`, hash or reference of the content, and agent.

        Actions without a hash or reference and calls that only wait (`waits`) are left out.
        """
        return [
            (e.tool or "" if kind == "tool_call" else "task", content, e.agent)
            for kind in ("tool_call", "delegate", "spawn")
            for e in self.by_type[kind]
            if not e.data.get("waits") and (content := e.data.get("content_hash") or e.data.get("content_ref"))
        ]

    @cached_property
    def wait_results(self) -> frozenset[int]:
        """The indices of the results of calls that only wait for other agents (`waits`)."""
        answers = self.replay.machine.answers if "waits" in self.trace.fields else {}
        return frozenset(result for result, call in answers.items() if self.events[call].data.get("waits"))

    @cached_property
    def assignments(self) -> list[Event]:
        """The events that give an agent work, in the order of the replay."""
        return [e for i in self.graph.order if (e := self.events[i]).type in GIVING and e.to is not None]

    @cached_property
    def tainted(self) -> list[bool]:
        """True for each event that is untrusted or follows from an untrusted event. `sanitized` ends the taint."""
        tools = self.trace.tools
        untrusted = {name for name, tool in tools.items() if tool.get("output_trusted") is False}
        require("trusted" in self.trace.fields or any("output_trusted" in tool for tool in tools.values()), NO_TRUST)
        sources = [e.index for e in self.by_type["tool_result"] if e.tool in untrusted]
        if "trusted" in self.trace.fields:
            sources += [e.index for e in self.events if e.data.get("trusted") is False]
        blocked = (lambda e: e.data.get("sanitized") is True) if "sanitized" in self.trace.fields else None
        return descendants(self.precedence, sources, blocked=blocked)

    @cached_property
    def correct_returns(self) -> int:
        verdicts = [e.data["correct"] for e in self.by_type["return"] if "correct" in e.data]
        require(verdicts, UNJUDGED)
        return sum(verdicts)

    @property
    def success(self) -> float:
        """The recorded outcome: the reward of the whole team, else the annotation `success`."""
        if (reward := rewards_of(self.trace).get("team")) is not None:
            return reward
        annotation = self.trace.header.get("annotations", {}).get("success")
        if isinstance(annotation, int | float):
            return float(annotation)
        raise NotComputableError(NO_REWARD)

    def ok_share(self, kind: str) -> float:
        """Return the share of status ok among events of a type with a status, without results of calls that wait."""
        known = [e.status for e in self.by_type[kind] if e.status is not None and e.index not in self.wait_results]
        return ratio(known.count("ok"), len(known))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and its manual page.

    `unit` and `limits` describe the values, `null` says when a value cannot be computed, `high` explains a high value,
    and `source` names who defined the metric. An `instrumented` metric needs fields that only the run's program can
    record. `compute` raises `NotComputableError`, with a message if the reason is not `null`.
    """

    compute: Callable[[MeasuredRun], Value]
    unit: str
    limits: str = "≥ 0"
    null: str = "never"
    high: str = ""
    source: str = OURS
    instrumented: bool = False

    @property
    def name(self) -> str:
        return self.compute.__name__

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the docstring of `compute`, each on one line; the first is the formula in words."""
        return [" ".join(part.split()) for part in (inspect.getdoc(self.compute) or "").split("\n\n")]

    @property
    def facts(self) -> dict[str, str]:
        """The rows of the table on the metric's manual page."""
        return {
            "Unit": self.unit, "Range": self.limits, "Source": self.source, "Null when": self.null,
            "A high value means": self.high,
        } | ({"Needs": NEEDS_INSTRUMENTS} if self.instrumented else {})  # fmt: skip


def metric(*facts: Any, **more: Any) -> Callable[[Callable[[MeasuredRun], Value]], Metric]:
    """Return a decorator that turns a function into a metric. The arguments are fields of `Metric`."""
    return lambda compute: Metric(compute, *facts, **more)
