"""The machine of a replay: the state of a run, and the step that applies one event to it."""

from awesome_cli.traces.actors import DEAD, OBSERVED, Agent
from awesome_cli.traces.effects import EFFECTS
from awesome_cli.traces.model import Event
from awesome_cli.traces.state import State

AFTER_STOP = OBSERVED | {"despawn"}


class Machine(State):
    """A state that takes events, legal or not; `changes` and `codes` say what the last one did."""

    __slots__ = ()

    def step(self, event: Event) -> None:
        """Apply one event."""
        self.changes = []
        self.codes = []
        kind = event.type
        self.counters[kind] = self.counters.get(kind, 0) + 1
        if self.stopped is not None and kind not in AFTER_STOP:
            self.codes.append(("TR009", f"{kind!r} after the run was stopped"))
        if kind not in OBSERVED and event.agent not in self.outside:
            agent = self.agents.get(event.agent)
            if agent is None:
                if kind != "tool_result":
                    self.codes.append(("TR002", f"{event.agent!r} acts, but nobody spawned it"))
                    agent = self.create(event.agent, None)
            elif agent.status in DEAD:
                self.codes.append(("TR003", f"{event.agent!r} acts after it was {agent.status}"))
            if agent is not None:
                agent.acted = True
                if kind != "despawn":
                    self.read(event, agent)
        effect = EFFECTS.get(kind)
        if effect is not None:
            effect(self, event)

    def read(self, event: Event, agent: Agent) -> None:
        """Returns addressed to the agent are read by its next event, or exactly those that the event lists."""
        inputs = event.data.get("inputs")
        if inputs is not None:
            agent.fresh += len(inputs)
            found = [key for key in inputs if key in self.unread]
        elif event.agent in self.inbox:
            found = [key for key in self.inbox.pop(event.agent) if key in self.unread]
            agent.fresh += len(found)
        else:
            return
        for key in found:
            self.reads.append((self.unread.pop(key).event.index, event.index))
            self.changes.append(["read", key, event.agent])
