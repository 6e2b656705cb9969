"""Claude Code: a session's JSON Lines, and the files of its sub-agents beside or below it.

Sub-agents are read from three layouts: as `isSidechain` lines in the session's file, as `agent-<id>.jsonl` beside that
file, and in `<session>/subagents/` at any depth, with or without `agent-<id>.meta.json`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from awesome_cli.files.paths import below_named, is_file
from awesome_cli.traces.importers.claude_links import ROOT, SessionLines, linked
from awesome_cli.traces.importers.claude_log import TranscriptLine, read_lines, read_log
from awesome_cli.traces.importers.foreign import Json, grouped, moment, text
from awesome_cli.traces.importers.log_file import SAMPLE, Home, LogFile, LogFileError, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session_writer import session_trace

FOLDER = "subagents"
# Quotes inside a text are escaped, so only ids of lines match.
UUID = re.compile(r'"uuid"(?<!\\"uuid"): ?"([^"\\]+)"')
WEB = {"WebFetch", "WebSearch"}
WRITING = {"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"}
KINDS = {"user", "assistant", "progress", "system", "summary", "queue-operation", "file-history-snapshot"}
COMPACTION = "agent-acompact-"
"""Prefix of the log of a compaction: a copy of the history, and the model call that shortened the history."""
CAVEATS = (
    "the end of the run: a session has no stop event",
    "retries of the interface: their time is part of the model call",
)

Lines = list[TranscriptLine]


def detect(log: LogFile) -> bool:
    """Return True if a line has a known type, a session's id, and a message or a parent."""
    return any(
        text(line.get("type")) in KINDS and "sessionId" in line and ("message" in line or "parentUuid" in line)
        for line in log.begin()
    )


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per session in the main file; most files have one."""
    lines = list(read_lines(run.main))
    before = {name for log in run.before for name in uuids(log)}
    fresh = new(lines, before)
    copied = len(lines) - len(fresh)
    # If the session's own file is missing, a sub-agent's file is the main log.
    sessions = _sessions(fresh, run.described(meta_file(run.main.path)))
    known = before | {line.uuid for line in lines} | {text(line.message.get("id")) for line in lines}
    for log in run.others:
        lines = list(read_lines(log))
        fresh = new(lines, known - {""})
        copied += len(lines) - len(fresh)
        home = sessions.get(session_id(line.raw for line in lines)) or next(iter(sessions.values()), None)
        if home is None or not fresh:
            continue
        if log.path.name.startswith(COMPACTION):
            home.compactions.append(read_log(fresh, ROOT))
            continue
        child = read_log(fresh, bare(log.path).removeprefix("agent-"), run.described(meta_file(log.path)))
        child.workflow = log.path.parent.name if log.path.parent.parent.name == "workflows" else ""
        home.children[child.id] = child
    for name, each in sessions.items():
        rec = recording(FORMAT.name, with_content=with_content)
        rec.add_loss("lines copied from another run or thread", copied)
        session = linked(rec, each)
        yield from session_trace(rec, run, session, name=name or run.main.name, system="Claude Code", caveats=CAVEATS)


def recording(form: str, unit: str = "us", *, with_content: bool) -> Recording:
    """Return an empty recording with the properties of Claude Code's tools."""
    rec = Recording(form, with_content, unit)
    rec.tools |= {name: {"output_trusted": False} for name in WEB}
    rec.tools |= {name: {"side_effect": True} for name in WRITING}
    return rec


def new(lines: Lines, known: Container[str]) -> Lines:
    """Return the lines that are not copies: not copied by a fork, and no line or message id in `known`."""
    own = (line for line in lines if not line.raw.get("forkedFrom"))
    return [line for line in own if line.uuid not in known and text(line.message.get("id")) not in known]


def _sessions(lines: Lines, about: Json) -> dict[str, SessionLines]:
    """Group lines by session id, and lines of side chains by the id of their agent or first line.

    A session id that only side chains have is ignored.
    """
    own = [line.raw for line in lines if line.raw.get("isSidechain") is not True]
    names = {text(raw.get("sessionId")) for raw in own} - {""}
    current = session_id(own) or session_id(line.raw for line in lines)
    sessions: dict[str, SessionLines] = defaultdict(SessionLines)
    inside: dict[tuple[str, str], Lines] = defaultdict(list)
    chain: dict[str, str] = {}
    for line in lines:
        session = text(line.raw.get("sessionId"))
        current = session if session in names else current
        if line.raw.get("isSidechain") is not True:
            sessions[current].main.append(line)
            continue
        name = text(line.raw.get("agentId")) or chain.get(text(line.raw.get("parentUuid"))) or f"side-{line.uuid[:8]}"
        chain[line.uuid] = name
        inside[current, name].append(line)
    for (session, name), chained in inside.items():
        sessions[session].children[name] = read_log(chained, name, about)
    return sessions


def bare(path: Path) -> str:
    """Return a file's name without suffixes: the id of a session, or `agent-` and the id of a sub-agent."""
    return re.sub(r"(\.(jsonl?|log))?(\.(gz|zst))?\Z", "", path.name)


def meta_file(path: Path) -> Path:
    """Return the path of the meta file of a sub-agent, which is beside its log."""
    return path.with_name(f"{bare(path)}.meta.json")


def around(path: Path) -> Path:
    """Return the project folder, which holds the files of its sessions."""
    place = _place(path)
    return place.parent if place else path.parent


def _place(path: Path) -> Path | None:
    """Return the session folder that contains a sub-agent's file, at any depth."""
    return next((above.parent for above in path.parents if above.name == FOLDER), None)


def session_id(records: Iterable[Json]) -> str:
    """Return the first session id in some lines; empty if no line has any."""
    return next((name for record in records if (name := text(record.get("sessionId")))), "")


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per session. The session of a sub-agent is named by its folder or by the session id in its lines.

    If the session's own file is missing, its sub-agents form a run.
    """
    agents = [log for log in logs if log.path.name.startswith("agent-")]
    sessions = [log for log in logs if not log.path.name.startswith("agent-")]
    homes = {log.path.parent / bare(log.path): log.path for log in sessions}
    ids = {log.path: session_id(log.begin()) for log in sessions}
    by_id = {(log.path.parent, ids[log.path]): log.path for log in sessions}
    children: dict[Path | tuple[Path, str], list[LogFile]] = defaultdict(list)
    for log in sorted(agents, key=lambda log: log.path):
        folder, name = _place(log.path), session_id(log.begin())
        home = homes.get(folder or Path()) or by_id.get((log.path.parent, name))
        children[home or (folder or log.path.parent, name)].append(log)
    before = repeated(sessions)
    for log in sessions:
        others = children.pop(log.path, [])
        side = _metas(others) | set(below_named(log.path.parent, bare(log.path))) - {other.path for other in others}
        yield RunFiles(log, tuple(others), before.get(log.path, ()), frozenset(side), ids[log.path])
    for main, *others in children.values():
        yield RunFiles(main, tuple(others), side=frozenset(_metas([main, *others])))


def _metas(logs: Iterable[LogFile]) -> set[Path]:
    return {meta for log in logs if is_file((meta := meta_file(log.path)).parent, meta.name)}


def repeated(sessions: Sequence[LogFile]) -> Mapping[Path, tuple[LogFile, ...]]:
    """Map the path of each session to the earlier sessions in the same folder whose lines it repeats.

    A fork and a continued session repeat lines with the same ids. The copy is the session that is marked as a copy,
    else the session that begins later, else the session with more lines.
    """
    earlier: dict[Path, tuple[LogFile, ...]] = {}
    folders = grouped(sessions, lambda log: log.path.parent)
    for logs in (logs for logs in folders.values() if len(logs) > 1):
        heads = {log: set(islice(uuids(log), SAMPLE)) for log in logs}
        holders: dict[str, set[LogFile]] = {name: set() for head in heads.values() for name in head}
        lengths: Counter[LogFile] = Counter()
        for log in logs:
            for name in uuids(log):
                if name in holders:
                    holders[name].add(log)
                    lengths[log] += 1
        for log, head in heads.items():
            related = {other for name in head for other in holders[name]}
            order = sorted(related, key=lambda each: _age(each, lengths[each])) if len(related) > 1 else [log]
            earlier[log.path] = tuple(order[: order.index(log)])
    return earlier


def _age(log: LogFile, lines: int) -> tuple[bool, int, int, Path]:
    begin = min((at for line in log.head if (at := moment(line.get("timestamp"))) is not None), default=0)
    return any("forkedFrom" in line for line in log.head), begin, lines, log.path


def uuids(log: LogFile) -> Iterator[str]:
    """Yield the ids of a log's lines; nothing for an unreadable log."""
    try:
        for line in log.lines():
            yield from UUID.findall(line)
    except (LogFileError, OSError):
        return


FORMAT = TraceFormat(
    "claude-code", detect, convert, keys=("sessionId", "parentUuid"),
    reads="a session's `.jsonl` with its sub-agents inside, beside, or in `<session>/subagents/`; "
    "the folder of a session or of a project",
    spawns="`Task`/`Agent` calls; the end of a turn in the sub-agent's file",
    inferred="aggregation; returns, and tokens of the last call, of sub-agents whose files are missing",
    lost="the end of the run; retry time inside model calls",
    group=group, around=around, home=Home("claude", "CLAUDE_CONFIG_DIR", "~/.claude", ("projects",)),
)  # fmt: skip
