"""Whether the old value of a changed coding is kept in the history of the record."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._workspace import Workspace

if TYPE_CHECKING:
    from awesome_cli.curation.editing.recoding import Revising

RevisedOption = Annotated[
    bool | None,
    typer.Option(
        "--revised/--not-revised",
        help="Keep the old coding for --as-of: it counted until today. Asked on a terminal.",
    ),
]
ByOption = Annotated[str | None, typer.Option("--by", help="Who revised the coding, for the history.")]


def revising(workspace: Workspace, *, revised: bool | None, by: str | None) -> "Revising":
    """How to treat history: as the option says; without it, ask a person; without one, keep nothing."""
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.system.clock import today

    def decide(fields: str) -> bool:
        if revised is not None:
            return revised
        if not workspace.interactive:
            return by is not None
        return typer.confirm(f"Keep the old coding of {fields} in the history?", default=False, err=True)

    return Revising(today(), decide, by)
