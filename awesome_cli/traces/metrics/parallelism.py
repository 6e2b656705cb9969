"""Metrics of parallelism: work that could run in parallel, work that did, and the size of the spawn tree."""

from collections.abc import Iterator

from awesome_cli.traces.metrics import run as shared
from awesome_cli.traces.metrics.run import KIMI, UNTIMED, WORK_SPAN, MeasuredRun, Value, metric, require
from awesome_cli.traces.model import Event

NO_SEQUENCE = ", so the run is not a sequence of forks and joins"


@metric("steps", high="much work", source=WORK_SPAN)
def work_steps(run: MeasuredRun) -> Value:
    """T1 = Σ w(e): all steps. w is the field `steps`, else 1 per llm_call; without model calls, w is 1 per event."""
    return sum(run.steps)


@metric("steps", high="steps wait for each other, so more agents would not help", source=KIMI)
def critical_steps(run: MeasuredRun) -> Value:
    """T∞ = max over chains of Σ w(e): the steps of the longest chain, which no number of workers can shorten. T∞ ≤ T1.

    This metric is never null. It differs from a `stage_steps` that is not null only if agents of a stage wait for each
    other, or if no model call is recorded.
    """
    return int(run.critical_steps)


def staged(run: MeasuredRun) -> Iterator[tuple[Event, int, str | None]]:
    """Yield the events of stages, each with its number of steps and the child that gets work by it, or None."""
    for i in run.graph.order:
        event, steps = run.events[i], run.steps[i]
        child = event.to if event.type in shared.GIVING else None
        ends = event.type == "return" and event.agent not in run.roots
        if child is not None or (event.agent not in run.replay.machine.non_agents and (steps or ends)):
            yield event, steps, child


@metric("steps", null="the run is not a sequence of forks and joins", high="some children are slow", source=KIMI)
def stage_steps(run: MeasuredRun) -> Value:
    """Σ over stages of S_main + max_i S_sub,i: Critical Steps by the stage formula.

    A stage is the work of the root alone, then that of the children for which the root waits. The run is not a sequence
    of forks and joins if another agent spawns, the root works while children run, or a child starts after another has
    returned.
    """
    require(len(run.roots) == 1, f"the run does not have exactly one root{NO_SEQUENCE}")
    # The steps of each child of the stage, and the children that have not returned.
    (root,), children, live, total = run.roots, dict[str, int](), set[str](), 0
    for event, steps, child in staged(run):
        agent = event.agent
        if child is not None:
            require(agent == root, f"{agent!r} starts agents itself{NO_SEQUENCE}")
            require(len(live) == len(children), f"a child starts when others have already returned{NO_SEQUENCE}")
            live.add(child)
            children[child] = 0
        elif agent == root:
            require(not live, f"the root works while children run{NO_SEQUENCE}")
            total += max(children.values(), default=0) + steps
            children = {}
        else:
            require(agent in children, f"{agent!r} works outside a stage{NO_SEQUENCE}")
            children[agent] += steps
            live.difference_update([agent] if event.type == "return" else [])
    return total + max(children.values(), default=0)


@metric("ratio", "≥ 1", null=shared.NO_STEP, high="the steps depend little on each other", source=WORK_SPAN)
def potential_speedup_steps(run: MeasuredRun) -> Value:
    """T1 / T∞ in steps: how much faster the same steps could be done with enough workers."""
    return shared.ratio(sum(run.steps), run.critical_steps)


@metric("ratio", "≥ 1", UNTIMED, high="the parts of the work depend little on each other", source=WORK_SPAN)
def potential_speedup(run: MeasuredRun) -> Value:
    """T1 / T∞ by duration: the speedup that the dependencies alone would allow."""
    return sum(run.durations) / max(run.chains[1])


@metric("ratio", "≥ 1, ≤ potential_speedup, ≤ max_concurrency", UNTIMED, high="work was done at once", source=WORK_SPAN)
def achieved_speedup(run: MeasuredRun) -> Value:
    """T1 / busy union = mean concurrency while anything was busy."""
    return sum(run.durations) / run.concurrency.busy


@metric("share", "(0, 1]", UNTIMED, high="the run used most of the possible parallelism")
def parallelism_used(run: MeasuredRun) -> Value:
    """achieved_speedup / potential_speedup = T∞ / busy union."""
    return max(run.chains[1]) / run.concurrency.busy


@metric("intervals", "≥ 1", UNTIMED, high="many calls ran at once and may exceed rate limits")
def max_concurrency(run: MeasuredRun) -> Value:
    """Maximum number of simultaneous working intervals. An interval that ends when another starts does not overlap."""
    return run.concurrency.peak


@metric("levels", high="children spawn children, so the run is hard to follow")
def spawn_depth(run: MeasuredRun) -> Value:
    """Greatest depth of the spawn tree; a root has depth 0."""
    return max((agent.depth for agent in run.replay.machine.agents.values()), default=0)


@metric("spawns", high="one agent spawns many children")
def spawn_width(run: MeasuredRun) -> Value:
    """Maximum number of children that one agent spawned in the whole run (40 rounds of 25 children: 1,000)."""
    return max((agent.spawns for agent in run.replay.machine.agents.values()), default=0)


@metric("agents", high="one agent waits for many children at once")
def live_children(run: MeasuredRun) -> Value:
    """Maximum number of children of one agent that ran at once (40 rounds of 25 children: 25)."""
    return run.replay.machine.peak_children


@metric("agents", high="many agents run in parallel")
def live_agents(run: MeasuredRun) -> Value:
    """Maximum number of agents that ran at once, including roots."""
    return run.replay.machine.peak_live
