"""Opens a file in the user's text editor and waits."""

import os
import shlex
import subprocess
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError


def open_file(path: Path) -> None:
    """Open a file in $VISUAL, else $EDITOR, else vi, and wait until it is closed.

    Raises `UsageError` where there is no such program, `AwesomeError` where it fails.
    """
    words = command()
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except (FileNotFoundError, PermissionError):
        raise UsageError(f"there is no editor {words[0]!r}", hint="set EDITOR to the one you use") from None
    if done.returncode:
        raise AwesomeError(f"the editor {words[0]!r} ended with code {done.returncode}", hint="nothing was changed")


def command() -> list[str]:
    """The editor's command, split as a shell would."""
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        return shlex.split(chosen) or ["vi"]
    except ValueError:
        raise UsageError(f"EDITOR cannot be read: {chosen!r}", hint="correct its quotes") from None
