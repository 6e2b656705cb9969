"""The state machine of a replay: the state of a run, and the step that applies one event to it."""

from awesome_cli.traces import rules
from awesome_cli.traces.actors import ENDED, NEEDS_NO_AGENT, Agent
from awesome_cli.traces.effects import EFFECTS
from awesome_cli.traces.model import Event
from awesome_cli.traces.state import RunState

LEGAL_AFTER_STOP = NEEDS_NO_AGENT | {"despawn"}
# A second return has a rule of its own; a result answers an earlier call.
LEGAL_AFTER_RETURN = frozenset({"return", "tool_result", "despawn", "stop"})


class Machine(RunState):
    """A state to which events are applied, legal or not; `changes` and `findings` are those of the last event."""

    def step(self, event: Event) -> None:
        """Apply one event."""
        self.changes = []
        self.findings = []
        self.at = event.index
        kind = event.type
        self.counters[kind] = self.counters.get(kind, 0) + 1
        if self.stopped is not None and kind not in LEGAL_AFTER_STOP:
            self.report(rules.AFTER_STOP, f"{kind!r} after the run was stopped")
        if kind not in NEEDS_NO_AGENT and event.agent not in self.non_agents:
            self.act(event)
        effect = EFFECTS.get(kind)
        if effect is not None:
            effect(self, event)

    def act(self, event: Event) -> None:
        """Whether the event's agent may act at all; if it is there, it reads what was returned to it."""
        agent = self.agents.get(event.agent)
        if agent is None:
            if event.type == "tool_result":
                return
            self.report(rules.UNKNOWN_AGENT, f"{event.agent!r} acts, but no event spawned it")
            agent = self.create(event.agent, None)
        elif agent.status in ENDED:
            self.report(rules.ACTS_AFTER_END, f"{event.agent!r} acts after it was {agent.status}")
        elif agent.status == "returned" and event.type not in LEGAL_AFTER_RETURN:
            self.report(rules.ACTS_AFTER_RETURN, f"{event.agent!r} acts after it returned")
        agent.acted = True
        if event.type != "despawn":
            self.read(event, agent)

    def read(self, event: Event, agent: Agent) -> None:
        """Mark returns to the agent as read: those that the event lists in `inputs`, else all in the inbox."""
        inputs = event.data.get("inputs")
        if inputs is not None:
            agent.received += len(inputs)
            found = [key for key in inputs if key in self.unread]
        elif event.agent in self.inbox:
            # Returns with one id are one return here.
            found = [key for key in dict.fromkeys(self.inbox.pop(event.agent)) if key in self.unread]
            agent.received += len(found)
        else:
            return
        for key in found:
            self.reads.append((self.unread.pop(key).event.index, event.index))
            self.changes.append(["read", key, event.agent])
