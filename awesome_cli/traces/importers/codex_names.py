"""What the agents of a Codex run are called: by their paths in version 2, by the ids of their threads in version 1."""

from collections import defaultdict
from collections.abc import Mapping

from awesome_cli.traces.importers.codex_thread import CodexThread


class CodexNames:
    """The names of the threads of a run. `root` is the id of its session, whose file can be missing."""

    def __init__(self, threads: Mapping[str, CodexThread], root: str) -> None:
        self.threads = threads
        paths = {name: thread.about("agent_path") for name, thread in threads.items() if thread.parent}
        second = any(paths.values()) or (root in threads and threads[root].meta.get("multi_agent_version") == "v2")
        self.names = {root: "/root" if second else "root"}
        self.ids: dict[str, list[str]] = defaultdict(list, {self.names[root]: [root]})
        for name in sorted(paths.keys() - {root}, key=lambda name: (threads[name].first, name)):
            # A session that is resumed can give a path again.
            path = paths[name] or name
            self.ids[path].append(name)
            self.names[name] = path if len(self.ids[path]) == 1 else f"{path}~{len(self.ids[path])}"

    def __getitem__(self, thread: str) -> str:
        return self.names.get(thread, thread)

    def above(self, thread: CodexThread) -> str:
        """The name of the agent that a thread answers."""
        return self[thread.parent] if thread.parent else next(iter(self.names.values()))

    def at(self, path: str, time: int) -> str:
        """The thread that had a path at a time; what is no path stays as it is."""
        threads = [each for each in self.ids.get(path, [path]) if each in self.threads] or [path]
        return next((each for each in reversed(threads[1:]) if self.threads[each].first <= time), threads[0])

    def spoken(self, thread: str) -> set[str]:
        """What other threads call a thread."""
        return {thread, self[thread], self.threads[thread].about("agent_path") if thread in self.threads else ""}
