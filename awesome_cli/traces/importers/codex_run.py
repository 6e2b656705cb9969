"""The session of a Codex run, from the logs of its threads."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from awesome_cli.traces.importers._format import RunFiles
from awesome_cli.traces.importers.codex_thread import CodexLog, CodexNames, waits
from awesome_cli.traces.importers.foreign import Json, decoded, items, mapping, text
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import (
    Arrival,
    Assignment,
    HumanWait,
    Message,
    RecordedCall,
    Session,
    Turn,
    WorkEnd,
)
from awesome_cli.traces.importers.session_writer import session_trace

DELEGATING = {"send_input", "followup_task"}
CHANGING = {"apply_patch", "exec_command", "local_shell", "shell", "shell_command", "write_stdin"}


def run_trace(rec: Recording, run: RunFiles, threads: Mapping[str, CodexLog], root: str) -> Iterator[Json]:
    """The trace of a run, if it has events; the file of `root` can be missing."""
    rec.tools |= {name: {"side_effect": True} for name in CHANGING}
    rec.tools["web_search"] = {"output_trusted": False}
    rec.add_loss("approvals by a person")
    if root in threads and not threads[root].turns:
        rec.unrecorded |= {"stop", "return"}
    if rec.unit == "step":
        rec.unrecorded.add("duration")
    logs = {root: CodexLog(root)} | dict(threads)
    prompt = next((words for _, words in logs[root].prompts), "")
    return session_trace(rec, run, _Links(logs, root).session(), name=root, prompt=prompt, system="Codex")


@dataclass
class _Links:
    """Finds which calls gave work to which threads, and where words of threads arrived."""

    threads: dict[str, CodexLog]
    root: str
    works: dict[str, list[Assignment]] = field(default_factory=lambda: defaultdict(list))
    messages: list[tuple[Message, str]] = field(default_factory=list)

    def session(self) -> Session:
        """The session, linked."""
        self.names = CodexNames(self.threads, self.root)
        for thread in self.threads.values():
            self._thread(thread)
        session = Session(self.root, {**self.threads})
        for name, works in self.works.items():
            self._complete(session, name, works)
        self._arrive()
        session.works = [work for works in self.works.values() for work in works]
        session.messages = [message for message, _ in self.messages]
        return session

    def _thread(self, thread: CodexLog) -> None:
        for turn in thread.turns:
            _cancel_open_calls(thread, turn)
        if thread.is_root:
            thread.waits = list(_human_waits(thread))
        for call in thread.calls:
            ended = call.model.end if call.model is not None else call.begin
            # A tool starts when the model call has ended, unless its result came earlier.
            call.begin = max(call.begin, ended) if call.end is None or ended <= call.end else call.begin
            call.waits = waits(call)
            if call.waits:
                named = items(call.argument("targets") or call.argument("ids"))
                targets = (self._target(thread.name, text(name), call.begin) for name in named)
                call.targets = tuple(target for target in targets if target)
            self._link(thread, call)

    def _link(self, thread: CodexLog, call: RecordedCall) -> None:
        """Link a call to the work or the words that it gave to another thread, if it did."""
        words = text(call.argument("message"))
        target = self._target(thread.name, text(call.argument("target") or call.argument("id")), call.begin)
        child = self._child(thread, call) if call.name == "spawn_agent" else ""
        given = call.status == "ok" and target and call.name in DELEGATING and not self._is_working(target, call)
        if (child and child not in self.works) or given:
            role = text(call.argument("agent_type"))
            work = Assignment(child or target, thread.id, call.begin, call, content=words, role=role, background=True)
            self.works[work.to].append(work)
            call.works.append(work)
        elif call.status == "ok" and target and call.name in DELEGATING | {"send_message"}:
            tracked = call.name != "send_input"
            message = Message(thread.id, target, call.begin, words, call.id, tracked=tracked)
            call.messages.append(message)
            self.messages.append((message, "task" if call.name == "followup_task" else "message"))

    def _child(self, thread: CodexLog, call: RecordedCall) -> str:
        """The thread that a call made, or what the call said its name is; "" if it made none."""
        made = mapping(decoded(text(call.result)))
        name, started = text(made.get("agent_id") or made.get("task_name")), thread.started.get(call.id, "")
        return started if started in self.threads else self.names.at(name, call.end or call.begin) or started

    def _target(self, name: str, target: str, at: int) -> str:
        """The thread that a call addresses by its id, its path, or its name below the sender."""
        known = (self.names.at(target, at), self.names.at(f"{name}/{target}", at))
        return next((each for each in known if each in self.threads or each in self.works), "")

    def _is_working(self, target: str, call: RecordedCall) -> bool:
        """True if a thread was at work, so that words to it start no turn."""
        turns = self.threads[target].turns if target in self.threads else ()
        interrupts = call.argument("interrupt") is True
        return not interrupts and any(t.begin <= call.begin and (t.end is None or t.end > call.begin) for t in turns)

    def _complete(self, session: Session, name: str, works: list[Assignment]) -> None:
        """Give each work of a thread its turn, or what its giver saw of its end, and the arrival of its result."""
        thread = self.threads.get(name)
        if thread is None:
            self._report(name, works)
            return
        works[0].turn = next(iter(thread.turns), None)
        works[0].at = min(works[0].at, thread.first)
        for before, turn in pairwise(thread.turns):
            work = next((w for w in works if w.turn is None and before.begin <= w.at <= turn.begin), None)
            if work is None:
                session.losses["calls that gave a sub-agent more work: the delegation is inferred"] += 1
                work = Assignment(name, thread.parent or self.root, turn.begin)
                works.append(work)
            work.turn = turn
        for work in works:
            work.addressee = thread.parent
            work.arrivals = self._arrivals(work, thread)

    def _arrivals(self, work: Assignment, thread: CodexLog) -> list[tuple[int, int]]:
        """The places at which the answer of a turn came into the log of the parent."""
        turn = work.turn
        if turn is None or turn.end is None:
            return []
        arrivals = self._heard(thread.parent, thread.id, "answer", turn.answer, turn.end)
        return [(arrival.at, arrival.place) for arrival in arrivals]

    def _heard(self, name: str, by: str, kind: str, words: object, since: int) -> Iterator[Arrival]:
        """The arrivals of some words of a thread in the log of another; words that are not known match all."""
        spoken = self.names.spoken(by)
        for arrival in self.threads[name].arrivals if name in self.threads else ():
            same = not arrival.words or not words or arrival.words == words
            if same and arrival.author in spoken and arrival.kind == kind and arrival.at >= since:
                yield arrival

    def _report(self, name: str, works: list[Assignment]) -> None:
        """Give the works of a thread without a file the ends that its giver saw, each once."""
        by = self.threads[works[0].by]
        spoken = self.names.spoken(name)
        completed = [at for who, how, at in by.ended if spoken & who and how == "completed"]
        # A failure can arrive twice, with its reason and without words.
        news = {
            arrival.words if arrival.status == "ok" else None: arrival
            for arrival in reversed(by.arrivals)
            if arrival.author in spoken and arrival.kind == "answer" and arrival.status
        }
        ends: list[tuple[WorkEnd, list[tuple[int, int]]]] = []
        for arrival in sorted(news.values(), key=lambda arrival: arrival.place):
            at = max((at for at in completed if at <= arrival.at), default=arrival.at)
            completed = [other for other in completed if other != at]
            end = WorkEnd(at, arrival.status, arrival.words, inferred=True)
            ends.append((end, [(arrival.at, arrival.place)]))
        ends += [(WorkEnd(at, inferred=True), []) for at in completed]
        ends += [
            (WorkEnd(at, "cancelled"), []) for who, how, at in by.ended[::-1] if spoken & who and how == "interrupted"
        ][:1]
        for i, (end, arrivals) in enumerate(ends):
            if i == len(works):
                works.append(Assignment(name, works[0].by, end.at, background=True))
            works[i].reported, works[i].arrivals = end, arrivals

    def _arrive(self) -> None:
        """Find where messages arrived: each arrival is one message."""
        used: set[Arrival] = set()
        for message, kind in sorted(self.messages, key=lambda each: each[0].at):
            arrivals = self._heard(message.to, message.by, kind, message.content, message.at)
            arrival = next((each for each in arrivals if each not in used), None) if message.tracked else None
            if arrival is not None:
                used.add(arrival)
                message.arrival = arrival.place


def _human_waits(thread: CodexLog) -> Iterator[HumanWait]:
    """How long a session waited for each further prompt, and prompts during a turn."""
    for turn, following in pairwise(thread.turns):
        yield HumanWait(turn.end if turn.end is not None else turn.last, following.begin)
    starts = [turn.begin for turn in thread.turns] or [0]
    for begin, until in zip(starts, [*starts[1:], max(thread.times, default=0) + 1], strict=True):
        for at, words in [prompt for prompt in thread.prompts if begin <= prompt[0] < until][1:]:
            yield HumanWait(at, at, words)


def _cancel_open_calls(thread: CodexLog, turn: Turn) -> None:
    """A turn that was aborted ends the calls in it that have no result."""
    if turn.status == "cancelled" and turn.end is not None:
        for call in thread.calls:
            if call.end is None and turn.begin <= call.begin <= turn.end:
                call.end, call.status = turn.end, "cancelled"
