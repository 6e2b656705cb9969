"""Run the command line inside the process, as a user would type it."""

import functools
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer.testing
from typer.testing import CliRunner

from awesome_cli.cli.main import compose

APP = compose()
typer.testing._get_command = get_command = functools.cache(typer.main.get_command)
"""All verbs are composed once: to do so again for each run takes longer than a short run itself."""


@dataclass(frozen=True)
class Result:
    """What a run printed and how it ended."""

    out: str
    err: str
    code: int

    @property
    def json(self) -> Any:
        """Standard output, parsed."""
        return json.loads(self.out)


def invoke(*args: str | Path, root: Path | None = None, code: int | None = 0, stdin: str | None = None) -> Result:
    """`awesome -C root args…`, expected to end with `code`, or anyhow if that is None."""
    words = [*(["-C", str(root)] if root is not None else []), *map(str, args)]
    done = CliRunner().invoke(APP, words, input=stdin)
    shown = f"$ awesome {' '.join(words)}\n[{done.exit_code}]\n{done.stdout}\n{done.stderr}\n{done.exception!r}"
    assert code is None or done.exit_code == code, shown
    assert not isinstance(done.exception, Exception) or isinstance(done.exception, SystemExit), shown
    return Result(done.stdout, done.stderr, done.exit_code)


@contextmanager
def terminal(columns: int) -> Iterator[None]:
    """What runs meanwhile is at a terminal of so many columns, which shows no progress."""
    size = {"COLUMNS": str(columns), "LINES": "24", "TERM": "dumb"}
    with patch.dict(os.environ, size), patch.object(typer.testing._NamedTextIOWrapper, "isatty", lambda _: True):
        yield


ADA = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-05-01T00:00:00Z"}
GIT = {f"GIT_{role}_{name}": value for role in ("AUTHOR", "COMMITTER") for name, value in ADA.items()} | dict.fromkeys(
    ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"), os.devnull
)
"""Ada commits on one day, without the user's settings."""


def run_git(folder: Path, *args: str) -> str:
    """What git prints in a folder."""
    command = ["git", "-C", str(folder), *args]
    return subprocess.run(command, env={**os.environ, **GIT}, check=True, capture_output=True, text=True).stdout
