"""`awesome admit`, `edit`, `remove`, `rename`, `fmt` and `recover`: change the files of records."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._printing import say
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out, show_plan
from awesome_cli.output import Format
from awesome_cli.text.inert import inert

if TYPE_CHECKING:
    from awesome_cli.curation.editing.admitting import Complete
    from awesome_cli.survey.corpus import Corpus


def admit(
    ctx: typer.Context,
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

    workspace: Workspace = ctx.obj
    carry_out(
        workspace,
        lambda tree, corpus: admitting.admit(tree, corpus, key, on=today(), complete=asking(workspace, corpus)),
        form,
        dry_run=dry_run,
        diff=diff,
    )


def asking(workspace: Workspace, corpus: "Corpus") -> "Complete | None":
    """The function that asks a person for missing fields and terms; None without a terminal."""
    if not workspace.interactive:
        return None
    from awesome_cli.curation.editing.screening import completed

    return completed(
        corpus.taxonomy, lambda question: typer.prompt(inert(question), default="", show_default=False, err=True)
    )


def edit(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record; also one that cannot be read.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR, and check it when the editor closes.

    If there are findings it offers to open the file again; your text is kept in any case. Example: awesome edit KEY
    """
    from awesome_cli.curation.editing.session import discard, edited
    from awesome_cli.system.programs import open_file

    workspace: Workspace = ctx.obj

    def again(findings: str) -> bool:
        say(findings)
        return workspace.interactive and typer.confirm("Open it again?", default=True, err=True)

    def open_copy(path: Path) -> None:
        open_file(path, workspace.environment)

    workspace.finish_open()
    plan = edited(workspace.root, key, open_file=open_copy, again=again)
    workspace.commit(plan.changes)
    discard(workspace.root, key)
    show_plan(workspace, plan, Format.TEXT, written=True, diff=False)


def remove(
    ctx: typer.Context,
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
    from awesome_cli.curation.editing import moving

    planner = partial(moving.remove, key=key, force=force)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


def rename(
    ctx: typer.Context,
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
    ctx: typer.Context,
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
    from awesome_cli.curation.editing.formatting import formatted
    from awesome_cli.files.tree import WorkingTree

    workspace: Workspace = ctx.obj
    preview = check or dry_run or diff
    with workspace.locked(written=not preview):
        axes = tuple(workspace.readable().taxonomy.by_id)
        plan = formatted(WorkingTree(workspace.root), workspace.names(names or []), axes)
        workspace.commit(plan.changes, written=not preview)
    show_plan(workspace, plan, form, written=not preview, diff=diff)
    raise typer.Exit(int(check and bool(plan.changes)))


def recover(
    ctx: typer.Context,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was done of the change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Finish a change of several files that was interrupted, or take it back.

    Every command that writes finishes it first. Example: awesome recover --dry-run
    """
    from awesome_cli.survey import journal
    from awesome_cli.survey.saving import Plan, locked

    workspace: Workspace = ctx.obj
    preview = dry_run or diff
    with nullcontext() if preview else locked(workspace.root, finish=False):
        plan = journal.opened(workspace.root)
        changes = () if plan is None else journal.finish(workspace.root, plan, undo=undo, dry_run=preview)
    if plan is None:
        workspace.say("nothing to recover")
    else:
        ended = "taken back" if undo or plan.undo else "carried out"
        workspace.say(f"the interrupted '{plan.name}'" + (":" if changes else f" was {ended} already"))
    show_plan(workspace, Plan(changes), form, written=not preview, diff=diff)
