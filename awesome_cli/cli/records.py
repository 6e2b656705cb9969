"""`awesome admit`, `edit`, `remove`, `rename`, `fmt` and `recover`: change the files of records."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._lock import finish_open, locked
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, names_in
from awesome_cli.cli._printing import say
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out, show_plan
from awesome_cli.output import Format
from awesome_cli.text.inert import inert

if TYPE_CHECKING:
    from awesome_cli.curation.editing.admitting import Complete
    from awesome_cli.survey.corpus import Corpus


def admit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The candidate's key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Admit a candidate to the pool with today's date. On a terminal it asks for what is missing.

    Example: awesome admit KEY
    """
    from awesome_cli.curation.editing import admitting
    from awesome_cli.system.clock import today

    carry_out(
        ctx.obj,
        lambda tree, corpus: admitting.admit(tree, corpus, key, on=today(), complete=asking(ctx.obj, corpus)),
        form,
        dry_run=dry_run,
        diff=diff,
    )


def asking(session: CommandSession, corpus: "Corpus") -> "Complete | None":
    """The function that asks a person for missing fields and terms; None without a terminal."""
    if not session.interactive:
        return None
    from awesome_cli.curation.editing.admitting import completed

    return completed(
        corpus.taxonomy, lambda question: typer.prompt(inert(question), default="", show_default=False, err=True)
    )


def edit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record; also one that cannot be read.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR, and check it when the editor closes.

    If there are findings it offers to open the file again; your text is kept in any case. Example: awesome edit KEY
    """
    from awesome_cli.curation.editing.files import discard, edited
    from awesome_cli.system.programs import open_file

    session = ctx.obj

    def again(findings: str) -> bool:
        say(findings)
        return session.interactive and typer.confirm("Open it again?", default=True, err=True)

    def open_copy(path: Path) -> None:
        open_file(path, session.environment)

    finish_open(session)
    plan = edited(session.root, key, open_file=open_copy, again=again)
    with locked(session) as lock:
        lock.commit(plan.changes)
    discard(session.root, key)
    show_plan(session, plan, Format.TEXT, written=True, diff=False)


def remove(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record's key.")],
    force: Annotated[
        bool, typer.Option("--force", help="Remove it even if a record, a claim or an audit names it.")
    ] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Delete a record's file. To screen a paper out and keep its fields, use 'awesome exclude'.

    Example: awesome remove KEY --dry-run
    """
    from awesome_cli.curation.editing import excluding

    planner = partial(excluding.remove, key=key, force=force)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


def rename(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The record's key.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a record; the old key becomes an alias, and records and claims that name it are updated.

    Example: awesome rename OLD NEW
    """
    from awesome_cli.curation.editing import naming

    carry_out(ctx.obj, lambda tree, corpus: naming.rename(tree, corpus, old, new), form, dry_run=dry_run, diff=diff)


def fmt(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="KEY|PATH", help="Records or folders; by default all.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Write records in their canonical form: order of fields, quotes, lines. Comments move with their values.

    Example: awesome fmt corpus --diff
    """
    from awesome_cli.curation.editing.files import formatted
    from awesome_cli.files.tree import WorkingTree

    session = ctx.obj
    preview = check or dry_run or diff
    with locked(session, written=not preview) as lock:
        axes = tuple(readable_corpus(session).taxonomy.by_id)
        plan = formatted(WorkingTree(session.root), names_in(session.root, names or []), axes)
        lock.commit(plan.changes)
    show_plan(session, plan, form, written=not preview, diff=diff)
    raise typer.Exit(int(check and bool(plan.changes)))


def recover(
    ctx: CommandContext,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was done of the change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Finish a change of several files that was interrupted, or take it back.

    Every command that writes finishes it first. Example: awesome recover --dry-run
    """
    from awesome_cli.survey import journal, saving

    session = ctx.obj
    preview = dry_run or diff
    with nullcontext() if preview else saving.locked(session.root, finish=False):
        plan = journal.opened(session.root)
        changes = () if plan is None else journal.finish(session.root, plan, undo=undo, dry_run=preview)
    if plan is None:
        session.say("nothing to recover")
    else:
        ended = "taken back" if undo or plan.undo else "carried out"
        session.say(f"the interrupted '{plan.name}'" + (":" if changes else f" was {ended} already"))
    show_plan(session, saving.Plan(changes), form, written=not preview, diff=diff)
