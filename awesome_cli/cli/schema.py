"""`awesome schema`: the JSON Schema of the files of a survey."""

from typing import Annotated, Literal

import typer

from awesome_cli.cli._doors import hand_over
from awesome_cli.cli._workspace import Workspace

SchemaKind = Literal[
    "paper", "exclusion", "candidate", "taxonomy", "claims", "protocol", "audit", "search", "run", "screenings",
    "coder-request", "coder-answer", "prices", "trace",
]  # fmt: skip


def schema(
    ctx: typer.Context,
    kind: Annotated[SchemaKind, typer.Argument(help="The kind of file.")] = "paper",
) -> None:
    """Print the JSON Schema of a file; in a survey it lists the survey's own axes and terms.

    Example: awesome schema paper > schemas/paper.json
    """
    from awesome_cli.publish.schemas import schema_text

    workspace: Workspace = ctx.obj
    hand_over(schema_text(kind, workspace.vocabulary()))
