"""`awesome taxonomy`: look at the vocabulary and change it."""

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

TermArgument = Annotated[str, typer.Argument(metavar="AXIS=TERM", help="The term.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask on a terminal.")]

taxonomy = typer.Typer(
    name="taxonomy",
    help="Look at the vocabulary and change it. Records, queries and claims follow, and a log keeps the change.",
    no_args_is_help=True,
)


@taxonomy.command()
def show(
    ctx: CommandContext,
    axis: Annotated[str | None, typer.Argument(metavar="AXIS", help="One axis; by default all.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show axes with their terms, codes and definitions, and what retired terms have become.

    Example: awesome taxonomy show AXIS
    """
    from awesome_cli.curation.vocabulary.usage import shown

    ctx.obj.emit(shown(readable_corpus(ctx.obj).taxonomy, axis), form)


@taxonomy.command()
def usage(
    ctx: CommandContext,
    name: Annotated[str | None, typer.Argument(metavar="AXIS[=TERM]", help="An axis or a term.")] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count the papers, candidates and near-misses of every term; for one term, name them.

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
    old: Annotated[str, typer.Argument(metavar="AXIS[=TERM]", help="The term, or the axis.")],
    new: Annotated[str, typer.Argument(help="The new id.")],
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="The label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a term or an axis in the taxonomy, records, queries and claims; the old id is logged.

    Example: awesome taxonomy rename AXIS=TERM NEW --label "New label"
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.rename, old=old, new=new, label=label)
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def merge(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="AXIS=TERM,TERM", help="The terms.")],
    into: Annotated[str, typer.Option("--into", metavar="TERM", help="The term that stays, or a new one.")],
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="The label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Merge terms. Where a work carries several of them, the strongest tag stays and takes over the others' evidence.

    Example: awesome taxonomy merge AXIS=TERM,TERM --into TERM
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.merge, old=old, into=into, label=label)
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def split(
    ctx: CommandContext,
    old: TermArgument,
    parts: Annotated[list[str], typer.Argument(metavar="ID[:LABEL]", help="The new terms, two or more.")],
    assign: Annotated[
        list[str] | None,
        typer.Option("--assign", metavar="ID=QUERY", help="Papers that get a new term at once; may be repeated."),
    ] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Split a term: it becomes the parent of the new terms, and its papers wait to be coded again.

    'awesome status' shows the queue. Example: awesome taxonomy split AXIS=TERM ID:"Label" ID:"Label"
    """
    from awesome_cli.curation import vocabulary

    step = partial(vocabulary.split, old=old, parts=parts, assign=assign or ())
    _change(ctx.obj, step, form, yes=yes, dry_run=dry_run, diff=diff)


@taxonomy.command()
def deprecate(
    ctx: CommandContext,
    old: TermArgument,
    use: Annotated[str, typer.Option("--use", metavar="TERM", help="Its successor.")],
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Retire a term: it stays in the taxonomy with its definition, names its successor, and records move to that.

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
        typer.Option("--log", metavar="REV", help="Also make the changes in the log of this revision, such as main."),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Apply the log of changes to records that use old names; a second run changes nothing.

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
    """Plan the change that was asked for, say what it touches, ask a person, and carry it out."""

    def planner(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        from awesome_cli.curation.vocabulary import change
        from awesome_cli.system.clock import today

        step, labels = request(corpus, on=today())
        plan = change(tree, corpus, step, labels)
        folders = [edit.path.rpartition("/")[0] for edit in plan.changes]
        counts = ", ".join(f"{folders.count(name)} in {name}/" for name in sorted(set(folders)) if name)
        session.say(f"{step}: {len(plan.changes)} files{f' ({counts})' if counts else ''}")
        if session.interactive and not (yes or dry_run or diff):
            typer.confirm("Go on?", default=True, abort=True, err=True)
        return plan

    carry_out(session, planner, form, dry_run=dry_run, diff=diff)
