"""`awesome schema`: the JSON Schema of the files of a survey."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._workspace import Workspace


class SchemaKind(StrEnum):
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
    kind: Annotated[SchemaKind, typer.Argument(help="The kind of file.")] = SchemaKind.PAPER,
) -> None:
    """Print the JSON Schema of a file; in a survey it lists the survey's own axes and terms.

    Example: awesome schema paper > schemas/paper.json
    """
    from awesome_cli.publish.schemas import schema_text

    workspace: Workspace = ctx.obj
    typer.echo(schema_text(kind.value, workspace.vocabulary()), nl=False)
