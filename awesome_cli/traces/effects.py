"""What each type of event does to the state of a run: total, so an illegal event is named and repaired, never fatal."""

from collections.abc import Callable, Mapping

from awesome_cli.traces.actors import DEAD, Unread
from awesome_cli.traces.model import Event
from awesome_cli.traces.state import State


def spawn(state: State, event: Event) -> None:
    child, parent = event.to, state.agents.get(event.agent)
    if child is None:
        state.codes.append(("TR013", "a spawn names nobody in 'to'"))
        return
    if parent is not None:
        parent.spawns += 1
    known = state.agents.get(child)
    if known is not None and known.status == "run":
        state.codes.append(("TR001", f"{child!r} is spawned while it runs"))
    elif known is not None and known.status == "returned":
        known.spawned_by = event.id
        state.turn(child, "run")
    else:
        state.create(child, event.agent, event.id)
    state.open_task(event, child)


def delegate(state: State, event: Event) -> None:
    target = event.to
    if target is None:
        return
    if target not in state.outside:
        known = state.agents.get(target)
        if known is None:
            state.codes.append(("TR012", f"work is delegated to {target!r}, which nobody spawned"))
            state.create(target, event.agent)
        elif known.status in DEAD:
            state.codes.append(("TR008", f"work is delegated to {target!r}, which was {known.status}"))
        else:
            state.turn(target, "run")
    owed_to: tuple[str, ...] = ()
    agent = state.agents.get(event.agent)
    if event.data.get("mode") == "pass_control" and agent is not None:
        # Whoever takes over owes what the agent owed, and to the same.
        for key in list(agent.tasks):
            owed_to += state.tasks[key].owed_to
            state.close_task(key)
        state.open_task(event, target, owed_to)
        state.turn(event.agent, "returned")
    else:
        state.open_task(event, target)


def message(state: State, event: Event) -> None:
    sender = event.data.get("from")
    if sender is not None and sender != event.agent:
        state.codes.append(("TR015", f"a message from {sender!r} is signed by {event.agent!r}"))
    if event.to is None:
        state.broadcasts += 1
        return
    receiver = state.agents.get(event.to)
    if receiver is not None:
        receiver.fresh += 1
        if receiver.status in DEAD:
            state.codes.append(("TR008", f"a message to {event.to!r}, which was {receiver.status}"))
    elif event.to not in state.outside:
        state.codes.append(("TR008", f"a message to {event.to!r}, which nobody spawned"))


def tool_call(state: State, event: Event) -> None:
    key = event.call_id or event.id
    known = state.calls.get(key)
    if known is not None:
        state.codes.append(("TR014", f"the call id {key!r} is used again"))
        if known.status == "open":
            state.close_call(key, "closed")
    state.open_call(event, key)


def tool_result(state: State, event: Event) -> None:
    key = event.call_id
    if key is None:
        # v1 names no call: a result belongs to the oldest open call of its tool.
        key = state.oldest_open(event.tool) or state.oldest_open(event.agent)
    call = state.calls.get(key) if key is not None else None
    if call is None or key is None:
        of = f"the call {key!r}" if key else f"a call of {event.tool or event.agent!r}"
        state.codes.append(("TR004", f"a result of {of}, which is not open"))
    elif call.status != "open":
        state.codes.append(("TR005", f"a second result of the call {key!r}"))
    else:
        state.close_call(key, event.status or "closed")
        state.answers[event.index] = call.event.index


def give_back(state: State, event: Event) -> None:
    agent = state.agents.get(event.agent)
    mine = agent.tasks if agent is not None else []
    addressee = event.to
    known = addressee is None or addressee in state.outside or (agent is not None and addressee == agent.parent)
    if not known and not any(addressee in state.tasks[key].owed_to for key in mine):
        state.codes.append(("TR007", f"returns to {addressee!r}, who neither spawned it nor delegated to it"))
    key = state.task_to_close(event, mine)
    if key is not None:
        addressee = addressee or state.tasks[key].by
        state.close_task(key)
        if agent is not None and not agent.tasks:
            state.turn(event.agent, "returned")
    elif addressee not in state.outside or addressee is None:
        state.codes.append(("TR006", f"{event.agent!r} returns, but owes nothing"))
        addressee = addressee or (agent.parent if agent is not None else None)
    if addressee not in state.outside:
        state.unread[event.id] = Unread(event, addressee)
        if event.data.get("delivery") != "explicit":
            state.inbox.setdefault(addressee, []).append(event.id)
        state.changes.append(["unread", event.id, addressee])


def aggregate(state: State, event: Event) -> None:
    agent = state.agents.get(event.agent)
    if agent is not None:
        if not agent.fresh and agent.heard == state.broadcasts:
            state.codes.append(("TR011", "aggregates, but nothing was read since the last time"))
        agent.fresh = 0
        agent.heard = state.broadcasts
    state.answer = event.id
    state.changes.append(["answer", event.id])


def despawn(state: State, event: Event) -> None:
    name = event.to or event.agent
    agent = state.agents.get(name)
    if agent is None:
        state.codes.append(("TR008", f"{name!r} is despawned, but nobody spawned it"))
        return
    if agent.calls or agent.children:
        calls = f"{agent.calls} open call{'' if agent.calls == 1 else 's'}"
        children = f"{agent.children} {'child' if agent.children == 1 else 'children'}"
        state.codes.append(("TR010", f"{name!r} is despawned with {calls}, {children}"))
    state.turn(name, "despawned")


def stop(state: State, event: Event) -> None:
    agent = state.agents.get(event.agent)
    for key in list(agent.tasks) if agent is not None else ():
        state.close_task(key)
    if event.data.get("scope") == "agent":
        state.turn(event.agent, "stopped")
    elif state.stopped is None:
        state.stopped = event.data.get("reason", "unspecified")
        state.stopper = event.agent
        state.changes.append(["stopped", state.stopped, event.agent])


EFFECTS: Mapping[str, Callable[[State, Event], None]] = {
    "spawn": spawn,
    "delegate": delegate,
    "message": message,
    "tool_call": tool_call,
    "tool_result": tool_result,
    "return": give_back,
    "aggregate": aggregate,
    "despawn": despawn,
    "stop": stop,
}
