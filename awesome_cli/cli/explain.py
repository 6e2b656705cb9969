"""`awesome explain`: the manual page of a rule, a metric, a term, an axis, or any word of the tool."""

from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def explain(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A rule's code, a metric of traces, a term, an axis, or a word such as 'query'."
        ),
    ],
    form: FormatOption = Format.TEXT,
) -> None:
    """Explain a rule (V002), a metric (tokens_fresh), a term (axis=term or its code), an axis or any word of the tool.

    Words are for instance query, stages, reasons, strengths, gaps, near_miss, contested and 'exit codes'.

    Example: awesome explain stages
    """
    from awesome_cli.analysis import explanation
    from awesome_cli.publish.manual import levels, manual, metrics

    workspace: Workspace = ctx.obj
    rules = explanation.Manual(manual(), levels(), metrics())
    workspace.emit(explanation.explain(name, rules, workspace.vocabulary(), workspace.corpus), form)
