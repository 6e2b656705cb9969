"""A replayed trace with values that several metrics share, and the decorator that makes a metric of a function."""

import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.traces.graph import Graph
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.precedence import Precedence, descendants, longest_chain, longest_chains, precedence
from awesome_cli.traces.prices import Prices
from awesome_cli.traces.replay import Replay
from awesome_cli.traces.rewards import rewards_of
from awesome_cli.traces.state import roots
from awesome_cli.traces.usage import Money, UnpricedError, money

NO_REWARD = "the trace has no reward 'team' and no annotation 'success'"
NO_TRUST = "the trace does not say what is trusted (trusted, or output_trusted of a tool)"
UNJUDGED = "no return says whether it was correct"
UNTIMED = "no working event has an end (t_end) after its start"
# The interval of these events is waiting, for a child or for a person.
NO_WORK = frozenset({"spawn", "delegate", "human_intervention"})
GIVING = frozenset({"spawn", "delegate"})
ACTIONS = ("tool_call", *sorted(GIVING))


class NotComputableError(Exception):
    """Why a metric cannot be computed from this trace; without a `reason`, for the one that the metric gives."""

    def __init__(self, reason: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Concurrency:
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
    def counts(self) -> Counter[str]:
        """The number of events by type."""
        return Counter({kind: len(events) for kind, events in self.by_type.items()})

    @cached_property
    def by_type(self) -> Mapping[str, list[Event]]:
        """The events by type, each list in the order of the replay."""
        found: dict[str, list[Event]] = defaultdict(list)
        for i in self.graph.order:
            event = self.events[i]
            found[event.type].append(event)
        return dict(found)

    def of_type(self, kind: str) -> list[Event]:
        """The events of a type in the order of the replay."""
        return self.by_type.get(kind, [])

    @property
    def fields(self) -> frozenset[str]:
        """The fields that any event has."""
        return self.trace.fields

    def any_has(self, field: str) -> bool:
        """True if an event has a value in a field."""
        return field in self.fields and any(event.data.get(field) is not None for event in self.events)

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The agents that run from the start."""
        return roots(self.trace, self.graph.order)

    @cached_property
    def precedence(self) -> Precedence:
        return precedence(self.trace, self.graph, self.replay.machine)

    @cached_property
    def counts_model_calls(self) -> bool:
        """True if steps are model calls; otherwise, as in v1, every event is one step."""
        return self.counts["llm_call"] > 0 or "steps" in self.fields

    @cached_property
    def steps(self) -> list[int]:
        """Steps by event: the field `steps`, else 1 per model call; 1 per event where no model call is recorded."""
        if not self.counts_model_calls:
            return [1] * len(self.events)
        calls = [1 if event.type == "llm_call" else 0 for event in self.events]
        if "steps" in self.fields:
            return [e.data.get("steps", call) for e, call in zip(self.events, calls, strict=True)]
        return calls

    @cached_property
    def work(self) -> list[Event]:
        """The events whose interval is work: it has a length, is not waiting, and is no `parent` of an interval.

        Waiting are spawn, delegate and human_intervention, and what says that it `waits`.
        """
        timed = [e for e in self.events if e.end > e.start]
        parents = {e.data.get("parent") for e in timed} if "parent" in self.fields else set()
        own = [e for e in timed if e.type not in NO_WORK]
        if "waits" in self.fields:
            own = [e for e in own if not e.data.get("waits")]
        if work := [e for e in own if e.id not in parents]:
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
    def total_work(self) -> float:
        return sum(self.durations)

    @cached_property
    def chains(self) -> tuple[list[float], list[float]]:
        """The longest chain by duration up to every event: without the event, and with it."""
        return longest_chains(self.precedence, self.durations)

    @property
    def critical_time(self) -> float:
        """The longest chain by duration."""
        return max(self.chains[1])

    @cached_property
    def critical_steps(self) -> float:
        return longest_chain(self.precedence, self.steps)

    @cached_property
    def elapsed(self) -> float:
        """From the first start to the last end, in the trace's time unit."""
        return max(e.end for e in self.events) - min(e.start for e in self.events)

    @cached_property
    def concurrency(self) -> Concurrency:
        """Concurrency of the working intervals."""
        return concurrency(self.work)

    @cached_property
    def waits(self) -> list[Event]:
        """The intervals in which an agent waited for a person."""
        return [e for e in self.of_type("human_intervention") if e.end > e.start]

    @cached_property
    def occupied(self) -> float:
        """Length of the union of working intervals and waits for people."""
        return concurrency([*self.work, *self.waits]).busy if self.waits else self.concurrency.busy

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

    @cached_property
    def actions(self) -> list[tuple[str, str, str]]:
        """Tool or `task`, its content, and who did it, where the content is known by hash or reference.

        Equal prompts are one task, whoever gets them. A call that only `waits` is no action.
        """
        return [
            (e.tool or "" if kind == "tool_call" else "task", content, e.agent)
            for kind in ACTIONS
            for e in self.of_type(kind)
            if not e.data.get("waits") and (content := e.data.get("content_hash") or e.data.get("content_ref"))
        ]

    @cached_property
    def wait_results(self) -> frozenset[int]:
        """The indices of the results of calls that only wait for other agents (`waits`)."""
        answers = self.replay.machine.answers if "waits" in self.fields else {}
        return frozenset(result for result, call in answers.items() if self.events[call].data.get("waits"))

    @cached_property
    def assignments(self) -> list[Event]:
        """The events that give an agent work, in the order of the replay."""
        return [e for i in self.graph.order if (e := self.events[i]).type in GIVING and e.to is not None]

    @cached_property
    def tainted(self) -> list[bool]:
        """For every event whether it is untrusted or follows from an untrusted event; `sanitized` ends that."""
        tools = self.trace.tools
        untrusted = {name for name, tool in tools.items() if tool.get("output_trusted") is False}
        if "trusted" not in self.fields and not any("output_trusted" in tool for tool in tools.values()):
            raise NotComputableError(NO_TRUST)
        sources = [e.index for e in self.of_type("tool_result") if e.tool in untrusted]
        if "trusted" in self.fields:
            sources += [e.index for e in self.events if e.data.get("trusted") is False]
        blocked = (lambda e: e.data.get("sanitized") is True) if "sanitized" in self.fields else None
        return descendants(self.precedence, sources, blocked=blocked)

    @cached_property
    def correct_returns(self) -> int:
        if judged := [e.data["correct"] for e in self.of_type("return") if "correct" in e.data]:
            return sum(judged)
        raise NotComputableError(UNJUDGED)

    @cached_property
    def rewards(self) -> Mapping[str, float]:
        """The rewards of the run by channel."""
        return rewards_of(self.trace)

    @property
    def success(self) -> float:
        """The recorded outcome: the reward of the whole team, else the annotation `success`."""
        if "team" in self.rewards:
            return self.rewards["team"]
        noted = self.trace.header.get("annotations", {}).get("success")
        if isinstance(noted, int | float):
            return float(noted)
        raise NotComputableError(NO_REWARD)

    def ok_share(self, kind: str) -> float:
        """The share of ok among the events of a type that have a status; results of waiting are left out."""
        known = [e.status for e in self.of_type(kind) if e.status is not None and e.index not in self.wait_results]
        return ratio(known.count("ok"), len(known))


Value = float | int | None
"""A number; `None` where there is none for the reason that the metric gives as `null`."""


OURS = "defined by this tool"
NEEDS_INSTRUMENTS = "an instrumented run, whose program records these fields itself, since logs do not have them"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric. `unit` and `limits` describe its values, `null` says when a trace does not support it.

    `high` says what a high value means, `source` who defined it. `compute` raises `NotComputableError`, with a reason
    where that is not simply `null`.
    """

    name: str
    unit: str
    limits: str
    null: str
    high: str
    source: str
    instrumented: bool
    compute: Callable[[MeasuredRun], Value]

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


def metric(
    unit: str,
    limits: str = "≥ 0",
    null: str = "never",
    *,
    high: str,
    source: str = OURS,
    instrumented: bool = False,
) -> Callable[[Callable[[MeasuredRun], Value]], Metric]:
    """Make a metric of a function; it has the function's name.

    An `instrumented` metric needs fields that no log has and that the program of the run must write itself.
    """
    return lambda compute: Metric(compute.__name__, unit, limits, null, high, source, instrumented, compute)


NO_STEP = "the run has no step"
NO_CALL = "no model call is recorded"
NO_TOKENS = "no event records tokens"
WORK_SPAN = "the work-span model of parallel computation"
KIMI = "Kimi K2.5 report, arXiv 2602.02276"


def ratio(part: float, whole: float, reason: str | None = None) -> float:
    """`part` / `whole`; where `whole` is 0, `NotComputableError` with the reason."""
    if not whole:
        raise NotComputableError(reason)
    return part / whole
