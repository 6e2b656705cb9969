"""The effect of each type of event on the state of a run.

Every event has an effect, an illegal one, too: it is reported, and the state continues as the page of its rule says.
"""

from collections.abc import Callable, Mapping

from awesome_cli.text.numbers import counted
from awesome_cli.traces import rules
from awesome_cli.traces.model import Event
from awesome_cli.traces.state import ENDED, RunState, UnreadReturn


def spawn(state: RunState, event: Event) -> None:
    child, parent = event.to, state.agents.get(event.agent)
    if child is None:
        state.report(rules.SPAWN_WITHOUT_NAME, "a spawn has no 'to'")
        return
    if parent is not None:
        parent.spawns += 1
    known = state.agents.get(child)
    if known is not None and known.status == "run":
        state.report(rules.SPAWNED_WHILE_RUNNING, f"{child!r} is spawned while it runs")
    elif known is not None and known.status == "returned":
        known.spawned_by = event
        state.set_status(child, "run")
    else:
        state.create(child, event.agent, event)
    state.open_task(event, child)


def delegate(state: RunState, event: Event) -> None:
    target = event.to
    if target is None:
        return
    if target not in state.non_agents:
        known = state.agents.get(target)
        if known is None:
            state.report(rules.UNKNOWN_DELEGATE, f"work is delegated to {target!r}, which no event spawned")
            state.create(target, event.agent)
        elif known.status == "despawned":
            state.report(rules.UNKNOWN_RECEIVER, f"work is delegated to {target!r}, which was despawned")
        else:
            state.set_status(target, "run")
    owed_to: tuple[str, ...] = ()
    agent = state.agents.get(event.agent)
    if event.data.get("mode") == "pass_control" and agent is not None:
        # The target takes over the tasks of the agent, and returns them to the same agents.
        for key in list(agent.tasks):
            owed_to += state.tasks[key].owed_to
            state.close_task(event, key)
        state.open_task(event, target, owed_to)
        state.set_status(event.agent, "returned")
    else:
        state.open_task(event, target)


def message(state: RunState, event: Event) -> None:
    sender = event.data.get("from")
    if sender is not None and sender != event.agent:
        state.report(rules.WRONG_SENDER, f"a message from {sender!r} is signed by {event.agent!r}")
    if event.to is None:
        state.broadcasts += 1
        return
    receiver = state.agents.get(event.to)
    if receiver is not None:
        receiver.received += 1
        if receiver.status in ENDED:
            state.report(rules.UNKNOWN_RECEIVER, f"a message to {event.to!r}, which was {receiver.status}")
    elif event.to not in state.non_agents:
        state.report(rules.UNKNOWN_RECEIVER, f"a message to {event.to!r}, which no event spawned")


def tool_call(state: RunState, event: Event) -> None:
    key = event.call_id or event.id
    known = state.calls.get(key)
    if known is not None:
        state.report(rules.REPEATED_CALL_ID, f"the call id {key!r} is used again")
        if known.status == "open":
            state.close_call(key, "closed")
    state.open_call(event, key)


def tool_result(state: RunState, event: Event) -> None:
    key = event.call_id
    if key is None:
        # Without a call id, as in v1, a result belongs to the oldest open call of its tool.
        key = state.oldest_open(event.tool) or state.oldest_open(event.agent)
    call = state.calls.get(key) if key is not None else None
    if call is None or key is None:
        of = f"the call {key!r}" if key else f"a call of {event.tool or event.agent!r}"
        state.report(rules.RESULT_WITHOUT_CALL, f"a result of {of}, which is not open")
    elif call.status != "open":
        state.report(rules.SECOND_RESULT, f"a second result of the call {key!r}")
    else:
        state.close_call(key, event.status or "closed")
        start = call.event
        state.answers[event.index] = start.index
        signs = event.agent in (start.agent, start.tool, event.tool) or event.agent in state.non_agents
        if event.call_id and not signs:
            state.report(rules.WRONG_SIGNER, f"the result of a call by {start.agent!r} is signed by {event.agent!r}")


def return_(state: RunState, event: Event) -> None:
    agent = state.agents.get(event.agent)
    tasks = agent.tasks if agent is not None else []
    receiver = event.to
    known = receiver is None or receiver in state.non_agents or (agent is not None and receiver == agent.parent)
    if not known and not any(receiver in state.tasks[key].owed_to for key in tasks):
        state.report(rules.WRONG_RETURN, f"returns to {receiver!r}, which neither spawned it nor delegated to it")
    key = state.task_to_close(event, tasks)
    if key is not None:
        receiver = receiver or state.tasks[key].event.agent
        state.close_task(event, key)
        if agent is not None and not agent.tasks:
            state.set_status(event.agent, "returned")
    elif receiver not in state.non_agents or receiver is None:
        state.report(rules.RETURN_WITHOUT_TASK, f"{event.agent!r} returns, but it has no open task")
        receiver = receiver or (agent.parent if agent is not None else None)
    if receiver not in state.non_agents:
        state.unread[event.id] = UnreadReturn(event, receiver)
        if event.data.get("delivery") != "explicit":
            state.inbox.setdefault(receiver, []).append(event.id)
        state.changes.append(["unread", event.id, receiver])


def aggregate(state: RunState, event: Event) -> None:
    agent = state.agents.get(event.agent)
    if agent is not None:
        if not agent.received and agent.broadcasts_seen == state.broadcasts:
            state.report(rules.NOTHING_TO_AGGREGATE, "aggregates, but has read nothing since its last aggregation")
        agent.received = 0
        agent.broadcasts_seen = state.broadcasts
    state.answer = event.id
    state.changes.append(["answer", event.id])


def despawn(state: RunState, event: Event) -> None:
    name = event.to or event.agent
    agent = state.agents.get(name)
    if agent is None:
        state.report(rules.UNKNOWN_RECEIVER, f"{name!r} is despawned, but no event spawned it")
        return
    if agent.calls or agent.children:
        calls = counted(agent.calls, "open call")
        children = f"{agent.children} {'child' if agent.children == 1 else 'children'}"
        state.report(rules.DESPAWNED_AT_WORK, f"{name!r} is despawned with {calls}, {children}")
    state.set_status(name, "despawned")


def stop(state: RunState, event: Event) -> None:
    agent = state.agents.get(event.agent)
    for key in list(agent.tasks) if agent is not None else ():
        state.close_task(event, key)
    if event.data.get("scope") == "agent":
        state.set_status(event.agent, "stopped")
    elif state.stopped is None:
        state.stopped = event.data.get("reason", "unspecified")
        state.stopper = event.agent
        state.changes.append(["stopped", state.stopped, event.agent])


FUNCTIONS = (spawn, delegate, message, tool_call, tool_result, return_, aggregate, despawn, stop)
EFFECTS: Mapping[str, Callable[[RunState, Event], None]] = {f.__name__.removesuffix("_"): f for f in FUNCTIONS}
"""The effect of each type of event, by the type; other types have none."""
