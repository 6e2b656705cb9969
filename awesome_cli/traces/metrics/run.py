"""A replayed trace with values that several metrics share, and the decorator that makes a metric of a function."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from awesome_cli.traces.graph import Graph
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.precedence import Precedence, descendants, longest_chains, precedence
from awesome_cli.traces.replay import Replay
from awesome_cli.traces.rewards import reward_of
from awesome_cli.traces.state import roots
from awesome_cli.traces.usage import Money, Prices, UnpricedError, money

NO_REWARD = "the trace has no reward 'team' and no annotation 'success'"
NO_TRUST = "the trace does not say what is trusted (trusted, or output_trusted of a tool)"
UNJUDGED = "no return says whether it was correct"
UNTIMED = "no working event has an end (t_end) after its start"
NO_STEP = "the run has no step"
NO_CALL = "no model call is recorded"
NO_TOKENS = "no event records tokens"
WORK_SPAN = "the work-span model of parallel computation"
KIMI = "Kimi K2.5 report, arXiv 2602.02276"
OURS = "defined by this tool"
NEEDS_INSTRUMENTS = "an instrumented run, whose program records these fields itself, since logs do not have them"
GIVING = frozenset({"spawn", "delegate"})
NO_WORK = GIVING | {"human_intervention"}
"""The interval of these events is waiting, for a child or for a person."""
Value = float | int | None
"""A number; `None` where there is none for the reason that the metric gives as `null`."""


class NotComputableError(Exception):
    """Raised where a trace does not support a metric; the message is the reason, if it is not that of the metric."""


def ratio(part: float, whole: float, reason: str = "") -> float:
    """`part` / `whole`; where `whole` is 0, `NotComputableError` with the reason."""
    if not whole:
        raise NotComputableError(reason)
    return part / whole


class Concurrency(NamedTuple):
    """Concurrency of some intervals: `busy` is the length of their union, `peak` the most at once."""

    busy: float
    peak: int


def concurrency(events: Sequence[Event]) -> Concurrency:
    """Sweep over the starts of all intervals; there is at least one. At one time, ends come before starts."""
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
    """A replayed trace, with values that metrics share; each is computed once, when it is first used.

    A value that the trace does not support raises `NotComputableError`.
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
        events: dict[str, list[Event]] = defaultdict(list)
        for i in self.graph.order:
            events[self.events[i].type].append(self.events[i])
        return events

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
        """Steps by event: the field `steps`, else 1 per model call; 1 per event where no model call is recorded."""
        if not self.counts_model_calls:
            return [1] * len(self.events)
        return [event.data.get("steps", int(event.type == "llm_call")) for event in self.events]

    @cached_property
    def work(self) -> list[Event]:
        """The events whose interval is work: it has a length, is not waiting, and is not the `parent` of an interval.

        Waiting are spawn, delegate and human_intervention, and calls that only wait for other agents (`waits`).
        """
        timed = [e for e in self.events if e.end > e.start]
        parents = {e.data.get("parent") for e in timed} if "parent" in self.trace.fields else set()
        busy = [e for e in timed if e.type not in NO_WORK and e.id not in parents]
        if work := [e for e in busy if not e.data.get("waits")] if "waits" in self.trace.fields else busy:
            return work
        raise NotComputableError(UNTIMED)

    @cached_property
    def durations(self) -> list[float]:
        """Work by event, in the trace's time unit."""
        durations = [0.0] * len(self.events)
        for event in self.work:
            durations[event.index] = event.end - event.start
        return durations

    @cached_property
    def chains(self) -> tuple[list[float], list[float]]:
        """The longest chain by duration up to every event: without the event, and with it."""
        return longest_chains(self.precedence, self.durations)

    @cached_property
    def critical_steps(self) -> float:
        return max(longest_chains(self.precedence, self.steps)[1])

    @cached_property
    def elapsed(self) -> float:
        """From the first start to the last end, in the trace's time unit."""
        return max(e.end for e in self.events) - min(e.start for e in self.events)

    @cached_property
    def concurrency(self) -> Concurrency:
        return concurrency(self.work)

    @cached_property
    def waits(self) -> list[Event]:
        """The intervals in which an agent waited for a person."""
        return [e for e in self.by_type["human_intervention"] if e.end > e.start]

    @cached_property
    def occupied(self) -> float:
        """Length of the union of working intervals and waits for people."""
        return concurrency([*self.work, *self.waits]).busy if self.waits else self.concurrency.busy

    def seconds(self, value: float) -> float:
        """A length of time in seconds, where the trace's unit is a time."""
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
        """Tokens by event, in and out; 0 where none are recorded."""
        return [e.tokens or 0 for e in self.events]

    def total(self, field: str) -> int | None:
        """The sum of a field; None where no event has a value in it."""
        values = [e.data.get(field) for e in self.events] if field in self.trace.fields else []
        numbers = [n for n in values if n is not None]
        return sum(numbers) if numbers else None

    @cached_property
    def actions(self) -> list[tuple[str, str, str]]:
        """Tool or `task`, its content, and the agent, where the content is known by hash or reference.

        Equal prompts are one task, whoever gets them. Calls that only wait (`waits`) are left out.
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
        """For every event true if it is untrusted or follows from an untrusted event; `sanitized` ends that."""
        tools = self.trace.tools
        untrusted = {name for name, tool in tools.items() if tool.get("output_trusted") is False}
        if "trusted" not in self.trace.fields and not any("output_trusted" in tool for tool in tools.values()):
            raise NotComputableError(NO_TRUST)
        sources = [e.index for e in self.by_type["tool_result"] if e.tool in untrusted]
        if "trusted" in self.trace.fields:
            sources += [e.index for e in self.events if e.data.get("trusted") is False]
        blocked = (lambda e: e.data.get("sanitized") is True) if "sanitized" in self.trace.fields else None
        return descendants(self.precedence, sources, blocked=blocked)

    @cached_property
    def correct_returns(self) -> int:
        if verdicts := [e.data["correct"] for e in self.by_type["return"] if "correct" in e.data]:
            return sum(verdicts)
        raise NotComputableError(UNJUDGED)

    @property
    def success(self) -> float:
        """The recorded outcome: the reward of the whole team, else the annotation `success`."""
        if (reward := reward_of(self.trace)) is not None:
            return reward
        annotation = self.trace.header.get("annotations", {}).get("success")
        if isinstance(annotation, int | float):
            return float(annotation)
        raise NotComputableError(NO_REWARD)

    def ok_share(self, kind: str) -> float:
        """The share of ok among the events of a type that have a status; results of waiting are left out."""
        known = [e.status for e in self.by_type[kind] if e.status is not None and e.index not in self.wait_results]
        return ratio(known.count("ok"), len(known))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric. `unit` and `limits` describe its values, `null` says when a trace does not support it.

    `high` says what a high value means, `source` who defined it. An `instrumented` metric needs fields that no log has
    and that the program of the run must write itself. `compute` raises `NotComputableError`, with a reason where that
    is not simply `null`.
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
        """The function's docstring, each paragraph on one line; the first is the formula in words."""
        return [" ".join(part.split()) for part in (inspect.getdoc(self.compute) or "").split("\n\n")]

    @property
    def facts(self) -> dict[str, str]:
        """The rows of its manual page beside the definition."""
        return {
            "Unit": self.unit, "Range": self.limits, "Source": self.source, "Null when": self.null,
            "A high value means": self.high,
        } | ({"Needs": NEEDS_INSTRUMENTS} if self.instrumented else {})  # fmt: skip


def metric(*facts: Any, **more: Any) -> Callable[[Callable[[MeasuredRun], Value]], Metric]:
    """Make a metric of a function, which has its name; the facts are fields of `Metric`."""
    return lambda compute: Metric(compute, *facts, **more)
