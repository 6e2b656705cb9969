"""The session of one run: the survey's folder, the settings, and the output streams."""

import shutil
import sys
from collections.abc import Iterable, Mapping
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
    from awesome_cli.model.records import AnyWork
    from awesome_cli.system.network import Net


@dataclass(frozen=True)
class CommandSession:
    """Settings and streams of one run; `command` is the typed command from the verb on."""

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
        """The folder of `-C`, or the nearest folder upwards that contains `taxonomy.yaml`."""
        return nearest(self.start or Path(), upwards=self.start is None)

    def place(self, name: str = "") -> Path:
        """Return the path of a file or folder in the survey, relative if the survey is the current folder."""
        return Path(name) if self.root == Path.cwd() else self.root / name

    def net(self) -> "Net":
        """Return the network client, as configured by the environment."""
        from awesome_cli.sources import connect

        return connect(self.environment, offline=self.offline)

    @property
    def interactive(self) -> bool:
        """True if the user can answer prompts."""
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def colored(self) -> bool:
        """True if answers are printed in colour."""
        if self.color != "auto":
            return self.color == "always"
        if self.environment.get("NO_COLOR"):
            return False
        return bool(self.environment.get("FORCE_COLOR")) or sys.stdout.isatty()

    def emit(self, report: Report, form: Format = Format.TEXT, works: "Iterable[AnyWork]" = ()) -> None:
        """Print a report to standard output; LaTeX cites `works` by their citation keys."""
        if form is Format.TEXT and (self.colored or sys.stdout.isatty()):
            from awesome_cli.output.terminal import ENDLESS, Terminal

            # A pipe has no width, unless COLUMNS sets one.
            size = shutil.get_terminal_size((ENDLESS, 0)).columns
            show(Terminal(size, self.colored).write(report), styled=True)
        else:
            cites: Mapping[str, str] = {}
            if form is Format.LATEX:
                from awesome_cli.survey.keys import citation_keys

                cites = citation_keys(works)
            (show if form in PROSE else hand_over)(to_text(report, form, raw=self.raw, cites=cites))

    def emit_markdown(self, text: str) -> None:
        """Print a Markdown page: rendered on a terminal, unchanged into a pipe."""
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
    """The context of a verb; `obj` is the session."""

    obj: CommandSession
