"""Metrics of work in steps: all of it, and the part that cannot run in parallel."""

from awesome_cli.traces.metrics._metric import NO_STEP, Value, metric, ratio
from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError


@metric("steps", null="no event is an llm_call or has 'steps'")
def model_calls(run: MeasuredRun) -> Value:
    """Sum of the steps of all model calls: `steps` where given, else 1 per `llm_call`."""
    return sum(run.steps) if run.counts_model_calls else None


@metric("steps")
def work_steps(run: MeasuredRun) -> Value:
    """T1 = Σ w(e), the work in steps: w = `steps`, or 1 per llm_call; 1 per event where no model call is recorded."""
    return sum(run.steps)


@metric("steps")
def critical_steps(run: MeasuredRun) -> Value:
    """T∞ = max over chains of Σ w(e): the steps that any number of workers needs one after the other. T∞ ≤ T1.

    Equals Kimi K2.5's Critical Steps wherever that is defined (see `stage_steps`), and is defined for every trace.
    """
    return int(run.critical_steps)


class Stages:
    """A run read as stages of fork and join; `obstacle` says why it cannot be read so."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.total = 0
        self.children: dict[str, int] = {}
        self.live: set[str] = set()
        self.obstacle = ""

    def start_child(self, agent: str, child: str) -> None:
        """`agent` gives `child` work: a stage begins, or grows if none of its children has returned."""
        if agent != self.root:
            self.obstacle = f"{agent!r} starts agents itself"
        elif len(self.live) < len(self.children):
            self.obstacle = "a child starts when others have already returned"
        self.live.add(child)
        self.children[child] = 0

    def work(self, agent: str, steps: int, *, returns: bool) -> None:
        """An agent works, or returns to the root."""
        if agent == self.root:
            if steps and self.live:
                self.obstacle = "the root works while children run"
            elif steps:
                self.close()
                self.total += steps
        elif agent not in self.children:
            self.obstacle = f"{agent!r} works outside a stage"
        else:
            self.children[agent] += steps
            if returns:
                self.live.discard(agent)

    def close(self) -> None:
        """The stage is over: its longest child counts."""
        self.total += max(self.children.values(), default=0)
        self.children = {}


@metric("steps", null="the run is not a sequence of forks and joins")
def stage_steps(run: MeasuredRun) -> Value:
    """Σ over stages of S_main + max_i S_sub,i: Critical Steps by the stage formula of the Kimi K2.5 report.

    A stage is what the one root does alone, then the children that it waits for. The run is no sequence of forks and
    joins if another agent spawns, the root works while children run, or a child starts after another has returned.
    """
    if len(run.roots) != 1:
        raise NotComputableError("the run does not have exactly one root, so it is not a sequence of forks and joins")
    stages = Stages(run.roots[0])
    non_agents = run.replay.machine.non_agents
    for i in run.graph.order:
        event, steps = run.events[i], run.steps[i]
        if event.type in ("spawn", "delegate") and event.to is not None:
            stages.start_child(event.agent, event.to)
        elif event.agent not in non_agents and (steps or event.type == "return"):
            stages.work(event.agent, steps, returns=event.type == "return")
        if stages.obstacle:
            raise NotComputableError(f"{stages.obstacle}, so the run is not a sequence of forks and joins")
    stages.close()
    return stages.total


@metric("ratio", "≥ 1", null=NO_STEP)
def potential_speedup_steps(run: MeasuredRun) -> Value:
    """T1 / T∞ in steps: how much faster the same steps could be done with enough workers."""
    return ratio(sum(run.steps), run.critical_steps)
