"""Answers that are files: written completely or not at all."""

import os
from pathlib import Path

from awesome_cli.cli._doors import hand_over
from awesome_cli.errors import AwesomeError

STANDARD = Path("-")


def deliver(text: str, out: Path | None) -> None:
    """Write `text` to the file `out`, or to standard output for None and `-`."""
    if out is None or out == STANDARD:
        hand_over(text)
        return
    if not out.parent.is_dir():
        raise AwesomeError(f"no such folder: {out.parent}", hint=f"create it: mkdir -p {out.parent}")
    # Beside the target, so that the last step is a rename; opened like any file, so that it gets the usual rights.
    temporary = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
