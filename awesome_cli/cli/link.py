"""`awesome link`: two records are versions of one work."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format


def link(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record of the other version, such as the preprint.")],
    version_of: Annotated[str, typer.Option("--version-of", metavar="KEY", help="The record of the work.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Link a record to another version of its work; both records stay. 'awesome dedupe --merge' merges two records.

    Example: awesome link KEY --version-of KEY
    """
    from awesome_cli.curation.editing import linking

    carry_out(
        ctx.obj, lambda tree, corpus: linking.link(tree, corpus, key, version_of), form, dry_run=dry_run, diff=diff
    )
