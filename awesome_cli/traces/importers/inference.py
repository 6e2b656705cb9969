"""Events that formats do not record, but that follow from their structure. All of them are marked `inferred`."""

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

from awesome_cli.traces.importers.event_order import EventDraft, by_cause
from awesome_cli.traces.importers.recording import AFTER, ENDS, Recording

LIMITS = (
    "max_turns", "maxturns", "max turns", "max_iterations", "max_messages", "recursion", "budget", "cost",
    "limit",
)  # fmt: skip
CLOCKS = ("timeout", "timed out", "deadline")


def stop_reason(status: str, error_type: str) -> str:
    """The reason of a stop event, from the last status and the type of the error."""
    words = error_type.casefold()
    if any(word in words for word in CLOCKS) or status == "timeout":
        return "timeout"
    if any(word in words for word in LIMITS):
        return "budget"
    if status == "cancelled":
        return "cancelled"
    return "error" if status == "error" else "answered"


def infer_aggregates(rec: Recording) -> None:
    """Add the aggregations: an agent combines returns in its first model call after the last child has returned.

    The aggregation is added at the end of that call. An explicit return counts where it is read; an agent that was
    stopped will not return.
    """
    by_agent: dict[str, list[EventDraft]] = defaultdict(list)
    spawners = {draft.body["to"]: draft.body["agent"] for draft in rec.drafts if draft.body["type"] == "spawn"}
    for draft in rec.drafts:
        body = draft.body
        if body["type"] in {"llm_call", "spawn", "delegate", "aggregate"}:
            by_agent[str(body["agent"])].append(draft)
        elif body["type"] == "return":
            by_agent[str(body.get("to"))].append(draft)
        elif body["type"] == "stop" and body.get("scope") == "agent":
            by_agent[str(spawners.get(body["agent"]))].append(draft)
    for agent, drafts in by_agent.items():
        for call in aggregating_calls(list(by_cause(drafts))):
            rec.add("aggregate", agent, call.end, phase=ENDS if call.end > call.t else AFTER, inferred=True)


def aggregating_calls(drafts: list[EventDraft]) -> Iterator[EventDraft]:
    """The model calls, among the events of one agent, that combine returns."""
    running, returned = 0, 0
    for draft in drafts:
        match draft.body["type"]:
            case "spawn" | "delegate" if draft.body.get("mode") != "pass_control":
                running += 1
            case "return" | "stop" as kind:
                running = max(running - 1, 0)
                returned += kind == "return" and draft.body.get("delivery") != "explicit"
            case "aggregate":
                returned = 0
            case "llm_call":
                read = cast("list[EventDraft]", draft.body.get("inputs", []))
                returned += sum(r.body["type"] == "return" and r.body.get("delivery") == "explicit" for r in read)
                if returned and not running:
                    yield draft
                    returned = 0
