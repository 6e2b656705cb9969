"""`awesome admit`: a candidate becomes a paper."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out
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
