"""`awesome schema`: the shape of the survey's files as JSON Schema."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._workspace import Workspace


class Kind(StrEnum):
    """The files that have a schema."""

    PAPER = "paper"
    EXCLUSION = "exclusion"
    CANDIDATE = "candidate"
    TAXONOMY = "taxonomy"
    CLAIMS = "claims"
    AUDIT = "audit"
    TRACE = "trace"


def schema(
    ctx: typer.Context,
    kind: Annotated[Kind, typer.Argument(help="Which file.")] = Kind.PAPER,
) -> None:
    """Print the JSON Schema of a file; in a survey it lists the survey's own axes and terms.

    Example: awesome schema paper > schemas/paper.json
    """
    from awesome_cli.publish.schemas import schema_text

    workspace: Workspace = ctx.obj
    typer.echo(schema_text(kind.value, workspace.vocabulary()), nl=False)
