"""The session of one run of the command line: the survey's folder, the settings, and where answers and messages go."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awesome_cli.cli._printing import hand_over, say, show
from awesome_cli.files.writing import nearest
from awesome_cli.output import PROSE, Format, to_text
from awesome_cli.reports.report import Report

if TYPE_CHECKING:
    from awesome_cli.system.network import Net


@dataclass(frozen=True)
class CommandSession:
    """The settings and streams of one run. `environment` are its variables, `command` its words from the verb on."""

    start: Path | None = None
    offline: bool = False
    no_input: bool = False
    quiet: bool = False
    color: str = "auto"
    raw: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()

    @cached_property
    def root(self) -> Path:
        """The survey's folder: the nearest one upwards that holds `taxonomy.yaml`; with `-C`, that folder."""
        return nearest(self.start or Path(), upwards=self.start is None)

    def place(self, name: str = "") -> Path:
        """A file or folder of the survey to write to where none was typed; short in the survey's own folder."""
        return Path(name) if self.root == Path.cwd() else self.root / name

    def net(self) -> "Net":
        """The network as the user configured it."""
        from awesome_cli.sources import connect

        return connect(self.environment, offline=self.offline)

    @property
    def interactive(self) -> bool:
        """Whether a person can be asked something."""
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def colored(self) -> bool:
        """Whether the answer may be coloured."""
        if self.color != "auto":
            return self.color == "always"
        if self.environment.get("NO_COLOR"):
            return False
        return bool(self.environment.get("FORCE_COLOR")) or sys.stdout.isatty()

    def emit(self, report: Report, form: Format = Format.TEXT) -> None:
        """Print the answer to standard output."""
        if form is Format.TEXT and (self.colored or sys.stdout.isatty()):
            from awesome_cli.output.terminal import ENDLESS, Terminal

            # Without a terminal there is no width to fit, unless the environment names one.
            size = shutil.get_terminal_size((ENDLESS, 0)).columns
            show(Terminal(size, self.colored).write(report), styled=True)
        else:
            (show if form in PROSE else hand_over)(to_text(report, form, raw=self.raw))

    def emit_markdown(self, text: str) -> None:
        """Print a page to standard output: laid out for a terminal, as it is into a pipe."""
        if self.colored:
            from awesome_cli.output.terminal import page

            show(page(text), styled=True)
        else:
            show(text)

    def say(self, text: str) -> None:
        """Print a message to standard error, unless `--quiet`."""
        if not self.quiet:
            say(text)


class CommandContext(typer.Context):
    """The context of a verb; its object is the session."""

    obj: CommandSession
