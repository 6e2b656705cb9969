"""SWE-agent: one agent's trajectory of thoughts, commands and observations, without times."""

from collections.abc import Iterator

from awesome_cli.traces.importers.foreign import Json, amount, count, mapping, objects, reach, text
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording

# Reasons of a stop, by a part of `exit_status`; the first part that matches decides.
REASONS = {
    "cost": "budget", "context": "budget", "time": "timeout", "format": "error", "api": "error", "error": "error",
    "command": "human", "early": "no_progress", "submitted": "answered",
}  # fmt: skip


def detect(log: LogFile) -> bool:
    """Return True if a step of the `trajectory` or `history` has an action and an observation."""
    return any("action" in step and "observation" in step for step in _steps(log.first))


def _steps(doc: Json) -> list[Json]:
    """Return the steps; if the file has only a `history`, pair each action with the observation after it."""
    steps = objects(doc.get("trajectory"))
    for message in objects(doc.get("history")) if not steps else ():
        content, kind = message.get("content"), message.get("message_type")
        if kind == "action":
            steps.append({"response": content} | message)
        elif kind == "observation" and steps and "observation" not in steps[-1]:
            steps[-1]["observation"] = content
    return steps


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield one trace; a step becomes an inferred model call, a decision, a tool call and its result."""
    log = run.main
    doc, name = log.first, "agent"
    rec = Recording(FORMAT.name, with_content, unit="step")
    rec.root(name, role="software engineer")
    rec.add_loss("times: t counts events")
    rec.add_loss("tokens per model call: only totals are recorded")
    rec.add_loss("failed commands: the format keeps no exit code")
    steps = _steps(doc)
    if any("execution_time" in step for step in steps):
        rec.add_loss("execution times of commands")
    for i, step in enumerate(steps):
        response, action = text(step.get("response")), text(step.get("action")).strip()
        rec.add("llm_call", name, 2 * i, inferred=True, content=response)
        rec.add("orchestrator_decision", name, 2 * i, content=text(step.get("thought")) or response)
        if action:
            # The command's first word is the tool; the rest are its arguments.
            tool, result = action.split()[0][:80], text(step.get("observation"))
            rec.call(name, tool, 2 * i + 1, arguments=action, result=result, answered="observation" in step)
    status = text(reach(doc, "info", "exit_status"))
    if status:
        reason = next((why for part, why in REASONS.items() if part in status.casefold()), "unspecified")
        rec.add("stop", name, 2 * len(steps), reason=reason, scope="trace")
    rec.unrecorded |= {"duration"} | (set() if status else {"stop"})
    stats = mapping(reach(doc, "info", "model_stats"))
    tokens = count(stats.get("tokens_sent")) + count(stats.get("tokens_received"))
    costs: Json = {"tokens": tokens, "model_calls": count(stats.get("api_calls"))} if stats else {}
    if amount(stats.get("instance_cost")):
        costs["cost_usd"] = amount(stats.get("instance_cost"))
    if rec.drafts:
        yield rec.trace(
            trace_id=log.stem, task_id=text(reach(doc, "replay_config", "agent", "name")) or log.stem,
            system="SWE-agent", topology="harness", costs=costs, provenance=log.provenance,
        )  # fmt: skip


FORMAT = TraceFormat(
    "swe-agent", detect, convert, keys=("history", "trajectory"),
    reads="`.traj`, or its `history` alone",
    spawns="one agent",
    inferred="one model call per step (the format has totals only)", lost="times; tokens per call; exit codes",
)  # fmt: skip
