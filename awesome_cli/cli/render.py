"""`awesome render` and `template`: write the generated files, and change their templates."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import remark_templates, whole_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._printing import say, show
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out, locked
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.publish.outputs import Output


def render(
    ctx: CommandContext,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Render the README's islands and statistics.json from the records.

    In the README only the text between the marks changes. Example: awesome render --diff
    """
    from awesome_cli.publish.freshness import untouched

    session = ctx.obj
    # A difference is looked for in what is rendered now; without one, unchanged bytes are enough.
    if check and not diff and (names := untouched(session.root)):
        show("".join(f"{name} is up to date\n" for name in names))
        return
    remark_templates(session)
    # All is written before a word is said: the reader of the answer may go away.
    found, written = rendered(session, written=not (check or dry_run or diff))
    for output in found:
        if diff:
            show(output.diff())
        state = f"is stale; run '{output.command}'" if output.stale else "is up to date"
        line = f"{output.path} {'rendered' if output.path in written else state}"
        say(line) if diff else show(f"{line}\n")
    raise typer.Exit(int(check and any(output.stale for output in found)))


def rendered(session: CommandSession, *, written: bool) -> "tuple[tuple[Output, ...], set[str]]":
    """The generated files, and the paths of those that were written."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.outputs import outputs

    with locked(session, written=written) as lock:
        found, tree = outputs(whole_corpus(session), session.root), WorkingTree(session.root)
        changes = [change for output in found for change in output.changes(tree) if written]
        lock.commit(changes)
    return found, {change.path for change in changes}


template = typer.Typer(
    name="template",
    help="List the templates of README and site, and make one the survey's own. The others come from the tool.",
    no_args_is_help=True,
)


def names() -> list[str]:
    """The names of the tool's templates, for completion."""
    from awesome_cli.publish.templates import inherited

    return list(inherited())


@template.command("list")
def list_(ctx: CommandContext, form: FormatOption = Format.TEXT) -> None:
    """List the templates: which are the tool's, which the survey's own, and whether these differ.

    Example: awesome template list
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.templates import listing

    ctx.obj.emit(listing(ctx.obj.root, WorkingTree(ctx.obj.root)), form)


@template.command()
def copy(
    ctx: CommandContext,
    name: Annotated[str, typer.Argument(metavar="NAME", autocompletion=names, help="As in 'awesome template list'.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Copy a template of the tool into templates/, where it can be changed; a file that is there is never overwritten.

    Later versions of the tool do not change the copy. Remove it to inherit the template again.

    Example: awesome template copy readme/papers.md.j2
    """
    from awesome_cli.publish.templates import copy as copied

    carry_out(ctx.obj, lambda tree, _: copied(tree, name), Format.TEXT, dry_run=dry_run, diff=diff)
