"""What is still open when a replay ends (TW…)."""

from collections.abc import Iterator, Mapping

from awesome_cli.traces import rules
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.rules import TraceFinding


def loose_ends(trace: Trace, machine: Machine) -> Iterator[TraceFinding]:
    """What is still open, as far as the format of the run can record its end."""
    return (found for found in left_open(trace, machine) if found.rule.holds_for(trace))


def left_open(trace: Trace, machine: Machine) -> Iterator[TraceFinding]:
    """Open calls, unread returns, a missing stop, idle agents and open tasks; each at the event that began it."""
    events = {event.id: event for event in reversed(trace.events)}
    for key, call in machine.calls.items():
        if call.status == "open":
            yield TraceFinding.at(rules.OPEN_CALL, call.event, f"the call {key!r} never had a result", call.agent)
    for unread in machine.unread.values():
        who = unread.event.agent
        by = f" by {unread.receiver!r}" if unread.receiver else ""
        yield TraceFinding.at(rules.UNREAD_RETURN, unread.event, f"the return of {who!r} was never read{by}", who)
    if machine.stopped is None:
        yield TraceFinding(rules.NO_STOP, "no event says that the run stopped, and why")
    yield from idle_agents(events, machine)
    for key, task in machine.tasks.items():
        if task.open and task.kind == "delegate":
            message = f"{task.to!r} never returned what {task.by!r} delegated to it"
            yield TraceFinding.at(rules.OPEN_TASK, events[key], message, task.to)


def idle_agents(events: Mapping[str, Event], machine: Machine) -> Iterator[TraceFinding]:
    """Agents that never returned to their parent, and agents that never acted."""
    for name, agent in machine.agents.items():
        spawn = events[agent.spawned_by] if agent.spawned_by is not None else None
        ended = agent.ever_returned or agent.status == "stopped" or name == machine.stopper
        if spawn is not None and not ended:
            yield TraceFinding.at(rules.NEVER_RETURNED, spawn, f"{name!r} was spawned and never returned", name)
        if not agent.acted:
            pointer = spawn.pointer if spawn else ""
            yield TraceFinding(rules.NEVER_ACTED, f"{name!r} never acted", pointer, spawn, name)
