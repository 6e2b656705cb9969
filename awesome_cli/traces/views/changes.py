"""The changes of a replay as numbers, each with the value before it, so that a viewer can go both ways."""

from collections.abc import Mapping, Sequence

from awesome_cli.traces.answer import answer_of, gives_answer
from awesome_cli.traces.graph import Graph
from awesome_cli.traces.model import Trace
from awesome_cli.traces.rules import TraceFinding

NONE = -1
AGENT, TASK, CALL, UNREAD, ANSWER, STOPPED = range(6)
STATUS = {"run": 1, "returned": 2, "despawned": 3, "stopped": 4}


class ChangeLog:
    """Collects changes. `rows` has kind, key, new value and old value of each; `offsets` is explained in `Timeline`."""

    def __init__(self, trace: Trace, graph: Graph, running: Sequence[str]) -> None:
        self.trace = trace
        self.order = graph.order
        self.at = {i: k for k, i in enumerate(graph.order)}
        self.places: dict[str, int] = {}
        for k, i in enumerate(graph.order):
            self.places.setdefault(trace.events[i].id, k)
        given = answer_of(trace, graph.order)
        self.answer = NONE if given is None else self.at[given.index]
        self.opened: dict[str, int] = {}
        self.now: dict[tuple[int, str | int], int] = {(AGENT, name): STATUS["run"] for name in running}
        self.rows: list[tuple[int, str | int, int, int]] = []
        self.offsets = [0]

    def place_of(self, found: TraceFinding) -> int:
        """The place in the replay of a finding's event, or of the event at which its edge begins."""
        if found.event is not None:
            return self.at[found.event.index]
        _, kind, *rest = (*found.pointer.split("/"), "")
        return self.places.get(self.trace.edges[int(rest[0])].src, NONE) if kind == "edges" else NONE

    def add(self, k: int, changes: Sequence[Sequence[str | None]]) -> None:
        """The changes of the event at place `k`."""
        if k == self.answer or gives_answer(self.trace.events[self.order[k]]):
            self._set(ANSWER, 0, k + 1)
        for kind, *rest in changes:
            name = rest[0] or ""
            opener = self.places.get(name, k)
            match kind:
                case "agent":
                    self._set(AGENT, name, STATUS.get(rest[1] or "", 0))
                case "task":
                    self._set(TASK, opener, int(rest[1] == "open"))
                case "call":
                    self._set(CALL, self._opener_of_call(name, k, rest[1]), int(rest[1] == "open"))
                case "unread" | "read":
                    self._set(UNREAD, opener, int(kind == "unread"))
                case "stopped":
                    self._set(STOPPED, 0, k + 1)
        self.offsets.append(4 * len(self.rows))

    def _opener_of_call(self, name: str, k: int, status: str | None) -> int:
        """The place of the event that opened a call, which is `k` itself if it opens the call."""
        if status == "open":
            self.opened[name] = k
        return self.opened.get(name, k)

    def _set(self, kind: int, key: str | int, value: int) -> None:
        before = self.now.get((kind, key), 0)
        self.now[kind, key] = value
        self.rows.append((kind, key, value, before))

    def numbers(self, index: Mapping[str, int]) -> tuple[int, ...]:
        """All changes, flat, with agents as numbers."""
        flat: list[int] = []
        for kind, key, value, before in self.rows:
            flat += (kind, index[key] if isinstance(key, str) else key, value, before)
        return tuple(flat)
