"""Metrics of lost work: unread results, steps without effect on the answer, open calls, and missing returns."""

from itertools import compress

from awesome_cli.traces import rules
from awesome_cli.traces.metrics import run as shared
from awesome_cli.traces.metrics.details import unread
from awesome_cli.traces.metrics.run import NO_CALL, NO_STEP, NO_TOKENS, MeasuredRun, Value, metric, ratio
from awesome_cli.traces.metrics.timing import NO_TIME
from awesome_cli.traces.precedence import ancestors
from awesome_cli.traces.rules import TraceRule
from awesome_cli.traces.state import answer_of


def not_recorded(word: str) -> str:
    """Return the reason for a null metric if the log format cannot record `word`, such as `return` or `result`."""
    return f"provenance.unrecorded lists {word!r}"


def needs(run: MeasuredRun, rule: TraceRule) -> None:
    """Raise `NotComputableError` if the trace's format cannot record the fact that the rule looks for."""
    shared.require(rule.holds_for(run.trace), not_recorded(rule.unrecorded or ""))


NO_DELIVERY = not_recorded("delivery")
UNANSWERED = "no answer is recorded (an aggregate, a stop with reason answered, or answer_available_at)"


@metric("returns", null=NO_DELIVERY, high="agents are paid for results that nobody uses")
def unread_returns(run: MeasuredRun) -> Value:
    """Returns that no event read before the trace ended (TW103)."""
    needs(run, rules.UNREAD_RETURN)
    return len(run.replay.machine.never_read)


@metric("messages", high="agents send messages that nobody reads")
def unread_messages(run: MeasuredRun) -> Value:
    """Messages and delegations with `delivery: explicit` that no event lists in `inputs`.

    For messages and delegations without `delivery: explicit`, it is unknown whether they were read.
    """
    sent = {e.id for e in run.events if e.type in ("message", "delegate") and e.data.get("delivery") == "explicit"}
    return len(sent.difference(*(e.inputs or () for e in run.events))) if sent else 0


@metric("tokens", null=f"{NO_TOKENS}, or {NO_DELIVERY}", high="results that nobody read were expensive")
def unread_tokens(run: MeasuredRun) -> Value:
    """Σ over unread returns of the tokens that the returning agent spent since its previous return."""
    needs(run, rules.UNREAD_RETURN)
    shared.require(any(run.tokens), NO_TOKENS)
    return sum(run.tokens[i] for _, indices in unread(run) for i in indices)


@metric("s", null=f"{NO_TIME}, or {NO_DELIVERY}", high="results that nobody read took long")
def unread_s(run: MeasuredRun) -> Value:
    """Σ over unread returns of the working time that the returning agent spent since its previous return."""
    needs(run, rules.UNREAD_RETURN)
    return run.seconds(sum(run.durations[i] for _, indices in unread(run) for i in indices))


@metric("share", "[0, 1]", f"{NO_TOKENS}, or {NO_DELIVERY}", high="much of the agents' work is never used")
def lost_work_share(run: MeasuredRun) -> Value:
    """Tokens of agents whose returns were never read / all tokens. Roots and the agent that stops the run do not count.

    All tokens of an agent count if it never returned, for example because it was cancelled.
    """
    needs(run, rules.UNREAD_RETURN)
    machine = run.replay.machine
    read = {run.events[i].agent for i, _ in machine.reads}
    lost = machine.agents.keys() - read - {*run.roots, machine.stopper}
    events = zip(run.events, run.tokens, strict=True)
    return ratio(sum(n for event, n in events if event.agent in lost), sum(run.tokens), NO_TOKENS)


@metric("share", "[0, 1]", f"{UNANSWERED}, {NO_CALL}, or {NO_STEP}", high="much work did not contribute to the answer")
def wasted_work(run: MeasuredRun) -> Value:
    """1 - w(Anc(answer)) / w(all): the share of steps that did not lead to the answer.

    The answer is the last aggregation or stop with the reason `answered` that an importer did not infer. Without such
    an event, the answer is the last event that ended by `answer_available_at`.
    """
    shared.require(run.counts_model_calls, NO_CALL)
    answer = answer_of(run.trace, run.graph.order)
    if answer is None:
        raise shared.NotComputableError(UNANSWERED)
    useful = sum(compress(run.steps, ancestors(run.precedence, answer.index)))
    return 1 - ratio(useful, sum(run.steps), NO_STEP)


def left_open(run: MeasuredRun, rule: TraceRule) -> int:
    """Return the number of findings of a TW rule."""
    needs(run, rule)
    return sum(finding.rule is rule for finding in run.replay.loose_ends)


@metric("agents", null=not_recorded("return"), high="children are forgotten, crash, or the log ends before them")
def unreturned_children(run: MeasuredRun) -> Value:
    """Agents that were spawned and never returned (TW102)."""
    return left_open(run, rules.NEVER_RETURNED)


@metric("calls", null=not_recorded("result"), high="tools hang, or the log ends before their results")
def open_calls(run: MeasuredRun) -> Value:
    """Tool calls that never got a result (TW101)."""
    return left_open(run, rules.OPEN_CALL)
