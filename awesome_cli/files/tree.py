"""Where a survey's files come from: a folder, or a git revision. Both list and read, nothing else."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from awesome_cli.files import git, places, plain


class FileTree(Protocol):
    """A set of files; paths are relative to the survey's root, with forward slashes."""

    def list(self, folder: str) -> tuple[str, ...]:
        """Sorted paths of the files directly in `folder`; empty when there is no such folder.

        Raises `UnusableError` for what is no folder of the survey or cannot be read.
        """
        ...

    def strays(self, folder: str) -> tuple[str, ...]:
        """Sorted paths below `folder` that are named like records (`.yaml`) and are none that `list` names.

        Files of subfolders, folders, links that lead nowhere or out of the survey.
        """
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or `None` when it is absent; raises `UnusableError` for what is none of the survey."""
        ...

    def faults(self, path: str) -> Iterator[plain.UnusableError]:
        """What cannot be read of a file, or of a folder and what is in it."""
        ...


@dataclass(frozen=True)
class WorkingTree:
    """The files of a folder, as they are now."""

    root: Path

    @cached_property
    def _folders(self) -> dict[str, str]:
        """Where the folders that were read from are, after links."""
        return {}

    def list(self, folder: str) -> tuple[str, ...]:
        return tuple(f"{folder}/{name}" for name in plain.files(self.root, folder) if not name.startswith("."))

    def strays(self, folder: str) -> tuple[str, ...]:
        listed = set(self.list(folder))
        found: list[str] = []
        for place, folders, files in os.walk(self.root / folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside = Path(place).relative_to(self.root).as_posix()
            found += [f"{inside}/{name}" for name in (*folders, *files) if _is_named_like_a_record(name)]
        return tuple(sorted(set(found) - listed))

    def read(self, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        if plain.FOLLOWS:
            return plain.read(self.root, path)
        try:
            # Where a folder leads is looked up once, since a survey has tens of thousands of files in few folders.
            found = self._folders.get(folder) or self._folders.setdefault(folder, str(places.place(self.root, folder)))
            return plain.contents(f"{found}/{name}", path)
        except (places.OutsideError, plain.UnusableError):
            return plain.read(self.root, path)  # a link: where it leads decides

    def faults(self, path: str) -> Iterator[plain.UnusableError]:
        return plain.faults(self.root, path)


@dataclass(frozen=True)
class GitTree:
    """The files of a revision, read with one `git archive` and never checked out.

    `parts` names the files and folders at the top that are wanted; without any, all are.
    """

    root: Path
    rev: str
    parts: tuple[str, ...] = ()

    @cached_property
    def _files(self) -> dict[str, bytes]:
        import io
        import tarfile

        files: dict[str, bytes] = {}
        data = git.archive(self.root, self.rev, self.parts)
        if not data:
            return files
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar:
                handle = tar.extractfile(member) if member.isfile() else None
                if handle is not None:
                    files[member.name] = handle.read()
        return files

    def list(self, folder: str) -> tuple[str, ...]:
        depth = folder.count("/") + 1
        inside = (p for p in self._files if p.startswith(folder + "/") and p.count("/") == depth)
        return tuple(sorted(p for p in inside if not p.rpartition("/")[2].startswith(".")))

    def strays(self, folder: str) -> tuple[str, ...]:
        listed = set(self.list(folder))
        inside = (
            p for p in self._files if p.startswith(folder + "/") and _is_named_like_a_record(p.rpartition("/")[2])
        )
        return tuple(sorted(set(inside) - listed))

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def faults(self, path: str) -> Iterator[plain.UnusableError]:  # noqa: ARG002 - every tree has this parameter
        return iter(())


def _is_named_like_a_record(name: str) -> bool:
    return name.endswith(".yaml") and not name.startswith(".")
