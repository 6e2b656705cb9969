"""Metrics of effort: tokens, wasted work, and the comparison with a single agent."""

from awesome_cli.traces.metrics._metric import NO_STEP, NO_TURN, Value, metric, ratio
from awesome_cli.traces.metrics.run import MeasuredRun, NotComputable

NO_TOKENS = NotComputable("no event records tokens")
NO_BASELINE = NotComputable("the trace has no baseline.turns")


@metric("tokens", null="no event records tokens")
def tokens(run: MeasuredRun) -> Value:
    """Σ tokens_in + tokens_out over all events."""
    return sum(run.tokens) if run.records_tokens else NO_TOKENS


@metric("USD", null="no event records `cost_usd`")
def cost_usd(run: MeasuredRun) -> Value:
    """Σ cost_usd over all events."""
    costs = [event.data["cost_usd"] for event in run.events if "cost_usd" in event.data]
    return sum(costs) if costs else NotComputable("no event records cost_usd")


@metric("share", "[0, 1]", "no event records tokens")
def lost_work_share(run: MeasuredRun) -> Value:
    """Tokens of agents whose returns were never read / all tokens. Roots and the agent that stops do not count."""
    machine = run.replay.machine
    read = {run.events[i].agent for i, _ in machine.reads}
    lost = machine.agents.keys() - read - {*run.roots, machine.stopper}
    spent = zip(run.events, run.tokens, strict=True)
    return ratio(sum(n for event, n in spent if event.agent in lost), sum(run.tokens), NO_TOKENS)


@metric("share", "[0, 1]", "the run neither aggregates nor stops, or has no step")
def wasted_work(run: MeasuredRun) -> Value:
    """1 - w(Anc(answer)) / w(all): steps that did not lead to the last aggregation or stop."""
    if run.answer is None:
        return NotComputable("the run neither aggregates nor stops")
    total = sum(run.steps)
    if not total:
        return NO_STEP
    return 1 - sum(w for w, led in zip(run.steps, run.led_to_answer, strict=True) if led) / total


OVERRUN = "`answer_available_at` is not given and no return is marked correct"


@metric("steps", null=OVERRUN)
def overrun_steps(run: MeasuredRun) -> Value:
    """Steps of events that start after the answer was available: how late the decision to stop (O5) came.

    The answer is available at `answer_available_at`, else at the end of the first return that was correct.
    """
    at = run.trace.header.get("answer_available_at")
    if at is None:
        at = min((event.end for event in run.judged_returns if event.data["correct"]), default=None)
    if at is None:
        return NotComputable("it is unknown when the answer was available (answer_available_at, or a correct return)")
    return sum(w for event, w in zip(run.events, run.steps, strict=True) if event.start > at)


@metric("share", "[0, 1]", f"{OVERRUN}, or the run has no step")
def overrun_share(run: MeasuredRun) -> Value:
    """overrun_steps / all steps."""
    steps = overrun_steps.compute(run)
    return steps if isinstance(steps, NotComputable) else ratio(steps, sum(run.steps), NO_STEP)


@metric("%", "≥ -100", "no model call is recorded, or `baseline.turns` is missing")
def overhead_percent(run: MeasuredRun) -> Value:
    """O = (T_MAS - T_SAS) / T_SAS * 100 %, in turns. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    single = run.trace.baseline.get("turns")
    if not run.turns:
        return NO_TURN
    return (run.turns - single) / single * 100 if single else NO_BASELINE


@metric("reward", "any", "no model call is recorded, or `baseline.turns` or `rewards.team` is missing")
def efficiency(run: MeasuredRun) -> Value:
    """Ec = S / (T / T_SAS) with S = rewards.team. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    single = run.trace.baseline.get("turns")
    if not run.turns:
        return NO_TURN
    if not single:
        return NO_BASELINE
    return run.success / (run.turns / single) if run.success is not None else run.no_reward
