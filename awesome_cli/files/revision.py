"""A survey as it is in a git revision: read from git's objects, and never checked out."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from awesome_cli.files import git, plain
from awesome_cli.files.tree import is_named_like_a_record

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
    def _entries(self) -> dict[str, git.TreeEntry]:
        found = git.entries(self.root, self.rev, self.parts)
        # A link may lead to what was not asked for.
        return git.entries(self.root, self.rev) if self.parts and _links(found) else found

    @cached_property
    def _targets(self) -> dict[str, str]:
        """Where each link leads, as it is written."""
        links = _links(self._entries)
        texts = git.blobs(self.root, links.values())
        targets = {path: texts[name].decode(errors="surrogateescape") for path, name in links.items()}
        return {path: target if len(target) <= MAX_TARGET else "/" for path, target in targets.items()}

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """The files that are wanted or that a link among them leads to, each by its own path."""
        paths = {self._real(path) for part in self.parts or ("",) for path in self._below(self._real(part))}
        found = {path: one for path in paths if path and (one := self._entries.get(path))}
        files = {path: one.id for path, one in found.items() if one.mode != git.SUBMODULE and one.size <= plain.LARGEST}
        data = git.blobs(self.root, files.values())
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
        if real in self._entries and self._entries[real].size > plain.LARGEST:
            raise plain.too_large(path, plain.LARGEST)
        return self._files.get(real)


def _links(entries: dict[str, git.TreeEntry]) -> dict[str, str]:
    return {path: one.id for path, one in entries.items() if one.mode == git.LINK}
