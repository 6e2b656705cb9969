"""Metrics of coordination: messages, repeated work and failed tools."""

from awesome_cli.traces.metrics.run import MeasuredRun, Value, metric, ratio

COORDINATION = frozenset({"spawn", "delegate", "message", "return", "aggregate"})
SCALING = "c in Scaling Agent Systems, arXiv 2512.08296, §4.1"
NO_TURN = "no reasoning turn (llm_call) is recorded"
NO_TASK_HASH = "no spawn or delegate has a content_hash or content_ref"
NO_STATUS = "no tool result has a status (results of calls that only wait do not count)"
NO_HASH = "no spawn, delegate or tool_call has a content_hash or content_ref (calls that only wait do not count)"


@metric("share", "[0, 1]", high="most events coordinate agents")
def protocol_overhead(run: MeasuredRun) -> Value:
    """(spawn + delegate + message + return + aggregate) / all events."""
    return sum(len(run.by_type[kind]) for kind in COORDINATION) / len(run.events)


@metric("messages per turn", null=NO_TURN, high="agents send many messages per model call", source=SCALING)
def message_density(run: MeasuredRun) -> Value:
    """Messages between agents / reasoning turns (llm_call steps). Messages from or to a person do not count."""
    others = run.replay.machine.non_agents
    sent = sum(others.isdisjoint((e.agent, e.data.get("from"), e.to)) for e in run.by_type["message"])
    return ratio(sent, sum(run.steps) if run.counts_model_calls else 0)


@metric("share", "[0, 1)", NO_HASH, high="agents repeat each other's work")
def redundant_actions(run: MeasuredRun) -> Value:
    """Actions that repeat an earlier action of any agent / actions with known content.

    An action is a tool call, or a task given to an agent (spawn, delegate). Two actions are equal if they have the same
    tool and the same hash of arguments or prompt, whichever agents take part. A call that only waits for other agents
    (`waits`) is not an action.
    """
    return 1 - len({action[:2] for action in run.actions}) / len(run.actions) if run.actions else None


@metric("share", "[0, 1)", NO_HASH, high="agents repeat their own work")
def redundant_actions_own(run: MeasuredRun) -> Value:
    """Actions that repeat an earlier action of the same agent / actions with known content. Waits do not count."""
    return 1 - len(set(run.actions)) / len(run.actions) if run.actions else None


@metric("tasks", null=NO_TASK_HASH, high="the same prompt is paid for twice")
def repeated_tasks(run: MeasuredRun) -> Value:
    """Spawns and delegations with a prompt that was already given to the same or another agent."""
    tasks = [content for kind, content, _ in run.actions if kind == "task"]
    return len(tasks) - len(set(tasks)) if tasks else None


@metric(
    "share", "[0, 1]", "fewer than three spawns and delegations", high="work goes back and forth between two agents"
)
def oscillation(run: MeasuredRun) -> Value:
    """Number of A-B-A patterns in the sequence of the n targets of spawn and delegate / (n - 2)."""
    targets = [event.to for event in run.assignments if event.to]
    back = sum(a == c != b for a, b, c in zip(targets, targets[1:], targets[2:], strict=False))
    return ratio(back, max(len(targets) - 2, 0))


@metric("share", "[0, 1]", NO_STATUS, high="tools answer without errors")
def tool_success(run: MeasuredRun) -> Value:
    """Tool results with status ok / tool results with a status. Results of calls that only wait do not count."""
    return run.ok_share("tool_result")
