"""What commands that write share: the survey's lock, a plan made under it, history, and showing or carrying it out.

A command that writes holds the lock while it reads what it decides by, and commits its changes.
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
from awesome_cli.errors import AwesomeError, PartialError, UsageError, reason
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
"""`(tree, corpus, *, key)`: the plan that changes one record."""
RevisedOption = Annotated[
    bool | None,
    typer.Option(
        "--revised/--not-revised", help="Keep the old coding for --as-of: it counted until today. Asked on a terminal."
    ),
]


@dataclass
class Lock:
    """A lock that is held. Without `written` the run is a preview: nothing is locked and `commit` writes nothing."""

    session: CommandSession
    written: bool
    committed: bool = False

    def commit(self, changes: "Sequence[Change]") -> None:
        """Carry out a plan, if it is to be written."""
        from awesome_cli.survey import saving

        if self.written:
            saving.commit(self.session.root, changes, command=self.session.command)
            self.committed = True


@contextmanager
def locked(session: CommandSession, *, written: bool = True) -> Iterator[Lock]:
    """Hold the survey's lock, if something is to be written.

    A change that was interrupted is finished first; if it is this very command, the run ends. The message of an
    interrupt says whether anything was written.
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
    """Finish an interrupted change, before a service or a person is asked."""
    with locked(session):
        pass


def _say_finished(session: CommandSession, plan: "OpenPlan") -> None:
    if plan.undo:
        session.say(f"the interrupted '{plan.name}' was taken back")
    else:
        alone = "; nothing else was done" if plan.did(session.command) else ""
        names = excerpt(", ".join(step.path for step in plan.files))
        session.say(f"finished the interrupted '{plan.name}': {counted(len(plan.files), 'file')} ({names}){alone}")


def addressed(key: str | None, words: Sequence[str] | None, where: str | None, usage: str) -> tuple[str, list[str]]:
    """The key (empty with `--where`) and the changes that a command was given; raises `UsageError` for none."""
    given = [*([] if key is None else [key]), *(words or ())]
    missing = len(given) < (2 if where is None else 1)
    if missing:
        what = "says no change" if given or where is not None else "names no record"
        raise UsageError(f"the command {what}", hint=f"{usage}; for several records, --where QUERY in place of KEY")
    return (given[0], given[1:]) if where is None else ("", given)


def planned(where: str | None, kind: str | None, words: Sequence[str], key: str, edit_one: EditOne) -> Planner:
    """The plan for one record, or for all of a kind that match a query; raises `UsageError` for a kind without one."""
    from awesome_cli.curation.editing.recoding import alone, together
    from awesome_cli.rules.preconditions import require_usable

    if where is None:
        if kind is not None:
            raise UsageError("--kind goes with --where", hint="a KEY names one record, whatever its kind")
        return lambda tree, corpus: edit_one(tree, corpus, key=alone(corpus, key, words))
    return lambda tree, corpus: together(
        require_usable(corpus), where, kind or "paper", words, lambda found: edit_one(tree, corpus, key=found)
    )


def preview(session: CommandSession, folder: Path, files: Iterable[tuple[str, bytes]], *, diff: bool) -> None:
    """Show what writing generated files into a folder would change."""
    from awesome_cli.files import paths
    from awesome_cli.survey.saving import Change, Plan

    found = (Change(name, paths.read(folder, name), data) for name, data in files)
    plan = Plan(tuple(change for change in found if change.before != change.after))
    show_plan(session, plan, Format.TEXT, written=False, diff=diff)


def deliver(session: CommandSession, text: str, out: Path | None) -> None:
    """Print data, or write them to the file `out` and name it."""
    from awesome_cli.survey.saving import write

    if out is None or str(out) == "-":
        hand_over(text)
        return
    write(out, text.encode())
    session.say(f"wrote {out}")


@contextmanager
def in_part(what: str) -> Iterator[None]:
    """Say, where writing several files outside of a plan breaks off, that the same command writes the rest."""
    again = "run the same awesome command again: it writes what is missing"
    try:
        yield
    except OSError as error:
        message = f"{reason(error)}; {what} may be written in part"
        raise AwesomeError(message, hint=f"correct that and {again}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{what} may be written in part; {again}") from None


def revising(session: CommandSession, *, revised: bool | None, by: str | None, written: bool) -> "Revising":
    """How to treat history: as the option says; without it, ask a person; without one, keep nothing."""
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.system.clock import today

    # Asked once, for however many records.
    @cache
    def decide(fields: str) -> bool:
        if revised is not None:
            return revised
        if not fields:
            return by is not None
        if not session.interactive:
            if by is None:
                kept = "is not kept" if written else "would not be kept"
                way = "take the file back with git and repeat the command with" if written else "add"
                session.say(f"the old coding of {fields} {kept}; if it counted until today, {way} --revised")
            return by is not None
        return typer.confirm(inert(f"Keep the old coding of {fields} in the history?"), default=False, err=True)

    return Revising(today(), decide, by)


def twins(corpus: "Corpus") -> list[tuple[str, str]]:
    """What `validate` finds of records with one identifier, each as the path of a record and a message."""
    from awesome_cli.rules.duplicates import identifier_twice

    return [(found.path, found.message) for found in identifier_twice(corpus)]


def carry_out(session: CommandSession, planner: Planner, form: Format, *, dry_run: bool, diff: bool) -> None:
    """Make a plan from the present survey and carry it out or show it; messages go to standard error."""
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
    """Print what was done or would be done; as a diff with `diff`. Exits with 4 where something was left out."""
    for warning in (*plan.warnings, *plan.failed):
        session.say(warning)
    session.emit(plan.to_diff() if diff else plan.to_report(written=written), form)
    if plan.failed:
        raise typer.Exit(PartialError.exit_code)
