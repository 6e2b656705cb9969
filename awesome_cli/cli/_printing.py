"""Print answers to standard output, and messages and progress to standard error."""

import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import typer

from awesome_cli.text.inert import inert, visible, without_commands

if TYPE_CHECKING:
    from rich.progress import Progress


PASSING = ExitStack()
"""The progress display on the terminal. Close it before other output, so that it disappears."""


def say(text: str) -> None:
    """Print a message to standard error."""
    PASSING.close()
    text = inert(text)
    if sys.stderr.isatty():
        from awesome_cli.output.layout import fitted

        text = fitted(text, shutil.get_terminal_size().columns)
    typer.echo(text, err=True)


def show(text: str, *, styled: bool = False) -> None:
    """Print text for people to standard output; `styled` keeps colour escapes and removes all others."""
    PASSING.close()
    sys.stdout.write(without_commands(text) if styled else inert(text))


def hand_over(text: str) -> None:
    """Print data for programs to standard output; on a terminal, escape invisible characters."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)


PATIENCE = 1.0
"""Seconds before progress is shown."""
STEP = 0.1
"""Seconds between two updates."""


@dataclass
class Watch:
    """A progress listener that shows the latest task."""

    began: float = field(default_factory=monotonic)
    shown: float = 0.0
    works: "dict[str, Progress]" = field(default_factory=dict)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show the progress of a task (see `reports.progress.Listener`)."""
        now = monotonic()
        if not what:
            PASSING.close()
        elif now - self.began >= PATIENCE and now - self.shown >= STEP:
            self.shown = now
            work = self.works.get(what) or self.works.setdefault(what, progress(what))
            work.update(work.task_ids[0], completed=done, total=total, refresh=True)
            if not work.live.is_started:
                PASSING.close()
                PASSING.enter_context(work)


def progress(what: str) -> "Progress":
    """Return a progress line: `reading corpus: 1200 of 5000 0:00:12 left`."""
    from rich.console import Console  # Imported here, since most commands are done before they show it.
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}:", markup=False), MofNCompleteColumn(" of "), TimeRemainingColumn())
    # A refresh thread or redirected streams are not needed: the functions above close the display before they print.
    shown = Progress(
        *columns, TextColumn("left"), console=Console(stderr=True, no_color=True), transient=True,
        auto_refresh=False, redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
    shown.add_task(inert(what), total=None)
    return shown
