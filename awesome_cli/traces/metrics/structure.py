"""Metrics of the shape of a run: what happened, who spawned whom, what was left open."""

from awesome_cli.traces.metrics.run import COORDINATION, Missing, Run, Value


def events(run: Run) -> Value:
    """Number of events."""
    return len(run.events)


def agents(run: Run) -> Value:
    """Number of agents that the replay knows; tools that sign their results, people and environments are none."""
    return len(run.replay.machine.agents)


def model_calls(run: Run) -> Value:
    """Sum of the steps of all model calls: `steps` where given, else 1 per `llm_call`. Null where none is recorded."""
    return sum(run.steps) if run.counts_model_calls else Missing("no event is an llm_call or says its steps")


def work_steps(run: Run) -> Value:
    """T1 = Σ w(e), the work in steps: w = `steps`, or 1 per llm_call; 1 per event where no model call is recorded."""
    return sum(run.steps)


def critical_steps(run: Run) -> Value:
    """T∞ = max over chains of Σ w(e): the steps that no number of workers could avoid. T∞ ≤ T1.

    Equals Kimi K2.5's Critical Steps wherever that is defined (see `stage_steps`), and is defined for every trace.
    """
    return int(run.critical_steps)


def potential_speedup_steps(run: Run) -> Value:
    """T1 / T∞ in steps, at least 1: how much faster the same steps could go with enough workers."""
    return sum(run.steps) / run.critical_steps if run.critical_steps else Missing("the run has no step")


class Stages:
    """A run read as stages of fork and join; `fault` says why it is none."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.total = 0
        self.children: dict[str, int] = {}
        self.live: set[str] = set()
        self.fault = ""

    def hand(self, agent: str, to: str) -> None:
        """Somebody is given work: a stage begins, or grows while all of it runs."""
        if agent != self.root:
            self.fault = f"{agent!r} hands on work itself"
        elif len(self.live) < len(self.children):
            self.fault = "a child starts while others are back already"
        self.live.add(to)
        self.children[to] = 0

    def work(self, agent: str, steps: int, *, returns: bool) -> None:
        """Somebody works, or a child is back."""
        if agent == self.root:
            if steps and self.live:
                self.fault = "the root works while children run"
            elif steps:
                self.close()
                self.total += steps
        elif agent not in self.children:
            self.fault = f"{agent!r} works outside a stage"
        else:
            self.children[agent] += steps
            if returns:
                self.live.discard(agent)

    def close(self) -> None:
        """The stage is over: its longest child counts."""
        self.total += max(self.children.values(), default=0)
        self.children = {}


def stage_steps(run: Run) -> Value:
    """Σ over stages of S_main + max_i S_sub,i: Critical Steps by the stage formula of the Kimi K2.5 report.

    A stage is what the one root does alone, then the children that it waits for. Null where the run is no fork and
    join: another agent spawns, the root works while children run, or a child starts before the others are back.
    """
    if len(run.roots) != 1:
        return Missing("the run has not exactly one root, so it is no fork and join")
    stages = Stages(run.roots[0])
    outside = run.replay.machine.outside
    for i in run.graph.order:
        event, steps = run.events[i], run.steps[i]
        if event.type in ("spawn", "delegate") and event.to is not None:
            stages.hand(event.agent, event.to)
        elif event.agent not in outside and (steps or event.type == "return"):
            stages.work(event.agent, steps, returns=event.type == "return")
        if stages.fault:
            return Missing(f"{stages.fault}, so the run is no fork and join")
    stages.close()
    return stages.total


def spawn_depth(run: Run) -> Value:
    """Greatest depth of the spawn tree; a root has depth 0."""
    return max((agent.depth for agent in run.replay.machine.agents.values()), default=0)


def spawn_width(run: Run) -> Value:
    """Most children that one agent spawned over the whole run (40 rounds of 25 count 1,000)."""
    return max((agent.spawns for agent in run.replay.machine.agents.values()), default=0)


def live_children(run: Run) -> Value:
    """Most children of one agent that ran at once (40 rounds of 25 count 25)."""
    return run.replay.machine.peak_children


def live_agents(run: Run) -> Value:
    """Most agents that ran at once, the roots among them."""
    return run.replay.machine.peak_live


def unread_returns(run: Run) -> Value:
    """Returns that nobody had read at the end (TW103)."""
    return len(run.replay.machine.unread)


def unreturned_children(run: Run) -> Value:
    """Agents that were spawned and never returned (TW102)."""
    return sum(w.code == "TW102" for w in run.replay.warnings)


def open_calls(run: Run) -> Value:
    """Tool calls without a result at the end (TW101)."""
    return sum(w.code == "TW101" for w in run.replay.warnings)


def breaches(run: Run) -> Value:
    """Illegal events that the replay met (TR…)."""
    return len(run.replay.breaches)


def protocol_overhead(run: Run) -> Value:
    """(spawn + delegate + message + return + aggregate) / all events, in [0, 1]."""
    return sum(run.counts[kind] for kind in COORDINATION) / len(run.events)


def message_density(run: Run) -> Value:
    """Messages between agents / reasoning turns (llm_call steps): c in arXiv 2512.08296, §4.1."""
    if not run.counts_model_calls or not sum(run.steps):
        return Missing("no reasoning turn (llm_call) is recorded")
    return run.counts["message"] / sum(run.steps)


def oscillation(run: Run) -> Value:
    """A-B-A patterns among the targets of spawn and delegate, in replay order, / (n - 2), in [0, 1]; n targets."""
    targets = [
        event.to
        for event in (run.events[i] for i in run.graph.order)
        if event.type in ("spawn", "delegate") and event.to is not None
    ]
    if len(targets) < 3:
        return Missing("fewer than three hand-overs")
    back = sum(a == c != b for a, b, c in zip(targets, targets[1:], targets[2:], strict=False))
    return back / (len(targets) - 2)


def inferred_events(run: Run) -> Value:
    """Events that an importer invented to fill gaps of the source format: an input of every metric here."""
    return sum(event.inferred for event in run.events)


def inferred_edges(run: Run) -> Value:
    """Edges that an importer invented."""
    return sum(edge.inferred for edge in run.trace.edges)


def edges_left_out(run: Run) -> Value:
    """Cross edges whose source was not over when the target started; they order nothing in the chains."""
    return run.precedence.left_out
