"""What formats leave out and their structure implies. Everything here is marked `inferred`."""

from collections import defaultdict

from awesome_cli.traces.importers.recording import AFTER, ENDS, STOPS, EventDraft, Recording

LIMITS = (
    "max_turns",
    "maxturns",
    "max turns",
    "max_iterations",
    "max_messages",
    "recursion",
    "budget",
    "cost",
    "limit",
)
CLOCKS = ("timeout", "timed out", "deadline")


def stop_reason(status: str, error_type: str) -> str:
    """Why a run ended, in the words of the schema: from its last status and the kind of its error."""
    words = error_type.casefold()
    if any(word in words for word in CLOCKS) or status == "timeout":
        return "timeout"
    if any(word in words for word in LIMITS):
        return "budget"
    if status == "cancelled":
        return "cancelled"
    return "error" if status == "error" else "answered"


def infer_stop(rec: Recording, agent: str, t: int, *, status: str = "", error_type: str = "") -> None:
    """The end of the run, which no span format writes down."""
    t = max([t, *(draft.end for draft in rec.drafts)])
    rec.add("stop", agent, t, phase=STOPS, reason=stop_reason(status, error_type), scope="trace", inferred=True)


def infer_aggregates(rec: Recording) -> None:
    """An agent combines what came back in its first model call after the last of the answers that it waited for.

    The aggregation stands at the end of that call. While a child is still running the agent is not done waiting.
    """
    own: dict[str, list[EventDraft]] = defaultdict(list)
    for draft in rec.drafts:
        body = draft.body
        if body["type"] in {"llm_call", "spawn", "delegate", "aggregate"}:
            own[str(body["agent"])].append(draft)
        elif body["type"] == "return":
            own[str(body.get("to"))].append(draft)
    for agent, notes in own.items():
        waiting, back = 0, 0
        for draft in sorted(notes, key=lambda n: n.key):
            match draft.body["type"]:
                case "spawn" | "delegate" if draft.body.get("mode") != "pass_control":
                    waiting += 1
                case "return":
                    waiting, back = max(waiting - 1, 0), back + 1
                case "aggregate":
                    back = 0
                case "llm_call" if back and not waiting:
                    rec.add("aggregate", agent, draft.end, phase=ENDS if draft.end > draft.t else AFTER, inferred=True)
                    back = 0
