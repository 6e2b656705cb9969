"""`awesome tag`: give a work terms of the taxonomy, with evidence."""

from functools import partial
from typing import Annotated

import typer

from awesome_cli.cli._options import (
    ConfidenceOption,
    DiffOption,
    DryRunOption,
    EvidenceOption,
    FormatOption,
    KindOption,
    SourceOption,
    WhereOption,
    WhoOption,
)
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import RevisedOption, addressed, carry_out, planned, revising
from awesome_cli.output import Format


def tag(
    ctx: typer.Context,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="The paper or candidate; none with --where.")] = None,
    terms: Annotated[
        list[str] | None, typer.Argument(metavar="AXIS=TERM[:STRENGTH]", help="Terms, by their ids or codes.")
    ] = None,
    evidence: EvidenceOption = None,
    quote: Annotated[
        str | None, typer.Option("--quote", metavar="TEXT", help="A passage of the paper, word for word.")
    ] = None,
    source: SourceOption = None,
    confidence: ConfidenceOption = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the tags away; AXIS alone empties the axis.")] = False,
    revised: RevisedOption = None,
    who: WhoOption = None,
    where: WhereOption = None,
    kind: KindOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Tag a work, or all that match a query: on an axis for one term it replaces the main one, elsewhere it joins.

    With :part it is a further coding beside the main one, on any axis. A coding that is replaced loses its contest.
    With --where all matching papers change, or none: --where 'key=A,B' names them.

    Example: awesome tag KEY AXIS=TERM:STRENGTH --evidence "What the paper does." --confidence high
    """
    from awesome_cli.curation.editing.recoding import retag
    from awesome_cli.curation.editing.tagging import Grounds

    workspace: Workspace = ctx.obj
    key, terms = addressed(key, terms, where, "awesome tag KEY AXIS=TERM")
    grounds = Grounds(evidence, source, confidence, quote=quote)
    history = revising(workspace, revised=revised, by=who, written=not (dry_run or diff))
    edit_one = partial(retag, texts=terms, grounds=grounds, remove=remove, revision=history)
    carry_out(workspace, planned(where, kind, terms, key, edit_one), form, dry_run=dry_run, diff=diff)
