"""The output of `claude -p`: the records of a session and of its sub-agents, then a result.

`--output-format stream-json` writes these records as lines; `json --verbose` and the GitHub action write one array.
"""

from collections import defaultdict
from collections.abc import Iterator

from awesome_cli.traces.importers.claude_code import recording
from awesome_cli.traces.importers.claude_links import SessionLines, linked
from awesome_cli.traces.importers.claude_log import TranscriptLine, read_log, tokens_of
from awesome_cli.traces.importers.foreign import Json, amount, count, grouped, mapping, moment, objects, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import Session
from awesome_cli.traces.importers.session_writer import session_trace

KINDS = {"system", "user", "assistant", "result"}


def detect(log: LogFile) -> bool:
    """Return True if a line has a known type, a `session_id`, and a key of a nested message, a result or a start."""
    return any(
        text(line.get("type")) in KINDS
        and "session_id" in line
        and ("parent_tool_use_id" in line or "num_turns" in line or "permissionMode" in line)
        for line in log.head
    )


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per session; raises `LogFileError` for a bare result (`json` without `--verbose`)."""
    known = (row for row in run.main.records() if text(row.get("type")) in KINDS)
    sessions = grouped(known, lambda row: text(row.get("session_id")))
    if sessions and all(row.get("type") == "result" for rows in sessions.values() for row in rows):
        hint = "record the run with claude -p --verbose --output-format json"
        raise LogFileError(f"{run.main.name}: the result of a run without its messages", hint=hint)
    for name, rows in sessions.items():
        messages = [row for row in rows if row.get("type") in ("user", "assistant")]
        clock = all(moment(row.get("timestamp")) is not None for row in messages)
        rec = recording(FORMAT.name, "us" if clock else "step", with_content=with_content)
        if not clock:
            rec.unrecorded |= {"duration"}
            rec.add_loss("times: some lines have none")
        session = _session(rec, messages)
        results = [row for row in rows if row.get("type") == "result"]
        costs = _stop(session, results) if results else {}
        if clock:
            costs.pop("wall_clock_s", None)
        yield from session_trace(rec, run, session, name=name or run.main.name, system="Claude Code", costs=costs)


def _session(rec: Recording, rows: list[Json]) -> Session:
    """Link the lines of a session and its sub-agents. Lines of a sub-agent have the id of the call that started it."""
    own: dict[str, list[TranscriptLine]] = defaultdict(list)
    names: dict[str, str] = {}
    for i, row in enumerate(rows):
        answer = mapping(row.get("tool_use_result"))
        at = moment(row.get("timestamp")) or 0 if rec.unit == "us" else i
        line = TranscriptLine(row | {"toolUseResult": answer}, at)
        own[text(row.get("parent_tool_use_id"))].append(line)
        for block in line.blocks if answer.get("agentId") else ():
            names[text(block.get("tool_use_id"))] = text(answer.get("agentId"))
    main = own.pop("", [])
    children = {
        (name := names.get(call) or call): read_log(lines, name, {"toolUseId": call}) for call, lines in own.items()
    }
    return linked(rec, SessionLines(main, children))


def _stop(session: Session, results: list[Json]) -> Json:
    """End a session with the status of its last result; return the costs of the whole process."""
    result, turn = results[-1], session.agents[session.root].turn
    if turn is not None:
        subtype = text(result.get("subtype"))
        failed = result.get("is_error") is True or subtype.startswith("error")
        turn.close(turn.last, "error" if failed else "ok", error=subtype)
        turn.answer, session.records_ends = result.get("result"), True
    models = objects(list(mapping(result.get("modelUsage")).values()))
    names = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")
    used = tokens_of(mapping(result.get("usage")))
    tokens = sum(count(model.get(name)) for model in models for name in names)
    tokens = tokens or count(used["tokens_in"]) + count(used["tokens_out"])
    spent = [model.usage for log in session.agents.values() for model in log.models]
    spent += [work.reported.usage for work in session.works if work.reported is not None]
    if not any(usage.get("tokens_partial") for usage in spent):
        tokens = 0
    duration = sum(amount(each.get("duration_ms")) for each in results) / 1000
    costs: Json = {"tokens": tokens, "cost_usd": amount(result.get("total_cost_usd")), "wall_clock_s": duration}
    return {key: value for key, value in costs.items() if value}


FORMAT = TraceFormat(
    "claude-stream", detect, convert, keys=("parent_tool_use_id", "total_cost_usd"),
    reads="the output of `claude -p --verbose` as `stream-json` or `json`; the `execution_file` of the GitHub action",
    spawns="`Task`/`Agent` calls; the last line of the sub-agent",
    inferred="aggregation; returns of sub-agents whose lines are missing",
    lost="durations, if lines have no times; the streamed parts of a message",
)  # fmt: skip
