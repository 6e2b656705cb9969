"""Metrics of cost: tokens and their parts, and money."""

from awesome_cli.traces.metrics.details import sub_decisions
from awesome_cli.traces.metrics.run import NO_TOKENS, MeasuredRun, Value, metric, ratio, require
from awesome_cli.traces.usage import usage_of, without_tokens

ONE_AGENT = "the run has fewer than two agents"
PROTOCOL = frozenset({"spawn", "delegate", "communicate", "aggregate"})
NO_COST = "cost_usd is not recorded and prices.yaml has no price for every model"


@metric("tokens", null=f"{NO_TOKENS}, and costs.tokens is 0", high="the run is expensive")
def tokens(run: MeasuredRun) -> Value:
    """Σ tokens_in + tokens_out over all events; if no event records tokens, `costs.tokens` of the trace.

    Equals tokens_fresh + tokens_cached + tokens_cache_write + tokens_out. If `tokens_partial` or
    `agents_without_tokens` is above 0, this is a lower bound.
    """
    known = [event.tokens for event in run.events if event.tokens is not None]
    return sum(known) if known else run.trace.costs["tokens"] or None


@metric("tokens", null="no event records tokens_in", high="prompts are new each time; nothing is reused")
def tokens_fresh(run: MeasuredRun) -> Value:
    """Σ tokens_in - tokens_cached - tokens_cache_write: prompt tokens neither read from a cache nor written to it.

    Prompt tokens that an event does not record as cached count as fresh.
    """
    return None if run.total("tokens_in") is None else sum(usage_of(event).fresh for event in run.events)


@metric("tokens", null="no event records tokens_cached", high="prompts are reused, which saves money")
def tokens_cached(run: MeasuredRun) -> Value:
    """Σ tokens_cached: prompt tokens that were read from a cache."""
    return run.total("tokens_cached")


@metric("tokens", null="no event records tokens_cache_write", high="prompts are stored in a cache, often at extra cost")
def tokens_cache_write(run: MeasuredRun) -> Value:
    """Σ tokens_cache_write: prompt tokens that were written to a cache."""
    return run.total("tokens_cache_write")


@metric("tokens", null="no event records tokens_out", high="answers are long, which is slow and expensive")
def tokens_out(run: MeasuredRun) -> Value:
    """Σ tokens_out: the tokens of model answers, including reasoning."""
    return run.total("tokens_out")


@metric("tokens", "≥ 0, ≤ tokens_out", "no event records tokens_reasoning", high="models think much before they answer")
def tokens_reasoning(run: MeasuredRun) -> Value:
    """Σ tokens_reasoning: the part of the answers that is reasoning."""
    return run.total("tokens_reasoning")


@metric("events", high="the log lacks many tokens, so token counts and costs are lower bounds")
def tokens_partial(run: MeasuredRun) -> Value:
    """Events that record only a part of their tokens.

    For example, a log can have the count before an answer was complete, or only the last of a child's model calls.
    """
    return sum(event.data.get("tokens_partial") is True for event in run.events)


@metric("agents", null=NO_TOKENS, high="token counts and costs are lower bounds")
def agents_without_tokens(run: MeasuredRun) -> Value:
    """Agents without recorded tokens, in a run that records tokens of other agents.

    An agent counts only if at least one of its model calls, tool calls, spawns, delegations, messages, returns or
    aggregations did not fail.
    """
    recorded = any(event.tokens is not None for event in run.events)
    return len(without_tokens(run.trace, run.replay.machine.agents)) if recorded else None


@metric("USD", null=NO_COST, high="the run is expensive")
def cost_usd(run: MeasuredRun) -> Value:
    """Σ cost_usd over all events, else `costs.cost_usd` of the trace, else the tokens' price by prices.yaml.

    If the price of one call is unknown, the cost is null. If `cost_partial` or `tokens_partial` is above 0, the true
    cost is higher. Costs in other currencies than USD are shown by role and sub-decision only.
    """
    money = run.money
    require(money.currency == "USD", f"the prices are in {money.currency}, not in USD (total: {money.total:,.4g})")
    return money.total


@metric("calls", high="the log lacks part of the costs: cost_usd is a lower bound")
def cost_partial(run: MeasuredRun) -> Value:
    """Model calls without cost_usd, if other events have a cost_usd. Then the metric `cost_usd` is a lower bound."""
    costs = [event.type for event in run.events if event.data.get("cost_usd") is None]
    return costs.count("llm_call") if len(costs) < len(run.events) else 0


@metric("share", "[0, 1]", f"{NO_TOKENS}, or {ONE_AGENT}", high="many tokens are spent on coordination")
def protocol_token_share(run: MeasuredRun) -> Value:
    """Tokens of the sub-decisions spawn, delegate, communicate and aggregate (`by_sub_decision`) / all tokens.

    A model call of any agent counts for the sub-decision that follows it. Tool calls and returns do not count.
    """
    require(len(run.replay.machine.agents) > 1, ONE_AGENT)
    total = sum(run.tokens)
    parts = zip(sub_decisions(run), run.tokens, strict=True) if total else ()
    return ratio(sum(n for part, n in parts if part in PROTOCOL), total, NO_TOKENS)
