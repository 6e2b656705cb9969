"""The events of a Codex run, from its threads."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from awesome_cli.traces.importers.codex_names import CodexNames
from awesome_cli.traces.importers.codex_thread import CodexArrival, CodexCall, CodexThread, CodexTurn
from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, decoded, mapping, task_of, text
from awesome_cli.traces.importers.inference import infer_aggregates, stop_reason
from awesome_cli.traces.importers.recording import RETURNS, SPAWNS, STOPS, Recording
from awesome_cli.traces.importers.run_files import RunFiles

DELEGATING = {"send_input", "followup_task"}
ENDED = ("completed", "interrupted")
CHANGING = {"apply_patch", "exec_command", "local_shell", "shell", "shell_command", "write_stdin"}


def run_trace(rec: Recording, run: RunFiles, threads: Mapping[str, CodexThread], root: str) -> Iterator[Json]:
    """The trace of a run, if it has events."""
    _RunWriter(rec, threads, root).write()
    if not rec.drafts:
        return
    rec.add_loss("approvals by a person")
    rec.add_loss("lines that are not JSON", run.broken())
    # A run begins before its first event, and processes can end after the last one.
    begins = [t.first for t in threads.values() if t.first] + [draft.t for draft in rec.drafts]
    ends = [t.last for t in threads.values()] + [draft.end for draft in rec.drafts]
    prompt = next((words for _, words in threads[root].prompts), "") if root in threads else ""
    yield rec.trace(
        trace_id=root,
        task_id=task_of(prompt),
        system="Codex",
        provenance=run.provenance,
        costs={"wall_clock_s": (max(ends) - min(begins)) / 1e6} if rec.unit == "us" else {},
    )


class _RunWriter:
    """Records the events of a run. `threads` are its threads by id; the file of `root` can be missing."""

    def __init__(self, rec: Recording, threads: Mapping[str, CodexThread], root: str) -> None:
        self.rec = rec
        self.threads = threads
        self.root = root
        self.names = CodexNames(threads, root)
        self.spawned: set[str] = set()
        self.given: dict[str, list[int]] = defaultdict(list)
        self.sent: list[tuple[EventDraft, set[str], CodexThread, str, str]] = []

    def write(self) -> None:
        rec = self.rec
        rec.tools |= {name: {"side_effect": True} for name in CHANGING}
        rec.tools["web_search"] = {"output_trusted": False}
        rec.root(self.names[self.root])
        if self.root not in self.threads:
            rec.add_loss("the session's own file is missing")
            rec.unrecorded |= {"delivery", "stop"}
        elif not self.threads[self.root].turns:
            rec.unrecorded |= {"stop", "return"}
        if rec.unit == "step":
            rec.unrecorded.add("duration")
        for thread in self.threads.values():
            self._thread(thread)
        for thread in self.threads.values():
            self._ends(thread)
        self._messages()
        infer_aggregates(rec)
        self._stop()
        models = [draft.body for draft in rec.drafts if draft.body["type"] == "llm_call"]
        without = sum("tokens_in" not in body and "tokens_out" not in body for body in models)
        if models and without == len(models):
            rec.unrecorded.add("usage")
        rec.add_loss("model calls without usage", without)

    def _thread(self, thread: CodexThread) -> None:
        """Record what one thread did: model calls, tool calls, and the work that it gave to others."""
        name = self.names[thread.id]
        if not thread.parent:
            self.rec.root(name)
        self.rec.agent(name, role=thread.about("agent_role"))
        for model in thread.models:
            about: dict[str, Any] = {
                "model": model.model,
                "source": model.source,
                "status": model.status,
                **model.usage,
            }
            about["purpose"] = "compaction" if model.compaction else ""
            model.draft = self.rec.add("llm_call", name, model.begin, end=model.end, content=model.content, **about)
            self.rec.agent(name, model=model.model)
        _cancel_open_calls(thread)
        for call in thread.calls.values():
            self._call(thread, name, call)

    def _call(self, thread: CodexThread, name: str, call: CodexCall) -> None:
        """Record a call as what it did; one that did not succeed is the call of a tool."""
        given = mapping(call.arguments)
        words = text(given.get("message"))
        target = self._target(name, text(given.get("target") or given.get("id")), call.begin)
        child = self._child(thread, call) if call.name == "spawn_agent" else ""
        if child and child not in self.spawned:
            self._spawn(thread, child, call.start, role=text(given.get("agent_type")), content=words, source=call.id)
        elif call.status == "ok" and target and call.name in DELEGATING and not self._running(target, call):
            self.given[target].append(call.start)
            about: dict[str, Any] = {"to": self.names[target], "content": words, "source": call.id}
            self.rec.add("delegate", name, call.start, phase=SPAWNS, **about)
        elif call.status == "ok" and target and call.name in DELEGATING | {"send_message"}:
            draft = self.rec.add(
                "message", name, call.start, to=self.names[target], content=words, source=call.id, sender=name,
                delivery="explicit" if call.name != "send_input" else "",
            )  # fmt: skip
            if call.name != "send_input" and target in self.threads:
                kind = "task" if call.name == "followup_task" else "message"
                self.sent.append((draft, self.names.spoken(thread.id), self.threads[target], kind, words))
        else:
            self.rec.call(
                name, call.name, call.start, end=call.end, call_id=call.id, arguments=call.arguments,
                result=call.result, answered=call.end is not None, status=call.status, source=call.id, waits=call.waits,
            )  # fmt: skip

    def _child(self, thread: CodexThread, call: CodexCall) -> str:
        """The thread that a call made, or what the call said its name is; "" if it made none."""
        made = mapping(decoded(text(call.result)))
        name, started = text(made.get("agent_id") or made.get("task_name")), thread.started.get(call.id, "")
        return started if started in self.threads else self.names.at(name, call.end or call.begin) or started

    def _target(self, name: str, target: str, at: int) -> str:
        """The thread that a call addresses by its id, its path, or its name below the sender."""
        known = (self.names.at(target, at), self.names.at(f"{name}/{target}", at))
        return next((each for each in known if each in self.threads or each in self.spawned), "")

    def _running(self, target: str, call: CodexCall) -> bool:
        """Whether a thread was at work, so that words to it start no turn."""
        turns = self.threads[target].turns if target in self.threads else ()
        interrupts = mapping(call.arguments).get("interrupt") is True
        return not interrupts and any(t.begin <= call.start and (t.end is None or t.end > call.start) for t in turns)

    def _spawn(self, by: CodexThread | None, child: str, at: int, *, role: str = "", **about: Any) -> None:
        parent = self.names[by.id] if by is not None else self.names.above(self.threads[child])
        self.spawned.add(child)
        own = self.threads.get(child)
        at = min(at, own.first) if own is not None and own.first else at
        self.rec.agent(self.names[child], role=role or (own.about("agent_role") if own is not None else ""))
        self.rec.add("spawn", parent, at, phase=SPAWNS, to=self.names[child], role=role, **about)
        if own is None:
            self.rec.add_loss("events of sub-agents whose files are missing")
            if by is not None:
                self._missing(by, child)

    def _missing(self, by: CodexThread, child: str) -> None:
        """The ends of a sub-agent without a file: what its parent saw of them, each once."""
        names = self.names.spoken(child) - {""}
        ends = {how: [at for who, kind, at in by.ended if names & who and kind == how] for how in ENDED}
        # A failure can arrive twice, with its reason and without words.
        news = {
            arrival.words if arrival.status == "ok" else None: arrival
            for arrival in reversed(by.arrivals)
            if arrival.author in names and arrival.kind == "answer" and arrival.status
        }
        for arrival in sorted(news.values(), key=lambda arrival: arrival.line):
            at = max((at for at in ends["completed"] if at <= arrival.at), default=arrival.at)
            ends["completed"] = [other for other in ends["completed"] if other != at]
            self._read(by, arrival, self._seen_return(by, child, at, content=arrival.words, status=arrival.status))
        for at in ends["completed"]:
            self._seen_return(by, child, at)
        if ends["interrupted"]:
            self._stopped(child, ends["interrupted"][-1])
        elif not news and not ends["completed"]:
            self.rec.unrecorded |= {"return", "work"}

    def _seen_return(self, by: CodexThread, child: str, at: int, **about: Any) -> EventDraft:
        return self.rec.add(
            "return", self.names[child], at, phase=RETURNS, to=self.names[by.id], delivery="explicit", inferred=True,
            **about,
        )  # fmt: skip

    def _stopped(self, thread: str, at: int) -> None:
        self.rec.add("stop", self.names[thread], at, phase=STOPS, scope="agent", reason="cancelled")

    def _ends(self, thread: CodexThread) -> None:
        """Record the ends of the turns of a sub-agent, or the waits of the session for its user."""
        if not thread.parent:
            self._waits(thread)
            return
        if thread.id not in self.spawned and (thread.turns or thread.models):
            self.rec.add_loss("which call started a sub-agent: its spawn is inferred")
            self._spawn(None, thread.id, thread.first, inferred=True)
        self._more_work(thread)
        for turn in thread.turns:
            if turn.end is not None:
                self._end(thread, turn, turn.end)

    def _more_work(self, thread: CodexThread) -> None:
        """Each further turn is for work that was given since the last one began."""
        name, above = self.names[thread.id], self.names.above(thread)
        for before, turn in pairwise(thread.turns):
            if not any(before.begin <= at <= turn.begin for at in self.given[thread.id]):
                self.rec.add_loss("which call gave a sub-agent more work: the delegation is inferred")
                self.rec.add("delegate", above, turn.begin, phase=SPAWNS, to=name, inferred=True)

    def _end(self, thread: CodexThread, turn: CodexTurn, end: int) -> None:
        if turn.status == "cancelled":
            self._stopped(thread.id, end)
            return
        draft = self.rec.add(
            "return", self.names[thread.id], end, phase=RETURNS, to=self.names.above(thread), content=turn.answer,
            status=turn.status, delivery="explicit",
        )  # fmt: skip
        parent = self.threads.get(thread.parent)
        if parent is None:
            return
        for arrival in parent.arrivals:
            same = not arrival.words or not turn.answer or arrival.words == turn.answer
            if (
                arrival.author in self.names.spoken(thread.id)
                and arrival.kind == "answer"
                and same
                and arrival.at >= end
            ):
                self._read(parent, arrival, draft)
                return

    def _read(self, reader: CodexThread, arrival: CodexArrival, draft: EventDraft) -> None:
        """The first model call after an arrival has read it."""
        model = next((model for model in reader.models if model.line > arrival.line), None)
        if model is None or model.draft is None:
            self.rec.add_loss("words of other agents that arrived when no model call followed")
            return
        inputs = model.draft.body.setdefault("inputs", [])
        assert isinstance(inputs, list)
        inputs.append(draft)

    def _messages(self) -> None:
        """Find where messages arrived: each arrival is one message."""
        used: dict[str, set[int]] = defaultdict(set)
        for draft, authors, receiver, kind, words in sorted(self.sent, key=lambda sent: sent[0].key):
            for arrival in receiver.arrivals:
                same = not arrival.words or not words or arrival.words == words
                free = arrival.line not in used[receiver.id]
                if arrival.author in authors and arrival.kind == kind and same and free and arrival.at >= draft.t:
                    used[receiver.id].add(arrival.line)
                    self._read(receiver, arrival, draft)
                    break

    def _waits(self, thread: CodexThread) -> None:
        """Record how long the session waited for each further prompt, and prompts during a turn."""
        name, turns = self.names[thread.id], thread.turns
        for turn, following in pairwise(turns):
            begin = turn.end if turn.end is not None else turn.last
            self.rec.add("human_intervention", name, begin, end=following.begin, sender="user")
        starts = [turn.begin for turn in turns] or [0]
        for begin, until in zip(starts, [*starts[1:], thread.last + 1], strict=True):
            for at, words in [prompt for prompt in thread.prompts if begin <= prompt[0] < until][1:]:
                self.rec.add("human_intervention", name, at, end=at, sender="user", content=words)

    def _stop(self) -> None:
        """The run has stopped when the last turn of the session has ended, and everything that was still at work."""
        root = self.threads.get(self.root)
        turn = root.turns[-1] if root is not None and root.turns else None
        if turn is not None and turn.end is not None:
            at = max((draft.end for draft in self.rec.drafts), default=turn.end)
            about: dict[str, Any] = {"content": turn.answer, "reason": stop_reason(turn.status, ""), "scope": "trace"}
            self.rec.add("stop", self.names[self.root], max(at, turn.end), phase=STOPS, rank=1, **about)


def _cancel_open_calls(thread: CodexThread) -> None:
    """A turn that was aborted ends the calls in it that have no result."""
    for turn in thread.turns:
        if turn.status == "cancelled" and turn.end is not None:
            for call in thread.calls.values():
                if call.end is None and turn.begin <= call.begin <= turn.end:
                    call.end, call.status = turn.end, "cancelled"
