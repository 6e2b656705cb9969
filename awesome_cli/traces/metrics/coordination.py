"""Metrics of working together: the spawn tree, messages, repeated work, failed tools, and what was left open."""

from awesome_cli.traces.metrics._metric import NO_TOKENS, NO_TURN, Value, metric, ratio
from awesome_cli.traces.metrics.run import COORDINATION, MeasuredRun
from awesome_cli.traces.rules import TraceRule, loose_ends

NO_HASH = "no tool_call has a content_hash or content_ref"


@metric("levels")
def spawn_depth(run: MeasuredRun) -> Value:
    """Greatest depth of the spawn tree; a root has depth 0."""
    return max((agent.depth for agent in run.replay.machine.agents.values()), default=0)


@metric("spawns")
def spawn_width(run: MeasuredRun) -> Value:
    """Most children that one agent spawned over the whole run (40 rounds of 25 count 1,000)."""
    return max((agent.spawns for agent in run.replay.machine.agents.values()), default=0)


@metric("agents")
def live_children(run: MeasuredRun) -> Value:
    """Most children of one agent that ran at once (40 rounds of 25 count 25)."""
    return run.replay.machine.peak_children


@metric("agents")
def live_agents(run: MeasuredRun) -> Value:
    """Most agents that ran at once, the roots among them."""
    return run.replay.machine.peak_live


@metric("share", "[0, 1]")
def protocol_overhead(run: MeasuredRun) -> Value:
    """(spawn + delegate + message + return + aggregate) / all events."""
    return sum(run.counts[kind] for kind in COORDINATION) / len(run.events)


@metric("share", "[0, 1]", NO_TOKENS)
def protocol_token_share(run: MeasuredRun) -> Value:
    """Tokens of the roots, and of coordination events of other agents, / all tokens."""
    spent = zip(run.events, run.tokens, strict=True)
    coordination = sum(n for event, n in spent if event.agent in run.roots or event.type in COORDINATION)
    return ratio(coordination, sum(run.tokens))


@metric("messages per turn", null=NO_TURN)
def message_density(run: MeasuredRun) -> Value:
    """Messages between agents / reasoning turns (llm_call steps): c in arXiv 2512.08296, §4.1."""
    return ratio(run.counts["message"], run.turns)


@metric("share", "[0, 1)", NO_HASH)
def redundant_actions(run: MeasuredRun) -> Value:
    """Calls with a tool and argument hash that any agent used before / calls with a known hash.

    All agents count as one, so that copies between agents are found.
    """
    actions = run.actions
    return 1 - len({action for _, action in actions}) / len(actions) if actions else None


@metric("share", "[0, 1)", NO_HASH)
def redundant_actions_own(run: MeasuredRun) -> Value:
    """Calls with a tool and argument hash that the same agent used before / calls with a known hash."""
    return 1 - len(set(run.actions)) / len(run.actions) if run.actions else None


@metric("share", "[0, 1]", "fewer than three spawns and delegations")
def oscillation(run: MeasuredRun) -> Value:
    """A-B-A patterns among the n targets of spawn and delegate, in replay order, / (n - 2)."""
    targets = [e.to for e in (run.events[i] for i in run.graph.order) if e.type in ("spawn", "delegate") and e.to]
    back = sum(a == c != b for a, b, c in zip(targets, targets[1:], targets[2:], strict=False))
    return ratio(back, max(len(targets) - 2, 0))


@metric("share", "[0, 1]", "no tool_result has a status")
def tool_success(run: MeasuredRun) -> Value:
    """Results with status ok / results with a known status."""
    known = [e.status for e in run.events if e.type == "tool_result" and e.status is not None]
    return ratio(known.count("ok"), len(known))


@metric("returns")
def unread_returns(run: MeasuredRun) -> Value:
    """Returns that no event had read at the end (TW103)."""
    return len(run.replay.machine.unread)


def left_open(run: MeasuredRun, rule: TraceRule) -> int:
    """How many loose ends a rule found."""
    return sum(found.rule is rule for found in run.replay.loose_ends)


@metric("agents")
def unreturned_children(run: MeasuredRun) -> Value:
    """Agents that were spawned and never returned (TW102)."""
    return left_open(run, loose_ends.NEVER_RETURNED)


@metric("calls")
def open_calls(run: MeasuredRun) -> Value:
    """Tool calls without a result at the end (TW101)."""
    return left_open(run, loose_ends.OPEN_CALL)
