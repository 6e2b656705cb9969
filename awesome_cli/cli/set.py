"""`awesome set`: set fields of a record."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, KindOption, WhereOption, WhoOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import RevisedOption, addressed, carry_out, planned, revising, twins
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan


def set_(
    ctx: typer.Context,
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

    workspace: Workspace = ctx.obj
    key, assignments = addressed(key, assignments, where, "awesome set KEY FIELD=VALUE")
    history = revising(workspace, revised=revised, by=who, written=not (dry_run or diff))
    edit_one = partial(set_fields, assignments=assignments, revising=history)
    planner = planned(where, kind, assignments, key, edit_one)

    def checked(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        return without_twins(corpus, planner(tree, corpus), twins)

    carry_out(workspace, checked, form, dry_run=dry_run, diff=diff)
