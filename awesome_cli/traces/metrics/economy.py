"""Metrics of effort: tokens, wasted work, and the comparison with a single agent."""

from awesome_cli.traces.metrics._metric import NO_STEP, NO_TOKENS, NO_TURN, Value, metric, ratio
from awesome_cli.traces.metrics.run import NO_REWARD, UNANSWERED, MeasuredRun, NotComputableError

NO_BASELINE = "the trace has no baseline.turns"
OVERRUN = "it is unknown when the answer was available (answer_available_at, or a correct return)"


@metric("tokens", null=NO_TOKENS)
def tokens(run: MeasuredRun) -> Value:
    """Σ tokens_in + tokens_out over all events."""
    recorded = any("tokens_in" in e.data or "tokens_out" in e.data for e in run.events)
    return sum(run.tokens) if recorded else None


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


@metric("share", "[0, 1]", f"{UNANSWERED}, or {NO_STEP}")
def wasted_work(run: MeasuredRun) -> Value:
    """1 - w(Anc(answer)) / w(all): steps that did not lead to the last aggregation or stop."""
    useful = sum(w for w, led in zip(run.steps, run.led_to_answer, strict=True) if led)
    return 1 - ratio(useful, sum(run.steps), NO_STEP)


@metric("steps", null=OVERRUN)
def overrun_steps(run: MeasuredRun) -> Value:
    """Steps of events that start after the answer was available: how late the decision to stop came.

    The answer is available at `answer_available_at`, else at the end of the first return that was correct.
    """
    at = run.trace.header.get("answer_available_at")
    if at is None:
        right = (event.end for event in run.events if event.type == "return" and event.data.get("correct"))
        at = min(right, default=None)
    if at is None:
        return None
    return sum(w for event, w in zip(run.events, run.steps, strict=True) if event.start > at)


@metric("share", "[0, 1]", f"{OVERRUN}, or {NO_STEP}")
def overrun_share(run: MeasuredRun) -> Value:
    """overrun_steps / all steps."""
    steps = overrun_steps.compute(run)
    if steps is None:
        raise NotComputableError(OVERRUN)
    return ratio(steps, sum(run.steps), NO_STEP)


def turns(run: MeasuredRun) -> tuple[int, float]:
    """T_MAS and T_SAS: the reasoning turns of the run, and those of a single agent."""
    single = run.trace.baseline.get("turns")
    if not run.turns or not single:
        raise NotComputableError(NO_BASELINE if run.turns else NO_TURN)
    return run.turns, single


@metric("%", "≥ -100", f"{NO_TURN}, or {NO_BASELINE}")
def overhead_percent(run: MeasuredRun) -> Value:
    """O = (T_MAS - T_SAS) / T_SAS * 100 %, in turns. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    own, single = turns(run)
    return (own - single) / single * 100


@metric("reward", "any", f"{NO_TURN}, {NO_BASELINE}, or {NO_REWARD}")
def efficiency(run: MeasuredRun) -> Value:
    """Ec = S / (T / T_SAS) with S = rewards.team. Scaling Agent Systems, arXiv 2512.08296, §4.1."""
    own, single = turns(run)
    return run.success / (own / single)
