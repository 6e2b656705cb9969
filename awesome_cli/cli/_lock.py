"""The survey's lock: a command that writes holds it while it reads what it decides by, and commits its changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from awesome_cli.cli._session import CommandSession
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from awesome_cli.survey.changes import Change
    from awesome_cli.survey.journal import OpenPlan


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
