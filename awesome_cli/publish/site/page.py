"""A site is a sequence of pages; one function writes them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from awesome_cli.errors import RefusedError
from awesome_cli.survey import saving

LIST = "pages.txt"
"""The list of what a build wrote, so that the next one removes what it no longer writes and nothing else."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A file of the site: its path with forward slashes, and its content."""

    path: str
    content: str | bytes

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.content.encode() if isinstance(self.content, str) else self.content


def write_pages(pages: Iterable[SitePage], out: Path) -> tuple[str, ...]:
    """Write the pages into a folder and return their paths; pages of an earlier build that are gone are removed.

    A page whose bytes did not change is not written again. Raises `RefusedError` for a folder that holds
    files which no build wrote.
    """
    before = _written_before(out)
    written: set[str] = set()
    try:
        for page in pages:
            _write(out / page.path, page.data)
            written.add(page.path)
        for path in before - written:
            (out / path).unlink(missing_ok=True)
        before = set()
    finally:
        # After a failure too, so that the next build knows its own files.
        (out / LIST).write_text("".join(f"{path}\n" for path in sorted(before | written)), encoding="utf-8")
    return tuple(sorted(written))


def _write(target: Path, data: bytes) -> None:
    if not target.is_file() or target.read_bytes() != data:
        saving.write(target, data, last=False)


def _written_before(out: Path) -> set[str]:
    """What the last build wrote here."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        out.mkdir(parents=True, exist_ok=True)
        return set()
    if not (out / LIST).is_file():
        hint = "name an empty or new folder with --out DIR"
        raise RefusedError(f"{out} holds files that no 'awesome site build' wrote", hint=hint)
    paths = (out / LIST).read_text(encoding="utf-8").splitlines()
    return {path for path in paths if _is_inside(path)}


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and not path.startswith("/") and ":" not in path
