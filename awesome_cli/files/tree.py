"""Read-only access to a survey's files in a folder; `git.GitTree` does the same for a git revision."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from awesome_cli.files import paths
from awesome_cli.files.writing import HIDDEN, MARK

FILES = (MARK, *(f"{name}.yaml" for name in ("claims", "protocol", "search", "paper")))
PARTS = (*FILES, "corpus", "exclusions", "candidates", "audits", "searches", "screenings")
"""The files and folders of a repository that belong to the survey."""
BESIDE = ("README.md", "statistics.json", "references.bib", "papers.csv")
AROUND = ("docs/pictures", "docs/survey", "templates", "traces")
"""Other files and folders of a repository that the survey's commands read."""
PLAN = f"{HIDDEN}/plan"
"""The folder with the journal of a change of several files."""


class FileTree(Protocol):
    """A set of files; paths are relative to the survey's root, with forward slashes."""

    def list(self, folder: str) -> tuple[str, ...]:
        """Return the sorted paths of the files directly in `folder`; empty if it does not exist.

        Raises `UnusableError` if `folder` is not a readable folder of the survey.
        """

    def strays(self, folder: str) -> tuple[str, ...]:
        """Return the sorted paths below `folder` that are named like records but not returned by `list`.

        These are files in subfolders, folders, and symlinks that are broken or lead out of the survey.
        """

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if absent; raises `UnusableError` if it is not a file of the survey."""


@dataclass(frozen=True)
class WorkingTree:
    """The files of a folder on disk."""

    root: Path
    _folders: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Cache of resolved folders by path."""

    def list(self, folder: str) -> tuple[str, ...]:
        return tuple(f"{folder}/{name}" for name in paths.files(self.root, folder) if not name.startswith("."))

    def strays(self, folder: str) -> tuple[str, ...]:
        strays: list[str] = []
        for place, folders, files in os.walk(self.root / folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside = Path(place).relative_to(self.root).as_posix()
            strays += [f"{inside}/{name}" for name in (*folders, *files) if is_named_like_a_record(name)]
        return tuple(sorted(set(strays) - set(self.list(folder))))

    def read(self, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        if paths.FOLLOWS:
            return paths.read(self.root, path)
        try:
            # Resolve each folder once: a survey has tens of thousands of files in few folders.
            real = self._folders.get(folder) or self._folders.setdefault(folder, str(paths.place(self.root, folder)))
            return paths.contents(f"{real}/{name}", path)
        except (paths.OutsideError, paths.UnusableError):
            return paths.read(self.root, path)  # perhaps a symlink that stays in the survey

    def changed(self, path: str) -> int | None:
        """Return the time of a file's last write or rename in nanoseconds since 1970; None if it does not exist."""
        try:
            status = os.stat(f"{self.root}/{path}")
        except OSError:
            return None
        return max(status.st_mtime_ns, status.st_ctime_ns)


def is_named_like_a_record(name: str) -> bool:
    """Return True if a file name ends with `.yaml` or `.yml`, in capitals or not, and is not hidden."""
    return name.lower().endswith((".yaml", ".yml")) and not name.startswith(".")
