"""Opens a file in the user's text editor and waits."""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError


def open_file(path: Path, environment: Mapping[str, str]) -> None:
    """Open a file in the editor that `environment` names, and wait until it is closed.

    Raises `UsageError` where there is no such program, `AwesomeError` where it fails.
    """
    words = command(environment)
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except (FileNotFoundError, PermissionError):
        raise UsageError(f"there is no editor {words[0]!r}", hint="set EDITOR to the one you use") from None
    if done.returncode:
        raise AwesomeError(f"the editor {words[0]!r} ended with code {done.returncode}", hint="nothing was changed")


def command(environment: Mapping[str, str]) -> list[str]:
    """The editor's command, `VISUAL`, else `EDITOR`, else vi, split as a shell would."""
    chosen = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        return shlex.split(chosen) or ["vi"]
    except ValueError:
        raise UsageError(f"EDITOR cannot be read: {chosen!r}", hint="correct its quotes") from None
