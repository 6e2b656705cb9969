"""The folder of a team of Claude Code: members in `config.json`, and what they were told in `inboxes/<name>.json`."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awesome_cli.files.paths import below
from awesome_cli.traces.importers._format import Home, RunFiles, TraceFormat
from awesome_cli.traces.importers.claude_files import bare
from awesome_cli.traces.importers.foreign import Json, content_hash, decoded, mapping, moment, objects, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import AFTER, ENDS, RETURNS, Recording

LEAD = "team-lead"
INBOXES = "inboxes"


@dataclass(frozen=True, slots=True)
class Letter:
    """One entry of an inbox; `about` is its text as JSON, where the program wrote it."""

    at: int
    sender: str
    receiver: str
    source: str
    raw: Json
    about: Json

    @property
    def kind(self) -> str:
        return text(self.about.get("type"))


def detect(log: LogFile) -> bool:
    """A team's members, or messages with a sender, a text and whether they were read."""
    return _is_config(log.first) or any(_is_letter(row) for row in log.head)


def _is_config(row: Json) -> bool:
    return "members" in row and ("leadAgentId" in row or "leadSessionId" in row)


def _is_letter(row: Json) -> bool:
    return isinstance(row.get("from"), str) and "text" in row and "timestamp" in row and "read" in row


def around(path: Path) -> Path:
    """The folder of the team."""
    return path.parent.parent if path.parent.name == INBOXES else path.parent


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per team, and per file that is neither a configuration nor in a folder of inboxes.

    A team's list of tasks lies in another folder and has no times: it is not read.
    """
    teams: dict[Path, list[LogFile]] = defaultdict(list)
    for log in logs:
        alone = bare(log.path) != "config" and log.path.parent.name != INBOXES
        teams[log.path if alone else around(log.path)].append(log)
    for folder, own in teams.items():
        main, *others = sorted(own, key=lambda log: (log.path.parent.name == INBOXES, log.path))
        tasks = folder.parent.parent / "tasks" / folder.name
        side = frozenset(below(tasks)) if folder.parent.name == "teams" and tasks.is_dir() else frozenset()
        yield RunFiles(main, tuple(others), side=side, id=bare(folder))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """The team as one trace."""
    logs = (run.main, *run.others)
    configs = [row for log in logs for row in log.records() if _is_config(row)]
    letters = sorted((letter for log in logs for letter in _letters(log)), key=lambda letter: letter.at)
    rec = Recording(FORMAT.name, with_content)
    rec.add_loss("lines that are not JSON", run.broken())
    rec.add_loss("lists of tasks, which have no times: files", len(run.side))
    config = configs[0] if configs else {}
    _Team(rec, config).write(letters)
    if not rec.drafts:
        return
    rec.unrecorded |= {"stop", "usage", "duration", "result", "return", "work"}
    rec.add_loss("what members did between messages: their transcripts are not in the folder of the team")
    name = text(config.get("name")) or run.id or run.main.name
    task = content_hash(text(config.get("description"))) or "no description"
    task = task.replace("sha256:", "team-")[:21]
    yield rec.trace(trace_id=name, task_id=task, system="Claude Code team", provenance=run.provenance)


def _letters(log: LogFile) -> Iterator[Letter]:
    receiver = bare(log.path)
    for i, row in enumerate(log.records()):
        at = moment(row.get("timestamp"))
        if _is_letter(row) and at is not None:
            about = mapping(decoded(text(row.get("text"))))
            yield Letter(at, text(row.get("from")), receiver, f"{receiver}/{i}", row, about)


class _Team:
    """Records the members, and every message once: as words, work, an answer, or the end of a member."""

    def __init__(self, rec: Recording, config: Json) -> None:
        self.rec = rec
        self.config = config
        members = objects(config.get("members"))
        lead = text(config.get("leadAgentId"))
        leads = [text(member.get("name")) for member in members if lead and member.get("agentId") == lead]
        self.lead = next(filter(None, leads), "") or lead.partition("@")[0] or LEAD
        self.members = {name: each for each in members if (name := text(each.get("name"))) and name != self.lead}
        self.owes: set[str] = set()
        self.ended: set[str] = set()
        self.idlers: set[str] = set()

    def write(self, letters: list[Letter]) -> None:
        """Agents are the members, everybody who sent a message, and everybody who has an inbox."""
        self.idlers = {letter.sender for letter in letters if letter.kind == "idle_notification"}
        times = [letter.at for letter in letters]
        joined = {name: moment(member.get("joinedAt")) for name, member in self.members.items()}
        begin = moment(self.config.get("createdAt")) or min([*times, *filter(None, joined.values())], default=0)
        if not letters and not self.members:
            return
        about = next((m for m in objects(self.config.get("members")) if m.get("name") == self.lead), {})
        self.rec.root(self.lead, role=text(about.get("agentType")), model=text(about.get("model")))
        others = dict.fromkeys(name for letter in letters for name in (letter.sender, letter.receiver))
        for name in [*self.members, *(name for name in others if name not in self.members)]:
            if name != self.lead:
                known = (joined.get(name), *(e.at for e in letters if name in (e.sender, e.receiver)))
                self._spawn(name, min(filter(None, known), default=begin), inferred=joined.get(name) is None)
        for letter in letters:
            self._letter(letter)

    def _spawn(self, name: str, at: int, *, inferred: bool) -> None:
        """A member that left is no longer in the configuration: it joined before its first message."""
        member = self.members.get(name, {})
        role = text(member.get("agentType"))
        self.rec.agent(name, role=role, model=text(member.get("model")))
        about: dict[str, Any] = {"role": role, "content": text(member.get("prompt")), "inferred": inferred}
        self.rec.add("spawn", self.lead, at, phase=ENDS, rank=-1, to=name, **about)
        self.owes.add(name)

    def _letter(self, letter: Letter) -> None:
        sender, receiver, at = letter.sender, letter.receiver, letter.at
        content = letter.about or text(letter.raw.get("text"))
        # Messages that were not read reached nobody.
        about: dict[str, Any] = {"source": letter.source, "content": content, "to": receiver}
        about["delivery"] = "explicit" if letter.raw.get("read") is False else ""
        ending = letter.kind == "shutdown_approved" and sender != self.lead and sender not in self.ended
        if not ending and sender != self.lead and sender not in self.owes | self.ended:
            # Somebody has woken it, and no entry says who.
            self.rec.add("delegate", self.lead, at, phase=ENDS, rank=-1, to=sender, inferred=True)
            self.owes.add(sender)
        if letter.kind == "task_assignment" or (not letter.kind and self._is_idle(receiver)):
            task = text(letter.about.get("taskId"))
            self.rec.add("delegate", sender, at, phase=ENDS, task_ref=task, **about)
            self.owes.add(receiver)
        elif ending:
            self.ended.add(sender)
            self.rec.add("despawn", self.lead, at, phase=AFTER, **about | {"to": sender})
        elif receiver == self.lead and sender in self.owes and self._ends(letter):
            self.owes.remove(sender)
            read = letter.raw.get("read") is True or None
            self.rec.add("return", sender, at, phase=RETURNS, inferred=True, read=read, **about)
        else:
            self.rec.add("message", sender, at, phase=ENDS, sender=sender, **about)

    def _ends(self, letter: Letter) -> bool:
        """A notice of being idle ends a turn; of a member that sends none, the words do."""
        return letter.kind == "idle_notification" or (not letter.kind and letter.sender not in self.idlers)

    def _is_idle(self, name: str) -> bool:
        return name != self.lead and name not in self.owes | self.ended


FORMAT = TraceFormat(
    "claude-team", detect, convert, keys=("members", "leadAgentId"),
    reads="the folder of a team: `config.json` and `inboxes/*.json`",
    spawns="members, when they joined; a member's notice of being idle; without any, its words to the lead",
    inferred="returns; members that the configuration does not have",
    lost="what members did between messages; lists of tasks",
    group=group, around=around, home=Home("claude", "CLAUDE_CONFIG_DIR", "~/.claude", ("teams",)),
)  # fmt: skip
