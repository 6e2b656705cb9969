"""Metrics of effort: tokens, wasted work, and the comparison with a single agent."""

from awesome_cli.traces.metrics._metric import NO_REWARD, NO_STEP, NO_TOKENS, NO_TURN, Value, metric, ratio
from awesome_cli.traces.metrics.run import MeasuredRun, NotComputable

NO_BASELINE = "the trace has no baseline.turns"
OVERRUN = "it is unknown when the answer was available (answer_available_at, or a correct return)"


@metric("tokens", null=NO_TOKENS)
def tokens(run: MeasuredRun) -> Value:
    """Σ tokens_in + tokens_out over all events."""
    return sum(run.tokens) if run.records_tokens else None


@metric("USD", null="no event records cost_usd")
def cost_usd(run: MeasuredRun) -> Value:
    """Σ cost_usd over all events."""
    costs = [event.data["cost_usd"] for event in run.events if "cost_usd" in event.data]
    return sum(costs) if costs else None


@metric("share", "[0, 1]", NO_TOKENS)
def lost_work_share(run: MeasuredRun) -> Value:
    """Tokens of agents whose returns were never read / all tokens. Roots and the agent that stops do not count."""
    machine = run.replay.machine
    read = {run.events[i].agent for i, _ in machine.reads}
    lost = machine.agents.keys() - read - {*run.roots, machine.stopper}
    spent = zip(run.events, run.tokens, strict=True)
    return ratio(sum(n for event, n in spent if event.agent in lost), sum(run.tokens))


@metric("share", "[0, 1]", f"the run neither aggregates nor stops, or {NO_STEP}")
def wasted_work(run: MeasuredRun) -> Value:
    """1 - w(Anc(answer)) / w(all): steps that did not lead to the last aggregation or stop."""
    if run.answer is None:
        return NotComputable("the run neither aggregates nor stops")
    total = sum(run.steps)
    if not total:
        return NotComputable(NO_STEP)
    return 1 - sum(w for w, led in zip(run.steps, run.led_to_answer, strict=True) if led) / total


@metric("steps", null=OVERRUN)
def overrun_steps(run: MeasuredRun) -> Value:
    """Steps of events that start after the answer was available: how late the decision to stop (O5) came.

    The answer is available at `answer_available_at`, else at the end of the first return that was correct.
    """
    at = run.trace.header.get("answer_available_at")
    if at is None:
        at = min((event.end for event in run.judged_returns if event.data["correct"]), default=None)
    if at is None:
        return None
    return sum(w for event, w in zip(run.events, run.steps, strict=True) if event.start > at)


@metric("share", "[0, 1]", f"{OVERRUN}, or {NO_STEP}")
def overrun_share(run: MeasuredRun) -> Value:
    """overrun_steps / all steps."""
    steps = overrun_steps.compute(run)
    if steps is None or isinstance(steps, NotComputable):
        return NotComputable(OVERRUN)
    return steps / sum(run.steps) if sum(run.steps) else NotComputable(NO_STEP)


@metric("%", "≥ -100", f"{NO_TURN}, or {NO_BASELINE}")
def overhead_percent(run: MeasuredRun) -> Value:
    """O = (T_MAS - T_SAS) / T_SAS * 100 %, in turns. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    single = run.trace.baseline.get("turns")
    if not run.turns:
        return NotComputable(NO_TURN)
    return (run.turns - single) / single * 100 if single else NotComputable(NO_BASELINE)


@metric("reward", "any", f"{NO_TURN}, {NO_BASELINE}, or {NO_REWARD}")
def efficiency(run: MeasuredRun) -> Value:
    """Ec = S / (T / T_SAS) with S = rewards.team. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    single = run.trace.baseline.get("turns")
    if not run.turns:
        return NotComputable(NO_TURN)
    if not single:
        return NotComputable(NO_BASELINE)
    return run.success / (run.turns / single) if run.success is not None else NotComputable(NO_REWARD)
