"""Where a survey's files come from: a folder, or a git revision (`revision.py`). Both list and read, nothing else."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class FileTree(Protocol):
    """A set of files; paths are relative to the survey's root, with forward slashes."""

    def list(self, folder: str) -> tuple[str, ...]:
        """Sorted paths of the files directly in `folder`; empty when there is no such folder."""
        ...

    def strays(self, folder: str) -> tuple[str, ...]:
        """Sorted paths below `folder` that are named like records (`.yaml`) and are none that `list` names.

        Files of subfolders, folders, links that lead nowhere or out of the survey.
        """
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or `None` when it is absent."""
        ...


@dataclass(frozen=True)
class WorkingTree:
    """The files of a folder, as they are now."""

    root: Path

    def list(self, folder: str) -> tuple[str, ...]:
        try:
            with os.scandir(self.root / folder) as entries:
                names = [entry.name for entry in entries if entry.is_file() and not self._leaves(entry)]
        except (FileNotFoundError, NotADirectoryError):
            return ()
        return tuple(f"{folder}/{name}" for name in sorted(names) if not name.startswith("."))

    def _leaves(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is a link to something outside of the survey."""
        return entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(self.root.resolve())

    def strays(self, folder: str) -> tuple[str, ...]:
        listed = set(self.list(folder))
        found: list[str] = []
        for place, folders, files in os.walk(self.root / folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside = Path(place).relative_to(self.root).as_posix()
            found += [f"{inside}/{name}" for name in (*folders, *files) if is_named_like_a_record(name)]
        return tuple(sorted(set(found) - listed))

    def read(self, path: str) -> bytes | None:
        try:
            with open(os.path.join(self.root, path), "rb", buffering=0) as file:
                return file.read()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None


def is_named_like_a_record(name: str) -> bool:
    """Whether a file of this name would be read, if it lay in a folder of records."""
    return name.endswith(".yaml") and not name.startswith(".")
