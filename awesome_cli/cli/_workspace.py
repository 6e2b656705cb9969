"""What every command is given: the folder of the survey, the output settings, and the corpus, loaded when used."""

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awesome_cli.cli._printing import hand_over, say, show
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files.writing import nearest
from awesome_cli.output import PROSE, Format, to_text
from awesome_cli.reports.report import Report
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.survey.changes import Change
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.journal import OpenPlan
    from awesome_cli.survey.loading import RecordCache
    from awesome_cli.system.network import Net


def find_root(start: Path | None) -> Path:
    """The nearest folder upwards that holds `taxonomy.yaml`; with `-C`, that folder."""
    return nearest(start or Path(), upwards=start is None)


@dataclass(frozen=True)
class Workspace:
    """The settings of one run of the command line.

    `environment` are the variables that it was started with, `command` its words from the verb on, `own` the templates
    that were said to be the survey's own, `known` the records that a run which loads again has read before.
    """

    start: Path | None = None
    offline: bool = False
    no_input: bool = False
    quiet: bool = False
    color: str = "auto"
    raw: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    committed: "list[Sequence[Change]]" = field(default_factory=list, init=False)
    own: list[str] = field(default_factory=list, init=False)
    known: "RecordCache | None" = field(default=None, repr=False)

    @cached_property
    def root(self) -> Path:
        """The survey's folder."""
        return find_root(self.start)

    def place(self, name: str = "") -> Path:
        """A file or folder of the survey to write to where none was typed; short in the survey's own folder."""
        return Path(name) if self.root == Path.cwd() else self.root / name

    def net(self) -> "Net":
        """The network as the user configured it."""
        from awesome_cli.sources import connect

        return connect(self.environment, offline=self.offline)

    def readable(self, *, candidates: bool = False, evidence: bool = False) -> "Corpus":
        """The corpus with all records that can be read, for commands on single records."""
        from awesome_cli.files.tree import WorkingTree
        from awesome_cli.survey.loading import load_corpus

        self.warn_open()
        return load_corpus(WorkingTree(self.root), candidates=candidates, evidence=evidence, known=self.known)

    def warn_open(self) -> None:
        """Say on standard error that the files may be partly old and partly new, where a plan is open."""
        from awesome_cli.survey.journal import is_open

        if is_open(self.root):
            self.say("warning: a change of several files is not finished; see 'awesome recover --dry-run'")

    @contextmanager
    def locked(self, *, written: bool = True) -> Iterator[None]:
        """Hold the survey's lock, if something is to be written; what decides by the survey reads and commits inside.

        A change that was interrupted is finished first, and if it is this one, that is all. An interrupt says what
        was written.
        """
        from awesome_cli.survey import saving

        if not written:
            yield
            return
        try:
            with saving.locked(self.root) as finished:
                if finished is not None:
                    self._say_ended(finished)
                    if finished.did(self.command):
                        raise typer.Exit
                yield
        except KeyboardInterrupt as stop:
            done = "the change was carried out whole" if self.committed else "nothing was written"
            raise KeyboardInterrupt(*(stop.args or (done,))) from None

    def _say_ended(self, plan: "OpenPlan") -> None:
        if plan.undo:
            self.say(f"the interrupted '{plan.name}' was taken back")
        else:
            alone = "; nothing else was done" if plan.did(self.command) else ""
            names = excerpt(", ".join(step.path for step in plan.files))
            self.say(f"finished the interrupted '{plan.name}': {counted(len(plan.files), 'file')} ({names}){alone}")

    def finish_open(self) -> None:
        """Finish what was interrupted, before a service or a person is asked."""
        with self.locked():
            pass

    def commit(self, changes: "Sequence[Change]", *, written: bool = True) -> None:
        """Carry out a plan under the lock, if it is to be written."""
        from awesome_cli.survey import saving

        with self.locked(written=written):
            if written:
                saving.commit(self.root, changes, command=self.command)
                self.committed.append(changes)

    def surveyed(self, *, candidates: bool = False, evidence: bool = False) -> "Corpus":
        """The corpus with all records that can be read, and a warning for each file that cannot."""
        from awesome_cli.rules.preconditions import unreadable

        corpus = self.readable(candidates=candidates, evidence=evidence)
        for path in unreadable(corpus):
            self.say(f"warning: {path} cannot be read and is left out")
        return corpus

    def corpus(self, as_of: "date | None" = None, *, candidates: bool = False) -> "Corpus":
        """The corpus for an analysis: an unreadable record is an error, an unknown term a warning."""
        return self._sound(self.readable(candidates=candidates), as_of)

    def vocabulary(self) -> "Taxonomy | None":
        """The taxonomy of the survey; None outside a survey."""
        from awesome_cli.files.tree import WorkingTree
        from awesome_cli.survey.loading import read_taxonomy

        try:
            return read_taxonomy(WorkingTree(self.root))[0]
        except SurveyError:
            return None

    def remark_retired(self, query: str) -> None:
        """Say on standard error which terms of a query were retired, and what succeeds them."""
        from awesome_cli.query.parser import parse

        taxonomy = self.vocabulary()
        if taxonomy is None:
            return
        with suppress(UsageError):  # The command itself refuses a query that cannot be read.
            for axis, term in sorted(parse(query, taxonomy).terms):
                if retired := taxonomy.by_id[axis].retirement(term):
                    self.say(f"remark: {retired}")

    def say_own_templates(self) -> None:
        """Say on standard error which templates are used in place of the shipped ones, unless it was said."""
        from awesome_cli.publish.environment import own_templates

        own = own_templates(self.root)
        if own and own != tuple(self.own):
            self.say(f"this survey has templates of its own: {', '.join(own)}")
        self.own[:] = own

    def evidence(self, as_of: "date | None" = None) -> "Corpus":
        """The corpus with candidates, claims and audits, for commands that check claims."""
        return self._sound(self.readable(candidates=True, evidence=True), as_of)

    def read(self, corpus: "Corpus", side: str | None, grade: str | None) -> "Corpus":
        """The corpus in the reading of its contests that a command asks for."""
        from awesome_cli.survey.readings import read_as, reading_of

        return read_as(corpus, reading_of(corpus.taxonomy, side, grade))

    def _sound(self, corpus: "Corpus", as_of: "date | None") -> "Corpus":
        from awesome_cli.rules.preconditions import require_usable

        corpus, warnings = require_usable(corpus).with_known_tags()
        for warning in warnings:
            self.say(f"warning: {warning}")
        return corpus if as_of is None else corpus.as_of(as_of)

    def inside(self, paths: "Sequence[Path]") -> tuple[str, ...]:
        """The paths relative to the survey's root, folders with a slash at the end.

        Raises `UsageError` for a path that does not exist.
        """
        root = self.root.resolve()
        inside: list[str] = []
        for path in paths:
            here = path.resolve()
            place = here if here.exists() and here.is_relative_to(root) else (root / path).resolve()
            if not place.exists() or not place.is_relative_to(root):
                raise UsageError(f"no such file in the survey: {path}", hint="list the records with 'awesome list'")
            inside.append(place.relative_to(root).as_posix() + "/" * place.is_dir())
        return tuple(inside)

    def names(self, texts: "Sequence[str]") -> tuple[str, ...]:
        """Keys unchanged; names of files and folders as paths relative to the root of the survey."""
        return tuple(self.inside([Path(text)])[0] if "/" in text or Path(text).exists() else text for text in texts)

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
            from awesome_cli.output import pages

            show(pages.write(text), styled=True)
        else:
            show(text)

    def say(self, text: str) -> None:
        """Print a message to standard error, unless `--quiet`."""
        if not self.quiet:
            say(text)
