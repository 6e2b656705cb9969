"""The output of `claude -p`: the records of a session and of its sub-agents, then a result.

`--output-format stream-json` writes them as lines, `json --verbose` and the GitHub action as one array.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from awesome_cli.traces.importers._format import RunFiles, TraceFormat
from awesome_cli.traces.importers.claude_code import SessionLines, finish, record, recording
from awesome_cli.traces.importers.claude_lines import TranscriptLine, tokens_of
from awesome_cli.traces.importers.claude_reading import read_log
from awesome_cli.traces.importers.foreign import Json, amount, count, mapping, moment, objects, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError
from awesome_cli.traces.importers.recording import STOPS, Recording

KINDS = {"system", "user", "assistant", "result"}


def detect(log: LogFile) -> bool:
    """Lines with a known type and `session_id`: messages as Claude Code nests them, or its result."""
    return any(
        text(line.get("type")) in KINDS
        and "session_id" in line
        and ("parent_tool_use_id" in line or "num_turns" in line or "permissionMode" in line)
        for line in log.head
    )


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """A trace per session."""
    for name, rows in _sessions(run.main).items():
        messages = [row for row in rows if row.get("type") in ("user", "assistant")]
        clock = all(moment(row.get("timestamp")) is not None for row in messages)
        rec = recording(FORMAT.name, "us" if clock else "step", with_content=with_content)
        rec.add_loss("lines that are not JSON", run.broken())
        if not clock:
            rec.unrecorded |= {"duration"}
            rec.add_loss("times: not every line has one")
        session, _ = record(rec, _session(messages, clock=clock))
        results = [row for row in rows if row.get("type") == "result"]
        if not rec.drafts:
            continue
        if results:
            rec.unrecorded.discard("stop")
            _stop(rec, session.name, results[-1])
        costs = _costs(results, clock=clock)
        if not any(draft.body.get("tokens_partial") for draft in rec.drafts):
            costs.pop("tokens", None)
        yield finish(rec, session, name or run.main.name, run, costs=costs)


def _sessions(log: LogFile) -> dict[str, list[Json]]:
    """The records by session; raises `LogFileError` for results alone, as `json` without `--verbose` writes them."""
    sessions: dict[str, list[Json]] = defaultdict(list)
    for row in log.records():
        if text(row.get("type")) in KINDS:
            sessions[text(row.get("session_id"))].append(row)
    if sessions and all(row.get("type") == "result" for rows in sessions.values() for row in rows):
        hint = "record the run with claude -p --verbose --output-format json"
        raise LogFileError(f"{log.name}: the result of a run without its messages", hint=hint)
    return sessions


def _session(rows: list[Json], *, clock: bool) -> SessionLines:
    """The lines of the session, and those of sub-agents by the call that started them, or by the id in its result."""
    own: dict[str, list[TranscriptLine]] = defaultdict(list)
    names: dict[str, str] = {}
    for i, row in enumerate(rows):
        answer = mapping(row.get("tool_use_result"))
        t = moment(row.get("timestamp")) or 0 if clock else i
        line = TranscriptLine(text(row.get("type")), t, text(row.get("uuid")), row | {"toolUseResult": answer})
        own[text(row.get("parent_tool_use_id"))].append(line)
        for block in line.blocks if answer.get("agentId") else ():
            names[text(block.get("tool_use_id"))] = text(answer.get("agentId"))
    main = own.pop("", [])
    children = {
        (name := names.get(call) or call): read_log(lines, name, {"toolUseId": call}) for call, lines in own.items()
    }
    return SessionLines(main, children)


def _stop(rec: Recording, agent: str, result: Json) -> None:
    """Record the end of the run, as the result line says it."""
    subtype = text(result.get("subtype"))
    failed = result.get("is_error") is True or subtype.startswith("error")
    reason = "budget" if "max_" in subtype else "error" if failed else "answered"
    last = max(draft.end for draft in rec.drafts)
    about: dict[str, Any] = {"reason": reason, "content": result.get("result"), "source": text(result.get("uuid"))}
    rec.add("stop", agent, last, phase=STOPS, **about)


def _costs(results: list[Json], *, clock: bool) -> Json:
    """The totals of the last result: its cost covers the whole process, and its usage all models."""
    if not results:
        return {}
    models = objects(list(mapping(results[-1].get("modelUsage")).values()))
    names = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")
    used = tokens_of(mapping(results[-1].get("usage")))
    of_models = sum(count(model.get(name)) for model in models for name in names)
    tokens = of_models or count(used["tokens_in"]) + count(used["tokens_out"])
    duration = sum(amount(result.get("duration_ms")) for result in results) / 1000
    found: Json = {"tokens": tokens, "cost_usd": amount(results[-1].get("total_cost_usd"))}
    found |= {} if clock else {"wall_clock_s": duration}
    return {key: value for key, value in found.items() if value}


FORMAT = TraceFormat(
    "claude-stream", detect, convert, keys=("parent_tool_use_id", "total_cost_usd"),
    reads="the output of `claude -p --verbose` as `stream-json` or `json`; the `execution_file` of the GitHub action",
    spawns="`Task`/`Agent` calls; the last line of the sub-agent",
    inferred="aggregation; returns of sub-agents whose lines are missing",
    lost="durations, where lines have no times; parts of a message as they were streamed",
)  # fmt: skip
