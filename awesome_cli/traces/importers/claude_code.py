"""Claude Code: a session's JSON Lines, and the files of its sub-agents beside or below it.

Three layouts are read: sub-agents as `isSidechain` lines of the session's file, as `agent-<id>.jsonl` beside it, and in
`<session>/subagents/`, with or without `agent-<id>.meta.json`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from awesome_cli.traces.importers._format import Home, TraceFormat
from awesome_cli.traces.importers.claude_lines import (
    Transcript,
    TranscriptCall,
    TranscriptLine,
    read_lines,
    read_transcript,
)
from awesome_cli.traces.importers.foreign import Json, content_hash, text
from awesome_cli.traces.importers.inference import infer_aggregates
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import RETURNS, SPAWNS, EventDraft, Recording
from awesome_cli.traces.importers.run_files import RunFiles

ROOT = "main"
SPAWNING = {"Task", "Agent"}
WEB = {"WebFetch", "WebSearch"}
WRITING = {"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"}
FETCHING = {"AgentOutputTool", "TaskOutput"}
KINDS = {"user", "assistant", "progress", "system", "summary", "queue-operation", "file-history-snapshot"}


def detect(log: LogFile) -> bool:
    """Lines with a known type, a session's id, and a message or a parent."""
    return any(
        text(line.get("type")) in KINDS and "sessionId" in line and ("message" in line or "parentUuid" in line)
        for line in log.head
    )


def around(path: Path) -> Path:
    """The folder of the project: that of the sessions' files."""
    return next((above.parent.parent for above in path.parents if above.name == "subagents"), path.parent)


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per session. Sub-agents belong to the session whose id their lines have, or by whose name their folder is.

    Their files `agent-acompact-*` are copies that were made when a history was shortened.
    """
    agents = [log for log in logs if log.path.name.startswith("agent-")]
    sessions = {log.path: log for log in logs if log not in agents}
    below: dict[Path, list[LogFile]] = defaultdict(list)
    lost: list[LogFile] = []
    by_id = {(path.parent, _session(log.head)): path for path, log in sessions.items()}
    for log in agents:
        folder = log.path.parent
        home = next((path for path in sessions if path.parent / path.stem / "subagents" == folder), None)
        home = home or by_id.get((folder, _session(log.head)))
        if home is None:
            lost.append(log)
        elif not log.path.name.startswith("agent-acompact-"):
            below[home].append(log)
    for path, log in sessions.items():
        own = sorted(below[path], key=lambda other: other.path)
        side = {meta for other in own if (meta := _meta(other.path)).is_file()}
        yield RunFiles(log, tuple(own), side=frozenset(side), id=_session(log.head))
    yield from (RunFiles(log) for log in lost)


def _meta(path: Path) -> Path:
    return path.with_suffix(".meta.json")


def _session(records: Iterable[Json]) -> str:
    return next((name for record in records if (name := text(record.get("sessionId")))), "")


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """The session as one trace."""
    lines = list(read_lines(run.main))
    rec = Recording(FORMAT.name, with_content)
    rec.tools |= {name: {"output_trusted": False} for name in WEB}
    rec.tools |= {name: {"side_effect": True} for name in WRITING}
    main, inside = _split(lines)
    children: dict[str, Transcript] = {name: read_transcript(own, name) for name, own in inside.items()}
    for other in run.others:
        name = other.path.name.removeprefix("agent-").removesuffix(".jsonl")
        meta = _meta(other.path)
        about = LogFile(meta).first if meta in run.side else {}
        children[name] = read_transcript(list(read_lines(other)), name, about)
    rec.add_loss("lines that are not JSON", run.broken())
    alone = not main and len(children) == 1
    session = read_transcript(main, ROOT) if not alone else children.pop(next(iter(children)))
    _SessionWriter(rec, children).write(session)
    if not rec.drafts:
        return
    rec.unrecorded |= {"stop"}
    rec.add_loss("the end of the run: a session has no stop event")
    rec.add_loss("retries of the interface: their time is part of the model call")
    prompt = session.prompts[0].text if session.prompts else ""
    yield rec.trace(
        trace_id=_session(line.raw for line in lines) or run.main.name,
        task_id=(content_hash(prompt) or "no prompt").replace("sha256:", "prompt-")[:23],
        system="Claude Code",
        provenance=run.provenance,
    )


def _split(lines: list[TranscriptLine]) -> tuple[list[TranscriptLine], dict[str, list[TranscriptLine]]]:
    """The session's own lines, and those of side chains by the id of their agent, else of their first line."""
    main: list[TranscriptLine] = []
    inside: dict[str, list[TranscriptLine]] = defaultdict(list)
    chain: dict[str, str] = {}
    for line in lines:
        if line.raw.get("isSidechain") is not True:
            main.append(line)
            continue
        name = text(line.raw.get("agentId")) or chain.get(text(line.raw.get("parentUuid"))) or f"side-{line.uuid[:8]}"
        chain[line.uuid] = name
        inside[name].append(line)
    return main, dict(inside)


class _SessionWriter:
    """Records the events of a session and of its sub-agents, each once."""

    def __init__(self, rec: Recording, children: dict[str, Transcript]) -> None:
        self.rec = rec
        self.children = children
        self.known: set[str] = set()
        self.background: dict[str, list[EventDraft]] = defaultdict(list)

    def write(self, session: Transcript) -> None:
        self.known.add(session.agent)
        self.rec.root(session.agent)
        self._agent(session)
        for name, orphan in list(self.children.items()):
            if name not in self.known:
                self._orphan(name, orphan, session.agent)
        infer_aggregates(self.rec)

    def _orphan(self, name: str, own: Transcript, session: str) -> None:
        """Record a sub-agent whose starting call is unknown; its meta file can name the parent."""
        self.rec.add_loss("which call started a sub-agent: its spawn and return are inferred")
        parent = text(own.meta.get("parentAgentId"))
        by = parent if parent in self.known else session
        first, last = own.first, own.last
        if first is None or last is None:
            return
        self._spawned(by, name, first.at, role=own.role, inferred=True)
        self._agent(own)
        self.rec.add("return", name, last.at, phase=RETURNS, to=by, content=own.answer, inferred=True)

    def _agent(self, own: Transcript) -> None:
        """Record everything that one agent did; `_spawn` does so for its children."""
        for model in own.models:
            about: dict[str, Any] = {"model": model.model, **model.usage, "source": model.id}
            draft = self.rec.add("llm_call", own.agent, model.begin, end=model.end, content=model.content, **about)
            self.rec.agent(own.agent, model=model.model)
            own.drafts.append(draft)
        self.rec.add_loss("messages that the interface wrote in the name of an agent", own.synthetic)
        for prompt in own.prompts[1:] if own.agent in self.rec.roots else []:
            about = {"content": prompt.text, "source": prompt.uuid, "sender": "user"}
            self.rec.add("human_intervention", own.agent, prompt.at, **about)
        for call in own.calls:
            self._call(own, call)
        self._deliver(own)

    def _call(self, own: Transcript, call: TranscriptCall) -> None:
        target = text(call.arguments.get("to") or call.arguments.get("recipient"))
        if call.name in SPAWNING:
            self._spawn(own, call)
        elif call.name == "SendMessage" and target in self.known | set(self.children):
            words = call.arguments.get("message") or call.arguments.get("content")
            self.rec.add("message", own.agent, call.begin, to=target, content=words, source=call.id, sender=own.agent)
        else:
            self.rec.call(
                own.agent,
                call.name,
                call.begin,
                end=call.end,
                call_id=call.id,
                arguments=call.arguments,
                result=call.result,
                answered=call.answered,
                status=call.status,
            )
        if call.name in FETCHING and call.answered:
            own.delivered[text(call.arguments.get("task_id") or call.arguments.get("agentId"))] = call.end or call.begin

    def _spawn(self, own: Transcript, call: TranscriptCall) -> None:
        """Record a sub-agent. It is found by the id in the call's result, by its meta file, or by its prompt."""
        prompt = text(call.arguments.get("prompt"))
        name = call.agent_id or self._by_prompt(call.id, prompt) or f"agent-{call.id[-8:]}"
        role = text(call.arguments.get("subagent_type"))
        child = self.children.get(name)
        first = child.first.at if child is not None and child.first is not None else call.begin
        again = name in self.known
        self._spawned(own.agent, name, min(call.begin, first), role=role, content=prompt, source=call.id)
        if child is None and not again:
            self.rec.add_loss("events of sub-agents whose files are missing")
        if child is not None and not again:
            self._agent(child)
        if not call.answered and (child is None or child.last is None):
            return
        last = child.last.at if child is not None and child.last is not None and not again else call.end or call.begin
        draft = self.rec.add(
            "return",
            name,
            last,
            phase=RETURNS,
            to=own.agent,
            content=child.answer if child is not None and not again else call.result,
            inferred=child is None,
            delivery="explicit" if call.background else "",
            status=call.status,
        )
        if call.background:
            self.background[own.agent].append(draft)

    def _by_prompt(self, call_id: str, prompt: str) -> str:
        for name, child in self.children.items():
            asked = child.prompts[0].text if child.prompts else ""
            if name not in self.known and (child.meta.get("toolUseId") == call_id or (prompt and asked == prompt)):
                return name
        return ""

    def _spawned(self, by: str, name: str, at: int, *, role: str, inferred: bool = False, **about: Any) -> None:
        """Record the spawn of an agent, or the delegation to one that is known."""
        kind = "delegate" if name in self.known else "spawn"
        self.known.add(name)
        self.rec.agent(name, role=role)
        self.rec.add(kind, by, at, phase=SPAWNS, to=name, role=role, inferred=inferred, **about)

    def _deliver(self, own: Transcript) -> None:
        """Add `inputs` to the model calls that read returns of background agents: the first after each notification.

        They also read all other returns since the call before.
        """
        returns = self.background.pop(own.agent, [])
        read: dict[int, list[EventDraft]] = defaultdict(list)
        calls = sorted(own.drafts, key=lambda draft: draft.key)
        for draft in returns:
            child = text(draft.body["agent"])
            starter = next((call.id for call in own.calls if call.agent_id == child), child)
            at = own.notified_at(child, {child, starter})
            reader = next((i for i, n in enumerate(calls) if at is not None and n.t >= max(at, draft.t)), None)
            if reader is not None:
                read[reader].append(draft)
        for i, returned in read.items():
            before = calls[i - 1].t if i else 0
            direct = [
                n
                for n in self.rec.drafts
                if n.body["type"] == "return" and n.body.get("to") == own.agent and "delivery" not in n.body
                if before <= n.t <= calls[i].t
            ]
            calls[i].body["inputs"] = [*direct, *returned]


FORMAT = TraceFormat(
    "claude-code", detect, convert, keys=("sessionId", "parentUuid"),
    reads="a session's `.jsonl` with its sub-agents inside, beside, or in `<session>/subagents/`; "
    "the folder of a session or of a project",
    spawns="`Task`/`Agent` calls; the last line of the sub-agent's file",
    inferred="aggregation; returns of sub-agents whose files are missing",
    lost="the end of the run; retry time inside model calls",
    group=group, around=around, home=Home("claude", "CLAUDE_CONFIG_DIR", "~/.claude", ("projects",)),
)  # fmt: skip
