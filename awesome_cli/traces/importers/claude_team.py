"""The folder of a team of Claude Code: members in `config.json`, and their messages in `inboxes/<name>.json`.

An entry `{"from": "ada", "text": "ready", "timestamp": "2026-…", "read": true}` becomes a message or a return.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from awesome_cli.files.paths import below
from awesome_cli.traces.importers.claude_code import bare
from awesome_cli.traces.importers.foreign import Json, content_hash, decoded, grouped, mapping, moment, objects, text
from awesome_cli.traces.importers.log_file import Home, LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import AFTER, ENDS, RETURNS, Recording

LEAD = "team-lead"
INBOXES = "inboxes"


class Letter(NamedTuple):
    """An entry of an inbox; `about` is its text as a JSON object, {} if it is not JSON, and `kind` its type."""

    at: int
    sender: str
    receiver: str
    source: str
    raw: Json
    about: Json
    kind: str


def detect(log: LogFile) -> bool:
    """Return True for a list of team members, or for messages with a sender, a text and a `read` flag."""
    return _is_config(log.first) or any(_is_letter(row) for row in log.head)


def _is_config(row: Json) -> bool:
    return "members" in row and ("leadAgentId" in row or "leadSessionId" in row)


def _is_letter(row: Json) -> bool:
    return isinstance(row.get("from"), str) and "text" in row and "timestamp" in row and "read" in row


def around(path: Path) -> Path:
    """Return the folder of the team."""
    return path.parent.parent if path.parent.name == INBOXES else path.parent


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per team, and a run per inbox file outside of a team's folder.

    The task list of a team is not read, because it is in another folder and has no times.
    """
    alone = {log.path for log in logs if bare(log.path) != "config" and log.path.parent.name != INBOXES}
    for folder, own in grouped(logs, lambda log: log.path if log.path in alone else around(log.path)).items():
        main, *others = sorted(own, key=lambda log: (log.path.parent.name == INBOXES, log.path))
        tasks = folder.parent.parent / "tasks" / folder.name
        side = frozenset(below(tasks)) if folder.parent.name == "teams" and tasks.is_dir() else frozenset()
        yield RunFiles(main, tuple(others), side=side, id=bare(folder))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    logs = (run.main, *run.others)
    config = next((row for log in logs for row in log.records() if _is_config(row)), {})
    letters = sorted((letter for log in logs for letter in _letters(log)), key=lambda letter: letter.at)
    rec = Recording(FORMAT.name, with_content)
    rec.add_loss("lines that are not JSON", run.broken())
    rec.add_loss("lists of tasks, which have no times: files", len(run.side))
    _Team(rec, config, letters).write()
    if rec.drafts:
        rec.unrecorded |= {"stop", "duration", "result", "return", "work"}
        rec.add_loss("what members did between messages: their transcripts are not in the folder of the team")
        name = text(config.get("name")) or run.id or run.main.name
        task = (content_hash(text(config.get("description"))) or "no description").replace("sha256:", "team-")[:21]
        yield rec.trace(trace_id=name, task_id=task, system="Claude Code team", provenance=run.provenance)


def _letters(log: LogFile) -> Iterator[Letter]:
    receiver = bare(log.path)
    for i, row in enumerate(log.records()):
        at = moment(row.get("timestamp"))
        if _is_letter(row) and at is not None:
            about = mapping(decoded(text(row.get("text"))))
            yield Letter(at, text(row.get("from")), receiver, f"{receiver}/{i}", row, about, text(about.get("type")))


class _Team:
    """Records the members and inboxes of a team: an entry is a message, a task, an answer or a shutdown.

    `working` has the members that have not answered yet, `ended` those shut down, `idlers` those with idle notices.
    """

    def __init__(self, rec: Recording, config: Json, letters: list[Letter]) -> None:
        self.rec, self.config, self.letters = rec, config, letters
        self.members = {name: each for each in objects(config.get("members")) if (name := text(each.get("name")))}
        lead = text(config.get("leadAgentId"))
        leads = (name for name, each in self.members.items() if lead and each.get("agentId") == lead)
        self.lead = next(leads, "") or lead.partition("@")[0] or LEAD
        self.working: set[str] = set()
        self.ended: set[str] = set()
        self.idlers = {letter.sender for letter in letters if letter.kind == "idle_notification"}

    def write(self) -> None:
        """Record all events. Agents are the team's members, all senders, and all owners of an inbox."""
        times: dict[str, list[int]] = {name: [] for name in self.members}
        for letter in self.letters:
            times.setdefault(letter.sender, []).append(letter.at)
            times.setdefault(letter.receiver, []).append(letter.at)
        joined = {name: moment(member.get("joinedAt")) for name, member in self.members.items()}
        begin = moment(self.config.get("createdAt")) or min(
            filter(None, (*joined.values(), *(letter.at for letter in self.letters))), default=0
        )
        lead = self.members.get(self.lead, {})
        self.rec.root(self.lead, role=text(lead.get("agentType")), model=text(lead.get("model")))
        for name in [name for name in times if name != self.lead]:
            # The configuration omits a member that left: it joined before its first message.
            member = self.members.get(name, {})
            role, at = text(member.get("agentType")), min(filter(None, (joined.get(name), *times[name])), default=begin)
            self.rec.agent(name, role=role, model=text(member.get("model")))
            about: dict[str, Any] = {"role": role, "content": text(member.get("prompt"))}
            about["inferred"] = joined.get(name) is None
            self.rec.add("spawn", self.lead, at, phase=ENDS, rank=-1, to=name, **about)
            self.working.add(name)
        for letter in self.letters:
            self._letter(letter)

    def _letter(self, letter: Letter) -> None:
        sender, receiver, at = letter.sender, letter.receiver, letter.at
        # A message that was not read reached nobody.
        read = letter.raw.get("read")
        about: dict[str, Any] = {"source": letter.source, "content": letter.about or text(letter.raw.get("text"))}
        about |= {"to": receiver, "delivery": "explicit" if read is False else ""}
        ending = letter.kind == "shutdown_approved" and sender != self.lead and sender not in self.ended
        if not ending and self._is_idle(sender):
            # The sender was idle and works again; no entry tells who gave it work.
            self.rec.add("delegate", self.lead, at, phase=ENDS, rank=-1, to=sender, inferred=True)
            self.working.add(sender)
        # An idle notice ends a turn. If a member never sends any, its plain text to the lead does.
        answers = letter.kind == "idle_notification" or (not letter.kind and sender not in self.idlers)
        if letter.kind == "task_assignment" or (not letter.kind and self._is_idle(receiver)):
            self.rec.add("delegate", sender, at, phase=ENDS, task_ref=text(letter.about.get("taskId")), **about)
            self.working.add(receiver)
        elif ending:
            self.ended.add(sender)
            self.rec.add("despawn", self.lead, at, phase=AFTER, **about | {"to": sender})
        elif receiver == self.lead and sender in self.working and answers:
            self.working.remove(sender)
            self.rec.add("return", sender, at, phase=RETURNS, inferred=True, read=read is True or None, **about)
        else:
            self.rec.add("message", sender, at, phase=ENDS, sender=sender, **about)

    def _is_idle(self, name: str) -> bool:
        return name != self.lead and name not in self.working | self.ended


FORMAT = TraceFormat(
    "claude-team", detect, convert, keys=("members", "leadAgentId"),
    reads="the folder of a team: `config.json` and `inboxes/*.json`",
    spawns="members, when they joined; a member's idle notice, or its text to the lead if it never sends notices",
    inferred="returns; members that the configuration does not have",
    lost="what members did between messages; lists of tasks",
    group=group, around=around, home=Home("claude", "CLAUDE_CONFIG_DIR", "~/.claude", ("teams",)),
)  # fmt: skip
