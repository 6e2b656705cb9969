"""`awesome set`, `tag`, `admit`, `edit`, `remove`, `rename`, `fmt` and `recover`: change records and their files."""

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
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
    names_in,
)
from awesome_cli.cli._printing import say
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import (
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
from awesome_cli.output import Format
from awesome_cli.text.inert import inert

if TYPE_CHECKING:
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan


def set_(
    ctx: CommandContext,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="A record of any kind; none with --where.")] = None,
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


def admit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The candidate's key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Admit a candidate to the pool with today's date. On a terminal it asks for what is missing.

    Example: awesome admit KEY
    """
    from awesome_cli.curation.editing import admitting
    from awesome_cli.system.clock import today

    def ask(question: str) -> str:
        return str(typer.prompt(inert(question), default="", show_default=False, err=True))

    def planner(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        complete = admitting.completed(corpus.taxonomy, ask) if ctx.obj.interactive else None
        return admitting.admit(tree, corpus, key, on=today(), complete=complete)

    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


def edit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record; also one that cannot be read.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR, and check it when the editor closes.

    If there are findings it offers to open the file again; your text is kept in any case. Example: awesome edit KEY
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
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record's key.")],
    force: Annotated[bool, typer.Option("--force", help="Remove it even if another file names it.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Delete a record's file. To screen a paper out and keep its fields, use 'awesome exclude'.

    Example: awesome remove KEY --dry-run
    """
    from awesome_cli.curation.editing import excluding

    planner = partial(excluding.remove, key=key, force=force)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


def rename(
    ctx: CommandContext,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The record's key.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a record; the old key becomes an alias, and records and claims that name it are updated.

    Example: awesome rename OLD NEW
    """
    from awesome_cli.curation.editing import naming

    carry_out(ctx.obj, lambda tree, corpus: naming.rename(tree, corpus, old, new), form, dry_run=dry_run, diff=diff)


def fmt(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="KEY|PATH", help="Records, folders [default: all]")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Write records in their canonical form: order of fields, quotes, lines. Comments move with their values.

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
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was done of the change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Finish a change of several files that was interrupted, or take it back.

    Every command that writes finishes it first. Example: awesome recover --dry-run
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
        ended = "taken back" if undo or plan.undo else "carried out"
        session.say(f"the interrupted '{plan.name}'" + (":" if changes else f" was {ended} already"))
    show_plan(session, saving.Plan(changes), form, written=not preview, diff=diff)
