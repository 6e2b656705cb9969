"""The log of a Codex thread, and the names of the threads of a run."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from awesome_cli.traces.importers.foreign import mapping, reach, text
from awesome_cli.traces.importers.session import AgentLog, RecordedCall


@dataclass
class CodexLog(AgentLog):
    """A thread: one agent. `meta` is the description with which its file begins.

    `started` are the threads that calls made, by the id of the call; `ended` are the names of each thread whose turn it
    saw `completed` or `interrupted`, and when.
    """

    prompts: list[tuple[int, str]] = field(default_factory=list)
    started: dict[str, str] = field(default_factory=dict)
    ended: list[tuple[set[str], str, int]] = field(default_factory=list)
    copied: int = 0
    timeless: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parent = text(reach(self.meta, "source", "subagent", "thread_spawn", "parent_thread_id"))
        self.role = self.about("agent_role")
        self.is_root = not self.parent

    @property
    def first(self) -> int:
        """The time of the first line; 0 if none was read."""
        return min(self.times, default=0)

    def about(self, name: str) -> str:
        """A field of the description, or of the description of the spawn."""
        return text(self.meta.get(name) or reach(self.meta, "source", "subagent", "thread_spawn", name))


def waits(call: RecordedCall) -> bool:
    """True if a call only waits for other agents or polls them; the `wait` of code mode waits for a cell of code."""
    return call.name in {"wait_agent", "list_agents"} or (call.name == "wait" and "ids" in mapping(call.arguments))


class CodexNames:
    """The names of the threads of a run: paths in version 2, ids in version 1. `root` is the id of its session."""

    def __init__(self, threads: Mapping[str, CodexLog], root: str) -> None:
        self.threads = threads
        paths = {name: thread.about("agent_path") for name, thread in threads.items() if thread.parent}
        second = any(paths.values()) or threads[root].meta.get("multi_agent_version") == "v2"
        threads[root].name = "/root" if second else "root"
        self.ids: dict[str, list[str]] = defaultdict(list, {threads[root].name: [root]})
        for name in sorted(paths.keys() - {root}, key=lambda name: (threads[name].first, name)):
            # A session that is resumed can give a path again.
            path = paths[name] or name
            self.ids[path].append(name)
            threads[name].name = path if len(self.ids[path]) == 1 else f"{path}~{len(self.ids[path])}"

    def at(self, path: str, time: int) -> str:
        """Return the thread that held a path at a time; other names are returned unchanged."""
        threads = [each for each in self.ids.get(path, [path]) if each in self.threads] or [path]
        return next((each for each in reversed(threads[1:]) if self.threads[each].first <= time), threads[0])

    def spoken(self, thread: str) -> set[str]:
        """The names by which other threads call a thread."""
        known = self.threads.get(thread)
        return {thread} | ({known.name, known.about("agent_path")} if known is not None else set())
