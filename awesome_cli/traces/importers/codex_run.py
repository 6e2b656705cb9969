"""Link the logs of Codex threads into a session."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from awesome_cli.traces.importers.foreign import Json, decoded, items, mapping, reach, text
from awesome_cli.traces.importers.log_file import RunFiles
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import (
    AgentLog,
    Assignment,
    HumanWait,
    Message,
    RecordedCall,
    Session,
    WorkEnd,
)
from awesome_cli.traces.importers.session_writer import session_trace

DELEGATING = {"send_input", "followup_task"}
CHANGING = {"apply_patch", "exec_command", "local_shell", "shell", "shell_command", "write_stdin"}


@dataclass
class CodexLog(AgentLog):
    """The log of a thread, which is one agent; `meta` is the description in its first line.

    `started` maps the id of a call to the thread that the call created. `ended` lists the ends of other threads' turns
    that this thread saw: the names of the thread, `completed` or `interrupted`, and the time.
    """

    prompts: list[tuple[int, str]] = field(default_factory=list)
    started: dict[str, str] = field(default_factory=dict)
    ended: list[tuple[set[str], str, int]] = field(default_factory=list)
    copied: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parent = text(reach(self.meta, "source", "subagent", "thread_spawn", "parent_thread_id"))
        self.role = self.about("agent_role")
        self.is_root = not self.parent

    def about(self, name: str) -> str:
        """Return a field of the thread's description, or of its spawn's description."""
        return text(self.meta.get(name) or reach(self.meta, "source", "subagent", "thread_spawn", name))


def waits(call: RecordedCall) -> bool:
    """True if a call only waits for other agents or polls them. The `wait` of code mode waits for a cell of code."""
    return call.name in {"wait_agent", "list_agents"} or (call.name == "wait" and "ids" in mapping(call.arguments))


def run_trace(rec: Recording, run: RunFiles, threads: dict[str, CodexLog], root: str) -> Iterator[Json]:
    """Yield the trace of a run if the run has events; the file of the thread `root` can be missing."""
    rec.tools |= {name: {"side_effect": True} for name in CHANGING}
    rec.tools["web_search"] = {"output_trusted": False}
    rec.add_loss("approvals by a person")
    if root in threads and not threads[root].turns:
        rec.unrecorded |= {"stop", "return"}
    logs = {root: CodexLog(root)} | threads
    prompt = next((words for _, words in logs[root].prompts), "")
    return session_trace(rec, run, _Links(logs, root).linked(), name=root, prompt=prompt, system="Codex")


class _Links:
    """Links calls to the threads that they gave work to, and messages to the places where they arrived.

    Threads are addressed by paths in version 2, and by ids in version 1.
    """

    def __init__(self, threads: dict[str, CodexLog], root: str) -> None:
        self.threads = threads
        self.session = Session(root, {**threads})
        self.works: dict[str, list[Assignment]] = defaultdict(list)
        self.tracked: list[tuple[Message, str]] = []
        paths = {name: thread.about("agent_path") for name, thread in threads.items() if thread.parent}
        second = any(paths.values()) or threads[root].meta.get("multi_agent_version") == "v2"
        threads[root].name = "/root" if second else "root"
        self.ids: dict[str, list[str]] = defaultdict(list, {threads[root].name: [root]})
        for name in sorted(paths.keys() - {root}, key=lambda name: (min(threads[name].times, default=0), name)):
            # A resumed session can give the same path to a second thread.
            path = paths[name] or name
            self.ids[path].append(name)
            threads[name].name = path if len(self.ids[path]) == 1 else f"{path}~{len(self.ids[path])}"

    def linked(self) -> Session:
        for thread in self.threads.values():
            _cancel_open_calls(thread)
            if thread.is_root:
                thread.waits = list(_human_waits(thread))
            for call in thread.calls:
                self._link(thread, call)
        for name, works in self.works.items():
            (self._complete if name in self.threads else self._report)(name, works)
            self.session.works += works
        self._arrive()
        return self.session

    def _link(self, thread: CodexLog, call: RecordedCall) -> None:
        """Link a call to the work or the message, if any, that it sent to another thread."""
        call.start_after_model()
        call.waits = waits(call)
        if call.waits:
            names = map(text, items(call.argument("targets") or call.argument("ids")))
            call.targets = tuple(filter(None, (self._target(thread.name, name, call.begin) for name in names)))
        words, role = text(call.argument("message")), text(call.argument("agent_type"))
        target = self._target(thread.name, text(call.argument("target") or call.argument("id")), call.begin)
        child = self._child(thread, call) if call.name == "spawn_agent" else ""
        accepted = call.status == "ok" and target
        if child in self.works or not child:
            child = target if accepted and call.name in DELEGATING and not self._is_working(target, call) else ""
        if child:
            work = Assignment(child, thread.id, call.begin, call, content=words, role=role, background=True)
            self.works[child].append(work)
            call.works.append(work)
        elif accepted and call.name in {*DELEGATING, "send_message"}:
            message = Message(thread.id, target, call.begin, words, call.id, tracked=call.name != "send_input")
            call.messages.append(message)
            self.session.messages.append(message)
            if message.tracked:
                self.tracked.append((message, "task" if call.name == "followup_task" else "message"))

    def _child(self, thread: CodexLog, call: RecordedCall) -> str:
        """Return the thread that a call created, else the name in the call's result; "" if both are missing."""
        made = mapping(decoded(text(call.result)))
        name, started = text(made.get("agent_id") or made.get("task_name")), thread.started.get(call.id, "")
        return started if started in self.threads else self._thread_at(name, call.end or call.begin) or started

    def _target(self, sender: str, target: str, at: int) -> str:
        """Return the thread with the id or path `target`, or with that name below the sender; "" if it is unknown."""
        names = (self._thread_at(target, at), self._thread_at(f"{sender}/{target}", at))
        return next((name for name in names if name in self.threads or name in self.works), "")

    def _thread_at(self, path: str, time: int) -> str:
        """Return the thread that held a path at a time; other names are returned unchanged."""
        threads = [name for name in self.ids.get(path, [path]) if name in self.threads] or [path]
        later = (name for name in reversed(threads[1:]) if min(self.threads[name].times, default=0) <= time)
        return next(later, threads[0])

    def _is_working(self, target: str, call: RecordedCall) -> bool:
        """True if a thread was working at the time of a call, so that a message to it starts no turn."""
        turns = self.threads[target].turns if target in self.threads else ()
        interrupts = call.argument("interrupt") is True
        return not interrupts and any(t.begin <= call.begin and (t.end is None or t.end > call.begin) for t in turns)

    def _complete(self, name: str, works: list[Assignment]) -> None:
        """Set the turn of each assignment of a thread, and the places in the parent's log where the answer arrived."""
        thread = self.threads[name]
        works[0].turn = next(iter(thread.turns), None)
        works[0].at = min([works[0].at, *thread.times])
        for before, turn in pairwise(thread.turns):
            work = next((w for w in works if w.turn is None and before.begin <= w.at <= turn.begin), None)
            if work is None:
                self.session.losses["calls that gave a sub-agent more work: the delegation is inferred"] += 1
                work = Assignment(thread.id, thread.parent or self.session.root, turn.begin)
                works.append(work)
            work.turn = turn
        for work in works:
            work.addressee = thread.parent
            if work.turn is not None and work.turn.end is not None:
                work.arrivals += self._arrivals(thread.parent, thread.id, "answer", work.turn.answer, work.turn.end)

    def _arrivals(self, name: str, by: str, kind: str, words: object, since: int) -> Iterator[tuple[int, int]]:
        """Yield time and place of each message from the thread `by` to the thread `name`; empty `words` match all."""
        names = {by, self.threads[by].name, self.threads[by].about("agent_path")}
        for arrival in self.threads[name].arrivals if name in self.threads else ():
            same = not arrival.words or not words or arrival.words == words
            if same and arrival.author in names and arrival.kind == kind and arrival.at >= since:
                yield arrival.at, arrival.place

    def _report(self, name: str, works: list[Assignment]) -> None:
        """End the assignments of a thread without a file as the giver's log reports, each end once."""
        by = self.threads[works[0].by]
        seen = [(how, at) for names, how, at in by.ended if name in names]
        completed = [at for how, at in seen if how == "completed"]
        # A failure can arrive twice, with its reason and without words.
        answers = {
            arrival.words if arrival.status == "ok" else None: arrival
            for arrival in reversed(by.arrivals)
            if arrival.author == name and arrival.kind == "answer" and arrival.status
        }
        ends: list[tuple[WorkEnd, list[tuple[int, int]]]] = []
        for arrival in sorted(answers.values(), key=lambda arrival: arrival.place):
            at = max((at for at in completed if at <= arrival.at), default=arrival.at)
            completed = [time for time in completed if time != at]
            ends.append((WorkEnd(at, arrival.status, arrival.words, inferred=True), [(arrival.at, arrival.place)]))
        ends += [(WorkEnd(at, inferred=True), []) for at in completed]
        ends += [(WorkEnd(at, "cancelled"), []) for how, at in seen if how == "interrupted"][-1:]
        works += [Assignment(name, by.id, end.at, background=True) for end, _ in ends[len(works) :]]
        for work, (end, arrivals) in zip(works, ends, strict=False):
            work.reported, work.arrivals = end, arrivals

    def _arrive(self) -> None:
        """Find the place where each message arrived; an arrival belongs to one message only."""
        used: set[tuple[str, int | None]] = set()
        for message, kind in sorted(self.tracked, key=lambda pair: pair[0].at):
            arrivals = self._arrivals(message.to, message.by, kind, message.content, message.at)
            message.arrival = next((place for _, place in arrivals if (message.to, place) not in used), None)
            used.add((message.to, message.arrival))


def _human_waits(thread: CodexLog) -> Iterator[HumanWait]:
    """Yield the waits between turns for a person's next prompt, and the prompts during a turn."""
    for turn, following in pairwise(thread.turns):
        yield HumanWait(turn.end if turn.end is not None else turn.last, following.begin)
    starts = [turn.begin for turn in thread.turns] or [0]
    for begin, until in pairwise([*starts, max(thread.times, default=0) + 1]):
        for at, words in [prompt for prompt in thread.prompts if begin <= prompt[0] < until][1:]:
            yield HumanWait(at, at, words)


def _cancel_open_calls(thread: CodexLog) -> None:
    """Cancel the calls that had no result when their turn was aborted."""
    for turn in thread.turns:
        if turn.status == "cancelled" and turn.end is not None:
            for call in thread.calls:
                if call.end is None and turn.begin <= call.begin <= turn.end:
                    call.end, call.status = turn.end, "cancelled"
