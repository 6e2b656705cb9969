"""Run git, and read a survey at a revision from git's objects, without a checkout.

The configuration of a repository may be untrusted and can make git run programs. Therefore only commands that read
objects are called, and all settings that could run a program are overridden.
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
"""Time limit of a git command; an untrusted configuration can include an endless file."""
BYTES = 1 << 29
"""Size limit of a git command's output; a few objects can expand to a tree of any size."""
SETTINGS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
# In a git hook these variables point to another repository than `root`.
FOREIGN = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"}
ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # Fetching a missing object would run the transport program of the configuration.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # for git before 2.45, which does not know the variable above
    # Ignore replaced objects and grafts: a commit has the contents of its id.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
}
WHOLE = "the clone is incomplete; clone the survey again without --filter"
LINK, SUBMODULE = "120000", "160000"


class EndlessError(GitError):
    """Git was stopped at the limit of time or output size."""


class TreeEntry(NamedTuple):
    """An entry of a git tree: mode (`LINK`, `SUBMODULE`, else a file), object id, size in bytes."""

    mode: str
    id: str
    size: int


def run(root: Path, *args: str, stdin: bytes = b"") -> bytes:
    """Return the standard output of `git -C root args…`; raises `GitError` with git's message."""
    from subprocess import DEVNULL, PIPE, Popen
    from threading import Thread, Timer

    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN} | ENVIRONMENT
    command = ["git", "-C", str(root), *SETTINGS, *args]
    try:
        process = Popen(command, env=environment, stdin=PIPE if stdin else DEVNULL, stdout=PIPE, stderr=PIPE)
    except FileNotFoundError:
        raise GitError("git is not installed", hint="install git; it is needed to read revisions") from None
    timer = Timer(SECONDS, process.kill)
    timer.start()
    try:
        if process.stdin is not None:
            # Git writes while it reads: sending all of its input first could deadlock.
            Thread(target=_give, args=(process.stdin, stdin), daemon=True).start()
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
                raise EndlessError(f"git {verb}: the output is larger than {BYTES:,} bytes")
        errors = stderr.read().decode(errors="replace").strip().splitlines()
    code = process.wait()
    if code < 0:
        raise EndlessError(f"git {verb} did not finish within {SECONDS} seconds", hint="check .git/config")
    if code:
        last = errors[-1] if errors else f"exit code {code}"
        raise GitError(f"git {verb}: {last.removeprefix('fatal: ')}")
    return b"".join(parts)


def _give(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError), pipe:
        pipe.write(data)


def entries(root: Path, rev: str, parts: Sequence[str] = ()) -> dict[str, TreeEntry]:
    """Return the tree entries of a revision below `root`, by path; with `parts`, only those files and folders.

    Unlike `git archive` this ignores git attributes, which could hide or change files.
    """
    output = run(root, "ls-tree", "-r", "-l", "-z", resolve(root, rev), "--", *parts)
    lines = (line.partition(b"\t") for line in output.split(b"\0")[:-1])
    fields = ((os.fsdecode(path), head.decode().split()) for head, _, path in lines)
    # A submodule has the size `-`, a missing object `BAD`.
    return {path: TreeEntry(mode, name, int(size) if size.isdigit() else 0) for path, (mode, _, name, size) in fields}


def blobs(root: Path, ids: Iterable[str]) -> dict[str, bytes]:
    """Return the contents of git objects, by object id."""
    names = sorted(set(ids))
    if not names:
        return {}
    answer = run(root, "cat-file", "--batch", "--buffer", stdin="".join(f"{name}\n" for name in names).encode())
    contents: dict[str, bytes] = {}
    start = 0
    for name in names:
        # `ID blob SIZE`, the bytes, a newline; or `ID missing`.
        end = answer.find(b"\n", start) + 1
        if not end:
            raise GitError("git cat-file: the output is incomplete", hint="run the command again")
        words = answer[start:end].split()
        if words[1] != b"blob":
            raise GitError(f"git cat-file: {name} is {words[1].decode()}", hint=WHOLE)
        start = end + int(words[2]) + 1
        contents[name] = answer[end : start - 1]
    return contents


def resolve(root: Path, rev: str) -> str:
    """Return the commit id of a revision; raises `GitError` if it does not exist."""
    if rev.startswith("-"):
        raise GitError(f"{rev!r} is not a valid revision", hint="list revisions with 'git log --oneline'")
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
    """Return the commits that changed files below `root`, oldest first, along the first parents of `rev`."""
    ids = run(root, "rev-list", "--first-parent", "--reverse", resolve(root, rev), "--", ".")
    return tuple(ids.decode().split())


def last_change(root: Path, parts: Sequence[str]) -> str:
    """Return the last commit that changed some files or folders; empty if none did, or a shallow clone lacks it."""
    commit = run(root, "rev-list", "--max-count=1", resolve(root, "HEAD"), "--", *parts).decode().strip()
    shallow = run(root, "rev-parse", "--is-shallow-repository").strip() == b"true"
    # The oldest commit of a shallow clone seems to create every file.
    return "" if commit and shallow and not _formatted(root, commit, "%P") else commit


def date(root: Path, rev: str) -> str:
    """Return the timestamp of a commit (RFC 3339, UTC)."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(int(_formatted(root, rev, "%ct")), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe(root: Path, rev: str) -> str:
    """Describe a commit: `1a2b3c4 (2025-01-31): Subject`."""
    return _formatted(root, rev, "%h (%cs): %s")


def _formatted(root: Path, rev: str, form: str) -> str:
    """Format a commit; `git show` would check signatures with a program that the configuration names."""
    options = ("--max-count=1", "--no-commit-header", "--encoding=UTF-8", f"--format={form}")
    return run(root, "rev-list", *options, resolve(root, rev)).decode(errors="replace").strip()


def origin(root: Path) -> str:
    """Return the URL of the remote `origin` of a repository, empty if the folder is not the top of one."""
    try:
        return run(root, "remote", "get-url", "origin").decode().strip() if (root / ".git").exists() else ""
    except GitError:
        return ""


def _is_repository(root: Path) -> bool:
    try:
        return run(root, "rev-parse", "--is-inside-work-tree").strip() == b"true"
    except EndlessError:
        raise
    except GitError:
        return False


MAX_TARGET, MAX_LINKS = 1024, 16
"""Maximum length of a symlink's target, and of a chain of symlinks."""


@dataclass(frozen=True)
class GitTree:
    """The files of a survey at a git revision; symlinks that lead out of the survey are ignored.

    `parts` are the top-level files and folders to read [default: all].
    """

    root: Path
    rev: str
    parts: tuple[str, ...] = ()

    @cached_property
    def _entries(self) -> dict[str, TreeEntry]:
        wanted = entries(self.root, self.rev, self.parts)
        # A symlink may lead to files outside `parts`.
        return entries(self.root, self.rev) if self.parts and _links(wanted) else wanted

    @cached_property
    def _targets(self) -> dict[str, str]:
        links = _links(self._entries)
        texts = blobs(self.root, links.values())
        targets = {path: texts[name].decode(errors="surrogateescape") for path, name in links.items()}
        return {path: target if len(target) <= MAX_TARGET else "/" for path, target in targets.items()}

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """The bytes of the files in `parts` and of the targets of symlinks, by resolved path."""
        places = {self._real(path) for part in self.parts or ("",) for path in self._below(self._real(part))}
        known = {path: entry for path in places if path and (entry := self._entries.get(path))}
        files = {path: e.id for path, e in known.items() if e.mode != SUBMODULE and e.size <= paths.LARGEST}
        data = blobs(self.root, files.values())
        return {path: data[name] for path, name in files.items()}

    def _real(self, path: str) -> str | None:
        """Resolve all symlinks of a path; None if a symlink leads out of the survey or in a loop."""
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
        """Yield the paths of entries at or below a path; `""` is the survey itself."""
        if path is not None:
            yield from (entry for entry in self._entries if entry == path or not path or entry.startswith(path + "/"))

    def list(self, folder: str) -> tuple[str, ...]:
        real = self._real(folder)
        names = [path[len(real or "") + 1 :] for path in self._below(real)]
        inside = (name for name in names if "/" not in name and not name.startswith("."))
        return tuple(path for name in sorted(inside) if self._real(path := f"{folder}/{name}") in self._files)

    def strays(self, folder: str) -> tuple[str, ...]:
        real = self._real(folder)
        below = (folder + path[len(real or "") :] for path in self._below(real))
        records = {path for path in below if is_named_like_a_record(path.rpartition("/")[2])}
        return tuple(sorted(records - set(self.list(folder))))

    def read(self, path: str) -> bytes | None:
        real = self._real(path)
        if real is None:
            return None
        if real in self._entries and self._entries[real].size > paths.LARGEST:
            raise paths.too_large(path, paths.LARGEST)
        return self._files.get(real)


def _links(entries: dict[str, TreeEntry]) -> dict[str, str]:
    return {path: entry.id for path, entry in entries.items() if entry.mode == LINK}
