"""Who&When: annotated failures of Magentic-One (hand-crafted) and of generated group chats. Entries have no times."""

import re
from collections.abc import Iterator

from awesome_cli.traces.importers.foreign import Json, count, objects, text
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording

ACT = re.compile(r"(?P<agent>.+?) \((?P<act>thought|termination condition|-> (?P<to>.+))\)\Z")
PEOPLE = {"human", "user"}
TASKS = {"spawn", "delegate"}
CONTENT = {"mistake_reason", "ground_truth"}
READ = {"history", "question_ID", "mistake_agent", "mistake_step", "is_correct", "is_corrected", "level"}


def detect(log: LogFile) -> bool:
    """Return True for a history with the annotators' `mistake_step`, or with Magentic-One's roles."""
    history = objects(log.first.get("history")) if len(log.head) == 1 else []
    return bool(history) and ("mistake_step" in log.first or any(ACT.match(text(item.get("role"))) for item in history))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield one trace; `t` is the index of the entry in the history."""
    log = run.main
    doc = log.first
    history = objects(doc.get("history"))
    rec = Recording(FORMAT.name, with_content, unit="step")
    rec.add_loss("times: t is the position in the history, every step counts the same")
    rec.add_loss("model calls and tokens")
    content = CONTENT if with_content else set()
    lost = sorted(map(text, doc.keys() - READ - content))
    if lost:
        rec.add_loss(f"fields: {', '.join(lost)}")
    crafted = not any("name" in item for item in history)
    rec.format = "who-and-when/magentic-one" if crafted else "who-and-when/group-chat"
    for i, item in enumerate(history):
        (_magentic_entry if crafted else _chat)(item, i, rec)
    if not rec.drafts:
        return
    rec.unrecorded |= {"duration"} | (set() if rec.has("stop") else {"stop"})
    rec.unrecorded |= set() if crafted else {"return", "delivery"}
    annotations: Json = {name: text(doc[name]) for name in doc if name in {"mistake_agent", "level", *content}}
    step = count(doc["mistake_step"]) if text(doc.get("mistake_step")) else len(history)
    if step < len(history):
        events = (f"e{n}" for n, draft in enumerate(rec.drafts, 1) if draft.t == step)
        annotations |= {"mistake_step": step, "mistake_event": next(events, "")}
    verdict = doc.get("is_correct", doc.get("is_corrected"))
    question = text(doc.get("question_ID"))
    yield rec.trace(
        # The files of both sets are called 1.json, 2.json, ...
        trace_id="-".join(filter(None, (log.stem, question[:12]))), task_id=question or log.name,
        system="Magentic-One" if crafted else "CaptainAgent", topology="centralized" if crafted else "unknown",
        annotations={name: value for name, value in annotations.items() if value != ""},
        rewards={"team": int(verdict)} if isinstance(verdict, bool) else {}, provenance=log.provenance,
    )  # fmt: skip


def _magentic_entry(item: Json, t: int, rec: Recording) -> None:
    """Add an entry of Magentic-One's log: a thought, instruction or stop of the orchestrator, or a worker's answer."""
    role, content = text(item.get("role")), text(item.get("content"))
    act = ACT.match(role)
    lead = rec.root(act["agent"] if act else rec.roots[0] if rec.roots else "Orchestrator", role="orchestrator")
    if role in PEOPLE:
        # The first entry is the task, which is not an event of an agent.
        if t:
            rec.add("human_intervention", lead, t, content=content, sender=role)
    elif act is None:
        _worker_entry(role, lead, content, t, rec)
    elif act["to"]:
        kind = "delegate" if act["to"] in rec.agents else "spawn"
        rec.add(kind, lead, t, to=rec.agent(act["to"]), content=content)
    elif act["act"] == "thought":
        rec.add("orchestrator_decision", lead, t, content=content)
    else:
        rec.add("stop", lead, t, reason="unspecified", scope="trace", content=content)


def _worker_entry(name: str, lead: str, content: str, t: int, rec: Recording) -> None:
    """Add a return if the entry is the worker's first one after an instruction to it, else a message."""
    bodies = (n.body for n in reversed(rec.drafts) if name == n.body["to" if n.body["type"] in TASKS else "agent"])
    latest = next((body["type"] for body in bodies if body["type"] in {*TASKS, "return"}), None)
    if name == lead:
        rec.add("orchestrator_decision", lead, t, content=content)
    elif latest in TASKS:
        rec.add("return", name, t, to=lead, content=content)
    else:
        if latest is None:
            rec.root(name)
        rec.add("message", name, t, to=lead, content=content, sender=name)


def _chat(item: Json, t: int, rec: Recording) -> None:
    """Add a message of a group chat. The message goes to everyone, so it has no receiver."""
    name = text(item.get("name")) or text(item.get("role")) or "unnamed"
    rec.root(name, kind="human" if name in PEOPLE else "tool" if name.casefold() == "computer_terminal" else "llm")
    content = text(item.get("content"))
    if content.strip() == "TERMINATE":
        rec.add("stop", name, t, reason="unspecified", scope="trace")
    else:
        rec.add("message", name, t, content=content, sender=name)


FORMAT = TraceFormat(
    "who-and-when", detect, convert, keys=("history",),
    reads="annotated Magentic-One logs and group chats",
    spawns="first and later instructions; the worker's answer",
    inferred="-", lost="times, model calls, tokens",
)  # fmt: skip
