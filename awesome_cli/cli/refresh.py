"""`awesome refresh`: compare records with the registries of today."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, WhereOption, require_one
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import NetError, PartialError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.refresh import Refresh


def refresh(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="The records to look up; by default all.")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the differences into the records.")] = False,
    where: WhereOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare records with arXiv, Crossref and others: new versions, published venues, titles, authors, retractions.

    Says what differs in each record and writes nothing without --apply. Records that
    could not be looked up are named; a retraction status that nobody told is 'unknown'.

    Example: awesome refresh KEY --apply
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Plan

    workspace: Workspace = ctx.obj
    written = apply and not (dry_run or diff)
    if written:
        workspace.finish_open()
    work = look_up(workspace, keys or [], where)
    with workspace.locked(written=written):
        changes = work.changes(WorkingTree(workspace.root))
        workspace.commit(changes, written=written)
    workspace.emit(Plan(changes).to_diff() if diff else work.to_report(changes, written=written), form)
    if failed := sum(look.failure is not None for look in work.looks):
        raise PartialError(f"{failed} records could not be looked up", hint="each one is named above")


def look_up(workspace: Workspace, keys: Sequence[str], where: str | None) -> "Refresh":
    """Ask the registries; raises `NetError` if no record could be looked up."""
    from awesome_cli.curation.editing import find_work
    from awesome_cli.curation.refresh import Refresh
    from awesome_cli.system.clock import today

    corpus = workspace.readable(candidates=True) if keys else workspace.surveyed()
    require_one(keys, where)
    records = [find_work(corpus, key) for key in keys] if keys else list(corpus.select(where))
    work = Refresh(workspace.net(), today(), tuple(corpus.taxonomy.by_id))
    work.look_up(records)
    failed = [look.failure for look in work.looks if look.failure]
    if failed and len(failed) == sum(look.record.identifiers.is_askable for look in work.looks):
        raise NetError(f"nothing could be looked up: {failed[0]}", hint="check the connection, or try again later")
    return work
