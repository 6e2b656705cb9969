"""Steps of a replay in any order: the state after any step, computed from the nearest checkpoint before it."""

from collections.abc import Sequence
from functools import cached_property

from awesome_cli.errors import UsageError
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Trace
from awesome_cli.traces.replay import ReplayStep, replay, walk
from awesome_cli.traces.rules import RULES, TraceFinding

# A checkpoint is a copy of the state: one every 1,000 steps, and at most about 64.
EVERY, MOST = 1000, 64


class Walk:
    """A replay with access to any step. Steps count from 1; step 0 is the state before the first event."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.graph = graph_of(trace)
        self.length = len(trace.events)
        self._gap = max(EVERY, self.length // MOST)
        self._saved = {0: Machine(trace, self.graph.order)}

    def state(self, number: int) -> Machine:
        """The state after a step, as an independent machine."""
        done = max(k for k in self._saved if k <= number)
        machine = self._saved[done].copy()
        while done < number:
            machine.step(self.trace.events[self.graph.order[done]])
            done += 1
            if done % self._gap == 0:
                self._saved.setdefault(done, machine.copy())
        return machine

    def step(self, number: int) -> tuple[ReplayStep, Machine]:
        """What a step changed, and the state after it."""
        machine = self.state(number - 1)
        return next(walk(self.trace, self.graph, machine, number - 1)), machine

    @cached_property
    def findings(self) -> Sequence[tuple[int, TraceFinding]]:
        """Everything illegal or left open with the step of its event; without an event, the last step."""
        found = replay(self.trace, self.graph).findings
        place = {i: number for number, i in enumerate(self.graph.order, 1)}
        return [(place[f.event.index] if f.event else self.length, f) for f in found]

    def find(self, code: str, after: int = 0) -> int | None:
        """The first step after `after` with this code."""
        return min((number for number, f in self.findings if f.code == code and number > after), default=None)

    def until(self, code: str, to: int | None = None) -> int | None:
        """The first step with this code, or `to` if that is earlier or the code does not occur.

        Raises `UsageError` if the code is not one of the replay.
        """
        if code not in RULES or code[:2] not in ("TR", "TW"):
            raise UsageError(f"{code!r} is not a code of the replay", hint="they begin with TR or TW: TR003, TW103")
        return min((number for number in (self.find(code), to) if number is not None), default=None)

    def acts(self, agent: str, after: int = 0) -> int | None:
        """The first step after `after` in which the agent acts or is addressed."""
        later = enumerate((self.trace.events[i] for i in self.graph.order[after:]), after + 1)
        return next((number for number, event in later if agent in (event.agent, event.to)), None)
