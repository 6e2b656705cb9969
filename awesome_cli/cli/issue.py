"""`awesome issue`: apply contributions that were sent through an issue form."""

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus, require_vocabulary
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import finish_open, locked, twins
from awesome_cli.errors import NetError, UsageError
from awesome_cli.output import Format
from awesome_cli.reports.report import Report, Section, Text

if TYPE_CHECKING:
    from awesome_cli.curation.contributions.reading import FilledForm
    from awesome_cli.survey.saving import Plan

issue = typer.Typer(no_args_is_help=True)
LOGIN = re.compile(r"[\w.-]{1,60}(\[bot\])?")


@issue.callback()
def overview() -> None:
    """Apply contributions sent through an issue form: a paper, a contested coding, a correction.

    Example: awesome issue apply sent.md
    """


@issue.command("apply")
def apply_(
    ctx: CommandContext,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", callback=within, help="Text of the issue; '-' reads standard input.")
    ],
    number: Annotated[
        int | None, typer.Option("--number", metavar="N", min=1, help="Record the number of the issue.")
    ] = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="Record the account of the sender.")] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Apply a filled form: add a paper as candidate, a contested coding as contest, or correct a value.

    Nothing is overwritten: a correction must name the old value. A form that is incomplete or contains unknown names is
    rejected with a list of its errors (exit code 1). The metadata of a reference are fetched (exit code 3 if the
    request fails); --offline adds a stub instead.

    Example: awesome issue apply sent.md --number 7 --who NAME --dry-run
    """
    from awesome_cli.curation.contributions.reading import MalformedError, unanswered
    from awesome_cli.publish.hosts import page_address

    session = ctx.obj
    if who is not None and not LOGIN.fullmatch(who):
        raise UsageError(f"--who {who!r} is not a valid account name", hint="use letters, digits, '-', '_' and '.'")
    try:
        plan, message = _take_in(session, _read(session, file), number, who, written=not (dry_run or diff))
    except (MalformedError, NetError) as error:
        address = partial(page_address, require_vocabulary(session).survey, session.root)
        session.emit(error.to_report(address) if isinstance(error, MalformedError) else unanswered(error), form)
        raise typer.Exit(error.exit_code) from None
    for warning in plan.warnings:
        session.say(warning)
    head = Report("awesome/issue/1", {"said": message}, (Section(None, (Text(message),)),))
    session.emit(plan.to_diff() if diff else head.followed_by(plan.to_report(written=not dry_run)), form)


def _take_in(
    session: CommandSession, form: "FilledForm", number: int | None, by: str | None, *, written: bool
) -> "tuple[Plan, str]":
    """Plan the changes of a form, commit them if `written`, and return the plan with a message."""
    from awesome_cli.curation.contributions import contributed, described
    from awesome_cli.curation.contributions.reading import Sender
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.system.clock import today

    sender = Sender(today(), by, f"issue {number}" if number else None)
    if written:
        finish_open(session)
    tree, paper = WorkingTree(session.root), None
    if form.form.kind == "paper":
        paper = described(tree, readable_corpus(session, candidates=True), form, session.net(), sender)
    with locked(session, written=written) as lock:
        corpus = readable_corpus(session, remark=True, candidates=True)
        plan, message = contributed(tree, corpus, form, paper, sender, twins)
        lock.commit(plan.changes)
    return plan, message


def _read(session: CommandSession, file: Path) -> "FilledForm":
    """Read a filled-in form from a file or standard input; raises `UsageError` or `MalformedError`."""
    from awesome_cli.curation.contributions.reading import LARGEST, form_text, read_form
    from awesome_cli.files.paths import contents
    from awesome_cli.publish.forms import forms

    data = sys.stdin.buffer.read(LARGEST + 1) if str(file) == "-" else contents(str(file), str(file))
    if data is None:
        raise UsageError(f"no such file: {file}", hint="name the file with the text of the issue")
    return read_form(form_text(data), forms(require_vocabulary(session)).values())
