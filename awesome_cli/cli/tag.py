"""`awesome tag`: give a work terms of the taxonomy, with evidence."""

from functools import partial
from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, EvidenceOption, FormatOption, SourceOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import ByOption, RevisedOption, carry_out, revising
from awesome_cli.output import Format


def tag(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="The paper or candidate.")],
    terms: Annotated[
        list[str],
        typer.Argument(metavar="AXIS=TERM[:STRENGTH]", help="Terms; their codes (R2, O5) work too."),
    ],
    evidence: EvidenceOption = None,
    quote: Annotated[str | None, typer.Option("--quote", help="A passage of the paper, word for word.")] = None,
    source: SourceOption = None,
    confidence: Annotated[str | None, typer.Option("--confidence", help="How sure the coding is.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the tags away; AXIS alone empties the axis.")] = False,
    revised: RevisedOption = None,
    by: ByOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Tag a work: on an axis for one term it replaces the main one, elsewhere it joins or updates.

    With :part it is a further coding beside the main one, on any axis. A contest of a coding that is replaced goes.

    Example: awesome tag marft sub_decision=stop:designed --evidence "A fixed round limit." --confidence high
    """
    from awesome_cli.curation.editing.recoding import retag
    from awesome_cli.curation.editing.tagging import Grounds

    workspace: Workspace = ctx.obj
    grounds = Grounds(evidence, source, confidence, quote=quote)
    history = revising(workspace, revised=revised, by=by)
    planner = partial(retag, key=key, texts=terms, grounds=grounds, remove=remove, revision=history)
    carry_out(workspace, planner, form, dry_run=dry_run, diff=diff)
