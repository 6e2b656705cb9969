"""`awesome taxonomy migrate`: replay the log of changes on records that use old names."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format


def migrate(
    ctx: typer.Context,
    revision: Annotated[
        str | None,
        typer.Option("--from", metavar="REV", help="Also make the changes in the log of this revision, such as main."),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Apply the log of changes to records that use old names; a second run changes nothing.

    After a merge: awesome taxonomy migrate. On an old branch: awesome taxonomy migrate --from main
    """
    from awesome_cli.curation.vocabulary import read_log, replay
    from awesome_cli.files.tree import GitTree

    workspace: Workspace = ctx.obj
    foreign = read_log(GitTree(workspace.root, revision)) if revision is not None else ()
    carry_out(workspace, lambda tree, corpus: replay(tree, corpus, foreign), form, dry_run=dry_run, diff=diff)
