"""Whether a changed coding leaves its old value in the record's history."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._workspace import Workspace

if TYPE_CHECKING:
    from awesome_cli.curation.editing.recoding import Revising

RevisedOption = Annotated[
    bool | None,
    typer.Option(
        "--revised/--not-revised",
        help="Whether the old coding counted until today, and as-of should go back to it; asked on a terminal.",
    ),
]
ByOption = Annotated[str | None, typer.Option("--by", help="Who revised the coding, for its history.")]


def revising(workspace: Workspace, *, revised: bool | None, by: str | None) -> "Revising":
    """What to do about history: as the option says, else ask a person, else remember nothing."""
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.system.clock import today

    def decide(fields: str) -> bool:
        if revised is not None:
            return revised
        if not workspace.interactive:
            return by is not None
        return typer.confirm(f"Keep the old coding of {fields} in the history?", default=False, err=True)

    return Revising(today(), decide, by)
