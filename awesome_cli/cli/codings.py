"""`awesome set` and `tag`: change fields and tags of records."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

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
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import RevisedOption, addressed, carry_out, planned, revising, twins
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan


def set_(
    ctx: CommandContext,
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="The record, of any kind; none with --where.")
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="Empty removes; += and -= change a list.")
    ] = None,
    revised: RevisedOption = None,
    who: WhoOption = None,
    where: WhereOption = None,
    kind: KindOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Set fields of a record, or of all that match a query; the rest of their files stays as it is.

    Lists take `;` between texts. A link is an address, or a label and an address: links+='Code https://…'.
    With --where all matching papers change, or none: --where 'key=A,B' names them.

    Example: awesome set KEY venue="Journal of X" identifiers.doi=10.1/x authors+="Doe, J"
    """
    from awesome_cli.curation.editing.recoding import set_fields, without_twins

    key, assignments = addressed(key, assignments, where, "awesome set KEY FIELD=VALUE")
    history = revising(ctx.obj, revised=revised, by=who, written=not (dry_run or diff))
    edit_one = partial(set_fields, assignments=assignments, revising=history)
    planner = planned(where, kind, assignments, key, edit_one)

    def checked(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        return without_twins(corpus, planner(tree, corpus), twins)

    carry_out(ctx.obj, checked, form, dry_run=dry_run, diff=diff)


def tag(
    ctx: CommandContext,
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

    key, terms = addressed(key, terms, where, "awesome tag KEY AXIS=TERM")
    grounds = Grounds(evidence, source, confidence, quote=quote)
    history = revising(ctx.obj, revised=revised, by=who, written=not (dry_run or diff))
    edit_one = partial(retag, texts=terms, grounds=grounds, remove=remove, revision=history)
    carry_out(ctx.obj, planned(where, kind, terms, key, edit_one), form, dry_run=dry_run, diff=diff)
