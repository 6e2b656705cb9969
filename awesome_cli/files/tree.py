"""Where a survey's files come from: a folder, or a git revision (`revision.py`). Both list and read, nothing else."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from awesome_cli.files import paths


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


@dataclass(frozen=True)
class WorkingTree:
    """The files of a folder, as they are now."""

    root: Path
    _folders: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Where the folders that were read from are, after links."""

    def list(self, folder: str) -> tuple[str, ...]:
        return tuple(f"{folder}/{name}" for name in paths.files(self.root, folder) if not name.startswith("."))

    def strays(self, folder: str) -> tuple[str, ...]:
        listed = set(self.list(folder))
        found: list[str] = []
        for place, folders, files in os.walk(self.root / folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside = Path(place).relative_to(self.root).as_posix()
            found += [f"{inside}/{name}" for name in (*folders, *files) if is_named_like_a_record(name)]
        return tuple(sorted(set(found) - listed))

    def read(self, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        if paths.FOLLOWS:
            return paths.read(self.root, path)
        try:
            # Where a folder leads is looked up once, since a survey has tens of thousands of files in few folders.
            found = self._folders.get(folder) or self._folders.setdefault(folder, str(paths.place(self.root, folder)))
            return paths.contents(f"{found}/{name}", path)
        except (paths.OutsideError, paths.UnusableError):
            return paths.read(self.root, path)  # a link: where it leads decides

    def changed(self, path: str) -> int | None:
        """When a file was last written or renamed, in nanoseconds by its file system's clock; None if there is none."""
        try:
            found = os.stat(f"{self.root}/{path}")
        except OSError:
            return None
        return max(found.st_mtime_ns, found.st_ctime_ns)


def is_named_like_a_record(name: str) -> bool:
    """Whether a file of this name would be read, if it lay in a folder of records."""
    return name.endswith(".yaml") and not name.startswith(".")
