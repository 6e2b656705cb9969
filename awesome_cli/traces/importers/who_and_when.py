"""Who&When: annotated failures of Magentic-One (hand-crafted) and of generated group chats. No times: one step each."""

import re
from collections.abc import Iterator

from awesome_cli.traces.importers._format import RunFiles, TraceFormat
from awesome_cli.traces.importers.foreign import Json, count, objects, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording

ACT = re.compile(r"(?P<agent>.+?) \((?P<act>thought|termination condition|-> (?P<to>.+))\)\Z")
PEOPLE = {"human", "user"}
TERMINALS = {"computer_terminal"}
TASKS = {"spawn", "delegate"}


def detect(log: LogFile) -> bool:
    """A history with the annotators' `mistake_agent` or `mistake_step`, or with Magentic-One's roles."""
    if len(log.head) != 1:
        return False
    doc = log.first
    history = objects(doc.get("history"))
    roles = [text(item.get("role")) for item in history]
    return bool(history) and ("mistake_step" in doc or any(ACT.match(role) for role in roles))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """One trace; t is the index in the history."""
    log = run.main
    doc = log.first
    history = objects(doc.get("history"))
    rec = Recording(FORMAT.name, with_content, unit="step")
    rec.add_loss("times: t is the position in the history, every step counts the same")
    rec.add_loss("model calls and tokens")
    kept = {"history", "question_ID", "mistake_agent", "mistake_step", "is_correct", "is_corrected", "level"}
    texts = {"mistake_reason", "ground_truth"}
    left = sorted(map(text, doc.keys() - kept - (texts if with_content else set())))
    if left:
        rec.add_loss(f"fields: {', '.join(left)}")
    crafted = not any("name" in item for item in history)
    rec.format = "who-and-when/magentic-one" if crafted else "who-and-when/group-chat"
    first = [_magentic_entry(item, i, rec) if crafted else _chat(item, i, rec) for i, item in enumerate(history)]
    if not rec.drafts:
        return
    rec.unrecorded |= {"usage", "duration"} | (set() if rec.has("stop") else {"stop"})
    rec.unrecorded |= set() if crafted else {"return", "delivery"}
    annotations: Json = {name: text(doc.get(name)) for name in ("mistake_agent", "level")}
    step = count(doc["mistake_step"]) if text(doc.get("mistake_step")) else len(first)
    if step < len(first):
        annotations["mistake_step"] = step
    verdict = doc.get("is_correct", doc.get("is_corrected"))
    if with_content:
        annotations |= {name: text(doc.get(name)) for name in texts}
    numbered = {draft.order: i for i, draft in enumerate(sorted(rec.drafts, key=lambda n: n.key))}
    if step < len(first) and first[step] is not None:
        annotations["mistake_event"] = f"e{numbered[first[step] or 0] + 1}"
    yield rec.trace(
        # The files of both sets are called 1.json, 2.json, ...
        trace_id="-".join(filter(None, (log.name.partition(".")[0], text(doc.get("question_ID"))[:12]))),
        task_id=text(doc.get("question_ID")) or log.name,
        system="Magentic-One" if crafted else "CaptainAgent",
        topology="centralized" if crafted else "unknown",
        annotations={key: value for key, value in annotations.items() if value != ""},
        rewards={"team": int(verdict)} if isinstance(verdict, bool) else {},
        provenance=log.provenance,
    )


def _magentic_entry(item: Json, t: int, rec: Recording) -> int | None:
    """One entry of Magentic-One's log: a thought, instruction or end of the orchestrator, or a worker's answer."""
    role = text(item.get("role"))
    content = text(item.get("content"))
    act = ACT.match(role)
    lead = rec.roots[0] if rec.roots else "Orchestrator"
    if role in PEOPLE:
        if t == 0:
            rec.root(lead, role="orchestrator")
            # The task itself is not an event of an agent.
            return None
        rec.root(lead)
        return rec.add("human_intervention", lead, t, content=content, sender=role).order
    if act is None:
        return _answer(role, lead, content, t, rec)
    lead = rec.root(act["agent"], role="orchestrator")
    if act["to"]:
        known = act["to"] in rec.agents
        rec.agent(act["to"])
        return rec.add("delegate" if known else "spawn", lead, t, to=act["to"], content=content).order
    if act["act"] == "thought":
        return rec.add("orchestrator_decision", lead, t, content=content).order
    return rec.add("stop", lead, t, reason="unspecified", scope="trace", content=content).order


def _answer(name: str, lead: str, content: str, t: int, rec: Recording) -> int:
    """A worker's entry: a return if it is the first one after an instruction to the worker, else a message."""
    if name == lead:
        rec.root(name)
        return rec.add("orchestrator_decision", name, t, content=content).order
    with_worker = (n.body for n in reversed(rec.drafts) if name == n.body["to" if n.body["type"] in TASKS else "agent"])
    latest = next((body["type"] for body in with_worker if body["type"] in {*TASKS, "return"}), None)
    if latest in TASKS:
        return rec.add("return", name, t, to=lead, content=content).order
    rec.root(lead)
    if latest is None:
        rec.root(name)
    return rec.add("message", name, t, to=lead, content=content, sender=name).order


def _chat(item: Json, t: int, rec: Recording) -> int | None:
    """One message of a group chat, to everyone, so it has no receiver."""
    name = text(item.get("name")) or text(item.get("role")) or "unnamed"
    kind = "human" if name in PEOPLE else "tool" if name.casefold() in TERMINALS else "llm"
    rec.root(name, kind=kind)
    content = text(item.get("content"))
    if content.strip() == "TERMINATE":
        return rec.add("stop", name, t, reason="unspecified", scope="trace").order
    return rec.add("message", name, t, content=content, sender=name).order


FORMAT = TraceFormat(
    "who-and-when", detect, convert, keys=("history",),
    reads="annotated Magentic-One logs and group chats",
    spawns="first and later instructions; the worker's answer",
    inferred="-", lost="times, model calls, tokens",
)  # fmt: skip
