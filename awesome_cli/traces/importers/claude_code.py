"""Claude Code: a session's JSON Lines, and the files of its sub-agents beside or below it.

Three layouts are read: sub-agents as `isSidechain` lines of the session's file, as `agent-<id>.jsonl` beside it, and in
`<session>/subagents/` at any depth, with or without `agent-<id>.meta.json`.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from awesome_cli.traces.importers._format import Home, RunFiles, TraceFormat
from awesome_cli.traces.importers.claude_files import around, bare, group, meta_file, session_id, uuids, workflow
from awesome_cli.traces.importers.claude_links import SessionLinks
from awesome_cli.traces.importers.claude_log import ClaudeLog, TranscriptLine, read_lines, read_log
from awesome_cli.traces.importers.foreign import Json, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import Session
from awesome_cli.traces.importers.session_writer import NO_ROOT, session_trace

ROOT = "main"
WEB = {"WebFetch", "WebSearch"}
WRITING = {"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"}
KINDS = {"user", "assistant", "progress", "system", "summary", "queue-operation", "file-history-snapshot"}
COMPACTION = "agent-acompact-"
"""Begins the names of files with the copy of a history that was shortened, and the model call that did so."""
CAVEATS = (
    "the end of the run: a session has no stop event",
    "retries of the interface: their time is part of the model call",
)

Lines = list[TranscriptLine]


def detect(log: LogFile) -> bool:
    """Return True for lines with a known type, a session's id, and a message or a parent."""
    return any(
        text(line.get("type")) in KINDS and "sessionId" in line and ("message" in line or "parentUuid" in line)
        for line in log.begin()
    )


@dataclass
class SessionLines:
    """The lines of one session, and its sub-agents by id."""

    main: Lines
    children: dict[str, ClaudeLog] = field(default_factory=dict)
    compactions: list[ClaudeLog] = field(default_factory=list)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield a trace per session in the main file; most files have one."""
    lines = list(read_lines(run.main))
    before = {name for log in run.before for name in uuids(log)}
    fresh = new(lines, before)
    copied = len(lines) - len(fresh)
    sessions = {name: _split(own, run) for name, own in by_session(fresh).items()}
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
        name = bare(log.path).removeprefix("agent-")
        home.children[name] = read_log(fresh, name, run.described(meta_file(log.path)))
        home.children[name].workflow = workflow(log.path)
    for session_name, each in sessions.items():
        rec = recording(FORMAT.name, with_content=with_content)
        rec.add_loss("lines copied from another run or thread", copied)
        session = linked(rec, each.main, each.children, each.compactions, _running(run))
        name = session_name or run.main.name
        yield from session_trace(rec, run, session, name=name, system="Claude Code", caveats=CAVEATS)


def recording(form: str, unit: str = "us", *, with_content: bool) -> Recording:
    """Return an empty recording that knows the tools of Claude Code."""
    rec = Recording(form, with_content, unit)
    rec.tools |= {name: {"output_trusted": False} for name in WEB}
    rec.tools |= {name: {"side_effect": True} for name in WRITING}
    return rec


def linked(
    rec: Recording,
    lines: Lines,
    children: dict[str, ClaudeLog],
    compactions: Sequence[ClaudeLog] = (),
    running: frozenset[str] = frozenset(),
) -> Session:
    """Return a session with everything linked; a sub-agent that is alone stands for it."""
    if not lines and len(children) == 1:
        root = children.popitem()[1]
        rec.add_loss(NO_ROOT)
    else:
        root = read_log(lines, ROOT)
    known = {model.id for log in (root, *children.values()) for model in log.models}
    for copy in compactions:
        # The last call is the one that shortened the history; those before it are copies.
        for model in [model for model in copy.models if model.id not in known][-1:]:
            root.models.append(replace(model, purpose="compaction"))
    return SessionLinks(root, children, running).link()


def new(lines: Lines, known: Container[str]) -> Lines:
    """Return the lines that repeat neither a line nor a message that is known, and that a fork did not copy."""
    own = (line for line in lines if not line.raw.get("forkedFrom"))
    return [line for line in own if line.uuid not in known and text(line.message.get("id")) not in known]


def by_session(lines: Lines) -> dict[str, Lines]:
    """Return lines by the id of their session; side chains can have an id of their own, which is no session."""
    own = [line.raw for line in lines if line.raw.get("isSidechain") is not True]
    names = {text(raw.get("sessionId")) for raw in own} - {""}
    current = session_id(own) or session_id(line.raw for line in lines)
    sessions: dict[str, Lines] = defaultdict(list)
    for line in lines:
        name = text(line.raw.get("sessionId"))
        current = name if name in names else current
        sessions[current].append(line)
    return sessions


def _running(run: RunFiles) -> frozenset[str]:
    """Return the agents of workflows that began and never ended, by the journals of the workflows."""
    state: dict[str, bool] = {}
    for path in sorted(run.side):
        for row in LogFile(path).records() if path.name == "journal.jsonl" else ():
            if row.get("type") in ("started", "result"):
                state[text(row.get("agentId"))] = row.get("type") == "started"
    return frozenset(name for name, open_ in state.items() if open_)


def _split(lines: Lines, run: RunFiles) -> SessionLines:
    """Split the lines of side chains off, by the id of their agent, else of their first line."""
    main: Lines = []
    inside: dict[str, Lines] = defaultdict(list)
    chain: dict[str, str] = {}
    for line in lines:
        if line.raw.get("isSidechain") is not True:
            main.append(line)
            continue
        name = text(line.raw.get("agentId")) or chain.get(text(line.raw.get("parentUuid"))) or f"side-{line.uuid[:8]}"
        chain[line.uuid] = name
        inside[name].append(line)
    # A sub-agent's file stands for its session if that has none.
    about = run.described(meta_file(run.main.path))
    return SessionLines(main, {name: read_log(own, name, about) for name, own in inside.items()})


FORMAT = TraceFormat(
    "claude-code", detect, convert, keys=("sessionId", "parentUuid"),
    reads="a session's `.jsonl` with its sub-agents inside, beside, or in `<session>/subagents/`; "
    "the folder of a session or of a project",
    spawns="`Task`/`Agent` calls; the end of a turn in the sub-agent's file",
    inferred="aggregation; returns, and tokens of the last call, of sub-agents whose files are missing",
    lost="the end of the run; retry time inside model calls",
    group=group, around=around, home=Home("claude", "CLAUDE_CONFIG_DIR", "~/.claude", ("projects",)),
)  # fmt: skip
