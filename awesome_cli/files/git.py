"""Run git, and read a survey as it is in a revision from git's objects, without a checkout.

A survey may come with a repository whose configuration a stranger wrote, and git runs programs that a configuration
names. So only commands that read objects are called, and whatever could run a program is switched off.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from awesome_cli.errors import GitError
from awesome_cli.files import paths
from awesome_cli.files.tree import is_named_like_a_record

if TYPE_CHECKING:
    from subprocess import Popen


SECONDS = 120
"""How long one command of git may take; a configuration can name a file that never ends."""
BYTES = 1 << 29
"""How much one command of git may answer; a few objects can stand for a tree of any size."""
SETTINGS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
# Inside a hook these name another repository than `root`.
FOREIGN = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"}
ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # To fetch a missing object would run what the configuration names as the way to the server.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # for git before 2.45, which does not know the variable above
    # A commit holds what its id says.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
}
WHOLE = "the clone lacks a part of its history; clone the survey anew, without --filter"
LINK, SUBMODULE = "120000", "160000"


class EndlessError(GitError):
    """Git was stopped: its answer did not end, or was too long."""


class TreeEntry(NamedTuple):
    """What a tree holds under a name: its mode (`LINK`, `SUBMODULE`, else a file), its id, its size in bytes."""

    mode: str
    id: str
    size: int


def run(root: Path, *args: str, given: bytes = b"") -> bytes:
    """Standard output of `git -C root args…`, for what it is given; raises `GitError` with git's own words."""
    from subprocess import DEVNULL, PIPE, Popen
    from threading import Thread, Timer

    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN} | ENVIRONMENT
    command = ["git", "-C", str(root), *SETTINGS, *args]
    try:
        process = Popen(command, env=environment, stdin=PIPE if given else DEVNULL, stdout=PIPE, stderr=PIPE)
    except FileNotFoundError:
        raise GitError("git is not installed", hint="install git; it is needed for revisions") from None
    timer = Timer(SECONDS, process.kill)
    timer.start()
    try:
        if process.stdin is not None:
            # Git answers while it reads: to give all of it first could wait for ever.
            Thread(target=_give, args=(process.stdin, given), daemon=True).start()
        return _answer(process, args[0])
    finally:
        timer.cancel()
        process.kill()
        process.wait()


def _answer(process: "Popen[bytes]", verb: str) -> bytes:
    assert process.stdout is not None
    assert process.stderr is not None
    parts: list[bytes] = []
    n = 0
    with process.stdout as stdout, process.stderr as stderr:
        while part := stdout.read(1 << 16):
            parts.append(part)
            n += len(part)
            if n > BYTES:
                raise EndlessError(f"git {verb}: the answer is larger than {BYTES:,} bytes")
        words = stderr.read().decode(errors="replace").strip().splitlines()
    code = process.wait()
    if code < 0:
        raise EndlessError(f"git {verb}: no answer within {SECONDS} seconds", hint="check .git/config")
    if code:
        last = words[-1] if words else f"exit code {code}"
        raise GitError(f"git {verb}: {last.removeprefix('fatal: ')}")
    return b"".join(parts)


def _give(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError), pipe:
        pipe.write(data)


def entries(root: Path, rev: str, parts: Sequence[str] = ()) -> dict[str, TreeEntry]:
    """What the tree of a revision holds below `root`, by path; with `parts`, of those files and folders that are there.

    Unlike `git archive` this reads no attributes, so that nothing is hidden or changed on the way.
    """
    listed = run(root, "ls-tree", "-r", "-l", "-z", resolve(root, rev), "--", *parts)
    found = (line.partition(b"\t") for line in listed.split(b"\0")[:-1])
    fields = ((os.fsdecode(path), line.decode().split()) for line, _, path in found)
    # A submodule has the size `-`, an object that the clone lacks `BAD`.
    return {path: TreeEntry(mode, name, int(size) if size.isdigit() else 0) for path, (mode, _, name, size) in fields}


def blobs(root: Path, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of objects, by id."""
    names = sorted(set(ids))
    if not names:
        return {}
    answer = run(root, "cat-file", "--batch", "--buffer", given="".join(f"{name}\n" for name in names).encode())
    found: dict[str, bytes] = {}
    start = 0
    for name in names:
        # `ID blob SIZE`, the bytes, a newline; or `ID missing`.
        end = answer.find(b"\n", start) + 1
        if not end:
            raise GitError("git cat-file: the answer ends early", hint="run the command again")
        words = answer[start:end].split()
        if words[1] != b"blob":
            raise GitError(f"git cat-file: {name} is {words[1].decode()}", hint=WHOLE)
        start = end + int(words[2]) + 1
        found[name] = answer[end : start - 1]
    return found


def resolve(root: Path, rev: str) -> str:
    """The commit id that `rev` names."""
    if rev.startswith("-"):
        raise GitError(f"git knows no revision {rev!r}", hint="list some with: git log --oneline")
    try:
        return run(root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}").decode().strip()
    except EndlessError:
        raise
    except GitError:
        inside = _is_repository(root)
        start = "commit the survey first: git init; git add -A; git commit -m 'Start'"
        hint = "list revisions with 'git log --oneline'" if inside and rev != "HEAD" else start
        if inside and run(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
            hint = "this clone is shallow; fetch the rest of its history with: git fetch --unshallow"
        reason = f"no such revision: {rev}" if inside else f"{root.name} is not in a git repository"
        raise GitError(reason, hint=hint) from None


def history(root: Path, rev: str) -> tuple[str, ...]:
    """Commit ids that touched anything below `root`, oldest first, along the first parents of `rev`."""
    listed = run(root, "rev-list", "--first-parent", "--reverse", resolve(root, rev), "--", ".")
    return tuple(listed.decode().split())


def date(root: Path, rev: str) -> str:
    """When a revision was committed (RFC 3339, UTC)."""
    from datetime import UTC, datetime

    seconds = int(_told(root, rev, "%ct"))
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe(root: Path, rev: str) -> str:
    """`1a2b3c4 (2025-01-31): Subject`."""
    return _told(root, rev, "%h (%cs): %s")


def _told(root: Path, rev: str, form: str) -> str:
    """What a commit says; `git show` would look for signatures too, with the program that the configuration names."""
    asked = ("--max-count=1", "--no-commit-header", "--encoding=UTF-8", f"--format={form}")
    return run(root, "rev-list", *asked, resolve(root, rev)).decode(errors="replace").strip()


def _is_repository(root: Path) -> bool:
    try:
        return run(root, "rev-parse", "--is-inside-work-tree").strip() == b"true"
    except EndlessError:
        raise
    except GitError:
        return False


MAX_TARGET, MAX_LINKS = 1024, 16
"""How long the target of a link may be, and how many links may follow on each other."""


@dataclass(frozen=True)
class GitTree:
    """The files of a revision. A link is followed as in a folder; one that leads out of the survey is no file.

    `parts` names the files and folders at the top that are wanted; without any, all are.
    """

    root: Path
    rev: str
    parts: tuple[str, ...] = ()

    @cached_property
    def _entries(self) -> dict[str, TreeEntry]:
        found = entries(self.root, self.rev, self.parts)
        # A link may lead to what was not asked for.
        return entries(self.root, self.rev) if self.parts and _links(found) else found

    @cached_property
    def _targets(self) -> dict[str, str]:
        links = _links(self._entries)
        texts = blobs(self.root, links.values())
        targets = {path: texts[name].decode(errors="surrogateescape") for path, name in links.items()}
        return {path: target if len(target) <= MAX_TARGET else "/" for path, target in targets.items()}

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """The files that are wanted or that a link among them leads to, each by its own path."""
        places = {self._real(path) for part in self.parts or ("",) for path in self._below(self._real(part))}
        found = {path: one for path in places if path and (one := self._entries.get(path))}
        files = {path: one.id for path, one in found.items() if one.mode != SUBMODULE and one.size <= paths.LARGEST}
        data = blobs(self.root, files.values())
        return {path: data[name] for path, name in files.items()}

    def _real(self, path: str) -> str | None:
        """Where a path leads when each link on the way is followed; None: out of the survey, or in a circle."""
        if not self._targets:
            return path
        steps, done, followed = path.split("/")[::-1], list[str](), 0
        while steps:
            step = steps.pop()
            if step == ".." and not done:
                return None
            done = done[:-1] if step == ".." else [*done, step] if step not in {"", "."} else done
            target = self._targets.get("/".join(done))
            if target is not None:
                followed += 1
                if target.startswith("/") or followed > MAX_LINKS:
                    return None
                done.pop()
                steps += target.split("/")[::-1]
        return "/".join(done)

    def _below(self, path: str | None) -> Iterator[str]:
        """What there is at a path or below it; `""` is the survey itself."""
        if path is not None:
            yield from (one for one in self._entries if one == path or not path or one.startswith(path + "/"))

    def list(self, folder: str) -> tuple[str, ...]:
        real = self._real(folder)
        names = [path[len(real or "") + 1 :] for path in self._below(real)]
        inside = (name for name in names if "/" not in name and not name.startswith("."))
        return tuple(path for name in sorted(inside) if self._real(path := f"{folder}/{name}") in self._files)

    def strays(self, folder: str) -> tuple[str, ...]:
        real = self._real(folder)
        below = (folder + path[len(real or "") :] for path in self._below(real))
        named = {path for path in below if is_named_like_a_record(path.rpartition("/")[2])}
        return tuple(sorted(named - set(self.list(folder))))

    def read(self, path: str) -> bytes | None:
        real = self._real(path)
        if real is None:
            return None
        if real in self._entries and self._entries[real].size > paths.LARGEST:
            raise paths.too_large(path, paths.LARGEST)
        return self._files.get(real)


def _links(entries: dict[str, TreeEntry]) -> dict[str, str]:
    return {path: one.id for path, one in entries.items() if one.mode == LINK}
