"""Shared steps of commands that write: take the lock, plan changes, commit or preview them.

A command holds the lock from reading the survey to committing its changes, so that no other command writes meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._printing import hand_over
from awesome_cli.cli._session import CommandSession
from awesome_cli.errors import AwesomeError, GitError, PartialError, UsageError, reason
from awesome_cli.output import Format
from awesome_cli.text.inert import inert
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.changes import Change
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.journal import OpenPlan
    from awesome_cli.survey.saving import Plan

Planner = Callable[["WorkingTree", "Corpus"], "Plan"]
EditOne = Callable[..., "Plan"]
"""A function of `(tree, corpus, *, key)` that plans the change of one record."""
RevisedOption = Annotated[
    bool | None,
    typer.Option(
        "--revised/--not-revised", help="Keep the old coding in the history, for --as-of. [default: ask on a terminal]"
    ),
]


@dataclass
class Lock:
    """The survey's lock. Without `written` the run is a preview: it takes no lock, and `commit` does nothing."""

    session: CommandSession
    written: bool
    committed: bool = False

    def commit(self, changes: "Sequence[Change]") -> None:
        """Write changes, unless the run is a preview."""
        from awesome_cli.survey import saving

        if self.written:
            saving.commit(self.session.root, changes, command=self.session.command)
            self.committed = True


@contextmanager
def locked(session: CommandSession, *, written: bool = True) -> Iterator[Lock]:
    """Hold the survey's lock, unless the run is a preview.

    First finish an interrupted change; if this same command began that change, exit. On Ctrl-C, report whether the
    changes were written.
    """
    from awesome_cli.survey import saving

    lock = Lock(session, written)
    if not written:
        yield lock
        return
    try:
        with saving.locked(session.root) as finished:
            if finished is not None:
                _say_finished(session, finished)
                if finished.did(session.command):
                    raise typer.Exit
            yield lock
    except KeyboardInterrupt as stop:
        done = "the change was carried out whole" if lock.committed else "nothing was written"
        raise KeyboardInterrupt(*(stop.args or (done,))) from None


def finish_open(session: CommandSession) -> None:
    """Finish an interrupted change before a slow step, such as a request or a prompt."""
    with locked(session):
        pass


def _say_finished(session: CommandSession, plan: "OpenPlan") -> None:
    if plan.undo:
        session.say(f"rolled back the interrupted '{plan.name}'")
    else:
        alone = "; nothing else was done" if plan.did(session.command) else ""
        names = excerpt(", ".join(step.path for step in plan.files))
        session.say(f"finished the interrupted '{plan.name}': {counted(len(plan.files), 'file')} ({names}){alone}")


def addressed(key: str | None, words: Sequence[str] | None, where: str | None, usage: str) -> tuple[str, list[str]]:
    """Return the key (empty with `--where`) and the changes; raise `UsageError` if the key or a change is missing."""
    arguments = [*([] if key is None else [key]), *(words or ())]
    if len(arguments) < (2 if where is None else 1):
        lacking = "the change" if arguments or where is not None else "a record"
        raise UsageError(f"{lacking} is missing", hint=f"{usage}; for several records, --where QUERY in place of KEY")
    return (arguments[0], arguments[1:]) if where is None else ("", arguments)


def planned(where: str | None, kind: str | None, words: Sequence[str], key: str, edit_one: EditOne) -> Planner:
    """Plan a change of a record, or of all of a kind that match a query; `UsageError` for a kind alone."""
    from awesome_cli.curation.editing.recoding import alone, together
    from awesome_cli.rules.preconditions import require_usable

    if where is None:
        if kind is not None:
            raise UsageError("--kind needs --where", hint="leave out --kind: KEY already selects one record")
        return lambda tree, corpus: edit_one(tree, corpus, key=alone(corpus, key, words))
    return lambda tree, corpus: together(
        require_usable(corpus), where, kind or "paper", words, lambda match: edit_one(tree, corpus, key=match)
    )


def preview(session: CommandSession, folder: Path, files: Iterable[tuple[str, bytes]], *, diff: bool) -> None:
    """Show how generated files would change a folder."""
    from awesome_cli.files import paths
    from awesome_cli.survey.saving import Change, Plan

    changes = (Change(name, paths.read(folder, name), data) for name, data in files)
    plan = Plan(tuple(change for change in changes if change.before != change.after))
    show_plan(session, plan, Format.TEXT, written=False, diff=diff)


def deliver(session: CommandSession, data: str | bytes, out: Path | None) -> None:
    """Write data to the file `out`, or a text to standard output for None and `-`."""
    from awesome_cli.survey.saving import write

    if isinstance(data, str) and (out is None or str(out) == "-"):
        hand_over(data)
    elif out is not None:
        write(out, data if isinstance(data, bytes) else data.encode())
        session.say(f"wrote {out}")


FAILED = "the report above names each failed item"


@contextmanager
def in_part(what: str) -> Iterator[None]:
    """If writing several files fails or is interrupted, report that `what` may be incomplete and how to complete it."""
    again = "run the same awesome command again to write the missing files"
    try:
        yield
    except OSError as error:
        message = f"{reason(error)}; {what} may be incomplete"
        raise AwesomeError(message, hint=f"solve the problem and {again}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{what} may be incomplete; {again}") from None


def revising(session: CommandSession, *, revised: bool | None, by: str | None, written: bool) -> "Revising":
    """Decide whether to keep old codings in the history: as `revised` says, else by a prompt.

    Without a terminal, keep them if `by` names a coder, else print how. `revised` takes `by` from git if it is None.
    """
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.system.clock import today

    # One prompt for all records.
    @cache
    def decide(fields: str) -> bool:
        if revised is not None:
            return revised
        if not fields:
            return by is not None
        if not session.interactive:
            if by is None:
                effect = "was dropped" if written else "would be dropped"
                fix = "restore the file with git and repeat the command with" if written else "add"
                session.say(f"the old coding of {fields} {effect}; to keep it in the history, {fix} --revised")
            return by is not None
        return typer.confirm(inert(f"Keep the old coding of {fields} in the history?"), default=False, err=True)

    return Revising(today(), decide, by or (committer(session) if revised else None))


def committer(session: CommandSession) -> str | None:
    """Return `user.name` of git; None if it is not set."""
    from awesome_cli.files import git

    try:
        return git.run(session.root, "config", "user.name").decode(errors="replace").strip() or None
    except GitError:
        return None


def twins(corpus: "Corpus") -> list[tuple[str, str]]:
    """Return the findings of rule D001 (one identifier in two records) as `(path, message)`."""
    from awesome_cli.rules.duplicates import identifier_twice

    return [(finding.path, finding.message) for finding in identifier_twice(corpus)]


def carry_out(session: CommandSession, planner: Planner, form: Format, *, dry_run: bool, diff: bool) -> None:
    """Plan changes of the current survey, and commit or preview them."""
    from awesome_cli.files.tree import WorkingTree

    tree = WorkingTree(session.root)
    if dry_run or diff:
        show_plan(session, planner(tree, readable_corpus(session, candidates=True)), form, written=False, diff=diff)
        return
    with locked(session) as lock:
        plan = planner(tree, readable_corpus(session, candidates=True))
        lock.commit(plan.changes)
    show_plan(session, plan, form, written=True, diff=False)


def show_plan(session: CommandSession, plan: "Plan", form: Format, *, written: bool, diff: bool) -> None:
    """Print a plan as a report or a diff; it is a preview unless `written`. Exit with 4 if a part of it failed."""
    for warning in (*plan.warnings, *plan.failed):
        session.say(warning)
    session.emit(plan.to_diff() if diff else plan.to_report(written=written), form)
    if plan.failed:
        raise typer.Exit(PartialError.exit_code)
