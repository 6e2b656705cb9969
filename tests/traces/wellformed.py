"""Runs that break no rule, made from a seed.

The precondition under which the invariants are promised: every event lies in its agent's life; whatever leads from one
event to another is over before the other starts. Calls of one agent may overlap, and do.
"""

import heapq
import random
from collections.abc import Mapping
from typing import Any


class Simulation:
    """A lead that spawns, delegates, listens and aggregates; agents that work in parallel; time only moves on."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.size = size
        self.events: list[dict[str, Any]] = []
        self.edges: list[dict[str, str]] = []
        self.clock: list[tuple[float, int, str, tuple[Any, ...]]] = []
        self.tick = 0
        self.parent: dict[str, str | None] = {"lead": None}
        self.children: dict[str, set[str]] = {"lead": set()}
        self.calls: dict[str, int] = {"lead": 0}
        self.unread: dict[str, int] = {"lead": 0}
        self.last: dict[str, str] = {}

    def at(self, time: float, what: str, *rest: Any) -> None:
        self.tick += 1
        heapq.heappush(self.clock, (time, self.tick, what, rest))

    def add(self, time: float, kind: str, agent: str, **more: Any) -> str:
        key = f"e{len(self.events)}"
        self.events.append({"id": key, "t": time, "seq": len(self.events), "type": kind, "agent": agent, **more})
        if agent in self.parent:
            # What is read is read now.
            self.unread[agent] = 0
            self.last[agent] = key
        return key

    def length(self) -> float:
        return self.random.choice([0.25, 0.5, 1, 1.5, 2, 3.75])

    def run(self) -> dict[str, Any]:
        self.at(0, "wake", "lead")
        while self.clock:
            time, _, what, rest = heapq.heappop(self.clock)
            getattr(self, what)(time, *rest)
        return {
            "schema_version": "2.0",
            "trace_id": f"run-{self.size}",
            "task_id": "simulated",
            "time_unit": "s",
            "root_agents": ["lead"],
            "tools": {"web": {"privileged": False, "output_trusted": False}},
            "events": self.events,
            "edges": self.edges,
            "rewards": {"team": self.random.choice([0, 0.5, 1])},
            "costs": {"tokens": 120 * sum(e["type"] == "llm_call" for e in self.events), "wall_clock_s": 10_000},
        }

    def wake(self, time: float, agent: str) -> None:
        """The agent decides what to do next."""
        enough = len(self.events) >= self.size
        choices = ["think", "think"] if enough else ["think", "think", "call", "talk", "hire"]
        busy = self.children[agent] or self.calls[agent]
        if enough and not busy:
            self.finish(time, agent)
        else:
            getattr(self, self.random.choice(choices))(time, agent)

    def think(self, time: float, agent: str) -> None:
        end = time + self.length()
        status = self.random.choice(["ok", "ok", "ok", "error"])
        self.add(time, "llm_call", agent, t_end=end, tokens_in=100, tokens_out=20, status=status)
        self.at(end, "wake", agent)

    def call(self, time: float, agent: str) -> None:
        """One to three calls at once; the agent goes on before they are over."""
        for _ in range(self.random.randint(1, 3)):
            end = time + self.length()
            content = f"sha256:{self.random.randrange(6):08x}"
            key = f"call{self.tick}"
            event = self.add(time, "tool_call", agent, t_end=end, tool="web", call_id=key, content_hash=content)
            self.calls[agent] += 1
            self.at(end, "answer", agent, key, event)
        self.at(time + self.random.choice([0, 0.25]), "wake", agent)

    def answer(self, time: float, agent: str, key: str, call: str) -> None:
        trusted = self.random.random() < 0.5
        result = self.add(time, "tool_result", "web", tool="web", call_id=key, status="ok", trusted=trusted)
        self.edges.append({"src": call, "dst": result, "type": "tool_dependency"})
        self.calls[agent] -= 1

    def talk(self, time: float, agent: str) -> None:
        others = sorted(set(self.alive()) - {agent})
        if others and self.random.random() < 0.8:
            self.add(time, "message", agent, to=self.random.choice(others), **{"from": agent})
        else:
            self.add(time, "message", agent)
        self.at(time + self.random.choice([0, 0.5]), "wake", agent)

    def alive(self) -> list[str]:
        return list(self.children)

    def hire(self, time: float, agent: str) -> None:
        for _ in range(self.random.randint(1, 3)):
            child = f"agent{len(self.parent)}"
            spawn = self.add(time, "spawn", agent, to=child, task_ref=f"task of {child}")
            self.parent[child] = agent
            self.children[agent].add(child)
            self.children[child], self.calls[child], self.unread[child] = set(), 0, 0
            self.at(time, "first", child, spawn)
        self.at(time + self.random.choice([0, 1]), "wake", agent)

    def first(self, time: float, child: str, spawn: str) -> None:
        self.think(time, child)
        self.edges.append({"src": spawn, "dst": self.last[child], "type": "spawn"})

    def finish(self, time: float, agent: str) -> None:
        above = self.parent[agent]
        if above is None:
            self.add(time, "message", "lead", **{"from": "lead"})
            if any(e["type"] == "return" for e in self.events):
                self.add(time, "aggregate", "lead", inputs=[e["id"] for e in self.events if e["type"] == "return"][-1:])
            self.add(time, "stop", "lead", reason="answered")
            return
        correct = self.random.random() < 0.7
        self.add(time, "return", agent, to=above, task_ref=f"task of {agent}", correct=correct)
        self.children[above].remove(agent)
        del self.children[agent]


def run(seed: int, size: int = 60) -> dict[str, Any]:
    """A well-formed v2 trace of about `size` events, as JSON."""
    return Simulation(seed, size).run()


def fork_join(rounds: int, children: int, steps: int) -> dict[str, Any]:
    """The lead thinks, `children` work at once for 1 to `steps` steps of one second, and so on, `rounds` times."""
    events: list[dict[str, Any]] = []

    def add(time: float, kind: str, agent: str, **more: Any) -> None:
        events.append({"id": f"e{len(events)}", "t": time, "seq": len(events), "type": kind, "agent": agent, **more})

    now = 0
    for r in range(rounds):
        add(now, "llm_call", "lead", t_end=now + 1)
        now += 1
        names = [f"worker{r}.{c}" for c in range(children)]
        for name in names:
            add(now, "spawn", "lead", to=name)
        for c, name in enumerate(names):
            own = steps - c % steps
            for s in range(own):
                add(now + s, "llm_call", name, t_end=now + s + 1)
            add(now + own, "return", name, to="lead")
        now += steps
    add(now, "aggregate", "lead")
    add(now, "stop", "lead", reason="answered")
    return {
        "schema_version": "2.0", "trace_id": "fork-join", "task_id": "t", "time_unit": "s",
        "events": events, "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": now},
    }  # fmt: skip


def renamed(trace: Mapping[str, Any], rename: dict[str, str]) -> dict[str, Any]:
    """The same run with other names: every string that is an agent, an id or a reference goes through `rename`."""

    def change(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: change(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [change(v, key) for v in value]
        if key in ("id", "agent", "to", "from", "call_id", "task_ref", "inputs", "src", "dst", "root_agents"):
            return rename.setdefault(value, f"name-{len(rename)}")
        return value

    return change(dict(trace))
