"""Where a survey may be written and read: inside of its folder, whatever the links in it say."""

from pathlib import Path

from awesome_cli.errors import RefusedError


class OutsideError(RefusedError):
    """A link in the survey leads out of it; nothing behind it is read, written or deleted."""


def place(root: Path, path: str | Path) -> Path:
    """The file or folder that `path`, relative to `root`, names; links that stay inside of `root` are followed.

    Raises `OutsideError` if a link on the way, or the last name itself, leads out of `root` or in a circle.
    """
    try:
        found = (root / path).resolve()
        inside = found.is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a circle of links
        inside = False
    if not inside:
        raise OutsideError(f"{path} leads out of the survey", hint=f"remove the link, or put the file itself at {path}")
    return found
