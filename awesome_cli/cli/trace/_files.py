"""Answers that are files: written completely or not at all."""

from pathlib import Path

from awesome_cli.cli._printing import hand_over
from awesome_cli.errors import AwesomeError
from awesome_cli.files.writing import write

STANDARD = Path("-")


def deliver(text: str, out: Path | None) -> None:
    """Write `text` to the file `out`, or to standard output for None and `-`."""
    if out is None or out == STANDARD:
        hand_over(text)
        return
    require_folder(out)
    write(out, text.encode())


def require_folder(out: Path) -> None:
    """Raise `AwesomeError` where the folder of a file that is to be written is not there."""
    if not out.parent.is_dir():
        raise AwesomeError(f"no such folder: {out.parent}", hint=f"create it: mkdir -p {out.parent}")
