"""The agents of a trace, their roles, and the event that gives the answer."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from awesome_cli.traces.model import Event, Trace

# Events that observers report: they need no running agent, read nothing, and may come after the stop.
NEEDS_NO_AGENT = frozenset({"reward", "safety_event", "human_intervention"})
NOT_AGENTS = frozenset({"tool", "human", "environment"})


def find_non_agents(trace: Trace) -> frozenset[str]:
    """Actors that are not agents: declared tools, people and environments, and tools that sign their own results."""
    declared = {name for name, agent in trace.agents.items() if agent.get("kind") in NOT_AGENTS}
    signed = {e.agent for e in trace.events if e.type == "tool_result" and e.agent == e.tool}
    return frozenset(declared | signed)


def roles(trace: Trace) -> dict[str, str]:
    """The role of everyone who acts or is addressed; the id of an agent without a role is its role.

    The role is that in `agents`, else that of the agent's own events, else that of the spawn or delegate event that
    names the agent. So `worker` and `worker#2`, a second run of it with the role `worker`, have one role.
    """
    acted: dict[str, str] = {}
    spawned: dict[str, str] = {}
    for event in trace.events if "role" in trace.fields else ():
        if role := event.data.get("role"):
            roles, name = (spawned, event.to) if event.type in ("spawn", "delegate") else (acted, event.agent)
            if name is not None:
                roles.setdefault(name, str(role))
    declared = {name: str(agent["role"]) for name, agent in trace.agents.items() if agent.get("role")}
    return {name: name for name in trace.names} | spawned | acted | declared


def calls_by_role(trace: Trace, roles: Mapping[str, str]) -> dict[str, int]:
    """The number of model calls by the role of their agents, sorted by role."""
    return dict(sorted(Counter(roles[event.agent] for event in trace.events if event.type == "llm_call").items()))


def roots(trace: Trace, order: Iterable[int]) -> tuple[str, ...]:
    """The agents that run from the start: `root_agents`, else the first agent in `order` that no event spawns."""
    if declared := trace.header.get("root_agents"):
        return tuple(declared)
    excluded = find_non_agents(trace) | {event.to for event in trace.events if event.type == "spawn"}
    events = (trace.events[i] for i in order)
    candidates = (e.agent for e in events if e.agent not in excluded and e.type not in NEEDS_NO_AGENT)
    return tuple(islice(candidates, 1))


def gives_answer(event: Event) -> bool:
    """True if the producer recorded that this event answers: an aggregation, or a stop of the run as answered."""
    stops = event.type == "stop" and event.data.get("scope") != "agent" and event.data.get("reason") == "answered"
    return (event.type == "aggregate" or stops) and not event.inferred


def answer_of(trace: Trace, order: Sequence[int]) -> Event | None:
    """The last aggregation, or stop of the whole run with the reason `answered`, in `order`.

    Without one, the last event that had ended at `answer_available_at`.
    """
    at = trace.header.get("answer_available_at")
    answers = filter(gives_answer, (trace.events[i] for i in reversed(order)))
    ended = (event for i in reversed(order) if at is not None and (event := trace.events[i]).end <= at)
    return next(chain(answers, ended), None)
