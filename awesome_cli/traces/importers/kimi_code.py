"""Kimi Code: a session's folder with `agents/<id>/wire.jsonl` for each agent, `state.json` and the files of tasks."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.traces.importers._format import Home, RunFiles, TraceFormat
from awesome_cli.traces.importers.foreign import Json, mapping, moment, reach, text
from awesome_cli.traces.importers.kimi_code_lines import CodeReader, read_code
from awesome_cli.traces.importers.kimi_run import ROOT, KimiLog, run_trace, session_runs
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session_writer import NO_ROOT

WIRE = {*CodeReader.LINES, "context.append_loop_event"}
SIDE = ("state.json", "agents", "tasks", "notify", "logs")
SESSION = re.compile(r"session_[^/\\]+")


def detect(log: LogFile) -> bool:
    """Lines of the wire protocol, each with a time; or its first line, with the time at which it was created."""
    if log.first.get("type") == "metadata" and {"protocol_version", "created_at"} <= log.first.keys():
        return True
    kinds = ((line.get("time"), text(line.get("type"))) for line in log.begin())
    return any(moment(time) and kind in WIRE for time, kind in kinds)


def around(path: Path) -> Path:
    """The folder of the session; for a file that is in none, the file itself."""
    return _session(path) or path


def _session(path: Path) -> Path | None:
    return path.parents[2] if len(path.parents) > 2 and path.parents[1].name == "agents" else None


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per session."""
    return session_runs(logs, lambda path: (_session(path) or path, path.parent.name), SIDE)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """The session as one trace."""
    rec = Recording(FORMAT.name, with_content)
    folder = _session(run.main.path)
    state = run.described(folder / "state.json") if folder else {}
    logs = {log.id: log for log in (_agent(log, state) for log in (run.main, *run.others))}
    alone = next(iter(logs)) if len(logs) == 1 else ROOT
    root = logs.get(ROOT) or logs.get(alone) or KimiLog(ROOT)
    if root.id != ROOT:
        rec.add_loss(NO_ROOT)
    home = SESSION.search(text(reach(state, "agents", ROOT, "homedir")))
    session = text(state.get("id")) or (home.group() if home else "")
    yield from run_trace(rec, run, root, logs, session, "Kimi Code")


def _agent(log: LogFile, state: Json) -> KimiLog:
    """One agent, with what the session's state says of it."""
    named = next((name for line in log.begin() if (name := text(line.get("agentId")))), ROOT)
    own = read_code(log, log.path.parent.name if _session(log.path) else named)
    about = mapping(reach(state, "agents", own.id))
    own.parent = text(about.get("parentAgentId")) or text(reach(about, "labels", "parentAgentId"))
    own.role = own.role or text(reach(about, "labels", "profileName"))
    return own


FORMAT = TraceFormat(
    "kimi-code", detect, convert, keys=("protocol_version", "usageScope"),
    reads="a session's folder with `agents/*/wire.jsonl` (protocol 1.0 to 1.5), or one of these files",
    spawns="`Agent` and `AgentSwarm` calls; the end of the sub-agent's turn",
    inferred="aggregation; what sub-agents without a file or without a call did",
    lost="failed requests to a model; times before the first request of a queued sub-agent",
    group=group, around=around, home=Home("kimi", "KIMI_CODE_HOME", "~/.kimi-code", ("sessions",)),
)  # fmt: skip
