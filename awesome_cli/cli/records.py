"""`awesome set`, `tag`, `admit`, `edit`, `remove`, `rename`, `fmt` and `recover`: change records and their files."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import (
    ConfidenceOption,
    DiffOption,
    DirectionOption,
    DryRunOption,
    EvidenceOption,
    FormatOption,
    KindOption,
    SourceOption,
    WhereOption,
    WhoOption,
    names_in,
    within,
)
from awesome_cli.cli._printing import say
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import (
    Planner,
    RevisedOption,
    addressed,
    carry_out,
    finish_open,
    locked,
    planned,
    revising,
    show_plan,
    twins,
)
from awesome_cli.cli.import_ import sources
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.files.tree import FileTree, WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan


def set_(
    ctx: CommandContext,
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="Key of a record of any kind; leave out with --where.")
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="FIELD= clears a field; += and -= change a list.")
    ] = None,
    revised: RevisedOption = None,
    who: WhoOption = None,
    where: WhereOption = None,
    kind: KindOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Set fields of one record, or of all records that match a query. Other lines of the files do not change.

    Separate the texts of a list by `;`. A link is a URL, or a label and a URL: links+='Code https://…'. With --where,
    an error in one record cancels the whole change. --where 'key=A,B' selects records by key.

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
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="Key of a paper or candidate; leave out with --where.")
    ] = None,
    terms: Annotated[
        list[str] | None, typer.Argument(metavar="AXIS=TERM[:STRENGTH]", help="Terms, by id or code.")
    ] = None,
    evidence: EvidenceOption = None,
    quote: Annotated[str | None, typer.Option("--quote", metavar="TEXT", help="Literal quote from the paper.")] = None,
    direction: DirectionOption = None,
    source: SourceOption = None,
    confidence: ConfidenceOption = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table", metavar="FILE", callback=within, help="Apply an edited table of codings (- for stdin)."
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the tags; AXIS alone removes all tags of the axis.")
    ] = False,
    revised: RevisedOption = None,
    who: WhoOption = None,
    where: WhereOption = None,
    kind: KindOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Tag one work, or all works that match a query.

    On an axis of kind 'one' the tag replaces the main coding; on an axis of kind 'many' it is added. On any axis,
    AXIS=TERM:part adds a further coding. A replaced coding loses its contest. New evidence supports the tag, unless you
    give --direction against. With --revised, a new --evidence or --quote drops the old source and confidence, and --who
    is by default user.name of git. With --where, an error in one record cancels the whole change. --where 'key=A,B'
    selects works by key.

    --table applies a table that 'awesome export codings' wrote and a spreadsheet saved as .csv, .tsv or .xlsx. An empty
    cell or a missing row changes nothing; NA removes a coding. --dry-run shows the changes as a diff.

    Example: awesome tag KEY AXIS=TERM:STRENGTH --evidence "What the paper does." --confidence high
    """
    from awesome_cli.curation.editing.recoding import retag
    from awesome_cli.curation.editing.tables import recode
    from awesome_cli.curation.editing.tagging import Grounds

    history = revising(ctx.obj, revised=revised, by=who, written=not (dry_run or diff))
    grounds = Grounds(evidence, source, confidence, quote=quote, direction=direction, anew=bool(revised))
    if table is not None:
        if remove or grounds.fields() or (key, where, kind) != (None, None, None):
            message = "--table cannot be combined with KEY, terms, --where, --kind, --remove or evidence"
            raise UsageError(message, hint="awesome tag --table FILE")
        planner: Planner = partial(recode, source=sources([table])[0], revising=history, raw=ctx.obj.raw)
        carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff or dry_run)
        return
    key, terms = addressed(key, terms, where, "awesome tag KEY AXIS=TERM")
    edit_one = partial(retag, texts=terms, grounds=grounds, remove=remove, revision=history)
    carry_out(ctx.obj, planned(where, kind, terms, key, edit_one), form, dry_run=dry_run, diff=diff)


def admit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="CANDIDATE", help="Key of the candidate.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Admit a candidate to the pool with today's date.

    Example: awesome admit KEY
    """
    from awesome_cli.curation.editing.admitting import admit as admission
    from awesome_cli.system.clock import today

    carry_out(ctx.obj, partial(admission, key=key, on=today()), form, dry_run=dry_run, diff=diff)


def edit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of a record; its file may be invalid.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR, and validate it when the editor closes.

    If validation reports findings, you can open the file again. Your text is never lost.

    Example: awesome edit KEY
    """
    from awesome_cli.curation.editing.files import discard, edited
    from awesome_cli.system.programs import open_file

    session = ctx.obj

    def again(findings: str) -> bool:
        say(findings)
        return session.interactive and typer.confirm("Open it again?", default=True, err=True)

    finish_open(session)
    plan = edited(session.root, key, open_file=partial(open_file, environment=session.environment), again=again)
    with locked(session) as lock:
        lock.commit(plan.changes)
    discard(session.root, key)
    show_plan(session, plan, Format.TEXT, written=True, diff=False)


def remove(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of the record.")],
    force: Annotated[bool, typer.Option("--force", help="Remove the record even if other files refer to it.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Delete a record's file. To screen a paper out and keep its fields, use 'awesome exclude'.

    Example: awesome remove KEY --dry-run
    """
    from awesome_cli.curation.editing import excluding
    from awesome_cli.rules.preconditions import partly_read

    def planner(tree: "FileTree", corpus: "Corpus") -> "Plan":
        left = replace(corpus, findings=tuple(f for f in corpus.findings if f.key != key))
        return replace(excluding.remove(tree, corpus, key, force=force), failed=partly_read(left))

    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


def rename(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="OLD", help="Current key of the record.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="New key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a record: the old key becomes an alias, and references in records and claims are updated.

    Example: awesome rename OLD NEW
    """
    from awesome_cli.curation.editing import naming

    carry_out(ctx.obj, lambda tree, corpus: naming.rename(tree, corpus, old, new), form, dry_run=dry_run, diff=diff)


def fmt(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="KEY|PATH", help="Records, files or folders. [default: all]")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rewrite records in canonical form: order of fields, quotes, line breaks. Comments move with their values.

    Example: awesome fmt corpus --diff
    """
    from awesome_cli.curation.editing.files import formatted
    from awesome_cli.files.tree import WorkingTree

    session = ctx.obj
    preview = check or dry_run or diff
    with locked(session, written=not preview) as lock:
        axes = tuple(readable_corpus(session).taxonomy.by_id)
        plan = formatted(WorkingTree(session.root), names_in(session.root, names or []), axes)
        lock.commit(plan.changes)
    show_plan(session, plan, form, written=not preview, diff=diff)
    raise typer.Exit(int(check and bool(plan.changes)))


def recover(
    ctx: CommandContext,
    undo: Annotated[bool, typer.Option("--undo", help="Roll back the interrupted change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Finish an interrupted change of several files, or roll it back.

    Every command that writes to the survey first finishes an interrupted change.

    Example: awesome recover --dry-run
    """
    from awesome_cli.survey import journal, saving

    session = ctx.obj
    preview = dry_run or diff
    with nullcontext() if preview else saving.locked(session.root, finish=False):
        plan = journal.opened(session.root)
        changes = () if plan is None else journal.finish(session.root, plan, undo=undo, dry_run=preview)
    if plan is None:
        session.say("nothing to recover")
    else:
        ended = "rolled back" if undo or plan.undo else "finished"
        session.say(f"the interrupted '{plan.name}'" + (":" if changes else f" was {ended} already"))
    show_plan(session, saving.Plan(changes), form, written=not preview, diff=diff)
