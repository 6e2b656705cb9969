"""`awesome taxonomy`: show and change the codebook."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, WhereOption
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.vocabulary import Requested
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan

TermArgument = Annotated[str, typer.Argument(metavar="AXIS=TERM", help="Term to change.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]

taxonomy = typer.Typer(
    name="taxonomy",
    help="Show or change the codebook. Changes update records, queries, claims and paper.yaml, and are logged.",
    no_args_is_help=True,
)


@taxonomy.command()
def show(
    ctx: CommandContext,
    axis: Annotated[str | None, typer.Argument(metavar="AXIS", help="Axis to show. [default: all]")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show axes with terms, codes and definitions, and the successors of deprecated terms.

    Example: awesome taxonomy show AXIS
    """
    from awesome_cli.curation.vocabulary.usage import shown

    ctx.obj.emit(shown(readable_corpus(ctx.obj).taxonomy, axis), form)


@taxonomy.command()
def usage(
    ctx: CommandContext,
    name: Annotated[str | None, typer.Argument(metavar="AXIS[=TERM]", help="Axis or term. [default: all]")] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count papers, candidates and near-misses by term; for one term, list them.

    Example: awesome taxonomy usage AXIS
    """
    from awesome_cli.curation.vocabulary.usage import usage as usage_of
    from awesome_cli.survey.corpus import GROUPS

    ctx.obj.emit(
        usage_of(readable_corpus(ctx.obj, remark=True, candidates=True).where(where, *GROUPS.values()), name), form
    )


@taxonomy.command()
def rename(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="AXIS[=TERM]", help="Term or axis to rename.")],
    new: Annotated[str, typer.Argument(help="New id.")],
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="New label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a term or an axis in the taxonomy, records, queries, claims and paper.yaml; the old id is logged.

    Example: awesome taxonomy rename AXIS=TERM NEW --label "New label"
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.rename, old=old, new=new, label=label)
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def merge(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="AXIS=TERM,TERM", help="Terms to merge.")],
    into: Annotated[
        str, typer.Option("--into", metavar="TERM", help="Resulting term: one of the merged terms, or a new one.")
    ],
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="New label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Merge terms. If a work has several of them, the strongest tag remains and gets the other tags' evidence.

    Example: awesome taxonomy merge AXIS=TERM,TERM --into TERM
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.merge, old=old, into=into, label=label)
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def split(
    ctx: CommandContext,
    old: TermArgument,
    parts: Annotated[list[str], typer.Argument(metavar="ID[:LABEL]", help="New terms, two or more.")],
    assign: Annotated[
        list[str] | None,
        typer.Option(
            "--assign", metavar="ID=QUERY", help="Assign term ID to papers that match QUERY; may be repeated."
        ),
    ] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Split a term: it becomes the parent of the new terms, and its papers must be coded again.

    'awesome status' lists the papers to code.

    Example: awesome taxonomy split AXIS=TERM ID:"Label" ID:"Label"
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.split, old=old, parts=parts, assign=assign or ())
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def deprecate(
    ctx: CommandContext,
    old: TermArgument,
    use: Annotated[str, typer.Option("--use", metavar="TERM", help="Successor of the term.")],
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Deprecate a term: keep its definition in the taxonomy, and move its records to its successor.

    Example: awesome taxonomy deprecate AXIS=TERM --use TERM
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.deprecate, old=old, use=use)
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def migrate(
    ctx: CommandContext,
    revision: Annotated[
        str | None,
        typer.Option("--log", metavar="REV", help="Also apply the change log of this git revision, such as main."),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Apply the taxonomy's change log to records that use old names. A second run changes nothing.

    After a merge: awesome taxonomy migrate. On an old branch: awesome taxonomy migrate --log main
    """
    from awesome_cli.curation.vocabulary import replay
    from awesome_cli.curation.vocabulary.migration import read_log
    from awesome_cli.files.git import GitTree

    foreign = read_log(GitTree(ctx.obj.root, revision)) if revision is not None else ()
    carry_out(ctx.obj, lambda tree, corpus: replay(tree, corpus, foreign), form, dry_run=dry_run, diff=diff)


def _change(
    session: CommandSession,
    request: Callable[..., "Requested"],
    form: Format,
    *,
    yes: bool,
    dry_run: bool,
    diff: bool,
) -> None:

    def planner(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        from awesome_cli.curation.vocabulary import change
        from awesome_cli.system.clock import today

        step, labels = request(corpus, on=today())
        plan = change(tree, corpus, step, labels)
        folders = [edit.path.rpartition("/")[0] for edit in plan.changes]
        counts = ", ".join(f"{folders.count(name)} in {name}/" for name in sorted(set(folders)) if name)
        session.say(f"{step}: {len(plan.changes)} files{f' ({counts})' if counts else ''}")
        if session.interactive and not (yes or dry_run or diff):
            typer.confirm("Continue?", default=True, abort=True, err=True)
        return plan

    carry_out(session, planner, form, dry_run=dry_run, diff=diff)
