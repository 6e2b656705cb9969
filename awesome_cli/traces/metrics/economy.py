"""Metrics of effort: tokens, repeated and wasted work, and the comparison with a single agent."""

from awesome_cli.traces.metrics.run import COORDINATION, Missing, Run, Value

NO_TOKENS = Missing("no event records tokens")
NO_BASELINE = "the trace has no baseline."


def tokens(run: Run) -> Value:
    """Σ tokens_in + tokens_out over all events."""
    return sum(run.tokens) if run.records_tokens else NO_TOKENS


def cost_usd(run: Run) -> Value:
    """Σ cost_usd over all events."""
    costs = [event.data["cost_usd"] for event in run.events if "cost_usd" in event.data]
    return sum(costs) if costs else Missing("no event records cost_usd")


def protocol_token_share(run: Run) -> Value:
    """Tokens of the roots, and of coordination events by others, / all tokens, in [0, 1]."""
    total = sum(run.tokens)
    if not total:
        return NO_TOKENS
    spent = zip(run.events, run.tokens, strict=True)
    return sum(n for event, n in spent if event.agent in run.roots or event.type in COORDINATION) / total


def redundant_actions(run: Run) -> Value:
    """Calls whose (tool, argument hash) any agent made before / calls with a known hash, in [0, 1].

    Across all agents, because copies between agents are the point: a key with the agent in it hides them.
    """
    actions = run.actions
    if not actions:
        return Missing("no tool_call has a content_hash or content_ref")
    return 1 - len({action for _, action in actions}) / len(actions)


def redundant_actions_own(run: Run) -> Value:
    """Calls whose (tool, argument hash) the same agent made before / calls with a known hash, in [0, 1]."""
    actions = run.actions
    if not actions:
        return Missing("no tool_call has a content_hash or content_ref")
    return 1 - len(set(actions)) / len(actions)


def redundancy(run: Run) -> Value:  # noqa: ARG001  (a metric like the others)
    """R = mean cosine similarity of the agents' outputs (arXiv 2512.08296, §4.1). Needs embeddings: always null."""
    return Missing("needs embeddings of the outputs, which a trace does not hold; see redundant_actions")


def tool_success(run: Run) -> Value:
    """Results with status ok / results with a known status, in [0, 1]."""
    known = [e.status for e in run.events if e.type == "tool_result" and e.status is not None]
    return known.count("ok") / len(known) if known else Missing("no tool_result has a status")


def lost_work_share(run: Run) -> Value:
    """Tokens of agents none of whose returns was read / all tokens, in [0, 1]; roots and the stopper are exempt."""
    total = sum(run.tokens)
    if not total:
        return NO_TOKENS
    machine = run.replay.machine
    read = {run.events[i].agent for i, _ in machine.reads}
    exempt = {*run.roots, machine.stopper}
    lost = {name for name in machine.agents if name not in read and name not in exempt}
    return sum(n for event, n in zip(run.events, run.tokens, strict=True) if event.agent in lost) / total


def wasted_work(run: Run) -> Value:
    """1 - w(Anc(answer)) / w(all), in [0, 1]: steps that did not come before the last aggregation or stop."""
    if run.answer is None:
        return Missing("the run neither aggregates nor stops")
    total = sum(run.steps)
    if not total:
        return Missing("the run has no step")
    return 1 - sum(w for w, led in zip(run.steps, run.led_to_answer, strict=True) if led) / total


def overrun_steps(run: Run) -> Value:
    """Steps of events that start after the answer was available: the stopping decision, O5, seen from outside.

    Available: at `answer_available_at`, else at the end of the first return that was correct.
    """
    at = run.trace.header.get("answer_available_at")
    if at is None:
        at = min((event.end for event in run.judged_returns if event.data["correct"]), default=None)
    if at is None:
        return Missing("nothing says when the answer was available (answer_available_at, or a correct return)")
    return sum(w for event, w in zip(run.events, run.steps, strict=True) if event.start > at)


def overrun_share(run: Run) -> Value:
    """overrun_steps / all steps, in [0, 1]."""
    steps = overrun_steps(run)
    if isinstance(steps, Missing):
        return steps
    return steps / sum(run.steps) if sum(run.steps) else Missing("the run has no step")


def _turns(run: Run) -> Value:
    """T, the reasoning turns of the run."""
    if not run.counts_model_calls or not sum(run.steps):
        return Missing("no reasoning turn (llm_call) is recorded")
    return sum(run.steps)


def overhead_percent(run: Run) -> Value:
    """O = (T_MAS - T_SAS) / T_SAS * 100 %, in turns; at least -100. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    turns, single = _turns(run), run.trace.baseline.get("turns")
    if isinstance(turns, Missing):
        return turns
    return (turns - single) / single * 100 if single else Missing(f"{NO_BASELINE}turns")


def efficiency(run: Run) -> Value:
    """Ec = S / (T / T_SAS) with S = rewards.team. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    turns, single = _turns(run), run.trace.baseline.get("turns")
    if isinstance(turns, Missing):
        return turns
    if not single:
        return Missing(f"{NO_BASELINE}turns")
    return run.success / (turns / single) if run.success is not None else Missing("there is no reward 'team'")
